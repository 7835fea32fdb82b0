"""What a seat may know of a game of Nile, and what it sees happen.

Everybody sees the river, the score sheet with every rack that was shown, and how many tiles the others and the bag
hold. A seat sees its own rack besides. The contents of the bag and of the other racks are in no view and no event.
"""

from __future__ import annotations

from typing import Literal

from msgspec import Struct

from astragal.core.rules import BaseView
from astragal.games.nile.actions import Action
from astragal.games.nile.board import grid
from astragal.games.nile.course import course
from astragal.games.nile.options import Options
from astragal.games.nile.score_sheet import Laid, ScoreLine
from astragal.games.nile.tiles import Kind

Phase = Literal["lots", "deal", "turn", "refill", "over"]
Ending = Literal["goal", "tiles", "idle", "alone"]


class View(BaseView[Action, Options], frozen=True, kw_only=True):
    """The table as a seat sees it."""

    mover: int  # whose turn or draw it is, also at a chance node
    phase: Phase
    first: int  # who opens, or tries to; while lots are drawn it means nothing
    rack: tuple[Kind, ...]  # one's own; a spectator has none
    sizes: tuple[int, ...]  # how many tiles each rack holds
    bag: int  # how many tiles the bag holds
    unseen: tuple[int, ...]  # of each kind, how many are in the bag or on another rack
    river: tuple[Laid, ...]
    laid: int  # how many tiles this turn has laid so far
    pending: ScoreLine | None  # what this turn would score if it ended now
    sheet: tuple[ScoreLine, ...]
    scores: tuple[int, ...]
    idle: int  # turns in a row without a tile (NI-17)
    gone: tuple[int, ...]  # seats that gave up
    lots: tuple[tuple[tuple[Kind, ...], ...], ...]  # what each seat drew openly to begin, round by round (NI-2)
    rivals: tuple[int, ...]  # seats still drawing for it
    ending: Ending | None  # why the game is over

    @property
    def head(self) -> tuple[str, int] | None:
        """The field that the river enters next, and the point at which it does; None once it has ended."""
        river = course(self.options.board, self.river)
        return (grid(self.options.board).names[river.head], river.entry) if river.head >= 0 else None


class Ended(Struct, frozen=True):
    """The game is over with this event."""

    why: Ending
    scores: tuple[int, ...]
    winners: tuple[int, ...]


class Drew(Struct, frozen=True, tag="drew"):
    """A tile came out of the bag; only its owner sees which, except while lots are drawn."""

    seat: int
    kind: Kind | None = None
    lots: bool = False
    begins: int | None = None  # set by the draw that settles who begins
    tied: tuple[int, ...] = ()  # set by the draw after which these seats must draw again
    ended: Ended | None = None


class Led(Struct, frozen=True, tag="led"):
    """The river went on by a tile, or by the two of a crossing."""

    seat: int
    laid: tuple[Laid, ...]
    line: ScoreLine | None = None  # the turn's score, when the river ended with it
    ended: Ended | None = None


class Stopped(Struct, frozen=True, tag="stopped"):
    """A turn was ended and scored."""

    seat: int
    line: ScoreLine
    ended: Ended | None = None


class Passed(Struct, frozen=True, tag="passed"):
    """Nothing fitted: the rack was shown, counted against its owner and put back into the bag."""

    seat: int
    line: ScoreLine


class Waited(Struct, frozen=True, tag="waited"):
    """A player had no tile to begin the river with."""

    seat: int
    again: bool = False  # nobody had one, so all racks go back and are drawn again


class GaveUp(Struct, frozen=True, tag="gave up"):
    """A seat is out of the game; its rack went back into the bag unseen."""

    seat: int
    ended: Ended | None = None


Event = Drew | Led | Stopped | Passed | Waited | GaveUp
