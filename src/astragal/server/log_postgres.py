"""Logs in PostgreSQL: a group of appends and the notifications of them are one statement on a connection of their own.

What was appended stands in the notification itself, so that another process that has the match in memory need not ask
for it; only what is longer than PostgreSQL allows must be read.
"""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import Sequence
from typing import Any

import asyncpg
import msgspec
import sqlalchemy as sa

from astragal.server import journal, tables
from astragal.server.notifications import CHANNEL, MOST_BYTES, Notification
from astragal.server.writer import CHANGED_MS, Batch, Conflict

# The entries go first and in the order of their keys: whoever would wait for another process waits there, and two
# processes never for each other.
_APPEND = f"""
WITH fresh AS (
    INSERT INTO entries ("match", sequence, body, at_ms, cause)
    SELECT * FROM unnest($1::text[], $2::int[], $3::text[], $4::bigint[], $5::text[]) RETURNING 1
), stands AS (
    UPDATE matches SET status = stand.status, due_ms = stand.due, changed_ms = $9::bigint
    FROM unnest($6::text[], $7::text[], $8::bigint[]) AS stand(id, status, due)
    WHERE (SELECT count(*) FROM fresh) > 0 AND matches.id = stand.id
          AND (matches.status IS DISTINCT FROM stand.status OR matches.due_ms IS DISTINCT FROM stand.due
               OR matches.changed_ms < $9::bigint - {CHANGED_MS})
), secrets AS (
    UPDATE seats SET secret = given.secret, seen_ms = $9::bigint, player = given.player
    FROM unnest($10::text[], $11::int[], $12::text[], $13::text[]) AS given("match", seat, secret, player)
    WHERE (SELECT count(*) FROM fresh) > 0 AND seats."match" = given."match" AND seats.seat = given.seat
)
SELECT pg_notify('{CHANNEL}', note) FROM unnest($14::text[]) AS note WHERE (SELECT count(*) FROM fresh) > 0
"""  # noqa: S608  the only values put into it are constants of ours


class PostgresLogs:
    """The logs of a store that several processes may share. `name` is whose notifications they are."""

    def __init__(self, url: sa.URL, name: str) -> None:
        self._dsn = url.set(drivername="postgresql").render_as_string(hide_password=False)
        self._name = name
        self._connection: Any = None

    async def put(self, group: Sequence[Batch], now: int) -> None:
        """All of these, in one transaction. Raises Conflict if one of them is not the next of its log."""
        rows = [(batch.match, kept) for batch in group for kept in batch.rows]
        for _, kept in rows:
            if kept.cause is not None:
                tables.check_text(kept.cause)
        seats = [(batch.match, seat, secret, batch.owner) for batch in group for seat, secret in batch.hashes.items()]
        values = (
            [match for match, _ in rows],
            [kept.n for _, kept in rows],
            [journal.write(kept.body) for _, kept in rows],
            [kept.at for _, kept in rows],
            [kept.cause for _, kept in rows],
            [batch.match for batch in group],
            [batch.status for batch in group],
            [batch.due for batch in group],
            now,
            *([row[column] for row in seats] for column in range(4)),
            [self._note(batch) for batch in group],
        )
        connection = await self._open()
        try:
            await connection.fetch(_APPEND, *values)
        except asyncpg.IntegrityConstraintViolationError as error:
            raise Conflict from error

    def _note(self, batch: Batch) -> str:
        """What the other processes are told of a batch: all of it if it is short enough."""
        last, lobby = batch.rows[-1].n, batch.status == "lobby"
        note = Notification(sender=self._name, match=batch.match, last=last, rows=tuple(batch.rows), lobby=lobby)
        text = msgspec.json.encode(note)
        if len(text) > MOST_BYTES:
            text = msgspec.json.encode(msgspec.structs.replace(note, rows=()))
        return text.decode()

    async def _open(self) -> Any:
        if self._connection is None or self._connection.is_closed():
            self._connection = await asyncpg.connect(self._dsn)
        return self._connection

    async def close(self) -> None:
        """Nothing is written any more."""
        if self._connection is not None:
            with contextlib.suppress(OSError, asyncpg.PostgresError, asyncpg.InterfaceError, asyncio.TimeoutError):
                await self._connection.close(timeout=1)
