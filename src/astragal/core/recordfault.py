"""What is wrong with a record's file, and where in it."""

from __future__ import annotations

import msgspec
from msgspec import Struct

from astragal.core.language import Text
from astragal.core.record import BadRecord
from astragal.core.types import BadFile, BadOptions, BadPosition


class BadRecordFile(BadFile):
    """A file that is no record, or a record that breaks a rule; `rule` is that rule's id."""

    def __init__(self, name: str, line: int | None, rule: str, text: Text) -> None:
        super().__init__(name, line, text)
        self.rule = rule

    def to(self, lang: str) -> str:
        return f"{super().to(lang)} ({self.rule})"


class Lines(Struct):
    """Where in its file each part of a record stands."""

    header: int = 1
    options: dict[str, int] = msgspec.field(default_factory=dict)
    position: int = 0  # 0: on no line of its own
    entries: list[int] = msgspec.field(default_factory=list)
    result: int = 1
    last: int = 1

    def entry(self, number: int) -> int:
        """The line of an entry; what comes after the last one is the result."""
        return self.entries[number] if number < len(self.entries) else self.result

    def of_header(self, error: BadRecord) -> int:
        """The line of the option or position at fault, or of the header."""
        cause = error.__cause__
        if isinstance(cause, BadPosition):
            return self.position or self.header
        return self.options.get(cause.field, self.header) if isinstance(cause, BadOptions) else self.header
