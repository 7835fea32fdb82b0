"""Where matches are kept: SQLite in a file of ours, or PostgreSQL.

What is acknowledged is committed; SQLite runs with `synchronous=FULL`. Logs are written by the `Writer`.
"""

from __future__ import annotations

import asyncio
import contextlib
import secrets
import time
from collections.abc import AsyncIterator, Awaitable, Callable, Mapping, Sequence
from typing import TypeVar

import msgspec
import sqlalchemy as sa
from msgspec import Struct
from sqlalchemy.dialects import postgresql, sqlite
from sqlalchemy.exc import IntegrityError, SQLAlchemyError
from sqlalchemy.ext.asyncio import AsyncConnection, AsyncEngine, create_async_engine

from astragal.server import data_rows, heartbeat, journal, schema, store_file
from astragal.server.health import Health, StoreFailed, failed, whole_check
from astragal.server.journal import Kept
from astragal.server.notifications import Notification, notify
from astragal.server.server_clock import ServerClock
from astragal.server.tables import bans, entries, facts, matches, seats, uses
from astragal.server.writer import Batch, Conflict, Writer, of_seat

PROBE_SECONDS = 1.0  # how long a trial of the store counts
# Written as twice as many letters: more pages than an action needs, so that a disk too full for one is not ready.
PROBE_BYTES = 16_000

T = TypeVar("T")


class MatchRow(Struct, frozen=True, kw_only=True):
    """A match as it was created, and where it stands."""

    id: str
    game: str
    setup: str
    server_seed: str
    status: str
    listed: bool
    invite: str | None
    created_ms: int
    changed_ms: int
    due_ms: int | None = None
    absent_ms: int | None = None
    creator: str | None = None
    size: int = 0
    bots_only: bool = False
    remove_ms: int | None = None
    data: dict[str, str] = {}  # own data by its digest, as JSON; lists of matches come without


Admit = Callable[[AsyncConnection, MatchRow], Awaitable[None]]
"""Looks at a new match before it is stored, in the same transaction; raises if it may not be."""


class Store:
    """One database, open."""

    def __init__(self, engine: AsyncEngine, clock: ServerClock) -> None:
        self._engine, self.clock, self.health = engine, clock, Health()
        self.embedded = engine.dialect.name == "sqlite"
        self.url = engine.url.render_as_string(hide_password=False)
        self.name = secrets.token_hex(6)  # whose notification it was
        self.logs = Writer(engine, self.name, clock, self.health)
        self._creating = asyncio.Lock()  # quotas are counted and used up by one at a time
        self._probing = asyncio.Lock()
        self._probed: tuple[float, bool] = (-PROBE_SECONDS, False)  # when it was last tried out, and how that went

    @classmethod
    async def open(cls, url: str) -> Store:
        """Connects, brings the tables up to date, and sets the clock by what is stored. Raises StoreFailed."""
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
        store = cls(engine, ServerClock())
        try:
            await heartbeat.align(store)
        except BaseException:
            await store.close()
            raise
        return store

    async def close(self) -> None:
        """Writes what is queued, then closes."""
        await self.logs.close()
        await self._engine.dispose()

    # Writing ----------------------------------------------------------------------------------------------------

    async def append(self, batch: Batch) -> None:
        """Returns after the commit. Raises Conflict or StoreFailed; then nothing of the batch is there."""
        await self.logs.append(batch)

    async def notify(self, notifications: Sequence[Notification]) -> None:
        """Tells the other processes something that is not stored. PostgreSQL only."""
        async with self._changing() as connection:
            await notify(connection, notifications)

    async def create(
        self, row: MatchRow, rows: Sequence[Kept], hashes: Sequence[str | None], admit: Admit | None = None
    ) -> None:
        """A new match with its seats. Raises StoreFailed, or Conflict if there is one of this name.

        `admit` may refuse it, seeing what it takes of the store; no other match is created meanwhile.
        """
        async with self._creating, self._changing() as connection:
            fresh = await data_rows.missing(connection, row.data)
            row = msgspec.structs.replace(row, size=row.size + sum(len(text) for text in fresh.values()))
            if admit is not None:
                await admit(connection, row)
            columns = msgspec.structs.asdict(row)
            del columns["data"]
            try:
                await connection.execute(sa.insert(matches), columns)
            except IntegrityError:
                raise Conflict from None
            await data_rows.keep(connection, row.id, row.data, row.created_ms)
            if rows:
                await connection.execute(
                    sa.insert(entries),
                    [
                        {
                            "match": row.id,
                            "sequence": k.n,
                            "body": journal.write(k.body),
                            "at_ms": k.at,
                            "cause": k.cause,
                        }
                        for k in rows
                    ],
                )
            await connection.execute(
                sa.insert(seats),
                [
                    {"match": row.id, "seat": seat, "secret": secret, "seen_ms": row.created_ms}
                    for seat, secret in enumerate(hashes)
                ],
            )

    async def set_secret(self, match: str, seat: int, secret: str | None) -> None:
        """Gives a seat another secret; the old one is worth nothing from then on."""
        async with self._changing() as connection:
            await connection.execute(of_seat(match, seat).values(secret=secret))

    async def see(self, present: Sequence[tuple[str, int]]) -> None:
        """Notes that the players of these seats are connected now."""
        if present:
            async with self._changing() as connection:
                await connection.execute(
                    sa.update(seats)
                    .where(seats.c.match == sa.bindparam("key"), seats.c.seat == sa.bindparam("place"))
                    .values(seen_ms=self.clock.now()),
                    [{"key": match, "place": seat} for match, seat in present],
                )

    async def unsee(self, match: str, seat: int) -> None:
        """The absence of this player has been dealt with."""
        async with self._changing() as connection:
            await connection.execute(of_seat(match, seat).values(seen_ms=None))

    async def announce(self, match: str = "") -> None:
        """Tells running servers that the host changed something: a match, or the bans."""
        before = msgspec.json.decode(await self.fact("announced", "[]"))
        await self.set_fact("announced", msgspec.json.encode([*before[-50:], [self.clock.now(), match]]).decode())

    async def delete(self, match: str) -> bool:
        """Removes a match and all that belongs to it. False if there is none."""
        async with self._changing() as connection:
            await connection.execute(sa.delete(entries).where(entries.c.match == match))
            await connection.execute(sa.delete(seats).where(seats.c.match == match))
            await connection.execute(sa.delete(uses).where(uses.c.match == match))
            gone = await connection.execute(sa.delete(matches).where(matches.c.id == match))
            return bool(gone.rowcount)

    async def replace(self, match: str, kept: Kept) -> None:
        """Writes an entry anew, for deleted chat. Its number stays."""
        async with self._changing() as connection:
            await connection.execute(
                sa.update(entries)
                .where(entries.c.match == match, entries.c.sequence == kept.n)
                .values(body=journal.write(kept.body))
            )

    async def forget(self, before_ms: int) -> int:
        """Deletes the matches of `old`; says how many."""
        ids = await self.old(before_ms)
        for match in ids:
            await self.delete(match)
        return len(ids)

    async def remove_at(self, match: str, at_ms: int) -> None:
        """Notes when a match is to be removed."""
        async with self._changing() as connection:
            await connection.execute(sa.update(matches).where(matches.c.id == match).values(remove_ms=at_ms))

    async def forget_unused_data(self, before_ms: int) -> None:
        """Deletes own data that no match uses any more."""
        async with self._changing() as connection:
            await data_rows.forget_unused(connection, before_ms)

    # Reading ----------------------------------------------------------------------------------------------------

    async def ask(self, question: Callable[[AsyncConnection], Awaitable[T]]) -> T:
        """What `question` returns, asked on one connection; for questions that need several queries."""
        async with self._reading() as connection:
            return await question(connection)

    async def match(self, id: str) -> MatchRow | None:
        """A match as it was created, or None."""
        async with self._reading() as connection:
            row = (await connection.execute(sa.select(matches).where(matches.c.id == id))).mappings().first()
            return None if row is None else MatchRow(**row, data=await data_rows.of(connection, id))

    async def rows(self, match: str, after: int = 0) -> list[Kept]:
        """The log of a match from there on."""
        async with self._reading() as connection:
            stored = await connection.execute(
                sa.select(entries.c.sequence, entries.c.at_ms, entries.c.body, entries.c.cause)
                .where(entries.c.match == match, entries.c.sequence > after)
                .order_by(entries.c.sequence)
            )
            return [Kept(n, at, journal.read(body), cause) for n, at, body, cause in stored]

    async def seat_secrets(self, match: str) -> list[str | None]:
        """Each seat's hashed secret."""
        async with self._reading() as connection:
            query = sa.select(seats.c.secret).where(seats.c.match == match).order_by(seats.c.seat)
            return list(await connection.scalars(query))

    async def list_matches(
        self,
        status: Sequence[str],
        *,
        listed: bool = True,
        most: int = 100,
        after: tuple[int, str] | None = None,
    ) -> list[MatchRow]:
        """Matches in these states, the latest change first; only what follows `after`, a last change and an id."""
        order = (matches.c.changed_ms.desc(), matches.c.id.desc())
        query = sa.select(matches).where(matches.c.status.in_(status)).order_by(*order).limit(most)
        if listed:
            query = query.where(matches.c.listed)
        if after is not None:
            at, id = after
            earlier = sa.and_(matches.c.changed_ms == at, matches.c.id < id)
            query = query.where(sa.or_(matches.c.changed_ms < at, earlier))
        try:
            async with self._reading() as connection:
                return [MatchRow(**row) for row in (await connection.execute(query)).mappings()]
        except StoreFailed:
            if not self.health.damage:
                raise
        rows = [row for row in await self._legible() if row.status in status and (row.listed or not listed)]
        rows = [row for row in rows if after is None or (row.changed_ms, row.id) < after]
        return sorted(rows, key=lambda row: (row.changed_ms, row.id), reverse=True)[:most]

    async def _legible(self) -> list[MatchRow]:
        """The matches that can still be read from a damaged store, one by one."""
        async with self._reading() as connection:
            ids = list(await connection.scalars(sa.select(matches.c.id)))  # from the index alone
        rows = []
        for id in ids:
            with contextlib.suppress(StoreFailed):
                if (row := await self.match(id)) is not None:
                    rows.append(row)
        return rows

    async def abandoned(self, before_ms: int) -> list[str]:
        """Lobbies in which nothing has happened since, and matches that bots alone have played since before."""
        lobby = sa.and_(matches.c.status == "lobby", matches.c.changed_ms < before_ms)
        bots = sa.and_(matches.c.status == "running", matches.c.bots_only, matches.c.created_ms < before_ms)
        async with self._reading() as connection:
            return list(await connection.scalars(sa.select(matches.c.id).where(sa.or_(lobby, bots)).limit(500)))

    async def to_remove(self, now: int, before_ms: int) -> list[str]:
        """Closed matches whose time to be removed has come, and those of bots alone that ended before."""
        closed = sa.and_(matches.c.status == "closed", matches.c.remove_ms <= now)
        ended = sa.and_(matches.c.bots_only, matches.c.status.in_(("over", "closed")), matches.c.changed_ms < before_ms)
        query = sa.select(matches.c.id).where(sa.or_(closed, ended)).limit(500)
        async with self._reading() as connection:
            return list(await connection.scalars(query))

    async def due(self, now: int) -> list[str]:
        """Matches in which something should have happened by now."""
        async with self._reading() as connection:
            return list(
                await connection.scalars(
                    sa.select(matches.c.id).where(matches.c.due_ms <= now).order_by(matches.c.due_ms).limit(500)
                )
            )

    async def ticking(self) -> list[str]:
        """Matches with a clock, a bot to move or a seed to open: `due` is set."""
        async with self._reading() as connection:
            return list(await connection.scalars(sa.select(matches.c.id).where(matches.c.due_ms.is_not(None))))

    async def old(self, before_ms: int) -> list[str]:
        """Matches that ended, or were left in the lobby, before this time."""
        async with self._reading() as connection:
            query = sa.select(matches.c.id).where(matches.c.status != "running", matches.c.changed_ms < before_ms)
            return list(await connection.scalars(query))

    async def absent(self, now: int, since: int = 0) -> list[tuple[str, int]]:
        """Seats of running matches whose players are gone for longer than their match allows, counted from `since`."""
        async with self._reading() as connection:
            missing = await connection.execute(
                sa.select(seats.c.match, seats.c.seat)
                .join(matches, matches.c.id == seats.c.match)
                .where(
                    matches.c.status == "running",
                    matches.c.absent_ms.is_not(None),
                    seats.c.secret.is_not(None),
                    seats.c.seen_ms + matches.c.absent_ms < now,
                    matches.c.absent_ms < now - since,
                )
            )
            return [(match, seat) for match, seat in missing]

    async def counts(self) -> dict[str, int]:
        """How many matches there are in each state."""
        async with self._reading() as connection:
            counted = await connection.execute(sa.select(matches.c.status, sa.func.count()).group_by(matches.c.status))
            return {row[0]: row[1] for row in counted}

    # Facts and bans ---------------------------------------------------------------------------------------------

    async def fact(self, name: str, default: str) -> str:
        """A fact about this server; kept from now on if there was none."""
        async with self._reading() as connection:
            value = await connection.scalar(sa.select(facts.c.value).where(facts.c.name == name))
        if value is None:
            with contextlib.suppress(StoreFailed):  # another process was quicker
                async with self._changing() as connection:
                    await connection.execute(sa.insert(facts), {"name": name, "value": default})
            async with self._reading() as connection:
                value = await connection.scalar(sa.select(facts.c.value).where(facts.c.name == name))
        return str(value)

    async def set_fact(self, name: str, value: str) -> None:
        """Keeps a fact."""
        await self.set_facts({name: value})

    async def facts(self, prefix: str) -> dict[str, str]:
        """All facts whose names begin so."""
        async with self._reading() as connection:
            rows = await connection.execute(sa.select(facts).where(facts.c.name.startswith(prefix, autoescape=True)))
            return {row.name: row.value for row in rows}

    async def set_facts(self, values: Mapping[str, str], delete: Sequence[str] = ()) -> None:
        """Keeps some facts and forgets others, all at once."""
        async with self._changing() as connection:
            if delete:
                await connection.execute(sa.delete(facts).where(facts.c.name.in_(delete)))
            insert = sqlite.insert(facts) if self.embedded else postgresql.insert(facts)
            upsert = insert.on_conflict_do_update(index_elements=["name"], set_={"value": insert.excluded.value})
            if values:
                rows = [{"name": name, "value": value} for name, value in sorted(values.items())]
                await connection.execute(upsert, rows)

    async def latest_ms(self) -> int:
        """When a match was last changed; 0 if there is none."""
        async with self._reading() as connection:
            return await connection.scalar(sa.select(sa.func.max(matches.c.changed_ms))) or 0

    async def system_ms(self) -> int:
        """The time of the system; of the database's, where several servers share one."""
        if self.embedded:
            return self.clock.system()
        async with self._reading() as connection:
            return int(await connection.scalar(sa.text("SELECT extract(epoch FROM clock_timestamp()) * 1000")))

    async def ban(self, address: str, *, on: bool = True) -> None:
        """Bans an address, or lets it in again."""
        async with self._changing() as connection:
            await connection.execute(sa.delete(bans).where(bans.c.address == address))
            if on:
                await connection.execute(sa.insert(bans), {"address": address, "at_ms": self.clock.now()})

    async def banned(self) -> set[str]:
        """Every banned address."""
        async with self._reading() as connection:
            return set(await connection.scalars(sa.select(bans.c.address)))

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

    @contextlib.asynccontextmanager
    async def _reading(self) -> AsyncIterator[AsyncConnection]:
        try:
            async with self._engine.connect() as connection:
                yield connection
        except (SQLAlchemyError, OSError) as error:
            raise self.health.failed(error) from error

    @contextlib.asynccontextmanager
    async def _changing(self) -> AsyncIterator[AsyncConnection]:
        try:
            async with self._engine.begin() as connection:
                yield connection
        except (SQLAlchemyError, OSError) as error:
            raise self.health.failed(error) from error
