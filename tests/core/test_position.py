"""What all position notations are written with, and what is said about lines that are none."""

from __future__ import annotations

import pytest

from astragal.core.language import LANGUAGES
from astragal.core.position import NONE, named_parts, one_line, parts
from astragal.core.types import BadPosition
from tests.core.toy import RULES, Options, State


def where(text: str, *names: str, least: int | None = None) -> tuple[int, str]:
    with pytest.raises(BadPosition) as refused:
        parts(text, *names, least=least)
    return refused.value.column, refused.value.part


def test_parts_know_where_they_begin() -> None:
    one, two = parts("  a,b  12 ", "letters", "number")
    assert (one.text, one.column, one.name) == ("a,b", 3, "letters")
    assert [(piece.text, piece.column) for piece in one.split(",")] == [("a", 3), ("b", 5)]
    assert (two.number(0, 12), two.column) == (12, 8)
    assert parts(NONE, "letters")[0].split(",") == ()


def test_too_few_and_too_many_parts_are_told_by_name() -> None:
    assert where("a", "first", "second") == (2, "second")
    assert where("", "first") == (1, "first")
    assert where("a b c", "first", "second") == (5, "second")
    assert where("a", "first", "second", "third", least=2) == (2, "second")
    assert len(parts("a b", "first", "second", "third", least=2)) == 2


@pytest.mark.parametrize("text", ["13", "-1", "x", "", "1.0", "²", "9" * 400])
def test_a_number_out_of_bounds_says_the_bounds(text: str) -> None:
    (part,) = parts(f"a={text}", "part")
    _, number = part.split("=")
    with pytest.raises(BadPosition, match="should be a number from 0 to 12") as refused:
        number.number(0, 12)
    assert refused.value.column == 3


@pytest.mark.parametrize(
    ("text", "column", "part", "reason"),
    [
        ("a=1 c=2", 5, "the line", "'c=2' should be one of a=, b="),
        ("a=1 b", 5, "the line", "'b' should be one of a=, b="),
        ("a=1 a=2", 7, "a", "twice"),
        ("b=1", 4, "a", "missing"),
    ],
)
def test_named_parts_are_there_once(text: str, column: int, part: str, reason: str) -> None:
    assert named_parts("b=2  a=1", {"a": True, "b": False})["a"].column == 8
    with pytest.raises(BadPosition, match=reason) as refused:
        named_parts(text, {"a": True, "b": False})
    assert (refused.value.column, refused.value.part) == (column, part)


@pytest.mark.parametrize(("text", "column"), [("a\nb", 2), ("\x00", 1), ("a b\ud800", 4), ("x" * 30_000, 20_001)])
def test_a_position_is_one_line(text: str, column: int) -> None:
    with pytest.raises(BadPosition, match="one line") as refused:
        one_line(text)
    assert refused.value.column == column


def test_the_message_says_where_in_every_language() -> None:
    with pytest.raises(BadPosition) as refused:
        RULES.from_position("1 2,9 -", Options(), 2)
    told = {lang: refused.value.to(lang) for lang in LANGUAGES}
    assert told["en"] == "position, column 5 (the cards): '9' should be a number from 1 to 3"
    assert told["de"].startswith("Stellung, Spalte 5 (")
    assert told["es"].startswith("posición, columna 5 (")
    assert str(refused.value) == told["en"]


def test_the_toy_writes_and_reads() -> None:
    state = State(Options(), 1, (3, 2), ("bid",))
    assert RULES.position(state) == "2 3,2 bid"
    assert RULES.from_position(" 2  3,2 bid", Options(), 2) == state
