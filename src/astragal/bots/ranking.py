"""In which order a bot prefers its actions. Equals are ordered by the bot's own luck, so that no place is favoured."""

from __future__ import annotations

from collections.abc import Sequence
from random import Random

DIGITS = 9  # after the point; numbers that agree in so many are equal


def ranked(worth: Sequence[float], rng: Random) -> list[int]:
    """The places of these numbers, that of the largest first."""
    return sorted(range(len(worth)), key=lambda place: (-round(worth[place], DIGITS), rng.random()))
