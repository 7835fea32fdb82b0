"""Remarks on decks: every way to give an answer away is noticed on a bad card, and on no card of ours."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from msgspec.structs import replace

from astragal.games.egar.cards import Card
from astragal.games.egar.check import check
from astragal.games.egar.check_giveaways import remarks
from astragal.games.egar.deck import Deck, default_deck, edition
from tests.games.egar.table import card

SAME = {"accept": (), "reject": ()}


def in_all(**words: Any) -> dict[str, Any]:
    """The same changes in every language."""
    return dict.fromkeys(("en", "de", "es"), SAME | words)


def second(question: str = "Where was Hannibal beaten?", answer: str = "Zama", **changes: Any) -> Card:
    """Another card with nothing in common with the first one, except what is asked for here."""
    words = in_all(question=question, answer=answer, wrong=("Cannae", "Ticinus", "Trebia"))
    return replace(card("two", **words), **changes)


def treaties(answer: str, *wrong: str) -> tuple[Card]:
    return (card(kind="treaty", en=SAME | {"answer": answer, "wrong": wrong}),)


# What is wrong with a card, the kind of the remark, its language, and the cards.
GIVEAWAYS: dict[str, tuple[str, str, Callable[[], tuple[Card, ...]]]] = {
    "only one in brackets": ("brackets", "de", lambda: (card(de={"answer": "Rubikon (Fluss)"}),)),
    "only one without brackets": ("brackets", "en", lambda: (
        card(en={"wrong": ("Tiber (It.)", "Oder (Pol.)", "Po (It.)")}),)),
    "one noun in singular and plural": ("number", "en", lambda: treaties(
        "Geneva Conventions", "Basel Convention", "Hague Conventions", "Vienna Convention")),
    "treaties": ("number", "en", lambda: treaties(
        "Treaty of Sèvres", "Locarno Treaties", "Treaty of Berlin", "Treaty of Paris")),
    "Konvention beside Konventionen": ("number", "de", lambda: (card(kind="treaty", de=SAME | {
        "answer": "Genfer Konventionen", "wrong": ("Basler Konvention", "Haager Abkommen", "Wiener Abkommen")}),)),
    "the only plural": ("number", "es", lambda: (card(kind="weapon", **in_all(
        answer="Cuernos", wrong=("Visera", "Pluma", "Cascabel"))),)),
    "far longer": ("length", "en", lambda: treaties(
        "Treaty of Edinburgh and Northampton", "Treaty of Perth", "Treaty of York", "Treaty of Leeds")),
    "far shorter": ("length", "en", lambda: treaties(
        "Baqt", "Umar's Agreement", "Theodemir's Agreement", "Hudaybiyya Agreement")),
    "the only double name": ("form", "es", lambda: (card(kind="treaty", es=SAME | {
        "answer": "Paz de Cateau-Cambrésis", "wrong": ("Paz de Crépy-la-belle", "Paz de Vervins", "Paz de Noyon")}),)),
    "the only single word": ("form", "en", lambda: treaties(
        "Mudros", "Pact of Umar", "Pact of Steel", "Bond of Love")),
    "the only article": ("form", "en", lambda: (card(kind="term", en=SAME | {
        "answer": "The tide", "wrong": ("Storm", "Calm", "Frost")}),)),
    "the only number": ("form", "en", lambda: (card(kind="person", en=SAME | {
        "answer": "Mary II", "wrong": ("Anne Boleyn", "Jane Grey", "Kate Parr")}),)),
    "the only quotation marks": ("form", "de", lambda: (card(de={"answer": "„Rubikon“"}),)),
    "the only comma": ("form", "en", lambda: (card(en={"answer": "Rubicon, Italy"}),)),
    "the only small letter": ("form", "en", lambda: (card(en={"answer": "rubicon"}),)),
    "the only word of its language": ("language", "en", lambda: (card(
        kind="weapon",
        en=SAME | {"answer": "Katana", "wrong": ("Scimitar", "Rapier", "Falchion")},
        de=SAME | {"answer": "Katana", "wrong": ("Krummsäbel", "Degen", "Malchus")},
        es=SAME | {"answer": "Katana", "wrong": ("Cimitarra", "Ropera", "Bracamarte")}),)),
    "a word of the question": ("echo", "en", lambda: (card(en={"question": "Which river of the Rubicontes was it?"}),)),
    "the answer in another question": ("leak", "en", lambda: (
        card(kind="person", en=SAME | {"answer": "Hannibal", "wrong": ("Mago", "Hanno", "Hasdrubal")}), second())),
    "a place in a question like it": ("leak", "en", lambda: (
        card(kind="place"), second("Who stood by the little Rubicon river?"))),
    "an accent": ("spelling", "es", lambda: (card(es={"note": "En Trianón."}), second(es=second_note("En Trianon.")))),
    "a silent letter": ("spelling", "es", lambda: (
        card(es={"note": "En Isandhlwana."}), second(es=second_note("En Isandlwana.")))),
    "Cuzco": ("spelling", "es", lambda: (card(es={"note": "En Cuzco."}), second(es=second_note("En Cusco.")))),
}  # fmt: skip


def second_note(note: str) -> Any:
    return replace(second().es, note=note)


@pytest.mark.rule("EC-3")
@pytest.mark.parametrize("name", GIVEAWAYS)
def test_every_giveaway_is_remarked_on_and_no_fault(name: str) -> None:
    kind, lang, cards = GIVEAWAYS[name]
    deck = Deck("own", cards())
    found = remarks(deck)
    assert (kind, lang) in {(remark.kind, remark.lang) for remark in found}, found
    assert all(remark.card in remark.text().to("en") for remark in found)
    assert check(deck) == []  # it can be played all the same


def test_a_good_card_is_not_remarked_on() -> None:
    assert remarks(Deck("own", (card(), second()))) == []


@pytest.mark.parametrize(
    "cards",
    [
        # The Hague has its article by name; a city in two questions that have nothing else in common is no leak
        lambda: (card(kind="place", en=SAME | {"answer": "The Hague", "wrong": ("Geneva", "Bern", "Basel")}),),
        lambda: (card(kind="place"), second(en=replace(second().en, question="Who once lived in Rubicon?"))),
        # the same answer told on another level
        lambda: (
            card(kind="person", en=SAME | {"answer": "Hannibal", "wrong": ("Mago", "Hanno", "Bomilcar")}),
            second(level="hard"),
        ),
    ],
)
def test_what_only_looks_like_a_giveaway_is_not_remarked_on(cards: Callable[[], tuple[Card, ...]]) -> None:
    assert remarks(Deck("own", cards())) == []


def test_nothing_is_to_be_remarked_on_the_shipped_deck() -> None:
    assert [remark.text().to("en") for remark in remarks(default_deck())] == []


def test_the_levels_that_the_reader_asked_for() -> None:
    wanted = {
        "easy": ("alps-218", "dhaka-1971", "criminal-court", "temujin"),
        "medium": ("bosnia-1995", "lepanto", "acre-1291-year", "lausanne-1923", "ferghana-heavenly-horses"),
    }
    levels = {own.id: own.level for own in default_deck().cards}
    assert {levels[id] for id in wanted["easy"]} == {"easy"}
    assert {levels[id] for id in wanted["medium"]} == {"medium"}


def test_names_are_spelled_alike_on_all_cards() -> None:
    """The names that the reader of the first edition found in two spellings, and how they are not written now."""
    other = {
        "en": ("Mantzikert", "Isandhlwana", "Malazgirt", "doru"),
        "de": ("Mantzikert", "Isandhlwana", "Cuzco", "Trianón"),
        "es": ("Mantzikert", "Isandhlwana", "Cusco", "Trianón", "Ismaíl", "shah Ismail"),
    }
    for own in default_deck().cards:
        for lang, spellings in other.items():
            words = own.words[lang]
            shown = " ".join((words.question, *words.options, words.note))
            assert not [name for name in spellings if name.lower() in shown.lower()], (own.id, lang, shown)


def test_the_first_edition_had_what_its_readers_found() -> None:
    """The checks find the cards that a reader of the first edition named."""
    named = {remark.card for remark in remarks(edition("default"))}
    assert {"counterweight", "code-talkers", "mexico-1848", "geneva", "baqt-nubia", "samurai-sword"} <= named
    assert {"saladin", "berlin-wall", "truce-1914", "hannibal-encircles", "augustus-head-meroe"} <= named
    assert {"manzikert-captive-emperor", "thaba-bosiu", "lausanne-1923", "chaldiran-1514", "tinta-1780"} <= named
