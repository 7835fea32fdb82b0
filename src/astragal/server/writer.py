"""Appends entries to the logs in the store, many in one transaction.

Appends of many matches that come at the same time share one transaction (group commit), so that one `fsync` serves them
all. The key (match, sequence) decides every race: of two that append the same entry one gets `Conflict`.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor

import sqlalchemy as sa
from msgspec import Struct
from sqlalchemy.exc import IntegrityError
from sqlalchemy.ext.asyncio import AsyncEngine

from astragal.server import journal, schema
from astragal.server.health import Health, is_outage
from astragal.server.journal import Kept
from astragal.server.notifications import Notification, notify
from astragal.server.server_clock import ServerClock
from astragal.server.tables import entries, matches, seats

MOST_AT_ONCE = 256  # appends that share a transaction


class Conflict(Exception):
    """Somebody else appended this entry first."""


class Batch(Struct, frozen=True, kw_only=True):
    """What one thing that happened adds to the store, all of it or nothing."""

    match: str
    rows: Sequence[Kept]
    status: str
    due: int | None
    hashes: Mapping[int, str | None] = {}  # seats whose secret's hash changes


class Writer:
    """The only writer of logs in this process. `name` is whose notifications they are."""

    def __init__(self, engine: AsyncEngine, name: str, clock: ServerClock, health: Health) -> None:
        self._engine, self._name, self._clock, self._health = engine, name, clock, health
        self._queue: asyncio.Queue[tuple[Batch, asyncio.Future[None]] | None] = asyncio.Queue()
        self.group_size: Callable[[int], object] = lambda _size: None  # told how many appends shared a commit
        self._embedded = _Embedded(engine.url) if engine.dialect.name == "sqlite" else None
        self._task = asyncio.create_task(self._write())

    async def close(self) -> None:
        """Writes what is queued first."""
        self._queue.put_nowait(None)
        await self._task
        if self._embedded is not None:
            self._embedded.close()

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
            await self._put([batch for batch, _ in group])
        except Exception as error:
            if len(group) > 1 and not is_outage(error):  # only whoever caused it is refused
                middle = len(group) // 2
                await self._commit(group[:middle])
                await self._commit(group[middle:])
                return
            for _, done in group:
                _settle(done, Conflict() if isinstance(error, IntegrityError) else self._health.failed(error))
        else:
            for _, done in group:
                _settle(done, None)

    async def _put(self, group: Sequence[Batch]) -> None:
        if self._embedded is not None:
            await self._embedded.put(group, self._clock.now())
            return
        stored = [Notification(sender=self._name, match=batch.match, last=batch.rows[-1].n) for batch in group]
        async with self._engine.begin() as connection:
            await connection.run_sync(_insert, group, self._clock.now())
            await notify(connection, stored)


class _Embedded:
    """SQLite in a thread and on a connection of its own: one step to that thread and back for a whole transaction."""

    def __init__(self, url: sa.URL) -> None:
        self._engine = sa.create_engine(url.set(drivername="sqlite"), poolclass=sa.StaticPool)
        sa.event.listen(self._engine, "connect", schema.prepare_sqlite)
        self._thread = ThreadPoolExecutor(1, "writer")

    async def put(self, group: Sequence[Batch], now: int) -> None:
        """All of these, in one transaction."""
        await asyncio.get_running_loop().run_in_executor(self._thread, self._put, group, now)

    def _put(self, group: Sequence[Batch], now: int) -> None:
        with self._engine.begin() as connection:
            _insert(connection, group, now)

    def close(self) -> None:
        """Nothing is written any more."""
        self._thread.submit(self._engine.dispose).result()
        self._thread.shutdown()


def _insert(connection: sa.Connection, group: Sequence[Batch], now: int) -> None:
    """Rows of every batch, and where its match stands after them."""
    rows = [
        {
            "match": batch.match,
            "sequence": kept.n,
            "body": journal.write(kept.body),
            "at_ms": kept.at,
            "cause": kept.cause,
        }
        for batch in group
        for kept in batch.rows
    ]
    stands = [{"key": batch.match, "status": batch.status, "due_ms": batch.due, "changed_ms": now} for batch in group]
    connection.execute(sa.insert(entries), rows)
    connection.execute(sa.update(matches).where(matches.c.id == sa.bindparam("key")), stands)
    for batch in group:
        for seat, secret in batch.hashes.items():
            connection.execute(of_seat(batch.match, seat).values(secret=secret, seen_ms=now))


def of_seat(match: str, seat: int) -> sa.Update:
    """A change to one seat of a match."""
    return sa.update(seats).where(seats.c.match == match, seats.c.seat == seat)


def _settle(done: asyncio.Future[None], error: Exception | None) -> None:
    if done.cancelled():
        return
    if error is None:
        done.set_result(None)
    else:
        done.set_exception(error)
