"""Expert iteration (`tools/selfplay_search.py`): networks that learn from searches, small."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import astragal
from tests.test_selfplay_learner import some_decisions
from tools import selfplay
from tools.selfplay import Games
from tools.selfplay_games import CAME, COUNT, EXPECTED, FIRST, LIKELY, OTHER, TAKEN
from tools.selfplay_learner import Learning
from tools.selfplay_search import Found, Searched, SearchLearner, all_found
from tools.selfplay_tables import inputs_of, tables_of

SMALL = Learning(rounds=2, lanes=6, steps=6, batch=32, rate=2e-3, simulations=40, held=2)


@pytest.mark.parametrize(("id", "players"), [("egar", (2, 3)), ("nile", (2,))])
def test_a_network_learns_from_searches(id: str, players: tuple[int, ...]) -> None:
    """The same seed gives the same network, on any number of cores, and from several tables at once."""
    game = astragal.game(id)
    tables = tables_of(game, players)
    made = [selfplay.learned(game, tables, ("board",), SMALL, sizes=(16, 8), seed=3, cores=cores) for cores in (1, 2)]
    part, layers = made[0]
    before = selfplay.as_heuristic(game, part.sizes, 3)
    for one, two, old in zip(layers, made[1][1], before, strict=True):
        assert (one.weights == two.weights).all()
        assert np.isfinite(one.weights).all()
        assert (one.weights != old.weights).any()
    assert f"{2 * 6 * 6 * len(tables)} decisions" in part.card["data"]
    assert part.card["settings"]["simulations"] == 40
    with pytest.raises(SystemExit, match="searches are made on cores"):
        selfplay.learned(game, tables, ("board",), SMALL, sizes=(16, 8), seed=3, device="cuda")


@pytest.mark.parametrize(("id", "players"), [("egar", 3), ("nile", 2)])
def test_what_searches_found_is_kept_with_each_action(id: str, players: int) -> None:
    game = astragal.game(id)
    (table,) = tables_of(game, (players,))
    layers = selfplay.as_heuristic(game, (inputs_of(game, table), 8, 4, 2), 2)
    learner = SearchLearner((len(layers[0].weights), 8, 4, 2), 1, np, 1)
    learner.begin_with(layers)
    games = Games(game, table, SMALL, 7, "cpu", 2)
    assert games.searches is not None
    batch = games.play(learner)
    found = games.searches.found
    assert len(batch.kept) == 36
    often = evenly = 0.0
    for numbers, told in zip(batch.kept, batch.told, strict=True):
        mine = slice(numbers[FIRST], numbers[FIRST] + numbers[COUNT])
        tried, worth = found.tried[mine], found.worth[mine]
        assert tried.sum() == pytest.approx(1, abs=1e-5)
        assert (worth >= 0).all()
        assert (worth <= 1).all()
        assert told[EXPECTED] == pytest.approx((tried * worth).sum(), abs=1e-5)
        likely = tried[numbers[TAKEN]] ** SMALL.power / (tried**SMALL.power).sum()
        assert told[LIKELY] == pytest.approx(np.log(likely), abs=1e-4)
        often, evenly = often + tried[numbers[TAKEN]], evenly + 1 / len(tried)
    assert often > 1.2 * evenly  # what was tried more is taken more


def test_what_was_found_at_several_tables_stays_with_its_rows() -> None:
    founds = [Found(np.arange(5.0) + 10 * table, np.arange(5.0) + 100 * table) for table in (0, 1)]
    tried, worth = all_found(founds, (3, 2))
    assert tried.tolist() == [0, 1, 2, 10, 11]
    assert worth.tolist() == [0, 1, 2, 100, 101]


def some_searched(inputs: int) -> Searched:
    """Three decisions, and searches of them."""
    tried = np.array([0.2, 0.8, 0, 0, 0.9, 0.1, 0, 0.25, 0.25, 0.5, 0, 0], dtype=np.float32)
    worth = np.random.default_rng(6).uniform(0.2, 0.8, len(tried)).astype(np.float32)
    return Searched(some_decisions(inputs), Found(tried, worth))


def loss(learner: SearchLearner, held: Searched, given: Learning, before: Any) -> float:
    """What a step makes smaller, written out plainly. `before` are the log-odds as they were: what is learned about
    choosing goes to what is liked alone.
    """
    batch, found = held
    odds, likes = (array.astype(float) for array in learner.outputs(batch.rows_at, batch.rows_of, batch.sure))
    total = 0.0
    for number, told in zip(batch.kept, batch.told.astype(float), strict=True):
        mine = range(number[FIRST], number[FIRST] + number[COUNT])
        said = 0.01 + 0.98 / (1 + np.exp(-before[list(mine)]))
        liked = 1 / (1 + (1 - said) / said * np.exp(-likes[list(mine)]))
        likely = np.exp((liked - liked.max()) / 0.02)
        likely /= likely.sum()
        total -= (found.tried[list(mine)] * np.log(likely)).sum()
        targets = [(row, found.worth[row], given.trust * found.tried[row]) for row in mine]
        targets.append((number[FIRST] + number[TAKEN], told[CAME], 1 - given.trust))
        if told[OTHER] >= 0:
            targets.append((number[FIRST] + number[COUNT], told[OTHER], 1))
        for row, target, weight in targets:
            total += given.worth * weight * (np.log1p(np.exp(odds[row])) - target * odds[row])
    return total / len(batch.kept)


def test_slopes_of_what_is_learned_from_searches_are_right() -> None:
    """Against differences: each weight a little up and down."""
    given = Learning(rate=0.0, simulations=1)
    learner = SearchLearner((5, 4, 3, 2), 2, np, 1)
    learner._all = np.random.default_rng(3).normal(0, 0.4, len(learner._all))
    learner._layers = learner._exact = learner._cut(learner._all)
    held = some_searched(5)
    batch = held.batch
    before = learner.outputs(batch.rows_at, batch.rows_of, batch.sure.astype(float))[0]
    learner._learn_from(held, np.arange(3), given, 1.0)
    slopes, small = learner._slopes.copy(), 1e-6
    held = held._replace(batch=batch._replace(sure=batch.sure.astype(float)))
    compared = 0
    for place in range(len(slopes)):
        kept, sides = learner._all[place], []
        for change in (small, -small):
            learner._all[place] = kept + change
            sides.append(loss(learner, held, given, before))
        learner._all[place] = kept
        if place != len(slopes) - 1:  # what is liked has no bias
            assert slopes[place] == pytest.approx((sides[0] - sides[1]) / (2 * small), rel=1e-3, abs=1e-3)
            compared += abs(slopes[place]) > 1e-2
    assert compared > 10


def test_what_searches_tried_becomes_liked_and_what_they_came_to_becomes_worth() -> None:
    given = Learning(rate=3e-3, batch=3, uses=600, simulations=1, trust=1.0)
    learner = SearchLearner((5, 24, 12, 2), 2, np, 1)
    held = some_searched(5)
    held.batch.sure[:] = np.nan
    for part in (1.0, 0.1, 0.01):
        learner.learn_searched(held, given, part, np.random.default_rng(1))
    odds, likes = learner.outputs(held.batch.rows_at, held.batch.rows_of, held.batch.sure)
    for number in held.batch.kept:
        mine = slice(number[FIRST], number[FIRST] + number[COUNT])
        tried, worth = held.found.tried[mine], held.found.worth[mine]
        said = 1 / (1 + np.exp(-odds[mine]))
        edged = 0.01 + 0.98 * said
        liked = 1 / (1 + (1 - edged) / edged * np.exp(-likes[mine]))
        likely = np.exp((liked - liked.max()) / 0.02)
        assert likely / likely.sum() == pytest.approx(tried, abs=0.06)
        assert np.abs(said - worth)[tried > 0].max() < 0.06
