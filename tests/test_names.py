"""Nothing but a game's own folders names it, and the check that says so would notice."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest

from tools import names

PROJECT = """
[project]
name = "house"
description = "Ur and others"

[project.entry-points."astragal.games"]
ur-modern = "house.games.ur_modern:GAME"
ur = "house.games.ur:GAME"

[tool.other]
"""


@pytest.fixture
def house(tmp_path: Path) -> Path:
    """A repository in which only its games' own folders name them."""
    for file, text in {
        "pyproject.toml": PROJECT,
        "Makefile": "test:\n\tcure your murmur\n",
        "src/astragal/bots.py": '"""Bots.\n\n>>> make("greedy", game("ur"))\n"""\n\nYOUR = "blur, ur-text, curUr"\n',
        "src/astragal/games/ur/rules.py": "class UrRules: ...\n",
        "src/astragal/games/ur_modern/rules.py": "from astragal.games.ur.rules import UrRules\n",
        "web/src/boards/ur/Board.svelte": "<p>Ur</p>\n",
        "tests/test_ur.py": 'GAME = "ur"\n',
        "docs/ur.md": "Ur\n",
    }.items():
        (tmp_path / file).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / file).write_text(text)
    subprocess.run(["git", "init", "-q"], cwd=tmp_path, check=True)
    return tmp_path


def test_no_file_of_this_repository_names_a_game_that_is_not_its_own() -> None:
    assert names.violations(names.ROOT) == []


def test_the_check_looks_at_every_part_of_this_repository() -> None:
    looked_at = {str(file) for file in names.files(names.ROOT)}
    assert {"src/astragal/bots/levels.py", "src/astragal/cli.py", "tools/web.py", "pyproject.toml"} <= looked_at
    assert {"web/src/pages/Hall.svelte", "web/gallery/Gallery.svelte", "web/vite.config.ts", "Makefile"} <= looked_at
    assert not [file for file in looked_at if file.startswith(("src/astragal/games/ur/", "tests/", "docs/"))]


def test_own_folders_docstrings_tests_and_docs_may_name_games(house: Path) -> None:
    assert names.violations(house) == []


@pytest.mark.parametrize(
    ("file", "text", "named"),
    [
        ("src/astragal/bots.py", '"""Bots."""\n\nLEVELS = {"ur": 1}\n', "3: names the game ur"),
        ("src/astragal/bots.py", "from astragal.games.ur_modern import rules\n", "1: names the game ur_modern"),
        ("src/astragal/bots.py", "# as in Ur\n", "1: names the game Ur"),
        ("src/astragal/bots.py", "x = 1\nrules = UrRules()\n", "2: names the game Ur"),
        ("src/astragal/bots.py", "rules = UrModernRules()\n", "1: names the game UrModern"),
        ("web/src/art/index.ts", 'const PICTURES = { "ur-modern": 1 };\n', "1: names the game ur-modern"),
        ("web/src/art/UrPicture.svelte", "<p></p>\n", ": the name of the file names the game Ur"),
        ("tools/web.py", 'if game.id != "ur": ...\n', "1: names the game ur"),
        ("pyproject.toml", PROJECT + 'forbidden = ["house.games.ur"]\n', "names the game ur"),
    ],
)
def test_a_game_that_is_named_elsewhere_is_reported_with_its_place(
    house: Path, file: str, text: str, named: str
) -> None:
    (house / file).parent.mkdir(parents=True, exist_ok=True)
    (house / file).write_text(text)
    (only,) = names.violations(house)
    assert only.startswith(file)
    assert only.endswith(named)


def test_every_exemption_is_needed(monkeypatch: pytest.MonkeyPatch) -> None:
    exempt = dict(names.EXEMPT)
    monkeypatch.setattr(names, "EXEMPT", {})
    named = names.violations(names.ROOT)
    assert {place for place in exempt if any(line.startswith(place) for line in named)} == set(exempt)
    assert [line for line in named if not line.startswith(tuple(exempt))] == []
