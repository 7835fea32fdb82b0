"""Searches that go by a table of exact values, or by a network that knows positions before a throw only, as it does."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from random import Random
from typing import Any

import numpy as np
import pytest

from astragal.bots import ismcts
from astragal.bots import kernels_ismcts as template
from astragal.bots.choice import Limit
from astragal.bots.evaluate import SOURCES, Source, evaluator
from astragal.bots.expectimax import ExpectimaxBot, ExpectimaxSettings
from astragal.bots.ismcts import IsmctsBot, IsmctsSettings
from astragal.core.compiled import cpu
from astragal.core.types import CHANCE, OVER
from astragal.core.walk import Walk
from astragal.solve import shelf
from astragal.solve.job import Job
from tests.bots.networks import TWO, UR
from tests.once import once

CLOSE = 1e-4  # how far a table with values of 16 bits, worked out to 1e-5, is from what it says some moves later


@pytest.fixture(scope="module")
def tables(tmp_path_factory: pytest.TempPathFactory) -> Path:
    def solve(folder: Path) -> None:
        Job(UR, TWO, folder, precision=1e-5).run()

    return once(tmp_path_factory, "ur-2", solve)


@pytest.fixture(autouse=True)
def on_shelf(tables: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(shelf, "folder", lambda: tables)


def choices(count: int, seed: int) -> Iterator[tuple[Any, dict[Any, float]]]:
    """Positions of random games with two pieces in which it matters what one does, and what each action is worth."""
    judge, rng = evaluator(UR, TWO, 2, ("table",)), Random(seed)
    walk = Walk(UR.rules, UR.rules.initial(TWO, 2), rng)
    while count:
        if walk.turn == OVER:
            walk = Walk(UR.rules, UR.rules.initial(TWO, 2), rng)
        if walk.turn != CHANCE:
            worth = judge.actions(judge.fast.pack(walk.state))
            if max(worth) - min(worth) > 0.02:
                yield walk.state, dict(zip(UR.rules.legal(walk.state), worth, strict=True))
                count -= 1
        walk.step()


@pytest.mark.parametrize("depth", [1, 2, 3])
def test_expectimax_finds_by_a_table_what_the_table_says(depth: int) -> None:
    """However deep it looks: values that are exact lead to the same values a move before."""
    bot = ExpectimaxBot(UR, Limit(depth=depth), ExpectimaxSettings(by="table"))
    for state, worth in choices(20, seed=depth):
        choice = bot.choose(UR.rules.observe(state, UR.rules.turn(state)), Random(0))
        assert worth[choice.action] > max(worth.values()) - CLOSE
        if choice.value != 1:  # a win ends the search
            assert choice.depth == depth
        assert dict(choice.alternatives) == pytest.approx(worth, abs=CLOSE)


@pytest.mark.parametrize("room", [ismcts.ROOM, 12])
@pytest.mark.parametrize("rollout", [0, 1, 2, 3])
@pytest.mark.parametrize("by", ["table", "network"])
def test_ismcts_chooses_as_well_as_the_table(
    by: Source, rollout: int, room: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Whether it stops before a throw or after it, also where its tree is full. The network is near the table here."""
    monkeypatch.setattr(ismcts, "ROOM", room)
    bot = IsmctsBot(UR, Limit(nodes=400), IsmctsSettings(by=by, rollout=rollout, rollout_greedy=1.0))
    for state, worth in choices(40, seed=3):
        choice = bot.choose(UR.rules.observe(state, UR.rules.turn(state)), Random(0))
        assert worth[choice.action] > max(worth.values()) - 0.01


@pytest.mark.parametrize("room", [1000, 12])
@pytest.mark.parametrize("rollout", [0, 1, 2, 3])
@pytest.mark.parametrize("by", SOURCES)
def test_who_knows_positions_before_throws_only_is_asked_about_no_other(by: Source, rollout: int, room: int) -> None:
    """The heuristic knows any position. There simulations stop where a throw lies if the rollout, or the tree, ends."""
    reached = ends_of_simulations(by, rollout, room)
    if by == "heuristic" and (rollout % 2 == 1 or room == 12):
        assert reached - {CHANCE, OVER}
    else:
        assert reached - {OVER} == {CHANCE}


def ends_of_simulations(by: Source, rollout: int, room: int) -> set[int]:
    """Whose turn it is in the positions that simulations from a few positions have evaluated."""
    judge = evaluator(UR, TWO, 2, (by,))
    fast, simulate = judge.fast, cpu(template.simulate, judge.kernels)
    settings = template.SearchSettings(0.25, 0.02, rollout, 0.5, judge.before_throws)
    reached = set()
    for state, _ in choices(5, seed=4):
        first = fast.pack(state)
        work = template.IsmctsWork(
            links=np.zeros((room, template.LINKS), dtype=np.int32),
            worths=np.zeros((room, template.WORTHS)),
            size=np.ones(1, dtype=np.int64),
            path=np.zeros(ismcts.DEEPEST, dtype=np.int64),
            state=np.empty_like(first),
            trial=np.empty_like(first),
            numbers=np.zeros(fast.room, dtype=np.int64),
            odds=np.zeros(fast.most, dtype=np.int64),
            rng=np.array([5], dtype=np.uint64),
            values=np.zeros(len(UR.heuristic.names)),
            shares=np.zeros(2),
        )
        work.links[0] = -1, -1, -1, -1, 0, 0
        for _ in range(100):
            simulate(work, first[np.newaxis], 1, fast.tables, judge.knowledge, settings)
            reached.add(fast.turn(work.state))
    return reached
