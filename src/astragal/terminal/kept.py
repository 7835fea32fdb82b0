"""Matches kept on disk while they are played: where they are, and which of them can go on.

A match is written to its file after everything that happens, whole or not at all (`recordfile.put`), so that whoever
kills the program finds it as it was. Files lie in the user's data folder. A match that the player keeps elsewhere has
a note there (`*.place`) that holds the path of its file.
"""

from __future__ import annotations

import hashlib
import time
from collections.abc import Iterator
from itertools import chain, count
from pathlib import Path
from typing import TYPE_CHECKING

import msgspec
from msgspec import Struct

from astragal.console.folders import saves
from astragal.core import line, recordfile
from astragal.core.language import Text, listed, say, say_count
from astragal.core.record import Record
from astragal.core.types import AstragalError
from astragal.play import sentences

if TYPE_CHECKING:
    from filelock import FileLock

NOTE = ".place"
HALF_WRITTEN_S = 3600.0  # after this time a temporary file is what a killed program left


class Unfinished(Struct, frozen=True):
    """A match that can go on."""

    file: Path
    record: Record

    def about(self) -> Text:
        """Which match it is, in one line."""
        played = line.replay(self.record)
        players = [sentences.player(seat, played.game) for seat in played.seats]
        return say_count(
            played.ply,
            "{name} ({players}; {n} ply)",
            "{name} ({players}; {n} plies)",
            name=self.file.stem,
            players=listed([who if isinstance(who, Text) else Text("{who}", {"who": who}) for who in players]),
        )


def free_file(name: str) -> Path:
    """A file in the data folder, of this name or, if that is taken, of one with a number."""
    names = chain([name], (f"{name}-{n}" for n in count(2)))
    return next(file for name in names if not (file := saves() / f"{name}.json").exists())


def note(file: Path) -> None:
    """Notes where a match is kept, if that is not the data folder. Raises BadFile."""
    place = file.absolute()
    if place.parent == saves().absolute():
        return
    name = hashlib.sha256(str(place).encode("utf-8", "surrogateescape")).hexdigest()[:16]
    own = saves() / f"{name}{NOTE}"
    if not own.exists():
        recordfile.check_free(own, make_folder=True)
        recordfile.put(own, f"{place}\n")


def hold(file: Path) -> FileLock:
    """Keeps a match from being played in two windows at once, until the lock is released. Raises AstragalError.

    Locks lie in a folder of their own, by the path of the file, and stay there when they are released.
    """
    from filelock import FileLock, Timeout  # takes as long to load as all the rest

    name = hashlib.sha256(str(file.resolve()).encode("utf-8", "surrogateescape")).hexdigest()[:16]
    held = FileLock(saves() / "locks" / f"{name}.lock", blocking=False)
    try:
        (saves() / "locks").mkdir(parents=True, exist_ok=True)
        held.acquire()
    except Timeout:
        raise AstragalError(say("{file} is being played in another window", file=str(file))) from None
    except OSError:  # a folder that cannot be written to: then it is not kept either, and the player is told
        pass
    return held


def unfinished() -> Iterator[Unfinished]:
    """Matches that can go on, the one played last first."""
    _tidy()
    files = {*saves().glob("*.json"), *_noted()}
    for file in sorted(files, key=_changed, reverse=True):
        try:
            record = None if _over(file) else recordfile.read(file)
        except AstragalError:
            continue
        if record is not None and record.result is None:
            yield Unfinished(file, record)


def nothing() -> Text:
    """What is said when there is no match to go on with."""
    return say("No match waits to go on. Every match you play here is kept until it is over.")


class _Result(Struct):
    """What a record in JSON says about its end."""

    result: tuple[float, ...] | None


def _over(file: Path) -> bool:
    """Whether a record says that it is over; quickly, since a player's folder fills with such matches."""
    try:
        return file.suffix == ".json" and msgspec.json.decode(file.read_bytes(), type=_Result).result is not None
    except (OSError, msgspec.MsgspecError):
        return False


def _noted() -> Iterator[Path]:
    for own in saves().glob(f"*{NOTE}"):
        try:
            file = Path(own.read_text("utf-8").removesuffix("\n"))
            if file.is_file():
                yield file
            else:
                own.unlink(missing_ok=True)
        except (OSError, ValueError):  # ValueError: not a text, or no name a file can have
            continue


def _changed(file: Path) -> float:
    try:
        return file.stat().st_mtime
    except OSError:  # gone since it was listed
        return 0.0


def _tidy() -> None:
    """Removes what programs left that were killed while they wrote."""
    for half in saves().glob(".*"):
        if time.time() - _changed(half) > HALF_WRITTEN_S:
            half.unlink(missing_ok=True)
