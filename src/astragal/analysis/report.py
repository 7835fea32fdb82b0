"""What a review says, as data. It needs nothing of what makes reviews."""

from __future__ import annotations

from msgspec import Struct

from astragal.core.types import CHANCE

SLIP, MISTAKE, BLUNDER = 0.005, 0.02, 0.05  # losses from here on have a name


class Step(Struct, frozen=True, kw_only=True):
    """One ply of a review."""

    ply: int  # from 1
    seat: int  # CHANCE for a throw or draw
    action: str
    before: tuple[float, ...]  # every seat's chance; at a decision with the best action
    after: tuple[float, ...]
    best: str = ""  # the best action, at a decision
    choices: int = 0  # how many legal actions there were
    alternatives: tuple[tuple[str, float], ...] = ()  # the best ones, with their values for the seat

    @property
    def loss(self) -> float:
        """What the decision cost its seat; 0 for a throw."""
        return max(0.0, self.before[self.seat] - self.after[self.seat]) if self.seat != CHANCE else 0.0

    def luck(self, seat: int) -> float:
        """What a throw gave a seat; 0 for a decision."""
        return self.after[seat] - self.before[seat] if self.seat == CHANCE else 0.0


class TakenBack(Struct, frozen=True, kw_only=True):
    """Plies that were taken back. They do not count; what was played instead follows at `ply` + 1 of the review."""

    ply: int  # how many plies stood after it
    steps: tuple[Step, ...]


class Face(Struct, frozen=True, kw_only=True):
    """How often something fell, and how often that was to be expected."""

    face: str  # a number, or English and a key of the catalogue
    seen: int
    expected: float


class Dice(Struct, frozen=True, kw_only=True):
    """What one seat threw or drew."""

    seat: int
    what: str  # English, and a key of the catalogue
    count: int
    mean: float
    expected: float  # the mean that was to be expected
    unusual: float  # the probability of a mean at least as far from the expected one
    faces: tuple[Face, ...]  # none where faces are not counted


class SeatReview(Struct, frozen=True, kw_only=True):
    """What there is to say of one seat. Chances are shares of the win, from 0 to 1.

    result = start + luck - loss + gained + conceded + remainder
    """

    result: float
    start: float
    luck: float  # of all throws and draws, its own and the others'
    loss: float  # of its own decisions
    gained: float  # by the others' decisions
    conceded: float  # by ending the match before the rules did: a resignation, a clock, an agreed draw
    remainder: float  # what estimates leave over
    decisions: int  # with more than one legal action
    loss_a_decision: float
    accuracy: float  # from 0 to 100
    even: float  # the result if all throws had been even: without the luck, kept between 0 and 1
    slips: int
    mistakes: int
    blunders: int
    turning_points: tuple[int, ...] = ()  # the plies that changed its chance most, in their order
    seconds: float | None = None  # used for thinking; None where nobody has measured it


class Review(Struct, frozen=True, kw_only=True):
    """A whole review."""

    game: str
    match: str
    evaluator: str
    version: str
    exact: bool
    trust: str  # how far the values can be trusted, as a sentence in English
    error: float = 0.0  # how far the value after a ply is from that before the next, on average
    seats: tuple[SeatReview, ...]
    steps: tuple[Step, ...]
    moments: tuple[int, ...]  # the plies that mattered most, in their order
    dice: tuple[Dice, ...] = ()
    taken_back: tuple[TakenBack, ...] = ()
