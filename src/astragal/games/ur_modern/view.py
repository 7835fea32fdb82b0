"""What players see of the modern game: everything, since nothing is hidden; and what they see happen."""

from __future__ import annotations

from msgspec import Struct

from astragal.core.rules import BaseView
from astragal.games.ur_modern.actions import Action, Hop, Move, Place, Tips
from astragal.games.ur_modern.options import Options


class Habit(Struct, frozen=True):
    """What a player did last, and how often in a row (UM-20)."""

    last: str = ""
    times: int = 0

    def and_then(self, a: Action) -> Habit:
        """The habit after one more action of this player."""
        this = same_again(a)
        return Habit(this, self.times + 1 if this == self.last else 1)


def same_again(a: Action) -> str:
    """Equal texts for actions that count as the same: a move there and the move back do."""
    if isinstance(a, Place):
        return str(a)
    assert isinstance(a, Move)
    return "+".join(sorted("-".join(sorted((hop.start, hop.end))) for hop in a.hops))


class View(BaseView[Action, Options], frozen=True, kw_only=True):
    """The table as a seat sees it."""

    mover: int | None  # whose throw or action it is; None while lots are still to be drawn
    tips: Tips | None
    pools: tuple[int, int]
    squares: tuple[tuple[str, ...], tuple[str, ...]]
    habits: tuple[Habit, Habit]
    claimable: bool
    drawn: bool
    winner: int | None


class LotsFell(Struct, frozen=True, tag="lots fell"):
    """Lots settled who begins."""

    seat: int


class Threw(Struct, frozen=True, tag="threw"):
    """The dice fell."""

    seat: int
    tips: Tips


class Placed(Struct, frozen=True, tag="placed"):
    """A new piece came onto the board."""

    seat: int
    square: str
    taken: tuple[str, ...] = ()
    won: bool = False


class Moved(Struct, frozen=True, tag="moved"):
    """One or two pieces moved."""

    seat: int
    hops: tuple[Hop, ...]
    taken: tuple[str, ...] = ()
    again: bool = False
    won: bool = False


class Passed(Struct, frozen=True, tag="passed"):
    """A side could do nothing."""

    seat: int


class Claimed(Struct, frozen=True, tag="claimed"):
    """A draw was claimed."""


Event = LotsFell | Threw | Placed | Moved | Passed | Claimed
