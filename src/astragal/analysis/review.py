"""The review of a finished match: what the dice gave each seat, and what its decisions cost.

For every seat the result is its chance at the start, plus its luck, less its losses, plus what the others lost to it.
*Luck* of an outcome is the value after it less the mean over all outcomes. The *loss* of a decision is the value of the
best action less that of the chosen one, judged after the throw and by what the seat could know. Where values are
estimates, one step does not end quite where the next begins; what that adds up to is the *remainder*. With an exact
table it is only rounding.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import pairwise
from math import exp2
from statistics import fmean

from msgspec.structs import replace

from astragal.analysis import dice
from astragal.analysis.judge import Judge
from astragal.analysis.report import BLUNDER, MISTAKE, SLIP, Review, SeatReview, Step, TakenBack
from astragal.core import line as lines
from astragal.core import options as option_values
from astragal.core.language import say
from astragal.core.line import Ply
from astragal.core.record import Record
from astragal.core.types import CHANCE, OVER, AstragalError

MOMENTS = 5
TURNING_POINTS = 3  # of each seat
Tell = Callable[[int, int], None]


class NotReviewable(AstragalError):
    """A match that is not over, or whose game cannot be judged."""


def accuracy(loss_a_decision: float, half: float) -> float:
    """From 0 to 100: 100 for a player without fault, and half as much for every `half` lost a decision.

    `half` is the game's own (`Game.accuracy_half`); docs/review.md has the fit.
    """
    return 100 * exp2(-loss_a_decision / half)


class Reviewer:
    """A review in the making, part by part. Raises NotReviewable if the match is not over.

    `seconds` is what each seat used for thinking, where somebody has measured it: records hold no times.
    """

    def __init__(self, record: Record, *, quick: bool = False, seconds: Sequence[float | None] = ()) -> None:
        self._record, self._seconds = record, seconds
        self.line = lines.replay(record)
        if self.line.result is None:
            raise NotReviewable(say("this match is not over; it can be reviewed when it is"))
        options = option_values.convert(self.line.rules, record.header.options, record.header.version)
        self._judge = Judge(self.line.game, options, len(self.line.seats), quick=quick)
        self.trust = self._judge.about.trust
        self._plies = list(enumerate(self.line.steps, start=1))
        for undone in self.line.undone:
            self._plies += enumerate(undone.steps, start=undone.ply + 1)
        self.plies = len(self._plies)  # those that were taken back are judged too

    def step(self, place: int) -> Step:
        """The ply at this place, from 0: those that stand, then those that were taken back."""
        return _step(self._judge, *self._plies[place])

    def result(self, judged: Sequence[Step]) -> Review:
        """The review, once all steps are there."""
        line, judge = self.line, self._judge
        steps, undone = judged[: len(line.steps)], list(judged[len(line.steps) :])
        assert line.result is not None  # noqa: S101  or there would be no reviewer
        start = judge.value(line.steps[0].before if line.steps else line.state)
        last = start if not steps else steps[-1].after
        conceded = _less(line.result, last if line.rules.turn(line.state) != OVER else line.result)
        half = line.game.accuracy_half
        seats = [
            _seat(seat, start[seat], line.result[seat], conceded[seat], steps, half) for seat in range(len(line.seats))
        ]
        if self._seconds:
            seats = [replace(one, seconds=used) for one, used in zip(seats, self._seconds, strict=True)]
        return Review(
            game=line.game.id,
            match=self._record.header.match,
            evaluator=judge.about.name,
            version=judge.about.version,
            exact=judge.about.exact,
            trust=str(judge.about.trust),
            error=_error(steps),
            seats=tuple(seats),
            steps=tuple(steps),
            moments=moments(steps),
            dice=dice.statistics(line.rules, line.steps),
            taken_back=tuple(
                TakenBack(ply=one.ply, steps=tuple(undone.pop(0) for _ in one.steps)) for one in line.undone
            ),
        )


def review(record: Record, *, quick: bool = False, tell: Tell = lambda _done, _all: None) -> Review:
    """Reviews a record. Raises NotReviewable; `tell` hears how many plies are done, and of how many."""
    return made_by(Reviewer(record, quick=quick), tell)


def made_by(reviewer: Reviewer, tell: Tell = lambda _done, _all: None) -> Review:
    """Makes a whole review."""
    steps = []
    for place in range(reviewer.plies):
        steps.append(reviewer.step(place))
        tell(place + 1, reviewer.plies)
    return reviewer.result(steps)


def _step(judge: Judge, number: int, ply: Ply) -> Step:
    rules, seat = judge.rules, ply.seat
    text = rules.encode(ply.action)
    if seat == CHANCE:
        before, after = judge.value(ply.before), judge.value_after_chance(ply.after)
        return Step(ply=number, seat=CHANCE, action=text, before=before, after=after)
    legal = rules.legal(ply.before)
    if rules.turn(ply.before) != seat or len(legal) < 2 or ply.action not in legal:  # a claim, or nothing to choose
        as_it_is = judge.value_after_chance(ply.after)
        return Step(ply=number, seat=seat, action=text, before=as_it_is, after=as_it_is, choices=len(legal))
    judged = judge.decision(ply.before, seat)
    value, best = judged.of(ply.action), judged.best
    chances = judge.value_after_chance(ply.before) if judge.players > 2 else (0.5, 0.5)
    return Step(
        ply=number,
        seat=seat,
        action=text,
        before=_shared(best, seat, chances),
        after=_shared(value, seat, chances),
        best=rules.encode(judged.actions[0][0]),
        choices=len(legal),
        alternatives=tuple((rules.encode(action), value) for action, value in judged.actions[:5]),
    )


def _shared(value: float, seat: int, chances: Sequence[float]) -> tuple[float, ...]:
    """One seat's value; the others share the rest in proportion to their chances."""
    others = sum(chances) - chances[seat]
    if others <= 0:
        return tuple(value if other == seat else (1 - value) / (len(chances) - 1) for other in range(len(chances)))
    return tuple(value if other == seat else (1 - value) * chance / others for other, chance in enumerate(chances))


def _less(one: Sequence[float], other: Sequence[float]) -> tuple[float, ...]:
    return tuple(a - b for a, b in zip(one, other, strict=True))


def _seat(seat: int, start: float, result: float, conceded: float, steps: Sequence[Step], half: float) -> SeatReview:
    losses = [step.loss for step in steps if step.seat == seat and step.choices > 1]
    luck = sum(step.luck(seat) for step in steps)
    gained = sum(
        step.after[seat] - step.before[seat] for step in steps if step.seat not in (CHANCE, seat)
    )  # fmt: skip
    loss = sum(losses)
    mean = loss / len(losses) if losses else 0.0
    return SeatReview(
        result=result,
        start=start,
        luck=luck,
        loss=loss,
        gained=gained,
        conceded=conceded,
        remainder=result - (start + luck - loss + gained + conceded),
        decisions=len(losses),
        loss_a_decision=mean,
        accuracy=accuracy(mean, half),
        even=min(1.0, max(0.0, result - luck)),
        slips=sum(SLIP <= one < MISTAKE for one in losses),
        mistakes=sum(MISTAKE <= one < BLUNDER for one in losses),
        blunders=sum(one >= BLUNDER for one in losses),
        turning_points=_heaviest(
            [(abs(step.after[seat] - step.before[seat]), step.ply) for step in steps], TURNING_POINTS
        ),
    )


def _error(steps: Sequence[Step]) -> float:
    """How far the value before a step is from that after the step before it: 0 if values are exact."""
    apart = [
        max(abs(a - b) for a, b in zip(earlier.after, later.before, strict=True)) for earlier, later in pairwise(steps)
    ]
    return fmean(apart) if apart else 0.0


def moments(steps: Sequence[Step]) -> tuple[int, ...]:
    """The plies that moved the chances most, by luck or by a loss, in the order of play; in a quiet match fewer."""
    weights = [(max(abs(a - b) for a, b in zip(step.after, step.before, strict=True)), step.ply) for step in steps]
    return _heaviest(weights, MOMENTS)


def _heaviest(weights: Sequence[tuple[float, int]], most: int) -> tuple[int, ...]:
    """The plies of the greatest weights in the order of play; light ones are left out, but for the heaviest of all."""
    heaviest = sorted(weights, key=lambda one: -one[0])[:most]
    return tuple(sorted(ply for place, (weight, ply) in enumerate(heaviest) if weight >= SLIP or place == 0))
