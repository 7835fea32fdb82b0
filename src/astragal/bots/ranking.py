"""In which order a bot prefers its actions. Equals are ordered by the bot's own luck, so that no place is favoured."""

from __future__ import annotations

from collections.abc import Sequence
from random import Random

DIGITS = 9  # after the point; numbers that agree in so many are equal


def misjudged(odds: Sequence[float], noise: float, rng: Random) -> list[float]:
    """Log-odds as a weaker player sees them; the noise is a standard deviation.

    So it errs as people do: it takes one good action for the other often, and a bad one for a good one hardly ever.
    """
    return [value + rng.gauss(0, noise) for value in odds] if noise else list(odds)


def ranked(worth: Sequence[float], rng: Random) -> list[int]:
    """The places of these numbers, that of the largest first."""
    return sorted(range(len(worth)), key=lambda place: (-round(worth[place], DIGITS), rng.random()))
