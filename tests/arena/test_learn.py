"""Weights learned from self-play: the regression against known truths, the compiled games against the greedy bot."""

from __future__ import annotations

from random import Random

import numpy as np
import pytest

import astragal
from astragal.arena import learn
from astragal.arena.kernels_selfplay import Collected, games, work_for
from astragal.bots.simple import GreedyBot
from astragal.core.compiled import cpu
from astragal.core.types import CHANCE, OVER
from tests.core import toy


def test_the_regression_finds_the_weights_that_made_the_shares() -> None:
    rng = np.random.default_rng(1)
    rows = rng.normal(size=(60_000, 3)) * [1.0, 10.0, 0.1]
    truth = np.array([0.8, -0.05, 3.0])
    even = np.full(len(rows), -np.log(2))  # one seat of three
    shares = (rng.random(len(rows)) < 1 / (1 + np.exp(-(even + rows @ truth)))).astype(float)
    assert learn.regress(rows, shares, even) == pytest.approx(truth, rel=0.05)


def test_a_fit_leaves_alone_what_is_fixed_or_was_never_seen() -> None:
    rng = np.random.default_rng(2)
    rows = rng.normal(size=(20_000, 4))
    rows[:, 2] = 0.0  # never seen
    shares = (rng.random(len(rows)) < 1 / (1 + np.exp(-rows[:, 1]))).astype(float)
    seen = learn.Seen(rows, shares, np.zeros(len(rows)), rng.random(len(rows)) < 0.5)
    fitted = learn.fit(seen, np.array([12.0, 0.0, 7.0, 0.5]), np.array([False, True, True, True]))
    assert fitted[0] == 12.0
    assert fitted[2] == 7.0
    assert fitted[1] == pytest.approx(1.0, abs=0.1)
    assert fitted[3] == pytest.approx(0.0, abs=0.1)


def test_learning_finds_out_that_a_high_card_is_good() -> None:
    tables = learn.grounds(toy.GAME)
    assert len(tables) == 2  # both presets
    start = np.array([0.0])
    learned, halfway = learn.learn(toy.GAME, tables, start, games=4000, trial=100, temperature=0.1, seed=1)
    assert learned.weights[0] > 0.05
    assert halfway.weights[0] == pytest.approx(learned.weights[0] / 2)
    assert learned.mean == pytest.approx(0.5)  # the card is the same whatever one says: no weight plays differently
    assert learn.climb(toy.GAME, tables, learned.weights, trial=100, seed=1) == pytest.approx(learned.weights)


def test_weights_play_even_against_themselves_and_beat_none_at_all() -> None:
    game = astragal.game("ur")
    table = learn.grounds(game)[0]
    mine = learn.vector(game)
    assert set(learn.duel(table, mine, mine, 200, 1)) == {0.5}
    assert np.mean(learn.duel(table, mine, -mine, 200, 1)) > 0.9


def test_steps_lead_uphill() -> None:
    """From weights that get the race wrong: steps towards what wins win."""
    game = astragal.game("ur")
    tables = learn.grounds(game)[:1]
    first = learn.vector(game) * np.random.default_rng(3).uniform(-0.5, 1.0, len(game.heuristic.names))
    first[0] = 12.0
    now = first
    for seed in range(20):
        now = learn.climb(game, tables, now, trial=400, seed=seed)
    assert now[0] == 12.0  # a win stays a win
    low, _ = learn.spread([learn.duel(tables[0], now, first, 2000, 99)])
    assert low > 0.5


def test_compiled_games_choose_as_the_greedy_bot_does() -> None:
    game = astragal.game("ur")
    rules, options = game.rules, next(iter(game.rules.presets.values()))
    assert game.fast is not None
    fast = game.fast(options, 2)
    play = cpu(games, fast.source)
    weights = np.tile(learn.vector(game), (2, 1))
    rng, bot, asked = Random(5), GreedyBot(game), 0
    state = rules.initial(options, 2)
    while asked < 30 and (turn := rules.turn(state)) != OVER:
        if turn == CHANCE:
            outcomes, odds = zip(*rules.chance(state), strict=True)
            state = rules.apply(state, rng.choices(outcomes, odds)[0])
            continue
        view = rules.observe(state, turn)
        if len(view.legal) > 1:
            asked += 1
            # One ply of a compiled game: what it leaves behind is collected as the next position.
            rows, owners = np.empty((4, weights.shape[1])), np.empty((4, 3), dtype=np.int64)
            collected = Collected(np.zeros((1, 2)), np.zeros(1, dtype=np.int64), rows, owners)
            packed, seeds = fast.pack(state), np.array([7], dtype=np.uint64)
            work = work_for(fast, packed, weights.shape[1])
            kept = play(packed, fast.tables, seeds, 2, weights, 0.0, 1.0, work, collected)
            best = bot.choose(view, rng)
            after = rules.observe(rules.apply(state, best.action), turn)
            if kept == 4:  # otherwise the game was over at once
                worth = float(weights[0] @ rows[2 + turn])
                assert worth == pytest.approx(sum(game.heuristic.terms(after, turn).values()), abs=1e-9)
        state = rules.apply(state, rng.choice(view.legal))
    assert asked == 30


def test_other_weights_leave_the_game_as_it_was() -> None:
    game = astragal.game("ur")
    before = dict(game.heuristic.weights)
    other = learn.with_weights(game, dict.fromkeys(before, 0.0))
    assert dict(other.heuristic.weights) == dict.fromkeys(before, 0.0)
    assert dict(game.heuristic.weights) == before
