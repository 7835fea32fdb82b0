"""Games are found by their packages' entry points, ours as anybody's."""

from __future__ import annotations

import importlib
import sys
from collections.abc import Callable, Iterator
from importlib.metadata import entry_points
from pathlib import Path

import pytest

import astragal
from astragal.core import registry
from astragal.core.registry import GROUP, UnknownGame
from astragal.core.rules import Game
from tests.core import toy

Install = Callable[[str, str, str], None]


@pytest.fixture
def install(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Install]:
    """Lets a test install a package of its own: a module, and the entry point that names its game."""
    monkeypatch.syspath_prepend(str(tmp_path))
    registry.games.cache_clear()
    before = set(sys.modules)

    def package(name: str, points: str, module: str) -> None:
        info = tmp_path / f"{name}-1.0.dist-info"
        info.mkdir()
        (info / "METADATA").write_text(f"Metadata-Version: 2.1\nName: {name}\nVersion: 1.0\n")
        (info / "entry_points.txt").write_text(f"[{GROUP}]\n{points}\n")
        (tmp_path / f"{name}.py").write_text(module)
        importlib.invalidate_caches()

    yield package
    for module in set(sys.modules) - before:
        if module.startswith("foreign"):
            del sys.modules[module]
    registry.games.cache_clear()
    importlib.invalidate_caches()


def test_our_games_are_found_by_entry_points() -> None:
    named = {point.name for point in entry_points(group=GROUP)}
    assert "ur" in named
    assert set(astragal.games()) == named
    assert all(game.id == name for name, game in astragal.games().items())
    assert all(isinstance(game, Game) for game in astragal.games().values())


def test_games_are_found_once() -> None:
    assert astragal.games() is astragal.games()
    assert astragal.game("ur").rules is astragal.rules("ur")


def test_a_foreign_game_is_found(install: Install) -> None:
    install("foreign_toy", "toy = foreign_toy:GAME", "from tests.core.toy import GAME\n")
    assert astragal.game("toy") is toy.GAME
    assert "ur" in astragal.games()
    assert list(astragal.games()) == sorted(astragal.games())


@pytest.mark.parametrize(
    ("module", "says"),
    [
        ("raise RuntimeError('out of luck')", "out of luck"),
        ("import a_module_that_nobody_has", "a_module_that_nobody_has"),
        ("def def", "invalid syntax"),
        ("", "GAME"),
        ("GAME = 7", "not an astragal.core.rules.Game"),
        ("from astragal.games.ur import GAME", "calls itself ur"),
        ("raise SystemExit('bye')", "bye"),
    ],
    ids=["raises", "imports", "syntax", "empty", "not a game", "another id", "exits"],
)
def test_a_broken_package_is_reported_and_left_out(install: Install, module: str, says: str) -> None:
    install("foreign_broken", "broken = foreign_broken:GAME", module)
    with pytest.warns(UserWarning, match="game broken could not be loaded") as caught:
        installed = astragal.games()
    assert says in str(caught[0].message)
    assert len(caught) == 1
    assert "broken" not in installed
    assert "ur" in installed


@pytest.mark.parametrize(("id", "near"), [("urr", "ur"), ("Ur", "ur"), ("u", "ur")])
def test_an_unknown_game_suggests_the_nearest(id: str, near: str) -> None:
    with pytest.raises(UnknownGame, match=f"did you mean {near}\\?") as caught:
        astragal.game(id)
    assert repr(id) in str(caught.value)


@pytest.mark.parametrize("id", ["", "chess", "\0", "x" * 1000])
def test_an_unknown_game_lists_the_known_ones(id: str) -> None:
    with pytest.raises(UnknownGame) as caught:
        astragal.rules(id)
    assert "did you mean" not in str(caught.value)
    assert all(name in str(caught.value) for name in astragal.games())


def test_a_package_cannot_take_the_name_of_a_game(install: Install) -> None:
    ours = astragal.game("ur")
    registry.games.cache_clear()
    install(
        "foreign_ur",
        "ur = foreign_ur:GAME",
        "import dataclasses, astragal.games.ur as ur\nGAME = dataclasses.replace(ur.GAME)",
    )
    with pytest.warns(UserWarning, match="has the name of another installed game"):
        assert astragal.game("ur") is ours
