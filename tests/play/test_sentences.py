"""What happened at the table, in words: names of seats that are plurals are spoken of in the plural."""

from __future__ import annotations

import re
from importlib import resources

import pytest
from babel.messages.pofile import read_po

import astragal
from astragal.core.language import LANGUAGES
from astragal.core.record import Answered, HandedOver, Offered, Resigned, Seat, TimedOut
from astragal.core.rules import Game
from astragal.play import sentences


def said(game: Game, entry: object, lang: str) -> str:
    def name(seat: int) -> str:
        return game.presentation.seat_name(seat, lang)

    if isinstance(entry, tuple):
        return sentences.outcome(entry, name, game).to(lang)
    return sentences.table_event(entry, name, game).to(lang)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("game", "lang", "sentence"),
    [
        ("egar", "en", "Samurai win."),
        ("egar", "de", "Samurai gewinnen."),
        ("egar", "es", "Ganan los Samuráis."),
        ("ur", "en", "Dark wins."),
        ("ur", "de", "Dunkel gewinnt."),
    ],
)
def test_who_wins_is_said_in_the_number_of_its_name(game: str, lang: str, sentence: str) -> None:
    assert said(astragal.game(game), (0.0, 1.0), lang) == sentence


@pytest.mark.parametrize("lang", LANGUAGES)
def test_all_that_an_army_does_at_the_table_is_said_in_the_plural(lang: str) -> None:
    egar, ur = astragal.game("egar"), astragal.game("ur")
    for entry in (Resigned(1), Answered(1, True), Answered(1, False), Offered(1, "draw")):
        army, side = (said(game, entry, lang).replace(game.presentation.seat_name(1, lang), "") for game in (egar, ur))
        assert army != side, entry
    assert said(egar, Resigned(1), "en") == "Samurai resign."
    assert said(egar, TimedOut(1), "en") == "Samurai have run out of time."
    assert said(egar, HandedOver(1, Seat("human", "Ida")), "en") == "Samurai are played by Ida from now on."


def test_every_sentence_that_begins_with_a_seats_name_has_a_plural() -> None:
    """A seat may be called Samurai: whatever a client says that it does needs both numbers."""
    with (resources.files("astragal") / "locale" / "de.po").open("rb") as file:
        catalog = read_po(file)
    one_form = [message.id for message in catalog if isinstance(message.id, str)]
    begins = re.compile(r"(?:^|[.:;] )\{seat\} (?:\(\{player\}\) )?(?!to act)[a-z]")
    assert [text for text in one_form if begins.search(text)] == []
