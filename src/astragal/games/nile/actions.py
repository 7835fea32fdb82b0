"""What can happen in a game of Nile: tiles drawn and laid, turns ended, and giving up."""

from __future__ import annotations

from msgspec import Struct

from astragal.core.types import PASS, resignation
from astragal.games.nile.tiles import POINTS, UNIVERSAL, Kind, Point


class Draw(Struct, frozen=True, tag="draw"):
    """A tile of this kind comes out of the bag (chance)."""

    kind: Kind

    def __str__(self) -> str:
        return f"draw-{self.kind}"


class Lay(Struct, frozen=True, tag="lay"):
    """A tile goes onto the head field and leads the river to its exit (NI-3).

    A crossing (NI-15) is the same act with a second tile: a universal takes the place of the tile beyond the exit.
    """

    field: str
    tile: Kind
    exit: Point
    stands: Kind | None = None  # what a universal stands for (NI-13)
    crossing: bool = False

    def __str__(self) -> str:
        named = f"{self.tile}={self.stands}" if self.stands else self.tile
        return f"{self.field}:{named}-{POINTS[self.exit]}" + (f"+{UNIVERSAL}" if self.crossing else "")


class Stop(Struct, frozen=True, tag="stop"):
    """The turn ends here (NI-8)."""

    def __str__(self) -> str:
        return "stop"


class Pass(Struct, frozen=True, tag="pass"):
    """No tile fits (NI-10), or none can begin the river (NI-11)."""

    def __str__(self) -> str:
        return PASS


class Resign(Struct, frozen=True, tag="resign"):
    """One of three or four players gives up; the others play on."""

    seat: int

    def __str__(self) -> str:
        return resignation(self.seat)


Action = Draw | Lay | Stop | Pass | Resign
STOPS = Stop()
PASSES = Pass()
