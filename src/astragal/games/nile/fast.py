"""Nile over arrays: how states and actions become the numbers of `layout`."""

from __future__ import annotations

from functools import lru_cache
from random import Random

import numpy as np

from astragal.core.fast import Array, Fast, Kernels
from astragal.games.nile import dealing, kernels
from astragal.games.nile import layout as at
from astragal.games.nile.actions import PASSES, STOPS, Action, Draw, Lay
from astragal.games.nile.board import Grid, grid
from astragal.games.nile.course import course
from astragal.games.nile.kernels_deal import redeal
from astragal.games.nile.kernels_features import features
from astragal.games.nile.kernels_inputs import PARTS, inputs
from astragal.games.nile.kernels_observe import observation, observe
from astragal.games.nile.options import Options
from astragal.games.nile.score_sheet import scores
from astragal.games.nile.state import State, line_now
from astragal.games.nile.tiles import KINDS, PLACE, UNIVERSAL, kind_between, stock
from astragal.games.nile.view import Phase, View

PHASES: tuple[Phase, ...] = ("lots", "deal", "turn", "refill", "over")
ENDS = (0, 85, 50, 25, 10, 4)  # how likely somebody ends a river that is so many tiles from its end, of a hundred


class NileFast(Fast[State, Action]):
    """Nile under these options with so many players."""

    source = Kernels(
        kernels.turn, kernels.legal, kernels.chance, kernels.step, kernels.returns, features, observe, inputs, redeal
    )
    input_parts = PARTS
    actions = at.ACTIONS
    outcomes = at.KINDS
    most = at.MOST

    def __init__(self, options: Options, players: int) -> None:
        self.options, self.players = options, players
        self.tables = tables(options, players)
        self.observation = observation(self.tables, options)
        self._length = int(self.tables[at.PAID] + self.tables[at.GROUPS])
        self._last: tuple[State, list[int]] | None = None  # what was packed last, which the next may resemble

    def words(self, s: State) -> list[int]:
        words = self._table(s).copy()
        words[at.BAG : at.BAG + at.KINDS] = s.bag
        words[at.IN_BAG] = sum(s.bag)
        lots = s.phase == "lots"
        for seat in s.rivals if lots else range(self.players):
            rack = s.lots[seat][-1] if lots else s.racks[seat]
            words[at.SIZES + seat] = len(rack)
            for kind in rack:
                words[at.RACKS + seat * at.KINDS + PLACE[kind]] += 1
        return words

    def dealer(self, view: View, rng: Random) -> dealing.Dealer | None:
        return dealing.Dealer(view, rng.getrandbits(64)) if dealing.deals(view) else None

    def _table(self, s: State) -> list[int]:
        """The state but for bag and racks: states that `resample` made from one view differ in nothing else."""
        if self._last is not None and _same_table(self._last[0], s):
            return self._last[1]
        words = [0] * self._length
        river = course(s.options.board, s.river)
        words[at.PHASE], words[at.SEAT], words[at.LAID], words[at.IDLE] = PHASES.index(s.phase), s.seat, s.laid, s.idle
        words[at.HEAD], words[at.ENTRY] = river.head, river.entry
        words[at.GONE], words[at.RIVALS] = sum(1 << seat for seat in s.gone), sum(1 << seat for seat in s.rivals)
        if s.river:
            words[at.SHUT] = int(s.river[-1].shut)
        else:
            words[at.FIRST] = s.first
            words[at.WAITED] = sum({1 << line.seat for line in s.sheet if line.how == "waited"})
        words[at.SCORES : at.SCORES + self.players] = scores(s.sheet, self.players)
        if s.laid:
            self._turn(s, river.grid, words)
        for field, (tile, points) in river.tiles.items():
            words[at.FIELDS + field] = points << 4 | PLACE[tile] + 1
        stride = river.grid.stride
        words[at.TOP] = top = max(river.tiles, default=-1) // stride
        row = (1 << stride) - 1
        for number in range(top + 1):
            words[at.OCCUPIED + number] = river.occupied >> number * stride & row
            words[at.CORNERS + number] = river.corners >> number * stride & row
        words[at.CORNERS + top + 1] = river.corners >> (top + 1) * stride & row
        self._last = (s, words)
        return words

    def _turn(self, s: State, ground: Grid, words: list[int]) -> None:
        """What the turn in progress has earned, and which U-groups it has paid for."""
        line = line_now(s)
        words[at.PENDING] = line.total - line.bonus
        for laid in s.river[len(s.river) - s.laid :]:
            group = int(self.tables[at.GROUND + ground.number[laid.field] * at.STRIDE + at.GROUP])
            if laid.replaced is None and group >= 0:
                words[int(self.tables[at.PAID]) + group] = 1

    def action(self, packed: Array, number: int) -> Action:
        if packed[at.PHASE] != at.TURN:
            return Draw(KINDS[number])
        if number >= at.STOP:
            return STOPS if number == at.STOP else PASSES
        code = number - at.LAY
        kind, exit = KINDS[code >> 4], code >> 1 & 7
        stands = kind_between(int(packed[at.ENTRY]), exit) if kind == UNIVERSAL else None
        return Lay(grid(self.options.board).names[int(packed[at.HEAD])], kind, exit, stands, bool(code & 1))


def _same_table(first: State, second: State) -> bool:
    """Whether two states were made from the same parts, so that nothing but bag and racks can differ."""
    same = first.river is second.river and first.sheet is second.sheet and first.lots is second.lots
    return same and (first.phase, first.seat, first.first, first.laid, first.idle, first.gone) == (
        second.phase,
        second.seat,
        second.first,
        second.laid,
        second.idle,
        second.gone,
    )


def earned(ground: Grid, number: int) -> int:
    """What covering a field earns, below 0 for a red one."""
    field = ground.fields[number]
    return {"green": field.number, "red": -field.number, "group": -field.number}.get(field.colour, 0)


def reach(ground: Grid, number: int) -> tuple[int, int]:
    """The best goal that a river entering this field may soon come to, and how likely somebody then ends it."""
    field = ground.fields[number]
    away = ground.rows - field.row  # tiles to the end of the river, at least
    if away >= len(ENDS):
        return 0, 0
    blue = (other for other in ground.fields.values() if other.colour == "blue")
    return max(other.number for other in blue if abs(other.column - field.column) < away), ENDS[away]


@lru_cache(maxsize=64)
def tables(options: Options, players: int) -> Array:
    """What the kernels need to know of board, tiles and house rules."""
    ground_plan, tiles = grid(options.board), stock(options.tiles)
    size = ground_plan.rows * ground_plan.stride
    groups = {lowest: place for place, lowest in enumerate(sorted(set(ground_plan.group.values())))}
    ground = np.full((size, at.STRIDE), -1, dtype=np.int64)
    for number, field in ground_plan.fields.items():
        ground[number, :8] = ground_plan.beyond[number]
        group = groups[ground_plan.group[number]] if number in ground_plan.group else -1
        goal = field.number if field.colour == "blue" else 0
        ground[number, [at.ROW, at.COLUMN, at.GROUP, at.GOAL]] = field.row, field.column, group, goal
        ground[number, [at.COLOUR, at.REACH, at.LIKELY]] = earned(ground_plan, number), *reach(ground_plan, number)
    array = np.zeros(at.GROUND + ground.size, dtype=np.int64)
    array[at.GROUND :] = ground.reshape(-1)
    array[at.VALUES : at.COUNTS] = list(tiles.value.values())
    array[at.COUNTS : at.WAYS] = tiles.counts
    for entry in range(8):
        others = [exit for exit in range(8) if exit != entry]
        kinds = [PLACE[kind_between(entry, exit)] for exit in others]
        begin = at.WAYS + entry * 8
        array[begin : begin + at.EXITS] = [exit for _, exit in sorted(zip(kinds, others, strict=True))]
        array[[at.JOINS + entry * 8 + exit for exit in others]] = kinds
    array[[at.PLAYERS, at.ROWS, at.FULL_ROW]] = players, ground_plan.rows, (1 << ground_plan.columns) - 1
    array[[at.START, at.RACK, at.BONUS, at.TOTAL]] = ground_plan.start, tiles.rack, tiles.bonus, tiles.total
    array[[at.ENCIRCLE, at.SAME_TURN]] = options.encircle == "universal", options.blue_finish == "same_turn"
    array[[at.PAID, at.GROUPS]] = at.FIELDS + size, len(groups)
    return array
