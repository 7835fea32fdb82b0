"""Appends entries to the logs in the store, many in one transaction.

Appends of many matches that come at the same time share one transaction (group commit), so that one `fsync` serves them
all. The key (match, sequence) decides every race: of two that append the same entry one gets `Conflict`.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Mapping, Sequence
from typing import Protocol

from msgspec import Struct

from astragal.server.health import Health, is_outage
from astragal.server.journal import Kept
from astragal.server.server_clock import ServerClock

MOST_AT_ONCE = 256  # appends that share a transaction
CHANGED_MS = 1_000  # by so much the store's note of when a match was last changed may lag behind its log


class Conflict(Exception):
    """Somebody else appended this entry first."""


class Batch(Struct, frozen=True, kw_only=True):
    """What one thing that happened adds to the store, all of it or nothing."""

    match: str
    rows: Sequence[Kept]
    status: str
    due: int | None
    hashes: Mapping[int, str | None] = {}  # seats whose secret's hash changes
    owner: str | None = None  # whose those seats are from now on


class Logs(Protocol):
    """Where logs are kept."""

    async def put(self, group: Sequence[Batch], now: int) -> None:
        """All of these in one transaction, or nothing. Raises Conflict if one of them is not the next of its log."""
        ...

    async def close(self) -> None:
        """Nothing is written any more."""
        ...


class Writer:
    """The only writer of logs in this process."""

    def __init__(self, logs: Logs, clock: ServerClock, health: Health) -> None:
        self._logs, self._clock, self._health = logs, clock, health
        self._queue: asyncio.Queue[tuple[Batch, asyncio.Future[None]] | None] = asyncio.Queue()
        self.group_size: Callable[[int], object] = lambda _size: None  # told how many appends shared a commit
        self._task = asyncio.create_task(self._write())

    async def close(self) -> None:
        """Writes what is queued first."""
        self._queue.put_nowait(None)
        await self._task
        await self._logs.close()

    @property
    def queued(self) -> int:
        """How many appends wait."""
        return self._queue.qsize()

    async def append(self, batch: Batch) -> None:
        """Returns after the commit. Raises Conflict or StoreFailed; then nothing of the batch is there."""
        done: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self._queue.put_nowait((batch, done))
        await done  # cancelling the caller does not cancel the append

    async def _write(self) -> None:
        while (first := await self._queue.get()) is not None:
            group, closing = [first], False
            while len(group) < MOST_AT_ONCE and not self._queue.empty():
                more = self._queue.get_nowait()
                if more is None:
                    closing = True
                    break
                group.append(more)
            self.group_size(len(group))
            await self._commit(group)
            if closing:
                return

    async def _commit(self, group: list[tuple[Batch, asyncio.Future[None]]]) -> None:
        group.sort(key=lambda pair: pair[0].match)  # always in this order, or two processes could wait for each other
        try:
            await self._logs.put([batch for batch, _ in group], self._clock.now())
        except Exception as error:
            if len(group) > 1 and not is_outage(error):  # only whoever caused it is refused
                middle = len(group) // 2
                await self._commit(group[:middle])
                await self._commit(group[middle:])
                return
            for _, done in group:
                _settle(done, Conflict() if isinstance(error, Conflict) else self._health.failed(error))
        else:
            for _, done in group:
                _settle(done, None)


def _settle(done: asyncio.Future[None], error: Exception | None) -> None:
    if done.cancelled():
        return
    if error is None:
        done.set_result(None)
    else:
        done.set_exception(error)
