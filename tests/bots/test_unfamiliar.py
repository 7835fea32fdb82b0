"""Rules that no network knows: what bots go by then, and that people are told."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path
from random import Random

import pytest

import astragal
from astragal.bots import network
from astragal.bots.evaluate import Evaluators, evaluator
from astragal.bots.levels import unfamiliar
from astragal.bots.roster import make
from astragal.core.language import Text
from astragal.core.types import OVER
from astragal.research.table import Table
from astragal.solve.job import Job
from tests.bots.positions import decisions
from tests.core import toy
from tests.terminal.command import astragal as command

UR = astragal.game("ur")
OWN = UR.rules.options_type(pieces=2, rosette_throws=False, begins=0)  # no preset is like that


@pytest.fixture(autouse=True)
def _tables(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("ASTRAGAL_TABLES", str(tmp_path))


def said(note: Text | None) -> str:
    assert note is not None
    return str(note)


def test_bots_go_by_a_table_and_where_there_is_none_by_rules_of_thumb_and_that_is_said(tmp_path: Path) -> None:
    assert Evaluators(UR).of(OWN, 2).about.name == "heuristic"
    assert "rules of thumb" in said(unfamiliar(UR, OWN, 2))
    Job(UR, OWN, tmp_path, precision=1e-5).run()
    assert Evaluators(UR).of(OWN, 2).about.name == "table"
    assert "table of exact values" in said(unfamiliar(UR, OWN, 2))
    usual = UR.rules.options_type(pieces=2)
    Job(UR, usual, tmp_path, precision=1e-5).run()
    assert Evaluators(UR).of(usual, 2).about.name == "network", "the table is for the perfect bot"
    assert unfamiliar(UR, usual, 2) is None


def test_a_master_that_looks_ahead_by_a_table_chooses_what_is_best(tmp_path: Path) -> None:
    Job(UR, OWN, tmp_path, precision=1e-6, bits=16).run()
    perfect, master = make("perfect", UR), make("expectimax:depth=2", UR)
    board, looked = Table(UR, OWN), 0
    board.begin(Random(3))
    while board.seat != OVER:
        view = board.view(board.seat)
        choice = perfect.choose(view, Random(1))
        if len(view.legal) > 1:
            worth = dict(choice.alternatives)
            found = master.choose(view, Random(1))
            assert found.depth == 2 or max(worth.values()) > 0.999
            assert worth[found.action] >= max(worth.values()) - 5e-5
            looked += 1
        board.act(board.number(choice.action))
    assert looked > 5


@pytest.mark.parametrize("id", list(astragal.games()))
def test_nothing_is_said_of_presets_nor_of_games_without_networks(id: str) -> None:
    game = astragal.game(id)
    for options in game.rules.presets.values():
        for players in game.rules.spec.players:
            assert unfamiliar(game, options, players) is None
    assert unfamiliar(toy.GAME, toy.Options(), 2) is None


def test_house_rules_under_which_a_network_is_worth_less_than_rules_of_thumb_are_unfamiliar() -> None:
    """By `benchmarks.house_rules`; under all others it is worth more, though it has not learned from them."""
    egar = astragal.game("egar")
    for changed, players, known in (
        ({"board": "quick", "own_flag_open": True}, 4, False),
        ({"board": "quick", "own_flag_open": True}, 2, True),
        ({"own_flag_open": True}, 4, True),
        ({"board": "quick", "level": "free"}, 4, True),
    ):
        options = egar.rules.seated(egar.rules.options_type(**changed), [True] * players)
        assert (unfamiliar(egar, options, players) is None) == known


def test_nothing_is_said_of_a_game_that_shares_its_folder_with_one_that_has_networks(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    theirs = network.file_of(UR)
    monkeypatch.setattr(network, "file_of", lambda _: theirs)
    assert unfamiliar(toy.GAME, toy.Options(), 2) is None


def test_a_damaged_file_keeps_nobody_from_playing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Bots then go by rules of thumb, and that is said; what searches say stays what it is."""
    whole = network.file_of(UR).read_bytes()
    damaged = tmp_path / "network.net"
    damaged.write_bytes(whole[:-1] + bytes([whole[-1] ^ 1]))
    monkeypatch.setattr(network, "file_of", lambda _: damaged)
    options = UR.rules.options_type()
    assert "rules of thumb" in said(unfamiliar(UR, options, 2))
    view = UR.rules.observe(decision := next(iter(decisions(UR, 1))), UR.rules.turn(decision))
    assert make("master", UR).choose(view, Random(1)).action in view.legal
    with pytest.raises(network.BadNetwork, match="is damaged"):
        evaluator(UR, options, 2)


def test_a_game_that_was_typed_in_has_no_networks() -> None:
    code = """
import astragal
from dataclasses import replace
from astragal.bots.levels import unfamiliar

class Rules(type(astragal.rules("ur"))):
    pass

game = replace(astragal.game("ur"), rules=Rules())
print(unfamiliar(game, game.rules.options_type(), 2))
"""
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert done.stdout == "None\n", done.stderr


@pytest.mark.parametrize(("words", "said"), [((), False), (("--rosette-throws", "off"), True)])
def test_the_terminal_says_it_before_the_match(words: tuple[str, ...], said: bool) -> None:
    shown = command("watch", "ur", "--pieces", "1", *words, "--seed", "1", "--plain")
    assert shown.returncode == 0, shown.stderr
    assert ("have not practised these rules" in shown.stdout) == said
