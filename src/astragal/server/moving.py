"""Moving a store to another database, from SQLite to PostgreSQL or back: every row of every table, and compared.

The old store is only read. The new one must be empty, and gets everything in one transaction: it is whole, or as empty
as before. No server may run meanwhile, or what it stores would be missing.
"""

from __future__ import annotations

import asyncio
import contextlib
import hashlib
from collections.abc import AsyncIterator, Sequence
from typing import Any

import msgspec
import sqlalchemy as sa
from msgspec import Struct
from sqlalchemy.ext.asyncio import AsyncConnection

from astragal.core.language import Text, say
from astragal.core.types import AstragalError
from astragal.server import heartbeat, store_file
from astragal.server.store import Store
from astragal.server.tables import metadata

AT_ONCE = 1_000  # rows that are written together


class Moved(Struct, frozen=True, kw_only=True):
    """What was copied: the rows of each table, and a digest of all of them that is the same in both databases."""

    rows: dict[str, int]
    digest: str

    def told(self) -> Text:
        """What the host is told, and what to do next."""
        return say(
            "{rows} rows of {tables} tables are copied, {matches} matches among them, and are the same in both "
            "(digest {digest}). Start the servers with the new database now.",
            rows=sum(self.rows.values()),
            tables=len(self.rows),
            matches=self.rows["matches"],
            digest=self.digest[:16],
        )


class _Sum:
    """A count and a digest of rows, whatever their order: databases sort texts differently."""

    def __init__(self) -> None:
        self.count = self.total = 0

    def add(self, row: Sequence[Any]) -> None:
        self.count += 1
        self.total += int.from_bytes(hashlib.sha256(msgspec.json.encode(list(row))).digest())

    @property
    def digest(self) -> str:
        """In hex."""
        return f"{self.total % 2**256:064x}"


def move(source: str, target: str) -> Moved:
    """Copies all of a store into an empty database. Raises AstragalError, and then the target is as it was."""
    return asyncio.run(_move(source, target))


async def _move(source: str, target: str) -> Moved:
    store_file.existing(source)
    same = store_file.path(source) is not None and store_file.path(source) == store_file.path(target)
    if same or source == target:
        raise AstragalError(say("this is the same database twice; name another one to move to"))
    async with contextlib.AsyncExitStack() as stack:
        for url in (source, target):  # an embedded store that a server uses is refused here
            if (held := store_file.lock(url)) is not None:
                stack.callback(held.close)
        old = await stack.enter_async_context(_opened(source))
        if not old.embedded and await heartbeat.living(old):
            raise AstragalError(say("a server uses this store; stop all servers, wait 15 seconds and try again"))
        new = await stack.enter_async_context(_opened(target))
        async with old.reading() as reading, new.changing() as writing:
            return await _copy(reading, writing)


@contextlib.asynccontextmanager
async def _opened(url: str) -> AsyncIterator[Store]:
    store = await Store.open(url)
    try:
        yield store
    finally:
        await store.close()


async def _copy(reading: AsyncConnection, writing: AsyncConnection) -> Moved:
    for table in metadata.sorted_tables:
        if await writing.scalar(sa.select(sa.literal(1)).select_from(table).limit(1)):
            text = say(
                "the new database is not empty: there is something in {table}; name another one", table=table.name
            )
            raise AstragalError(text)
    sums = {table.name: await _copy_table(reading, writing, table) for table in metadata.sorted_tables}
    for table in metadata.sorted_tables:
        written = await _sum(writing, table)
        if (written.count, written.digest) != (sums[table.name].count, sums[table.name].digest):
            raise AstragalError(say("{table} is not the same in both databases; nothing was copied", table=table.name))
    whole = hashlib.sha256("".join(f"{name}{one.digest}" for name, one in sorted(sums.items())).encode())
    return Moved(rows={name: one.count for name, one in sums.items()}, digest=whole.hexdigest())


async def _copy_table(reading: AsyncConnection, writing: AsyncConnection, table: sa.Table) -> _Sum:
    names, sums = [column.name for column in table.columns], _Sum()
    async with reading.stream(sa.select(table)) as rows:
        async for some in rows.partitions(AT_ONCE):
            for row in some:
                sums.add(row)
            await writing.execute(sa.insert(table), [dict(zip(names, row, strict=True)) for row in some])
    return sums


async def _sum(connection: AsyncConnection, table: sa.Table) -> _Sum:
    sums = _Sum()
    async with connection.stream(sa.select(table)) as rows:
        async for row in rows:
            sums.add(row)
    return sums
