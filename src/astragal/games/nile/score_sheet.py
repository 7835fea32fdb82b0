"""What lies open on the table: the tiles of the river, and the score sheet."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Literal

from msgspec import Struct

from astragal.games.nile.board import Grid
from astragal.games.nile.tiles import Kind, Stock

How = Literal["laid", "passed", "waited", "resigned", "left"]


class Laid(Struct, frozen=True):
    """One tile of the river, in the order in which they were laid."""

    field: str
    tile: Kind
    entry: int
    exit: int
    stands: Kind | None = None  # what a universal stands for
    replaced: Kind | None = None  # crossing: the tile that went back into the bag
    shut: bool = False  # it left the river shut in, so under `encircle=universal` its player still held a universal


class ScoreLine(Struct, frozen=True):
    """One line of the score sheet: a turn, or what a rack cost at the end.

    `laid`: tiles were laid. `passed`: none fitted, and the rack was shown and exchanged (NI-10). `waited`: the player
    could not open and keeps the rack (NI-11). `resigned`: the seat is out. `left`: on the rack at the end (NI-18).
    """

    seat: int
    how: How
    tiles: tuple[Kind, ...] = ()  # those that counted, as laid, shown or left
    fields: tuple[tuple[str, int], ...] = ()  # coloured fields and what they earned; of a U-group the first covered
    bonus: int = 0  # for a whole rack in one turn
    goal: int = 0  # the blue field on which the river ended
    total: int = 0


def turn_line(seat: int, laid: Iterable[Laid], grid: Grid, stock: Stock) -> ScoreLine:
    """What a turn's tiles count (NI-9)."""
    tiles: list[Kind] = []
    fields: list[tuple[str, int]] = []
    groups, goal, values = set[int](), 0, 0
    for placed in laid:
        tiles.append(placed.tile)
        values += stock.value[placed.tile]  # a universal counts its own value, whatever it stands for (NI-14)
        if placed.replaced is not None:
            continue  # the field was covered before (NI-16)
        number = grid.number[placed.field]
        field = grid.fields[number]
        if field.colour == "green":
            fields.append((placed.field, field.number))
        elif field.colour == "red":
            fields.append((placed.field, -field.number))
        elif field.colour == "group" and grid.group[number] not in groups:
            groups.add(grid.group[number])
            fields.append((placed.field, -field.number))
        elif field.colour == "blue" and grid.beyond[number][placed.exit] < 0:
            goal = field.number
    bonus = stock.bonus if len(tiles) >= stock.rack else 0
    total = values + sum(points for _, points in fields) + bonus + goal
    return ScoreLine(seat, "laid", tuple(tiles), tuple(fields), bonus, goal, total)


def scores(sheet: Iterable[ScoreLine], players: int) -> tuple[int, ...]:
    """Each seat's points so far."""
    sums = [0] * players
    for line in sheet:
        sums[line.seat] += line.total
    return tuple(sums)


def best(totals: Sequence[int], gone: Sequence[int]) -> tuple[int, ...]:
    """The seats that are ahead; those that gave up are behind all others (NI-18)."""
    there = [seat for seat in range(len(totals)) if seat not in gone]
    top = max(totals[seat] for seat in there)
    return tuple(seat for seat in there if totals[seat] == top)


def last_turn(river: Sequence[Laid], sheet: Sequence[ScoreLine], laid: int) -> tuple[Laid, ...]:
    """The tiles of the turn in progress, or else of the last turn in which any were laid."""
    if not laid:
        laid = next((len(line.tiles) for line in reversed(sheet) if line.how == "laid"), 0)
    return tuple(river[len(river) - laid :])
