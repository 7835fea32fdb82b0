"""Judging typed answers (EG-20)."""

from __future__ import annotations

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from astragal.games.egar.actions import LONGEST_ANSWER, Type, clean
from astragal.games.egar.answers import Judgement, distance, judge, normal
from astragal.games.egar.cards import Card, number
from astragal.games.egar.deck import Deck, default_deck
from astragal.games.egar.rules import EgarRules
from tests.games.egar.table import asked, card, play, years

KING = card(
    en={"answer": "Frederick II", "accept": ("Frederick the Great",), "reject": ("Frederick III",)},
    de={"answer": "Friedrich II.", "accept": ("Friedrich der Große",)},
    es={"answer": "Federico II", "accept": ()},
)


@pytest.mark.rule("EG-20")
@pytest.mark.parametrize(
    ("text", "right", "how"),
    [
        ("Frederick II", True, "exact"),
        ("  frederick   ii ", True, "exact"),
        ("Frederick 2", True, "exact"),
        ("Friedrich II", True, "exact"),
        ("Friedrich der Grosse", True, "alias"),
        ("FREDERICK GREAT", True, "alias"),
        ("Frederik II", True, "near"),
        ("Frederick III", False, "rejected"),
        ("Frederick I", False, "nothing"),
        ("Frederick IV", False, "nothing"),
        ("Frederick", False, "nothing"),
        ("Tibre", False, "rejected"),
        ("", False, "nothing"),
        ("!!!", False, "nothing"),
        ("the", False, "nothing"),
    ],
)
def test_names(text: str, right: bool, how: str) -> None:
    found = judge(KING, text)
    assert (found.right, found.how) == (right, how)
    assert (found.matched != "") is (how != "nothing")


@pytest.mark.rule("EG-20")
@pytest.mark.parametrize(
    ("text", "right"),
    [
        ("480 BC", True),
        ("480 bce", True),
        ("480 v. Chr.", True),
        ("480 a. C.", True),
        ("480", True),
        ("480 AD", False),
        ("481 BC", False),
        ("490 BC", False),
        ("48", False),
        ("4800", False),
        ("CDLXXX", False),
    ],
)
def test_years_are_exact(text: str, right: bool) -> None:
    own = card(**years(right="480 BC", wrong=("490 BC", "31 BC", "1066")))
    assert judge(own, text).right is right


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("1066", 1066), ("480 BC", -480), ("480 v. Chr.", -480), ("480 a. C.", -480), ("9 AD", 9), ("9 n. Chr.", 9),
        ("9 d. C.", 9), ("10,000", 10000), ("10.000", 10000), ("1066 men", None), ("", None), ("XIV", None),
    ],
)  # fmt: skip
def test_numbers_in_three_languages(text: str, value: int | None) -> None:
    assert number(text) == value


@pytest.mark.rule("EG-20")
def test_the_judgement_says_what_it_matched() -> None:
    assert judge(card(), "Rubikon") == Judgement(True, "exact", "Rubikon")
    assert judge(card(), "rubico") == Judgement(True, "alias", "Rubico")
    assert judge(card(), "tíber") == Judgement(False, "rejected", "Tiber")
    assert judge(card(), "po") == Judgement(False, "rejected", "Po")
    assert judge(card(**years()), "1400") == Judgement(False, "rejected", "1400")


@pytest.mark.rule("EG-20")
def test_a_slip_towards_a_wrong_answer_is_wrong() -> None:
    own = card(en={"answer": "Austerlitz", "wrong": ("Austerling", "Arno", "Po"), "accept": (), "reject": ()})
    assert judge(own, "Austerlit").right
    assert not judge(own, "Austerlin").right


@given(st.text(max_size=40))
def test_any_text_is_judged(text: str) -> None:
    """A bad answer is never an error, only wrong."""
    found = judge(card(), text)
    assert found.right == (found.how in ("exact", "alias", "near"))


@given(st.text(max_size=300))
def test_any_text_can_be_typed(text: str) -> None:
    rules, s = EgarRules(), asked(answering="open")
    after = play(s, text)
    assert after.phase in ("roll", "over")
    typed = Type(clean(text))
    assert rules.accepts(s, typed) == (typed.text != "")
    if typed.text:
        assert rules.decode(s, rules.encode(typed)) == typed
        assert len(typed.text) <= LONGEST_ANSWER


@given(st.text(max_size=12), st.text(max_size=12))
def test_distance_is_symmetric_and_bounded(one: str, other: str) -> None:
    assert distance(one, other, 2) == distance(other, one, 2)
    assert (distance(one, other, 2) == 0) == (one == other)
    assert distance(one, other, 2) <= 3


@pytest.mark.parametrize(
    ("one", "other", "steps"), [("abc", "acb", 1), ("abc", "abcd", 1), ("abc", "xyz", 3), ("", "ab", 2)]
)
def test_distance(one: str, other: str, steps: int) -> None:
    assert distance(one, other, 5) == steps


@given(st.text(max_size=60))
@example("ϒ")  # a capital only after it was made plain
@example("ſt İ")
def test_normal_is_stable(text: str) -> None:
    assert normal(normal(text)) == normal(text)


@pytest.mark.parametrize("own", default_deck().cards, ids=lambda own: own.id)
def test_shipped_cards_judge_their_own_answers(own: Card) -> None:
    for words in own.words.values():
        assert judge(own, words.answer).right
        assert all(judge(own, text).right for text in words.accept)
        assert not any(judge(own, text).right for text in (*words.wrong, *words.reject))


def test_a_blank_card_cannot_be_answered_in_own_words() -> None:
    s = asked(answering="open", deck=Deck("blank", (), (1, 1, 1)))
    assert len(play(s, "Rubicon").armies[1]) == 1


@pytest.mark.rule("EG-20")
@pytest.mark.parametrize(
    ("id", "text"),
    [
        ("longest-war", "Guerra de los Diez Años"),
        ("ten-years-war-yara", "Guerra de los Cien Años"),
        ("trojan-war", "Guerra de broma"),
        ("adwa", "Battle of Sadowa"),
        ("adwa", "Sadowa"),
        ("moltke-1866", "Battle of Adwa"),
        ("war-renounced", "Peace of Paris"),
        ("geneva", "Génova"),
        ("tell-apple", "Ballista"),
        ("flower-wars", "Burenkriege"),
    ],
)
def test_another_name_is_no_slip_of_the_pen(id: str, text: str) -> None:
    found = next(card for card in default_deck().cards if card.id == id)
    assert not judge(found, text).right


@pytest.mark.rule("EG-20")
@pytest.mark.parametrize("text", ["Batle of Hastings", "Battle at Hastings", "Schlacht von Hastigns"])
def test_a_slip_within_a_word_and_another_little_word_are_forgiven(text: str) -> None:
    battle = card(
        en={"answer": "Battle of Hastings"},
        de={"answer": "Schlacht von Hastings"},
        es={"answer": "Batalla de Hastings"},
    )
    assert judge(battle, text).how == "near"


@pytest.mark.rule("EG-20")
@pytest.mark.parametrize("words", ["in {}", "AD {}", "A.D. {}", "the year {}", "im Jahr {}", "en el año {}"])
def test_words_before_a_year_do_not_matter(words: str) -> None:
    hastings = next(card for card in default_deck().cards if card.id == "hastings")
    assert judge(hastings, words.format(1066)).right
    assert judge(hastings, words.format(1215)).how == "rejected"
    assert not judge(hastings, words.format(1067)).right


def test_the_wrong_era_before_a_year_is_wrong() -> None:
    found = next(card for card in default_deck().cards if card.en.answer == "338 BC")
    assert judge(found, "in 338").right
    assert not judge(found, "AD 338").right


def test_a_number_too_long_for_anything_is_only_wrong() -> None:
    assert not judge(KING, "9" * 5000).right
