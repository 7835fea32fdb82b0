"""How actions are written and read."""

from __future__ import annotations

from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from astragal.core.types import CHANCE, OVER, BadNotation, IllegalAction
from astragal.games.egar.actions import (
    Ask,
    Attack,
    Begins,
    Choose,
    Draw,
    Know,
    Order,
    Resign,
    Roll,
    Step,
    Take,
)
from astragal.games.egar.notation import decode
from astragal.games.egar.options import Options
from astragal.games.egar.state import State
from tests.games.egar.table import BLANK, RULES, asked, play, position


@pytest.mark.parametrize(
    ("action", "text"),
    [
        (Begins(1), "begins-2"),
        (Roll(4, 4), "roll-4"),
        (Roll(1, 3), "roll-1-3"),
        (Step("E5", "E6"), "E5-E6"),
        (Attack("F5", "E5"), "attack F5 with E5"),
        (Ask("easy"), "ask easy"),
        (Draw(16), "card-17"),
        (Order((2, 0, 3, 1)), "order-3142"),
        (Choose(0), "A"),
        (Know(True), "answers-right"),
        (Take("M13"), "take M13"),
        (Resign(3), "resign-4"),
    ],
)
def test_the_words_of_the_game(action: object, text: str) -> None:
    assert RULES.encode(action) == text  # type: ignore[arg-type]


@pytest.mark.parametrize("text", ["e5-e6", " E5 - E6 ", "E5 E6", "e5 -e6"])
def test_other_ways_to_write_a_step(text: str) -> None:
    assert RULES.decode(position("E5", "L10"), text) == Step("E5", "E6")


@pytest.mark.parametrize(
    "text", ["", "E5", "E5-Z6", "E14-E15", "attack", "ask me", "order-1123", "roll-7", "E", "resign-0", "x" * 999]
)
def test_what_is_no_notation(text: str) -> None:
    with pytest.raises(BadNotation) as error:
        RULES.decode(position("E5", "L10"), text)
    assert "attack F5 with E5" in str(error.value)


@given(st.text(max_size=30), st.sampled_from(["move", "answer", "open", "over"]))
def test_reading_raises_nothing_else(text: str, where: str) -> None:
    states = {
        "move": position("E5", "L10"),
        "answer": asked(),
        "open": asked(answering="open"),
        "over": play(position("L11", "A9"), "L11-L12"),
    }
    try:
        decode(RULES, states[where], text)
    except (BadNotation, IllegalAction):
        assert where != "open"  # there any text is an answer


def walk(seed: int, **options: object) -> list[State]:
    rng, states = Random(seed), [RULES.initial(Options(deck=BLANK, turn_limit=30, **options), 3)]  # type: ignore[arg-type]
    while (turn := RULES.turn(states[-1])) != OVER:
        s = states[-1]
        actions = RULES.legal(s) if turn != CHANCE else [a for a, _ in RULES.chance(s)]
        states.append(RULES.apply(s, rng.choice(actions)))
    return states


@given(st.integers(0, 10_000), st.sampled_from(["choice", "open"]))
def test_whatever_can_happen_reads_back(seed: int, answering: str) -> None:
    for s in walk(seed, answering=answering, level="free", answer_seconds=10)[::7]:
        offered = [*RULES.legal(s), *(a for a, _ in RULES.chance(s)), *(a for _, a in RULES.claims(s))]
        for action in offered:
            assert RULES.decode(s, RULES.encode(action)) == action


def test_every_refusal_names_its_rule() -> None:
    s = position("E5", "F5 L10")
    for text in ("A", "card-1", "order-1234", "answers-right", "take F5", "silence", "give-up", "begins-1", "roll-1"):
        with pytest.raises(IllegalAction) as error:
            RULES.decode(s, text)
        assert error.value.rule.startswith("EG-")
        assert error.value.rule in str(error.value)
