"""The store's tables brought up to date, and the embedded store prepared."""

from __future__ import annotations

import fcntl
from pathlib import Path
from typing import IO, Any

import sqlalchemy as sa

from astragal.core.language import say
from astragal.core.types import AstragalError

LATEST = "0002"  # the newest of migrations/versions
ONE_AT_A_TIME = 7_305_824_112  # PostgreSQL's advisory lock while tables are changed


def upgrade(connection: sa.Connection) -> None:
    """Runs the migrations that this database has not seen yet."""
    if sa.inspect(connection).has_table("alembic_version"):
        version = connection.scalar(sa.text("SELECT version_num FROM alembic_version"))
        if version == LATEST:
            return
        if version is not None and version > LATEST:
            raise AstragalError(say("this store was made by a newer version of Astragal; it is left as it is"))
    from alembic import command  # takes half a second to load, and hardly ever has anything to do
    from alembic.config import Config

    if connection.dialect.name == "postgresql":
        connection.execute(sa.select(sa.func.pg_advisory_xact_lock(ONE_AT_A_TIME)))
    config = Config()
    config.set_main_option("script_location", str(Path(__file__).parent / "migrations"))
    config.attributes["connection"] = connection
    command.upgrade(config, "head")


def prepare_sqlite(connection: Any, _record: object) -> None:
    """Every connection: readers never wait for the writer, and a commit is on the disk."""
    cursor = connection.cursor()
    for pragma in ("journal_mode=WAL", "synchronous=FULL", "busy_timeout=5000", "foreign_keys=ON"):
        cursor.execute(f"PRAGMA {pragma}")
    cursor.close()


def lock(url: str) -> IO[str] | None:
    """Keeps a second server off the embedded store. Whoever holds the file returned holds the lock."""
    database = sa.make_url(url).database
    if not url.startswith("sqlite") or not database or database.startswith("file:") or database == ":memory:":
        return None
    file = Path(database)
    try:
        file.parent.mkdir(parents=True, exist_ok=True)
        held = file.with_name(f"{file.name}.lock").open("w")
    except OSError as error:
        raise AstragalError(
            say("{file} cannot be opened: {reason}", file=str(file), reason=error.strerror or str(error))
        ) from None
    try:
        fcntl.flock(held, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError:
        held.close()
        raise AstragalError(
            say("another server uses {file}; for more than one, use PostgreSQL", file=str(file))
        ) from None
    return held


def check_free(url: str) -> None:
    """Refuses an embedded store that another server uses."""
    held = lock(url)
    if held is not None:
        held.close()


def check_there(url: str) -> None:
    """Refuses an embedded store that does not exist, rather than make an empty one."""
    database = sa.make_url(url).database
    if url.startswith("sqlite") and database and not database.startswith("file:") and not Path(database).is_file():
        raise AstragalError(say("there is no store at {file}", file=database))
