"""Reading a game's data files: boards, layouts, decks. They are TOML, so that an owner of the box can edit them.

A fault is reported with the file, the line and what would be right; nothing is half loaded.
"""

from __future__ import annotations

import re
import tomllib
from pathlib import Path
from typing import TypeVar

import msgspec

from astragal.core.bounds import MOST_BYTES, explained, shortened
from astragal.core.language import Text, say
from astragal.core.types import BadFile

T = TypeVar("T")


class BadData(ValueError):
    """What a struct's own check found: the key that is wrong, and why. `load_toml` adds file and line.

    A ValueError, so that msgspec reports it with its place wherever the struct is read from.
    """

    def __init__(self, key: str, text: Text) -> None:
        super().__init__(f"{key}: {text}")
        self.key, self.text = key, text


def load_toml(file: Path, kind: type[T]) -> T:
    """The struct in a TOML file. The struct may check itself in `__post_init__` by raising BadData."""
    return parse_toml(read_text(file), kind, str(file))


def read_text(file: Path) -> str:
    """The content of a data file of reasonable size. Raises BadFile."""
    try:
        if file.stat().st_size > MOST_BYTES:
            raise BadFile(str(file), None, say("is larger than {most} bytes", most=MOST_BYTES))
        return file.read_text(encoding="utf-8")
    except OSError as error:
        raise BadFile(str(file), None, say("cannot be read: {reason}", reason=error.strerror or str(error))) from None
    except UnicodeDecodeError as error:
        raise BadFile(str(file), None, say("cannot be read: {reason}", reason=error.reason)) from None
    except ValueError as error:  # a name with a zero byte
        raise BadFile(str(file), None, say("cannot be read: {reason}", reason=str(error))) from None


def parse_toml(content: str, kind: type[T], name: str) -> T:
    """The struct in this TOML text. Raises BadFile."""
    try:
        raw = tomllib.loads(content)
    except tomllib.TOMLDecodeError as error:
        place = re.search(r"at line (\d+)", str(error))
        line = int(place[1]) if place else content.count("\n") + 1
        raise BadFile(name, line, say("this is not TOML: {reason}", reason=str(error))) from None
    except RecursionError:
        raise BadFile(name, None, say("this is not TOML: {reason}", reason="nested too deeply")) from None
    except ValueError as error:  # a number with more digits than Python reads
        raise BadFile(name, None, say("this is not TOML: {reason}", reason=str(error))) from None
    try:
        return msgspec.convert(raw, kind)
    except msgspec.ValidationError as error:
        cause = error.__cause__
        if isinstance(cause, BadData):  # raised inside __post_init__
            raise BadFile(name, line_of(content, cause.key), cause.text) from None
        reason, _, path = str(error).partition(" - at `$")
        key = path.strip("`.").split("[")[0]
        if unknown := re.search(r"unknown field `(.+)`", reason):
            key = f"{key}.{unknown[1]}".lstrip(".")
        text = explained(reason)
        sentence = say("{key}: {reason}", key=shortened(key), reason=text) if key else text
        raise BadFile(name, line_of(content, key), sentence) from None


def line_of(content: str, key: str) -> int | None:
    """The line on which a TOML file sets a key, or opens the table of that name."""
    last = key.split(".")[-1]
    pattern = re.compile(rf"\s*([\"']?){re.escape(last)}\1\s*=|\s*\[+\s*{re.escape(key)}\s*\]")
    for number, line in enumerate(content.split("\n"), 1):
        if key and pattern.match(line):
            return number
    return None
