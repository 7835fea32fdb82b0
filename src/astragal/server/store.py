"""Where matches are kept: SQLite in a file of ours, or PostgreSQL.

What is acknowledged is committed; SQLite runs with `synchronous=FULL`. Logs are written by the `Writer`.
"""

from __future__ import annotations

import asyncio
import secrets
from collections.abc import Awaitable, Callable, Sequence
from itertools import zip_longest

import msgspec
import sqlalchemy as sa
from sqlalchemy.exc import IntegrityError
from sqlalchemy.ext.asyncio import AsyncConnection, AsyncEngine

from astragal.server import data_rows, database, heartbeat, journal
from astragal.server.journal import Kept
from astragal.server.log_postgres import PostgresLogs
from astragal.server.log_sqlite import SqliteLogs
from astragal.server.match_lists import MatchLists
from astragal.server.match_lists import MatchRow as MatchRow
from astragal.server.notifications import Notification, notify
from astragal.server.server_clock import ServerClock
from astragal.server.tables import entries, facts, invitations, matches, notices, seats, uses
from astragal.server.upserts import insert
from astragal.server.writer import Batch, Conflict, Writer

ANNOUNCED = "announced"  # the fact that holds the host's last orders
MOST_ANNOUNCED = 50  # of which so many are kept

Admit = Callable[[AsyncConnection, MatchRow], Awaitable[None]]
"""Looks at a new match before it is stored, in the same transaction; raises if it may not be."""


class Store(MatchLists):
    """The matches of one database, and their logs."""

    def __init__(self, engine: AsyncEngine, clock: ServerClock) -> None:
        super().__init__(engine, clock)
        self.name = secrets.token_hex(6)  # whose notification it was
        logs = SqliteLogs(engine.url) if self.embedded else PostgresLogs(engine.url, self.name)
        self.logs = Writer(logs, clock, self.health)
        self._creating = asyncio.Lock()  # quotas are counted and used up by one at a time

    @classmethod
    async def open(cls, url: str) -> Store:
        """Connects, brings the tables up to date, and sets the clock by what is stored. Raises StoreFailed."""
        store = cls(await database.connect(url), ServerClock())
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
        async with self.changing() as connection:
            await notify(connection, notifications)

    async def create(
        self,
        row: MatchRow,
        rows: Sequence[Kept],
        hashes: Sequence[str | None],
        admit: Admit | None = None,
        owners: Sequence[str | None] = (),
    ) -> None:
        """A new match with its seats. Raises StoreFailed, or Conflict if there is one of this name.

        `admit` may refuse it, seeing what it takes of the store; no other match is created meanwhile. `owners` are the
        players whose seats they are.
        """
        async with self._creating, self.changing() as connection:
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
                    {"match": row.id, "seat": seat, "secret": secret, "seen_ms": row.created_ms, "player": owner}
                    for seat, (secret, owner) in enumerate(zip_longest(hashes, owners))
                ],
            )
            if not self.embedded:
                lobby = row.listed and row.status == "lobby"
                await notify(connection, [Notification(sender=self.name, match=row.id, last=len(rows), lobby=lobby)])

    async def set_secret(self, match: str, seat: int, secret: str | None) -> None:
        """Gives a seat another secret; the old one is worth nothing then, and it is no player's own any more."""
        async with self.changing() as connection:
            await connection.execute(_of_seat(match, seat).values(secret=secret, player=None))

    async def see(self, present: Sequence[tuple[str, int]]) -> None:
        """Notes that the players of these seats are connected now."""
        if present:
            async with self.changing() as connection:
                await connection.execute(
                    sa.update(seats)
                    .where(seats.c.match == sa.bindparam("key"), seats.c.seat == sa.bindparam("place"))
                    .values(seen_ms=self.clock.now()),
                    [{"key": match, "place": seat} for match, seat in present],
                )

    async def unsee(self, match: str, seat: int) -> None:
        """The absence of this player has been dealt with."""
        async with self.changing() as connection:
            await connection.execute(_of_seat(match, seat).values(seen_ms=None))

    async def announce(self, match: str = "") -> None:
        """Tells running servers that the host changed something: a match, or the bans."""
        async with self.changing() as connection:
            first = insert(connection, facts).values(name=ANNOUNCED, value="[]")
            locked = first.on_conflict_do_update(index_elements=["name"], set_={"value": facts.c.value})
            await connection.execute(locked)  # so that of two orders at once neither is forgotten
            ours = facts.c.name == ANNOUNCED
            before = _announced(await connection.scalar(sa.select(facts.c.value).where(ours)))
            number = before[-1][0] + 1 if before else 1
            text = msgspec.json.encode([*before, (number, match)][-MOST_ANNOUNCED:]).decode()
            await connection.execute(sa.update(facts).where(ours).values(value=text))

    async def announced(self) -> list[tuple[int, str]]:
        """The last announcements, each with its number and the match it is about; "" is none."""
        return _announced(await self.fact(ANNOUNCED, "[]"))

    async def delete(self, match: str) -> bool:
        """Removes a match and all that belongs to it. False if there is none."""
        async with self.changing() as connection:
            await connection.execute(sa.delete(entries).where(entries.c.match == match))
            await connection.execute(sa.delete(seats).where(seats.c.match == match))
            await connection.execute(sa.delete(uses).where(uses.c.match == match))
            await connection.execute(sa.delete(invitations).where(invitations.c.match == match))
            await connection.execute(sa.delete(notices).where(notices.c.match == match))
            gone = await connection.execute(sa.delete(matches).where(matches.c.id == match))
            return bool(gone.rowcount)

    async def replace(self, match: str, kept: Kept) -> None:
        """Writes an entry anew, for deleted chat. Its number stays."""
        async with self.changing() as connection:
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
        async with self.changing() as connection:
            await connection.execute(sa.update(matches).where(matches.c.id == match).values(remove_ms=at_ms))

    async def forget_unused_data(self, before_ms: int) -> None:
        """Deletes own data that no match uses any more."""
        async with self.changing() as connection:
            await data_rows.forget_unused(connection, before_ms)

    # Reading ----------------------------------------------------------------------------------------------------

    async def rows(self, match: str, after: int = 0) -> list[Kept]:
        """The log of a match from there on."""
        async with self.reading() as connection:
            stored = await connection.execute(
                sa.select(entries.c.sequence, entries.c.at_ms, entries.c.body, entries.c.cause)
                .where(entries.c.match == match, entries.c.sequence > after)
                .order_by(entries.c.sequence)
            )
            return [Kept(n, at, journal.read(body), cause) for n, at, body, cause in stored]

    async def seat_owners(self, match: str) -> list[str | None]:
        """The key of the player whose seat it is, of each seat."""
        async with self.reading() as connection:
            query = sa.select(seats.c.player).where(seats.c.match == match).order_by(seats.c.seat)
            return list(await connection.scalars(query))

    async def seat_secrets(self, match: str) -> list[str | None]:
        """Each seat's hashed secret."""
        async with self.reading() as connection:
            query = sa.select(seats.c.secret).where(seats.c.match == match).order_by(seats.c.seat)
            return list(await connection.scalars(query))


def _of_seat(match: str, seat: int) -> sa.Update:
    """A change to one seat of a match."""
    return sa.update(seats).where(seats.c.match == match, seats.c.seat == seat)


def _announced(text: str | None) -> list[tuple[int, str]]:
    return msgspec.json.decode(text or "[]", type=list[tuple[int, str]])
