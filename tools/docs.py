"""Fills diagrams into the rules pages, and tables into docs/architecture.md and docs/research.md: `make docs`.

A page names a diagram, a folder of modules, or a game whose observations it describes between two comments, and
everything between them is written by this tool. It also draws docs/img/architecture.svg: the layers come from the
contract that lint-imports checks, what each is from its docstring, and what it imports from its code. With --check the
tool only says which files are stale.

    <!-- diagram: start -->
    <!-- /diagram -->

    <!-- modules: server -->
    <!-- /modules -->

    <!-- observation: ID -->
    <!-- /observation -->
"""

from __future__ import annotations

import ast
import functools
import re
import sys
import textwrap
import tomllib
from collections.abc import Sequence
from html import escape
from pathlib import Path
from typing import NamedTuple

import astragal
from astragal.core import tensor
from astragal.core.language import LANGUAGES
from astragal.core.picture import element, picture
from astragal.core.rules import Diagram

ROOT = Path(__file__).parent.parent
PAGES = ROOT / "docs" / "rules"
RESEARCH = ROOT / "docs" / "research.md"
ARCHITECTURE = ROOT / "docs" / "architecture.md"
LAYERS = ROOT / "docs" / "img" / "architecture.svg"
SOURCES = ROOT / "src" / "astragal"
MODULES = re.compile(r"<!-- modules: ([\w/]+) -->\n.*?<!-- /modules -->", re.DOTALL)
OBSERVATION = re.compile(r"<!-- observation: ([\w-]+) -->\n.*?<!-- /observation -->", re.DOTALL)
BLOCK = re.compile(r"<!-- diagram: ([\w-]+) -->\n.*?<!-- /diagram -->", re.DOTALL)


def written(game: str, lang: str, page: str, drawn: dict[str, Diagram], pictures: dict[Path, str]) -> str:
    """The page with its diagrams; their pictures are added to `pictures`."""

    def fill(block: re.Match[str]) -> str:
        name = block[1]
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
    return MODULES.sub(lambda block: f"<!-- modules: {block[1]} -->\n{modules(block[1])}\n<!-- /modules -->", page)


# What each layer deals with outside the program. A name that is no layer any more is an error.
OUTSIDE = {
    "core": ("records, as JSON and as text",),
    "games": ("games of other packages,", "found by their entry points"),
    "solve": ("tables of exact values, on disk",),
    "server": ("server: the browser client (web/),", "bots, SQLite or PostgreSQL"),
    "terminal": ("terminal: players at a keyboard",),
    "hosting": ("whoever runs a server",),
}
WIDE, LEFT, RIGHT, GAP = 1000, 64, 700, 12  # the picture, and where its boxes begin and end
LETTER, LINE = 7.1, 18.0  # how wide a letter and how high a line of small text is, about
STYLE = """
svg { --paper: #fbf8f2; --ink: #26221c; --faint: #6b6254; --box: #a4552a; --line: #8a7f6f }
@media (prefers-color-scheme: dark) {
  svg { --paper: #1d1b18; --ink: #efe9dd; --faint: #b0a594; --box: #e08a55; --line: #8f8473 }
}
.paper { fill: var(--paper) }
text { fill: var(--ink); font-size: 13px; font-family: system-ui, sans-serif }
text.name { font: bold 16px ui-monospace, monospace }
text.faint { fill: var(--faint); font-size: 12px }
.box { fill: var(--box); stroke: var(--box); stroke-opacity: 0.5 }
.chip, .outside { fill: none; stroke: var(--line) }
.outside { stroke-dasharray: 4 3 }
.arrow { stroke: var(--line); stroke-width: 2; fill: none }
.head { fill: var(--line) }
"""


class Layer(NamedTuple):
    """A package of the program, and the others that it imports."""

    name: str
    summary: str
    imports: tuple[str, ...]


def layers() -> list[list[Layer]]:
    """The rows of the contract, the outermost first; packages of one row do not import each other."""
    settings = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["tool"]["importlinter"]
    contract = next(contract for contract in settings["contracts"] if contract["type"] == "layers")
    rows = [[name.strip().removeprefix("astragal.") for name in row.split("|")] for row in contract["layers"]]
    names = [name for row in rows for name in row]
    if strangers := OUTSIDE.keys() - set(names):
        raise SystemExit(f"tools/docs.py: OUTSIDE names what is no layer: {', '.join(sorted(strangers))}")
    return [[_layer(name, names) for name in row] for row in rows]


def _layer(name: str, names: Sequence[str]) -> Layer:
    summary, imported = _read(name)
    return Layer(name, summary, tuple(other for other in reversed(names) if other in imported - {name}))


@functools.cache
def _read(name: str) -> tuple[str, frozenset[str]]:
    """The first line of a package's docstring, and all packages of ours that its modules import from."""
    folder = SOURCES / name
    sources = sorted(folder.rglob("*.py")) if folder.is_dir() else [folder.with_suffix(".py")]
    trees = [ast.parse(source.read_text("utf-8")) for source in sources]
    summary = (ast.get_docstring(trees[0]) or "").split("\n")[0]  # __init__.py sorts first
    return summary, frozenset(module for tree in trees for node in ast.walk(tree) for module in _imported(node))


def _imported(node: ast.AST) -> set[str]:
    """The packages of ours that a statement imports from."""
    if isinstance(node, ast.ImportFrom) and node.module == "astragal":
        return {alias.name for alias in node.names}
    full = [alias.name for alias in node.names] if isinstance(node, ast.Import) else []
    full += [node.module] if isinstance(node, ast.ImportFrom) and node.module else []
    return {name.split(".")[1] for name in full if name.startswith("astragal.")}


def architecture() -> str:
    """The picture of the layers: who may import whom, what each is, and what it deals with outside the program."""
    rows, parts, top = layers(), [], 16.0
    for depth, row in enumerate(rows):
        width = (RIGHT - LEFT - GAP * (len(row) - 1)) / len(row)
        texts = [_lines(layer, int((width - 28) / LETTER)) for layer in row]
        chips = sorted(_own_games()) if any(layer.name == "games" for layer in row) else []
        height = 42 + LINE * max(len(said) + len(imports) for said, imports in texts) + (36 if chips else 0)
        for place, (layer, (said, imports)) in enumerate(zip(row, texts, strict=True)):
            left, shade = LEFT + place * (width + GAP), 0.06 + 0.22 * depth / (len(rows) - 1)
            parts += _box(layer.name, said, imports, (left, top, width, height), shade)
        parts += _chips(chips, LEFT + 14, top + height - 38)
        beside = [text for layer in row for text in OUTSIDE.get(layer.name, ())]
        parts += _outside(beside, top, height)
        top += height + GAP
    parts += _arrow(16, top - GAP)
    spoken = " <- ".join(", ".join(layer.name for layer in row) for row in reversed(rows))
    paper = element("rect", klass="paper", width=WIDE, height=top + 4)
    return picture(
        WIDE, top + 4, "The layers of Astragal", f"Imports point inwards: {spoken}", paper, *parts, style=STYLE
    )


def _own_games() -> list[str]:
    settings = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))
    return list(settings["project"]["entry-points"]["astragal.games"])


def _text(words: str, left: float, base: float, klass: str | None = None) -> str:
    return element("text", escape(words), x=left, y=base, klass=klass)


def _lines(layer: Layer, letters: int) -> tuple[list[str], list[str]]:
    """What stands in the box of a layer: what it is, and what it imports."""
    imports = f"imports {', '.join(layer.imports)}" if layer.imports else "imports nothing of ours"
    return textwrap.wrap(layer.summary.replace("`", ""), letters), textwrap.wrap(imports, letters)


def _box(
    name: str, said: Sequence[str], imports: Sequence[str], place: tuple[float, float, float, float], shade: float
) -> list[str]:
    left, top, width, height = place
    box = element("rect", klass="box", x=left, y=top, width=width, height=height, rx=8, fill_opacity=shade)
    title = name + ("/" if (SOURCES / name).is_dir() else ".py")
    texts = [(line, None) for line in said] + [(line, "faint") for line in imports]
    lines = [_text(line, left + 14, top + 46 + LINE * n, klass) for n, (line, klass) in enumerate(texts)]
    return [box, _text(title, left + 14, top + 25, "name"), *lines]


def _chips(names: Sequence[str], left: float, top: float) -> list[str]:
    """The games of this repository, side by side."""
    parts = []
    for name in names:
        width = 24 + 8 * len(name)
        parts += [element("rect", klass="chip", x=left, y=top, width=width, height=26, rx=13)]
        parts += [_text(name, left + 12, top + 18)]
        left += width + 8
    return parts


def _outside(texts: Sequence[str], top: float, height: float) -> list[str]:
    """What a row deals with outside the program, in a dashed box beside it."""
    if not texts:
        return []
    tall = 16 + LINE * len(texts)
    upper, left = top + (height - tall) / 2, RIGHT + 36
    line = element("path", klass="arrow", d=f"M{RIGHT + 2} {top + height / 2:g}H{left - 2}", stroke_dasharray="4 3")
    box = element("rect", klass="outside", x=left, y=upper, width=WIDE - left - 16, height=tall, rx=8)
    return [line, box, *(_text(text, left + 12, upper + 20 + LINE * n, "faint") for n, text in enumerate(texts))]


def _arrow(top: float, bottom: float) -> list[str]:
    """The direction of all imports, beside the boxes."""
    shaft = element("path", klass="arrow", d=f"M40 {top:g}V{bottom - 8:g}")
    head = element("path", klass="head", d=f"M33 {bottom - 10:g}L40 {bottom:g}L47 {bottom - 10:g}Z")
    turned = f"translate(28 {(top + bottom) / 2:g}) rotate(-90)"
    words = element("text", "imports point inwards", klass="faint", text_anchor="middle", transform=turned)
    return [shaft, head, words]


def observation(id: str) -> str:
    """A table of what the numbers of a game's tensor mean, under its default options at its smallest table."""
    from astragal.research import vector

    space = vector(id, 1, masks=False, observations=False).space
    rows = [
        f"{space.size} numbers, {space.actions} actions, {space.outcomes} outcomes of chance.\n",
        "| from | part | shape | what it is |",
        "|---|---|---|---|",
    ]
    for part, place in tensor.places(space.parts):
        shape = " x ".join(map(str, part.shape))
        rows.append(f"| {place.start} | `{part.name}` | {shape} | {part.text} |")
    return "\n".join(rows)


def with_observations(page: str) -> str:
    """The page with its tables of numbers."""
    return OBSERVATION.sub(
        lambda found: f"<!-- observation: {found[1]} -->\n{observation(found[1])}\n<!-- /observation -->", page
    )


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
    wanted[LAYERS] = architecture() + "\n"
    wanted[RESEARCH] = with_observations(RESEARCH.read_text("utf-8"))
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
