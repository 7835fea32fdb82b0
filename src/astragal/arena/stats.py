"""What the scores of rounds say about two bots, or about many.

A score is the first bot's share of the wins in one round, from 0 to 1. The games of a round share their dice and are
not independent, so that everything here counts rounds and measures how far their scores scatter; what the mirrored
games cancel out of luck then makes the intervals narrower.

Two more rounds are counted in, one lost and one won. That keeps intervals honest where everything was won (they then
come to the rule of three: with n rounds won, the other may still win 3/n), and ratings finite. Where an even match is
less than half of the wins, the second counts as twice that share, so that the two of them favour nobody.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Mapping, Sequence

import numpy as np
import numpy.typing as npt
from msgspec import Struct

Z = 1.959964  # 95 % of a normal distribution lie within so many standard deviations
SCALE = 400 / math.log(10)  # Elo points in one unit of log-odds
FEWEST = 10  # rounds whose scatter says how sure their mean is
ALPHA = BETA = 0.05  # how often an SPRT may be wrong, either way


class Estimate(Struct, frozen=True):
    """A figure with its 95 % interval; None as a bound means that there is none."""

    value: float
    low: float | None
    high: float | None


def share(scores: Sequence[float], even: float = 0.5) -> Estimate:
    """The mean score, and where it would settle in the long run."""
    mean, centre, error = _moments(scores, even)
    return Estimate(mean, max(0.0, centre - Z * error), min(1.0, centre + Z * error))


def settled(scores: Sequence[float]) -> Estimate | None:
    """The mean of scores without luck, and where it would settle; None for fewer than FEWEST.

    They are not bound to 0 and 1, so nothing is counted in; the interval is that of Student's t-distribution, by the
    first terms of its expansion.
    """
    if len(scores) < FEWEST:
        return None
    free = len(scores) - 1
    wide = Z + (Z**3 + Z) / (4 * free) + (5 * Z**5 + 16 * Z**3 + 3 * Z) / (96 * free**2)
    mean, error = float(np.mean(scores)), float(np.std(scores, ddof=1)) / math.sqrt(len(scores))
    return Estimate(mean, mean - wide * error, mean + wide * error)


def difference(scores: Sequence[float]) -> Estimate:
    """The same as a difference in Elo points."""
    _, centre, _ = _moments(scores)
    estimate = share(scores)
    return Estimate(elo(centre) or 0.0, elo(estimate.low), elo(estimate.high))


def _moments(scores: Sequence[float], even: float = 0.5) -> tuple[float, float, float]:
    """The mean, and mean and standard error with the two more rounds."""
    n = len(scores) + 2
    counted = (*scores, 0.0, 2 * even)
    centre = sum(counted) / n
    squares = sum((score - centre) ** 2 for score in counted)
    return sum(scores) / len(scores), centre, math.sqrt(squares / (n - 1) / n)


def elo(share: float | None) -> float | None:
    """The difference in Elo points at which a bot has this share; None for all and nothing.

    >>> round(elo(0.75))
    191
    """
    return SCALE * math.log(share / (1 - share)) if share is not None and 0 < share < 1 else None


def expected(points: float) -> float:
    """The share of a bot that is so many Elo points better."""
    return 1 / (1 + math.exp(-points / SCALE))


# Many bots ------------------------------------------------------------------------------------------------------


def ratings(scores: Mapping[tuple[int, int], Sequence[float]], bots: int) -> list[Estimate]:
    """Elo ratings that make the scores of all pairings most likely (Bradley and Terry), their mean at 0.

    The intervals come from how far scores really scatter around what the ratings foretell.
    """
    pairs = [(pair, np.array((*sample, 0.0, 1.0))) for pair, sample in scores.items()]
    strength = np.zeros(bots)
    for _ in range(100):
        slope, curve, _ = _likelihood(pairs, strength)
        step = _solve(curve, slope)
        strength += np.clip(step, -1, 1)
        if np.abs(step).max() < 1e-10:
            break
    _, curve, scatter = _likelihood(pairs, strength)
    inverse = np.linalg.pinv(curve)  # its null space is a shift of all ratings alike, which the mean at 0 settles
    error = np.sqrt(np.clip(np.diag(inverse @ scatter @ inverse), 0, None))
    strength -= strength.mean()
    return [
        Estimate(SCALE * value, SCALE * (value - Z * off), SCALE * (value + Z * off))
        for value, off in zip(strength.tolist(), error.tolist(), strict=True)
    ]


Matrix = npt.NDArray[np.float64]


def _likelihood(pairs: Sequence[tuple[tuple[int, int], Matrix]], strength: Matrix) -> tuple[Matrix, Matrix, Matrix]:
    """Slope and curvature of the log-likelihood, and the scatter of the slope."""
    bots = len(strength)
    slope, curve, scatter = np.zeros(bots), np.zeros((bots, bots)), np.zeros((bots, bots))
    for (first, second), sample in pairs:
        chance = 1 / (1 + math.exp(strength[second] - strength[first]))
        apart = np.zeros(bots)
        apart[first], apart[second] = 1, -1
        slope += (sample - chance).sum() * apart
        curve += len(sample) * chance * (1 - chance) * np.outer(apart, apart)
        scatter += ((sample - chance) ** 2).sum() * np.outer(apart, apart)
    return slope, curve, scatter


def _solve(curve: Matrix, slope: Matrix) -> Matrix:
    solution: Matrix = np.linalg.pinv(curve) @ slope
    return solution


# Stopping early -------------------------------------------------------------------------------------------------


class Sprt(Struct, frozen=True):
    """A sequential test between two claims: the first bot is `elo0` points better, or `elo1`."""

    elo0: float
    elo1: float

    @property
    def bound(self) -> float:
        """How far the log-likelihood ratio has to get, up for `elo1` or down for `elo0`."""
        return math.log((1 - BETA) / ALPHA)

    def ratio(self, counts: Mapping[float, int]) -> float:
        """The log-likelihood ratio of the two claims, when each score was seen so often.

        A claim fixes the mean score and nothing else, so that each is given its most likely distribution of scores
        (the generalised test; with two seats and the scores 0, 1/4, ..., 1 it is called pentanomial).
        """
        seen = {0.0: 1e-3, 1.0: 1e-3}  # no score is quite impossible
        for score, times in counts.items():
            seen[score] = seen.get(score, 0.0) + times
        values, often = list(seen), list(seen.values())
        under0 = _tilted(values, often, expected(self.elo0))
        under1 = _tilted(values, often, expected(self.elo1))
        return sum(times * math.log(b / a) for times, a, b in zip(often, under0, under1, strict=True))

    def verdict(self, counts: Counter[float]) -> bool | None:
        """True: `elo1` is to be believed; False: `elo0`; None: go on."""
        ratio = self.ratio(counts)
        return True if ratio >= self.bound else False if ratio <= -self.bound else None


def _tilted(values: Sequence[float], often: Sequence[float], mean: float) -> list[float]:
    """The most likely distribution over `values` with this mean, when each was seen so `often`.

    It is often / (1 + t (value - mean)) up to a factor, with the one t for which it has that mean.
    """
    total, apart = sum(often), [value - mean for value in values]
    low, high = -1 / max(apart), -1 / min(apart)  # between these all is positive
    t = 0.0
    for _ in range(60):
        parts = [d / (1 + t * d) for d in apart]
        lean = sum(w * part for w, part in zip(often, parts, strict=True))  # falls as t grows
        step = lean / sum(w * part * part for w, part in zip(often, parts, strict=True))
        if abs(step) < 1e-12:
            break
        low, high = (t, high) if lean > 0 else (low, t)
        t = t + step if low < t + step < high else (low + high) / 2
    return [w / total / (1 + t * d) for w, d in zip(often, apart, strict=True)]
