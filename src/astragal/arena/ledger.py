"""The file of a contest: a line that says what is played, then a line for every round, in order.

Every line is on the disk before the next round counts, so that a contest that was killed goes on where it was. A last
line that was only half written is dropped.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import BinaryIO

import msgspec
from filelock import FileLock, Timeout

from astragal.arena.job import Job, Round
from astragal.core.language import say
from astragal.core.types import BadFile


class Ledger:
    """The rounds of a contest so far, and where they are kept, if anywhere."""

    def __init__(self, job: Job, rounds: list[Round], file: BinaryIO | None) -> None:
        self.job, self.rounds = job, rounds
        self._file = file

    def add(self, round: Round) -> None:
        """One more round, which is safe when this returns."""
        if self._file is not None:
            _write(self._file, round)
        self.rounds.append(round)


@contextmanager
def opened(job: Job, file: Path | None) -> Iterator[Ledger]:
    """The ledger of this contest, with what is in the file already. Raises BadFile, also for another contest's file."""
    if file is None:
        yield Ledger(job, [], None)
        return
    try:
        handle = file.open("a+b")
    except OSError as error:
        raise BadFile(
            str(file), None, say("cannot be written: {reason}", reason=error.strerror or str(error))
        ) from None
    with handle, _alone(file):
        handle.seek(0)
        content = handle.read()
        rounds, whole = _read(content, file, job)
        if whole < len(content):
            handle.truncate(whole)
        if not whole:
            _write(handle, job)
        yield Ledger(job, rounds, handle)


def _write(file: BinaryIO, line: Job | Round) -> None:
    file.write(msgspec.json.encode(line) + b"\n")
    file.flush()
    os.fsync(file.fileno())


def _read(content: bytes, file: Path, job: Job) -> tuple[list[Round], int]:
    """The rounds in a file of just this contest, and how many bytes of it are whole lines."""
    whole = content.rfind(b"\n") + 1
    if content and not whole and not msgspec.json.encode(job).startswith(content):
        raise BadFile(str(file), 1, say("this is not the file of a contest"))  # nor the beginning of one
    lines = content[:whole].splitlines()
    if not lines:
        return [], 0
    try:
        kept = msgspec.json.decode(lines[0], type=Job)
    except (msgspec.DecodeError, UnicodeDecodeError):
        raise BadFile(str(file), 1, say("this is not the file of a contest")) from None
    if kept != job:
        other = [name for name in Job.__struct_fields__ if getattr(kept, name) != getattr(job, name)]
        raise BadFile(
            str(file),
            1,
            say("this is another contest, with different {what}; name another file", what=", ".join(other)),
        )
    return [_round(file, job, number, line) for number, line in enumerate(lines[1:])], whole


def _round(file: Path, job: Job, number: int, line: bytes) -> Round:
    try:
        round = msgspec.json.decode(line, type=Round)
    except (msgspec.DecodeError, UnicodeDecodeError):
        raise BadFile(str(file), number + 2, say("this is not a round of a contest")) from None
    lucky = len(round.shares) if job.without_luck else 0
    if (round.pairing, round.round) != job.task(number) or not round.shares or len(round.luck) != lucky:
        raise BadFile(str(file), number + 2, say("this round is not the next one of the contest"))
    return round


@contextmanager
def _alone(file: Path) -> Iterator[None]:
    """Keeps a second arena away from the file, by a lock on a hidden file beside it, which stays there."""
    real = file.resolve()
    try:
        with FileLock(real.with_name(f".{real.name}.lock"), blocking=False):
            yield
    except Timeout:
        raise BadFile(str(file), None, say("another arena is writing to this file")) from None
