"""What players see of a game of Ur: everything, since nothing is hidden; and what they see happen."""

from __future__ import annotations

from msgspec import Struct

from astragal.core.rules import BaseView
from astragal.games.ur.actions import Action
from astragal.games.ur.options import Options


class View(BaseView[Action, Options], frozen=True, kw_only=True):
    """The table as a seat sees it. Squares are named as players name them."""

    mover: int  # whose throw or move it is, also at a chance node
    throw: int | None
    pools: tuple[int, int]
    squares: tuple[tuple[str, ...], tuple[str, ...]]  # each side's pieces, in the order of its way
    opening: tuple[int, ...] | None
    winner: int | None

    def home(self, seat: int) -> int:
        """How many pieces this side has borne off."""
        return self.options.pieces - self.pools[seat] - len(self.squares[seat])


class Threw(Struct, frozen=True, tag="threw"):
    """The dice fell; in the opening, `begins` is set by the throw that settles who begins."""

    seat: int
    pips: int
    opening: bool = False
    begins: int | None = None


class Moved(Struct, frozen=True, tag="moved"):
    """A piece moved."""

    seat: int
    start: str
    end: str
    taken: bool = False
    rosette: bool = False
    again: bool = False
    won: bool = False


class Passed(Struct, frozen=True, tag="passed"):
    """A side could not move."""

    seat: int
    pips: int


Event = Threw | Moved | Passed
