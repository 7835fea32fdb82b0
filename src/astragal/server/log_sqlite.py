"""Logs in the embedded store: written by SQLite itself, in a thread and on a connection of their own.

A group of appends is one transaction of two statements, which get their rows as JSON. So Python's own lock is let go
a few times for a whole group instead of for every row, and the event loop goes on while SQLite works.
"""

from __future__ import annotations

import asyncio
import sqlite3
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor

import msgspec
import sqlalchemy as sa
from sqlalchemy.dialects.sqlite import pysqlite

from astragal.server import journal, schema, tables
from astragal.server.writer import CHANGED_MS, Batch, Conflict

# ruff: noqa: S608  the only values put into these texts are numbers of ours
_INSERT = """
INSERT INTO entries ("match", sequence, body, at_ms, cause)
SELECT json_extract(value, '$[0]'), json_extract(value, '$[1]'), json_extract(value, '$[2]'),
       json_extract(value, '$[3]'), json_extract(value, '$[4]')
FROM json_each(?)
"""
_UPDATE = f"""
UPDATE matches SET status = stand.status, due_ms = stand.due, changed_ms = stand.now
FROM (SELECT json_extract(value, '$[0]') AS id, json_extract(value, '$[1]') AS status,
             json_extract(value, '$[2]') AS due, json_extract(value, '$[3]') AS now FROM json_each(?)) AS stand
WHERE matches.id = stand.id AND (matches.status IS NOT stand.status OR matches.due_ms IS NOT stand.due
                                 OR matches.changed_ms < stand.now - {CHANGED_MS})
"""
MOST = 2**63
_SEAT = 'UPDATE seats SET secret = ?, seen_ms = ?, player = ? WHERE "match" = ? AND seat = ?'


class SqliteLogs:
    """The logs of an embedded store."""

    def __init__(self, url: sa.URL) -> None:
        self._place, self._options = pysqlite.dialect().create_connect_args(url)
        self._connection: sqlite3.Connection | None = None
        self._thread = ThreadPoolExecutor(1, "writer")

    async def put(self, group: Sequence[Batch], now: int) -> None:
        """All of these, in one transaction. Raises Conflict if one of them is not the next of its log."""
        await asyncio.get_running_loop().run_in_executor(self._thread, self._put, group, now)

    def _put(self, group: Sequence[Batch], now: int) -> None:
        rows, stands = written(group, now)
        connection = self._open()
        try:
            connection.execute("BEGIN IMMEDIATE")
            connection.execute(_INSERT, (rows,))
            connection.execute(_UPDATE, (stands,))
            for batch in group:
                for seat, secret in batch.hashes.items():
                    connection.execute(_SEAT, (secret, now, batch.owner, batch.match, seat))
            connection.execute("COMMIT")
        except BaseException as error:
            if connection.in_transaction:
                connection.execute("ROLLBACK")
            if isinstance(error, sqlite3.IntegrityError):
                raise Conflict from error
            raise

    def _open(self) -> sqlite3.Connection:
        if self._connection is None:
            options = {**self._options, "isolation_level": None, "check_same_thread": False}
            connection: sqlite3.Connection = sqlite3.connect(*self._place, **options)  # type: ignore[call-overload]
            schema.prepare_sqlite(connection, None)
            self._connection = connection
        return self._connection

    async def close(self) -> None:
        """Nothing is written any more."""
        self._thread.submit(self._close).result()
        self._thread.shutdown()

    def _close(self) -> None:
        if self._connection is not None:
            self._connection.close()


def written(group: Sequence[Batch], now: int) -> tuple[str, str]:
    """The rows of every batch, and where its match stands after them, as JSON. Raises BadText or OverflowError."""
    for batch in group:
        for kept in batch.rows:
            if kept.cause is not None:
                tables.check_text(kept.cause)
            if not 0 <= kept.at < MOST:
                raise OverflowError(f"{kept.at} is no time")  # as JSON SQLite would take it, and round it
    rows = [
        (batch.match, kept.n, journal.write(kept.body), kept.at, kept.cause) for batch in group for kept in batch.rows
    ]
    stands = [(batch.match, batch.status, batch.due, now) for batch in group]
    return msgspec.json.encode(rows).decode(), msgspec.json.encode(stands).decode()
