"""Positions of Ur as lines of text."""

from __future__ import annotations

import pytest

import astragal
from astragal.games.ur.options import Options
from astragal.games.ur.rules import State
from tests.games.notations import damage, examples, refusal

UR = astragal.rules("ur")


@pytest.mark.parametrize("line", examples("ur"))
def test_the_examples_of_the_rules_page_are_positions(line: str) -> None:
    assert UR.position(UR.from_position(line, Options(), 2)) == line


def test_a_line_says_what_a_state_holds() -> None:
    state = UR.from_position("4:b4,a1:1 5:c2:1 light 3", Options(), 2)
    assert state == State(Options(), 0, 3, (4, 5), ((4, 8), (3,)))  # steps of each side's way, in their order
    assert [UR.encode(move) for move in UR.legal(state)] == ["in-a2", "a1-b3", "b4-b7"]


@pytest.mark.parametrize(
    ("line", "seat", "opening"),
    [
        ("light opening", 0, ()),
        ("dark opening:2", 1, (2,)),
        ("light opening:2:1", 0, (2, 1)),
        ("dark opening:0:4", 1, (0, 4)),
    ],
)
def test_the_throws_for_the_right_to_begin(line: str, seat: int, opening: tuple[int, ...]) -> None:
    state = UR.from_position(f"7:-:0 7:-:0 {line}", Options(), 2)
    assert (state.seat, state.opening, state.throw) == (seat, opening, None)
    assert UR.position(state) == f"7:-:0 7:-:0 {line}"


def test_a_finished_game_knows_who_won() -> None:
    over = UR.from_position("2:b4:4 0:-:7 over", Options(), 2)
    assert UR.returns(over) == (0.0, 1.0)
    assert UR.position(over) == "2:b4:4 0:-:7 over"


@pytest.mark.parametrize(
    ("line", "column", "part", "reason"),
    [
        ("4:a1,b4:1", 10, "Dark's pieces", "missing"),
        ("4:a1,b4:1 5:c2:1", 17, "whose turn it is", "missing"),
        ("4:a1,b4:1 5:c2:1 light", 23, "the throw", "missing"),
        ("4:a1,b4:1 5:c2:1 light 3 x", 26, "the throw", "nothing more"),
        ("4:a1,b4 5:c2:1 light 3", 1, "Light's pieces", "should be pool:squares:home, as in 4:a1,b4:1"),
        ("4:a1,b4:2 5:c2:1 light 3", 1, "Light's pieces", "these are 8 pieces, but each side has 7"),
        ("4:a1,c4:1 5:c2:1 light 3", 6, "Light's pieces", "'c4' is not a square of this side's way"),
        ("4:a1,a1:1 5:c2:1 light 3", 6, "Light's pieces", "two pieces stand on a1"),
        ("4:a1,b4:1 5:b4:1 light 3", 11, "Dark's pieces", "two pieces stand on b4"),
        ("9:a1,b4:1 5:c2:1 light 3", 1, "Light's pieces", "'9' should be a number from 0 to 7"),
        ("4:a1,b4:1 5:c2:1 white 3", 18, "whose turn it is", "'white' should be one of light, dark, over"),
        ("4:a1,b4:1 5:c2:1 light 5", 24, "the throw", "'5' should be a number from 0 to 4"),
        ("4:a1,b4:1 5:c2:1 over", 18, "whose turn it is", "brought all its pieces home"),
        ("0:-:7 5:c2:1 light 3", 14, "whose turn it is", "'light' should be over"),
        ("0:-:7 6:c2:0 over 3", 19, "the throw", "nothing more"),
        ("6:a1:0 7:-:0 light opening", 20, "the throw", "before any piece has moved"),
        ("7:-:0 7:-:0 dark opening", 13, "whose turn it is", "'dark' should be light"),
        ("7:-:0 7:-:0 light opening:2:2", 19, "the throw", "should be one of opening"),
    ],
)
def test_what_is_wrong_is_told_with_its_place(line: str, column: int, part: str, reason: str) -> None:
    error = refusal("ur", line)
    assert (error.column, error.part) == (column, part)
    assert reason in str(error)


def test_the_options_decide_what_is_possible() -> None:
    assert "each side has 3" in str(refusal("ur", "2:-:0 3:-:0 light throw", pieces=3))
    assert "from 1 to 4" in str(refusal("ur", "7:-:0 7:-:0 light 0", dice="three"))
    masters = UR.from_position("6:c8:0 6:c7:0 dark 2", Options(path="masters"), 2)
    assert UR.position(masters) == "6:c8:0 6:c7:0 dark 2"
    assert "'c8' is not a square" in str(refusal("ur", "6:c8:0 6:c7:0 dark 2"))


def test_damaged_lines_are_refused_or_played() -> None:
    refused, read = damage("ur", 2, games=25, seed=1)
    assert refused > 300
    assert read > 10
