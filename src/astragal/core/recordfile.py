"""Records as files: JSON for programs, text for people. Both hold the same and turn into each other without loss.

Both forms keep one entry a line and end with a count and a fingerprint, so that a truncated or edited file is
noticed and the fault has a line number.
"""

from __future__ import annotations

import os
import tempfile
from pathlib import Path

from astragal.core.language import say
from astragal.core.line import replay
from astragal.core.record import BadRecord, Record
from astragal.core.recordfault import BadRecordFile
from astragal.core.recordjson import from_json, to_json
from astragal.core.recordtext import from_text, to_text
from astragal.core.rules import Game
from astragal.core.types import AstragalError, BadFile

__all__ = ["BadRecordFile", "check_free", "check_target", "parse", "put", "read", "to_json", "to_text", "write"]

FORMS = (".json", ".txt")  # how the names of records end


def read(file: Path) -> Record:
    """The record in a file of either form, replayed and checked. Raises BadRecordFile."""
    try:
        content = file.read_text(encoding="utf-8")
    except (OSError, ValueError) as error:  # ValueError: not UTF-8, or a name with a zero byte
        reason = error.strerror if isinstance(error, OSError) and error.strerror else str(error)
        raise BadRecordFile(str(file), None, "RC-1", say("cannot be read: {reason}", reason=reason)) from None
    return parse(content, str(file))


def parse(content: str, name: str = "record", *, game: Game | None = None) -> Record:
    """The record in this text of either form, replayed and checked. Raises BadRecordFile."""
    form = from_json if content.lstrip().startswith("{") else from_text
    record, lines, promised = form(content, name)
    # The entries are checked before the fingerprint: an illegal move is a better reason than `was edited`.
    try:
        replay(record, game)
    except BadRecord as error:
        line = lines.entry(error.entry) if error.entry is not None else lines.of_header(error)
        raise BadRecordFile(name, line, error.rule, error.text) from None
    if record.digest() != promised:
        raise BadRecordFile(
            name, lines.last, "RC-5", say("the fingerprint does not fit: the file was changed after it was written")
        )
    return record


def write(record: Record, file: Path) -> None:
    """Saves a record, as text if the name ends in `.txt`: whole or not at all, also when the power fails.

    Raises BadFile. Only the owner may read it, since it may hold the seed of dice that are still to be thrown.
    """
    put(file, to_text(record) if file.suffix == ".txt" else to_json(record))


def put(file: Path, content: str) -> None:
    """Writes a file whole or not at all. Raises BadFile."""
    try:
        _replace(file, content)
    except (OSError, ValueError) as error:  # ValueError: a name with a zero byte
        raise _unwritable(file, error) from None


def check_target(file: Path, *, make_folder: bool = False) -> None:
    """Refuses a name that is taken, or that no record can have. Raises AstragalError."""
    check_free(file, make_folder=make_folder)
    if file.suffix not in FORMS:
        raise AstragalError(say("{file}: the name should end in .json or .txt", file=str(file)))


def check_free(file: Path, *, make_folder: bool = False) -> None:
    """Refuses a name that is taken, or that no file can have: before the work that is to be written there."""
    try:
        if make_folder:
            file.parent.mkdir(parents=True, exist_ok=True)
        file.parent.stat()
        taken = file.exists()
    except (OSError, ValueError) as error:
        raise _unwritable(file, error) from None
    if taken:
        raise AstragalError(say("{file} exists; choose another name", file=str(file)))


def _unwritable(file: Path, error: Exception) -> BadFile:
    reason = getattr(error, "strerror", None) or str(error)
    return BadFile(str(file), None, say("cannot be written: {reason}", reason=reason))


def _replace(file: Path, content: str) -> None:
    handle, temporary = tempfile.mkstemp(dir=file.parent, prefix=f".{file.name}.")
    try:
        with os.fdopen(handle, "w", encoding="utf-8") as out:
            out.write(content)
            out.flush()
            os.fsync(out.fileno())
        Path(temporary).replace(file)
    except BaseException:
        Path(temporary).unlink(missing_ok=True)
        raise
