"""The last lines of this process's log, kept in memory for the host's page. Like the log they hold no secrets."""

from __future__ import annotations

import logging
from collections import deque

from msgspec import Struct

MOST_LINES = 1_000
MOST_LETTERS = 2_000  # of one line
_STANDARD = frozenset(vars(logging.makeLogRecord({}))) | {"message", "color_message", "taskName", "asctime"}


def added(record: logging.LogRecord) -> dict[str, object]:
    """What a line of the log has besides its text: `extra`, as the program gave it."""
    return {key: value for key, value in vars(record).items() if key not in _STANDARD}


class LogLine(Struct, frozen=True, kw_only=True):
    """One line of the log; lines are numbered from 1, also those that are forgotten by now."""

    n: int
    at_ms: int
    level: str
    text: str


class RecentLog(logging.Handler):
    """Keeps the last lines."""

    def __init__(self) -> None:
        super().__init__()
        self._lines: deque[LogLine] = deque(maxlen=MOST_LINES)
        self._last = 0

    def emit(self, record: logging.LogRecord) -> None:
        """Keeps one."""
        text = " ".join([record.getMessage(), *(f"{key}={value}" for key, value in added(record).items())])
        if record.exc_info:
            text = f"{text}\n{logging.Formatter().formatException(record.exc_info)}"
        self._last += 1
        self._lines.append(
            LogLine(
                n=self._last,
                at_ms=int(1000 * record.created),
                level=record.levelname.lower(),
                text=text if len(text) <= MOST_LETTERS else f"{text[:MOST_LETTERS]} ...",
            )
        )

    def after(self, n: int, level: int = logging.NOTSET) -> list[LogLine]:
        """The lines behind this number that are at least so grave."""
        names = logging.getLevelNamesMapping()
        return [line for line in self._lines.copy() if line.n > n and names[line.level.upper()] >= level]
