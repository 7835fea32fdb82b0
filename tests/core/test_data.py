"""Data files: what is wrong with one is said with its line, and nothing is half loaded."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec import Struct

from astragal.core.bounds import MOST_BYTES
from astragal.core.data import BadData, line_of, load_toml, parse_toml
from astragal.core.language import say
from astragal.core.types import BadFile


class Inner(Struct, frozen=True, forbid_unknown_fields=True):
    size: int = 1


class Box(Struct, frozen=True, forbid_unknown_fields=True):
    name: str
    count: int
    cards: tuple[str, ...] = ()
    inner: Inner = Inner()

    def __post_init__(self) -> None:
        if self.count > 9:
            raise BadData("count", say("{n} is more than nine", n=self.count))
        if self.name == "none":
            raise BadData("nothing", say("there is no such key"))


GOOD = """\
# a box
name = "box"

count = 3
cards = [
  "one",
  "two",
]

[inner]
size = 2
"""


def fault(content: str) -> BadFile:
    with pytest.raises(BadFile) as caught:
        parse_toml(content, Box, "box.toml")
    assert str(caught.value).startswith("box.toml")
    assert "\n" not in str(caught.value)
    return caught.value


def changed(old: str, new: str) -> str:
    assert old in GOOD
    return GOOD.replace(old, new)


def test_a_good_file_is_read(tmp_path: Path) -> None:
    file = tmp_path / "box.toml"
    file.write_text(GOOD, encoding="utf-8")
    assert load_toml(file, Box) == Box("box", 3, ("one", "two"), Inner(2))


@pytest.mark.parametrize(
    ("content", "line"),
    [
        (changed('name = "box"', 'name = "box'), 2),
        (changed('name = "box"', "name"), 2),
        (changed("count = 3", "count = = 3"), 4),
        (changed("count = 3", "count = 3\ncount = 4"), 5),
        (changed("]\n\n[inner]", "\n[inner]"), 9),
        (changed("[inner]", "[inner"), 10),
        ("name = 2024-13-45", 1),
        ('name = "\0"', 1),
        ("x = " + "[" * 40, 1),
    ],
)
def test_what_is_not_toml_is_refused_with_its_line(content: str, line: int) -> None:
    error = fault(content)
    assert error.line == line
    assert "this is not TOML" in str(error)


@pytest.mark.parametrize(
    ("content", "line", "says"),
    [
        (changed("count = 3", 'count = "three"'), 4, "count"),
        (changed("count = 3", "count = 3.5"), 4, "count"),
        (changed('name = "box"', "name = 7"), 2, "name"),
        (changed('"two"', "2"), 5, "cards"),
        (changed("size = 2", "size = true"), 11, "size"),
        (changed("[inner]\nsize = 2", "inner = 3"), 10, "inner"),
        (changed('name = "box"', "'name' = 7"), 2, "name"),
        (changed('name = "box"', '"name" = 7'), 2, "name"),
    ],
)
def test_a_wrong_value_is_refused_with_its_line(content: str, line: int, says: str) -> None:
    error = fault(content)
    assert error.line == line
    assert says in str(error)


def test_a_structs_own_check_is_refused_with_its_line() -> None:
    error = fault(changed("count = 3", "count = 10"))
    assert (error.line, str(error)) == (4, "box.toml, line 4: 10 is more than nine")


def test_a_check_of_something_that_has_no_line() -> None:
    assert fault(changed('"box"', '"none"')).line is None


def test_a_missing_key_has_no_line_but_a_name() -> None:
    error = fault(changed("count = 3\n", ""))
    assert error.line is None
    assert "count" in str(error)


@pytest.mark.parametrize(
    ("content", "line"), [(changed("count = 3", "count = 3\ncolour = 1"), 5), (GOOD + "weight = 3\n", 12)]
)
def test_an_unknown_key_is_refused_with_its_line(content: str, line: int) -> None:
    error = fault(content)
    assert "colour" in str(error) or "weight" in str(error)
    assert error.line == line


@pytest.mark.parametrize(
    "content",
    ["count = " + "9" * 5000, "x = " + "[" * 20_000 + "]" * 20_000, "x" + ".x" * 2_000 + " = 1"],
    ids=["a huge number", "deep lists", "a deep key"],
)
def test_files_made_to_break_the_reader_are_refused(content: str) -> None:
    fault(content)


@given(st.text(max_size=80))
def test_any_text_is_a_struct_or_a_bad_file(text: str) -> None:
    for content in (text, GOOD.replace("3", text), text + GOOD):
        try:
            parse_toml(content, Box, "box.toml")
        except BadFile as error:
            assert error.line is None or 1 <= error.line <= content.count("\n") + 1


@pytest.mark.parametrize("kind", ["missing", "folder", "bytes"])
def test_files_that_cannot_be_read(tmp_path: Path, kind: str) -> None:
    file = tmp_path / "box.toml"
    if kind == "folder":
        file.mkdir()
    if kind == "bytes":
        file.write_bytes(b"name = '\xff'")
    with pytest.raises(BadFile, match="cannot be read") as caught:
        load_toml(file, Box)
    assert caught.value.name == str(file)


def test_a_file_that_is_far_too_large_is_not_read(tmp_path: Path) -> None:
    file = tmp_path / "box.toml"
    with file.open("wb") as out:
        out.truncate(MOST_BYTES + 1)
    with pytest.raises(BadFile, match="larger"):
        load_toml(file, Box)


@pytest.mark.parametrize(
    ("key", "line"),
    [
        ("name", 2),
        ("count", 4),
        ("cards", 5),
        ("inner", 10),
        ("inner.size", 11),
        ("two", None),
        ("", None),
        ("nam", None),
    ],
)
def test_the_line_of_a_key(key: str, line: int | None) -> None:
    assert line_of(GOOD, key) == line
