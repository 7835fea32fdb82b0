"""Remarks on a deck: options that show which of them is right, and cards that tell the answer of another one.

Nothing here makes a deck unplayable, and some of it is a matter of judgement, so these are remarks and not faults
(check.py has the faults). Every check takes time in proportion to the number of cards.
"""

from __future__ import annotations

import re
import unicodedata
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator
from typing import Literal

from msgspec import Struct
from msgspec.structs import replace

from astragal.core.language import LANGUAGES, Text, say
from astragal.games.egar.answers import normal
from astragal.games.egar.cards import Card, Kind, Words, number
from astragal.games.egar.deck import Deck

RemarkKind = Literal["brackets", "number", "length", "form", "language", "echo", "leak", "spelling"]

LONGER, LONGER_BY = 1.8, 10  # the answer stands out from this many times, and characters more than, the next longest
SHORTER, SHORTER_BY = 0.5, 8
SHORTEST_LEAK = 4  # letters of an answer that is looked for in other questions
LONGEST_LEAK = 5  # words of it
STEM = 5  # letters that make two words the same one, whatever their endings
FOREIGN = 3  # letters in common that make two words of different languages the same one
NAMED: tuple[Kind, ...] = ("person", "battle", "war", "treaty", "year")  # an answer of these kinds is told by naming it

ARTICLES = {
    "en": ("a ", "an ", "the "),
    "de": ("ein ", "eine ", "einen ", "der ", "die ", "das ", "den "),
    "es": ("un ", "una ", "el ", "la ", "los ", "las "),
}
LINKS = {"en": (" of ",), "de": (" von ", " der ", " des "), "es": (" de ", " del ")}
# Beginnings of words that many questions have: that two have them in common says nothing.
COMMON = {
    "en": frozenset(
        ("which", "count", "battl", "peopl", "queen", "empir", "after", "first", "women", "soldi", "weapo")
    ),
    "de": frozenset(("welch", "wesse", "gegen", "konig", "reich", "krieg", "schla", "solda", "waffe", "erste")),
    "es": frozenset(("contr", "guerr", "batal", "siglo", "reina", "imper", "entre", "mujer", "ejerc", "segun")),
}
PLURALS = {"en": ("s", "es"), "de": ("e", "en", "n", "er"), "es": ("s", "es")}
UNCLEAR = {"en": ("as", "is", "us", "ss"), "es": ("is", "us")}  # endings of words that may be singular or plural

# Ways of writing one sound; what is left after them is equal for two spellings of one name.
SOUNDS = (("ph", "f"), ("dh", "d"), ("th", "t"), ("kh", "ch"), ("tz", "z"), ("zc", "sc"))
LETTERS = str.maketrans("cqyzw", "kkisv")  # of one word in different languages


class Remark(Struct, frozen=True):
    """Something about one card that its writer should look at."""

    card: str
    kind: RemarkKind
    reason: Text
    lang: str  # empty where the card is written in one language, whichever that is

    def text(self) -> Text:
        """The whole sentence, the card named."""
        if not self.lang:
            return say("card {card}: {reason}", card=self.card, reason=self.reason)
        return say("card {card} ({lang}): {reason}", card=self.card, lang=self.lang, reason=self.reason)


def remarks(deck: Deck) -> list[Remark]:
    """Everything to remark on a deck, card by card, then what lies between cards."""
    alone = [remark for card in deck.cards for remark in _card(card)]
    return list(_once(deck, [*alone, *_leaks(deck), *_spellings(deck)]))


def _once(deck: Deck, every: list[Remark]) -> Iterator[Remark]:
    """The remarks, those on a card that is written in one language only once."""
    alike = {card.id for card in deck.cards if card.en == card.de == card.es}
    said: set[tuple[str, str]] = set()
    for remark in every:
        if remark.card not in alike:
            yield remark
        elif (remark.card, remark.reason.to("en")) not in said:
            said.add((remark.card, remark.reason.to("en")))
            yield replace(remark, lang="")


def _card(card: Card) -> Iterator[Remark]:
    for lang, words in card.words.items():
        if number(words.answer) is not None:
            continue  # numbers stand in a row and differ in nothing else
        for kind, reason in (
            *_brackets(words),
            *_number(card, lang, words),
            *_length(words),
            *_form(card, lang, words),
            *_echo(words),
        ):
            yield Remark(card.id, kind, reason, lang)
    yield from _language(card)


Remarked = Iterator[tuple[RemarkKind, Text]]


def _odd_one(words: Words, trait: Callable[[str], object]) -> bool:
    """Whether the three wrong options agree in something in which the answer differs."""
    wrong = {trait(option) for option in words.wrong}
    return len(wrong) == 1 and trait(words.answer) not in wrong


def _brackets(words: Words) -> Remarked:
    if _odd_one(words, lambda option: bool(re.search(r"[(\[]", option))):
        yield "brackets", say("only the answer {text!r} differs in its brackets", text=words.answer)


def _number(card: Card, lang: str, words: Words) -> Remarked:
    """Singular beside plural: of the same noun, or of things that are no names."""
    heads = [_head(option, lang) for option in words.options]
    for one in heads:
        plurals = {one + suffix for suffix in PLURALS[lang]} | ({one[:-1] + "ies"} if lang == "en" else set())
        if len(one) >= STEM and plurals.intersection(heads):
            yield "number", say("the options have {one!r} in singular and in plural", one=one)
            return
    if lang == "de" or card.kind not in ("term", "weapon") or any(head.endswith(UNCLEAR[lang]) for head in heads):
        return
    plural = ("as", "es", "os") if lang == "es" else "s"
    if _odd_one(words, lambda option: _head(option, lang).endswith(plural)):
        yield "number", say("only the answer {text!r} differs in being singular or plural", text=words.answer)


def _head(option: str, lang: str) -> str:
    """The noun that names the kind of thing: before `of`, or the last word; in Spanish the first one."""
    text = f" {normal(option)} "
    for link in LINKS[lang]:
        text = text.partition(link)[0] + " "
    parts = text.split()
    return "" if not parts else parts[0] if lang == "es" else parts[-1]


def _length(words: Words) -> Remarked:
    answer, others = len(words.answer), sorted(map(len, words.wrong))
    if answer >= LONGER * others[-1] and answer >= others[-1] + LONGER_BY:
        yield "length", say("the answer {text!r} is far longer than the others", text=words.answer)
    if answer <= SHORTER * others[0] and answer <= others[0] - SHORTER_BY:
        yield "length", say("the answer {text!r} is far shorter than the others", text=words.answer)


def _form(card: Card, lang: str, words: Words) -> Remarked:
    """The answer is written in another way than all the others."""
    in_names = card.kind in ("place", "battle")  # The Hague, El Alamein
    traits: tuple[tuple[Text, Callable[[str], object]], ...] = (
        (say("an article"), lambda option: not in_names and option.lower().startswith(ARTICLES[lang])),
        (say("quotation marks"), lambda option: bool(re.search(r"[\"„“”«»]", option))),
        (say("a comma"), lambda option: "," in option),
        (say("a double name"), lambda option: bool(re.search(r"\w[-–/]\s?[A-ZÄÖÜ]", option))),
        (say("a small first letter"), lambda option: option[:1].islower()),
        (say("a number"), lambda option: bool(re.search(r"\d|\b[IVX]+\b", option))),
    )
    for name, trait in traits:
        if _odd_one(words, trait):
            yield "form", say("{trait}: only the answer {text!r} differs", trait=name, text=words.answer)
    if len(words.answer.split()) == 1 and min(len(wrong.split()) for wrong in words.wrong) >= 3:
        yield "form", say("only the answer {text!r} is a single word", text=words.answer)


def _echo(words: Words) -> Remarked:
    """A word of the question comes again in the answer, but in no other option."""
    asked = _stems(words.question)
    for stem in sorted(_stems(words.answer) & asked):
        if not any(stem in _stems(wrong) for wrong in words.wrong):
            yield "echo", say("the question and only the answer have {word!r} in them", word=stem)


def _stems(text: str) -> set[str]:
    return {word[:STEM] for word in normal(text).split() if len(word) >= STEM}


def _language(card: Card) -> Iterator[Remark]:
    """The answer is the one foreign word: the same in every language, while the others are translated."""
    if card.kind not in ("term", "weapon"):
        return
    options = zip(*(words.options for words in card.words.values()), strict=True)
    same = [len({_sound(normal(text)).translate(LETTERS)[:FOREIGN] for text in texts}) == 1 for texts in options]
    if same == [True, False, False, False]:
        reason = say("only the answer {text!r} is the same word in every language", text=card.en.answer)
        yield Remark(card.id, "language", reason, "en")


# Between cards --------------------------------------------------------------------------------------------------


def _leaks(deck: Deck) -> Iterator[Remark]:
    """The question of one card tells the answer of another one of its level.

    A name tells it by being there. A place, a word or a thing may be in many questions; it tells something only where
    both questions have another word in common.
    """
    for lang in LANGUAGES:
        told: dict[tuple[str, str], list[Card]] = defaultdict(list)
        for card in deck.cards:
            for phrase in set(_phrases(card.words[lang].question)):
                told[card.level, phrase].append(card)
        for card in deck.cards:
            for answer, certain in _tellings(card, lang):
                for other in told.get((card.level, answer), []):
                    if other is not card and (certain or _alike(card, other, lang, answer)):
                        reason = say("its question tells {text!r}, the answer of {other}", text=answer, other=card.id)
                        yield Remark(other.id, "leak", reason, lang)


def _tellings(card: Card, lang: str) -> Iterator[tuple[str, bool]]:
    """The ways to say the answer of a card, and whether the mere words tell it."""
    words = card.words[lang]
    own = set(normal(words.answer).split())
    for text in dict.fromkeys(normal(text) for text in (words.answer, *words.accept)):
        if len(text) >= SHORTEST_LEAK:
            yield text, card.kind in NAMED and bool(own.intersection(text.split()))


def _alike(one: Card, other: Card, lang: str, told: str) -> bool:
    first, second = _stems(one.words[lang].question), _stems(other.words[lang].question)
    return bool(first & second - _stems(told) - COMMON[lang])


def _phrases(text: str) -> Iterator[str]:
    """Every run of a few words."""
    words = normal(text).split()
    for first in range(len(words)):
        for last in range(first + 1, min(first + LONGEST_LEAK, len(words)) + 1):
            yield " ".join(words[first:last])


def _spellings(deck: Deck) -> Iterator[Remark]:
    """A name is written in two ways in one language."""
    for lang in LANGUAGES:
        first_seen: dict[str, tuple[str, str]] = {}  # by its sound: the first way to write it, and on which card
        for card in deck.cards:
            words = card.words[lang]
            for name in dict.fromkeys(_names((words.question, *words.options, words.note))):
                written, id = first_seen.setdefault(_sound(name), (name, card.id))
                if written != name and id != card.id:
                    reason = say("{name!r} here, but {other!r} on {card}", name=name, other=written, card=id)
                    yield Remark(card.id, "spelling", reason, lang)


def _names(texts: Iterable[str]) -> Iterator[str]:
    """Words with a capital letter; those with a letter of another language are left alone."""
    for text in texts:
        for word in re.findall(r"[^\W\d_]+", text):
            if word[0].isupper() and len(word) >= STEM and not set(word.lower()) & set("âêîôûàèìòùãõçø"):
                yield word


def _sound(name: str) -> str:
    """A name as it sounds, roughly: without accents (but with umlauts), silent h and doubled letters."""
    text = name.lower().replace("ä", "ae").replace("ö", "oe").replace("ü", "ue")
    text = "".join(sign for sign in unicodedata.normalize("NFD", text) if not unicodedata.combining(sign))
    for letters, sound in SOUNDS:
        text = text.replace(letters, sound)
    return re.sub(r"(.)\1", r"\1", text[:1] + text[1:].replace("h", ""))
