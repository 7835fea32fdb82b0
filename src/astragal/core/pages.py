"""The rules pages, wherever they are: in the installed package, in a checkout, or in a foreign game's own folder."""

from __future__ import annotations

import re
from pathlib import Path

from astragal.core import options
from astragal.core.language import say
from astragal.core.rules import Game

_PACKAGE = Path(__file__).parent.parent
_FOLDERS = (_PACKAGE / "docs" / "rules", _PACKAGE.parent.parent / "docs" / "rules")


def page(game: Game, lang: str) -> str:
    """A game's rules page as Markdown, in English where there is none in this language."""
    if game.pages is not None and game.pages.is_file():  # one page for all languages
        return game.pages.read_text("utf-8")
    folders = (game.pages,) if game.pages else _FOLDERS
    for tongue in (lang, "en"):
        for folder in folders:
            file = folder / tongue / f"{game.id}.md"
            if file.is_file():
                return file.read_text("utf-8")
    return _short(game, lang)


def _short(game: Game, lang: str) -> str:
    """What is known about a game that brings no page: what it is, and what can be set."""
    spec = game.rules.spec
    lines = [f"# {say(spec.title).to(lang)}", "", say(spec.summary).to(lang), ""]
    lines += [say("This game has no rules page of its own. What can be set:").to(lang), ""]
    for field in options.fields(game.rules):
        lines.append(f"- `{field.flag} {field.shape}` {say(field.help).to(lang)}".rstrip())
    return "\n".join([*lines, ""])


def without_pictures(markdown: str) -> str:
    """The page for a place that shows no pictures; the drawings in text stay."""
    return re.sub(r"^(!\[.*\]\(.*\)|<!-- .* -->)\n", "", markdown, flags=re.MULTILINE)


def without_drawings(markdown: str) -> str:
    """The page for a screen reader: of pictures and drawings only the captions stay."""
    return without_pictures(re.sub(r"^```text\n.*?^```\n+", "", markdown, flags=re.MULTILINE | re.DOTALL))
