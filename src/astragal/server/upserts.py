"""INSERT statements that say what happens if the row is there already; SQLite and PostgreSQL have one each."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

import sqlalchemy as sa
from sqlalchemy.dialects import postgresql, sqlite
from sqlalchemy.ext.asyncio import AsyncConnection


def insert(connection: AsyncConnection, table: sa.Table) -> Any:
    """An INSERT in the dialect of this connection, with `on_conflict_do_nothing` and `on_conflict_do_update`."""
    return postgresql.insert(table) if connection.dialect.name == "postgresql" else sqlite.insert(table)


def upsert(connection: AsyncConnection, table: sa.Table, key: Sequence[str], columns: Iterable[str]) -> Any:
    """An INSERT that sets these columns if there is a row with this key already."""
    statement = insert(connection, table)
    return statement.on_conflict_do_update(
        index_elements=key, set_={name: statement.excluded[name] for name in columns}
    )
