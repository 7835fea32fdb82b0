"""A database, open: its connections, its health, and the facts that a server keeps about itself."""

from __future__ import annotations

import asyncio
import contextlib
import secrets
import time
from collections.abc import AsyncIterator, Awaitable, Callable, Mapping, Sequence
from typing import TypeVar

import sqlalchemy as sa
from sqlalchemy.exc import SQLAlchemyError
from sqlalchemy.ext.asyncio import AsyncConnection, AsyncEngine, create_async_engine

from astragal.server import schema, store_file
from astragal.server.health import Health, StoreFailed, failed, whole_check
from astragal.server.server_clock import ServerClock
from astragal.server.tables import bans, facts
from astragal.server.upserts import upsert

PROBE_SECONDS = 1.0  # how long a trial of the store counts
# Written as twice as many letters: more pages than an action needs, so that a disk too full for one is not ready.
PROBE_BYTES = 16_000

T = TypeVar("T")


async def lock(connection: AsyncConnection, number: int) -> None:
    """Waits for PostgreSQL's advisory lock of this number, until the end of the transaction; SQLite has one writer."""
    if connection.dialect.name == "postgresql":
        await connection.execute(sa.select(sa.func.pg_advisory_xact_lock(number)))


async def connect(url: str) -> AsyncEngine:
    """Connects, and brings the tables up to date. Raises StoreFailed."""
    engine = create_async_engine(url, **({} if url.startswith("sqlite") else {"pool_size": 8, "max_overflow": 8}))
    if engine.dialect.name == "sqlite":
        store_file.make_private(url)
        sa.event.listen(engine.sync_engine, "connect", schema.prepare_sqlite)
    try:
        async with engine.begin() as connection:
            await connection.run_sync(schema.upgrade)
            await connection.execute(sa.delete(facts).where(facts.c.name == "-"))  # shows that it can be written
    except BaseException as error:
        await engine.dispose()
        if isinstance(error, SQLAlchemyError | OSError):
            raise failed(error) from error
        raise
    return engine


class Database:
    """One database, open."""

    def __init__(self, engine: AsyncEngine, clock: ServerClock) -> None:
        self._engine, self.clock, self.health = engine, clock, Health()
        self.embedded = engine.dialect.name == "sqlite"
        self.url = engine.url.render_as_string(hide_password=False)
        self._probing = asyncio.Lock()
        self._probed: tuple[float, bool] = (-PROBE_SECONDS, False)  # when it was last tried out, and how that went

    async def ask(self, question: Callable[[AsyncConnection], Awaitable[T]]) -> T:
        """What `question` returns, asked on one connection; for questions that need several queries."""
        async with self.reading() as connection:
            return await question(connection)

    @contextlib.asynccontextmanager
    async def reading(self) -> AsyncIterator[AsyncConnection]:
        """A connection to read with. Raises StoreFailed."""
        try:
            async with self._engine.connect() as connection:
                yield connection
        except (SQLAlchemyError, OSError) as error:
            raise self.health.failed(error) from error

    @contextlib.asynccontextmanager
    async def changing(self) -> AsyncIterator[AsyncConnection]:
        """A transaction, committed at the end. Raises StoreFailed."""
        try:
            async with self._engine.begin() as connection:
                yield connection
        except (SQLAlchemyError, OSError) as error:
            raise self.health.failed(error) from error

    # Facts and bans ---------------------------------------------------------------------------------------------

    async def fact(self, name: str, default: str) -> str:
        """A fact about this server; kept from now on if there was none."""
        async with self.reading() as connection:
            value = await connection.scalar(sa.select(facts.c.value).where(facts.c.name == name))
        if value is None:
            with contextlib.suppress(StoreFailed):  # another process was quicker
                async with self.changing() as connection:
                    await connection.execute(sa.insert(facts), {"name": name, "value": default})
            async with self.reading() as connection:
                value = await connection.scalar(sa.select(facts.c.value).where(facts.c.name == name))
        return str(value)

    async def set_fact(self, name: str, value: str) -> None:
        """Keeps a fact."""
        await self.set_facts({name: value})

    async def facts(self, prefix: str) -> dict[str, str]:
        """All facts whose names begin so."""
        async with self.reading() as connection:
            rows = await connection.execute(sa.select(facts).where(facts.c.name.startswith(prefix, autoescape=True)))
            return {row.name: row.value for row in rows}

    async def set_facts(self, values: Mapping[str, str], delete: Sequence[str] = ()) -> None:
        """Keeps some facts and forgets others, all at once."""
        async with self.changing() as connection:
            if delete:
                await connection.execute(sa.delete(facts).where(facts.c.name.in_(delete)))
            if values:
                rows = [{"name": name, "value": value} for name, value in sorted(values.items())]
                await connection.execute(upsert(connection, facts, ["name"], ["value"]), rows)

    async def system_ms(self) -> int:
        """The time of the system; of the database's, where several servers share one."""
        if self.embedded:
            return self.clock.system()
        async with self.reading() as connection:
            return int(await connection.scalar(sa.text("SELECT extract(epoch FROM clock_timestamp()) * 1000")))

    async def ban(self, address: str, *, on: bool = True) -> None:
        """Bans an address, or lets it in again."""
        async with self.changing() as connection:
            await connection.execute(sa.delete(bans).where(bans.c.address == address))
            if on:
                await connection.execute(sa.insert(bans), {"address": address, "at_ms": self.clock.now()})

    async def banned(self) -> set[str]:
        """Every banned address."""
        async with self.reading() as connection:
            return set(await connection.scalars(sa.select(bans.c.address)))

    # Health -----------------------------------------------------------------------------------------------------

    async def ready(self) -> bool:
        """Whether something can be stored: tried out, at most once a second however many ask, and after a failure."""
        async with self._probing:
            if time.monotonic() - self._probed[0] >= PROBE_SECONDS or self._probed[0] < self.health.failed_at:
                try:
                    await self.set_fact("ready", secrets.token_hex(PROBE_BYTES))  # the same again would not be written
                    works = not self.health.damage
                except StoreFailed:
                    works = False
                self._probed = time.monotonic(), works
        return self._probed[1]

    async def check_whole(self) -> None:
        """Reads the whole embedded store once and remembers what is broken. It may take a while; cancel it freely."""
        file, stopped = store_file.path(self.url), list[bool]()
        if file is None:
            return
        try:
            if broken := await asyncio.to_thread(whole_check, file, stopped):
                self.health.damaged(broken)
        finally:
            stopped.append(True)
