"""Is a deck balanced (EC-4)? Figures over all cards, and what is wrong with them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator
from fractions import Fraction
from math import ceil, floor
from typing import Literal

from msgspec import Struct

from astragal.core.language import LANGUAGES, Text, noted, say
from astragal.games.egar.answers import normal
from astragal.games.egar.cards import Card, ascending
from astragal.games.egar.deck import Deck

MOST_OF_AN_ERA = Fraction(30, 100)
MOST_LONGEST = Fraction(35, 100)
FEWEST_IN_A_PLACE, MOST_IN_A_PLACE = Fraction(20, 100), Fraction(30, 100)
MOST_OF_ONE_ANSWER = 3
FEWEST_NUMBERS = 8  # cards with numbers from which on their places are counted
FEWEST_CARDS = 100  # of a deck that is to be about all the world; a smaller one has a subject of its own


class Imbalance(Struct, frozen=True):
    """One figure out of bounds, and the cards that make it so."""

    reason: Text
    cards: tuple[str, ...]


class Aim(Struct, frozen=True):
    """What part of a deck some cards should be, at least or at most."""

    name: Text
    bound: Literal["least", "most"]
    share: Fraction
    cards: tuple[str, ...]  # the ids of those that are counted
    met: bool

    def wanted(self, all_cards: int) -> int:
        """The share as a number of cards of a deck of this size."""
        exact = self.share * all_cards
        return ceil(exact) if self.bound == "least" else floor(exact)


def _ancient_americas(card: Card) -> bool:
    return card.era == "ancient" and card.region in ("latin_america", "north_america")


# Name, whether at least or at most, the share of all cards, and which cards count.
_AIMS: tuple[tuple[str, Literal["least", "most"], Fraction, Callable[[Card], bool]], ...] = (
    (noted("happens in Europe"), "most", Fraction(30, 100), lambda card: card.region == "europe"),
    (noted("Europeans act"), "most", Fraction(45, 100), lambda card: "europe" in card.actors),
    (noted("happens in Latin America"), "least", Fraction(12, 100), lambda card: card.region == "latin_america"),
    (noted("happens in Africa"), "least", Fraction(40, 300), lambda card: card.region == "africa"),
    (noted("happens in Oceania"), "least", Fraction(12, 300), lambda card: card.region == "oceania"),
    (noted("ancient Americas"), "least", Fraction(6, 300), _ancient_americas),
    (noted("21st century"), "least", Fraction(15, 300), lambda card: card.era == "c21"),
    (noted("the answer is a woman"), "least", Fraction(15, 300), lambda card: card.kind == "person" and card.woman),
)


class Balance(Struct, frozen=True):
    """The figures of a deck, as shares of its cards."""

    cards: int
    levels: dict[str, int]
    eras: dict[str, int]
    regions: dict[str, int]
    actors: dict[str, int]  # a card may have several, and counts for each
    kinds: dict[str, int]
    aims: tuple[Aim, ...]
    reviews: dict[str, int]
    longest: dict[str, tuple[str, ...]]  # by language, the cards whose answer is strictly the longest option
    places: tuple[Fraction, Fraction, Fraction, Fraction]  # how often the right answer is A, B, C, D
    numbers: tuple[int, int, int, int]  # of cards whose options are numbers: on how many it is A, B, C, D
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
        actors=dict(Counter(actor for card in cards for actor in card.actors)),
        kinds=dict(Counter(card.kind for card in cards)),
        aims=tuple(_aims(cards)),
        reviews=dict(Counter(card.review for card in cards)),
        longest={lang: tuple(card.id for card in cards if longest(card, lang)) for lang in LANGUAGES},
        places=_places(cards),
        numbers=_number_places(cards),
        repeated={answer: tuple(ids) for answer, ids in answers.items() if len(ids) > MOST_OF_ONE_ANSWER},
    )


def _aims(cards: tuple[Card, ...]) -> Iterator[Aim]:
    if len(cards) < FEWEST_CARDS:
        return
    for name, bound, share, counts in _AIMS:
        ids = tuple(card.id for card in cards if counts(card))
        part = Fraction(len(ids), max(len(cards), 1))
        yield Aim(say(name), bound, share, ids, part >= share if bound == "least" else part <= share)


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


def _number_places(cards: tuple[Card, ...]) -> tuple[int, int, int, int]:
    """Numbers ascend (EG-20), so their writer decides by the wrong ones where the right one stands."""
    orders = [order for order in map(ascending, cards) if order is not None]
    first, second, third, fourth = (sum(order[place] == 0 for order in orders) for place in range(4))
    return first, second, third, fourth


def imbalances(deck: Deck, balance: Balance) -> Iterator[Imbalance]:
    """What EC-4 does not allow, and the aims of the shipped deck that are missed.

    How eras and places are shared out says something about a large deck only.
    """
    large = balance.cards >= FEWEST_CARDS
    ids = {era: tuple(card.id for card in deck.cards if card.era == era) for era in balance.eras}
    for era, count in balance.eras.items():
        if large and Fraction(count, balance.cards) > MOST_OF_AN_ERA:
            yield Imbalance(
                say("era {era}: {n} of {all} cards is over 30 %", era=era, n=count, all=balance.cards), ids[era]
            )
    for aim in balance.aims:
        if not aim.met:
            yield Imbalance(_missed(aim, balance.cards), aim.cards)
    numbers = balance.numbers
    if sum(numbers) >= FEWEST_NUMBERS and max(numbers) - min(numbers) > sum(numbers) // 4:
        numbered = tuple(card.id for card in deck.cards if ascending(card) is not None)
        reason = say(
            "of the cards with numbers the answer is A on {a}, B on {b}, C on {c}, D on {d}",
            **dict(zip("abcd", numbers, strict=True)),
        )
        yield Imbalance(reason, numbered)
    for lang, cards in balance.longest.items():
        if Fraction(len(cards), balance.cards) > MOST_LONGEST:
            reason = say("in {lang} the answer is the longest option of {n} cards, over 35 %", lang=lang, n=len(cards))
            yield Imbalance(reason, cards)
    for place, share in zip("ABCD", balance.places, strict=True):
        if large and not FEWEST_IN_A_PLACE <= share <= MOST_IN_A_PLACE:
            fixed = tuple(card.id for card in deck.cards if ascending(card) is not None)
            reason = say(
                "the answer is {place} in {share} of all draws, not 20 to 30 %",
                place=place,
                share=f"{float(share):.0%}",
            )
            yield Imbalance(reason, fixed)
    for answer, cards in balance.repeated.items():
        yield Imbalance(say("{answer!r} is the answer of {n} cards, over 3", answer=answer, n=len(cards)), cards)


def _missed(aim: Aim, all_cards: int) -> Text:
    figures = {"name": aim.name, "n": len(aim.cards), "all": all_cards, "wanted": aim.wanted(all_cards)}
    if aim.bound == "least":
        return say("{name}: {n} of {all} cards, at least {wanted} are wanted", **figures)
    return say("{name}: {n} of {all} cards, at most {wanted} are wanted", **figures)
