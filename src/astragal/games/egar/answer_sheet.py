"""What the judge of typed answers has to know about a card, worked out once (EG-20)."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import lru_cache

from msgspec import Struct

from astragal.games.egar.answer_numbers import cardinals
from astragal.games.egar.answer_words import countries, country_of, folded, lists, same_country, sound_alike, tokens
from astragal.games.egar.cards import Card, Kind, number

_WEAPON = frozenset({"weapon", "weapons", "waffe", "waffen", "arma", "armas"})


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
    numeric: bool  # the answer is a year or another number
    known: tuple[Known, ...]
    right: frozenset[str]  # the words of right answers
    wrong: frozenset[str]  # the words that only wrong answers have
    elsewhere: frozenset[str]  # all words of wrong answers, also those that right ones have too
    said: frozenset[str]  # the words of the questions and of right answers: beside an answer they do not change it
    nouns: frozenset[str]  # general nouns that may stand beside an answer of this kind
    heads: frozenset[str]  # general nouns at the end of a German compound that may stand beside it
    noted: frozenset[str]  # the words and years of the notes: they may be said beside the answer too
    years: tuple[int, ...]  # that the questions and notes name
    countries: frozenset[str]  # the countries with which the answer may be given
    beside_year: frozenset[str]  # words that may stand beside a year


@lru_cache(maxsize=1 << 10)
def sheet(card: Card) -> Sheet:
    """The card taken apart."""
    shared = _shared(card)
    known = tuple(
        Known(text, right, alias, compared(text), _core(card, text, shared))
        for text, right, alias in (*_texts(card), *_surnames(card))
        if tokens(text)
    )
    right = frozenset(word for entry in known if entry.right for word in entry.words)
    nouns = lists().kinds.get(card.kind, frozenset()) | lists().additions.get(card.kind, frozenset())
    asked = _words(words.question for words in card.words.values())
    said = _words(text for words in card.words.values() for text in (words.question, words.answer, *words.accept))
    noted = _words(words.note for words in card.words.values())
    return Sheet(
        kind=card.kind,
        numeric=number(card.en.answer) is not None,
        known=known,
        right=right,
        wrong=_wrong(known) - right - asked - nouns - lists().titles - lists().fillers,
        elsewhere=frozenset(word for entry in known if not entry.right for word in parts(entry.words)),
        said=said,
        nouns=nouns,
        heads=frozenset(word for word in _heads(card) if len(word) > 3),
        noted=frozenset(word for word in noted if not word.isdecimal() or len(word) > 2),
        years=tuple(int(word) for word in said | noted if word.isdecimal() and 3 <= len(word) <= 4),
        countries=_countries(card, said | noted),
        beside_year=_beside_year(card, said),
    )


def _texts(card: Card) -> Iterator[tuple[str, bool, bool]]:
    """Every text the card knows, whether it is right, and whether it is only another way to write the answer."""
    for words in card.words.values():
        yield from ((text, False, False) for text in (*words.reject, *words.wrong))
        yield words.answer, True, False
        yield from ((text, True, True) for text in words.accept)


def _surnames(card: Card) -> Iterator[tuple[str, bool, bool]]:
    """The last name of a person alone, where it is one: alike in all languages, and not in a wrong answer."""
    if card.kind != "person":
        return
    names = [tokens(words.answer) for words in card.words.values()]
    last, around = names[0][-1], lists()
    small = around.articles | around.links | around.titles | around.epithets | around.saints | {"ibn", "bin", "ben"}
    wrong = {word for text, right, _ in _texts(card) if not right for word in tokens(text)}
    plain = all(len(name) > 1 and name[-1].isalpha() and not small.intersection(name) for name in names)
    if plain and len(last) > 3 and last not in wrong and all(sound_alike(name[-1], last) for name in names):
        yield last, True, True


def _words(texts: Iterator[str]) -> frozenset[str]:
    return frozenset(word for text in texts for word in tokens(text))


def _heads(card: Card) -> frozenset[str]:
    """The nouns that say what an answer is, at the end of a compound too; with wars the beginning decides."""
    if card.kind == "person":
        return lists().titles
    return lists().kinds.get(card.kind, frozenset()) if card.kind in ("place", "battle", "treaty") else frozenset()


def _wrong(known: tuple[Known, ...]) -> frozenset[str]:
    """The words of wrong answers, but not the country in a longer one (Santiago de Cuba)."""
    entries = [entry for entry in known if not entry.right]
    return frozenset(word for entry in entries for word in entry.core if len(entry.core) == 1 or not country_of(word))


def _countries(card: Card, named: frozenset[str]) -> frozenset[str]:
    """The countries that the card names, and those of its region, but not of one king among many of his name."""
    every = [entry for entries in countries().values() for entry in entries]
    own = [country_of(word) for word in named]
    allowed = [entry for entry in every if any(country & entry for country in own if country)]
    one_name = card.kind == "person" and all(len(tokens(words.answer)) == 1 for words in card.words.values())
    if one_name or card.kind in ("place", "battle", "treaty"):
        region = every if card.region == "world" else countries().get(card.region, ())
        is_country = any(country_of(word) for word in tokens(card.en.answer))
        allowed += (
            region[:1] if is_country else region
        )  # of two countries one is another answer; the first is no country
    return frozenset(word for entry in allowed for word in entry)


def _beside_year(card: Card, said: frozenset[str]) -> frozenset[str]:
    """Calendar words and what the question says, as it is written, but nothing that means a time before or after."""
    asked = {word for words in card.words.values() for word in re.findall(r"[^\W\d_]+", folded(words.question))}
    words = lists().dates | lists().verbs | {word for word in said | asked if word.isalpha()}
    return frozenset(word for word in words - lists().contrary - lists().bounds if word not in cardinals())


def compared(text: str) -> tuple[str, ...]:
    """The words of a text without articles and links, unless there are no others."""
    words, around = tokens(text), lists()
    return tuple(word for word in words if word not in around.articles and word not in around.links) or words


def _core(card: Card, text: str, shared: frozenset[str]) -> tuple[str, ...]:
    """The words that make an answer this one: without those that all options have, and without nouns of its kind.

    The nouns stay where only words of the question would be left.
    """
    nouns = lists().kinds.get(card.kind, frozenset())
    words = parts(compared(text))
    core = tuple(word for word in words if word not in nouns)
    asked = {word for own in card.words.values() for word in tokens(own.question)}
    core = core if set(core) - asked else words
    return tuple(word for word in core if word not in shared) or core


def _shared(card: Card) -> frozenset[str]:
    """The words that every option of a language has: they tell no answer from another, as Throne beside Peacock.

    Of weapons only the word for a weapon: a needle is no needle gun.
    """
    shared: set[str] = set()
    for words in card.words.values():
        options = [set(parts(compared(text))) for text in (words.answer, *words.wrong)]
        shared |= set.intersection(*options)
    return frozenset(word for word in shared if word.isalpha() and (card.kind != "weapon" or word in _WEAPON))


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
