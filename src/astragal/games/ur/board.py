"""Boards of Ur: squares, rosettes, and each side's way round them (UC-1, UC-4, UC-14)."""

from __future__ import annotations

import re
from functools import lru_cache
from pathlib import Path
from typing import Annotated, Literal

from msgspec import Meta, Struct

from astragal.core.bounds import Title
from astragal.core.data import BadData, load_toml
from astragal.core.language import say
from astragal.games.ur.actions import IN, OFF, Move

DATA = Path(__file__).parent / "data"
BoardName = Literal["bell", "masters", "aseb"]

MIRROR = {"a": "c", "b": "b", "c": "a"}
LONGEST_THROW = 4

Way = Annotated[str, Meta(max_length=400)]
"""Squares with spaces between them."""


class Board(Struct, frozen=True, forbid_unknown_fields=True):
    """A board as its data file has it. The dark side walks the mirror image of the light side's way."""

    name: Title
    rosettes: Annotated[tuple[Annotated[str, Meta(max_length=40)], ...], Meta(max_length=3 * 12)]
    light: Way
    dark: Way

    def __post_init__(self) -> None:
        for key, way in (("light", self.light.split()), ("dark", self.dark.split())):
            if not 4 <= len(way) <= 40:
                raise BadData(key, say("a way has 4 to 40 squares, this one has {n}", n=len(way)))
            for square in way:
                if not re.fullmatch(r"[abc]([1-9]|1[0-2])", square):
                    raise BadData(key, say("{square!r} is not a square: squares are a1 to c12", square=square))
                if way.count(square) > 1:
                    raise BadData(key, say("{square} is on the way twice", square=square))
        mirrored = " ".join(mirror(square) for square in self.light.split())
        if " ".join(self.dark.split()) != mirrored:
            raise BadData("dark", say("should mirror the light side's way: {way}", way=mirrored))
        squares = {*self.light.split(), *self.dark.split()}
        for square in self.rosettes:
            if square not in squares:
                raise BadData("rosettes", say("{square!r} is on no way", square=square))
            if mirror(square) not in self.rosettes:
                raise BadData(
                    "rosettes", say("{square} needs its mirror image {other} too", square=square, other=mirror(square))
                )

    @classmethod
    def load(cls, file: Path) -> Board:
        """A host's own board. Raises BadFile."""
        return load_toml(file, cls)


def mirror(square: str) -> str:
    """The square opposite, as the other player sees the board."""
    return MIRROR.get(square[:1], "?") + square[1:]


class Track:
    """A board made ready for the rules. Steps count from 1; 0 is the pool and `home` is off the board."""

    def __init__(self, board: Board) -> None:
        self.board = board
        self.ways = (tuple(board.light.split()), tuple(board.dark.split()))
        self.home = len(self.ways[0]) + 1
        self.squares = frozenset(self.ways[0] + self.ways[1])
        self.rosettes = frozenset(board.rosettes)
        # names[seat][step]: how players write that step
        self.names = tuple((IN, *way, OFF) for way in self.ways)
        self.step_of = tuple({name: step for step, name in enumerate(names)} for names in self.names)
        # meets[seat][step]: the enemy's step on the same square, or -1 where only this side walks
        self.meets = tuple(
            tuple(
                self.step_of[1 - seat].get(name, -1) if 0 < step < self.home else -1 for step, name in enumerate(names)
            )
            for seat, names in enumerate(self.names)
        )
        self.rosette_at = tuple(tuple(name in self.rosettes for name in names) for names in self.names)
        # shared_rosettes[seat]: this side's step and the enemy's on each rosette that both sides walk
        self.shared_rosettes = tuple(
            tuple((step, met) for step, met in enumerate(self.meets[seat]) if met > 0 and self.rosette_at[seat][step])
            for seat in (0, 1)
        )
        # moves[seat][step][throw]: the one action there can be
        self.moves = tuple(
            tuple(
                tuple(Move(names[step], names[min(step + throw, self.home)]) for throw in range(LONGEST_THROW + 1))
                for step in range(self.home)
            )
            for names in self.names
        )


@lru_cache(maxsize=64)  # others' boards come and go
def track(board: BoardName | Board) -> Track:
    """The track of a shipped board by its name, or of a host's own."""
    return Track(load_toml(DATA / f"{board}.toml", Board) if isinstance(board, str) else board)
