"""What the judge of typed answers has to know about a card, worked out once (EG-20)."""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache

from msgspec import Struct

from astragal.games.egar.answer_words import countries, country_of, lists, same_country, tokens
from astragal.games.egar.cards import Card, Kind


class Known(Struct, frozen=True):
    """A text of a card, right or wrong, and the words of it that are compared."""

    text: str
    right: bool
    alias: bool
    words: tuple[str, ...]  # without articles and links
    core: tuple[str, ...]  # without the nouns of the card's kind too


class Sheet(Struct, frozen=True):
    """A card as the judge reads it."""

    kind: Kind
    known: tuple[Known, ...]
    right: frozenset[str]  # the words of right answers
    wrong: frozenset[str]  # the words that only wrong answers have
    said: frozenset[str]  # the words of the questions and of right answers: beside an answer they do not change it
    nouns: frozenset[str]  # general nouns that may stand beside an answer of this kind
    noted: frozenset[str]  # the words and years of the notes: they may be said beside the answer too
    years: tuple[int, ...]  # that the questions and notes name
    countries: frozenset[str]  # the countries with which the answer may be given


@lru_cache(maxsize=1 << 10)
def sheet(card: Card) -> Sheet:
    """The card taken apart."""
    known = tuple(
        Known(text, right, alias, compared(text), _core(card, text))
        for text, right, alias in _texts(card)
        if tokens(text)
    )
    right = frozenset(word for entry in known if entry.right for word in entry.words)
    nouns = lists().kinds.get(card.kind, frozenset()) | lists().additions.get(card.kind, frozenset())
    said = _words(text for words in card.words.values() for text in (words.question, words.answer, *words.accept))
    noted = _words(words.note for words in card.words.values())
    return Sheet(
        kind=card.kind,
        known=known,
        right=right,
        wrong=_wrong(known) - right - nouns - lists().titles - lists().fillers,
        said=said,
        nouns=nouns,
        noted=frozenset(word for word in noted if not word.isdecimal() or len(word) > 2),
        years=tuple(int(word) for word in said | noted if word.isdecimal() and 3 <= len(word) <= 4),
        countries=_countries(card, said | noted),
    )


def _texts(card: Card) -> Iterator[tuple[str, bool, bool]]:
    """Every text the card knows, whether it is right, and whether it is only another way to write the answer."""
    for words in card.words.values():
        yield from ((text, False, False) for text in (*words.reject, *words.wrong))
        yield words.answer, True, False
        yield from ((text, True, True) for text in words.accept)


def _words(texts: Iterator[str]) -> frozenset[str]:
    return frozenset(word for text in texts for word in tokens(text))


def _wrong(known: tuple[Known, ...]) -> frozenset[str]:
    """The words of wrong answers, but not the country in a longer one (Santiago de Cuba)."""
    entries = [entry for entry in known if not entry.right]
    return frozenset(
        word for entry in entries for word in entry.core if len(entry.core) == 1 or word not in same_country()
    )


def _countries(card: Card, named: frozenset[str]) -> frozenset[str]:
    """The countries that the card names, and those of its region, but not of one king among many of his name."""
    every = [entry for entries in countries().values() for entry in entries]
    own = [country_of(word) for word in named]
    allowed = [entry for entry in every if any(country & entry for country in own if country)]
    one_name = card.kind == "person" and all(len(tokens(words.answer)) == 1 for words in card.words.values())
    if one_name or card.kind in ("place", "battle", "treaty"):
        allowed += every if card.region == "world" else countries().get(card.region, ())
    return frozenset(word for entry in allowed for word in entry)


def compared(text: str) -> tuple[str, ...]:
    """The words of a text without articles and links, unless there are no others."""
    words, around = tokens(text), lists()
    return tuple(word for word in words if word not in around.articles and word not in around.links) or words


def _core(card: Card, text: str) -> tuple[str, ...]:
    """The words that make an answer this one: without nouns of its kind, unless only words of the question are left."""
    nouns = lists().kinds.get(card.kind, frozenset())
    words = parts(compared(text))
    core = tuple(word for word in words if word not in nouns)
    asked = {word for own in card.words.values() for word in tokens(own.question)}
    return core if set(core) - asked else words


def parts(words: tuple[str, ...]) -> tuple[str, ...]:
    """The words with German compounds taken apart: Krimkrieg is the Krieg of the Krim."""
    return tuple(part for word in words for part in taken_apart(word))


@lru_cache(maxsize=1 << 14)
def taken_apart(word: str) -> tuple[str, ...]:
    """A German compound without and with the noun at its end; any other word as it is."""
    nouns = lists().compounds
    if word not in nouns and word not in same_country() and not any(word in own for own in lists().kinds.values()):
        for cut in range(3, len(word) - 3):
            if word[cut:] in nouns:
                return (word[:cut], word[cut:])
    return (word,)
