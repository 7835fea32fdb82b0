"""The file of the embedded store: where it is, who may read it, and that one server at a time uses it.

SQLite keeps its own locks on the file by `fcntl`, and Linux drops all of a process's when it closes *any* descriptor of
that file. So nothing here opens the file of a store that this process may have open already: `lock` remembers what it
holds, and everything else goes by the path. Only on Linux do the locks of `flock` and those of SQLite not meet, so that
the store itself can be locked, by whatever name it is called; elsewhere the lock is on a file beside it.
"""

from __future__ import annotations

import contextlib
import os
import stat
import sys
from collections.abc import Callable
from pathlib import Path

import sqlalchemy as sa
from filelock import FileLock, Timeout

from astragal.core.language import say
from astragal.core.types import AstragalError
from astragal.server.metrics import logger

PRIVATE = 0o600  # stores hold the seeds of dice and what is hidden in running matches
BESIDE = ("-wal", "-shm", "-journal")  # what SQLite keeps beside a store

_held: set[tuple[int, int]] = set()  # device and inode of the files this process has locked


def path(url: str) -> Path | None:
    """The file of an embedded store, with symbolic links followed; None for any other store, or one in memory."""
    address = sa.make_url(url)
    name = address.database or ""
    if not url.startswith("sqlite") or name in ("", ":memory:") or address.query.get("mode") == "memory":
        return None
    return Path(os.path.realpath(name.removeprefix("file:")))


def existing(url: str) -> Path | None:
    """Like `path`. Raises AstragalError if there is no such file."""
    file = path(url)
    if file is not None and not file.is_file():
        raise AstragalError(say("there is no store at {file}", file=str(file)))
    return file


def make_private(url: str) -> None:
    """Lets only its owner read a store, also one that is still to be made, and says so in the log."""
    file = path(url)
    if file is None or sa.make_url(url).query.get("mode") == "ro":
        return
    with contextlib.suppress(OSError):  # it is there already, or SQLite says better what is wrong with the place
        file.parent.mkdir(parents=True, exist_ok=True)
        os.close(os.open(file, os.O_CREAT | os.O_EXCL | os.O_WRONLY, PRIVATE))
    for each in (file, *(file.with_name(file.name + end) for end in BESIDE)):
        with contextlib.suppress(OSError):
            if stat.S_IMODE(each.stat().st_mode) & 0o077:
                each.chmod(PRIVATE)
                logger.warning("others could read %s, which holds seeds; now only its owner can", each)


class StoreLock:
    """Keeps a second server off an embedded store, by whatever name it calls it. Held until it is closed."""

    def __init__(self, key: tuple[int, int], release: Callable[[], None]) -> None:
        self._key, self._release = key, release
        _held.add(key)

    def close(self) -> None:
        """Only after all connections to the store are closed: this would drop their locks."""
        _held.discard(self._key)
        self._release()


def lock(url: str) -> StoreLock | None:
    """Locks an embedded store for one server; None for any other store. Raises AstragalError."""
    file = path(url)
    if file is None:
        return None
    in_use = AstragalError(say("another server uses {file}; for more than one, use PostgreSQL", file=str(file)))
    make_private(url)
    try:
        key = _key(file.stat())
        if key in _held:
            raise in_use
        release = _lock_itself(file) if sys.platform == "linux" else _lock_beside(file)
    except OSError as error:
        raise AstragalError(
            say("{file} cannot be opened: {reason}", file=str(file), reason=error.strerror or str(error))
        ) from None
    if release is None:
        raise in_use
    return StoreLock(key, release)


def check_free(url: str) -> None:
    """Refuses an embedded store that another server uses."""
    held = lock(url)
    if held is not None:
        held.close()


def _key(status: os.stat_result) -> tuple[int, int]:
    return status.st_dev, status.st_ino


def _lock_itself(file: Path) -> Callable[[], None] | None:
    """Locks the store, and how to let go of it; None if another process has locked it."""
    import fcntl  # there is none on Windows

    descriptor = os.open(file, os.O_RDONLY)
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError:
        os.close(descriptor)
        return None
    return lambda: os.close(descriptor)


def _lock_beside(file: Path) -> Callable[[], None] | None:
    """Like `_lock_itself`, by a lock on a file beside the store."""
    beside = FileLock(file.with_name(f"{file.name}.lock"), mode=PRIVATE, blocking=False)
    try:
        beside.acquire()
    except Timeout:
        return None
    return beside.release
