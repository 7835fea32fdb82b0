"""Judging a typed answer (EG-20): kind about spelling, strict about numbers, and it says what it matched.

The text may be in any of our languages. Capitals, accents, punctuation and articles do not matter. A slip of the
pen is forgiven, but never in digits or Roman numerals, and never towards an answer that is known to be wrong.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator
from functools import lru_cache
from typing import Literal

from msgspec import Struct

from astragal.games.egar.cards import Card, number

Match = Literal["exact", "alias", "near", "rejected", "nothing"]

ARTICLES = frozenset(
    [
        "the",
        "a",
        "an",
        "der",
        "die",
        "das",
        "den",
        "dem",
        "des",
        "ein",
        "eine",
        "einen",
        "einem",
        "eines",
        "el",
        "la",
        "los",
        "las",
        "lo",
        "un",
        "una",
        "unos",
        "unas",
    ]
)
# Little words between the names: which of them stands there never decides.
LINKS = frozenset(["of", "at", "in", "near", "von", "vom", "bei", "zu", "um", "de", "del", "en"])
_YEAR_WORDS = re.compile(r"(?:(?:in|im|en|the|das|el|year|jahre?|año|anno)\s+)+(?=\S*\d)", re.IGNORECASE)
_AD_FIRST = re.compile(r"(ad|a\.\s?d\.)\s*(\d+)", re.IGNORECASE)
_ROMAN = re.compile(r"(?=[ivx])x{0,3}(?:ix|iv|v?i{0,3})")  # to 39: rulers, and the World Wars
_ROMAN_VALUES = {"i": 1, "v": 5, "x": 10}


class Judgement(Struct, frozen=True):
    """What became of a typed answer: how it was matched, and with which text of the card."""

    right: bool
    how: Match
    matched: str = ""


def words_of(text: str) -> list[str]:
    """The words that count: no case, accents, punctuation or articles; Roman numerals as digits."""
    # Folded twice: some letters only show their plain form, or their capital, after the other step.
    plain = unicodedata.normalize("NFKD", unicodedata.normalize("NFKD", text).casefold())
    letters = "".join(c if c.isalnum() else " " for c in plain if not unicodedata.combining(c))
    words = letters.split()
    kept = [word for word in words if word not in ARTICLES] or words
    return [str(_roman(word)) if _ROMAN.fullmatch(word) else word for word in kept]


@lru_cache(maxsize=1 << 14)  # a checked deck compares the same few thousand texts over and over
def normal(text: str) -> str:
    """The text as it is compared."""
    return " ".join(words_of(text))


def judge(card: Card, text: str) -> Judgement:
    """Whether this typed text answers the card. What is known to be wrong is looked at first."""
    text = _bare_year(text)
    given = normal(text)
    value = number(text)
    if not given:
        return Judgement(False, "nothing")
    for wrong in _wrong(card):
        if given == normal(wrong) or (value is not None and value == number(wrong)):
            return Judgement(False, "rejected", wrong)
    for right, alias in _right(card):
        if given == normal(right) or _same_number(text, right):
            return Judgement(True, "alias" if alias else "exact", right)
    return _near(card, given)


def _near(card: Card, given: str) -> Judgement:
    """A slip of the pen counts for whichever known answer it is nearest to; on equal terms, for the wrong one."""
    best: tuple[int, bool, str] | None = None
    known = [(wrong, False) for wrong in _wrong(card)] + [(right, True) for right, _ in _right(card)]
    numerals = _numerals(given)
    for text, right in known:
        target = normal(text)
        allowed = slips_allowed(target)
        if not allowed or numerals != _numerals(target):
            continue
        slips = distance(given, target, allowed)
        if slips <= allowed and _word_by_word(given, target) and (best is None or slips < best[0]):
            best = (slips, right, text)
    if best is None:
        return Judgement(False, "nothing")
    return Judgement(best[1], "near" if best[1] else "rejected", best[2])


def _word_by_word(given: str, target: str) -> bool:
    """Whether no single word is another one: in a long name two slips may not make `Diez` of `Cien`."""
    ours, theirs = given.split(), target.split()
    if len(ours) != len(theirs):
        return True
    pairs = [(one, other) for one, other in zip(ours, theirs, strict=True) if not {one, other} <= LINKS]
    return all(distance(one, other, most := max(1, slips_allowed(other))) <= most for one, other in pairs)


def slips_allowed(target: str) -> int:
    """How many letters may be wrong: none in a short word, one in a usual one, two in a long one."""
    letters = len(target.replace(" ", ""))
    return 0 if letters < 5 else 1 if letters < 9 else 2


def distance(one: str, other: str, most: int) -> int:
    """Letters to add, drop, change or swap with a neighbour between two texts; anything above `most` is `most` + 1."""
    if abs(len(one) - len(other)) > most:
        return most + 1
    # A path that strays further than `most` from the diagonal has more slips than that, so only a band is looked at.
    far, width = most + 1, len(other)
    before: list[int] = []
    row = [min(j, far) for j in range(width + 1)]
    for i, letter in enumerate(one, 1):
        earlier, before, row = before, row, [far] * (width + 1)
        row[0] = min(i, far)
        for j in range(max(1, i - most), min(width, i + most) + 1):
            row[j] = min(before[j] + 1, row[j - 1] + 1, before[j - 1] + (letter != other[j - 1]), far)
            if i > 1 and j > 1 and letter == other[j - 2] and one[i - 2] == other[j - 1]:
                row[j] = min(row[j], earlier[j - 2] + 1)
        if min(row[max(0, i - most) : i + most + 1], default=far) >= far:
            return far
    return row[width]


def _wrong(card: Card) -> Iterator[str]:
    for words in card.words.values():
        yield from words.reject
        yield from words.wrong


def _right(card: Card) -> Iterator[tuple[str, bool]]:
    """Every accepted text, and whether it is only another way to write the answer."""
    for words in card.words.values():
        yield words.answer, False
        yield from ((text, True) for text in words.accept)


def _bare_year(text: str) -> str:
    """A year without the words that people put before it; `AD 9` is `9 AD`."""
    bare = _YEAR_WORDS.sub("", text.strip(), count=1) if number(text) is None else text.strip()
    found = _AD_FIRST.fullmatch(bare)
    if found is not None:
        return f"{found[2]} AD"
    return bare if number(bare) is not None else text


def _same_number(text: str, right: str) -> bool:
    """Years agree also when the player leaves `BC` out, but not when it is the wrong mark."""
    given, wanted = number(text), number(right)
    if given is None or wanted is None:
        return False
    return given == wanted or (text.strip().isdecimal() and given == abs(wanted))


def _numerals(text: str) -> list[str]:
    return [word for word in text.split() if any(c.isdigit() for c in word)]


def _roman(word: str) -> int:
    values = [_ROMAN_VALUES[letter] for letter in word]
    following = [*values[1:], 0]
    return sum(-value if value < after else value for value, after in zip(values, following, strict=True))
