"""What players may type in the modern game."""

from __future__ import annotations

from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from astragal.core.types import CHANCE, OVER, BadNotation, IllegalAction
from astragal.games.ur_modern.options import Options
from astragal.games.ur_modern.state import State
from tests.games.ur_modern.positions import RULES, at, moves, play


def walk(seed: int, plies: int, layout: str = "royal") -> State:
    """A position some plies into a random game."""
    rng = Random(seed)
    state = RULES.initial(Options(layout=layout), 2)  # type: ignore[arg-type]
    for _ in range(plies):
        turn = RULES.turn(state)
        if turn == OVER:
            break
        outcomes = [outcome for outcome, _ in RULES.chance(state)] if turn == CHANCE else RULES.legal(state)
        state = RULES.apply(state, rng.choice(outcomes))
    return state


positions = st.builds(
    walk, st.integers(0, 10_000), st.integers(0, 120), st.sampled_from(["royal", "lesser-earth", "lanes"])
)
alphabet = st.text(alphabet="abc12345678x-+ pasthrowgldime", max_size=16)


@given(positions)
def test_what_is_written_reads_back(state: State) -> None:
    for action in (*RULES.legal(state), *(outcome for outcome, _ in RULES.chance(state))):
        assert RULES.decode(state, RULES.encode(action)) == action


@given(positions, st.one_of(st.text(max_size=30), alphabet))
def test_any_text_is_an_action_or_the_documented_error(state: State, text: str) -> None:
    try:
        action = RULES.decode(state, text)
    except (BadNotation, IllegalAction) as error:
        assert str(error)
    else:
        assert action in RULES.legal(state) or action in [outcome for outcome, _ in RULES.chance(state)]


def test_a_capture_may_be_typed_either_way_and_capitals_and_spaces_do_not_matter() -> None:
    state = at("b4 a2", "b5 a8", "mixed")
    assert RULES.decode(state, "b4xb5") == RULES.decode(state, "b4-b5") == RULES.decode(state, "  B4 b5 ")
    assert play(state, "a2-a1 + b4-b5") == play(state, "b4-b5+a2-a1")


@pytest.mark.parametrize("text", ["", "x", "a1", "a1-a9", "+d4", "++b1", "a1-b1+", "a1-a2+a2-a3+a3-a4", "🎲"])
def test_what_is_no_action_is_called_so(text: str) -> None:
    with pytest.raises(BadNotation, match="is not a move"):
        RULES.decode(at("a1", "", "mixed"), text)


def test_every_refusal_names_a_rule_and_never_refuses_what_is_legal() -> None:
    """All single and double moves that can be written at all, legal or not, in some hundred positions."""
    rng = Random(3)
    for seed in range(60):
        state = walk(seed, rng.randint(20, 200))
        if RULES.turn(state) < 0:
            continue
        squares = [square for side in state.squares for square in side] + ["a1", "b4", "c8", "b7"]
        legal = moves(state)
        for _ in range(120):
            one = "-".join(rng.sample(squares, 2)) if len(set(squares)) > 1 else "a1-a2"
            text = rng.choice([one, f"+{rng.choice(squares)}", f"{one}+{'-'.join(rng.sample(squares, 2))}", "pass"])
            try:
                assert RULES.encode(RULES.decode(state, text)) in legal
            except IllegalAction as error:
                assert text not in legal
                assert error.rule.startswith("UM-")
