"""Results without the luck of the dice: chance brings nothing on average, and what is left scatters less."""

from __future__ import annotations

import dataclasses
import json
from pathlib import Path
from random import Random
from statistics import stdev
from typing import Any

import numpy as np
import pytest
from msgspec.structs import replace

import astragal as library
from astragal.arena import contest, job, report, stats
from astragal.arena.job import Job
from astragal.arena.luck import LuckJudge
from astragal.arena.rounds import RoundPlayer
from astragal.core.types import BadFile
from astragal.core.walk import Walk
from tests.core import toy
from tests.terminal.command import astragal


def job_of(id: str, *bots: str, players: int = 2, luck: bool = True, seed: str = "1") -> Job:
    game = library.game(id)
    options = next(iter(game.rules.presets.values()))
    return job.make_job(game, bots, players=players, options=options, seed=seed, without_luck=luck)


@pytest.mark.parametrize(("id", "players"), [("ur", 2), ("nile", 2), ("nile", 4), ("egar", 3)])
def test_chance_brings_nothing_on_average_and_nothing_to_all_together(id: str, players: int) -> None:
    """At every throw, tile and answer of a random game, whatever anybody thinks of positions."""
    game = library.game(id)
    options = game.rules.seated(next(iter(game.rules.presets.values())), [True] * players)
    judge = LuckJudge(game, options, players)
    walk, moved = Walk(game.rules, game.rules.initial(options, players), Random(3)), 0
    while walk.turn != -2 and walk.ply < 120:
        outcomes = game.rules.chance(walk.state)
        if len(outcomes) > 1:
            gains = [[judge.gain(walk.state, action, [seat]) for seat in range(players)] for action, _ in outcomes]
            for seat in range(players):
                mean = sum(weight * gain[seat] for (_, weight), gain in zip(outcomes, gains, strict=True))
                assert mean == pytest.approx(0, abs=1e-9)
            for (action, _), gain in zip(outcomes, gains, strict=True):
                assert sum(gain) == pytest.approx(0, abs=1e-9)
                pair = judge.gain(walk.state, action, [0, 1])
                assert pair == pytest.approx(gain[0] + gain[1], abs=1e-9)
                moved += abs(gain[0]) > 0.01
        walk.step()
    assert moved > 10


def test_what_all_can_see_counts_once_and_what_one_sees_for_all() -> None:
    """Shares of three seats after two outcomes, which were 40, 30 and 30 % before."""
    game = library.game("nile")
    options = game.rules.seated(next(iter(game.rules.presets.values())), [True] * 3)
    judge = LuckJudge(game, options, 3)
    seen_by_all = np.array([[0.6, 0.2, 0.2], [0.2, 0.4, 0.4]])
    assert judge._worths(seen_by_all, [True, False, False]) == pytest.approx([0.6, 0.2])
    seen_by_one = np.array([[0.6, 0.3, 0.3], [0.2, 0.3, 0.3]])
    for seat, change in enumerate((0.4, -0.2, -0.2)):
        worths = judge._worths(seen_by_one, [one == seat for one in range(3)])
        assert worths[0] - worths[1] == pytest.approx(change)


@pytest.mark.parametrize("id", ["ur", "egar"])
def test_results_without_luck_scatter_far_less_and_the_games_are_the_same(id: str) -> None:
    player = RoundPlayer(job_of(id, "strong", "quick"))
    plain = RoundPlayer(job_of(id, "strong", "quick", luck=False))
    rounds = [player.round(number).round for number in range(15)]
    for number, round in enumerate(rounds[:3]):
        assert plain.round(number).round == replace(round, luck=())
    won = [share for round in rounds for share in round.shares]
    left = [score for round in rounds for score in round.without_luck]
    assert stdev(left) < 0.6 * stdev(won)
    assert abs(sum(left) - sum(won)) < 4 * stdev(won) * len(won) ** 0.5  # luck comes to nothing in the long run


def test_a_contest_says_what_is_left_without_luck(tmp_path: Path) -> None:
    """In a sentence and as JSON; alone against copies too. A file without luck is another contest's."""
    file = tmp_path / "contest.jsonl"
    words = ("arena", "egar", "--players", "3", "--bots", "quick,random", "--games", "60", "--out", str(file))
    told = json.loads(astragal(*words, "--without-luck", "--json").stdout)
    (duel,) = told["duels"]
    rounds = [json.loads(line) for line in file.read_text().splitlines()[1:]]
    each = [[share - luck for share, luck in zip(one["shares"], one["luck"], strict=True)] for one in rounds]
    wanted = stats.settled([sum(one) / 6 for one in each])
    assert wanted is not None
    assert duel["without_luck"]["value"] == pytest.approx(wanted.value)
    assert duel["without_luck"]["high"] == pytest.approx(wanted.high)
    alone = stats.settled([sum(one[:3]) / 3 for one in each])
    assert alone is not None
    assert duel["alone_without_luck"]["value"] == pytest.approx(alone.value)
    printed = " ".join(astragal(*words, "--without-luck").stdout.split())
    assert f"Without the luck of the dice, quick has {100 * wanted.value:.1f} % of the wins against random" in printed
    assert f"Alone and without the luck of the dice, quick has {100 * alone.value:.1f} %" in printed
    other = astragal(*words)
    assert other.returncode == 2
    assert "this is another contest, with different without_luck" in other.stderr


def test_a_file_from_before_goes_on_as_one_without_luck(tmp_path: Path) -> None:
    file, wanted = tmp_path / "old.jsonl", job_of("ur", "quick", "random", luck=False)
    with contest.arranged(wanted, 2, file=file) as held:
        held.first()
    assert b"luck" not in file.read_bytes()
    with contest.arranged(wanted, 2, file=file) as held:
        held.rest(lambda: None)
        assert report.report(held).duels[0].without_luck is None
    lucky: Any = job_of("ur", "quick", "random")
    with pytest.raises(BadFile, match="different without_luck"), contest.arranged(lucky, 2, file=file):
        pass


def test_a_game_that_cannot_be_compiled_says_why_luck_stays() -> None:
    slow = dataclasses.replace(toy.GAME, fast=None)
    options = next(iter(slow.rules.presets.values()))
    wanted = job.make_job(slow, ("greedy", "random"), players=2, options=options, seed="1", without_luck=True)
    with pytest.raises(job.BadContest, match="luck cannot be taken out: toy has no compiled rules"):
        RoundPlayer(wanted, slow)
