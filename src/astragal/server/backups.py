"""A copy of the embedded store that is whole, made while a server goes on using it; and putting one back."""

from __future__ import annotations

import contextlib
import os
import secrets
import sqlite3
import time
from pathlib import Path

import sqlalchemy as sa
from msgspec import Struct

from astragal.core.language import say
from astragal.core.recordfile import check_free
from astragal.core.types import AstragalError
from astragal.server import schema, store_file

FOLDER = "backups"  # beside the store
_ENDING = ".db"
TRIED = "-restoring"  # how the file that is being restored is called until it is known to be good


def write(url: str, target: Path) -> None:
    """Copies the store to a file that does not exist yet, for its owner's eyes only. Raises AstragalError."""
    source = _embedded(url)
    if not source.is_file():
        raise AstragalError(say("there is no store at {file}", file=str(source)))
    check_free(target)
    _copy(source, target, "mode=ro")


class Backup(Struct, frozen=True, kw_only=True):
    """A backup that the host's page made."""

    name: str
    made_ms: int
    bytes: int


def made(url: str) -> list[Backup]:
    """The backups in the folder beside the embedded store, the latest first. Raises AstragalError for other stores."""
    backups = []
    for file in _folder(url).glob(f"*{_ENDING}"):
        with contextlib.suppress(OSError):  # somebody deleted it meanwhile
            stat = file.stat()
            backups.append(Backup(name=file.name, made_ms=int(1000 * stat.st_mtime), bytes=stat.st_size))
    return sorted(backups, key=lambda each: (each.made_ms, each.name), reverse=True)


def make(url: str) -> Path:
    """Writes a new backup into that folder. Raises AstragalError."""
    folder = _folder(url)
    try:
        folder.mkdir(mode=0o700, exist_ok=True)
    except OSError as error:
        raise AstragalError(
            say("{file} cannot be opened: {reason}", file=str(folder), reason=error.strerror or str(error))
        ) from None
    target = (
        folder
        / f"{_embedded(url).stem}-{time.strftime('%Y%m%d-%H%M%S', time.gmtime())}-{secrets.token_hex(2)}{_ENDING}"
    )
    write(url, target)
    return target


def delete(url: str, name: str) -> None:
    """Deletes one of those backups. Raises AstragalError."""
    if name not in {each.name for each in made(url)}:
        raise AstragalError(say("there is no backup {name!r}", name=name))
    (_folder(url) / name).unlink(missing_ok=True)


def _folder(url: str) -> Path:
    return _embedded(url).parent / FOLDER


def restore(backup: Path, url: str) -> Path | None:
    """Puts a backup in the place of the store; where the store that was there is kept. Raises AstragalError.

    Nothing changes before the copy is known to be whole; then it takes the place of the old store in one step.
    """
    target = _embedded(url)
    if not backup.is_file():
        raise AstragalError(say("there is no store at {file}", file=str(backup)))
    if backup.resolve() == target:
        raise AstragalError(say("{file} is the store itself; name its backup", file=str(backup)))
    before = target.stat() if target.is_file() else None
    held = store_file.lock(url)  # makes an empty file where there was none
    fresh = target.with_name(target.name + TRIED)
    try:
        fresh.unlink(missing_ok=True)
        alone = not any(backup.with_name(backup.name + end).exists() for end in store_file.BESIDE)
        _copy(backup, fresh, "immutable=1" if alone else "mode=ro")  # it may lie where nothing can be written
        _check(fresh, backup)
        owner = before or target.parent.stat()
        if hasattr(os, "geteuid") and os.geteuid() == 0:
            os.chown(fresh, owner.st_uid, owner.st_gid)
        aside = None if before is None else _set_aside(target)
        fresh.replace(target)
        _sync(target.parent)
    except OSError as error:
        raise AstragalError(
            say("{file} cannot be opened: {reason}", file=str(target), reason=error.strerror or str(error))
        ) from None
    finally:
        fresh.unlink(missing_ok=True)
        if before is None and target.stat().st_size == 0:  # the empty file that was made for the lock
            target.unlink()
        if held is not None:
            held.close()
    return aside


def _embedded(url: str) -> Path:
    file = store_file.path(url)
    if file is None:
        raise AstragalError(say("this is for the embedded store; for PostgreSQL use pg_dump"))
    return file


def _copy(source: Path, target: Path, how: str) -> None:
    """Through SQLite itself, so that what is still in the log beside the source is in the copy."""
    address = f"{source.absolute().as_uri()}?{how}"
    try:
        os.close(os.open(target, os.O_CREAT | os.O_EXCL | os.O_WRONLY, store_file.PRIVATE))
        with (
            contextlib.closing(sqlite3.connect(address, uri=True)) as old,
            contextlib.closing(sqlite3.connect(target)) as new,
        ):
            old.backup(new)
            new.execute("PRAGMA journal_mode=DELETE")  # a file that is whole by itself
    except (sqlite3.Error, OSError) as error:
        target.unlink(missing_ok=True)
        raise AstragalError(say("the store cannot be used: {reason}", reason=str(error))) from None


def _check(file: Path, backup: Path) -> None:
    """Refuses a file that is damaged, or holds no matches of ours."""
    engine = sa.create_engine(f"sqlite:///{file}")
    try:
        with engine.connect() as connection:
            wrong = str(connection.scalar(sa.text("PRAGMA integrity_check(1)")))
            version = schema.check(connection) if wrong == "ok" else None
    except sa.exc.SQLAlchemyError as error:
        wrong, version = str(getattr(error, "orig", error)), None
    finally:
        engine.dispose()
    if wrong != "ok":
        raise AstragalError(say("{file} is damaged: {reason}", file=str(backup), reason=wrong))
    if version is None:
        raise AstragalError(say("{file} is no backup of a store", file=str(backup)))


def _set_aside(target: Path) -> Path:
    """Keeps the store that is there, with what SQLite has beside it, under another name."""
    kept = target.with_name(f"{target.name}.replaced-{time.strftime('%Y%m%d-%H%M%S')}-{os.getpid()}")
    for end in store_file.BESIDE:
        beside = target.with_name(target.name + end)
        if beside.exists():
            beside.replace(kept.with_name(kept.name + end))
    try:
        os.link(target, kept)  # the store keeps its name until the other one takes it over
    except OSError:
        target.replace(kept)
    return kept


def _sync(folder: Path) -> None:
    """The new names are on the disk. Windows opens no folders, and writes names at once."""
    if os.name != "posix":
        return
    descriptor = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)
