"""How far a typed word may differ from a word of an answer, and still be that word (EG-20)."""

from __future__ import annotations

import re
from bisect import bisect

from rapidfuzz.distance import OSA

from astragal.games.egar.answer_sheet import Sheet, taken_apart
from astragal.games.egar.answer_words import (
    country_of,
    dictionary_words,
    is_known,
    known_words,
    lists,
    same_adjective,
    same_city,
    same_in_another_form,
    sound_alike,
    written_alike,
)

SLIP = 2  # what a wrong letter costs; a word that only sounds the same costs 1
FARTHEST = 6  # letters by which a misspelt word may be longer or shorter, as Tsch for C, twice
LONG = 8  # letters from which a word may be known again without its first one: aterloo
SHORT = 5  # letters up to which no letter may stand for another: too often that is another word


def has_digits(text: str) -> bool:
    """Whether there is a digit in one or more words, which are letters and digits only."""
    return not text.isalpha()


def slips(own: Sheet, typed: str, word: str, beside: int = 0, *, named: bool = False) -> int | None:
    """What it costs to read a typed word as this word of an answer, SLIP for a letter; None if it is another word.

    `beside` says how many other words of the answer were typed. Beside one, a short word may sound the same or have two
    letters swapped, in the names of persons and wars even if it means something (Carl Martell); beside two, it may
    have a slip like a longer one. `named` says that one of them is in no wrong answer: then a short word may have a
    wrong vowel (Sun Tzo), and a slip may make an ordinary word, though no name (Long Marsh).
    """
    if typed == word:
        return 0
    if has_digits(typed + word):
        return None
    if _same_word(own, typed, word):
        return 0
    if abs(len(typed) - len(word)) > FARTHEST:
        return None
    (first, *noun), (wanted, *same) = taken_apart(typed), taken_apart(word)
    if noun and noun == same:  # a compound is read by its first part: Chaoskrieg is no Chacokrieg
        return SLIP if _only_the_seam_differs(first, wanted) else slips(own, first, wanted, beside, named=named)
    same_sound = sound_alike(typed, word)
    swapped = sorted(typed) == sorted(word) and OSA.distance(typed, word) == 1
    if beside and (same_sound or swapped) and (own.kind in ("person", "war") or not is_known(typed)):
        return 1
    a_name = is_known(typed) and typed not in dictionary_words()
    if named and _other_vowel(typed, word) and not a_name:
        return SLIP
    if _typed_twice(typed, word) and not a_name:
        return 1
    if (written_alike(typed, word) or (same_sound and len(word) > 4)) and typed not in known_words():
        return 1
    same_start = typed[:1] == word[:1]
    if len(word) < (3 if beside > 1 else 4) or (not same_start and len(word) < LONG):
        return None
    allowed = max(slips_allowed(word) + (named and len(word) > 6), int(beside > 1 or swapped)) if same_start else 1
    cost = OSA.distance(typed, word, score_cutoff=allowed)
    enough = 1 if named or (own.kind == "person" and len(word) == SHORT) else 2  # Julius Caser
    if cost > allowed or (len(word) <= SHORT and beside < enough and _exchanged(typed, word)):
        return None
    if _means_something_else(own, typed) and not (named and typed in dictionary_words()):
        return None
    return SLIP * cost


def _other_vowel(typed: str, word: str) -> bool:
    """Whether one vowel stands for another, after the first letter: Tomor for Timor."""
    if len(typed) != len(word) or len(word) < 3 or typed[0] != word[0]:
        return False
    differing = [pair for pair in zip(typed, word, strict=True) if pair[0] != pair[1]]
    return len(differing) == 1 and set(differing[0]) <= set("aeiouy")


def _typed_twice(typed: str, word: str) -> bool:
    """Whether the words differ only in a consonant that was typed twice: hakka."""
    return len(typed) > len(word) > 3 and re.sub(r"([^aeiou])\1", r"\1", typed) == word


def _means_something_else(own: Sheet, typed: str) -> bool:
    """Whether a typed word is a word or a name, and not one of this card's answers."""
    right = own.right
    first, *rest = taken_apart(typed)
    if rest and is_known(first) and first not in right:
        return True
    if any(_ends_in_another_word(typed, word) for word in right):
        return True
    doubled = typed[-2:-1] == typed[-1:] and typed[:-1] in right  # Spartakuss is no plural
    return is_known(typed) and typed not in right and not doubled


def _ends_in_another_word(typed: str, word: str) -> bool:
    """Whether two compounds begin alike and end in different words: Langboden, Langbogen."""
    for cut in range(3, min(len(typed), len(word)) - SHORT + 1):
        if typed[:cut] != word[:cut]:
            return False
        ends = typed[cut:], word[cut:]
        if ends[0] != ends[1] and all(map(is_known, ends)) and not same_in_another_form(*ends):
            return True
    return False


def _only_the_seam_differs(first: str, wanted: str) -> bool:
    """Whether the first parts of two compounds differ only in the letters that join it to the second: Schweinbucht."""
    seams = ("", "e", "n", "en", "s", "es")
    return any(first.removesuffix(one) == wanted.removesuffix(other) != "" for one in seams for other in seams)


def _same_word(own: Sheet, typed: str, word: str) -> bool:
    """Whether two words are one in another form: Elefant and Elefanten, Utrecht and Utrechter, France and French."""
    if own.kind in ("war", "treaty", "term", "weapon") and same_in_another_form(typed, word):
        return True
    if own.kind == "treaty" and same_city(typed, word):
        return True
    if own.kind == "place" and same_adjective(typed, word):
        return True
    if own.kind == "person" and len(word) > 4 and typed == word + "s":
        return True  # Pancho Villas
    if own.kind == "person" and typed[:1] == "d" and len(word) > 2 and sound_alike(typed[1:], word):
        return True  # Jeanne Dark
    if any(typed == prefix + word for prefix in lists().prefixes):
        return True  # Kampfdrohne
    return own.kind in ("war", "treaty", "place", "term") and bool(country_of(word) & country_of(typed))


def slips_allowed(word: str) -> int:
    """How many letters may be wrong: none in a short word, one in a usual one, two or three in a long one."""
    return bisect((SHORT, 9, 12), len(word))


def _exchanged(typed: str, word: str) -> bool:
    """Whether a letter stands for another one, and not only changed places with its neighbour."""
    return len(typed) == len(word) and sorted(typed) != sorted(word)
