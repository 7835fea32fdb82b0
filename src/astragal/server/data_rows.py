"""The rows of the store that hold data of a host's own, each kept once, and which match uses which."""

from __future__ import annotations

from collections.abc import Mapping

import sqlalchemy as sa
from sqlalchemy.ext.asyncio import AsyncConnection

from astragal.server.tables import data, uses
from astragal.server.upserts import upsert


async def missing(connection: AsyncConnection, wanted: Mapping[str, str]) -> dict[str, str]:
    """What of this is not kept yet."""
    if not wanted:
        return {}
    known = set(await connection.scalars(sa.select(data.c.digest).where(data.c.digest.in_(wanted))))
    return {digest: text for digest, text in wanted.items() if digest not in known}


async def keep(connection: AsyncConnection, match: str, wanted: Mapping[str, str], now: int) -> None:
    """Keeps what a match uses, or notes that what is kept already is used once more."""
    if not wanted:
        return
    rows = [{"digest": digest, "value": text, "used_ms": now} for digest, text in wanted.items()]
    await connection.execute(upsert(connection, data, ["digest"], ["used_ms"]), rows)
    await connection.execute(sa.insert(uses), [{"match": match, "digest": digest} for digest in wanted])


async def of(connection: AsyncConnection, match: str) -> dict[str, str]:
    """What a match uses."""
    query = sa.select(data.c.digest, data.c.value).join(uses, uses.c.digest == data.c.digest)
    rows = await connection.execute(query.where(uses.c.match == match))
    return {row.digest: row.value for row in rows}


async def forget_unused(connection: AsyncConnection, before_ms: int) -> None:
    """Deletes what no match uses any more."""
    used = sa.select(uses.c.digest).where(uses.c.digest == data.c.digest).exists()
    await connection.execute(sa.delete(data).where(data.c.used_ms < before_ms, ~used))
