"""What players see of a game of EGAR, and what they see happen.

Hidden are the right answer to the open question and the cards still to come. Nothing here holds them: a view knows
how many cards there are and the numbers of those already asked, and of an open question what is printed on it.
"""

from __future__ import annotations

from msgspec import Struct

from astragal.core.rules import BaseView
from astragal.games.egar.actions import Action
from astragal.games.egar.answers import Judgement
from astragal.games.egar.cards import Face, Level, Phrase
from astragal.games.egar.options import Army, Options
from astragal.games.egar.state import Phase


class Clash(Struct, frozen=True):
    """An attack whose dice are being rolled."""

    target: str
    risk: str
    dice: int
    thrown: int
    best: int


class Put(Struct, frozen=True):
    """A question on its way to a seat: as much as is known of it."""

    seat: int
    level: Level | None
    card: int | None
    face: Face | None


class View(BaseView[Action, Options], frozen=True, kw_only=True):
    """The table as a seat sees it. Squares are named as players name them."""

    armies: tuple[tuple[str, ...], ...]  # each seat's soldiers, by square
    flags: tuple[str, ...]  # each seat's flag; empty where it was removed
    phase: Phase
    mover: int
    points: int
    turns: int
    clash: Clash | None
    question: Put | None
    used: tuple[tuple[int, ...], ...]
    won: tuple[int, ...]

    def army(self, seat: int) -> Army:
        """Which army this seat leads."""
        return self.options.army(seat)


class Result(Struct, frozen=True):
    """What an action changed on the board: who fell where, who had to leave the game, and who won it."""

    fell: str | None = None
    left: Army | None = None
    won: tuple[Army, ...] = ()


class Began(Struct, frozen=True, tag="began"):
    """Lots fell on this army."""

    army: Army


class Rolled(Struct, frozen=True, tag="rolled"):
    """The die for moving fell."""

    army: Army
    points: int


class Stepped(Struct, frozen=True, tag="stepped"):
    """A soldier went one square."""

    army: Army
    start: str
    end: str
    result: Result = Result()


class Attacked(Struct, frozen=True, tag="attacked"):
    """An attack was announced."""

    army: Army
    enemy: Army
    target: str
    risk: str
    soldiers: int


class Fought(Struct, frozen=True, tag="fought"):
    """A die of an attack fell, on a number from `low` to `high`."""

    army: Army  # whose die it was
    low: int
    high: int
    best: int  # the attacker's highest die before this one, 0 if it is the first
    defends: bool
    tie: bool = False
    result: Result = Result()


class Ended(Struct, frozen=True, tag="ended"):
    """An army moves and attacks no more this turn."""

    army: Army


class Levelled(Struct, frozen=True, tag="levelled"):
    """The asker picked a level."""

    army: Army
    level: Level


class Asked(Struct, frozen=True, tag="asked"):
    """A card was drawn; its face is there as soon as its options are in order."""

    army: Army  # who is asked
    level: Level
    face: Face | None = None


class Answered(Struct, frozen=True, tag="answered"):
    """A question was answered, and all learn the right answer and its note."""

    army: Army
    right: bool
    option: int | None = None  # the option picked
    text: str = ""  # or what was typed
    judged: Judgement | None = None
    silent: bool = False  # the time ran out
    counted: bool = False  # the players agreed that it counts
    letter: int | None = None  # which option was right, where there were some in a drawn order
    answer: Phrase | None = None  # None for a blank card
    note: Phrase | None = None
    result: Result = Result()


class Took(Struct, frozen=True, tag="took"):
    """The asker picked the soldier that leaves."""

    army: Army
    enemy: Army
    result: Result


class Resigned(Struct, frozen=True, tag="resigned"):
    """An army gave up."""

    army: Army
    result: Result


Event = Began | Rolled | Stepped | Attacked | Fought | Ended | Levelled | Asked | Answered | Took | Resigned
