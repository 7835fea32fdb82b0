"""Checks that only a game's own folders name it: `src/astragal/games/MODULE` and `web/src/boards/ID`. For `make lint`.

Everything else finds games through the registry, or by the name of a folder. Looked at are code, comments and file
names of the package, the browser client, the tools and the build. Docstrings, documentation, tests, examples and
benchmarks may name games, and so may what EXEMPT lists and `[project]` of pyproject.toml, which says where the games
are.
"""

from __future__ import annotations

import ast
import re
import subprocess
import tomllib
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).parent.parent
PLACES = ("src", "web", "tools", "hatch_build.py", "Makefile", "pyproject.toml", ".ci")
EXEMPT = {  # and why
    "src/astragal/locale/": "the sentences of all games in other languages",
    "web/README.md": "documentation",
    "web/fixtures/": "positions of every game, which tools/web.py writes for the tests of the boards",
    "web/src/generated/": "types and boards of every game, which tools/web.py writes",
    "web/tests/": "tests",
}


def games(root: Path) -> dict[str, str]:
    """The id of every game of this repository, and the module of its folder."""
    points = tomllib.loads((root / "pyproject.toml").read_text("utf-8"))["project"]["entry-points"]["astragal.games"]
    return {id: value.partition(":")[0].rpartition(".")[2] for id, value in points.items()}


def pattern(names: dict[str, str]) -> re.Pattern[str]:
    """Finds an id or a module as a word of its own, in any case, and a class that is called after it: `UrRules`."""
    words = _longest_first({re.escape(word) for pair in names.items() for word in pair})
    titles = _longest_first({"".join(part.title() for part in module.split("_")) for module in names.values()})
    return re.compile(rf"(?<![\w-])(?i:{words})(?![\w-])|(?<![a-zA-Z])(?:{titles})(?=[A-Z])")


def _longest_first(words: set[str]) -> str:
    """Alternatives of a pattern, so that no word is taken for the beginning of another."""
    return "|".join(sorted(words, key=len, reverse=True))


def files(root: Path) -> Iterator[Path]:
    """The files that are looked at, relative to the root: what git knows or would know."""
    listed = subprocess.run(
        ["git", "ls-files", "--cached", "--others", "--exclude-standard", *PLACES],
        cwd=root,
        capture_output=True,
        encoding="utf-8",
        check=True,
    )
    own = [folder for id, module in games(root).items() for folder in _own_folders(id, module)]
    for line in sorted(set(listed.stdout.splitlines())):
        if not line.startswith((*EXEMPT, *own)) and (root / line).is_file():
            yield Path(line)


def _own_folders(id: str, module: str) -> tuple[str, str]:
    return f"src/astragal/games/{module}/", f"web/src/boards/{id}/"


def code(file: Path) -> str:
    """The text of a file without what may name games; other lines stay where they are."""
    text = file.read_text("utf-8")
    if file.name == "pyproject.toml":
        return re.sub(r"^\[project.*?(?=^\[(?!project)|\Z)", _blank, text, flags=re.MULTILINE | re.DOTALL)
    if file.suffix != ".py":
        return text
    lines = text.split("\n")
    for node in ast.walk(ast.parse(text)):
        if isinstance(node, ast.Module | ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef) and ast.get_docstring(
            node
        ):
            said = node.body[0]
            for number in range(said.lineno - 1, said.end_lineno or said.lineno):
                lines[number] = ""
    return "\n".join(lines)


def _blank(lines: re.Match[str]) -> str:
    return "\n" * lines[0].count("\n")


def violations(root: Path) -> list[str]:
    """Every place that names a game, as `file:line: what`."""
    wanted = pattern(games(root))
    named = []
    for file in files(root):
        if name := wanted.search(str(file)):
            named.append(f"{file}: the name of the file names the game {name[0]}")
        try:
            text = code(root / file)
        except UnicodeDecodeError:  # a picture, a font
            continue
        for number, line in enumerate(text.split("\n"), start=1):
            named += [f"{file}:{number}: names the game {name[0]}" for name in wanted.finditer(line)]
    return named


def main() -> None:
    """Says where, and fails if anywhere."""
    named = violations(ROOT)
    if named:
        print("\n".join(named))
        raise SystemExit("only a game's own folders name it; find games through astragal.core.registry")


if __name__ == "__main__":
    main()
