"""Writing cards of one's own: a deck as TOML text, and the questions that lead to a whole card one by one.

Nothing here reads or writes a file or a screen; the commands do that.
"""

from __future__ import annotations

import json
import re
import unicodedata
from collections.abc import Generator, Iterable
from typing import Any, get_args

from msgspec import Struct

from astragal.core.language import LANGUAGES, Text, noted, say
from astragal.games.egar.answer_words import folded
from astragal.games.egar.cards import LEVELS, Card, Era, Kind, Region, Source, Words, number
from astragal.games.egar.check import check_card

ERAS: tuple[Era, ...] = get_args(Era)
REGIONS: tuple[Region, ...] = get_args(Region)
KINDS: tuple[Kind, ...] = get_args(Kind)

LONGEST_ID = 50
LANGUAGE_NAMES = {"en": noted("English"), "de": noted("German"), "es": noted("Spanish")}

_EMPTY = ("·1", "·2", "·3", "·4", "·5", "·6")  # stand for texts that were not asked for yet


# Deck files -----------------------------------------------------------------------------------------------------

# What the values of a card's fields are called in German and Spanish, where an author is asked for them.
CHOICE_NAMES = {
    "de": {
        "easy": "leicht", "medium": "mittel", "hard": "schwer",
        "ancient": "Antike", "medieval": "Mittelalter", "early_modern": "Frühe Neuzeit", "c19": "19. Jahrhundert",
        "c20": "20. Jahrhundert", "c21": "21. Jahrhundert",
        "africa": "Afrika", "asia": "Asien", "europe": "Europa", "latin_america": "Lateinamerika",
        "north_america": "Nordamerika", "oceania": "Ozeanien", "world": "Welt",
        "person": "Person", "battle": "Schlacht", "war": "Krieg", "year": "Jahr", "place": "Ort", "treaty": "Vertrag",
        "weapon": "Waffe", "term": "Begriff",
    },
    "es": {
        "easy": "fácil", "medium": "medio", "hard": "difícil",
        "ancient": "Antigüedad", "medieval": "Edad Media", "early_modern": "Edad Moderna", "c19": "siglo XIX",
        "c20": "siglo XX", "c21": "siglo XXI",
        "africa": "África", "asia": "Asia", "europe": "Europa", "latin_america": "América Latina",
        "north_america": "América del Norte", "oceania": "Oceanía", "world": "mundo",
        "person": "persona", "battle": "batalla", "war": "guerra", "year": "año", "place": "lugar", "treaty": "tratado",
        "weapon": "arma", "term": "término",
    },
}  # fmt: skip


def deck_text(name: str, cards: Iterable[Card]) -> str:
    """A whole deck file."""
    return f"name = {_string(name)}\n" + "".join(f"\n{card_text(card)}" for card in cards)


def card_text(card: Card) -> str:
    """One card as a table of a deck file."""
    plain = ("id", "level", "era", "region", "kind", "fact_key", "review")
    lines = ["[[card]]", *(f"{field} = {_string(getattr(card, field))}" for field in plain)]
    if card.actors:
        lines.append(f"actors = {_strings(card.actors)}")
    if card.woman:
        lines.append("woman = true")
    sources = (f"{{ title = {_string(cited.title)}, place = {_string(cited.place)} }}" for cited in card.sources)
    lines.append(f"sources = [{', '.join(sources)}]")
    for lang, words in card.words.items():
        lines += [f"[card.{lang}]", f"question = {_string(words.question)}", f"answer = {_string(words.answer)}"]
        lines.append(f"wrong = {_strings(words.wrong)}")
        lines += [
            f"{field} = {_strings(getattr(words, field))}" for field in ("accept", "reject") if getattr(words, field)
        ]
        lines.append(f"note = {_string(words.note)}")
    return "\n".join(lines) + "\n"


def _string(text: str) -> str:
    """A basic string of TOML, which is written like one of JSON."""
    return json.dumps(text, ensure_ascii=False).replace("\x7f", "\\u007f")


def _strings(texts: Iterable[str]) -> str:
    return f"[{', '.join(map(_string, texts))}]"


def new_id(text: str, taken: Iterable[str]) -> str:
    """An id made of the words of a text, that no other card has."""
    plain = unicodedata.normalize("NFD", text.lower())
    slug = re.sub(r"[^a-z0-9]+", "-", "".join(sign for sign in plain if not unicodedata.combining(sign))).strip("-")
    slug = slug[:LONGEST_ID].rstrip("-") or "card"
    known, id, n = set(taken), slug, 1
    while id in known:
        n += 1
        id = f"{slug}-{n}"
    return id


def era_of(*texts: str) -> Era | None:
    """The era of the first year that these texts hold, or None."""
    for text in texts:
        whole = number(text)
        if whole is not None:
            return _era(whole)
        if re.search(r"\d\s*(BC|B\.C\.|v\. ?Chr|a\. ?C\.)", text):
            return "ancient"
        if year := re.search(r"(?<!\d)(\d{3,4})(?!\d)", text):
            return _era(int(year[1]))
    return None


def _era(year: int) -> Era:
    ends: tuple[tuple[int, Era], ...] = (
        (500, "ancient"), (1492, "medieval"), (1800, "early_modern"), (1900, "c19"), (2000, "c20"),
    )  # fmt: skip
    return next((era for end, era in ends if year <= end), "c21")


# One card, question by question ---------------------------------------------------------------------------------


class Step(Struct, frozen=True):
    """What the author is asked next. `problem` says why the last answer was not taken."""

    ask: Text
    choices: tuple[str, ...] = ()  # empty: any text
    default: str | None = None  # what an empty answer means; None: it must be answered
    problem: Text | None = None


Asking = Generator[Step, str, str]


def write_card(lang: str, taken: Iterable[str]) -> Generator[Step, str, Card]:
    """Leads to a card: yields what to ask, is sent what was typed, and returns the card.

    A text that would be a fault of the card is asked for again at once. What is asked in one language only is used for
    all three.
    """
    ids = tuple(taken)
    level = yield from _choose(say("Level"), LEVELS, "medium", lang)
    kind = yield from _choose(say("What is asked for"), KINDS, "term", lang)
    first = yield from _words(lang, kind)
    words = dict.fromkeys(LANGUAGES, first)
    others = [other for other in LANGUAGES if other != lang]
    every = yield from _text(say("Will you write it in the other two languages too? (yes/no)"), default="no")
    for other in others if agreed(every) else []:
        words[other] = yield from _words(other, kind)
    era = yield from _choose(say("Era"), ERAS, era_of(first.question, first.answer, first.note), lang)
    region = yield from _choose(say("Where it happens"), REGIONS, "world", lang)
    sources = []
    for n in (1, 2):
        title = yield from _text(say("Source {n}: title", n=n))
        place = yield from _text(say("Source {n}: page, chapter or entry", n=n))
        sources.append(Source(title, place))
    named = first.question if number(first.answer) is not None else first.answer
    id = yield from _id(new_id(named, ids), ids)
    return _card(id=id, level=level, kind=kind, era=era, region=region, sources=tuple(sources), words=words)


def agreed(typed: str) -> bool:
    """Whether this is a yes in one of our languages."""
    return typed.strip().lower().startswith(("y", "j", "s"))


def _card(*, words: dict[str, Words], **fields: Any) -> Card:
    return Card(fact_key=fields["id"], review="draft", en=words["en"], de=words["de"], es=words["es"], **fields)


def _words(lang: str, kind: str) -> Generator[Step, str, Words]:
    """The texts of a card in one language."""
    so_far: dict[str, Any] = {
        "question": _EMPTY[0], "answer": _EMPTY[1], "wrong": _EMPTY[2:5], "accept": (), "note": _EMPTY[5],
    }  # fmt: skip
    language = say(LANGUAGE_NAMES[lang])
    so_far["question"] = yield from _checked(say("Question ({lang})", lang=language), so_far, "question", lang, kind)
    so_far["answer"] = yield from _checked(say("Right answer ({lang})", lang=language), so_far, "answer", lang, kind)
    for n in range(3):
        name = say("Wrong answer {n} ({lang})", n=n + 1, lang=language)
        wrong = yield from _checked(name, so_far, f"wrong {n}", lang, kind)
        so_far["wrong"] = (*so_far["wrong"][:n], wrong, *so_far["wrong"][n + 1 :])
    accept = yield from _text(
        say("Other ways to write the right answer, with | between them ({lang})", lang=language), default=""
    )
    so_far["accept"] = tuple(text.strip() for text in accept.split("|") if text.strip())
    so_far["note"] = yield from _checked(
        say("A sentence that is shown after the answer ({lang})", lang=language), so_far, "note", lang, kind
    )
    return Words(**so_far)


def _checked(ask: Text, so_far: dict[str, Any], field: str, lang: str, kind: str) -> Asking:
    """A text that makes no fault, as far as the card goes now."""
    problem: Text | None = None
    while True:
        text = yield from _text(ask, problem=problem)
        name, _, place = field.partition(" ")
        value: Any = text
        if place:
            at = int(place)
            value = (*so_far["wrong"][:at], text, *so_far["wrong"][at + 1 :])
        problem = text_problem({**so_far, name: value}, text, lang, kind)
        if problem is None:
            return text


def text_problem(words: dict[str, Any], text: str, lang: str, kind: str) -> Text | None:
    """What is wrong with this text of a card whose other texts may still be missing."""
    texts = dict.fromkeys(LANGUAGES, Words(**words))
    source = Source("·", "·")
    draft = _card(
        id="draft", level="medium", kind=kind, era="c20", region="world", sources=(source, source), words=texts
    )
    for fault in check_card(draft):
        holes = {str(value) for value in fault.reason.holes.values()}
        about_others = any(empty in hole for empty in _EMPTY for hole in holes)
        if fault.lang in (lang, "") and not about_others and (text in holes or fault.kind == "repeated option"):
            return fault.reason
    return None


def _text(ask: Text, *, default: str | None = None, problem: Text | None = None) -> Asking:
    while True:
        typed = (yield Step(ask, default=default, problem=problem)).strip()
        if typed:
            return typed
        if default is not None:
            return default
        problem = say("this must be written")


def _choose(ask: Text, choices: tuple[str, ...], default: str | None, lang: str) -> Asking:
    """One of the choices, which are shown in the author's language; the beginning of one is enough."""
    called = {choice: CHOICE_NAMES.get(lang, {}).get(choice, choice) for choice in choices}
    names = {folded(name): choice for choice, name in called.items()} | {choice: choice for choice in choices}
    shown = tuple(called.values())
    problem: Text | None = None
    while True:
        typed = folded((yield Step(ask, shown, called.get(default or ""), problem)).strip())
        if not typed and default is not None:
            return default
        fitting = {choice for name, choice in names.items() if name.startswith(typed)} if typed else set()
        if typed in names or len(fitting) == 1:
            return names[typed] if typed in names else fitting.pop()
        problem = say("type one of these: {choices}", choices=", ".join(shown))


def _id(suggested: str, taken: tuple[str, ...]) -> Asking:
    problem: Text | None = None
    while True:
        id = yield from _text(say("Its id"), default=suggested, problem=problem)
        if not re.fullmatch(r"[a-z0-9][a-z0-9-]{0,59}", id):
            problem = say("an id has small letters, digits and hyphens only")
        elif id in taken:
            problem = say("there is another card of this id")
        else:
            return id
