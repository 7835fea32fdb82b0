"""Boards: the shipped ones, and a host's own."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from astragal.core import options as core_options
from astragal.core.language import LANGUAGES
from astragal.core.types import BadFile, BadOptions
from astragal.games.nile.board import COLUMNS, Board, BoardName, Group, grid
from astragal.games.nile.options import PRESETS, Options
from tests.games.nile.positions import RULES, final
from tests.games.nile.walker import DATA, Sheet, spot_of, walk

FIRST_COLOURS = {
    ("green", 10): 5, ("green", 20): 15, ("green", 30): 11, ("green", 40): 3, ("green", 50): 3,
    ("red", 10): 3, ("red", 20): 14, ("red", 30): 11, ("red", 40): 4, ("red", 50): 4,
}  # fmt: skip
CONTENT = (DATA / "board-small.toml").read_text("utf-8")


@pytest.mark.rule("NI-1")
@pytest.mark.parametrize("name", ["nile", "first"])
def test_the_board_of_the_game(name: BoardName) -> None:
    """What is known of it: the grid, the start and the goal scale. The rest is ours, and alike on both sides."""
    ground = grid(name)
    assert (ground.columns, ground.rows, len(ground.fields)) == (21, 22, 462)
    assert ground.names[ground.start] == "K1"
    top = [ground.fields[number].number for number in sorted(ground.blue)]
    assert top == [500, 450, 400, 350, 300, 250, 200, 150, 100, 50, 50, 50, 100, 150, 200, 250, 300, 350, 400, 450, 500]
    assert ground.group, "there are U-groups"
    for field in ground.fields.values():
        mirrored = ground.fields[ground.number[f"{COLUMNS[20 - field.column]}{field.row + 1}"]]
        assert (field.colour, field.number) == (mirrored.colour, mirrored.number)


@pytest.mark.rule("NI-1")
def test_the_first_board_stays_as_it_was() -> None:
    ground = grid("first")
    assert len(set(ground.group.values())) == 8, "A, C and E twice, B and D once"
    assert Counter(Counter(ground.group.values()).values()) == {7: 8}, "seven fields each"
    colours = Counter(
        (field.colour, field.number) for field in ground.fields.values() if field.colour in ("green", "red")
    )
    assert colours == FIRST_COLOURS
    penalties = {field.letter: field.number for field in ground.fields.values() if field.letter}
    assert penalties == {"A": 30, "B": 50, "C": 40, "D": 40, "E": 30}


@pytest.mark.rule("NI-1")
@pytest.mark.parametrize("name", ["nile", "small", "first"])
def test_the_grid_is_what_the_file_says(name: str) -> None:
    ground, sheet = grid(name), Sheet.shipped(name)
    for field in ground.fields.values():
        sign = sheet.sign(spot_of(field.name))
        numbers = {"green": f"+{field.number}", "red": f"-{field.number}", "blue": f"{field.number}", "start": "*"}
        assert sign == numbers.get(field.colour, f"{field.letter}#" if field.letter else ".")
        if field.letter:
            assert field.number == sheet.penalty[field.letter]


@pytest.mark.rule("NI-4")
def test_neighbours_lie_across_sides_and_corners() -> None:
    ground = grid("small")
    around = [ground.names.get(number, "-") for number in ground.beyond[ground.number["E5"]]]
    assert around == ["E6", "F6", "F5", "F4", "E4", "D4", "D5", "D6"]
    assert [ground.names.get(number, "-") for number in ground.beyond[ground.number["A1"]]] == [
        "A2", "B2", "B1", "-", "-", "-", "-", "-",
    ]  # fmt: skip


def load(content: str, tmp_path: Path) -> Board:
    file = tmp_path / "mine.toml"
    file.write_text(content, "utf-8")
    return Board.load(file)


def test_a_file_of_ones_own_is_the_same_board(tmp_path: Path) -> None:
    board = load(CONTENT.replace('name = "small"', 'name = "mine"'), tmp_path)
    assert grid(board).fields == grid("small").fields
    again = core_options.convert(RULES, msgspec.json.decode(msgspec.json.encode(Options(board=board))))
    assert again == Options(board=board)
    walk(Sheet.shipped("small"), final(3, Options(board=board), 2).river)


@pytest.mark.parametrize("lang", LANGUAGES)
def test_the_board_on_the_rules_pages_can_be_played(lang: str, tmp_path: Path) -> None:
    page = (Path(__file__).parents[3] / "docs" / "rules" / lang / "nile.md").read_text("utf-8")
    example = page.split("```toml\n")[1].split("```")[0]
    board = load(example, tmp_path)
    assert (grid(board).columns, grid(board).rows) == (5, 6)
    final(1, Options(board=board), 3)


@pytest.mark.rule("NI-1")
@pytest.mark.parametrize(
    ("old", "new", "line", "reason"),
    [
        ("+10   . +10", "+10   x +10", 14, "row 3, column F: 'x' is no field"),
        (" -10   .", " -100   .", 13, "row 4, column F: '-100' is no field"),
        ("12 200 150", "12 200 -15", 5, "row 12, column B: the top row is blue"),
        ("12 200 150", "12 200 1500", 5, "row 12, column B: the top row is blue"),
        (" 2   .   .", " 2   . ", 15, "row 2: 10 fields, but the top row has 11"),
        (" 2   .   .", " 7   .   .", 15, "row 2: it should begin with its number, not with '7'"),
        (" 2   .   .", " 2   .   *", 15, "row 2, column B: the start is in row 1"),
        (".   *   .", ".   .   .", 4, "a board has one start '\\*', this one has 0"),
        (".   *   .", "*   *   .", 4, "a board has one start '\\*', this one has 2"),
        (" 2   .   .", " 2   .  Z#", 15, "row 2, column B: the group Z has no penalty"),
        (" 2   .   .", " 2   .  B#", 15, "row 2, column B: the group B is not shaped like a U"),
        ("  A#  A#  A# +10", "  A#   .  A# +10", 12, "row 3, column B: the group A is not shaped like a U"),
        ('letter = "B"', 'letter = "A"', 20, "a group is listed twice"),
        ("penalty = 30", "penalty = 0", 20, "at least 1 is needed"),
        (
            "penalty = 30",
            'penalty = 30\n\n[[groups]]\nletter = "Q"\npenalty = 1',
            20,
            "no field belongs to the group Q",
        ),
        ('name = "small"', "", None, "missing required field `name`"),
    ],
)
def test_a_bad_board_names_row_and_column(old: str, new: str, line: int | None, reason: str, tmp_path: Path) -> None:
    assert old in CONTENT
    with pytest.raises(BadFile, match=reason) as refused:
        load(CONTENT.replace(old, new, 1), tmp_path)
    if "shaped like" not in reason:  # such a group may be reported at any of its fields
        assert refused.value.line == line


def test_boards_that_are_too_small_or_too_large() -> None:
    def rows(columns: int, count: int) -> tuple[str, ...]:
        middle = [f"{row} " + ". " * columns for row in range(count - 1, 1, -1)]
        return (f"{count} " + "9 " * columns, *middle, "1 * " + ". " * (columns - 1))

    for columns, count in ((3, 3), (25, 40)):
        assert len(grid(Board("mine", rows(columns, count))).fields) == columns * count
    for columns, count in ((2, 3), (26, 3), (3, 2), (3, 41)):
        with pytest.raises(Exception, match=r"a board has 3 to (25 columns|40 rows)"):
            Board("mine", rows(columns, count))


def test_a_bad_board_among_the_options_is_a_bad_option() -> None:
    raw = {"board": {"name": "x", "rows": ["3 1 1 1", "2 . ? .", "1 . * ."]}}
    with pytest.raises(BadOptions, match=r"option board: .*row 2, column B"):
        core_options.convert(RULES, raw)


U_SHAPES = [
    [(0, 0), (1, 0), (2, 0), (0, 1), (2, 1)],  # open above
    [(0, 1), (1, 1), (2, 1), (0, 0), (2, 0)],  # below
    [(0, 0), (0, 1), (0, 2), (1, 0), (1, 2)],  # to the right
    [(1, 0), (1, 1), (1, 2), (0, 0), (0, 2)],  # to the left
    [(0, 0), (1, 0), (2, 0), (3, 0), (0, 1), (3, 1)],  # wider
]
NO_U = [
    [(0, 0)],
    [(0, 0), (1, 0), (2, 0)],
    [(0, 0), (1, 0), (2, 0), (0, 1)],
    [(0, 0), (1, 0), (2, 0), (0, 1), (1, 1), (2, 1)],
    [(0, 0), (0, 1), (1, 1), (1, 0)],
    [(0, 0), (1, 0), (2, 0), (0, 1), (2, 1), (0, 2)],
]


def board_with(shape: list[tuple[int, int]]) -> Board:
    signs = {(x + 1, y + 1) for x, y in shape}
    middle = [f"{row} " + " ".join("A#" if (c, row - 1) in signs else "." for c in range(6)) for row in range(5, 1, -1)]
    return Board("u", ("6 1 1 1 1 1 1", *middle, "1 * . . . . ."), (Group("A", 5),))


@pytest.mark.parametrize("shape", U_SHAPES)
def test_groups_shaped_like_a_u(shape: list[tuple[int, int]]) -> None:
    assert len(grid(board_with(shape)).group) == len(shape)


@pytest.mark.parametrize("shape", NO_U)
def test_groups_that_are_no_u(shape: list[tuple[int, int]]) -> None:
    with pytest.raises(Exception, match="not shaped like a U"):
        board_with(shape)


signs = st.sampled_from([".", ".", ".", "+5", "+99", "-1", "-40"])


@given(st.integers(3, 25).flatmap(lambda width: st.tuples(
    st.lists(st.lists(signs, min_size=width, max_size=width), min_size=1, max_size=8), st.integers(0, width - 1),
    st.lists(st.integers(1, 999), min_size=width, max_size=width), st.integers(0, 2**30),
)))  # fmt: skip
def test_any_sound_board_can_be_played(drawn: tuple[list[list[str]], int, list[int], int]) -> None:
    middle, start, top, seed = drawn
    height, width = len(middle) + 2, len(top)
    bottom = ["*" if column == start else "." for column in range(width)]
    lines = [[str(number) for number in top], *middle, bottom]
    raw = {"name": "any", "rows": [f"{height - n} {' '.join(line)}" for n, line in enumerate(lines)]}
    board = msgspec.convert(raw, Board)
    assert grid(board).names[grid(board).start] == f"{COLUMNS[start]}1"
    state = final(seed, Options(board=board, begins=0), 2)
    head = walk(Sheet(raw), state.river)
    assert (head is None) == (RULES.observe(state, None).ending == "goal")


def test_presets() -> None:
    assert list(PRESETS) == ["nile", "quick", "first"]
    assert PRESETS["nile"] == Options()
    assert PRESETS["quick"].board == "small"
