"""Glicko-2 for two players, after Mark Glickman's paper "Example of the Glicko-2 system" (2013).

The numbers of the steps are the paper's. Added to it is the advantage of whoever begins, as points that count for a
match as if they belonged to the rating of the player who begins. A rating period without a fixed length is the
caller's: `standing.waited` lets the deviation grow by the time that passed.
"""

from __future__ import annotations

import math
from collections.abc import Sequence

from msgspec import Struct
from msgspec.structs import replace

from astragal.ratings.standing import LEAST_DEVIATION, SCALE, START, UNKNOWN, Standing, grown

TAU = 0.5  # how quickly a volatility may change
_CLOSE = 1e-6  # the volatility is found so exactly


class Result(Struct, frozen=True):
    """A match as one of its players saw it."""

    opponent: Standing
    score: float  # 1 for a win, 0 for a loss
    advantage: float = 0.0  # points, for whoever begins; negative for the other


def expected(own: Standing, opponent: Standing, advantage: float = 0.0) -> float:
    """The score to be expected against this opponent."""
    return _expected(_mu(own), _mu(opponent), opponent.deviation / SCALE, advantage / SCALE)


def update(own: Standing, results: Sequence[Result], periods: float = 0.0) -> Standing:
    """The rating after these matches, all played in one rating period. `periods` pass before it: 1 in the paper."""
    mu, phi = _mu(own), own.deviation / SCALE
    information = improvement = 0.0
    for result in results:  # steps 3 and 4
        weight = _g(result.opponent.deviation / SCALE)
        hoped = _expected(mu, _mu(result.opponent), result.opponent.deviation / SCALE, result.advantage / SCALE)
        information += weight**2 * hoped * (1 - hoped)
        improvement += weight * (result.score - hoped)
    variance = 1 / information
    volatility = _volatility(own.volatility, phi, variance, variance * improvement)  # step 5
    before = grown(own.deviation, volatility, periods) / SCALE  # step 6
    after = 1 / math.sqrt(1 / before**2 + 1 / variance)  # step 7
    return replace(
        own,
        rating=START + SCALE * (mu + after**2 * improvement),
        deviation=min(UNKNOWN, max(LEAST_DEVIATION, SCALE * after)),
        volatility=volatility,
    )


def _mu(standing: Standing) -> float:
    return (standing.rating - START) / SCALE


def _g(phi: float) -> float:
    return 1 / math.sqrt(1 + 3 * phi**2 / math.pi**2)


def _expected(mu: float, other: float, phi: float, advantage: float) -> float:
    odds = _g(phi) * (mu - other + advantage)
    return 1 / (1 + math.exp(-min(20.0, max(-20.0, odds))))


def _volatility(sigma: float, phi: float, variance: float, delta: float) -> float:
    """Step 5: the root of the paper's f, by the Illinois algorithm."""
    a = math.log(sigma**2)

    def f(x: float) -> float:
        e = math.exp(x)
        return e * (delta**2 - phi**2 - variance - e) / (2 * (phi**2 + variance + e) ** 2) - (x - a) / TAU**2

    low, high = a, 0.0
    if delta**2 > phi**2 + variance:
        high = math.log(delta**2 - phi**2 - variance)
    else:
        steps = 1
        while f(a - steps * TAU) < 0:
            steps += 1
        high = a - steps * TAU
    at_low, at_high = f(low), f(high)
    while abs(high - low) > _CLOSE:
        middle = low + (low - high) * at_low / (at_high - at_low)
        at_middle = f(middle)
        if at_middle * at_high <= 0:
            low, at_low = high, at_high
        else:
            at_low /= 2
        high, at_high = middle, at_middle
    return math.exp(low / 2)
