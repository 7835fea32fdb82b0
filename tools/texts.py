"""Keeps the catalogues of sentences in step with the code: `make texts`. With --check it only says what is wrong.

It collects every literal given to `say`, `say_count` and `noted` in Python and to `t`, `tn` and `noted` in the browser
client, adds new sentences to each catalogue without a translation, and drops those the code no longer says.
Translations are written by hand into the `.po` files. The comment `web` marks what the browser says; the build of
the client takes just that.

A game of another package has catalogues of its own, in `locale/` inside its folder:

    python tools/texts.py --package examples/goats/src/goats
"""

from __future__ import annotations

import argparse
import ast
import json
import re
import string
from pathlib import Path
from typing import NamedTuple

from babel.messages import Catalog
from babel.messages.extract import extract_from_dir
from babel.messages.pofile import read_po, write_po

ROOT = Path(__file__).parent.parent
SOURCES = ROOT / "src"
LOCALE = SOURCES / "astragal" / "locale"
LANGUAGES = ("de", "es")  # English is in the code
KEYWORDS = {"say": None, "noted": None, "say_count": (2, 3)}
WEB = ROOT / "web" / "src"

_LITERAL = r'"(?:[^"\\\n]|\\.)*"'
_CALL = re.compile(rf"(?<![\w.])(?:(?:t|noted)\(\s*({_LITERAL})|tn\([^\"]*?({_LITERAL}),\s*({_LITERAL}))")
_SPOKEN = re.compile(r"(?<![\w.])(?<!function )(?:t|tn|noted)\(")


class Package(NamedTuple):
    """Whose sentences are collected: ours, or those of a game from elsewhere."""

    sources: Path = SOURCES
    locale: Path = LOCALE

    @property
    def ours(self) -> bool:
        return self.locale == LOCALE

    def said(self) -> dict[str, tuple[str, ...]]:
        """Every sentence in the code, by its key: one form, or the two of a plural. A game says ours without asking."""
        if self.ours:
            return in_python(self.sources) | in_browser()
        known = in_python(SOURCES)
        return {key: forms for key, forms in in_python(self.sources).items() if key not in known}

    def in_browser(self) -> dict[str, tuple[str, ...]]:
        """What of it the browser says."""
        return in_browser() if self.ours else {}


def in_browser() -> dict[str, tuple[str, ...]]:
    """The sentences of the browser client. Each call has its literals in double quotes, so that they are found."""
    sentences: dict[str, tuple[str, ...]] = {}
    for file in sorted([*WEB.rglob("*.ts"), *WEB.rglob("*.svelte")]):
        text = file.read_text("utf-8")
        calls = list(_CALL.finditer(text))
        for call in _SPOKEN.finditer(text):
            if call.start() not in {match.start() for match in calls}:
                line = text.count("\n", 0, call.start()) + 1
                raise SystemExit(f"{file.relative_to(ROOT)}:{line}: say a literal in double quotes, or use `later`")
        for match in calls:
            forms = tuple(json.loads(literal) for literal in match.groups() if literal)
            sentences[forms[0]] = forms
    return sentences


def in_python(sources: Path) -> dict[str, tuple[str, ...]]:
    """The sentences of the Python code."""
    for file in sorted(sources.rglob("*.py")):
        if lines := hidden(file.read_text("utf-8")):
            raise SystemExit(f"{file}:{lines[0]}: say it outside the f-string, or Python 3.11 does not find it")
    sentences: dict[str, tuple[str, ...]] = {}
    for _, _, message, _, _ in extract_from_dir(str(sources), keywords=KEYWORDS):
        forms = (message,) if isinstance(message, str) else tuple(message)
        if forms[0] and forms != ("{reason}",):
            sentences[forms[0]] = forms
    return sentences


def hidden(code: str) -> list[int]:
    """The lines where a sentence stands inside an f-string."""
    formatted = [node for node in ast.walk(ast.parse(code)) if isinstance(node, ast.JoinedStr)]
    calls = [call for node in formatted for call in ast.walk(node) if isinstance(call, ast.Call)]
    said = [call for call in calls if isinstance(call.func, ast.Name) and call.func.id in KEYWORDS]
    return [call.lineno for call in said if any(isinstance(word, ast.Constant) for word in call.args)]


def load(lang: str, locale: Path = LOCALE) -> Catalog:
    """The catalogue as it is; empty if there is none yet."""
    if not (locale / f"{lang}.po").is_file():
        return Catalog(locale=lang)
    with (locale / f"{lang}.po").open("rb") as file:
        return read_po(file, locale=lang, charset="utf-8")


def holes(sentence: str) -> set[str]:
    """The names of the holes in a sentence."""
    return {name for _, name, _, _ in string.Formatter().parse(sentence) if name}


def faults(lang: str, package: Package) -> list[str]:
    """What is wrong with a catalogue: missing, unused or misfilled sentences."""
    catalogue, sentences, browser = load(lang, package.locale), package.said(), package.in_browser()
    problems = []
    known = {}
    for message in catalogue:
        if message.id:
            key = message.id if isinstance(message.id, str) else message.id[0]
            known[key] = message
    problems += [f"{lang}: not translated: {key!r}" for key in sentences if key not in known]
    problems += [f"{lang}: no longer said: {key!r}" for key in known if key not in sentences]
    problems += [
        f"{lang}: the mark `web` is missing or wrong: {key!r}"
        for key, message in known.items()
        if key in sentences and ("web" in message.auto_comments) != (key in browser)
    ]
    for key, message in known.items():
        forms = (message.string,) if isinstance(message.string, str) else tuple(message.string or ())
        if not all(forms):
            problems.append(f"{lang}: not translated: {key!r}")
        if message.fuzzy:
            problems.append(f"{lang}: only guessed: {key!r}")
        if key in sentences and len(sentences[key]) != len(forms):
            problems.append(f"{lang}: plural forms differ: {key!r}")
        wanted = set().union(*map(holes, sentences.get(key, (key,))))
        problems += [f"{lang}: other holes than the English: {form!r}" for form in forms if holes(form) - wanted]
        if not any(holes(form) == wanted for form in forms) and all(forms):
            problems.append(f"{lang}: holes of the English are missing: {key!r}")
    return problems


def update(lang: str, package: Package) -> None:
    """Writes the catalogue anew, in the order of its keys."""
    old = load(lang, package.locale)
    new = Catalog(locale=lang, charset="utf-8")
    browser = package.in_browser()
    for key, forms in sorted(package.said().items()):
        before = old.get(key)
        empty = "" if len(forms) == 1 else ("", "")  # also where a sentence has got a plural since
        translation = before.string if before is not None else empty
        new.add(
            forms[0] if len(forms) == 1 else forms,
            translation if isinstance(translation, str) == isinstance(empty, str) else empty,
            auto_comments=["web"] if key in browser else [],
        )
    package.locale.mkdir(exist_ok=True)
    with (package.locale / f"{lang}.po").open("wb") as file:
        write_po(file, new, width=120, omit_header=True, sort_output=True)


def main() -> None:
    """Updates both catalogues and lists what still needs a translator."""
    parser = argparse.ArgumentParser(description="Keep the catalogues of sentences in step with the code.")
    parser.add_argument("--check", action="store_true", help="write nothing, only say what is wrong")
    parser.add_argument("--package", type=Path, help="the folder of another package's game; its locale/ is kept")
    given = parser.parse_args()
    package = Package() if given.package is None else Package(given.package, given.package / "locale")
    if not given.check:
        for lang in LANGUAGES:
            update(lang, package)
    problems = [problem for lang in LANGUAGES for problem in faults(lang, package)]
    print("\n".join(problems) or "every sentence is there in every language")
    if problems:
        raise SystemExit(1)


if __name__ == "__main__":
    main()
