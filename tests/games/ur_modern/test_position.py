"""Positions of the modern game as lines of text."""

from __future__ import annotations

import pytest

import astragal
from astragal.games.ur_modern.options import Options
from astragal.games.ur_modern.state import State
from astragal.games.ur_modern.view import Habit
from tests.games.notations import damage, examples, refusal

RULES = astragal.rules("ur-modern")


@pytest.mark.parametrize("line", examples("ur-modern"))
def test_the_examples_of_the_rules_page_are_positions(line: str) -> None:
    assert RULES.position(RULES.from_position(line, Options(), 2)) == line


def test_a_line_says_what_a_state_holds() -> None:
    state = RULES.from_position("5:b4,a1 6:c2 dark mixed", Options(), 2)
    assert state == State(Options(), 1, "mixed", (5, 6), (("a1", "b4"), ("c2",)))


@pytest.mark.rule("UM-20")
def test_repetitions_are_left_out_and_nothing_else() -> None:
    habits = (Habit("a1-a2", 5), Habit("c1-c2", 4))
    state = State(Options(), 0, "one", (6, 6), (("a1",), ("c1",)), habits, claimable=True)
    read = RULES.from_position(RULES.position(state), Options(), 2)
    assert RULES.position_leaves_out == ("habits", "claimable")
    assert (read.habits, read.claimable) == ((Habit(), Habit()), False)
    assert RULES.claims(state)
    assert not RULES.claims(read)
    assert RULES.legal(read) == RULES.legal(state)


@pytest.mark.parametrize(
    ("line", "returns"),
    [
        ("7:- 7:- lots", (0.0, 0.0)),
        ("6:a1 6:c1 light throw draw", (0.5, 0.5)),
        ("6:a1 6:c1 dark gold draw", (0.5, 0.5)),
    ],
)
def test_beginnings_and_draws(line: str, returns: tuple[float, float]) -> None:
    state = RULES.from_position(line, Options(), 2)
    assert RULES.position(state) == line
    assert RULES.returns(state) == returns


def fortresses() -> str:
    from astragal.games.ur_modern.board import ground

    return ",".join(sorted(ground("royal").fortresses))


def test_a_finished_game_knows_who_won() -> None:
    line = f"3:{fortresses()} 6:b1 over"
    state = RULES.from_position(line, Options(), 2)
    assert RULES.returns(state) == (1.0, 0.0)
    assert RULES.position(state) == line
    assert "should be over" in str(refusal("ur-modern", f"3:{fortresses()} 6:b1 dark throw"))


@pytest.mark.parametrize(
    ("line", "column", "part", "reason"),
    [
        ("5:a1,b4", 8, "Dark's pieces", "missing"),
        ("5:a1,b4 6:c2 dark", 18, "the throw", "missing"),
        ("5:a1,b4:1 6:c2 dark one", 1, "Light's pieces", "pool:squares, as in 5:a1,b4"),
        ("4:a1,b4 6:c2 dark one", 1, "Light's pieces", "these are 6 pieces, but each side has 7"),
        ("5:a1,a5 6:c2 dark one", 6, "Light's pieces", "'a5' is not a square of the board"),
        ("5:a1,b4 6:a1 dark one", 11, "Dark's pieces", "two pieces stand on a1"),
        ("5:a1,b4 6:c2 black one", 14, "whose turn it is", "should be one of light, dark, lots, over"),
        ("5:a1,b4 6:c2 dark two", 19, "the throw", "'two' should be one of throw, blank, one"),
        ("5:a1,b4 6:c2 dark one won", 23, "the end", "'won' should be one of draw"),
        ("5:a1,b4 6:c2 lots", 14, "whose turn it is", "before any piece is placed"),
        ("5:a1,b4 6:c2 over", 14, "whose turn it is", "all four fortresses"),
        ("7:- 7:- lots one", 14, "the throw", "nothing more"),
    ],
)
def test_what_is_wrong_is_told_with_its_place(line: str, column: int, part: str, reason: str) -> None:
    error = refusal("ur-modern", line)
    assert (error.column, error.part) == (column, part)
    assert reason in str(error)


def test_damaged_lines_are_refused_or_played() -> None:
    refused, read = damage("ur-modern", 2, games=20, seed=1)
    assert refused > 300
    assert read > 10
