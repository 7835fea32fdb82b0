"""Is a deck balanced (EC-4)? Figures over all cards, and what is wrong with them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from fractions import Fraction

from msgspec import Struct

from astragal.core.language import LANGUAGES, Text, say
from astragal.games.egar.answers import normal
from astragal.games.egar.cards import Card, ascending
from astragal.games.egar.deck import Deck

MOST_OF_AN_ERA = Fraction(30, 100)
MOST_OF_EUROPE = Fraction(45, 100)
LEAST_OF_LATIN_AMERICA = Fraction(12, 100)
MOST_LONGEST = Fraction(35, 100)
FEWEST_IN_A_PLACE, MOST_IN_A_PLACE = Fraction(20, 100), Fraction(30, 100)
MOST_OF_ONE_ANSWER = 3


class Imbalance(Struct, frozen=True):
    """One figure out of bounds, and the cards that make it so."""

    reason: Text
    cards: tuple[str, ...]


class Balance(Struct, frozen=True):
    """The figures of a deck, as shares of its cards."""

    cards: int
    levels: dict[str, int]
    eras: dict[str, int]
    regions: dict[str, int]
    kinds: dict[str, int]
    reviews: dict[str, int]
    longest: dict[str, tuple[str, ...]]  # by language, the cards whose answer is strictly the longest option
    places: tuple[Fraction, Fraction, Fraction, Fraction]  # how often the right answer is A, B, C, D
    repeated: dict[str, tuple[str, ...]]  # answers of more than three cards, with their ids


def weigh(deck: Deck) -> Balance:
    """The figures of a deck."""
    cards = deck.cards
    answers: dict[str, list[str]] = {}
    for card in cards:
        answers.setdefault(normal(card.en.answer), []).append(card.id)
    return Balance(
        cards=len(cards),
        levels=dict(Counter(card.level for card in cards)),
        eras=dict(Counter(card.era for card in cards)),
        regions=dict(Counter(card.region for card in cards)),
        kinds=dict(Counter(card.kind for card in cards)),
        reviews=dict(Counter(card.review for card in cards)),
        longest={lang: tuple(card.id for card in cards if longest(card, lang)) for lang in LANGUAGES},
        places=_places(cards),
        repeated={answer: tuple(ids) for answer, ids in answers.items() if len(ids) > MOST_OF_ONE_ANSWER},
    )


def longest(card: Card, lang: str) -> bool:
    """Whether the answer stands out by its length."""
    words = card.words[lang]
    return all(len(words.answer) > len(wrong) for wrong in words.wrong)


def _places(cards: tuple[Card, ...]) -> tuple[Fraction, Fraction, Fraction, Fraction]:
    """Where the right answer is put, on average over all draws: anywhere, except that numbers ascend (EG-20)."""
    shares = [Fraction(0)] * 4
    for card in cards:
        fixed = ascending(card)
        for place in range(4):
            share = Fraction(1, 4) if fixed is None else Fraction(int(fixed[place] == 0))
            shares[place] += share / len(cards)
    first, second, third, fourth = shares
    return first, second, third, fourth


def imbalances(deck: Deck, found: Balance) -> Iterator[Imbalance]:
    """What EC-4 does not allow."""
    ids = {era: tuple(card.id for card in deck.cards if card.era == era) for era in found.eras}
    for era, count in found.eras.items():
        if Fraction(count, found.cards) > MOST_OF_AN_ERA:
            yield Imbalance(
                say("era {era}: {n} of {all} cards is over 30 %", era=era, n=count, all=found.cards), ids[era]
            )
    for region, most in (("europe", MOST_OF_EUROPE), ("latin_america", LEAST_OF_LATIN_AMERICA)):
        share = Fraction(found.regions.get(region, 0), found.cards)
        there = tuple(card.id for card in deck.cards if card.region == region)
        if region == "europe" and share > most:
            yield Imbalance(say("Europe has {n} of {all} cards, over 45 %", n=len(there), all=found.cards), there)
        if region == "latin_america" and share < most:
            yield Imbalance(
                say("Latin America has {n} of {all} cards, under 12 %", n=len(there), all=found.cards), there
            )
    for lang, cards in found.longest.items():
        if Fraction(len(cards), found.cards) > MOST_LONGEST:
            reason = say("in {lang} the answer is the longest option of {n} cards, over 35 %", lang=lang, n=len(cards))
            yield Imbalance(reason, cards)
    for place, share in zip("ABCD", found.places, strict=True):
        if not FEWEST_IN_A_PLACE <= share <= MOST_IN_A_PLACE:
            fixed = tuple(card.id for card in deck.cards if ascending(card) is not None)
            reason = say(
                "the answer is {place} in {share} of all draws, not 20 to 30 %",
                place=place,
                share=f"{float(share):.0%}",
            )
            yield Imbalance(reason, fixed)
    for answer, cards in found.repeated.items():
        yield Imbalance(say("{answer!r} is the answer of {n} cards, over 3", answer=answer, n=len(cards)), cards)
