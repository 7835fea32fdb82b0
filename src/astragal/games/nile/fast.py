"""Nile over arrays: how states and actions become numbers and back. The layout is told in `kernels_river`."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import lru_cache

import numpy as np

from astragal.core.fast import Array, Fast, Kernels
from astragal.games.nile import kernels as k
from astragal.games.nile import kernels_river as r
from astragal.games.nile.actions import PASSES, STOPS, Action, Draw, Lay, Resign, Stop
from astragal.games.nile.board import grid
from astragal.games.nile.course import course
from astragal.games.nile.heuristic import earned, reach
from astragal.games.nile.kernels_features import features
from astragal.games.nile.options import Options
from astragal.games.nile.score_sheet import Laid, ScoreLine, scores, turn_line
from astragal.games.nile.state import LOTS, State, line_now
from astragal.games.nile.tiles import KINDS, PLACE, UNIVERSAL, Kind, kind_between, opposite, stock
from astragal.games.nile.view import Phase

PHASES: tuple[Phase, ...] = ("lots", "deal", "turn", "refill", "over")
ROOM = 64  # words of the log that are free at least when a state is packed


class NileFast(Fast[State, Action]):
    """Nile under these options with so many players."""

    owner = "nile"
    kernels = Kernels(k.turn, k.legal, k.chance, k.step, k.returns, features)
    most = r.MOST

    def __init__(self, options: Options, players: int) -> None:
        self.options, self.players = options, players
        self.tables = tables(options, players)
        self._last: tuple[State, Array] | None = None  # the state that was packed last, which the next may resemble

    def pack(self, s: State) -> Array:
        packed = self._table(s).copy()
        packed[r.BAG : r.BAG + r.KINDS] = s.bag
        packed[r.IN_BAG] = sum(s.bag)
        lots = s.phase == "lots"
        for seat in s.rivals if lots else range(self.players):
            rack = s.lots[seat][-1] if lots else s.racks[seat]
            packed[r.SIZES + seat] = len(rack)
            for kind in rack:
                packed[r.RACKS + seat * r.KINDS + PLACE[kind]] += 1
        return packed

    def _table(self, s: State) -> Array:
        """The state but for bag and racks: states that `resample` made from one view differ in nothing else."""
        if self._last is not None and _same_table(self._last[0], s):
            return self._last[1]
        log = list(_log(s))
        setup = self.tables
        length = setup[r.LOG] + max(4 * setup[r.TOTAL] + 20 * self.players, len(log) + ROOM)
        packed = np.zeros(length, dtype=np.int64)
        packed[setup[r.LOG] : setup[r.LOG] + len(log)] = log
        river = course(s.options.board, s.river)
        packed[[r.PHASE, r.SEAT, r.FIRST, r.LAID, r.IDLE]] = PHASES.index(s.phase), s.seat, s.first, s.laid, s.idle
        packed[[r.HEAD, r.ENTRY, r.LOGGED]] = river.head, river.entry, len(log)
        packed[[r.GONE, r.RIVALS]] = sum(1 << seat for seat in s.gone), sum(1 << seat for seat in s.rivals)
        packed[r.WAITED] = sum({1 << line.seat for line in s.sheet if line.how == "waited"})
        packed[r.SHUT] = bool(s.river) and s.river[-1].shut
        packed[r.SCORES : r.SCORES + self.players] = scores(s.sheet, self.players)
        if s.laid:
            line = line_now(s)
            packed[r.PENDING] = line.total - line.bonus
            for one in s.river[len(s.river) - s.laid :]:
                group = setup[r.GROUND + river.grid.number[one.field] * r.STRIDE + r.GROUP]
                if one.replaced is None and group >= 0:
                    packed[setup[r.PAID] + group] = 1
        packed[r.TOP] = -1
        for field, (tile, points) in river.tiles.items():
            packed[r.FIELDS + field] = points << 4 | PLACE[tile] + 1
            packed[r.TOP] = max(packed[r.TOP], field // river.grid.stride)
        row = (1 << river.grid.stride) - 1
        for number in range(river.grid.rows + 1):
            packed[r.CORNERS + number] = river.corners >> number * river.grid.stride & row
            if number < river.grid.rows:
                packed[r.OCCUPIED + number] = river.occupied >> number * river.grid.stride & row
        self._last = (s, packed)
        return packed

    def unpack(self, packed: Array) -> State:
        words = [int(word) for word in packed[: r.FIELDS]]
        racks = tuple(_tiles(words[r.RACKS + n * r.KINDS : r.RACKS + (n + 1) * r.KINDS]) for n in range(self.players))
        phase = PHASES[words[r.PHASE]]
        past = _Past(self, packed)
        sheet = past.sheet
        if phase == "over":
            worth = stock(self.options.tiles).worth
            sheet += [ScoreLine(seat, "left", rack, total=-worth(rack)) for seat, rack in enumerate(racks) if rack]
        return State(
            self.options,
            phase,
            words[r.SEAT],
            words[r.FIRST],
            ((),) * self.players if phase == "lots" else racks,
            tuple(words[r.BAG : r.BAG + r.KINDS]),
            tuple(past.river),
            words[r.LAID],
            tuple(sheet),
            words[r.IDLE],
            tuple(line.seat for line in sheet if line.how == "resigned"),
            past.lots(words[r.SEAT] if phase == "lots" else None, words[r.RIVALS]),
            tuple(seat for seat in range(self.players) if words[r.RIVALS] >> seat & 1),
        )

    def number(self, s: State, a: Action) -> int:
        if isinstance(a, Draw):
            return PLACE[a.kind]
        if isinstance(a, Lay):
            return _lay(a.tile, a.exit, a.crossing)
        if isinstance(a, Resign):
            return r.RESIGN + a.seat
        return r.STOP if isinstance(a, Stop) else r.PASS

    def action(self, s: State, number: int) -> Action:
        """The action or outcome that has this number in this state."""
        if number < r.LAY:
            return Draw(KINDS[number])
        if number >= r.STOP:
            return STOPS if number == r.STOP else PASSES if number == r.PASS else Resign(number - r.RESIGN)
        kind, exit, crossing = _parts(number)
        river = course(s.options.board, s.river)
        stands = kind_between(river.entry, exit) if kind == UNIVERSAL else None
        return Lay(river.grid.names[river.head], kind, exit, stands, crossing)


class _Past:
    """What the log of a packed state tells."""

    def __init__(self, fast: NileFast, packed: Array) -> None:
        setup = fast.tables
        end = setup[r.LOG] + packed[r.LOGGED]
        if end > len(packed):
            raise ValueError("this game went on for too long to tell its past; it can only be played on")
        self.grid, self.stock = grid(fast.options.board), stock(fast.options.tiles)
        self.players, self.by_lots = fast.players, fast.options.begins == "lots"
        self.river: list[Laid] = []
        self.sheet: list[ScoreLine] = []
        self.drawn: list[list[Kind]] = [[] for _ in range(fast.players)]
        self._head, self._entry = self.grid.start, 4
        self._lying: dict[int, Kind] = {}
        self._scored = 0  # tiles of the river that are on the sheet
        words = iter([int(word) for word in packed[setup[r.LOG] : end]])
        for word in words:
            self._tell(word, words)

    def _tell(self, word: int, more: Iterator[int]) -> None:
        code, seat = word >> 12 << 12, word & 3
        if code == 0:
            self._lay(word)
        elif code == r.LOT:
            self.drawn[seat].append(KINDS[word >> 2 & 15])
        elif code == r.SCORED:
            self.sheet.append(turn_line(seat, self.river[self._scored :], self.grid, self.stock))
            self._scored = len(self.river)
        elif code == r.PASSED:
            low = next(more)
            rack = _tiles([*(low >> 4 * kind & 15 for kind in range(7)), word >> 2 & 15, word >> 6 & 15])
            self.sheet.append(ScoreLine(seat, "passed", rack, total=-self.stock.worth(rack)))
        else:
            self.sheet.append(ScoreLine(seat, "waited" if code == r.WAITS else "resigned"))

    def _lay(self, word: int) -> None:
        kind, exit, crossing = _parts(word & r.SHUT_BIT - 1)
        shut = word >= r.SHUT_BIT
        stands = kind_between(self._entry, exit) if kind == UNIVERSAL else None
        self._cover(Laid(self.grid.names[self._head], kind, self._entry, exit, stands, shut=shut and not crossing))
        if crossing:
            replaced = self._lying[self._head]
            name = self.grid.names[self._head]
            self._cover(Laid(name, UNIVERSAL, self._entry, exit, replaced=replaced, shut=shut))

    def _cover(self, one: Laid) -> None:
        self.river.append(one)
        self._lying[self._head] = one.tile
        self._head, self._entry = self.grid.beyond[self._head][one.exit], opposite(one.exit)

    def lots(self, drawer: int | None, rivals: int) -> tuple[tuple[tuple[Kind, ...], ...], ...]:
        """What each seat drew for the right to begin; while that lasts, each rival has a round that may be empty."""
        if not self.by_lots:
            return ()
        rounds = 0 if drawer is None else len(self.drawn[drawer]) // LOTS + 1
        found = []
        for seat, drawn in enumerate(self.drawn):
            cut = [tuple(sorted(drawn[n : n + LOTS], key=PLACE.__getitem__)) for n in range(0, len(drawn), LOTS)]
            missing = rounds - len(cut) if rivals >> seat & 1 else 0
            found.append((*cut, *((),) * missing))
        return tuple(found)


def _same_table(one: State, other: State) -> bool:
    """Whether two states were made from the same parts, so that nothing but bag and racks can differ."""
    same = one.river is other.river and one.sheet is other.sheet and one.lots is other.lots
    return same and (one.phase, one.seat, one.first, one.laid, one.idle) == (
        other.phase,
        other.seat,
        other.first,
        other.laid,
        other.idle,
    )


def _log(s: State) -> Iterator[int]:
    """The past of a state, word by word."""
    for turn in range(max(map(len, s.lots), default=0)):
        for seat, rounds in enumerate(s.lots):
            for kind in rounds[turn] if turn < len(rounds) else ():
                yield r.LOT | PLACE[kind] << 2 | seat
    begin = 0
    for line in s.sheet:
        if line.how == "laid":
            yield from _lays(s.river[begin : begin + len(line.tiles)])
            begin += len(line.tiles)
            yield r.SCORED | line.seat
        elif line.how == "passed":
            counts = [line.tiles.count(kind) for kind in KINDS]
            yield r.PASSED | counts[7] << 2 | counts[8] << 6 | line.seat
            yield sum(count << 4 * kind for kind, count in enumerate(counts[:7]))
        elif line.how != "left":
            yield (r.WAITS if line.how == "waited" else r.RESIGNS) | line.seat
    yield from _lays(s.river[begin:])


def _lays(river: Sequence[Laid]) -> Iterator[int]:
    for number, one in enumerate(river):
        if one.replaced is None:
            last = river[number + 1] if number + 1 < len(river) and river[number + 1].replaced is not None else one
            yield _lay(one.tile, one.exit, last is not one) | (r.SHUT_BIT if last.shut else 0)


def _lay(kind: Kind, exit: int, crossing: bool) -> int:
    return r.LAY + PLACE[kind] * 16 + exit * 2 + crossing


def _parts(number: int) -> tuple[Kind, int, bool]:
    rest = number - r.LAY
    return KINDS[rest >> 4], rest >> 1 & 7, bool(rest & 1)


def _tiles(counts: Sequence[int]) -> tuple[Kind, ...]:
    return tuple(kind for kind, count in zip(KINDS, counts, strict=True) for _ in range(count))


@lru_cache(maxsize=64)
def tables(options: Options, players: int) -> Array:
    """What the kernels need to know of board, tiles and house rules."""
    ground_plan, tiles = grid(options.board), stock(options.tiles)
    size = ground_plan.rows * ground_plan.stride
    groups = {lowest: place for place, lowest in enumerate(sorted(set(ground_plan.group.values())))}
    ground = np.full((size, r.STRIDE), -1, dtype=np.int64)
    for number, field in ground_plan.fields.items():
        ground[number, :8] = ground_plan.beyond[number]
        group = groups[ground_plan.group[number]] if number in ground_plan.group else -1
        goal = field.number if field.colour == "blue" else 0
        ground[number, [r.ROW, r.COLUMN, r.GROUP, r.GOAL]] = field.row, field.column, group, goal
        ground[number, [r.COLOUR, r.REACH, r.LIKELY]] = earned(ground_plan, number), *reach(ground_plan, number)
    found = np.zeros(r.GROUND + ground.size, dtype=np.int64)
    found[r.GROUND :] = ground.reshape(-1)
    found[r.VALUES : r.COUNTS] = list(tiles.value.values())
    found[r.COUNTS : r.WAYS] = tiles.counts
    for entry in range(8):
        others = [exit for exit in range(8) if exit != entry]
        kinds = [PLACE[kind_between(entry, exit)] for exit in others]
        begin = r.WAYS + entry * 8
        found[begin : begin + r.EXITS] = [exit for _, exit in sorted(zip(kinds, others, strict=True))]
        found[[r.JOINS + entry * 8 + exit for exit in others]] = kinds
    found[[r.PLAYERS, r.ROWS, r.FULL_ROW]] = players, ground_plan.rows, (1 << ground_plan.columns) - 1
    found[[r.START, r.RACK, r.BONUS, r.TOTAL]] = ground_plan.start, tiles.rack, tiles.bonus, tiles.total
    found[[r.ENCIRCLE, r.SAME_TURN]] = options.encircle == "universal", options.blue_finish == "same_turn"
    found[[r.PAID, r.GROUPS, r.LOG]] = r.FIELDS + size, len(groups), r.FIELDS + size + len(groups)
    return found
