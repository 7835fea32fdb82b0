"""Token buckets: how often somebody may do something."""

from __future__ import annotations

import math
import time
from typing import Any

from astragal.core.language import say
from astragal.server.problems import Problem

TIDY = 10_000


class RateLimit:
    """So many requests a minute, or in another time, for each caller, and half as many at once; 0: any number."""

    def __init__(self, often: int, seconds: float = 60.0) -> None:
        self._seconds = seconds
        self.set(often)
        self._left: dict[Any, tuple[float, float]] = {}
        self._tidy_at = TIDY  # how many callers are remembered before the full ones are forgotten

    def set(self, often: int) -> None:
        """Another limit from now on."""
        self._rate = often / self._seconds
        self._most = max(1.0, often / 2)

    def take(self, who: Any) -> bool:
        """Whether once more is allowed."""
        if not self._rate:
            return True
        now = time.monotonic()
        left, at = self._left.get(who, (self._most, now))
        left = min(self._most, left + (now - at) * self._rate)
        self._left[who] = (left - 1 if left >= 1 else left, now)
        if len(self._left) > self._tidy_at:  # whoever is full again need not be remembered
            self._left = {
                key: (had, then)
                for key, (had, then) in self._left.items()
                if had + (now - then) * self._rate < self._most
            }
            self._tidy_at = max(TIDY, 2 * len(self._left))  # so that not every request goes through all callers
        return left >= 1

    def forget(self, who: Any) -> None:
        """Remembers this caller no more, whose connection has ended."""
        self._left.pop(who, None)


class SeatLimit:
    """So many commands a minute for each seat of a match, or for each connection that has none."""

    def __init__(self, often: int) -> None:
        self._often, self._bucket = often, RateLimit(often)

    def set(self, often: int) -> None:
        """Another limit from now on."""
        self._often = often
        self._bucket.set(often)

    def __call__(self, match: str, who: Any) -> None:
        """Counts a command. Raises Problem for one too many."""
        if not self._bucket.take((match, who)):
            seconds = math.ceil(60 / self._often)  # until one more is allowed
            raise Problem("too_many", say("too many requests; wait a little"), retry_after=seconds)

    def forget(self, match: str, who: Any) -> None:
        """A connection without a seat has ended."""
        self._bucket.forget((match, who))
