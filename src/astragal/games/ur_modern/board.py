"""Layouts of the modern board: which square plays which part, and who is whose neighbour (UM-23)."""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache
from itertools import pairwise
from pathlib import Path
from typing import Annotated, Literal

from msgspec import Meta, Struct

from astragal.core.bounds import Title
from astragal.core.data import BadData, load_toml
from astragal.core.language import say
from astragal.games.ur.board import mirror

DATA = Path(__file__).parent / "data"
LayoutName = Literal["royal", "lesser-earth", "lanes"]

SQUARES = tuple(f"{row}{column}" for row in "abc" for column in range(1, 9) if row == "b" or column not in (5, 6))
"""The twenty squares of the board, in reading order."""

# How many squares each key of a layout file names.
COUNTS = {
    "earth_fortresses": 2,
    "heaven_fortresses": 2,
    "entrance": 2,
    "kingdom": 3,
    "marduk": 1,
    "ishtar": 1,
}
REGIONS = ("earth", "bridge", "heaven")

Squares = Annotated[str, Meta(max_length=200)]
"""Squares with spaces between them."""


class Layout(Struct, frozen=True, forbid_unknown_fields=True):
    """A layout as its data file has it; squares are separated by spaces."""

    name: Title
    earth: Squares
    bridge: Squares
    heaven: Squares
    earth_fortresses: Squares
    heaven_fortresses: Squares
    entrance: Squares  # light's, dark's
    kingdom: Squares
    marduk: Squares
    ishtar: Squares
    route: Literal["neighbours"] | Annotated[tuple[Squares, ...], Meta(max_length=40)]

    def __post_init__(self) -> None:
        for key in (*REGIONS, *COUNTS):
            self._check_squares(key)
        self._check_regions()
        self._check_roles()
        self._check_route()

    @classmethod
    def load(cls, file: Path) -> Layout:
        """A host's own layout. Raises BadFile."""
        return load_toml(file, cls)

    def squares(self, key: str) -> tuple[str, ...]:
        """The squares a key names."""
        return tuple(getattr(self, key).split())

    def _check_squares(self, key: str) -> None:
        squares = self.squares(key)
        for square in squares:
            _must_exist(key, square)
        if key in COUNTS and len(squares) != COUNTS[key]:
            raise BadData(key, say("names {found} squares, not {right}", found=len(squares), right=COUNTS[key]))
        if key == "entrance":
            if squares[1] != mirror(squares[0]):
                raise BadData(
                    key, say("the second square should mirror the first: {square}", square=mirror(squares[0]))
                )
            return
        for square in squares:
            if squares.count(square) > 1:
                raise BadData(key, say("{square} is named twice", square=square))
            if mirror(square) not in squares:
                raise BadData(
                    key, say("{square} needs its mirror image {other} too", square=square, other=mirror(square))
                )

    def _check_regions(self) -> None:
        for square in SQUARES:
            homes = [key for key in REGIONS if square in self.squares(key)]
            if len(homes) != 1:
                raise BadData(
                    homes[-1] if homes else "earth",
                    say("{square} should be in just one of earth, bridge and heaven", square=square),
                )
        for key, region in (("earth_fortresses", "earth"), ("heaven_fortresses", "heaven")):
            for square in self.squares(key):
                if square not in self.squares(region):
                    raise BadData(key, say("{square} is not in {region}", square=square, region=region))

    def _check_roles(self) -> None:
        taken: dict[str, str] = {}
        for key in COUNTS:
            for square in set(self.squares(key)):
                if square in taken:
                    raise BadData(key, say("{square} is already one of {other}", square=square, other=taken[square]))
                taken[square] = key

    def _check_route(self) -> None:
        links = set(self.links())
        for start, end in sorted(links):
            _must_exist("route", start)
            _must_exist("route", end)
            if (mirror(start), mirror(end)) not in links:
                raise BadData("route", say("{one}-{other} has no mirror image", one=start, other=end))
        reached, queue = {SQUARES[0]}, [SQUARES[0]]
        while queue:
            here = queue.pop()
            for start, end in links:
                if start == here and end not in reached:
                    reached.add(end)
                    queue.append(end)
        for square in SQUARES:
            if square not in reached:
                raise BadData("route", say("{square} cannot be reached", square=square))

    def links(self) -> Iterator[tuple[str, str]]:
        """Every pair of neighbours, both ways round."""
        chains = _orthogonal() if self.route == "neighbours" else tuple(chain.split() for chain in self.route)
        for chain in chains:
            for start, end in pairwise(chain):
                yield start, end
                yield end, start


def _must_exist(key: str, square: str) -> None:
    if square not in SQUARES:
        raise BadData(key, say("{square!r} is not a square of the board", square=square))


def _orthogonal() -> tuple[list[str], ...]:
    """All rows and columns of the board as chains."""
    rows = [[square for square in SQUARES if square[0] == row] for row in "abc"]
    broken = [[row[:4], row[4:]] if len(row) == 6 else [row] for row in rows]
    columns = [[f"{row}{column}" for row in "abc"] for column in (1, 2, 3, 4, 7, 8)]
    return (*(part for parts in broken for part in parts), *columns)


class Ground:
    """A layout made ready for the rules."""

    def __init__(self, layout: Layout) -> None:
        self.layout = layout
        self.earth = frozenset(layout.squares("earth_fortresses"))
        self.heaven = frozenset(layout.squares("heaven_fortresses"))
        self.fortresses = self.earth | self.heaven
        self.entrance = layout.squares("entrance")
        self.kingdom = layout.squares("kingdom")
        self.marduk, self.ishtar = layout.marduk, layout.ishtar
        links = sorted(set(layout.links()))
        self.neighbours = {square: tuple(b for a, b in links if a == square) for square in SQUARES}

    def region(self, square: str) -> str:
        """`earth`, `bridge` or `heaven`."""
        return next(key for key in REGIONS if square in self.layout.squares(key))


@lru_cache(maxsize=64)  # others' layouts come and go
def ground(layout: LayoutName | Layout) -> Ground:
    """The ground of a shipped layout by its name, or of a host's own."""
    return Ground(load_toml(DATA / f"{layout}.toml", Layout) if isinstance(layout, str) else layout)
