"""What can happen in a game of Ur: throws, moves, and passing."""

from __future__ import annotations

from msgspec import Struct

from astragal.core.types import PASS

IN = "in"
"""Where a move begins that brings a piece from the pool."""

OFF = "off"
"""Where a move ends that bears a piece off."""


class Throw(Struct, frozen=True, tag="throw"):
    """The dice show this many (chance)."""

    pips: int

    def __str__(self) -> str:
        return f"throw-{self.pips}"


class Move(Struct, frozen=True, tag="move"):
    """A piece goes from one square to another; `in` and `off` are the two ends of the way."""

    start: str
    end: str

    def __str__(self) -> str:
        return f"{self.start}-{self.end}"


class Pass(Struct, frozen=True, tag="pass"):
    """No piece can move (UC-7)."""

    def __str__(self) -> str:
        return PASS


Action = Throw | Move | Pass
THROWS = tuple(Throw(pips) for pips in range(5))
PASSES = Pass()
