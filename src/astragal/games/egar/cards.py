"""What a card of EGAR is (EC-2), and what the players see of it while the question is open (EG-21)."""

from __future__ import annotations

import re
from typing import Annotated, Literal

from msgspec import Meta, Struct

from astragal.core.types import whole

Level = Literal["easy", "medium", "hard"]
LEVELS: tuple[Level, ...] = ("easy", "medium", "hard")

Era = Literal["ancient", "medieval", "early_modern", "c19", "c20", "c21"]
Region = Literal["africa", "asia", "europe", "latin_america", "north_america", "oceania", "world"]
Kind = Literal["person", "battle", "war", "year", "place", "treaty", "weapon", "term"]
Review = Literal["draft", "model_checked", "human_checked"]

MOST_CARDS = 1000  # of one level in one deck

Written = Annotated[str, Meta(min_length=1, max_length=400)]
Spelling = Annotated[str, Meta(min_length=1, max_length=80)]
Spellings = Annotated[tuple[Spelling, ...], Meta(max_length=12)]
Id = Annotated[str, Meta(pattern=whole("[a-z0-9][a-z0-9-]{0,59}"))]


class Words(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A card in one language. Item n of `wrong` is the same thing in every language."""

    question: Written
    answer: Written
    wrong: tuple[Written, Written, Written]
    accept: Spellings = ()  # other ways to write the answer
    reject: Spellings = ()  # near misses that a kind reader might let pass, and should not
    note: Written

    @property
    def options(self) -> tuple[str, str, str, str]:
        """The answer, then the wrong ones."""
        return (self.answer, *self.wrong)


class Source(Struct, frozen=True, forbid_unknown_fields=True):
    """Where a fact can be looked up; `seen` only if somebody really read it there for this card."""

    title: Written
    place: Written
    seen: bool = False


class Card(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, omit_defaults=True):
    """One question, complete in three languages."""

    id: Id
    level: Level
    era: Era
    region: Region
    kind: Kind
    fact_key: Id  # names the fact itself, so that no two cards ask for it
    review: Review
    sources: tuple[Source, Source]
    # where those come from whose deed it is; empty if nobody said
    actors: Annotated[tuple[Region, ...], Meta(max_length=7)] = ()
    woman: bool = False  # the answer is a woman
    en: Words
    de: Words
    es: Words

    @property
    def words(self) -> dict[str, Words]:
        """Its languages by their codes."""
        return {"en": self.en, "de": self.de, "es": self.es}


class Phrase(Struct, frozen=True):
    """One text of a card in all our languages."""

    en: str
    de: str
    es: str

    def to(self, lang: str) -> str:
        """The text in this language, or else in English."""
        return {"de": self.de, "es": self.es}.get(lang, self.en)


class Face(Struct, frozen=True):
    """What everybody sees of a card before the answer: the question, and in their order the options, if any."""

    question: Phrase
    options: tuple[Phrase, ...] = ()


Order4 = tuple[int, int, int, int]

BLANK = Phrase("…", "…", "…")


def phrase(card: Card, option: int) -> Phrase:
    """An option of a card: 0 is the answer."""
    return Phrase(card.en.options[option], card.de.options[option], card.es.options[option])


def face(card: Card | None, shown: tuple[int, ...]) -> Face:
    """The card as it is put, its options in this order; None is a card whose text nobody knows yet."""
    if card is None:
        return Face(BLANK, tuple(BLANK for _ in shown))
    question = Phrase(card.en.question, card.de.question, card.es.question)
    return Face(question, tuple(phrase(card, option) for option in shown))


_NUMBER = re.compile(
    r"(\d{1,3}(?:[ .,\u00a0\u202f]\d{3}){1,5}|\d{1,18})\s*"
    r"(bce?|b\.\s?c\.(?:\s?e\.)?|v\.?\s?chr\.?|v\.?\s?u\.?\s?z\.?|a\.?\s?c\.?|a\.?\s?e\.?\s?c\.?|"
    r"ad|a\.\s?d\.|ce|c\.\s?e\.|n\.?\s?chr\.?|n\.?\s?u\.?\s?z\.?|d\.?\s?c\.?|e\.?\s?c\.?)?",
    re.IGNORECASE,
)


def number(text: str) -> int | None:
    """The number or year that a text is, in any of our languages: `480 BC`, `480 v. Chr.` and `480 a. C.` are -480."""
    found = _NUMBER.fullmatch(text.strip())
    if found is None:
        return None
    value = int(re.sub(r"\D", "", found[1]))
    return -value if before_christ(found[2]) else value


def before_christ(era: str | None) -> bool:
    """Whether a mark after a year counts backwards."""
    return era is not None and era.lower()[0] in "bva" and era.lower().replace(".", "").replace(" ", "") != "ad"


def ascending(card: Card) -> Order4 | None:
    """The order of options that are numbers (EG-20), or None where the order is drawn."""
    values = [number(option) for option in card.en.options]
    known = [value for value in values if value is not None]
    if len(known) < 4:
        return None
    first, second, third, fourth = sorted(range(4), key=lambda option: known[option])
    return (first, second, third, fourth)


def alphabetical(card: Card | None) -> Order4:
    """An order that says nothing about which option is right, for a question that chance answers."""
    if card is None:
        return (0, 1, 2, 3)
    texts = card.en.options
    first, second, third, fourth = sorted(range(4), key=lambda option: texts[option])
    return ascending(card) or (first, second, third, fourth)
