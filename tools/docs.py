"""Fills diagrams into the rules pages and tables of modules into docs/architecture.md: `make docs`.

A page names a diagram, or a folder of modules, between two comments, and everything between them is written by this
tool. With --check it only says which pages are stale.

    <!-- diagram: start -->
    <!-- /diagram -->

    <!-- modules: server -->
    <!-- /modules -->
"""

from __future__ import annotations

import ast
import re
import sys
from pathlib import Path

import astragal
from astragal.core.language import LANGUAGES
from astragal.core.rules import Diagram

ROOT = Path(__file__).parent.parent
PAGES = ROOT / "docs" / "rules"
ARCHITECTURE = ROOT / "docs" / "architecture.md"
SOURCES = ROOT / "src" / "astragal"
MODULES = re.compile(r"<!-- modules: ([\w/]+) -->\n.*?<!-- /modules -->", re.DOTALL)
BLOCK = re.compile(r"<!-- diagram: ([\w-]+) -->\n.*?<!-- /diagram -->", re.DOTALL)


def written(game: str, lang: str, page: str, drawn: dict[str, Diagram], pictures: dict[Path, str]) -> str:
    """The page with its diagrams; their pictures are added to `pictures`."""

    def fill(found: re.Match[str]) -> str:
        name = found[1]
        if name not in drawn:
            raise SystemExit(f"docs/rules/{lang}/{game}.md: there is no diagram {name!r}, only {', '.join(drawn)}")
        diagram = drawn[name]
        file = PAGES / "img" / f"{game}-{name}-{lang}.svg"
        pictures[file] = diagram.svg + "\n"
        return (
            f"<!-- diagram: {name} -->\n![{diagram.caption}](../img/{file.name})\n\n"
            f"```text\n{diagram.text}\n```\n\n*{diagram.caption}*\n<!-- /diagram -->"
        )

    return BLOCK.sub(fill, page)


def modules(folder: str) -> str:
    """A table of the modules of a folder: each with the first line of its docstring, up to its first full stop."""
    rows = ["| module | what it is |", "|---|---|"]
    for file in sorted((SOURCES / folder).glob("[!_]*.py")):
        first = (ast.get_docstring(ast.parse(file.read_text("utf-8"))) or "").split("\n")[0]
        rows.append(f"| `{file.stem}` | {first.removesuffix('.')} |")
    return "\n".join(rows)


def with_modules(page: str) -> str:
    """The page with its tables of modules."""
    return MODULES.sub(lambda found: f"<!-- modules: {found[1]} -->\n{modules(found[1])}\n<!-- /modules -->", page)


def outdated() -> dict[Path, str | None]:
    """What every stale file should say; None for a picture that no page shows any more."""
    pictures: dict[Path, str] = {}
    wanted: dict[Path, str | None] = {}
    for id, game in astragal.games().items():
        for lang in LANGUAGES:
            file = PAGES / lang / f"{id}.md"
            if file.is_file():
                wanted[file] = written(id, lang, file.read_text("utf-8"), dict(game.diagrams(lang)), pictures)
    wanted[ARCHITECTURE] = with_modules(ARCHITECTURE.read_text("utf-8"))
    wanted.update(pictures)
    wanted.update({file: None for file in (PAGES / "img").glob("*.svg") if file not in pictures})
    return {
        file: text for file, text in wanted.items() if (file.read_text("utf-8") if file.is_file() else None) != text
    }


def main() -> None:
    """Writes what is stale, or with --check fails if anything is."""
    stale = outdated()
    check = "--check" in sys.argv[1:]
    for file, text in sorted(stale.items()):
        print(file.relative_to(PAGES.parent.parent))
        if check:
            continue
        file.parent.mkdir(exist_ok=True)
        if text is None:
            file.unlink()
        else:
            file.write_text(text, "utf-8")
    if check and stale:
        raise SystemExit("stale: run `make docs`")


if __name__ == "__main__":
    main()
