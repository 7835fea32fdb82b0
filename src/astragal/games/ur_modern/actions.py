"""What can happen in the modern game: throws, placings, moves, passing, and the claim of a draw."""

from __future__ import annotations

from typing import Literal

from msgspec import Struct

from astragal.core.language import noted
from astragal.core.types import PASS

Tips = Literal["blank", "one", "mixed", "silver", "gold"]
"""How two dice fall: two blanks, one coloured tip, gold and silver, two silver, two gold (UM-1)."""

DICE_TEXTS: dict[Tips, str] = {
    "blank": noted("two blanks"),
    "one": noted("one coloured tip"),
    "mixed": noted("gold and silver"),
    "silver": noted("two silver"),
    "gold": noted("two gold"),
}


class Lots(Struct, frozen=True, tag="lots"):
    """Lots are drawn for who begins (chance)."""

    seat: int

    def __str__(self) -> str:
        return f"lots-{self.seat + 1}"


class Throw(Struct, frozen=True, tag="throw"):
    """The two dice fall (chance)."""

    tips: Tips

    def __str__(self) -> str:
        return f"throw-{self.tips}"


class Place(Struct, frozen=True, tag="place"):
    """A piece from the pool is set on a square."""

    square: str

    def __str__(self) -> str:
        return f"+{self.square}"


class Hop(Struct, frozen=True, order=True):
    """One piece's part of a move. `takes` names what it captures on its way, before the square it ends on."""

    start: str
    end: str
    takes: tuple[str, ...] = ()

    def __str__(self) -> str:
        return "".join([self.start, *(f"x{square}" for square in self.takes), f"-{self.end}"])


class Move(Struct, frozen=True, tag="move"):
    """One piece moves, or two different pieces one after the other."""

    hops: tuple[Hop, ...]

    def __str__(self) -> str:
        return "+".join(map(str, self.hops))


class Pass(Struct, frozen=True, tag="pass"):
    """Nothing else is possible (UM-19)."""

    def __str__(self) -> str:
        return PASS


class ClaimDraw(Struct, frozen=True, tag="claim-draw"):
    """A draw is claimed because a player kept repeating (UM-20)."""

    def __str__(self) -> str:
        return "claim-draw"


Action = Lots | Throw | Place | Move | Pass | ClaimDraw

# UM-1: of 16 equally likely falls of two dice.
THROWS: tuple[tuple[Throw, int], ...] = (
    (Throw("blank"), 4),
    (Throw("one"), 8),
    (Throw("mixed"), 2),
    (Throw("silver"), 1),
    (Throw("gold"), 1),
)
LOTS: tuple[tuple[Lots, int], ...] = ((Lots(0), 1), (Lots(1), 1))
