"""The card format, the checker, and a host's own deck (EC-2, EC-3, EC-7)."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable
from contextlib import suppress
from itertools import combinations
from pathlib import Path
from random import Random
from typing import Any

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

import astragal
from astragal.core.bounds import MOST_BYTES
from astragal.core.line import replay
from astragal.core.options import convert
from astragal.core.record import BadRecord
from astragal.core.types import BadFile, BadOptions
from astragal.games.egar import rules as egar_rules
from astragal.games.egar.cards import LEVELS, Card
from astragal.games.egar.check import ALIKE, _content, check
from astragal.games.egar.deck import DATA, Deck, default_deck, read
from astragal.games.egar.options import Options
from astragal.play.match import Match
from tests.games.egar.decks import large_deck, plain_card, word
from tests.games.egar.table import RULES, card, years

PAGES = Path(__file__).parents[3] / "docs" / "rules"

TOML = """name = "own"

[[card]]
id = "rubicon"
level = "medium"
era = "ancient"
region = "europe"
kind = "place"
fact_key = "rubicon"
review = "draft"
sources = [{ title = "Suetonius", place = "Julius" }, { title = "Plutarch", place = "Caesar" }]
[card.en]
question = "Which little river did Caesar cross?"
answer = "Rubicon"
wrong = ["Tiber", "Arno", "Po"]
note = "The die was cast."
[card.de]
question = "Welchen Bach überschritt Cäsar?"
answer = "Rubikon"
wrong = ["Tiber", "Arno", "Po"]
note = "Der Würfel war gefallen."
[card.es]
question = "¿Qué riachuelo cruzó César?"
answer = "Rubicón"
wrong = ["Tíber", "Arno", "Po"]
note = "La suerte estaba echada."
"""


@pytest.mark.rule("EC-2")
def test_a_whole_game_is_shipped() -> None:
    deck = default_deck()
    assert all(len(deck.of(level)) >= 8 for level in LEVELS)
    assert check(deck) == []
    assert {path.name for path in DATA.glob("cards-*.toml")} == {f"cards-{level}.toml" for level in LEVELS}


@pytest.mark.rule("EC-2")
@pytest.mark.parametrize("own", default_deck().cards, ids=lambda own: own.id)
def test_shipped_cards_are_complete_and_honest(own: Card) -> None:
    assert own.review != "human_checked"  # nobody did
    assert len({source.title for source in own.sources}) == 2
    for words in own.words.values():
        assert words.note.rstrip("'\"“»”").endswith((".", "!"))
        assert words.question.endswith("?")


@pytest.mark.rule("EC-2")
def test_the_format_reads_every_field() -> None:
    deck, faults = read(TOML, "own.toml")
    assert faults == []
    (own,) = deck.cards
    assert (own.id, own.level, own.era, own.region, own.kind, own.fact_key, own.review) == (
        "rubicon", "medium", "ancient", "europe", "place", "rubicon", "draft",
    )  # fmt: skip
    assert [source.title for source in own.sources] == ["Suetonius", "Plutarch"]
    assert (own.de.answer, own.es.wrong, own.en.accept) == ("Rubikon", ("Tíber", "Arno", "Po"), ())
    assert msgspec.json.decode(msgspec.json.encode(deck), type=Deck) == deck


BAD_FIELDS = {
    'level = "medium"': 'level = "brutal"',
    'era = "ancient"': 'era = "c22"',
    'region = "europe"': 'region = "mars"',
    'kind = "place"': 'kind = "recipe"',
    'review = "draft"': 'review = "trust me"',
    'id = "rubicon"': 'id = "Ruby Con"',
    'fact_key = "rubicon"': "fact_key = 3",
    'wrong = ["Tíber", "Arno", "Po"]': 'wrong = ["Tíber", "Arno"]',
    'note = "La suerte estaba echada."': "",
    ', { title = "Plutarch", place = "Caesar" }': "",
    'answer = "Rubikon"': 'answer = ""',
    'answer = "Rubicón"': 'answer = "Rubicón"\ncolour = "red"',
}


@pytest.mark.rule("EC-2")
@pytest.mark.parametrize(("good", "bad"), BAD_FIELDS.items())
def test_cards_of_another_form_are_refused(tmp_path: Path, good: str, bad: str) -> None:
    assert TOML.count(good) == 1
    file = tmp_path / "own.toml"
    file.write_text(TOML.replace(good, bad), "utf-8")
    with pytest.raises(BadFile) as error:
        Deck.load(file)
    name = "Ruby Con" if "Ruby" in bad else "rubicon"
    assert re.search(rf"own.toml, line 4: card {name}: ", str(error.value))


# One faulty deck for every fault the checker claims to catch (EC-3), and in which language it is.
FAULTY: dict[str, tuple[str, str, Callable[[], tuple[Card, ...]]]] = {
    "id twice": ("repeated id", "", lambda: (card(), other(id="one"))),
    "fact twice": ("repeated fact", "", lambda: (card(), other(fact_key="fact-one"))),
    "near-duplicate question": ("same question", "en", lambda: (card(), alike())),
    "answer in its question": ("gives itself away", "en", lambda: (card(en={"question": "Where is the Rubicon?"}),)),
    "alias in the question": ("gives itself away", "en", lambda: (card(en={"question": "Rubico, or which river?"}),)),
    "wrong is the answer": ("wrong is right", "de", lambda: (card(de={"wrong": ("Tiber", "rubikon!", "Po")}),)),
    "wrong is an alias": ("wrong is right", "en", lambda: (card(en={"wrong": ("Tiber", "Rubico", "Po")}),)),
    "wrong is nearly right": ("wrong is right", "es", lambda: (card(es={"wrong": ("Tíber", "Rubicom", "Po")}),)),
    "wrong is right in German": ("wrong is right", "en", lambda: (card(en={"wrong": ("Tiber", "Rubikon", "Po")}),)),
    "near miss is accepted": ("wrong is right", "en", lambda: (card(en={"reject": ("Rubico",)}),)),
    "option twice": ("repeated option", "es", lambda: (card(es={"wrong": ("Po", "Arno", "po")}),)),
    "a number among names": ("other kind", "en", lambda: (card(**a_year_among_rivers()),)),
    "a battle among rivers": ("other kind", "en", lambda: (card(en={"wrong": ("Tiber", "Battle of Zama", "Po")}),)),
    "a year that is none": ("other kind", "en", lambda: (card(kind="year"),)),
    "years differ in options": ("years differ", "de", lambda: (card(**mixed_years()),)),
    "years differ in questions": ("years differ", "es", lambda: (card(es={"question": "¿Qué río en 1849?"}),)),
    "small years differ": (
        "years differ",
        "de",
        lambda: (
            card(
                en={"question": "Which little river did Caesar cross in 49 BC?"},
                de={"question": "Welchen kleinen Fluss überschritt Cäsar 48 v. Chr.?"},
                es={"question": "¿Qué pequeño río cruzó César en 49 a. C.?"},
            ),
        ),
    ),
    "eras differ": (
        "years differ",
        "es",
        lambda: (
            card(en={"note": "It was AD 9."}, de={"note": "Es war das Jahr 9."}, es={"note": "Fue en 9 a. C."}),
        ),
    ),
    "years differ in notes": ("years differ", "de", lambda: (card(de={"note": "Das war 1849."}),)),
    "question too long": ("too long", "en", lambda: (card(en={"question": "x" * 140 + "?"}),)),
    "option too long": ("too long", "es", lambda: (card(es={"wrong": ("Tíber", "A" * 41, "Po")}),)),
    "answer too long": ("too long", "de", lambda: (card(de={"answer": "R" * 41}),)),
    "NOT": ("trick word", "en", lambda: (card(en={"question": "Which river did Caesar NOT cross?"}),)),
    "nicht": ("trick word", "de", lambda: (card(de={"question": "Welchen Bach mied Cäsar nicht?"}),)),
    "siempre": ("trick word", "es", lambda: (card(es={"question": "¿Qué río cruzaba siempre César?"}),)),
    "all of the above": ("trick word", "en", lambda: (card(en={"wrong": ("Tiber", "All of the above", "Po")}),)),
    "always": ("trick word", "en", lambda: (card(en={"question": "Which river did Caesar always like?"}),)),
}  # fmt: skip


def other(**changes: Any) -> Card:
    """A second card about something else."""
    same = {"answer": "Zama", "wrong": ("Cannae", "Ticinus", "Trebia"), "accept": (), "reject": ()}
    second = card(
        "two",
        en=same | {"question": "Where was Hannibal beaten?"},
        de=same | {"question": "Wo verlor Hannibal?"},
        es=same | {"question": "¿Dónde perdió Aníbal?"},
    )
    return replace(second, **changes)


def alike() -> Card:
    """A second card that asks the first one's question, in English only."""
    second = other()
    return replace(second, en=replace(second.en, question="What little river did Caesar then cross?"))


def a_year_among_rivers() -> dict[str, Any]:
    texts = {"en": "49 BC", "de": "49 v. Chr.", "es": "49 a. C."}
    return {lang: {"wrong": ("Oder", text, "Po")} for lang, text in texts.items()}


def mixed_years() -> dict[str, Any]:
    changes = years()
    return changes | {"de": changes["de"] | {"answer": "1501"}}


@pytest.mark.rule("EC-3")
def test_the_faultless_card_is_faultless() -> None:
    assert check(Deck("own", (card(), other()))) == []
    assert check(Deck("own", (card(**years()),))) == []


@pytest.mark.rule("EC-3")
@pytest.mark.parametrize("name", FAULTY)
def test_every_fault_is_found(name: str) -> None:
    kind, lang, cards = FAULTY[name]
    faults = check(Deck("own", cards()))
    assert {(fault.kind, fault.lang) for fault in faults} >= {(kind, lang)}
    assert {fault.kind for fault in faults} == {kind}
    assert all(fault.card in str(fault.text()) for fault in faults)
    with pytest.raises(BadOptions) as error:
        RULES.initial(Options(deck=Deck("own", cards())), 2)
    assert error.value.field == "deck"


@pytest.mark.rule("EC-3")
@pytest.mark.parametrize("lang", ["en", "de", "es"])
def test_a_missing_language_is_found(tmp_path: Path, lang: str) -> None:
    cut = re.sub(rf"\[card\.{lang}\]\n(?:[^\[].*\n)*", "", TOML)
    assert cut != TOML
    _, faults = read(cut, "own.toml")
    assert [(fault.card, fault.kind, fault.lang) for fault in faults] == [("rubicon", "form", lang)]


@pytest.mark.rule("EC-3")
def test_years_in_three_ways_of_writing_are_the_same() -> None:
    bc: dict[str, Any] = {
        "kind": "year",
        "en": {"answer": "480 BC", "wrong": ("490 BC", "31 BC", "9 AD"), "accept": (), "reject": ()},
        "de": {"answer": "480 v. Chr.", "wrong": ("490 v. Chr.", "31 v. Chr.", "9 n. Chr.")},
        "es": {"answer": "480 a. C.", "wrong": ("490 a. C.", "31 a. C.", "9 d. C.")},
    }
    assert check(Deck("own", (card(**bc),))) == []


@pytest.mark.rule("EC-7")
def test_a_hosts_own_deck_is_played(tmp_path: Path) -> None:
    file = tmp_path / "own.toml"
    file.write_text(TOML, "utf-8")
    s = RULES.initial(Options(deck=Deck.load(file), begins=0), 2)
    assert s.options.deck == Deck("own", (), (0, 1, 0))
    assert read(file.read_text("utf-8"), str(file))[1] == []


@pytest.mark.rule("EC-7")
def test_a_bad_deck_is_refused_with_card_and_reason(tmp_path: Path) -> None:
    file = tmp_path / "own.toml"
    second = TOML.replace('name = "own"\n', "").replace("rubicon", "second").replace("Arno", "Rubicon")
    file.write_text(TOML + second, "utf-8")
    with pytest.raises(BadFile) as error:
        Deck.load(file)
    line = (TOML + second).split("\n").index('id = "second"') + 1
    assert f"own.toml, line {line}: card second (en): 'Rubicon' is wrong, but it would be accepted" in str(error.value)
    assert "Karte second (en): 'Rubicon' ist falsch, würde aber anerkannt" in error.value.to("de")
    assert Counter(fault.kind for fault in read(file.read_text("utf-8"), str(file))[1])["same question"] == 3


@pytest.mark.rule("EC-7")
@pytest.mark.parametrize(
    "content", ["", "name = 3", "name = 'x'\ncard = 3", "name = 'x'\ncard = []", "][", "name = 'x'\n[[card]]"]
)
def test_what_is_no_deck(tmp_path: Path, content: str) -> None:
    file = tmp_path / "own.toml"
    file.write_text(content)
    with pytest.raises(BadFile, match=r"own\.toml"):
        Deck.load(file)


@pytest.mark.rule("EC-7")
def test_files_that_cannot_be_read(tmp_path: Path) -> None:
    (tmp_path / "latin.toml").write_bytes(b"name = '\xe4'")
    (tmp_path / "huge.toml").write_text("#" * 4_000_001)
    for name in ("none.toml", "latin.toml", "huge.toml", "."):
        with pytest.raises(BadFile):
            Deck.load(tmp_path / name)


@pytest.mark.rule("EC-7")
@pytest.mark.parametrize("lang", ["en", "de", "es"])
def test_the_examples_of_the_rules_pages_are_good(tmp_path: Path, lang: str) -> None:
    from astragal.games.egar.board import Board

    page = (PAGES / lang / "egar.md").read_text("utf-8")
    deck, board = re.findall(r"```toml\n(.*?)```", page, re.DOTALL)
    (tmp_path / "deck.toml").write_text(deck, "utf-8")
    (tmp_path / "board.toml").write_text(board, "utf-8")
    assert len(Deck.load(tmp_path / "deck.toml").cards) == 1
    RULES.initial(Options(board=Board.load(tmp_path / "board.toml")), 2)


@given(st.text(max_size=200))
def test_any_text_is_a_deck_or_a_bad_file(content: str) -> None:
    with suppress(BadFile):
        deck, faults = read(content, "own.toml")
        assert faults or deck.cards


@given(st.sampled_from(TOML.split("\n")), st.text(max_size=20))
def test_a_spoiled_line_is_noticed_or_harmless(line: str, junk: str) -> None:
    try:
        deck, faults = read(TOML.replace(line, line + junk, 1), "own.toml")
    except BadFile:
        return
    assert faults or len(deck.cards) == 1


@pytest.mark.rule("EC-7")
def test_a_level_of_more_cards_than_can_be_counted_is_refused() -> None:
    cards = default_deck().of("easy") * 11
    found = check(Deck("huge", cards))
    assert [fault.kind for fault in found] == ["too many"]


@pytest.mark.rule("EC-3")
@pytest.mark.parametrize("text", ["   ", "?!", "a\x1b[31mb", "two\nlines", "\u202egnorw"])
def test_a_text_that_says_nothing_or_cannot_be_printed_is_refused(text: str) -> None:
    found = check(Deck("odd", (card(de={"wrong": ("Elbe", text, "Rhein")}),)))
    assert ("form", "de") in [(fault.kind, fault.lang) for fault in found]


def _brute(questions: list[str]) -> set[tuple[str, str]]:
    """Pairs of questions that are nearly the same, found by comparing all of them."""
    words = [_content(question) for question in questions]
    return {
        (f"card-{b}", f"card-{a}")
        for a, b in combinations(range(len(words)), 2)
        if len(words[a] & words[b]) and len(words[a] & words[b]) >= ALIKE * len(words[a] | words[b])
    }


@pytest.mark.rule("EC-3")
@given(st.lists(st.lists(st.sampled_from("abcdefghij"), min_size=1, max_size=12), min_size=2, max_size=12))
def test_questions_alike_are_found_as_by_comparing_all(questions: list[list[str]]) -> None:
    texts = [" ".join(f"word{letter}" for letter in letters) + "?" for letters in questions]
    cards = [msgspec.convert(plain_card(n, question=text), Card) for n, text in enumerate(texts)]
    faults = [fault for fault in check(Deck("own", tuple(cards))) if fault.kind == "same question"]
    assert {(fault.card, fault.reason.holes["other"]) for fault in faults} == _brute(texts)


@pytest.mark.rule("EC-3")
def test_no_question_is_compared_with_the_whole_deck() -> None:
    """Many questions made of the same few words are refused for that, not compared with each other."""
    rng = Random(1)
    words = [word(n)[:6] for n in range(60)]
    cards = [plain_card(n, question=" ".join(rng.sample(words, 18)) + "?") for n in range(1200)]
    faults = check(Deck("own", tuple(msgspec.convert(one, Card) for one in cards)))
    assert {fault.kind for fault in faults} == {"same question"}
    assert str(faults[-1].reason) == "more than 200 other questions are made of the same words"


def test_a_large_deck_is_good() -> None:
    assert check(msgspec.convert(large_deck(400), Deck)) == []


@pytest.mark.parametrize(
    ("change", "reason"),
    [
        ({"name": "x" * 81}, "deck.name: at most 80 characters are allowed"),
        ({"cards": [plain_card(n) for n in range(3001)]}, "deck.cards: at most 3000 entries are allowed"),
        (
            {"cards": [plain_card(1, accept=("x" * 81,))]},
            "deck.cards[0].en.accept[0]: at most 80 characters are allowed",
        ),
        ({"cards": [plain_card(1, accept=("x",) * 13)]}, "deck.cards[0].en.accept: at most 12 entries are allowed"),
        ({"cards": [plain_card(1, note="x" * 401)]}, "deck.cards[0].en.note: at most 400 characters are allowed"),
    ],
)
def test_a_deck_has_bounds_wherever_it_comes_from(change: dict[str, Any], reason: str) -> None:
    """Options of a match and headers of records meet the same bounds."""
    raw = {"deck": large_deck(1) | change}
    with pytest.raises(BadOptions) as refused:
        convert(RULES, raw)
    assert str(refused.value) == f"option deck: {reason}"
    kept = Match.start(astragal.game("egar"), seed=1).record()
    with pytest.raises(BadRecord, match=re.escape(reason)) as unread:
        replay(replace(kept, header=replace(kept.header, options=kept.header.options | raw)))
    assert unread.value.rule == "RC-3"


def test_options_as_a_whole_have_a_bound() -> None:
    raw = {"deck": large_deck(2600)}
    assert len(msgspec.json.encode(raw)) > MOST_BYTES
    with pytest.raises(BadOptions, match="4000000 are allowed"):
        convert(RULES, raw)


def test_the_same_deck_is_checked_once_and_in_memory_once(monkeypatch: pytest.MonkeyPatch) -> None:
    raw = {"deck": large_deck(30, name="once"), "level": "free"}
    first = RULES.initial(convert(RULES, raw), 2)
    monkeypatch.setattr(egar_rules, "faults", lambda _deck: pytest.fail("checked again"))
    assert RULES.initial(convert(RULES, raw), 2).deck is first.deck
