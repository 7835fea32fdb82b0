"""A rules page as the browser shows it: HTML, its drawings as pictures, and nothing that is for a command line only."""

from __future__ import annotations

import re

from markdown_it import MarkdownIt

from astragal.core.rules import Game

_markdown = MarkdownIt("commonmark", {"html": False}).enable("table")
_COMMAND = r"`(?:astragal|python\s+-m)\s[^`]*`"
_SENTENCE_END = re.compile(r"(?<=[.!?])\s+(?=[^a-z])")


def html(game: Game, page: str, lang: str) -> str:
    """The page as HTML; its headings have ids, so that a table of contents can lead to them."""
    page = re.sub(r"^```text\n.*?^```\n+", "", page, flags=re.MULTILINE | re.DOTALL)
    page = re.sub(r"<!--.*?-->\n?", "", page, flags=re.DOTALL)
    page = "\n\n".join(_without_commands(block) for block in re.split(r"\n{2,}", page))
    page = re.sub(
        rf"\]\(\.\./img/{re.escape(game.id)}-([\w-]+)-{lang}\.svg\)",
        rf"](/api/games/{game.id}/diagrams/\1.svg?lang={lang})",
        page,
    )
    page = re.sub(r"\]\(([\w-]+)\.md(#[\w-]*)?\)", r"](/rules/\1\2)", page)
    rendered: str = _markdown.render(page)
    return _numbered(rendered)


def _without_commands(block: str) -> str:
    """A paragraph without the sentences about commands of a terminal, which a browser has no use for."""
    block = re.sub(rf"\s*\({_COMMAND}\)", "", block)
    if not re.search(_COMMAND, block) or block.startswith(("|", "```", "    ")):
        return block
    return " ".join(sentence for sentence in _SENTENCE_END.split(block) if not re.search(_COMMAND, sentence))


def _numbered(rendered: str) -> str:
    """Gives every heading of the second level an id."""
    sections = rendered.split("<h2>")
    return sections[0] + "".join(f'<h2 id="section-{n}">{section}' for n, section in enumerate(sections[1:], 1))
