"""Drawing: ruled boards with gaps, blocks side by side, and SVG that is safe whatever is in it."""

from __future__ import annotations

import re
from itertools import product
from xml.etree import ElementTree

import pytest
from hypothesis import given
from hypothesis import strategies as st

from astragal.core.picture import Cell, beside, element, grid, paint, picture

SVG = "{http://www.w3.org/2000/svg}"
ANSI = re.compile(r"\x1b\[[0-9;]*m")


def board(drawing: str) -> dict[tuple[str, str], Cell]:
    """Cells where the drawing has a letter."""
    return {
        ("abcdef"[r], str(c + 1)): Cell(sign if sign != "x" else "")
        for r, line in enumerate(drawing.split())
        for c, sign in enumerate(line)
        if sign != "."
    }


@pytest.mark.parametrize(
    ("drawing", "lines"),
    [
        ("x", ["    1", "  ┌───┐", "a │   │", "  └───┘"]),
        ("xo", ["    1   2", "  ┌───┬───┐", "a │   │ o │", "  └───┴───┘"]),
        (
            "x. .x",
            ["    1   2", "  ┌───┐", "a │   │", "  └───┼───┐", "b     │   │", "      └───┘"],
        ),
        (
            "xx x.",
            ["    1   2", "  ┌───┬───┐", "a │   │   │", "  ├───┼───┘", "b │   │", "  └───┘"],
        ),
        (
            "xxx x.x xxx",
            [
                "    1   2   3",
                "  ┌───┬───┬───┐",
                "a │   │   │   │",
                "  ├───┼───┼───┤",
                "b │   │   │   │",
                "  ├───┼───┼───┤",
                "c │   │   │   │",
                "  └───┴───┴───┘",
            ],
        ),
        (
            "x..x xxxx",
            [
                "    1   2   3   4",
                "  ┌───┐       ┌───┐",
                "a │   │       │   │",
                "  ├───┼───┬───┼───┤",
                "b │   │   │   │   │",
                "  └───┴───┴───┴───┘",
            ],
        ),
    ],
)
def test_borders_run_round_what_exists(drawing: str, lines: list[str]) -> None:
    cells = board(drawing)
    rows = sorted({row for row, _ in cells})
    columns = [str(c + 1) for c in range(max(map(len, drawing.split())))]
    assert grid(rows, columns, cells).split("\n") == lines


@given(st.sets(st.tuples(st.sampled_from("abcd"), st.sampled_from("1234")), min_size=1))
def test_every_border_joins_its_neighbours(squares: set[tuple[str, str]]) -> None:
    """A line that leaves a corner arrives at the next one; what is no square has no inside."""
    joins = {"┌": "rd", "┐": "ld", "└": "ru", "┘": "lu", "├": "rdu", "┤": "ldu", "┬": "rld", "┴": "rlu", "┼": "rldu"}
    text = grid(list("abcd"), list("1234"), {square: Cell("o") for square in squares})
    lines = [line.ljust(19) for line in text.split("\n")[1:]]
    for r, c in product(range(0, 9, 2), range(2, 19, 4)):
        arms = joins.get(lines[r][c], "")
        assert (lines[r][c] == " ") == (arms == "")
        assert ("r" in arms) == (c + 1 < 19 and lines[r][c + 1] == "─")
        assert ("l" in arms) == (lines[r][c - 1] == "─")
        assert ("u" in arms) == (r > 0 and lines[r - 1][c] == "│")
        assert ("d" in arms) == (r < 8 and lines[r + 1][c] == "│")
    assert text.count("o") == len(squares)


def test_long_labels_and_wide_cells_line_up() -> None:
    text = grid(["a", "long"], ["1", "10"], {("a", "1"): Cell("ab"), ("long", "10"): Cell("x")}, width=5)
    assert text.split("\n") == [
        "        1     10",
        "     ┌─────┐",
        "   a │  ab │",
        "     └─────┼─────┐",
        "long       │  x  │",
        "           └─────┘",
    ]


def test_colour_wraps_cells_and_changes_no_character() -> None:
    cells = {("a", "1"): Cell("x", ink=1, paper=230, bold=True), ("a", "2"): Cell("y")}
    plain, coloured = grid(["a"], ["1", "2"], cells), grid(["a"], ["1", "2"], cells, colour=True)
    assert ANSI.sub("", coloured) == plain
    assert "\x1b[38;5;1;48;5;230;1m x \x1b[0m" in coloured
    assert "\x1b" not in plain


def test_paint_without_colours_is_only_text() -> None:
    assert paint("x") == "x"
    assert paint("x", ink=7) == "\x1b[38;5;7mx\x1b[0m"
    assert paint("x", bold=True) == "\x1b[1mx\x1b[0m"


def test_blocks_beside_each_other() -> None:
    assert beside("ab\nc", "x\ny\nz", gap=2) == "ab  x\nc   y\n    z"
    assert beside("one") == "one"


# SVG ----------------------------------------------------------------------------------------------------------


def test_elements() -> None:
    assert element("circle", cx=1, cy=2.50, r=10.0) == '<circle cx="1" cy="2.5" r="10"/>'
    assert element("g", ["<a/>", "<b/>"], klass="x") == '<g class="x"><a/><b/></g>'
    assert element("line", stroke_width=2, opacity=None) == '<line stroke-width="2"/>'
    assert element("text", "hi") == "<text>hi</text>"


@pytest.mark.parametrize(
    ("number", "written"),
    [
        (0.0, "0"),
        (1.0, "1"),
        (100.0, "100"),
        (0.5, "0.5"),
        (1 / 3, "0.33"),
        (-2.50, "-2.5"),
        (10.004, "10"),
        (30, "30"),
    ],
)
def test_numbers_are_short(number: float, written: str) -> None:
    assert element("a", x=number) == f'<a x="{written}"/>'


NASTY = st.text(
    alphabet=st.characters(exclude_categories=["Cs", "Cc"], exclude_characters="\ufffe\uffff")
    | st.sampled_from("<>&\"'"),
    max_size=30,
)


@given(NASTY)
def test_attributes_are_escaped(value: str) -> None:
    assert ElementTree.fromstring(element("a", name=value)).attrib["name"] == value


@given(NASTY, NASTY)
def test_titles_and_descriptions_are_escaped(title: str, description: str) -> None:
    root = ElementTree.fromstring(picture(10, 20.5, title, description, element("rect", width=1)))
    assert root.tag == f"{SVG}svg"
    assert root.attrib["viewBox"] == "0 0 10 20.5"
    assert root.attrib["aria-label"] == title
    assert (root.findtext(f"{SVG}title") or "") == title
    assert (root.findtext(f"{SVG}desc") or "") == description
    assert root.find(f"{SVG}rect") is not None


def test_a_style_stands_before_the_parts() -> None:
    svg = picture(1, 1, "t", "d", "<rect/>", style=".x{fill:red}")
    assert svg.index("<style>.x{fill:red}</style>") < svg.index("<rect/>")
    assert "<style" not in picture(1, 1, "t", "d")
