"""Whether the store works: what failed goes to the log as an error, and damage is remembered until the next start."""

from __future__ import annotations

import contextlib
import sqlite3
import time
from pathlib import Path

import asyncpg
import sqlalchemy as sa
from sqlalchemy.exc import StatementError

from astragal.core.language import say
from astragal.core.types import AstragalError
from astragal.server.metrics import logger

QUIET = 10.0  # seconds in which the same failure is not told again
EXPECTED = (sa.exc.SQLAlchemyError, sqlite3.Error, asyncpg.PostgresError, asyncpg.InterfaceError, OSError)
OUTAGES = (
    asyncpg.PostgresConnectionError,
    asyncpg.InsufficientResourcesError,
    asyncpg.OperatorInterventionError,
    asyncpg.InvalidAuthorizationSpecificationError,
    asyncpg.InvalidCatalogNameError,
    asyncpg.ReadOnlySQLTransactionError,
)
DAMAGED = ("SQLITE_CORRUPT", "SQLITE_NOTADB")


class StoreFailed(AstragalError):
    """The store could not do it: a full or read-only disk, a database that is gone. Nothing was changed."""


class BadText(StoreFailed):
    """A text that no store of ours takes: it holds NUL, or half of a surrogate pair."""


def check_text(text: str) -> None:
    """Refuses what PostgreSQL could not store; SQLite alike, so that both take the same. Raises BadText."""
    if "\0" in text or (not text.isascii() and any("\ud800" <= letter <= "\udfff" for letter in text)):
        raise BadText(say("a text holds a character that cannot be stored: {text}", text=ascii(text[:40])))


class Health:
    """What is known about the state of one store."""

    def __init__(self) -> None:
        self.damage = ""  # what is known to be broken; such a store is not ready
        self.failed_at = 0.0  # by time.monotonic
        self._logged_at: dict[str, float] = {}

    def failed(self, error: Exception) -> StoreFailed:
        """The error as whoever asked is told it; the host finds it in the log."""
        reason, text = _cause(error), _reason(error)
        if not isinstance(reason, BadText):
            if "malformed" in text or str(getattr(reason, "sqlite_errorname", "")).startswith(DAMAGED):
                self.damage = text
            self._tell(text, None if isinstance(error, EXPECTED) else error)
        return failed(error)

    def damaged(self, text: str) -> None:
        """A check of the whole store found this."""
        self.damage = text
        self._tell(text, None)

    def _tell(self, text: str, unexpected: Exception | None) -> None:
        self.failed_at = now = time.monotonic()
        if now - self._logged_at.get(text, -QUIET) >= QUIET:
            self._logged_at = {text: now}
            logger.error("the store failed: %s", text, exc_info=unexpected)


def failed(error: Exception) -> StoreFailed:
    """Why the store could not do it, in one line."""
    reason = _cause(error)
    if isinstance(reason, BadText):
        return reason
    return StoreFailed(say("the store cannot be used: {reason}", reason=_reason(error)))


def _cause(error: Exception) -> BaseException:
    return error.orig if isinstance(error, StatementError) and error.orig is not None else error


def _reason(error: Exception) -> str:
    return str(_cause(error)).strip() or type(error).__name__


def is_outage(error: Exception) -> bool:
    """Whether the store itself is the trouble, and not what was to be written."""
    if isinstance(error, asyncpg.PostgresError):
        return isinstance(error, OUTAGES)
    if isinstance(error, asyncpg.InterfaceError):
        return not isinstance(error, ValueError)  # what cannot be sent at all
    return isinstance(error, OSError | sqlite3.OperationalError)


def whole_check(file: Path, stopped: list[bool]) -> str:
    """Reads a whole embedded store and says what is broken, or nothing; ends early once `stopped` holds something."""
    with contextlib.closing(sqlite3.connect(f"{file.as_uri()}?mode=ro", uri=True)) as connection:
        connection.set_progress_handler(lambda: bool(stopped), 10_000)
        try:
            findings = [row[0] for row in connection.execute("PRAGMA quick_check(3)")]
        except sqlite3.OperationalError as error:
            findings = ["ok" if stopped else str(error)]
        except sqlite3.DatabaseError as error:
            findings = [str(error)]
    return "" if findings == ["ok"] else "; ".join(findings)
