"""A guess at how a seat of Nile stands: its points, what its rack can still do, and what it leaves to the next player.

All of it is counted in points of the game and divided by ten in the end, so that 1 is about a good tile.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import lru_cache

from msgspec import Struct

from astragal.core.language import noted
from astragal.core.rules import Heuristic
from astragal.core.types import OVER
from astragal.games.nile.course import ENDINGS, Course, course, without
from astragal.games.nile.options import Options
from astragal.games.nile.table import Laid, best
from astragal.games.nile.tiles import UNIVERSAL, Kind, Stock, exits, kind_between, stock
from astragal.games.nile.view import View

UNIT = 10
WIN = 200  # points that winning the game is worth, beside those of the sheet
HELD_UNIVERSAL = 8  # what a universal in hand is good for, beside its value
SHUT_OUT = 10  # what others are likely to lose when the river is shut in and only this seat holds a universal
PLAYS = 0.9  # how likely the next player has a tile for the head
ENDS = (0.0, 0.85, 0.5, 0.25, 0.1, 0.04)  # how likely somebody ends a river that is so many tiles from its end
WIDTH = 8  # how many ways of playing on are followed at a time


class NileHeuristic(Heuristic[View]):
    """Terms are differences to the best of the other seats."""

    names: Mapping[str, str] = {
        "result": noted("winning the game"),
        "points": noted("more points on the sheet"),
        "turn": noted("tiles that still go well this turn"),
        "next": noted("little left for the next player"),
        "universals": noted("a universal kept in hand"),
    }

    def terms(self, v: View, seat: int) -> Mapping[str, float]:
        lead = _lead(v, seat)
        if v.turn == OVER:
            winners = best(v.scores, v.gone)
            won = WIN if winners == (seat,) else 0 if seat in winners else -WIN
            return {"result": won / UNIT, "points": lead / UNIT}
        if v.seat == seat and v.turn == seat:
            turn, left = _prospect(v.options, v.river, v.rack, v.laid, lead)
        else:
            turn, left = 0.0, _left(course(v.options.board, v.river), v.rack if v.seat == seat else ())
        kept = v.rack.count(UNIVERSAL) if v.seat == seat else 0
        return {
            "points": lead / UNIT,
            "turn": turn / UNIT,
            "next": left / UNIT,
            "universals": HELD_UNIVERSAL * kept / UNIT,
        }


def _lead(v: View, seat: int) -> int:
    """How far a seat is ahead of the best other one, the turn in progress included."""
    totals = list(v.scores)
    if v.pending is not None:
        totals[v.pending.seat] += v.pending.total
    others = [total for other, total in enumerate(totals) if other != seat and other not in v.gone]
    return totals[seat] - max(others, default=0)


class Way(Struct, frozen=True):
    """One way of playing on in a turn: how far the river comes, and what it earns on top of what is laid already."""

    river: Course
    rack: tuple[Kind, ...]
    laid: int
    groups: frozenset[int]  # red groups this turn has paid for
    gain: float

    @property
    def worth(self) -> float:
        """What stopping here is worth."""
        return self.gain + (_left(self.river, self.rack) if self.river.head >= 0 else 0)


@lru_cache(maxsize=4096)
def _prospect(
    options: Options, river: tuple[Laid, ...], rack: tuple[Kind, ...], laid: int, lead: int
) -> tuple[float, float]:
    """The best way to play on or stop: what it still earns, and what it leaves to the next player."""
    tiles, now = stock(options.tiles), course(options.board, river)
    if now.head < 0:
        return 0.0, 0.0
    ground = now.grid
    paid = (ground.number[one.field] for one in river[len(river) - laid :] if one.replaced is None)
    start = Way(now, rack, laid, frozenset(ground.group[number] for number in paid if number in ground.group), 0.0)
    if laid:
        top, ways = start, [start]
    else:  # a first tile must be laid
        ways = sorted(_steps(start, tiles, lead), key=lambda way: -way.worth)[:WIDTH]
        top = ways[0] if ways else start
    while ways:
        onward = [further for way in ways for further in _steps(way, tiles, lead)]
        ways = sorted(onward, key=lambda way: -way.worth)[:WIDTH]
        if ways and ways[0].worth > top.worth:
            top = ways[0]
    return top.gain, top.worth - top.gain


def _steps(way: Way, tiles: Stock, lead: int) -> Iterator[Way]:
    """Every way to lay one more tile; shut-in rivers and crossings are not looked into."""
    river = way.river
    if river.head < 0:
        return
    field = river.grid.fields[river.head]
    for kind in dict.fromkeys(way.rack):
        for exit in exits(river.entry, kind):
            if river.fault(exit) is not None or (kind == UNIVERSAL and kind_between(river.entry, exit) in way.rack):
                continue
            led = river.led(kind, exit, False)
            rest, laid = without(way.rack, kind), way.laid + 1
            gain, groups = way.gain + tiles.value[kind], way.groups
            gain -= HELD_UNIVERSAL if kind == UNIVERSAL else 0
            gain += tiles.bonus if laid == tiles.rack else 0
            if field.colour == "green":
                gain += field.number
            elif field.colour == "red":
                gain -= field.number
            elif field.colour == "group" and river.grid.group[river.head] not in groups:
                gain -= field.number
                groups |= {river.grid.group[river.head]}
            elif field.colour == "blue" and exit in ENDINGS:
                gain += field.number - tiles.worth(rest)
                gain += WIN if lead + gain > 0 else -WIN
            yield Way(led, rest, laid, groups, gain)


def _left(river: Course, rack: tuple[Kind, ...]) -> float:
    """What a river in this position leaves to the next player, as a gain (below 0) or a loss (above)."""
    if river.head < 0:
        return 0.0
    ground = river.grid
    field = ground.fields[river.head]
    gain = 0.0
    if field.colour == "green":
        gain += PLAYS * field.number
    elif field.colour in ("red", "group"):
        gain -= PLAYS * field.number
    away = ground.rows - field.row  # tiles to the end of the river, at least
    if away < len(ENDS):
        reach = range(max(0, field.column - away + 1), min(ground.columns, field.column + away))
        goal = max(one.number for one in ground.fields.values() if one.colour == "blue" and one.column in reach)
        gain += ENDS[away] * (goal + WIN / 2)
    if UNIVERSAL in rack and river.shut_in():
        gain -= SHUT_OUT
    return -gain
