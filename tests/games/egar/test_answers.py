"""Judging typed answers (EG-20)."""

from __future__ import annotations

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from astragal.games.egar.actions import LONGEST_ANSWER, Type, clean
from astragal.games.egar.answers import Judgement, judge, normal
from astragal.games.egar.cards import Card, number
from astragal.games.egar.deck import Deck, default_deck, edition
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
        ("CDLXXX", True),
        ("CDLXXXI", False),
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
    assert not judge(shipped(id), text).right


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


WORLD_WAR = card(
    kind="war",
    en={
        "question": "Which war ended in September 1945?",
        "answer": "Second World War",
        "wrong": ("First World War", "Korean War", "Cold War"),
        "accept": (),
        "reject": (),
    },
    de={
        "question": "Welcher Krieg endete im September 1945?",
        "answer": "Zweiter Weltkrieg",
        "wrong": ("Erster Weltkrieg", "Koreakrieg", "Kalter Krieg"),
        "accept": (),
    },
    es={
        "question": "¿Qué guerra acabó en septiembre de 1945?",
        "answer": "Segunda Guerra Mundial",
        "wrong": ("Primera Guerra Mundial", "Guerra de Corea", "Guerra Fría"),
        "accept": (),
    },
)
SUN_KING = card(
    kind="person",
    en={"question": "Which French king built Versailles?", "answer": "Louis XIV", "accept": (), "reject": ()},
    de={"question": "Welcher französische König baute Versailles?", "answer": "Ludwig XIV.", "accept": ()},
    es={"question": "¿Qué rey de Francia construyó Versalles?", "answer": "Luis XIV", "accept": ()},
)


def shipped(id: str) -> Card:
    """A card of the current edition, or of the one before it: both are judged alike."""
    return next(card for card in (*default_deck().cards, *edition("default").cards) if card.id == id)


@pytest.mark.rule("EG-20")
@pytest.mark.parametrize(
    "text",
    [
        "WW2",
        "WWII",
        "ww ii",
        "World War Two",
        "2nd World War",
        "2. Weltkrieg",
        "der Zweite Weltkrieg",
        "II Guerra Mundial",
    ],
)
def test_ordinals_in_every_form(text: str) -> None:
    assert judge(WORLD_WAR, text).right


@pytest.mark.rule("EG-20")
@pytest.mark.parametrize("text", ["WW1", "WW3", "World War", "1. Weltkrieg", "I Guerra Mundial", "Third World War"])
def test_another_ordinal_is_another_war(text: str) -> None:
    assert not judge(WORLD_WAR, text).right


@pytest.mark.rule("EG-20")
@pytest.mark.parametrize(
    ("text", "right"),
    [
        ("Louis the 14th", True),
        ("King Louis XIV of France", True),
        ("Ludwig der Vierzehnte", True),
        ("König Ludwig 14.", True),
        ("el rey Luis XIV", True),
        ("Louis XV", False),
        ("Louis the 16th", False),
        ("Louis", False),
        ("Louis XIV of Spain", False),
        ("Louis XIV or Louis XV", False),
        ("the father of Louis XIV", False),
    ],
)
def test_a_ruler_with_title_number_and_country(text: str, right: bool) -> None:
    assert judge(SUN_KING, text).right is right


@pytest.mark.rule("EG-20")
@pytest.mark.parametrize(
    ("id", "text"),
    [
        ("knights-1565", "in Malta"), ("napoleon-last", "bei Waterloo"), ("napoleon-last", "Schlacht von Waterloo"),
        ("napoleon-last", "Waterloo battle"), ("hall-of-mirrors", "Versailles Treaty"), ("rubicon", "Rubicon River"),
        ("hall-of-mirrors", "Friedensvertrag von Versailles"), ("peace-1648", "Treaty of Westphalia"),
        ("constantinople-1204", "4th"), ("constantinople-1204", "die Vierte"),
        ("chaeronea-year", "338 antes de Cristo"),
        ("chaeronea-year", "338 vor Christus"), ("chaeronea-year", "BC 338"), ("chaeronea-year", "-338"),
        ("great-war-begins", "July 1914"), ("great-war-begins", "neunzehnhundertvierzehn"),
        ("great-war-begins", "mil novecientos catorce"), ("hastings", "ten sixty-six"), ("uss-maine", "Havana, Cuba"),
        ("shawnee-leader", "Chief Tecumseh"), ("shawnee-leader", "tecumseh the shawnee"),
    ],
)  # fmt: skip
def test_what_people_write_around_an_answer_does_not_matter(id: str, text: str) -> None:
    assert judge(shipped(id), text).right


@pytest.mark.rule("EG-20")
@pytest.mark.parametrize(
    ("id", "text"),
    [
        ("knights-1565", "Yalta"), ("women-in-white", "Siberia"), ("women-in-white", "Iberia"),
        ("emperor-captured", "Sudan"), ("tanga-1914-bees", "Tonga"), ("hannibal-encircles", "Cannes"),
        ("bosnia-1995", "Daytona"), ("kadesh", "Hattin"), ("spartacus", "Esparta"), ("wooden-walls", "salami"),
        ("troy-horse", "house"), ("great-war-begins", "1914-1918"), ("great-war-begins", "1915"),
        ("great-war-begins", "19l4"), ("hall-of-mirrors", "Treaty of Versailles 1783"),
        ("napoleon-last", "not Waterloo"),
        ("napoleon-last", "Waterloo, Austerlitz"), ("uss-maine", "Havana, Spain"), ("dolores-bell", "campaña"),
    ],
)  # fmt: skip
def test_a_word_that_means_something_else_is_no_slip(id: str, text: str) -> None:
    assert not judge(shipped(id), text).right


def test_a_very_long_text_is_judged_by_its_beginning_and_soon() -> None:
    assert not judge(shipped("napoleon-last"), "Waterloo " * 100_000).right
    assert not judge(shipped("great-war-begins"), "1914 " * 100_000).right


@pytest.mark.rule("EG-20")
@pytest.mark.parametrize(
    ("id", "text"),
    [
        # doubt, tags, two names for one thing, one set against a wrong one
        ("napoleon-last", "not sure but Waterloo"), ("napoleon-last", "no sé, ¿waterloo?"),
        ("napoleon-last", "Waterloo, oder?"), ("napoleon-last", "a) Waterloo"), ("napoleon-last", "I think Waterloo"),
        ("ankara-1402", "Timur or Tamerlane"), ("ankara-1402", "Timur, auch genannt Tamerlan"),
        ("alps-218", "Hannibal, nicht Hamilkar"), ("constantinople-now", "Istanbul, not Constantinople"),
        # dates, years and explanations beside a name
        ("napoleon-last", "Waterloo, 18 June 1815"), ("volgograd", "Stalingrad 42/43"),
        ("cold-war", "the Cold War, 1947-1991"), ("saladin-1187", "Hattin, Galilee"),
        ("haiti", "Haiti (Saint-Domingue)"),
        ("flower-wars", "die Blumenkriege der Azteken"), ("gettysburg", "Gettysburg, Pennsylvania"),
        ("great-war-begins", "WW1 started in 1914"), ("great-war-begins", "la guerra empezó en 1914"),
        # inflected words, compounds, what all options share, and what everybody leaves out
        ("carrhae", "von den Parthern"), ("carrhae", "die parthischen Reiter"), ("pyrrhic", "triunfo pirrico"),
        ("geronimo", "Apachenhäuptling Geronimo"), ("zenobia", "die Oasenstadt Palmyra"),
        ("nader-shah-booty", "the peacock one"), ("ban-of-2021", "las nucleares"), ("cuba-landing", "Schweinsbucht"),
        ("waikato-conscription", "Herangi"), ("zapata", "Emiliano Zapata Salazar"),
        # short forms, slips at the beginning, digraphs that are none, numbers joined
        ("peace-prize-2012", "the E.U."), ("lawrence", "T.E. Lawrence"), ("joan-of-arc", "Johanna v. Orléans"),
        ("youngest-state", "S. Sudan"), ("napoleon-last", "aterloo"), ("napoleon-last", "wtaerloo"),
        ("napoleon-last", "teh battle of waterloo"), ("granada-1492", "mil cuatrocientos noventaidós"),
        ("chaeronea-year", "338 vor Christi Geburt"),
    ],
)  # fmt: skip
def test_sentences_inflections_and_short_forms(id: str, text: str) -> None:
    assert judge(shipped(id), text).right


@pytest.mark.rule("EG-20")
@pytest.mark.parametrize(
    ("id", "text"),
    [
        ("napoleon-last", "idk"), ("napoleon-last", "Waterloo or Leipzig"), ("napoleon-last", "Waterloo, Jena"),
        ("napoleon-last", "Waterloo no Austerlitz"), ("napoleon-last", "Leipzig, not Waterloo"),
        ("rosetta-stone", "Egypt, Libya"), ("october-1962", "Cuba, Haiti"), ("ankara-1402", "Timur oder Hulagu"),
        ("great-war-begins", "vor 1914"), ("great-war-begins", "bis 1914"), ("great-war-begins", "1914 or 1915"),
        ("longbow", "Langboden"), ("saladin", "Paladino"), ("joan-of-arc", "the mother of Joan of Arc"),
        ("dreyse-needle-gun", "aguja"), ("samori-toure", "Touré"), ("red-cloud-bozeman", "Cloud"),
        ("bucephalus", "Alexander of Epirus"), ("youngest-state", "N. Sudan"), ("zapata", "Emiliano Zapata's horse"),
    ],
)  # fmt: skip
def test_what_a_sentence_denies_leaves_open_or_adds_is_wrong(id: str, text: str) -> None:
    assert not judge(shipped(id), text).right
