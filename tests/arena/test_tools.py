"""The tools around the arena: the ladder, the tuner's file, the benchmarks."""

from __future__ import annotations

import argparse
import random
from pathlib import Path

import pytest

import astragal
from astragal.core import weights
from benchmarks import bots, games, peers
from tools import ladder, tune


def test_a_rung_of_the_ladder_goes_on_where_it_was(tmp_path: Path) -> None:
    wanted = argparse.Namespace(full=False, games=8, folder=tmp_path, cores=1)
    game = astragal.game("ur")
    first = ladder.rung(game, 2, "casual", "novice", wanted)
    assert first.one == "casual:ladder"
    assert first.games == 8
    file = tmp_path / "ur-2-casual-novice.jsonl"
    kept = file.read_bytes()
    wanted.games = 12
    assert ladder.rung(game, 2, "casual", "novice", wanted).games == 12
    assert file.read_bytes().startswith(kept)


def test_the_tuner_writes_weights_that_can_be_read(tmp_path: Path) -> None:
    file = tmp_path / "weights.toml"
    tune.write(file, "from nothing", {"result": 12.0, "turn": -0.25})
    assert weights.load(file, ["turn", "result"]) == {"turn": -0.25, "result": 12.0}


def test_greedy_bots_with_two_sets_of_weights_meet_in_the_arena() -> None:
    game = astragal.game("ur")
    worse = {name: -weight for name, weight in game.heuristic.weights.items()}
    assert tune.against(game, worse, 2, 8).startswith("0.0 %")
    assert tune.against(game, dict(game.heuristic.weights), 2, 8).startswith("50.0 %")


def test_the_benchmark_compares_us_with_the_peers_in_one_run(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(games, "TURN", 0.01)
    rng = random.Random(1)
    contest = {"royalur": peers.royalur(rng)} | games.ours(["ur"], rng)
    figures = games.measure(contest, 0.01)
    assert list(figures)[:3] == ["royalur", "ur", "ur, fast"]
    assert all(row["games"] >= 1 and row["plies_per_s"] > 0 for row in figures.values())
    assert 100 < figures["ur, fast"]["plies_per_game"] < 500
    compared = games.ratios(figures)
    assert {"ur, fast : ur, plies/s", "ur, fast : royalur, games/s", "ur : royalur, games/s"} <= set(compared)
    assert compared["ur, fast : ur, plies/s"] == pytest.approx(
        figures["ur, fast"]["plies_per_s"] / figures["ur"]["plies_per_s"]
    )


def test_a_missing_peer_is_left_out(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(peers.PEERS, "nobody", ("no_such_module", peers.royalur))
    there, missing = peers.installed(random.Random(1))
    assert "nobody" in missing
    assert "royalur" in there


def test_the_benchmark_of_bots_counts_nodes_and_overruns() -> None:
    measured = bots.timed(astragal.game("ur"), 2, 5, 0.01)
    assert set(measured) == {"expectimax", "ismcts"}
    for row in measured.values():
        assert row["nodes_per_s"] > 0
        assert 0 <= row["overrun_p99_ms"] <= row["overrun_worst_ms"]
