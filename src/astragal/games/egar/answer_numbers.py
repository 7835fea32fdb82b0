"""Numbers and years as people write them: digits, Roman, ordinals, words in three languages, eras and dates (EG-20)."""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import cache

# Number words without accents; German ones also stand inside longer words (neunzehnhundertvierzehn).
_ONES = """
zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen
eighteen nineteen|null eins zwei drei vier funf sechs sieben acht neun zehn elf zwolf dreizehn vierzehn funfzehn
sechzehn siebzehn achtzehn neunzehn|cero uno dos tres cuatro cinco seis siete ocho nueve diez once doce trece catorce
quince dieciseis diecisiete dieciocho diecinueve"""
_TENS = """
twenty thirty forty fifty sixty seventy eighty ninety|zwanzig dreissig vierzig funfzig sechzig siebzig achtzig
neunzig|veinte treinta cuarenta cincuenta sesenta setenta ochenta noventa"""
_TWENTIES = "veintiuno veintidos veintitres veinticuatro veinticinco veintiseis veintisiete veintiocho veintinueve"
_HUNDREDS = "doscientos trescientos cuatrocientos quinientos seiscientos setecientos ochocientos novecientos"
_ORDINALS = """
first second third fourth fifth sixth seventh eighth ninth tenth eleventh twelfth thirteenth fourteenth fifteenth
sixteenth|erste zweite dritte vierte funfte sechste siebte achte neunte zehnte elfte zwolfte dreizehnte vierzehnte
funfzehnte sechzehnte|primero segundo tercero cuarto quinto sexto septimo octavo noveno decimo"""

MOST_DIGITS = 18
_DIGRAPH = re.compile(r"([ou])e(?=[ln])")  # fuenf, zwoelf
_ORDINAL_SIGN = re.compile(r"(\d{1,4})(?:st|nd|rd|th|a|o|er|era|ero|do|da|ro|ra|to|ta|te|ten|ter|e)")
_SMALL_ROMAN = re.compile(r"(?=[ivx])x{0,3}(?:ix|iv|v?i{0,3})")  # to 39: rulers, wars and crusades
_ROMAN = re.compile(r"(?=[mdclxvi])m{0,3}(?:cm|cd|d?c{0,3})(?:xc|xl|l?x{0,3})(?:ix|iv|v?i{0,3})")
_ROMAN_VALUES = {"i": 1, "v": 5, "x": 10, "l": 50, "c": 100, "d": 500, "m": 1000}


@cache
def cardinals() -> dict[str, int]:
    """Every number word that can be a part of a larger number."""
    table = {"hundred": 100, "hundert": 100, "cien": 100, "ciento": 100, "thousand": 1000, "tausend": 1000, "mil": 1000}
    table |= {"hundered": 100, "fourty": 40, "cientos": 100}
    for language in _ONES.split("|"):
        table |= {word: value for value, word in enumerate(language.split())}
    for language in _TENS.split("|"):
        table |= {word: 10 * value for value, word in enumerate(language.split(), 2)}
    table |= {word: value for value, word in enumerate(_TWENTIES.split(), 21)}
    tens, ones = _TENS.split("|")[2].split()[1:], _ONES.split("|")[2].split()[1:10]
    table |= {f"{ten}i{one}": 10 * t + o for t, ten in enumerate(tens, 3) for o, one in enumerate(ones, 1)}
    table |= {word: 100 * value for value, word in enumerate(_HUNDREDS.split(), 2)}
    return table


@cache
def ordinals() -> dict[str, int]:
    """Every ordinal word, in all its endings."""
    table: dict[str, int] = {}
    for language in _ORDINALS.split("|"):
        for value, word in enumerate(language.split(), 1):
            endings = ("", "r", "n", "s", "m") if word.endswith("te") else ("",)
            table |= {word + ending: value for ending in endings}
            if word.endswith("o"):
                table[word[:-1] + "a"] = value
    return table | {"primer": 1, "tercer": 3, "forth": 4} | {"erste" + ending: 1 for ending in ("", "r", "n", "s", "m")}


def roman(word: str, *, year: bool = False) -> int | None:
    """The value of a Roman numeral in small letters; of a large one only where a year is meant."""
    if (_ROMAN if year else _SMALL_ROMAN).fullmatch(word) is None:
        return None
    values = [_ROMAN_VALUES[letter] for letter in word]
    following = [*values[1:], 0]
    return sum(-value if value < after else value for value, after in zip(values, following, strict=True))


def numeral(word: str) -> str:
    """A word as digits if it is a number in any form, else the word itself."""
    if word.isdecimal():
        return word.lstrip("0") or "0"
    if found := _ORDINAL_SIGN.fullmatch(word):
        return str(int(found[1]))
    value = cardinals().get(word) or ordinals().get(word) or roman(word)
    if value is None:
        parts = german(word)
        value = add_up(parts) if parts else None
    return word if value is None else str(value)


def german(word: str) -> list[int] | None:
    """The parts of a German number written as one word: 19, 100 and 14 in neunzehnhundertvierzehn."""
    parts: list[int] = []
    rest = word
    while rest:
        if parts and rest.startswith("und"):
            rest = rest[3:]
        part = _longest(rest)
        if part is None:
            return None
        parts.append(cardinals().get(part, 1))  # `ein`, as in einundzwanzig
        rest = rest[len(part) :]
    return parts if len(parts) > 1 else None


def _longest(text: str) -> str | None:
    words = [text[:size] for size in range(min(len(text), 9), 2, -1)]
    return next((word for word in words if word in cardinals() or word == "ein"), None)


def add_up(parts: Sequence[int]) -> int:
    """The number that such parts make; two of them side by side are a year, as in nineteen fourteen."""
    total = current = 0
    for value in parts:
        if value == 1000:
            total, current = total + max(1, current) * 1000, 0
        elif value == 100:
            current = max(1, current) * 100
        elif 10 <= current <= 99 and value >= 10:
            current = current * 100 + value
        else:
            current += value
    return total + current


def spelled(words: Sequence[str]) -> int | None:
    """The number that these words spell together, `and` between them left out; None if one of them is no number."""
    parts: list[int] = []
    for word in words:
        if word in ("and", "und", "y"):
            continue
        value = cardinals().get(word)
        own = [value] if value is not None else german(word)
        if own is None:
            return None
        parts += own
    return add_up(parts) if parts else None


# Years ---------------------------------------------------------------------------------------------------------

_BEFORE = re.compile(
    r"\b(?:before (?:christ|the common era)|"
    r"vor (?:christus|chr|christi geburt|unserer zeit(?:rechnung)?|der zeitenwende|der zeitrechnung)|"
    r"antes de (?:cristo|jesucristo|j ?c|nuestra era|la era comun)|"
    r"b ?c ?e|b ?c|v ?chr(?:istus)?|v ?u ?z|v ?d ?z|a ?n ?e|a ?e ?c|a ?(?:de )?j ?c|a ?(?:de )?c)\b"
)
_AFTER = re.compile(
    r"\b(?:after christ|anno domini|nach (?:christus|chr)|unserer zeit(?:rechnung)?|despues de cristo|"
    r"de nuestra era|a ?d|c ?e|n ?chr(?:istus)?|n ?u ?z|d ?c|e ?c)\b"
)
_JOINED_ERA = re.compile(r"(\d)(bc|bce|ad|ce|v|n|ac|dc|aec)\b")  # 338BC, 338v.Chr.
_SMALL_YEAR = re.compile(
    rf"(?P<led>\b(?:a ?d|year|jahre?|ano) )?\b(?P<year>\d{{1,2}})\b(?: (?P<era>{_BEFORE.pattern}|{_AFTER.pattern}))?"
)
_GROUPED = re.compile(r"(?<!\d)(\d{1,3})(?:[.,\u00a0\u202f](\d{3}))+(?!\d)")


def ungrouped(text: str) -> str:
    """The text with `10,000` and `10.000` as `10000`."""
    return _GROUPED.sub(lambda found: re.sub(r"\D", "", found[0]), text)


def year(text: str, dates: frozenset[str]) -> tuple[int, bool] | None:
    """The year in a folded text, negative before Christ, and whether the text says which era it means.

    Beside the year there may be an era, a day, a month and the words in `dates`, and nothing else.
    """
    minus = text.lstrip().startswith(("-", "\u2212"))
    plain = " ".join(_JOINED_ERA.sub(r"\1 \2", re.sub(r"[^\w]+", " ", text)).split())
    plain, before = _BEFORE.subn(" ", plain, count=1)
    plain, after = _AFTER.subn(" ", plain, count=1) if not before else (plain, 0)
    words = [word for word in plain.split() if word not in dates]
    value = _one_year(words)
    if value is None or (before and minus):
        return None
    return (-value if before or minus else value), bool(before or after or minus)


def small_years(text: str) -> list[int]:
    """The years below 100 in a folded text, known by their era or by the word for a year; negative before Christ."""
    plain = " ".join(re.sub(r"[^\w]+", " ", text).split())
    found = ((int(one["year"]), one["era"], one["led"]) for one in _SMALL_YEAR.finditer(plain))
    return [-year if era and _BEFORE.fullmatch(era) else year for year, era, led in found if era or led]


def _one_year(words: list[str]) -> int | None:
    """The one year among these words, the numbers of a day and a month allowed beside it."""
    if not words:
        return None
    words = [_DIGRAPH.sub(r"\1", word) for word in words]
    digits = [found[1] if (found := _ORDINAL_SIGN.fullmatch(word)) else word for word in words]
    if all(word.isdecimal() and len(word) <= MOST_DIGITS for word in digits):
        numbers = [int(word) for word in digits]
        if len(numbers) == 1:
            return numbers[0]
        years = [value for value in numbers if value > 31]
        return years[0] if len(years) == 1 and len(numbers) <= 3 else None
    if len(words) == 1 and (value := roman(words[0], year=True)) is not None:
        return value
    return spelled(words)
