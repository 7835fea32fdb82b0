"""The modern game in pictures and words."""

from __future__ import annotations

import re
import xml.etree.ElementTree as ET
from random import Random

import pytest

import astragal
from astragal.core.language import LANGUAGES
from astragal.core.types import OVER
from astragal.games.ur_modern.actions import THROWS
from astragal.games.ur_modern.diagrams import diagrams
from astragal.games.ur_modern.state import State
from tests.games.ur_modern.positions import RULES, at, play
from tests.games.ur_modern.test_notation import walk

LOOK = astragal.game("ur-modern").presentation
ANSI = re.compile(r"\x1b\[[0-9;]*m")


@pytest.mark.parametrize("seed", range(12))
def test_every_state_has_a_text_a_picture_and_sentences(seed: int) -> None:
    rng = Random(seed)
    state, last = walk(seed, rng.randint(0, 150), rng.choice(["royal", "lesser-earth", "lanes"])), None
    for _ in range(10):
        for viewer in (None, 0, 1):
            view = RULES.observe(state, viewer)
            text = LOOK.text(view, last=last)
            assert max(map(len, text.split("\n"))) <= 80
            assert ANSI.sub("", LOOK.text(view, colour=True, last=last)) == text
            assert text.count("○") == 7 + 1  # all pieces, and the sign beside the name
            assert text.count("●") == 7 + 1
            assert LOOK.plain(view, "en").count(".") >= 5
            root = ET.fromstring(LOOK.svg(view, last=last))
            groups = [g for g in root.iter("{http://www.w3.org/2000/svg}g") if len(g) == 8]
            assert len(groups) == 14  # a piece is a shadow, a body, a rim and five dots
        if RULES.turn(state) == OVER:
            break
        actions = RULES.legal(state) or tuple(outcome for outcome, _ in RULES.chance(state))
        for action in actions:
            assert LOOK.label(RULES.observe(state, state.seat), action, "en")
        action = rng.choice(actions)
        last = RULES.event(state, action, None)
        assert LOOK.say(last, "en").endswith((".", "!"))
        state = RULES.apply(state, action)


def test_everybody_sees_the_own_row_nearest() -> None:
    state = at("a4", "c4")
    rows = [
        [line[0] for line in LOOK.text(RULES.observe(state, seat)).split("\n") if line[:1] in "abc" and line]
        for seat in (0, 1)
    ]
    assert rows == [["c", "b", "a"], ["a", "b", "c"]]


def test_events_say_what_happened() -> None:
    def told(state: object, text: str) -> str:
        return LOOK.say(RULES.event(state, RULES.decode(state, text), None), "en")  # type: ignore[arg-type]

    assert told(at("", "", "one"), "+b1") == "Light: a new piece to b1."
    assert told(at("b4", "b5 a8", "one"), "b4-b5") == "Light: b4 to b5 and takes b5."
    assert told(at("a2", "", "one"), "a2-a1") == "Light: a2 to a1 and has another turn."
    assert told(at("a2", "a1 c8", "one"), "a2-a1") == "Light: a2 to a1, takes a1 and has another turn."
    assert told(at("a2 c3", "", "mixed"), "a2-a3+c3-c4") == "Light: a2 to a3 and c3 to c4."
    assert told(at("a1 c1 a7 c8", "", "one"), "c8-c7").endswith("holds all four fortresses and wins!")
    assert told(at("", "b1", "one"), "pass") == "Light can do nothing and passes."
    assert told(at(), "throw-mixed") == "Light throws gold and silver."


def test_questions_about_the_table() -> None:
    view = RULES.observe(at("a1 b2", "b7 c3", "one"), 0)
    assert LOOK.ask(view, "where a1", "en") == "a1, a fortress: a piece of Light."
    assert LOOK.ask(view, "where B7", "en") == "b7, the Field of Ishtar: a piece of Dark."
    assert LOOK.ask(view, "where b6", "en") == "b6, the Field of Marduk: empty."
    assert LOOK.ask(view, "where c2", "en") == "c2 is empty."
    assert LOOK.ask(view, "where a5", "en") == "a5 is not a square of this board."
    assert "a1, b2" in (LOOK.ask(view, "mine", "en") or "")
    assert "b7, c3" in (LOOK.ask(view, "theirs", "en") or "")
    assert LOOK.ask(view, "what is this", "en") is None


@pytest.mark.parametrize("seed", range(8))
def test_threats_are_what_the_enemy_could_take_with_its_next_throw(seed: int) -> None:
    state = next(state for plies in (60, 45, 30, 15) if RULES.turn(state := walk(seed, plies)) != OVER)
    answer = LOOK.ask(RULES.observe(state, 0), "threats", "en") or ""
    lost = set()
    for throw, _ in THROWS:
        enemy = play(type(state)(state.options, 1, None, state.pools, state.squares), f"throw-{throw.tips}")
        for action in RULES.legal(enemy):
            lost |= set(state.squares[0]) - set(RULES.apply(enemy, action).squares[0])
    assert set(re.findall(r"([abc]\d) can be taken", answer)) == lost


def test_the_diagrams_show_what_their_captions_say() -> None:
    drawn = diagrams("en")
    assert "b2 may take b3 and then b4" in drawn["earth"].caption.replace("the piece on ", "")
    assert play(at("a1 c1 b2", "b3 b4 a8", "mixed"), "b2xb3-b4").squares[1] == ("a8",)
    assert play(at("a4 a7 c7", "b2 b3", "silver"), "a4-a1").seat == 0
    assert {"+b1", "+a2", "+a4", "+b3"} == {RULES.encode(a) for a in RULES.legal(at("a3", "c3", "blank"))}
    exposed = play(at("a1 a7 b2 b7", "b6 a8", "mixed", seat=1), "b6-b7+a8-a7")
    assert (exposed.squares, exposed.seat) == ((("a1", "b2"), ("a7", "b7")), 1)
    for lang in LANGUAGES:
        assert set(diagrams(lang)) == set(drawn)


def test_labels_promise_one_more_turn_at_most_and_none_after_a_win() -> None:
    def label(state: State, text: str) -> str:
        return LOOK.label(RULES.observe(state, 0), RULES.decode(state, text), "en")

    assert label(at("b1 b7", "", "mixed"), "b1-a1+b7-a7").count("another turn") == 1
    won = label(at("a1 c1 a7 c8", "", "one"), "c8-c7")
    assert won.endswith("wins")
    assert "another turn" not in won
    assert "another turn" not in label(at("a2", "", "blank"), "+a1")
