"""Commands and opponents that a game brings: ours, or one of another package."""

from __future__ import annotations

import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import pytest

import astragal as house
from astragal.bots import LEVELS, Level, levels, make
from tests.core import toy
from tests.terminal.command import astragal

MODULE = """
from dataclasses import replace

import click

from astragal.core.levels import Level
from astragal.core.rules import GameCommand
from tests.core import toy


def load(lang):
    from astragal.console import usage
    from astragal.core.language import say

    text = say("Deal a card.")
    return usage.Command("deal", lang=lang, text=text, example="astragal deal", callback=lambda: click.echo("a card"))


OPPONENTS = {level: Level(f"Foreign {level}", "Deals.", "random") for level in ("novice", "casual", "strong", "master")}
COMMANDS = (GameCommand("deal", "Deal a card.", load), GameCommand("play", "Not this one.", load))
GAME = replace(toy.GAME, levels=OPPONENTS, commands=COMMANDS)
"""


@pytest.fixture
def foreign(tmp_path: Path) -> str:
    """A folder that Python looks into, with a package of a game that has a command and opponents of its own."""
    info = tmp_path / "foreign_toy-1.0.dist-info"
    info.mkdir()
    (info / "METADATA").write_text("Metadata-Version: 2.1\nName: foreign_toy\nVersion: 1.0\n")
    (info / "entry_points.txt").write_text("[astragal.games]\ntoy = foreign_toy:GAME\n")
    (tmp_path / "foreign_toy.py").write_text(MODULE)
    return str(tmp_path)


def test_a_foreign_game_adds_its_command(foreign: str) -> None:
    said = astragal("deal", PYTHONPATH=foreign)
    assert (said.returncode, said.stdout) == (0, "a card\n"), said.stderr
    assert "Deal a card." in astragal("--help", PYTHONPATH=foreign).stdout
    assert "astragal deal" in astragal("deal", "--help", PYTHONPATH=foreign).stdout


def test_a_command_whose_name_is_taken_is_reported_and_left_out(foreign: str) -> None:
    helped = astragal("--help", PYTHONPATH=foreign)
    assert "game toy: there is a command play already; its own is left out" in helped.stderr
    assert "Not this one." not in helped.stdout
    assert "Play a game." in helped.stdout


def test_a_foreign_game_names_its_opponents(foreign: str) -> None:
    said = astragal("watch", "toy", "--seat", "bot:novice", "--seat", "bot:master", "--seed", "1", PYTHONPATH=foreign)
    assert said.returncode == 0, said.stderr
    assert "Foreign novice" in said.stdout
    assert "Foreign master" in said.stdout


def test_help_loads_no_command_of_a_game_and_an_own_command_no_game() -> None:
    program = "import sys; from astragal.cli import main\ntry: main(sys.argv[1:])\nfinally: print(*sys.modules)"
    for words, loaded in ((["--help"], True), (["verify", "--help"], False)):
        done = subprocess.run([sys.executable, "-c", program, *words], capture_output=True, text=True, check=True)
        modules = done.stdout.rsplit("\n", 2)[1].split()
        assert any(module.startswith("astragal.games.") for module in modules) is loaded
        assert not [
            module for module in modules if module.endswith(".commands") and module.startswith("astragal.games")
        ]
        assert "numba" not in modules


def test_every_game_of_ours_names_four_opponents_of_its_own() -> None:
    names = []
    for game in house.games().values():
        assert game.levels is not None
        assert tuple(game.levels) == LEVELS
        names += [level.name for level in game.levels.values()]
    assert len(set(names)) == len(names)


def test_the_best_opponent_of_a_game_that_names_none_searches_if_its_rules_are_compiled() -> None:
    assert levels(toy.GAME)["master"].spec.startswith("ismcts")
    assert levels(toy.toy())["master"].spec == "greedy"
    open_game = replace(house.game("ur"), levels=None)
    assert levels(open_game)["master"].spec.startswith("expectimax")
    own = replace(toy.GAME, levels=dict.fromkeys(LEVELS, Level("One", "Guesses.", "random")))
    assert make("master", own).name == "master"
    assert levels(own)["master"].name == "One"
