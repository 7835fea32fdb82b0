"""Sentences in every language of the project.

The English sentence is the key. A catalogue (a gettext `.po` file per language) holds the others, and
terminal, server and browser all read that one file. Code never builds a sentence from pieces: it names a
whole sentence with holes, and what fills them, so that every language can order its words itself.
"""

from __future__ import annotations

import gettext
import os
import re
import unicodedata
from collections.abc import Callable, Iterable, Sequence
from functools import cache
from pathlib import Path
from typing import Any

from msgspec import Struct

LANGUAGES = ("en", "de", "es")

_folders: list[Path] = [Path(__file__).parent.parent / "locale"]


class Text(Struct, frozen=True):
    """One sentence, not yet in any language: English with `{holes}`, and what goes into them."""

    english: str
    holes: dict[str, Any] = {}
    many: str = ""  # the English plural, when the sentence counts something
    count: int = 1

    def to(self, lang: str) -> str:
        """The sentence in this language; in English where the catalogue has no such sentence."""
        sentence = _lookup(self.english, self.many, self.count, lang)
        if not self.holes:
            return sentence
        holes = {
            name: value.to(lang) if isinstance(value, Text | Decimal) else value for name, value in self.holes.items()
        }
        return sentence.format(**holes)

    def __str__(self) -> str:
        return self.to("en")


class Decimal(Struct, frozen=True):
    """A number for a hole of a sentence, which is written once the language is known."""

    value: float
    digits: int

    def to(self, lang: str) -> str:
        """The number as this language writes it."""
        return decimal(self.value, self.digits, lang)


def say(english: str, /, **holes: Any) -> Text:
    """A sentence for the catalogue. Every call with a literal is collected by `make texts`."""
    return Text(english, holes)


def say_count(count: int, one: str, many: str, /, **holes: Any) -> Text:
    """A sentence that depends on a number, which fills its hole `{n}`."""
    return Text(one, {"n": count, **holes}, many, count)


def listed(texts: Sequence[Text]) -> Text:
    """Several texts with commas between them."""
    names = [f"part{n}" for n in range(len(texts))]
    return Text(", ".join(f"{{{name}}}" for name in names), dict(zip(names, texts, strict=True)))


def decimal(value: float, digits: int, lang: str, *, signed: bool = False) -> str:
    """A number as this language writes it: 12.5 in English, 12,5 in German and Spanish."""
    value = round(value, digits) + 0.0  # never -0.0
    written = f"{value:+.{digits}f}" if signed else f"{value:.{digits}f}"
    return written if lang == "en" else written.replace(".", ",")


def noted(english: str) -> str:
    """Marks a literal for the catalogue where only a plain string will do; `say` it later."""
    return english


def folded(word: str) -> str:
    """A word without capitals and accents, as people type it: `Zurück` and `zuruck` are the same."""
    apart = unicodedata.normalize("NFKD", word.casefold())
    return "".join(letter for letter in apart if not unicodedata.combining(letter))


def meant(typed: str, words: Iterable[str], lang: str) -> str | None:
    """Which of these English words, keys of the catalogue, somebody typed: in English or in their own language."""
    wanted = folded(typed)
    return next((word for word in words if wanted in (folded(word), folded(say(word).to(lang)))), None)


def add_folder(folder: Path) -> None:
    """Lets a game from another package bring its own catalogues (`de.po`, `es.po`)."""
    if folder not in _folders:
        _folders.append(folder)
        _catalogue.cache_clear()


def choose_language(wanted: str | None = None) -> str:
    """The language asked for, or else that of the user's locale, or else English."""
    if wanted:
        return wanted
    for variable in ("LC_ALL", "LC_MESSAGES", "LANG"):
        code = os.environ.get(variable, "")[:2].lower()
        if code in LANGUAGES:
            return code
        if code:  # a set variable outranks the later ones, also when we do not speak its language
            return "en"
    return "en"


class _Catalogue(Struct, frozen=True):
    sentences: dict[str, tuple[str, ...]]
    plural: Callable[[int], int]


def _lookup(english: str, many: str, count: int, lang: str) -> str:
    if lang == "en":
        return many if many and count != 1 else english
    catalogue = _catalogue(lang)
    forms = catalogue.sentences.get(english)
    if forms is None:
        return many if many and count != 1 else english
    return forms[catalogue.plural(count)] if many and len(forms) > 1 else forms[0]


@cache
def _catalogue(lang: str) -> _Catalogue:
    from polib import pofile  # only other languages pay for it

    sentences: dict[str, tuple[str, ...]] = {}
    plural: Callable[[int], int] = lambda n: int(n != 1)  # noqa: E731
    for folder in _folders:
        file = folder / f"{lang}.po"
        if not file.is_file():
            continue
        catalogue = pofile(str(file), encoding="utf-8")
        if rule := re.search(r"plural=([^;]+)", catalogue.metadata.get("Plural-Forms", "")):
            plural = gettext.c2py(rule[1])
        for message in catalogue:
            forms = tuple(message.msgstr_plural.values()) or (message.msgstr,)
            if all(forms) and not message.fuzzy and not message.obsolete:
                sentences.setdefault(message.msgid, forms)  # no package changes what another one says
    return _Catalogue(sentences, plural)
