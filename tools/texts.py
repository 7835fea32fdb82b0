"""Keeps the catalogues of sentences in step with the code: `make texts`. With --check it only says what is wrong.

It collects every literal given to `say`, `say_count` and `noted`, adds new sentences to each catalogue without a
translation, and drops those the code no longer says. Translations are written by hand into the `.po` files.
"""

from __future__ import annotations

import string
import sys
from pathlib import Path

from babel.messages import Catalog
from babel.messages.extract import extract_from_dir
from babel.messages.pofile import read_po, write_po

ROOT = Path(__file__).parent.parent
LOCALE = ROOT / "src" / "astragal" / "locale"
KEYWORDS = {"say": None, "noted": None, "say_count": (2, 3)}


def said() -> dict[str, tuple[str, ...]]:
    """Every sentence in the code, by its key: one form, or the two of a plural."""
    found: dict[str, tuple[str, ...]] = {}
    for _, _, message, _, _ in extract_from_dir(str(ROOT / "src"), keywords=KEYWORDS):
        forms = (message,) if isinstance(message, str) else tuple(message)
        if forms[0] and forms != ("{reason}",):
            found[forms[0]] = forms
    return found


def load(lang: str) -> Catalog:
    """The catalogue as it is."""
    with (LOCALE / f"{lang}.po").open("rb") as file:
        return read_po(file, locale=lang, charset="utf-8")


def holes(sentence: str) -> set[str]:
    """The names of the holes in a sentence."""
    return {name for _, name, _, _ in string.Formatter().parse(sentence) if name}


def faults(lang: str) -> list[str]:
    """What is wrong with a catalogue: missing, unused or misfilled sentences."""
    catalogue, sentences = load(lang), said()
    problems = []
    known = {}
    for message in catalogue:
        if message.id:
            key = message.id if isinstance(message.id, str) else message.id[0]
            known[key] = message
    problems += [f"{lang}: not translated: {key!r}" for key in sentences if key not in known]
    problems += [f"{lang}: no longer said: {key!r}" for key in known if key not in sentences]
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


def update(lang: str) -> None:
    """Writes the catalogue anew, in the order of its keys."""
    old = load(lang) if (LOCALE / f"{lang}.po").is_file() else Catalog(locale=lang)
    new = Catalog(locale=lang, charset="utf-8")
    for key, forms in sorted(said().items()):
        before = old.get(key)
        translation = before.string if before is not None else ""
        new.add(forms[0] if len(forms) == 1 else forms, translation or ("" if len(forms) == 1 else ("", "")))
    with (LOCALE / f"{lang}.po").open("wb") as file:
        write_po(file, new, width=120, omit_header=True, sort_output=True)


def main() -> None:
    """Updates both catalogues and lists what still needs a translator."""
    langs = sorted(file.stem for file in LOCALE.glob("*.po")) or ["de", "es"]
    if "--check" not in sys.argv[1:]:
        for lang in langs:
            update(lang)
    problems = [problem for lang in langs for problem in faults(lang)]
    print("\n".join(problems) or "every sentence is there in every language")
    if problems:
        raise SystemExit(1)


if __name__ == "__main__":
    main()
