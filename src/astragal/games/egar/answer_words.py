"""The words of answers: how they are made comparable, and which ones mean something of their own (EG-20)."""

from __future__ import annotations

import re
import unicodedata
from functools import cache, lru_cache
from pathlib import Path

from msgspec import Struct

from astragal.core.data import load_toml, read_text
from astragal.games.egar.answer_numbers import german, numeral, ungrouped
from astragal.games.egar.cards import LEVELS

DATA = Path(__file__).parent / "data"

# Letters that Unicode does not take apart.
_LETTERS = str.maketrans({"ø": "o", "đ": "d", "ł": "l", "ı": "i", "æ": "ae", "œ": "oe", "þ": "th", "ð": "d"})
_TEXTS = ("question", "answer", "wrong", "accept", "reject", "note")  # of a card in its file
_APOSTROPHES = re.compile("['’‘`´ʻʼʹ]")
_ELISION = re.compile("\\bd['’](?=[a-z])")  # Jeanne d'Arc
_SPAN = re.compile(r"(\d{4})\s?[-\u2013/]\s?\d{2}(?!\d)")  # 1904-05
_ABBREVIATED = re.compile(r"\b(?:(?:[a-z]\.){2,}|ee\.? ?uu\.?)(?![a-z])")  # U.S.A.
_VON = re.compile(r"\bv\.\s?(?=[A-ZÀ-Ý][a-z])(?!Chr)")  # Johanna v. Orléans
_DIGITS = re.compile(r"(\d+)([a-z]{4,})")  # 100jähriger
_SHORT_WAR = re.compile(r"(ww|wk|gm)(\d|i{1,3})|(\d|i{1,3})(gm|wk)")
_DIGRAPH = re.compile(r"(?<![aeogq])([aou])e(?=[bcdfghj-np-tv-z])")
_ROUND = (["100"], ["1000"])  # one hundred is a hundred
_YEARS_LONG = re.compile(r"([a-z]{3,12}?)(jahr[a-z]*|stunden[a-z]*|tage[a-z]*)")  # hundertjähriger


class _Lists(Struct, frozen=True, forbid_unknown_fields=True):
    """The file answer-words.toml: each list is one text."""

    articles: str
    links: str
    fillers: str
    adjectives: str
    directions: str
    hedges: str
    contrary: str
    titles: str
    kin: str
    saints: str
    epithets: str
    bounds: str
    dates: str
    verbs: str
    compounds: str
    prefixes: str
    surroundings: str
    kinds: dict[str, str]
    additions: dict[str, str]
    short: dict[str, str]


class WordLists(Struct, frozen=True):
    """The words the judge knows, as sets."""

    articles: frozenset[str]
    links: frozenset[str]
    fillers: frozenset[str]
    directions: frozenset[str]
    hedges: tuple[str, ...]
    contrary: frozenset[str]
    titles: frozenset[str]
    kin: frozenset[str]
    saints: frozenset[str]
    epithets: frozenset[str]
    bounds: frozenset[str]
    dates: frozenset[str]
    verbs: frozenset[str]
    compounds: frozenset[str]
    prefixes: frozenset[str]
    surroundings: frozenset[str]
    kinds: dict[str, frozenset[str]]
    additions: dict[str, frozenset[str]]
    short: dict[str, tuple[str, ...]]


@cache
def lists() -> WordLists:
    """The word lists of the judge."""
    raw = load_toml(DATA / "answer-words.toml", _Lists)
    return WordLists(
        articles=_set(raw.articles),
        links=_set(raw.links),
        fillers=_set(raw.fillers) | _inflected(raw.adjectives),
        directions=_set(raw.directions),
        hedges=tuple(line.strip() for line in raw.hedges.splitlines()),
        contrary=_set(raw.contrary),
        titles=_set(raw.titles),
        kin=_set(raw.kin),
        saints=_set(raw.saints),
        epithets=_set(raw.epithets),
        dates=_set(raw.dates) | _set(raw.articles) | _set(raw.links) | _set(raw.fillers),
        verbs=_set(raw.verbs),
        bounds=_set(raw.bounds),
        compounds=_set(raw.compounds),
        prefixes=_set(raw.prefixes),
        surroundings=_set(raw.surroundings),
        kinds={kind: _set(words) for kind, words in raw.kinds.items()},
        additions={kind: _set(words) for kind, words in raw.additions.items()},
        short={word: tuple(full.split()) for word, full in raw.short.items()},
    )


def _inflected(stems: str) -> frozenset[str]:
    """Adjectives in all their endings, German and Spanish."""
    endings = ("", "e", "er", "es", "en", "em", "o", "a", "os", "as")
    return frozenset(stem + ending for stem in _set(stems) for ending in endings)


def _set(text: str) -> frozenset[str]:
    return frozenset(undoubled_vowels(word) for word in text.split())


# Making words comparable ---------------------------------------------------------------------------------------


def folded(text: str) -> str:
    """The text without case and accents."""
    # Folded twice: some letters only show their plain form, or their capital, after the other step.
    plain = unicodedata.normalize("NFKD", unicodedata.normalize("NFKD", text).casefold())
    return "".join(sign for sign in plain.translate(_LETTERS) if not unicodedata.combining(sign))


def with_tilde(text: str) -> frozenset[str]:
    """The words of a text that have an ñ: it may be typed as n, but an n is never meant by it (campana, campaña)."""
    composed = unicodedata.normalize("NFC", text).casefold()
    return frozenset(word for word in re.findall(r"\w+", composed) if "ñ" in word)


@lru_cache(maxsize=1 << 14)  # a checked deck compares the same few thousand texts over and over
def tokens(text: str, *, digraphs: bool = False) -> tuple[str, ...]:
    """All words of a text in order, folded; numbers in whatever form as digits, ä and ae both as a.

    With `digraphs` ae stays as it is: in wtaerloo it is no umlaut.
    """
    text = _VON.sub("von ", text)
    plain = _APOSTROPHES.sub("", _ELISION.sub(" ", folded(_SPAN.sub(r"\1", ungrouped(text)))))
    plain = _ABBREVIATED.sub(lambda found: re.sub(r"\W", "", found[0]) + " ", plain)
    plain = "".join(sign if sign.isalnum() else " " for sign in plain)
    words: list[str] = []
    for word in plain.split():
        words += (word,) if digraphs else _taken_apart(word)
    numbers = [numeral(word) for word in words]
    return tuple(word for n, word in enumerate(numbers) if not (word == "1" and numbers[n + 1 : n + 2] in _ROUND))


def _taken_apart(word: str) -> tuple[str, ...]:
    """A word without its digraphs; `WW2` and `100jähriger` as the words they stand for."""
    if found := _SHORT_WAR.fullmatch(word):
        name, which = (found[1], found[2]) if found[1] else (found[4], found[3])
        return (*lists().short[name], which)
    if word in lists().short:
        return lists().short[word]
    if found := _DIGITS.fullmatch(word):
        return (found[1], undoubled_vowels(found[2]))
    word = undoubled_vowels(word)
    if (found := _YEARS_LONG.fullmatch(word)) and (numeral(found[1]) != found[1] or german(found[1])):
        return (found[1], found[2])
    return (word,)


def undoubled_vowels(word: str) -> str:
    """ae, oe and ue as a, o and u: the ways to type an umlaut come to the same."""
    return _DIGRAPH.sub(r"\1", word)


_SPELLED = (("ll", "y"), ("j", "h"), ("ch", "j"), ("tsch", "c"), ("aw", "o"))  # Kachamarka is Cajamarca to a German ear
SHORT_SOUND = 5  # letters of a word in which an h makes another word

_SOUNDS = [
    (re.compile(pattern), sound)
    for pattern, sound in (
        (r"tsch|dsch|tch|sch|sh|dj|cz|ch(?=[aeiou])", "C"),
        (r"^kn", "n"),
        (r"(?<=[bdgkpt])le$", "el"),
        (r"^pf", "f"),
        (r"^es(?=[cklmnpqtv])", "s"),
        (r"^(?:gu|hu)(?=a)", "v"),
        (r"a[uw](?=[a-z])", "av"),
        (r"x", "ks"),
        (r"tz|ts|z|c(?=[eiy])", "s"),
        (r"kh|ck|qu|q|ch|c|k", "k"),
        (r"ph", "f"),
        (r"g(?=[ei])", "j"),
        (r"d$", "t"),
        (r"ee", "i"),
        (r"(?<=[aeiou])h(?![aeiou])", ""),
        (r"w|b", "v"),
        (r"th", "t"),
        (r"gh|gu(?=[ei])", "g"),
        (r"rh", "r"),
        (r"^h(?=[aeiou])", ""),
        (r"[jy](?=[aeiou])", "j"),
        (r"y", "i"),
        (r"(?<=s)e$", ""),
        (r"(.)\1+", r"\1"),
    )
]


@lru_cache(maxsize=1 << 14)
def sound(word: str) -> str:
    """A word as it sounds, roughly and in all our languages: Rubikon, Rubicon and Rubycon are one."""
    for pattern, replaced in _SOUNDS:
        word = pattern.sub(replaced, word)
    return word


@lru_cache(maxsize=1 << 16)
def sound_alike(one: str, other: str) -> bool:
    """Whether two words sound the same, also as spelled in another language; in long words no h is heard."""
    ways = (*_SPELLED, ("h", "")) if min(len(one), len(other)) > SHORT_SOUND else _SPELLED
    return sound(one) == sound(other) or any(
        sound(one.replace(*spelled)) == sound(other.replace(*spelled)) for spelled in ways
    )


def written_alike(one: str, other: str) -> bool:
    """Whether two words differ only in a doubled letter, an h at the beginning, x for ks or a Spanish j for h."""
    return _plain(one) == _plain(other)


@lru_cache(maxsize=1 << 14)
def _plain(word: str) -> str:
    return re.sub(r"(.)\1+", r"\1", word.replace("x", "ks").replace("j", "h").removeprefix("h"))


_PLURAL = re.compile(r"(?:es|en|s|e)$")
_ADJECTIVE = re.compile(r"(?:en|er|es|em|e)$")
_PEOPLE = re.compile(r"(?:isch(?:e|er|es|en|em)?|ern?|en?)$")
_GENDER = re.compile(r"(?:os|as|o|a)$")


def same_in_another_form(one: str, other: str) -> bool:
    """Whether the typed word `one` differs from the other only in its ending: a plural, an adjective."""
    if one == other + "s":
        return True
    if min(len(one), len(other)) < 3 or one[:3] != other[:3]:
        return False
    if (other.endswith("ces") and other[:-3] + "z" == one) or (one.endswith("ces") and one[:-3] + "z" == other):
        return True  # arcabuz, arcabuces
    plain, ending = _PLURAL.sub("", one), _PLURAL.sub("", other)
    if one in (other + "s", other + "es", other + "en") or other in (one + "s", one + "es", one + "en"):
        return True
    if len(plain) >= 4 and plain == ending:
        return True
    if one + "n" == other or other + "n" == one:
        return one.endswith(("er", "el", "ern", "eln"))  # den Hethitern
    if "isch" in one and "isch" not in other and _PEOPLE.sub("", one) == _PEOPLE.sub("", other):
        return len(_PEOPLE.sub("", one)) >= 4  # parthische Reiter, Parther
    if _GENDER.search(one) and _GENDER.search(other) and not is_known(one):
        stem = _GENDER.sub("", one)
        if len(stem) >= 4 and stem == _GENDER.sub("", other):
            return True  # pirrico, pirrica
    shared = next((n for n, (a, b) in enumerate(zip(one, other, strict=False)) if a != b), min(len(one), len(other)))
    if shared >= 7 and 4 * shared >= 3 * max(len(one), len(other)) and (shared > 8 or not is_known(one)):
        return True  # Peloponnese and Peloponnesian
    return same_adjective(one, other)


def same_adjective(one: str, other: str) -> bool:
    """Whether two words are one German adjective in two endings: mongolische and mongolisches."""
    ends = _ADJECTIVE.search(one), _ADJECTIVE.search(other)
    return bool(ends[0] and ends[1]) and len(one) > 4 and _ADJECTIVE.sub("", one) == _ADJECTIVE.sub("", other)


def same_city(one: str, other: str) -> bool:
    """Whether one word is the German adjective of the other, a city: Utrechter Frieden is the Friede von Utrecht."""
    short, long = sorted((one, other), key=len)
    return len(short) >= 4 and long in (short + "er", short + "r", short[:-1] + "er")


# Words that mean something -------------------------------------------------------------------------------------


@cache
def dictionary_words() -> frozenset[str]:
    """Words of lookalikes.txt that are no name and stand on no shipped card."""
    lines = [line for line in read_text(DATA / "lookalikes.txt").splitlines() if not line.startswith("#")]
    return frozenset(word for line in lines for word in tokens(line)) - _words_of_names_and_cards()


@cache
def known_words() -> frozenset[str]:
    """Places, people and words of history and of the shipped cards: typed, such a word is meant as it stands."""
    return _words_of_names_and_cards() | dictionary_words()


@cache
def _words_of_names_and_cards() -> frozenset[str]:
    words: set[str] = set()
    lines = read_text(DATA / "names.txt").splitlines()
    words.update(word for line in lines if not line.startswith("#") for word in tokens(line))
    for level in LEVELS:  # the texts only: the deck itself is checked with the judge
        for line in read_text(DATA / f"cards-{level}.toml").splitlines():
            if line.partition(" ")[0] in _TEXTS:
                words.update(tokens(line.partition("=")[2]))
    return frozenset(words | {word for entries in countries().values() for entry in entries for word in entry})


@cache
def _names() -> frozenset[str]:
    """The names of places and people, and the words of all answers of the shipped cards, right and wrong."""
    lines = [line for line in read_text(DATA / "names.txt").splitlines() if not line.startswith("#")]
    for level in LEVELS:
        parts = [line.partition(" ") for line in read_text(DATA / f"cards-{level}.toml").splitlines()]
        lines += [text for field, _, text in parts if field in ("answer", "wrong", "accept", "reject")]
    return frozenset(word for line in lines for word in tokens(line))


def is_name(word: str) -> bool:
    """Whether a word is the name of something, or part of an answer of a shipped card."""
    return word in _names() or word in same_country()


def is_known(word: str) -> bool:
    """Whether a word, or its singular, means something of its own."""
    known = known_words()
    return word in known or (len(word) > 4 and word.endswith("s") and word[:-1] in known)


@cache
def countries() -> dict[str, tuple[frozenset[str], ...]]:
    """Every region's countries, each as the set of its names and adjectives."""
    raw = load_toml(DATA / "countries.toml", dict[str, str])
    return {region: tuple(_set(line) for line in text.split("\n") if line) for region, text in raw.items()}


@cache
def same_country() -> dict[str, frozenset[str]]:
    """For each word of a country its other names and adjectives."""
    table: dict[str, frozenset[str]] = {}
    for entry in (entry for entries in countries().values() for entry in entries):
        for word in entry:
            table[word] = table.get(word, frozenset()) | entry
    return table


@lru_cache(maxsize=1 << 14)
def country_of(word: str) -> frozenset[str]:
    """All names and adjectives of the country that a word names, in whichever ending."""
    table = same_country()
    stem = _ADJECTIVE.sub("", word)
    people = (stem + "en", stem + "ien", stem + "isch") if len(stem) > 3 and stem != word else ()  # Argentinier
    forms = (word, stem, word[:-1] + "o", word[:-1], *people)
    return next((table[form] for form in forms if form in table), frozenset())
