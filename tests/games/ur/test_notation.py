"""What players may write, and what happens to everything else they write."""

from __future__ import annotations

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from astragal.core.types import PASS, BadNotation, IllegalAction
from astragal.games.ur.actions import Move, Pass, Throw
from astragal.games.ur.rules import State
from tests.games.ur.positions import ALL_OPTIONS, RULES, at, positions, random_game, successors

PLACES = st.sampled_from(["in", "off", "pass", "throw-1", *(f"{row}{n}" for row in "abc" for n in range(14))])
JOINS = st.sampled_from(["-", "x", " ", "", " - ", "--", "\n", "\t", "–"])
NEARLY = st.builds(lambda a, join, b: f"{a}{join}{b}", PLACES, JOINS, PLACES)
ANYTHING = st.one_of(st.text(max_size=60), NEARLY, PLACES, st.from_regex(r"throw-.{0,3}"))


@given(state=positions(), text=ANYTHING)
@settings(deadline=None, max_examples=400)
def test_any_text_is_an_action_or_a_documented_error(state: State, text: str) -> None:
    before = msgspec.msgpack.encode(state)
    try:
        action = RULES.decode(state, text)
    except (BadNotation, IllegalAction) as error:
        assert "\n" not in str(error)
        for lang in ("en", "de", "es"):
            assert error.to(lang)
    else:
        assert action in successors(state)
    assert msgspec.msgpack.encode(state) == before


@given(state=positions())
@settings(deadline=None, max_examples=60)
def test_one_letter_changed_is_still_an_action_or_a_documented_error(state: State) -> None:
    for action in successors(state):
        text = RULES.encode(action)
        for k in range(len(text)):
            for other in ("", "z", "1", "-", "İ", "\0"):
                try:
                    decoded = RULES.decode(state, text[:k] + other + text[k + 1 :])
                except (BadNotation, IllegalAction):
                    continue
                assert decoded in successors(state)


def test_every_action_of_random_games_reads_back() -> None:
    for seed, chosen in enumerate(ALL_OPTIONS):
        for state, _ in random_game(seed, chosen):
            texts = [RULES.encode(action) for action in successors(state)]
            assert [RULES.decode(state, text) for text in texts] == list(successors(state))
            assert len(set(texts)) == len(texts)


@pytest.mark.parametrize(
    ("text", "action"),
    [
        ("a1", Move("a1", "b2")),
        ("A1", Move("a1", "b2")),
        ("a1-b2", Move("a1", "b2")),
        ("a1 b2", Move("a1", "b2")),
        ("a1xb2", Move("a1", "b2")),
        ("a1 - b2", Move("a1", "b2")),
        ("  A1  x  B2 ", Move("a1", "b2")),
        ("in", Move("in", "a3")),
        ("IN", Move("in", "a3")),
        ("in-a3", Move("in", "a3")),
        ("In A3", Move("in", "a3")),
        ("a8", Move("a8", "off")),
        ("a8-off", Move("a8", "off")),
        ("a8 OFF", Move("a8", "off")),
    ],
)
def test_what_a_player_may_type(text: str, action: Move) -> None:
    assert RULES.decode(at("a1 a8", "b2", throw=2), text) == action


def test_what_else_a_player_may_type() -> None:
    assert RULES.decode(at(throw=0), " Pass ") == Pass()
    assert RULES.decode(at(), "THROW-3") == Throw(3)


@pytest.mark.parametrize(
    "text", ["", " ", "a1b2", "a1-b2-b3", "d1", "a", "1a", "in-", "-a3", "throw", "throw-10", "0-0"]
)
def test_what_is_no_move_is_bad_notation(text: str) -> None:
    with pytest.raises(BadNotation) as caught:
        RULES.decode(at("a1", throw=2), text)
    assert "in-a3, a1-b2, b8-off, pass" in str(caught.value)  # what would be right


def test_a_long_text_is_not_quoted_whole() -> None:
    with pytest.raises(BadNotation) as caught:
        RULES.decode(at(throw=2), "x" * 10_000)
    assert len(str(caught.value)) < 200


def test_actions_are_written_as_the_rules_page_says() -> None:
    assert [RULES.encode(a) for a in (Move("in", "a3"), Move("a1", "b2"), Move("b8", "off"))] == [
        "in-a3",
        "a1-b2",
        "b8-off",
    ]
    assert RULES.encode(Pass()) == PASS == "pass"
    assert RULES.encode(Throw(4)) == "throw-4"
