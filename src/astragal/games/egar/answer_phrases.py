"""Typed answers as sentences (EG-20): what is said around an answer, two names for one thing, and dates beside a name.

All functions take and give text as it was typed; words are compared later. They are used only where the text as a
whole is no answer, so that a name which happens to hold one of these phrases is never taken apart.
"""

from __future__ import annotations

import re
from functools import cache

from astragal.games.egar.answer_words import folded, lists

_LABEL = re.compile(r"^\s*[a-d1-4]\)\s*")  # a) Waterloo
_TAG = re.compile(r"[\s,.;]+(?:no|ne|right|gell|verdad|cierto|not|nicht)\s*\?+\s*$")  # Waterloo, no?
_DANGLING = re.compile(r"[\s,.;?!\u2026]+(?:or|oder|o)[\s.?!\u2026]*$")
_PAIR = re.compile(r"\b(?:the two|die zwei|die beiden|l[ao]s dos)\b")  # between the two Koreas: no second war
_BUT = r"(?:[\s,.;:\u2026-]*\b(?:but|aber|pero|though|tho|obwohl)\b)?"
_EITHER = re.compile(
    r"[\s,;(]+(?:or|oder|o|u|bzw\.?|beziehungsweise|aka|a\.k\.a\.|alias|also (?:known as|called)|"
    r"auch (?:bekannt als|genannt)|tambien (?:conocido|conocida|conocidos|llamado|llamada|llamados) como|"
    r"tambien (?:llamado|llamada|llamados))\s+"
)
_INSTEAD = re.compile(
    r"[\s,;(]+(?:(?:and |but )?not|(?:und |aber )?nicht|y no|rather than|instead of|anstatt|statt|en vez de|"
    r"en lugar de)\s+"
)
_MONTHS = (
    "january|february|march|april|may|june|july|august|september|october|november|december|januar|februar|marz|maerz|"
    "mai|juni|juli|oktober|dezember|enero|febrero|marzo|abril|mayo|junio|julio|agosto|septiembre|setiembre|octubre|"
    "noviembre|diciembre|jan|feb|mar|apr|jun|jul|aug|sept|sep|oct|okt|nov|dec|dez"
)
_DAY = r"\d{1,2}(?:st|nd|rd|th|\.)?"
_DATE = re.compile(
    rf"\b(?:{_DAY}(?: of| de)? (?:{_MONTHS})\b|(?:{_MONTHS})\.? {_DAY}(?!\d)|(?:{_MONTHS})(?= \d{{3,4}}\b)|"
    r"\d{1,2}[./-]\d{1,2}[./-](?=\d{4}\b))"
)


_SPAN = re.compile(r"\b(\d{3,4}) ?[-\u2013/] ?(\d{3,4})\b")
_DIRECTION = re.compile(r"^\s*([nsew])\.\s?(?=[a-z]{4})")
_DIRECTIONS = {"n": "north ", "s": "south ", "e": "east ", "w": "west "}
_APPOSITION = re.compile(r"[,;:()/\[\]\u2013\u2014]| - | = ")
_PHRASE = re.compile(r"[\W_]+")


@cache
def _hedges() -> re.Pattern[str]:
    """Phrases of doubt, some with a negation in them that is not meant for the answer."""
    phrases = sorted((phrase for phrase in lists().hedges if phrase), key=len, reverse=True)
    return re.compile(rf"\b(?:{'|'.join(map(re.escape, phrases))})\b{_BUT}")


def without_doubts(text: str) -> str:
    """The text without phrases of doubt, tags and pairs, folded: `not sure but Waterloo`, `Waterloo, oder?`."""
    plain = _LABEL.sub("", re.sub("['’`´]", "", folded(text)))
    plain = _DANGLING.sub("", _TAG.sub("", _hedges().sub(" ", _PAIR.sub(" ", plain))))
    return plain.strip(" ,.;:-\u2026")


def without_date(text: str) -> str:
    """The text, folded, with only the year of a date: `Waterloo, 18 June 1815` says no more than `Waterloo 1815`."""
    return _DATE.sub(" ", folded(text))


def without_span(text: str, years: tuple[int, ...], margin: int) -> str:
    """The text without a span of years into or near which one of these falls: `the Cold War, 1947-1991`."""

    def replaced(span: re.Match[str]) -> str:
        first, last = int(span[1]) - margin, int(span[2]) + margin
        return " " if any(first <= one <= last for one in years) else span[0]

    return _SPAN.sub(replaced, text)


def with_direction(text: str) -> str:
    """The text, folded, with the direction at its beginning in full: `S. Sudan`."""
    return _DIRECTION.sub(lambda found: _DIRECTIONS[found[1]], folded(text))


def alternatives(text: str) -> list[str]:
    """The names that somebody gives for one thing, or the answers between which they do not choose."""
    return [part.strip(" ,;()") for part in _EITHER.split(folded(text))]


def chosen(text: str) -> tuple[str, str] | None:
    """The answer and what it is set against: `Hannibal, not Hamilcar`."""
    answer, *denied = _INSTEAD.split(folded(text), maxsplit=1)
    return (answer, denied[0]) if denied and answer.strip() and denied[0].strip() else None


def appositions(text: str) -> list[str]:
    """The parts of a text between commas, brackets and the like: `Hattin, Galilee`, `Haiti (Saint-Domingue)`."""
    return [part for part in _APPOSITION.split(text) if part.strip()]


def phrases(text: str) -> list[str]:
    """The text cut before every article and preposition: `Blumenkriege`, `der Azteken`."""
    cut: list[list[str]] = [[]]
    little = lists().articles | lists().links | lists().surroundings
    for word in text.split():
        plain = _PHRASE.sub("", folded(word))
        if plain in little and cut[-1] and not little.issuperset(_PHRASE.sub("", folded(one)) for one in cut[-1]):
            cut.append([])
        cut[-1].append(word)
    return [" ".join(words) for words in cut if words]
