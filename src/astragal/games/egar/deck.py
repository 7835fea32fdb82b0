"""Decks of cards: the shipped one, a host's own (EC-7), and a deck whose texts are unknown.

A deck file is TOML: a name, and `[[card]]` tables as docs/rules/en/egar.md describes them. A file with any fault
is refused whole, with the card and the reason.
"""

from __future__ import annotations

import re
from functools import cache
from pathlib import Path
from typing import Annotated, Any, Literal

import msgspec
from msgspec import Meta, Struct

from astragal.core.bounds import Title, explained, shortened
from astragal.core.data import parse_toml, read_text
from astragal.core.language import LANGUAGES, say
from astragal.core.types import BadFile
from astragal.games.egar.cards import LEVELS, MOST_CARDS, Card, Level
from astragal.games.egar.check import CardFault, check

DATA = Path(__file__).parent / "data"

DeckName = Literal["edition-2", "default"]
"""The shipped decks. Records name cards by their numbers, so an edition never changes once matches were played with it:
`default` is the first one, kept for the records that say so, and a later edition gets a name of its own."""
CURRENT: DeckName = "edition-2"
_FOLDERS: dict[DeckName, Path] = {"edition-2": DATA, "default": DATA / "edition-1"}

Count = Annotated[int, Meta(ge=0, le=MOST_CARDS)]


class Deck(Struct, frozen=True, weakref=True):
    """Cards of all levels, in the order of their file.

    A sealed deck has no cards but says how many of each level there are: so much a player knows of a deck whose
    cards are still to come. Each of its cards is blank.
    """

    name: Title
    cards: Annotated[tuple[Card, ...], Meta(max_length=len(LEVELS) * MOST_CARDS)] = ()
    blank: tuple[Count, Count, Count] = (0, 0, 0)

    @classmethod
    def load(cls, file: Path) -> Deck:
        """A host's own deck, checked (EC-7). Raises BadFile for the first fault."""
        content = read_text(file)
        deck, faults = read(content, str(file))
        if faults:
            fault = faults[0]
            raise BadFile(str(file), _line(content, fault.card), fault.text())
        return deck

    def of(self, level: Level) -> tuple[Card, ...]:
        """The cards of a level; none if the deck is sealed."""
        return tuple(card for card in self.cards if card.level == level)

    def size(self, level: Level) -> int:
        """How many cards of a level there are."""
        return self.blank[LEVELS.index(level)] if not self.cards else len(self.of(level))

    def sealed(self) -> Deck:
        """The deck as players know it."""
        easy, medium, hard = (self.size(level) for level in LEVELS)
        return Deck(self.name, (), (easy, medium, hard))


class _Draft(Struct, forbid_unknown_fields=True):
    """A deck file before its cards are looked at."""

    name: Annotated[str, Meta(min_length=1, max_length=80)]
    card: list[dict[str, Any]]


def read(content: str, name: str) -> tuple[Deck, list[CardFault]]:
    """The deck in this TOML text and everything wrong with it; cards that are no cards are left out."""
    draft = parse_toml(content, _Draft, name)
    cards: list[Card] = []
    faults: list[CardFault] = []
    for n, raw in enumerate(draft.card, 1):
        label = shortened(raw["id"], 60) if isinstance(raw.get("id"), str) else f"#{n}"
        missing = [lang for lang in LANGUAGES if lang not in raw]
        faults += [CardFault(label, "form", say("the language {lang} is missing", lang=lang), lang) for lang in missing]
        if missing:
            continue
        try:
            cards.append(msgspec.convert(raw, Card))
        except msgspec.ValidationError as error:
            reason, _, path = str(error).partition(" - at `$.")
            where = path.rstrip("`") or "card"
            faults.append(
                CardFault(label, "form", say("{key}: {reason}", key=shortened(where), reason=explained(reason)))
            )
    deck = Deck(draft.name, tuple(cards))
    if not draft.card:
        faults.append(CardFault("#1", "form", say("there is no card in this deck")))
    return deck, [*faults, *check(deck)]


def _line(content: str, card: str) -> int | None:
    """The line on which a card begins: that of its id, or of its nth table."""
    wanted = re.compile(rf"\s*id\s*=\s*[\"']{re.escape(card)}[\"']")
    tables = 0
    for number, line in enumerate(content.split("\n"), 1):
        tables += line.strip().startswith("[[card]]")
        if wanted.match(line) or card == f"#{tables}":
            return number
    return None


@cache
def edition(name: DeckName) -> Deck:
    """A shipped deck: one file for each level. Only the current one is checked; an older one stays as it was."""
    files = [_FOLDERS[name] / f"cards-{level}.toml" for level in LEVELS]
    decks = [Deck.load(file) for file in files] if name == CURRENT else [_unchecked(file) for file in files]
    return Deck(name, tuple(card for deck in decks for card in deck.cards))


def _unchecked(file: Path) -> Deck:
    draft = parse_toml(read_text(file), _Draft, str(file))
    return Deck(draft.name, tuple(msgspec.convert(raw, Card) for raw in draft.card))


def default_deck() -> Deck:
    """The deck that ships with the game."""
    return edition(CURRENT)


@cache
def _edition_of(name: DeckName, level: Level) -> tuple[Card, ...]:
    return edition(name).of(level)


def cards_of(deck: DeckName | Deck, level: Level) -> tuple[Card, ...]:
    """The cards of a level; none if the deck is sealed."""
    return _edition_of(deck, level) if isinstance(deck, str) else deck.of(level)


def card_at(deck: DeckName | Deck, level: Level, number: int) -> Card | None:
    """One card, or None where the deck is sealed and the card so far blank."""
    cards = cards_of(deck, level)
    return cards[number] if cards else None


@cache
def _edition_sealed(name: DeckName) -> Deck:
    return edition(name).sealed()


def sealed(deck: DeckName | Deck) -> Deck:
    """What players know of a deck."""
    return _edition_sealed(deck) if isinstance(deck, str) else deck.sealed()
