"""The store's tables brought up to date, and the embedded store prepared."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import sqlalchemy as sa

from astragal.core.language import say
from astragal.core.types import AstragalError
from astragal.server.tables import metadata

LATEST = "0006"  # the newest of migrations/versions
ONE_AT_A_TIME = 7_305_824_112  # PostgreSQL's advisory lock while tables are changed


class UnknownSchema(AstragalError):
    """A database whose tables this program does not know."""


def upgrade(connection: sa.Connection) -> None:
    """Runs the migrations that this database has not seen yet. Raises UnknownSchema, and then has changed nothing."""
    if check(connection) == LATEST:
        return
    from alembic import command

    if connection.dialect.name == "postgresql":
        connection.execute(sa.select(sa.func.pg_advisory_xact_lock(ONE_AT_A_TIME)))
    config = _config()
    config.attributes["connection"] = connection
    command.upgrade(config, "head")


def check(connection: sa.Connection) -> str | None:
    """The version of the tables of a database; None for an empty one. Raises UnknownSchema."""
    tables = set(sa.inspect(connection).get_table_names())
    versions = []
    if "alembic_version" in tables:
        versions = list(connection.scalars(sa.text("SELECT version_num FROM alembic_version")))
    if versions == [LATEST]:
        return LATEST
    if not versions:
        if strange := sorted(tables & set(metadata.tables)):
            raise UnknownSchema(
                say("this database has tables {tables} that Astragal did not make", tables=", ".join(strange))
            )
        return None
    version = str(versions[0])
    if version.isdecimal() and version > LATEST:
        raise UnknownSchema(say("this store was made by a newer version of Astragal; it is left as it is"))
    from alembic.script import ScriptDirectory  # takes half a second to load, and hardly ever has anything to do

    known = {script.revision for script in ScriptDirectory.from_config(_config()).walk_revisions()}
    if len(versions) > 1 or version not in known:
        raise UnknownSchema(
            say(
                "this store has tables of version {version!r}, which this program does not know; it is left as it is",
                version=", ".join(map(str, versions)),
            )
        )
    return version


def _config() -> Any:
    from alembic.config import Config

    config = Config()
    config.set_main_option("script_location", str(Path(__file__).parent / "migrations"))
    return config


def prepare_sqlite(connection: Any, _record: object) -> None:
    """Sets up every new connection: WAL, so that readers never wait for the writer, and commits that reach the disk."""
    cursor = connection.cursor()
    for pragma in ("journal_mode=WAL", "synchronous=FULL", "busy_timeout=5000", "foreign_keys=ON"):
        cursor.execute(f"PRAGMA {pragma}")
    cursor.close()
