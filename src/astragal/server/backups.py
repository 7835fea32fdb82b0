"""A copy of the embedded store that is whole, made while a server goes on using it."""

from __future__ import annotations

import contextlib
import sqlite3
from pathlib import Path

import sqlalchemy as sa

from astragal.core.language import say
from astragal.core.recordfile import check_free
from astragal.core.types import AstragalError


def write(url: str, target: Path) -> None:
    """Copies the store to a file that does not exist yet. Raises AstragalError."""
    if not url.startswith("sqlite"):
        raise AstragalError(say("this is for the embedded store; for PostgreSQL use pg_dump"))
    source = Path(str(sa.make_url(url).database))
    if not source.is_file():
        raise AstragalError(say("there is no store at {file}", file=str(source)))
    check_free(target)
    try:
        with (
            contextlib.closing(sqlite3.connect(f"file:{source}?mode=ro", uri=True)) as old,
            contextlib.closing(sqlite3.connect(target)) as new,
        ):
            old.backup(new)
    except sqlite3.Error as error:
        target.unlink(missing_ok=True)
        raise AstragalError(say("the store cannot be used: {reason}", reason=str(error))) from None
