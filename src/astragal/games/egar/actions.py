"""What can happen in a game of EGAR: dice and cards (chance), and what players decide."""

from __future__ import annotations

from itertools import permutations

from msgspec import Struct

from astragal.games.egar.cards import Level

LETTERS = "ABCD"
LONGEST_ANSWER = 200


class Begins(Struct, frozen=True, tag="begins"):
    """Lots fall on this seat (chance, EG-3)."""

    seat: int

    def __str__(self) -> str:
        return f"begins-{self.seat + 1}"


class Roll(Struct, frozen=True, tag="roll"):
    """One die shows a number from `low` to `high` (chance).

    Numbers that play alike are one outcome: a second attacking die that does not beat the first changes nothing,
    whether it shows 1 or 3.
    """

    low: int
    high: int

    def __str__(self) -> str:
        return f"roll-{self.low}" if self.low == self.high else f"roll-{self.low}-{self.high}"


class Step(Struct, frozen=True, tag="step"):
    """A soldier goes one square."""

    start: str
    end: str

    def __str__(self) -> str:
        return f"{self.start}-{self.end}"


class Attack(Struct, frozen=True, tag="attack"):
    """All soldiers next to `target` attack it; the one on `risk` is lost if they lose (EG-9)."""

    target: str
    risk: str

    def __str__(self) -> str:
        return f"attack {self.target} with {self.risk}"


class Done(Struct, frozen=True, tag="done"):
    """No more moves and attacks: on to the question."""

    def __str__(self) -> str:
        return "done"


class Ask(Struct, frozen=True, tag="ask"):
    """The asker picks the level of the question (EG-15)."""

    level: Level

    def __str__(self) -> str:
        return f"ask {self.level}"


class Draw(Struct, frozen=True, tag="draw"):
    """This card of the level's deck comes up (chance); cards count from 0 in the order of their file."""

    card: int

    def __str__(self) -> str:
        return f"card-{self.card + 1}"


class Order(Struct, frozen=True, tag="order"):
    """The order in which the four options are shown (chance). 0 is the right one, so this is secret."""

    shown: tuple[int, int, int, int]

    def __str__(self) -> str:
        return "order-" + "".join(str(option + 1) for option in self.shown)


class Choose(Struct, frozen=True, tag="choose"):
    """The asked player picks one of the four options."""

    option: int

    def __str__(self) -> str:
        return LETTERS[self.option] if 0 <= self.option < 4 else f"option-{self.option}"


VERDICTS = {None: "answer", True: "answer-right", False: "answer-wrong"}  # the notation of a typed answer


class Type(Struct, frozen=True, tag="type"):
    """The asked player answers in own words (EG-20, `answering: open`).

    `right` is how the answer was judged when it was given. Records keep it, because the judge learns; None is an answer
    that nobody has judged yet.
    """

    text: str
    right: bool | None = None

    def __str__(self) -> str:
        return f"{VERDICTS[self.right]} {self.text}"


class GiveUp(Struct, frozen=True, tag="give up"):
    """The asked player has no idea (EG-20, `answering: open`)."""

    def __str__(self) -> str:
        return "give-up"


class Silence(Struct, frozen=True, tag="silence"):
    """The time for the answer ran out (EG-20). Only the clock claims this, never a player."""

    def __str__(self) -> str:
        return "silence"


class Count(Struct, frozen=True, tag="count"):
    """The players agree that a typed answer counts, whatever the program thinks of it (a claim of all, EG-20)."""

    def __str__(self) -> str:
        return "count-answer"


class Know(Struct, frozen=True, tag="know"):
    """A seat with a `skill` knows the answer, or does not (chance, EG-21)."""

    right: bool

    def __str__(self) -> str:
        return "answers-right" if self.right else "answers-wrong"


class Take(Struct, frozen=True, tag="take"):
    """The asker picks which of several nearest soldiers leaves the board (EG-14)."""

    square: str

    def __str__(self) -> str:
        return f"take {self.square}"


class Resign(Struct, frozen=True, tag="resign"):
    """A seat gives up where more than two play (a claim, EG-16)."""

    seat: int

    def __str__(self) -> str:
        return f"resign-{self.seat + 1}"


Action = (
    Begins
    | Roll
    | Step
    | Attack
    | Done
    | Ask
    | Draw
    | Order
    | Choose
    | Type
    | GiveUp
    | Silence
    | Count
    | Know
    | Take
    | Resign
)

DONE, GIVE_UP, SILENCE, COUNT = Done(), GiveUp(), Silence(), Count()
DIE = tuple(Roll(pips, pips) for pips in range(1, 7))
CHOICES = tuple(Choose(option) for option in range(4))
ORDERS = tuple(Order((a, b, c, d)) for a, b, c, d in permutations(range(4)))
# Of the orders of a blank card only the place of the right option matters.
BLANK_ORDERS = tuple(order for order in ORDERS if [o for o in order.shown if o] == [1, 2, 3])


def clean(text: str) -> str:
    """A typed answer as it is kept: one line without odd characters, not longer than anybody needs."""
    printable = "".join(c if c.isprintable() else " " for c in text)
    return " ".join(printable.split())[:LONGEST_ANSWER].strip()
