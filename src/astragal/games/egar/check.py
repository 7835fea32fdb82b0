"""The checker of decks (EC-3): what makes a card unfair, unclear or unfinished, before anybody is asked it."""

from __future__ import annotations

import re
import unicodedata
from collections import Counter
from collections.abc import Iterator
from itertools import islice
from math import ceil
from typing import TYPE_CHECKING, Literal

from msgspec import Struct
from msgspec.structs import replace

from astragal.core.language import Text, say
from astragal.games.egar.answer_numbers import small_years
from astragal.games.egar.answer_words import folded
from astragal.games.egar.answers import judge, normal, words_of
from astragal.games.egar.cards import LEVELS, MOST_CARDS, Card, Words, number

if TYPE_CHECKING:
    from astragal.games.egar.deck import Deck

LONGEST_QUESTION, LONGEST_OPTION = 140, 40
ALIKE = 0.8  # the share of common words from which two questions are the same one
MOST_COMPARED = 200  # other questions that one is compared with, so that the time grows with the deck and no faster
MOST_FAULTS = 1000  # that are looked for; nobody reads more

UNPRINTED = ("Cc", "Cf", "Cs", "Zl", "Zp")  # line breaks, escapes, marks that turn the direction of writing

FaultKind = Literal[
    "form",  # not as a card is written: a language, a source or a field is missing
    "repeated id",
    "repeated fact",
    "same question",
    "gives itself away",
    "wrong is right",
    "repeated option",
    "other kind",
    "years differ",
    "too long",
    "too many",
    "trick word",
]

# Words that make a question a trap (EC-3), as whole words in any case.
TRICKS = {
    "en": ("not", "always", "all of the above"),
    "de": ("nicht", "immer", "alle genannten", "alle oben genannten"),
    "es": ("no", "siempre", "todas las anteriores", "todos los anteriores"),
}

# How the words begin that only ask, accents gone; they say nothing about what is asked.
ASKING = ("which", "what", "when", "where", "who", "welch", "wann", "cual", "cuand", "dond", "quien", "como")

# Words that name a kind of thing. An option with such a word of another kind stands out among the four.
GENERIC = {
    "battle": ["battle", "siege", "schlacht", "belagerung", "batalla", "sitio", "asedio"],
    "war": ["war", "wars", "krieg", "kriege", "guerra", "guerras"],
    "treaty": [
        "treaty",
        "peace",
        "armistice",
        "vertrag",
        "friede",
        "frieden",
        "waffenstillstand",
        "tratado",
        "paz",
        "armisticio",
    ],
}


class CardFault(Struct, frozen=True):
    """One thing wrong with one card."""

    card: str  # its id, or its number in the file where it has none
    kind: FaultKind
    reason: Text
    lang: str = ""  # the language in which it is wrong, if only there

    def text(self) -> Text:
        """The whole sentence, the card named."""
        if self.lang:
            return say("card {card} ({lang}): {reason}", card=self.card, lang=self.lang, reason=self.reason)
        return say("card {card}: {reason}", card=self.card, reason=self.reason)


def check(deck: Deck) -> list[CardFault]:
    """What is wrong with a deck, card by card, then what is wrong between cards."""
    return list(islice(faults(deck), MOST_FAULTS))


def faults(deck: Deck) -> Iterator[CardFault]:
    """The same one after the other, for whoever needs to know only whether there is one."""
    too_many = list(_too_many(deck))
    if too_many:  # comparing so many with each other would take long
        yield from too_many
        return
    for card in deck.cards:
        yield from check_card(card)
    yield from _repeats(deck.cards)
    yield from _same_questions(deck.cards)


def _too_many(deck: Deck) -> Iterator[CardFault]:
    for level in LEVELS:
        cards = deck.of(level)
        if len(cards) > MOST_CARDS:
            reason = say("a level has at most {most} cards, here are {n}", most=MOST_CARDS, n=len(cards))
            yield CardFault(cards[MOST_CARDS].id, "too many", reason)


def check_card(card: Card) -> Iterator[CardFault]:
    """What is wrong with one card, whatever the others are."""
    yield from _years_differ(card)
    for lang, words in card.words.items():
        yield from _unwritten(card, lang, words)
        yield from _lengths(card, lang, words)
        yield from _tricks(card, lang, words)
        yield from _gives_itself_away(card, lang, words)
        yield from _options(card, lang, words)
        yield from _kinds(card, lang, words)


def _unwritten(card: Card, lang: str, words: Words) -> Iterator[CardFault]:
    """Texts without a letter or digit, or with characters that would disturb a terminal or a picture."""
    for text in (words.question, *words.options, *words.accept, *words.reject, words.note):
        if not normal(text):
            yield CardFault(card.id, "form", say("{text!r} says nothing", text=text), lang)
        if any(unicodedata.category(sign) in UNPRINTED for sign in text):
            yield CardFault(card.id, "form", say("{text!r} has characters that cannot be printed", text=text), lang)


def _lengths(card: Card, lang: str, words: Words) -> Iterator[CardFault]:
    texts = [(words.question, LONGEST_QUESTION), *((option, LONGEST_OPTION) for option in words.options)]
    for text, most in texts:
        if len(text) > most:
            reason = say("{text!r} has {n} characters; {most} fit", text=text, n=len(text), most=most)
            yield CardFault(card.id, "too long", reason, lang)


def _tricks(card: Card, lang: str, words: Words) -> Iterator[CardFault]:
    for text in (words.question, *words.options):
        for trick in TRICKS[lang]:
            if trick == "no" and card.en == words and "¿" not in words.question:
                continue  # one text for all languages, and it is not Spanish
            if re.search(rf"\b{trick}\b", text, re.IGNORECASE):
                yield CardFault(
                    card.id, "trick word", say("{word!r} makes {text!r} a trap", word=trick, text=text), lang
                )


def _gives_itself_away(card: Card, lang: str, words: Words) -> Iterator[CardFault]:
    question = f" {normal(words.question)} "
    for text in (words.answer, *words.accept):
        if f" {normal(text)} " in question:
            yield CardFault(
                card.id, "gives itself away", say("the question contains the answer {text!r}", text=text), lang
            )


def _options(card: Card, lang: str, words: Words) -> Iterator[CardFault]:
    for option, times in Counter(map(normal, words.wrong)).items():
        if times > 1:
            yield CardFault(card.id, "repeated option", say("the option {text!r} is there twice", text=option), lang)
    accepted = {normal(text) for other in card.words.values() for text in (other.answer, *other.accept)}
    # The judge looks at wrong answers first, so it is asked about a card that does not know them to be wrong.
    generous = _without_wrong(card)
    for wrong in (*words.wrong, *words.reject):
        # A listed near miss may be near: it is the judge who turns it away. A wrong option may not.
        near = wrong in words.wrong and judge(generous, wrong).right
        if normal(wrong) in accepted or near:
            yield CardFault(
                card.id, "wrong is right", say("{text!r} is wrong, but it would be accepted", text=wrong), lang
            )


def _without_wrong(card: Card) -> Card:
    """The card as if it knew only what is right."""
    blank = ("?", "?", "?")
    en, de, es = (replace(words, wrong=blank, reject=()) for words in (card.en, card.de, card.es))
    return replace(card, en=en, de=de, es=es)


def _kinds(card: Card, lang: str, words: Words) -> Iterator[CardFault]:
    """Options of another kind than the answer: they could be ruled out without knowing anything."""
    numeric = number(words.answer) is not None
    if card.kind == "year" and not numeric:
        yield CardFault(card.id, "other kind", say("{text!r} is not a year", text=words.answer), lang)
    for wrong in words.wrong:
        if (number(wrong) is not None) != numeric:
            reason = say("{text!r} is of another kind than {answer!r}", text=wrong, answer=words.answer)
            yield CardFault(card.id, "other kind", reason, lang)
            continue
        theirs, ours = _generic(wrong), _generic(words.answer)
        if theirs and theirs != ours and theirs != {card.kind}:
            reason = say("{text!r} is of another kind than {answer!r}", text=wrong, answer=words.answer)
            yield CardFault(card.id, "other kind", reason, lang)


def _generic(option: str) -> set[str]:
    found = set(words_of(option))
    return {kind for kind, names in GENERIC.items() if found.intersection(names)}


def _years_differ(card: Card) -> Iterator[CardFault]:
    """Every text must have the same years in the three languages, and every option the same number."""
    for lang, words in list(card.words.items())[1:]:
        pairs = [(card.en.question, words.question), (card.en.note, words.note)]
        pairs += list(zip(card.en.options, words.options, strict=True))
        for english, other in pairs:
            if _years(english) != _years(other) or number(english) != number(other):
                reason = say("{text!r} and {other!r} have different years", text=english, other=other)
                yield CardFault(card.id, "years differ", reason, lang)


def _years(text: str) -> Counter[str]:
    """The years in a text. Numbers below 100 are years where the text says so (48 BC, AD 9), with their era."""
    large = re.findall(r"(?<!\d)\d{3,4}(?!\d)", text)
    return Counter([*large, *map(str, small_years(folded(text)))])


def _repeats(cards: tuple[Card, ...]) -> Iterator[CardFault]:
    ids: set[str] = set()
    facts: dict[str, str] = {}
    for card in cards:
        if card.id in ids:
            yield CardFault(card.id, "repeated id", say("there is another card of this id"))
        ids.add(card.id)
        if card.fact_key in facts:
            reason = say(
                "the card {other} asks for the same fact {fact!r}", other=facts[card.fact_key], fact=card.fact_key
            )
            yield CardFault(card.id, "repeated fact", reason)
        facts.setdefault(card.fact_key, card.id)


def _same_questions(cards: tuple[Card, ...]) -> Iterator[CardFault]:
    """Questions whose words are nearly the same.

    Two such sets of words have so many in common that, the rarest words first, they share one of their first few: all
    but ALIKE of them, and one more. So a question is compared with those only that have one of these among theirs.
    """
    for lang in ("en", "de", "es"):
        asked = [(card.id, _content(card.words[lang].question)) for card in cards]
        times = Counter(word for _, words in asked for word in words)
        holders: dict[str, list[int]] = {}  # by word, the questions that have it among their first few
        for place, (id, words) in enumerate(asked):
            rarest = sorted(words, key=lambda word: (times[word], word))[: len(words) - ceil(ALIKE * len(words)) + 1]
            near = {other for word in rarest for other in holders.get(word, ())[: MOST_COMPARED + 1]}
            for other in sorted(near)[:MOST_COMPARED]:
                name, theirs = asked[other]
                if len(words & theirs) >= ALIKE * len(words | theirs):
                    yield CardFault(
                        id, "same question", say("asks nearly the same as the card {other}", other=name), lang
                    )
            if len(near) > MOST_COMPARED:
                reason = say("more than {most} other questions are made of the same words", most=MOST_COMPARED)
                yield CardFault(id, "same question", reason, lang)
            for word in rarest:
                holders.setdefault(word, []).append(place)


def _content(question: str) -> frozenset[str]:
    """The words of a question that tell it from others: the long ones and the numbers."""
    words = (word for word in words_of(question) if len(word) > 3 or word.isdecimal())
    return frozenset(word for word in words if not word.startswith(ASKING))
