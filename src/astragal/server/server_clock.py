"""The time of the server: dates like those of the system, but nobody can set it while the process lives.

Matches are dated and clocks measured by this only. It is set from the system's time once and then goes on by the
monotonic clock; so the system's time may be set forward or back, and no player gains or loses anything by it.
"""

from __future__ import annotations

import time
from collections.abc import Callable


def system_ms() -> int:
    """What the system takes for the time: milliseconds since 1970."""
    return time.time_ns() // 1_000_000


def counted_ms() -> int:
    """Milliseconds since some moment, which nobody can set; on Linux those in which the machine slept count too."""
    source = getattr(time, "CLOCK_BOOTTIME", None)
    return (time.monotonic_ns() if source is None else time.clock_gettime_ns(source)) // 1_000_000


class ServerClock:
    """Milliseconds since 1970 that never go back. `system` and `counted` are for tests."""

    def __init__(self, system: Callable[[], int] = system_ms, counted: Callable[[], int] = counted_ms) -> None:
        self.system, self._counted = system, counted
        self._offset = system() - counted()

    def now(self) -> int:
        """The time that matches are dated by."""
        return self._offset + self._counted()

    def set(self, now: int) -> None:
        """Makes it this time: at the start of a process, before anything is dated."""
        self._offset = now - self._counted()
