"""The question: to whom, which card, what a wrong answer costs, and the clock."""

from __future__ import annotations

import pytest

from astragal.core.types import CHANCE, BadOptions, IllegalAction
from astragal.games.egar.actions import SILENCE
from astragal.games.egar.deck import Deck
from astragal.games.egar.options import BOT_SKILL, Options
from astragal.games.egar.view import Answered
from tests.games.egar.table import (
    BLANK,
    FAILS,
    KNOWS,
    LOOK,
    RULES,
    asked,
    card,
    legal,
    outcomes,
    play,
    position,
    soldiers,
    years,
)


@pytest.mark.rule("EG-13")
def test_every_turn_ends_with_one_question_to_the_right() -> None:
    s = play(position("B4", "L10", "A9"), "done")
    assert (s.phase, s.asked.seat) == ("card", 1)
    s = play(s, "card-1", "order-1234", "A")
    assert (s.phase, s.mover, s.question, s.turns) == ("roll", 1, None, 1)


@pytest.mark.rule("EG-13")
def test_the_question_skips_those_who_left() -> None:
    assert play(position("B4", "", "A9", "C9"), "done").asked.seat == 2
    assert play(position("B4", "L10", "A9", mover=2), "done").asked.seat == 0


@pytest.mark.rule("EG-13")
def test_if_it_costs_the_last_soldier_the_turn_goes_on() -> None:
    s = play(position("B4", "L10", "A9"), "done", "card-1", "order-1234", "B")
    assert (soldiers(s, 1), s.mover, s.phase) == (set(), 2, "roll")


@pytest.mark.rule("EG-13")
def test_no_question_after_a_win() -> None:
    assert play(position("L11", "A9"), "L11-L12").question is None


@pytest.mark.rule("EG-14")
def test_a_right_answer_costs_nothing() -> None:
    assert soldiers(play(asked(), "A"), 1) == {"L10", "L11"}


@pytest.mark.rule("EG-14")
@pytest.mark.parametrize("answer", ["B", "C", "D"])
def test_a_wrong_answer_costs_the_nearest_soldier(answer: str) -> None:
    assert soldiers(play(asked(), answer), 1) == {"L10"}


@pytest.mark.rule("EG-14")
def test_among_equals_the_asker_picks() -> None:
    """From L12 it is two steps to L10 and K11, three to K10."""
    s = play(position("B4", "L10 K11 K10"), "done", "card-1", "order-1234", "B")
    assert (RULES.turn(s), legal(s)) == (0, {"take L10", "take K11"})
    with pytest.raises(IllegalAction) as error:
        play(s, "take K10")
    assert error.value.rule == "EG-14"
    s = play(s, "take K11")
    assert (soldiers(s, 1), s.mover) == ({"L10", "K10"}, 1)


@pytest.mark.rule("EG-14")
def test_obstacles_do_not_count() -> None:
    """M11 is two steps from its flag L12, although enemies stand on both ways and K10 could walk there sooner."""
    s = play(position("L11 M12", "M11 K10"), "done", "card-1", "order-1234", "B")
    assert soldiers(s, 1) == {"K10"}


@pytest.mark.rule("EG-14")
def test_picking_is_only_for_wrong_answers() -> None:
    with pytest.raises(IllegalAction) as error:
        play(asked(), "take L11")
    assert error.value.rule == "EG-14"


@pytest.mark.rule("EG-15")
@pytest.mark.parametrize("level", ["easy", "medium", "hard"])
def test_the_agreed_level(level: str) -> None:
    s = play(position("B4", "L10", level=level), "done")
    assert (s.phase, s.asked.level) == ("card", level)
    assert Options().level == "medium"


@pytest.mark.rule("EG-15")
def test_free_the_asker_picks() -> None:
    s = play(position("B4", "L10", level="free"), "done")
    assert (RULES.turn(s), legal(s)) == (0, {"ask easy", "ask medium", "ask hard"})
    s = play(s, "ask hard")
    assert (RULES.turn(s), s.asked.level) == (CHANCE, "hard")
    with pytest.raises(IllegalAction) as error:
        play(position("B4", "L10"), "ask easy")
    assert error.value.rule == "EG-15"


@pytest.mark.rule("EG-15")
def test_only_levels_with_cards() -> None:
    s = play(position("B4", "L10", level="free", deck=Deck("some", (), (1, 0, 2))), "done")
    assert legal(s) == {"ask easy", "ask hard"}
    assert play(position("B4", "L10", level="free", deck=Deck("one", (), (0, 0, 2))), "done").asked.level == "hard"
    with pytest.raises(BadOptions) as error:
        RULES.initial(Options(level="medium", deck=Deck("some", (), (1, 0, 2))), 2)
    assert error.value.field == "deck"


@pytest.mark.rule("EG-19")
def test_cards_do_not_come_again_before_the_deck_is_through() -> None:
    s = position("B4", "L10 L11", deck=Deck("three", (), (0, 3, 0)), skill=(KNOWS, KNOWS))
    s = play(s, "done")
    assert outcomes(s) == {"card-1": 1, "card-2": 1, "card-3": 1}
    s = play(s, "card-2", "answers-right", "roll-1", "done")
    assert outcomes(s) == {"card-1": 1, "card-3": 1}
    with pytest.raises(IllegalAction) as error:
        play(s, "card-2")
    assert error.value.rule == "EG-19"
    s = play(s, "card-1", "answers-right", "roll-1", "done", "card-3", "answers-right", "roll-1", "done")
    assert outcomes(s) == {"card-1": 1, "card-2": 1, "card-3": 1}
    s = play(s, "card-3", "answers-right", "roll-1", "done")
    assert outcomes(s) == {"card-1": 1, "card-2": 1}


@pytest.mark.rule("EG-19")
def test_each_level_has_its_own_deck() -> None:
    s = position("B4", "L10", deck=Deck("some", (), (2, 1, 0)), level="free", skill=(KNOWS, KNOWS))
    s = play(s, "done", "ask easy", "card-1", "answers-right", "roll-1", "done", "ask medium")
    assert outcomes(s) == {"card-1": 1}


@pytest.mark.rule("EG-20")
def test_the_order_of_options_is_drawn() -> None:
    s = play(position("B4", "L10", deck=Deck("own", (card(),))), "done", "card-1")
    assert len(outcomes(s)) == 24
    assert set(outcomes(s).values()) == {1}
    view = RULES.observe(play(s, "order-3142"), None)
    assert view.question is not None
    assert view.question.face is not None
    assert [option.en for option in view.question.face.options] == ["Arno", "Rubicon", "Po", "Tiber"]
    assert soldiers(play(s, "order-3142", "B"), 1) == {"L10"}
    assert soldiers(play(s, "order-3142", "A"), 1) == set()


@pytest.mark.rule("EG-20")
def test_years_stand_in_ascending_order() -> None:
    own = card(**years(right="480 BC", wrong=("31 BC", "1066", "490 BC")))
    s = position("B4", "L10", deck=Deck("own", (own,)))
    s = play(s, "done", "card-1")
    assert s.phase == "answer"
    assert s.asked.face is not None
    assert [option.en for option in s.asked.face.options] == ["490 BC", "480 BC", "31 BC", "1066"]
    assert s.asked.right == 1


@pytest.mark.rule("EG-20")
def test_the_answer_is_an_action_of_the_asked_seat() -> None:
    s = asked()
    assert (RULES.turn(s), legal(s)) == (1, {"A", "B", "C", "D"})
    with pytest.raises(IllegalAction) as error:
        play(position("B4", "L10"), "A")
    assert error.value.rule == "EG-20"


@pytest.mark.rule("EG-20")
def test_only_the_clock_is_silent() -> None:
    s = asked(answer_seconds=30)
    assert SILENCE not in RULES.legal(s)
    assert not RULES.accepts(s, SILENCE)
    assert RULES.claims(s) == ((1, SILENCE),)
    assert soldiers(RULES.apply(s, SILENCE), 1) == {"L10"}
    event = RULES.event(s, SILENCE, 0)
    assert isinstance(event, Answered)
    assert event.silent
    assert "run out of time" in LOOK.say(event, "en")
    for off in (asked(), asked(answer_seconds=30, skill=("own", KNOWS)), position("B4", "L10", answer_seconds=30)):
        assert RULES.claims(off) == ()
        with pytest.raises(IllegalAction) as error:
            RULES.apply(off, SILENCE)
        assert error.value.rule == "EG-20"


@pytest.mark.rule("EG-20")
def test_typed_answers() -> None:
    s = asked(answering="open")
    assert s.phase == "answer"
    assert s.asked.face is not None
    assert s.asked.face.options == ()
    assert legal(s) == {"give-up"}
    for text in ("answer rubicon", "RUBIKON", "the Rubico", "answer el Rubicón", "Rubiccon"):
        assert soldiers(play(s, text), 1) == {"L10", "L11"}, text
    for text in ("answer Tiber", "E5-E6", "A", "give-up", "answer", "answer done", "", "\x00\n\t"):
        assert soldiers(play(s, text), 1) == {"L10"}, text


@pytest.mark.rule("EG-21")
def test_skill_answers_by_chance() -> None:
    for level, weights in {"easy": (75, 25), "medium": (60, 40), "hard": (45, 55)}.items():
        s = position("B4", "L10 L11", skill=("own", BOT_SKILL), level=level)
        s = play(s, "done", "card-1")
        assert (RULES.turn(s), RULES.legal(s)) == (CHANCE, ())
        assert outcomes(s) == dict(zip(("answers-right", "answers-wrong"), weights, strict=True))
        assert soldiers(play(s, "answers-right"), 1) == {"L10", "L11"}
        assert soldiers(play(s, "answers-wrong"), 1) == {"L10"}


@pytest.mark.rule("EG-21")
def test_certain_skills_leave_one_outcome() -> None:
    assert outcomes(play(position("B4", "L10", skill=("own", KNOWS)), "done", "card-1")) == {"answers-right": 100}
    assert outcomes(play(position("B4", "L10", skill=("own", FAILS)), "done", "card-1")) == {"answers-wrong": 100}
    with pytest.raises(IllegalAction) as error:
        play(position("B4", "L10", skill=("own", FAILS)), "done", "card-1", "answers-right")
    assert error.value.rule == "EG-21"


@pytest.mark.rule("EG-21")
@pytest.mark.parametrize("answering", ["choice", "open"])
def test_skill_also_answers_open_questions(answering: str) -> None:
    s = play(position("B4", "L10", skill=("own", BOT_SKILL), answering=answering, deck=BLANK), "done", "card-1")
    assert RULES.turn(s) == CHANCE
    with pytest.raises(IllegalAction):
        RULES.apply(s, RULES.decode(asked(answering="open"), "rubicon"))


@pytest.mark.rule("EG-21")
def test_afterwards_all_see_the_answer_and_its_note() -> None:
    s = asked()
    for seat in (None, 0, 1):
        for text in ("A", "C"):
            event = RULES.event(s, RULES.decode(s, text), seat)
            assert isinstance(event, Answered)
            assert event.answer is not None
            assert event.note is not None
            assert (event.answer.es, event.note.de, event.letter) == ("Rubicón", "Der Würfel war gefallen.", 0)
            assert "The die was cast." in LOOK.say(event, "en")
    assert "Rubikon" in LOOK.say(RULES.event(s, RULES.decode(s, "C"), 0), "de")
