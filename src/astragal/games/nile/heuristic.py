"""A guess at how a seat of Nile stands: its points, what its rack can still do, and what it leaves to the next player.

`kernels_features` has the same over arrays. The best way to use the rack is found by trying: it is the one that earns
most, counted in hundredths of a point so that both get exactly the same, less what it leaves to the next player.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache
from typing import NamedTuple

from astragal.core.language import noted
from astragal.core.rules import Heuristic
from astragal.core.types import OVER
from astragal.core.weights import load
from astragal.games.nile.board import Grid
from astragal.games.nile.course import ALONG_BLUE, ENDINGS, Course, course
from astragal.games.nile.options import Options
from astragal.games.nile.score_sheet import Laid, best
from astragal.games.nile.tiles import DATA, KINDS, PLACE, UNIVERSAL, Kind, exits, kind_between, opposite, stock
from astragal.games.nile.view import View

CENT = 100
WIN = 200 * CENT  # what ending the river with a win is worth, beside the points
HELD_UNIVERSAL = 8  # points that a universal in hand is good for, beside its value
PLAYS = (
    50  # how much a coloured head counts for the next player, who may not want or be able to play there, of a hundred
)
ENDS = (0, 85, 50, 25, 10, 4)  # how likely somebody ends a river that is so many tiles from its end, of a hundred
BESIDES = 100  # points that ending the river is worth to the next player, beside the goal
WAYS_LOOKED_AT = 250  # tiles laid in thought, after which the rest is not looked into
NOWHERE = -(1 << 40)


class NileHeuristic(Heuristic[View]):
    """Points are counted in hundreds, and as differences to the best of the other seats."""

    names: Mapping[str, str] = {
        "result": noted("winning the game"),
        "points": noted("more points on the sheet"),
        "late": noted("more points late in the game"),
        "turn": noted("tiles that still go well this turn"),
        "finish": noted("ending the river this turn"),
        "next": noted("little left for the next player"),
        "goal": noted("keeping the goal away from the next player"),
        "universals": noted("a universal kept in hand"),
        "shut": noted("a shut-in river that only a universal opens"),
        "hand": noted("valuable tiles in hand"),
        "tempo": noted("being on turn again soon"),
    }
    weights: Mapping[str, float] = load(DATA / "weights.toml", names)

    def features(self, v: View, seat: int) -> Mapping[str, float]:
        found = dict.fromkeys(self.names, 0.0)
        if seat in v.gone:
            found["result"] = -1
        elif v.turn == OVER:
            winners = best(v.scores, v.gone)
            found["result"] = 1 if winners == (seat,) else 0 if seat in winners else -1
        elif v.phase != "lots":
            found |= _standing(v, seat)
        return found


def _standing(v: View, seat: int) -> dict[str, float]:
    """The features while tiles are dealt and laid."""
    rack = v.rack if v.seat == seat else ()
    river, tiles = course(v.options.board, v.river), stock(v.options.tiles)
    lead, mover = _lead(v, seat), _next_mover(v)
    way = Way(0, river.head, 0)
    if mover == seat == v.seat and v.phase != "deal":
        way = look_ahead(v.options, v.river, rack, v.laid, lead)
    progress = max(river.grid.fields[river.head].row / (river.grid.rows - 1), 1 - v.bag / tiles.total)
    shut = bool(v.river) and v.river[-1].shut
    return {
        "points": lead / 100,
        "late": lead / 100 * progress,
        "turn": 0 if way.won else way.gain / (100 * CENT),
        "finish": way.won,
        "next": -PLAYS * earned(river.grid, way.head) / (100 * CENT) if way.head >= 0 else 0,
        "goal": -threat(river.grid, way.head, lead * CENT + way.gain) / (100 * CENT) if way.head >= 0 else 0,
        "universals": rack.count(UNIVERSAL),
        "shut": (1 if UNIVERSAL in rack else -1) if shut else 0,
        "hand": tiles.worth(rack) / 100,
        "tempo": _tempo(v, seat, mover),
    }


def _lead(v: View, seat: int) -> int:
    """How far a seat is ahead of the best other one, the turn in progress included."""
    totals = list(v.scores)
    if v.pending is not None:
        totals[v.pending.seat] += v.pending.total
    return totals[seat] - max(total for other, total in enumerate(totals) if other != seat and other not in v.gone)


def _left_of(v: View, seat: int) -> int:
    players = len(v.sizes)
    return next(other % players for other in range(seat + 1, seat + players + 1) if other % players not in v.gone)


def _next_mover(v: View) -> int:
    """Whose turn it is, or will be next."""
    if v.phase == "turn":
        return v.mover
    return v.first if v.phase == "deal" else _left_of(v, v.mover)


def _tempo(v: View, seat: int, mover: int) -> float:
    """How few turns the others have before this seat's next one, or the one after a turn that is looked into.

    1 stands for none and 0 for a turn each. A turn in progress counts less the more tiles it has laid.
    """
    if seat == mover:
        return 0.0
    size = stock(v.options.tiles).rack
    before = -min(v.laid, size) / size if v.phase == "turn" else 0.0
    while mover != seat:
        before += 1
        mover = _left_of(v, mover)
    return 1 - before / (len(v.sizes) - len(v.gone) - 1)


def earned(ground: Grid, number: int) -> int:
    """What covering a field earns, below 0 for a red one."""
    field = ground.fields[number]
    return {"green": field.number, "red": -field.number, "group": -field.number}.get(field.colour, 0)


@lru_cache(maxsize=1 << 16)
def reach(ground: Grid, number: int) -> tuple[int, int]:
    """The best goal that a river entering this field may soon come to, and how likely somebody then ends it."""
    field = ground.fields[number]
    away = ground.rows - field.row  # tiles to the end of the river, at least
    if away >= len(ENDS):
        return 0, 0
    blue = (one for one in ground.fields.values() if one.colour == "blue")
    return max(one.number for one in blue if abs(one.column - field.column) < away), ENDS[away]


def threat(ground: Grid, number: int, lead: int) -> int:
    """What such a river is worth to the next player because of the goal; nothing if that would not close the gap.

    It is in hundredths, and so is `lead`.
    """
    goal, likely = reach(ground, number)
    return likely * (goal + BESIDES) if goal * CENT >= lead else 0


# Looking ahead ------------------------------------------------------------------------------------------------


class Way(NamedTuple):
    """A way to play on in a turn and then stop."""

    gain: int  # what it earns on top of what is laid already, in hundredths
    head: int  # the field that the river enters next, -1 if it has ended
    won: int  # 1 or -1 if it ends the river, and so the game


@lru_cache(maxsize=4096)
def look_ahead(options: Options, river: tuple[Laid, ...], rack: tuple[Kind, ...], laid: int, lead: int) -> Way:
    """The best way to play on or stop."""
    return _Search(options, river, rack, laid, lead).way


class _Search:
    """Every way to go on, in the order of kinds and exits; crossings and shutting the river in are not looked into."""

    def __init__(self, options: Options, river: tuple[Laid, ...], rack: tuple[Kind, ...], laid: int, lead: int) -> None:
        self.now: Course = course(options.board, river)
        self.ground, self.tiles = self.now.grid, stock(options.tiles)
        self.same_turn = options.blue_finish == "same_turn"
        self.laid, self.lead = laid, lead
        self.rack = [rack.count(kind) for kind in KINDS]
        self.left = WAYS_LOOKED_AT
        self.way, self.worth = Way(0, self.now.head, 0), NOWHERE
        if laid and not (self.same_turn and self.now.committed):
            self._offer(self.way)
        turn = [self.ground.number[one.field] for one in river[len(river) - laid :] if one.replaced is None]
        self.groups = [self.ground.group[number] for number in turn if number in self.ground.group]  # paid for
        self._follow(self.now.head, self.now.entry, self.now.occupied, self.now.corners, 0, 0)

    def _offer(self, way: Way) -> None:
        """Stopping here, if it is better than all before."""
        worth = way.gain + way.won * WIN
        if way.head >= 0:
            worth -= PLAYS * earned(self.ground, way.head) + threat(self.ground, way.head, self.lead * CENT + way.gain)
        if worth > self.worth:
            self.way, self.worth = way, worth

    def _follow(self, field: int, entry: int, occupied: int, corners: int, depth: int, gain: int) -> None:
        for place, kind in enumerate(KINDS):
            for exit in exits(entry, kind) if self.rack[place] else ():
                if kind == UNIVERSAL and self.rack[PLACE[kind_between(entry, exit)]]:
                    continue
                if not self.left:
                    return
                self._lay(field, entry, exit, place, occupied, corners, depth, gain)

    def _lay(
        self, field: int, entry: int, exit: int, place: int, occupied: int, corners: int, depth: int, gain: int
    ) -> None:
        ground = self.ground
        blue = field in ground.blue
        ends = blue and exit in ENDINGS
        if blue and ((exit not in ALONG_BLUE and not ends) or (field, exit) in ground.top_corners):
            return
        onto = ground.beyond[field][exit]
        corner = 1 << ground.corner(field, exit) if exit % 2 and not ends else 0
        if not ends and (onto < 0 or occupied >> onto & 1 or corners & corner):
            return
        self.left -= 1
        group = ground.group.get(field)
        gain += CENT * self._earns(place, field, depth)
        self.rack[place] -= 1
        if ends:
            rest = sum(count * value for count, value in zip(self.rack, self.tiles.value.values(), strict=True))
            gain += CENT * (ground.fields[field].number - rest)
            self._offer(Way(gain, -1, 1 if self.lead * CENT + gain > 0 else -1))
        else:
            if not (blue and self.same_turn):
                self._offer(Way(gain, onto, 0))
            if group is not None:
                self.groups.append(group)
            self._follow(onto, opposite(exit), occupied | 1 << field, corners | corner, depth + 1, gain)
            if group is not None:
                self.groups.pop()
        self.rack[place] += 1

    def _earns(self, place: int, field: int, depth: int) -> int:
        """What a tile earns there, less what a universal is good for in hand."""
        points = self.tiles.value[KINDS[place]] - (HELD_UNIVERSAL if KINDS[place] == UNIVERSAL else 0)
        if self.laid + depth + 1 == self.tiles.rack:
            points += self.tiles.bonus
        return points if self.ground.group.get(field) in self.groups else points + earned(self.ground, field)
