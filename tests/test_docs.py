"""What docs say of the program is so; and the picture of the architecture, which `make docs` draws."""

from __future__ import annotations

import re
import tomllib
from pathlib import Path
from xml.etree import ElementTree

import pytest

import astragal
from astragal.bots.levels import levels
from tools import docs

ROOT = Path(__file__).parent.parent


def test_the_picture_has_the_layers_that_lint_imports_checks_in_their_order() -> None:
    contracts = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["tool"]["importlinter"]["contracts"]
    checked = [name.removeprefix("astragal.") for row in contracts[0]["layers"] for name in row.split(" | ")]
    drawn = [layer.name for row in docs.layers() for layer in row]
    assert drawn == checked
    texts = [node.text for node in ElementTree.fromstring(docs.architecture()).iter() if node.tag.endswith("text")]
    shown = [text.removesuffix("/").removesuffix(".py") for text in texts if text is not None]
    assert [text for text in shown if text in checked] == checked


def test_every_package_and_module_beside_the_layers_is_in_the_picture() -> None:
    there = {file.stem for file in docs.SOURCES.glob("[!_]*") if file.is_dir() or file.suffix == ".py"}
    drawn = {layer.name for row in docs.layers() for layer in row}
    assert there - drawn <= {"locale", "web"}  # data: the catalogues, and the built client


def test_the_picture_says_what_each_layer_imports() -> None:
    imports = {layer.name: layer.imports for row in docs.layers() for layer in row}
    assert imports["core"] == ()
    assert imports["play"] == ("core", "bots")
    assert "server" in imports["hosting"]


def test_a_stale_picture_is_noticed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(docs, "PAGES", tmp_path)  # no rules pages, whose diagrams take long to draw
    assert docs.outdated() == {}
    stale = tmp_path / "architecture.svg"
    stale.write_text("<svg/>", "utf-8")
    monkeypatch.setattr(docs, "LAYERS", stale)
    assert docs.outdated() == {stale: docs.architecture() + "\n"}


def test_a_layer_that_is_gone_is_not_drawn_with_what_was_beside_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(docs.OUTSIDE, "cellar", ("wine",))
    with pytest.raises(SystemExit, match="cellar"):
        docs.layers()


def test_no_headline_counts_the_games_since_anybody_can_install_more() -> None:
    for file in ("README.md", "docs/playing.md", "src/astragal/__init__.py", "pyproject.toml"):
        text = (ROOT / file).read_text("utf-8")
        assert not re.search(r"\b(two|three|four|five|six)( old and new)?( board)? games\b", text), file


def test_the_documented_ratings_of_levels_are_those_that_they_have() -> None:
    lines = (ROOT / "docs" / "ratings.md").read_text("utf-8").splitlines()
    start = lines.index("| game | novice | casual | strong | master |") + 2
    rows = [line.strip("| ").split(" | ") for line in lines[start : start + len(astragal.games())]]
    told = {id: [int(rating) for rating in ratings] for id, *ratings in rows}
    assert told == {id: [level.rating for level in levels(game).values()] for id, game in astragal.games().items()}
