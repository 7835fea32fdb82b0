"""Helpers for reading position notations: parts of a line that know their column, for errors that say where.

A notation is one line. Its parts are told apart by spaces, and each has a name: by its place (`parts`), or by a word
in front of it (`named_parts`). Whatever is wrong with a part is raised by it as BadPosition, with its column.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any, TypeVar

import msgspec
from msgspec import Struct

from astragal.core.language import Text, noted, say
from astragal.core.types import BadPosition, Schema

T = TypeVar("T")

NONE = "-"
"""How a notation writes that there is nothing: no piece, no tile."""

LONGEST = 20_000  # characters of a line; no real one comes near
LINE = noted("the line")  # the part that is wrong where no other can be named


class Part(Struct, frozen=True):
    """A piece of the line."""

    name: str  # English, and a key of the catalogue; or the word that stands in front of it
    text: str
    column: int  # where it begins, from 1

    def error(self, reason: Text, at: int = 0) -> BadPosition:
        """What to raise: this part is wrong, from its character number `at` (from 0)."""
        return BadPosition(self.column + at, self.name, reason)

    def unlike(self, expected: Text | str) -> BadPosition:
        """What to raise: something else should stand here."""
        return self.error(say("{text!r} should be {expected}", text=self.text[:40], expected=expected))

    def split(self, sign: str) -> tuple[Part, ...]:
        """Its pieces between these signs; a part that says `-` has none."""
        if self.text == NONE:
            return ()
        pieces, column = [], self.column
        for text in self.text.split(sign):
            pieces.append(Part(self.name, text, column))
            column += len(text) + len(sign)
        return tuple(pieces)

    def pieces(self, sign: str, count: int, expected: Text | str) -> tuple[Part, ...]:
        """Its pieces between these signs, if there are just so many."""
        pieces = self.split(sign)
        if len(pieces) != count:
            raise self.unlike(expected)
        return pieces

    def number(self, low: int, high: int) -> int:
        """The number that stands here."""
        if not re.fullmatch(r"[0-9]{1,6}", self.text) or not low <= int(self.text) <= high:
            raise self.unlike(say("a number from {low} to {high}", low=low, high=high))
        return int(self.text)

    def word(self, meanings: Mapping[str, T]) -> T:
        """What the word that stands here means."""
        if self.text not in meanings:
            raise self.unlike(say("one of {words}", words=", ".join(meanings)))
        return meanings[self.text]


def one_line(text: str) -> str:
    """The line without spaces at its ends. Raises BadPosition for more than a line."""
    line = text.rstrip()
    if len(line) > LONGEST or not line.isprintable():
        at = next((n for n, sign in enumerate(line) if not sign.isprintable()), LONGEST)
        raise BadPosition(at + 1, LINE, say("a position is one line of plain text"))
    return line


def parts(text: str, *names: str, least: int | None = None) -> tuple[Part, ...]:
    """The parts of a line by their places; those after the first `least` need not be there."""
    line = one_line(text)
    parts = [
        Part(names[min(n, len(names) - 1)], word[0], word.start() + 1)
        for n, word in enumerate(re.finditer(r"\S+", line))
    ]
    if len(parts) > len(names):
        raise parts[len(names)].error(say("nothing more should follow"))
    if len(parts) < (len(names) if least is None else least):
        raise BadPosition(len(line) + 1, names[len(parts)], say("this part is missing"))
    return tuple(parts)


def named_parts(text: str, names: Mapping[str, bool]) -> dict[str, Part]:
    """The parts of a line by the words in front of them, as in `turn=2`. True marks those that must be there."""
    line = one_line(text)
    parts: dict[str, Part] = {}
    for word in re.finditer(r"\S+", line):
        name, sign, value = word[0].partition("=")
        if not sign or name not in names:
            expected = say("one of {words}", words=", ".join(f"{name}=" for name in names))
            raise Part(LINE, word[0], word.start() + 1).unlike(expected)
        part = Part(name, value, word.start() + len(name) + 2)
        if name in parts:
            raise part.error(say("this part stands here twice"))
        parts[name] = part
    for name, needed in names.items():
        if needed and name not in parts:
            raise BadPosition(len(line) + 1, name, say("this part is missing"))
    return parts


def as_json(state: Any) -> str:
    """A state without its options as one line of JSON."""
    plain = msgspec.to_builtins(state)
    del plain["options"]
    return msgspec.json.encode(plain).decode()


def from_json(text: str, initial: Any, state_type: Schema) -> Any:
    """The state that `as_json` wrote; `initial` is one under the same options."""
    line = one_line(text)
    try:
        plain = msgspec.json.decode(line, type=dict[str, Any])
        return msgspec.convert({**plain, "options": msgspec.to_builtins(initial.options)}, state_type)
    except msgspec.ValidationError as error:
        reason, _, path = str(error).partition(" - at `$")
        raise BadPosition(1, path.strip(".`") or LINE, Text("{reason}", {"reason": reason})) from None
    except msgspec.DecodeError as error:
        byte = re.search(r"byte (\d+)", str(error))
        column = len(line.encode()[: int(byte[1])].decode(errors="replace")) + 1 if byte else len(line) + 1
        raise BadPosition(column, LINE, Text("{reason}", {"reason": str(error)})) from None
