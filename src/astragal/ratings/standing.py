"""What is known of a player in one pool: a rating, how uncertain it is, and how many matches it comes from."""

from __future__ import annotations

import math

from msgspec import Struct
from msgspec.structs import replace

START, UNKNOWN, VOLATILITY = 1500.0, 350.0, 0.06  # where everybody begins
LEAST_DEVIATION = 30.0  # nobody is known better than that
SCALE = 400 / math.log(10)  # points of a rating in a unit of log odds
PROVISIONAL = 10  # below so many matches a rating is provisional
PERIOD_MS = 7 * 86_400_000  # in this time the variance of a rating grows by the square of its volatility


class Standing(Struct, frozen=True):
    """A player's rating in one pool: one game with one number of players."""

    rating: float = START
    deviation: float = UNKNOWN
    volatility: float = VOLATILITY
    games: int = 0
    ended_ms: int = 0  # when the last of them ended

    @property
    def provisional(self) -> bool:
        """Whether there are too few matches for a place on the leaderboard."""
        return self.games < PROVISIONAL


def anchored(rating: float) -> Standing:
    """A bot of a fixed rating, which nobody's result changes."""
    return Standing(rating, 0.0, 0.0, PROVISIONAL)


def waited(standing: Standing, now_ms: int) -> Standing:
    """The same before a match that ends now: the longer the last one is ago, the less certain it is."""
    if not standing.games:
        return standing
    periods = max(0, now_ms - standing.ended_ms) / PERIOD_MS
    return replace(standing, deviation=grown(standing.deviation, standing.volatility, periods))


def grown(deviation: float, volatility: float, periods: float) -> float:
    """A deviation after so many rating periods without a match; never more than at the start."""
    return min(UNKNOWN, math.hypot(deviation, SCALE * volatility * math.sqrt(periods)))
