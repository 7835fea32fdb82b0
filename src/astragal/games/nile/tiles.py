"""The tiles of Nile: nine kinds, how each leads the river, how many there are and what they are worth.

A square has eight points, numbered clockwise: 0 N, 1 NE, 2 E, 3 SE, 4 S, 5 SW, 6 W, 7 NW. Even points are the
middles of sides, odd ones are corners. A tile may be turned but never flipped, so a left form and a right form are
two kinds, and from any point each of the seven others is reached by exactly one kind.
"""

from __future__ import annotations

from functools import cache, lru_cache
from pathlib import Path
from typing import Annotated, Literal, get_args

from msgspec import Meta, Struct

from astragal.core.bounds import Title
from astragal.core.data import BadData, load_toml
from astragal.core.language import noted, say

DATA = Path(__file__).parent / "data"
TilesName = Literal["nile", "first"]

Kind = Literal[
    "straight", "curve", "far-left", "far-right", "diagonal", "near-left", "near-right", "bow", "universal"
]  # fmt: skip
KINDS: tuple[Kind, ...] = get_args(Kind)
UNIVERSAL: Kind = "universal"
PLACE = {kind: place for place, kind in enumerate(KINDS)}
"""The order of kinds on a rack and in the counts of a bag."""

NAMES = {
    "straight": noted("straight"),
    "curve": noted("curve"),
    "far-left": noted("far left"),
    "far-right": noted("far right"),
    "diagonal": noted("diagonal"),
    "near-left": noted("near left"),
    "near-right": noted("near right"),
    "bow": noted("bow"),
    "universal": noted("universal"),
}
"""What players call the kinds: English, and keys of the catalogue."""

Point = Annotated[int, Meta(ge=0, le=7)]
POINTS = ("N", "NE", "E", "SE", "S", "SW", "W", "NW")
N, NE, E, SE, S, SW, W, NW = range(8)
POINT_NAMES = (
    noted("the north"),
    noted("the northeast"),
    noted("the east"),
    noted("the southeast"),
    noted("the south"),
    noted("the southwest"),
    noted("the west"),
    noted("the northwest"),
)
"""What players call the points: English, and keys of the catalogue. POINTS are the letters of the notation."""

# By how far clockwise the exit lies from the entry. Seen from a side a left form turns left; the same tile
# entered at its corner is walked the other way, so there the left forms turn right.
_FROM_SIDE: tuple[Kind, ...] = ("near-left", "curve", "far-left", "straight", "far-right", "curve", "near-right")
_FROM_CORNER: tuple[Kind, ...] = ("near-right", "bow", "far-right", "diagonal", "far-left", "bow", "near-left")


def opposite(point: int) -> int:
    """The point straight across, which is also how the neighbour there calls the point that both share."""
    return (point + 4) % 8


def kind_between(entry: int, exit: int) -> Kind:
    """The one kind whose line joins two different points of a square."""
    forms = _FROM_CORNER if entry % 2 else _FROM_SIDE
    return forms[(exit - entry) % 8 - 1]


@cache
def exits(entry: int, kind: Kind) -> tuple[int, ...]:
    """Where a tile entered here can lead; a universal leads anywhere."""
    others = (exit for exit in range(8) if exit != entry)
    return tuple(exit for exit in others if kind in (UNIVERSAL, kind_between(entry, exit)))


class Tile(Struct, frozen=True, forbid_unknown_fields=True):
    """One kind in a set: how many there are, and the value printed on each."""

    kind: Kind
    count: Annotated[int, Meta(ge=1, le=99)]
    value: Annotated[int, Meta(ge=0, le=99)]


class TileSet(Struct, frozen=True, forbid_unknown_fields=True):
    """A set of tiles as its data file has it, and the rack they are played from (NI-2, NI-9)."""

    name: Title
    rack: Annotated[int, Meta(ge=1, le=9)]  # how many tiles a full rack holds
    bonus: Annotated[int, Meta(ge=0, le=999)]  # for laying that many in one turn
    tiles: Annotated[tuple[Tile, ...], Meta(max_length=40)]

    def __post_init__(self) -> None:
        kinds = [tile.kind for tile in self.tiles]
        for kind in kinds:
            if kinds.count(kind) > 1:
                raise BadData("tiles", say("{kind} is listed twice", kind=kind))
        if not set(kinds) & {*(kind_between(S, exit) for exit in (W, NW, N, NE, E)), UNIVERSAL}:
            raise BadData("tiles", say("no tile of this set can begin a river"))

    @classmethod
    def load(cls, file: Path) -> TileSet:
        """A host's own set. Raises BadFile."""
        return load_toml(file, cls)


class Stock:
    """A tile set made ready for the rules."""

    def __init__(self, tiles: TileSet) -> None:
        counts = {tile.kind: tile.count for tile in tiles.tiles}
        self.rack = tiles.rack
        self.bonus = tiles.bonus
        self.counts = tuple(counts.get(kind, 0) for kind in KINDS)
        self.total = sum(self.counts)
        self.value: dict[Kind, int] = dict.fromkeys(KINDS, 0) | {tile.kind: tile.value for tile in tiles.tiles}
        top = max(tile.value for tile in tiles.tiles)
        self.highest = sum(tile.count for tile in tiles.tiles if tile.value == top)  # tiles of the highest value

    def worth(self, tiles: tuple[Kind, ...]) -> int:
        """What these tiles count together."""
        return sum(self.value[kind] for kind in tiles)


@lru_cache(maxsize=64)  # others' tiles come and go
def stock(tiles: TilesName | TileSet) -> Stock:
    """A shipped set by its name, or a host's own."""
    return Stock(load_toml(DATA / f"tiles-{tiles}.toml", TileSet) if isinstance(tiles, str) else tiles)


def in_order(tiles: tuple[Kind, ...]) -> tuple[Kind, ...]:
    """A rack as it is kept: kind by kind, since its order means nothing."""
    return tuple(sorted(tiles, key=PLACE.__getitem__))
