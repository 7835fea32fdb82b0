"""Pictures, sentences and answers about the table, in three languages."""

from __future__ import annotations

import re
from random import Random
from typing import Any
from xml.etree import ElementTree

import pytest

from astragal.core.types import CHANCE, OVER
from astragal.games.egar import GAME
from astragal.games.egar.deck import Deck
from astragal.games.egar.options import BOT_SKILL, Options
from astragal.games.egar.picture import SIGNS
from astragal.games.egar.state import State
from tests.games.egar.table import LOOK, RULES, asked, attack, card, play, position

LANGS = ("en", "de", "es")


def game(seed: int, players: int, **options: Any) -> list[tuple[State, Any]]:
    """A random game: every state with the action that was done in it."""
    rng, s, done = Random(seed), RULES.initial(Options(**options), players), []
    while (turn := RULES.turn(s)) != OVER:
        actions = RULES.legal(s) if turn != CHANCE else [a for a, _ in RULES.chance(s)]
        action = rng.choice(actions)
        done.append((s, action))
        s = RULES.apply(s, action)
    return done


@pytest.mark.parametrize("lang", LANGS)
@pytest.mark.parametrize("players", [2, 3, 4])
def test_everything_can_be_drawn_and_told(players: int, lang: str) -> None:
    done = game(players, players, level="free", skill=("own", BOT_SKILL), turn_limit=25)
    last = None
    for s, action in done[:: 1 + len(done) // 60]:
        seat = RULES.turn(s) if RULES.turn(s) != CHANCE else None
        view = RULES.observe(s, seat)
        text = LOOK.text(view, lang, last=last)
        assert max(map(len, text.split("\n"))) <= 80
        assert LOOK.plain(view, lang)
        ElementTree.fromstring(LOOK.svg(view, lang, last=last))
        assert LOOK.label(view, action, lang)
        last = RULES.event(s, action, seat)
        told = LOOK.say(last, lang)
        assert told
        assert "{" not in told


def test_armies_differ_without_colour() -> None:
    assert len(set(SIGNS.values())) == 4
    view = RULES.observe(RULES.initial(Options(begins=0), 4), None)
    text = LOOK.text(view)
    for sign in SIGNS.values():
        assert text.count(sign) == 8 + 8 + 1 + 1  # on the board, in the list with its name, and the flag
    outlines = re.findall(r'<path d="([^"]+)" fill="#000"', LOOK.svg(view))
    assert len(set(outlines)) == 4


def test_legal_steps_and_odds_are_shown() -> None:
    s = position("E5 A1", "E6 L10", points=2)
    mine, theirs = LOOK.text(RULES.observe(s, 0)), LOOK.text(RULES.observe(s, 1))
    assert "+" in mine
    assert "+" not in theirs
    assert "[◆]" in mine
    assert "E6 1:1 50%" in mine
    assert ">50%<" in LOOK.svg(RULES.observe(s, 0))
    assert "can be attacked by 1 soldier: 50%" in LOOK.plain(RULES.observe(s, 0), "en")


def test_a_fight_is_shown() -> None:
    text = LOOK.text(RULES.observe(play(position("E4 D5", "E5 L10", phase="attack"), "attack E5 with E4"), None))
    assert "▲ [◆]" in text
    assert "(▲)" in text


def test_the_question_is_put_in_the_players_language() -> None:
    view = RULES.observe(asked(), 1)
    for lang, question, option in (
        ("en", "Which little river did Caesar cross?", "A  Rubicon"),
        ("de", "Welchen Bach überschritt Cäsar?", "A  Rubikon"),
        ("es", "¿Qué riachuelo cruzó César?", "A  Rubicón"),
    ):
        assert question in LOOK.text(view, lang)
        assert option in LOOK.text(view, lang)
        assert question in LOOK.plain(view, lang)
        assert LOOK.label(view, view.legal[0], lang) == option[3:]
        assert question in (LOOK.ask(view, "question", lang) or "")


def test_a_card_cannot_break_the_picture() -> None:
    nasty = card(en={"question": "<script>&{holes}?", "answer": "<b>", "accept": (), "reject": ()})
    view = RULES.observe(asked(deck=Deck("own", (nasty,))), 1)
    ElementTree.fromstring(LOOK.svg(view))
    assert "{holes}" in LOOK.text(view)


def test_sentences_of_a_fight() -> None:
    s = position("E4 D5 A1", "E5 L10", phase="attack")
    told = []
    for text in attack("E5", "E4", "3", "1-3", "3"):
        action = RULES.decode(s, text)
        told.append(LOOK.say(RULES.event(s, action, None), "en"))
        s = RULES.apply(s, action)
    assert told == [
        "Military attack Samurai on E5 with 2 soldiers; E4 is at risk.",
        "Military attack with a 3.",
        "Another die of Military does not beat the 3.",
        "Samurai defend with a 3 too: all dice are rolled again.",
    ]


def test_what_comes_of_it_is_told() -> None:
    s = play(position("E5", "E6", "A9", phase="attack"), "attack E6", "roll-1")
    told = LOOK.say(RULES.event(s, RULES.decode(s, "roll-2-6"), None), "en")
    assert "The soldier on E5 leaves the board. Military have no soldiers left and are out of the game." in told
    s = position("L11", "A9")
    assert "Military have won the game." in LOOK.say(RULES.event(s, RULES.decode(s, "L11-L12"), None), "en")


@pytest.mark.parametrize(
    ("text", "piece"),
    [
        ("rubico", "'Rubico' is another way to say it."),
        ("Rubiccon", "It was read as 'Rubicon'."),
        ("Tiber", "'Tiber' is something else. The right answer is: Rubicon."),
        ("give-up", "Samurai do not know the answer. The right answer is: Rubicon."),
    ],
)
def test_a_typed_answer_is_explained(text: str, piece: str) -> None:
    s = asked(answering="open")
    assert piece in LOOK.say(RULES.event(s, RULES.decode(s, text), None), "en")


def test_questions_about_the_table() -> None:
    view = RULES.observe(position("E5 A1", "E6 L10"), 0)
    assert LOOK.ask(view, "where e5", "en") == "E5: a soldier of Military."
    assert LOOK.ask(view, "where B2", "en") == "B2: the flag of Military."
    assert LOOK.ask(view, "where C3", "en") == "C3 is empty."
    assert LOOK.ask(view, "where Z3", "en") == "Z3 is not a square of this board."
    assert LOOK.ask(view, "mine", "en") == "Military have 2 soldiers, on A1, E5; their flag is on B2."
    assert LOOK.ask(view, "theirs", "de") == "Samurai haben 2 Soldaten auf E6, L10; ihre Flagge steht auf L12."
    assert LOOK.ask(view, "attacks", "en") == "E6 can be attacked by 1 soldier: 50%."
    assert LOOK.ask(view, "question", "es") == "No hay ninguna pregunta pendiente."
    assert LOOK.ask(view, "weather", "en") is None
    for form, _ in LOOK.questions("en"):
        assert LOOK.ask(view, form, "en") is not None


def test_seats_are_called_by_their_armies() -> None:
    assert [LOOK.seat_name(seat, "en") for seat in range(4)] == ["Military", "Samurai", "Native Americans", "Egyptians"]
    s = position("E5", "L10", colours=("egyptian", "native"))
    assert "Egyptians move: 3 steps left." in LOOK.text(RULES.observe(s, 0))


def test_diagrams_in_every_language() -> None:
    for lang in LANGS:
        drawn = GAME.diagrams(lang)
        assert set(drawn) == {"start", "start-two", "start-three", "splits", "steps", "attacks", "nearest"}
        for diagram in drawn.values():
            ElementTree.fromstring(diagram.svg)
            assert max(map(len, diagram.text.split("\n"))) <= 80
            assert "{" not in diagram.caption
    assert "84,9 %" in GAME.diagrams("de")["attacks"].caption
    assert "84.9 %" in GAME.diagrams("en")["attacks"].caption


def test_stepping_onto_the_own_flag_is_not_told_as_a_win() -> None:
    s = position("B1", "M13", own_flag_open=True)
    view = RULES.observe(s, 0)
    assert LOOK.label(view, RULES.decode(s, "B1-B2"), "en") == "B1 up to B2"


def test_the_soldier_that_took_a_flag_is_seen_on_it() -> None:
    s = play(position("A1", "B3 M13", mover=1), "B3-B2")
    view = RULES.observe(s, None)
    assert SIGNS["samurai"] in LOOK.text(view).split("\n")[-3]
    assert LOOK.ask(view, "where B2", "en") == "B2: a soldier of Samurai."


@pytest.mark.rule("EG-17")
def test_sentences_tell_where_the_flag_of_an_army_that_left_still_stands() -> None:
    stays, goes = position("E1", "K7", ""), position("E1", "K7", "", dead_flags="removed")
    assert "Native Americans have left the game; their flag is still on B10." in LOOK.plain(
        RULES.observe(stays, 0), "en"
    )
    assert "Native Americans have left the game.\n" in LOOK.plain(RULES.observe(goes, 0), "en")
