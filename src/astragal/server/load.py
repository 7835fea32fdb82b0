"""How busy this process is: looked at once a second, told as figures of the last seconds and of the last minute."""

from __future__ import annotations

import asyncio
import os
import time
from collections import deque
from pathlib import Path

from msgspec import Struct

from astragal.server import metrics, rounds

try:
    import resource
except ImportError:  # Windows
    resource = None  # type: ignore[assignment]

EVERY = 1.0  # seconds
SHORT, LONG = 10, 60  # looks over which rates are taken, and over which the worst is


class _Look(Struct, frozen=True):
    at: float
    late: float  # seconds by which the event loop came later than asked
    cpu: float  # seconds of processor time so far
    within: tuple[float, ...]  # how many actions took no longer than each bound of the histogram, so far


class Load(Struct, frozen=True, kw_only=True):
    """The load of one server process."""

    uptime_s: int
    sockets: int
    halls: int
    rooms: int  # matches in memory
    queue: int  # appends that wait for a commit
    bot_queue: int  # moves that wait for a thinking process
    actions_per_s: float  # of the last ten seconds, as is the processor's share
    cpu_share: float  # of one core
    slow_ms: float | None  # 99 % of the last minute's actions were stored in this time; None if there was none
    loop_delay_ms: float  # the worst of the last minute
    memory_bytes: int | None


class LoadMeter:
    """Looks at this process once a second."""

    def __init__(self) -> None:
        self._began = time.monotonic()
        self._looks: deque[_Look] = deque([self._look(0.0)], maxlen=LONG + 1)
        self._tasks: list[asyncio.Task[None]] = []

    def start(self) -> None:
        """Begins to look."""
        self._looks.append(self._look(0.0))
        self._tasks = [asyncio.create_task(rounds.repeat(EVERY, self._watch))]

    async def stop(self) -> None:
        """Looks no more."""
        await rounds.stop(self._tasks)

    async def _watch(self) -> None:
        late = time.monotonic() - self._looks[-1].at - EVERY
        self._looks.append(self._look(max(0.0, late)))
        metrics.loop_delay.set(self._worst_delay())

    def _look(self, late: float) -> _Look:
        samples = [sample for metric in metrics.action_seconds.collect() for sample in metric.samples]
        counted = [sample for sample in samples if sample.name.endswith("_bucket")]
        return _Look(time.monotonic(), late, time.process_time(), tuple(sample.value for sample in counted))

    def _worst_delay(self) -> float:
        return max(look.late for look in self._looks)

    def figures(self, queued: int) -> Load:
        """The load now; `queued` appends wait."""
        last, first, recent = self._looks[-1], self._looks[0], self._looks[-min(SHORT + 1, len(self._looks))]
        seconds = max(last.at - recent.at, EVERY)
        return Load(
            uptime_s=int(time.monotonic() - self._began),
            sockets=_value("astragal_sockets"),
            halls=_value("astragal_halls"),
            rooms=_value("astragal_rooms"),
            queue=queued,
            bot_queue=_value("astragal_bot_queue"),
            actions_per_s=(last.within[-1] - recent.within[-1]) / seconds,
            cpu_share=(last.cpu - recent.cpu) / seconds,
            slow_ms=_within([now - then for now, then in zip(last.within, first.within, strict=True)]),
            loop_delay_ms=1000 * self._worst_delay(),
            memory_bytes=memory(),
        )


def _value(name: str) -> int:
    return int(metrics.registry.get_sample_value(name) or 0)


def _within(counts: list[float]) -> float | None:
    """The bound of the histogram within which 99 % lie, in milliseconds; the last stands for all that is slower."""
    if not counts[-1]:
        return None
    bounds = [*metrics.QUICK, metrics.QUICK[-1]]
    return 1000 * next(bound for bound, count in zip(bounds, counts, strict=True) if count >= 0.99 * counts[-1])


def memory() -> int | None:
    """Bytes that this process has in memory; where that is not known, the most it ever had, or None."""
    try:
        return int(Path("/proc/self/statm").read_text().split()[1]) * os.sysconf("SC_PAGE_SIZE")
    except (OSError, ValueError, AttributeError):
        return None if resource is None else resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
