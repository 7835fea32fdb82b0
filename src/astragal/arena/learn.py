"""Weights for a heuristic, learned from games that it plays against itself.

Positions of such games are collected with the share of the win that each seat had in the end, and a logistic
regression finds the weights whose sum foretells it best. Better weights play better games, so that this is done several
times. What counts is not how well the weights foretell but how well they play: of all that were found, those are kept
that win most against the ones there were.
"""

from __future__ import annotations

import copy
import os
from collections.abc import Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from typing import Any, NamedTuple

import numpy as np

from astragal.arena import stats
from astragal.arena.job import seatings
from astragal.arena.kernels_selfplay import Collected, games, work_for
from astragal.core.compiled import cpu
from astragal.core.fast import Array, Fast
from astragal.core.rules import Game

FIXED = "result"  # the weight of a finished game's result is not learned
MOST_PLIES = 3000
NEAR = 120  # plies before the end within which a position says most about who won
RIDGE = 1e-4  # of the number of positions: holds weights of features that say the same thing
STRIDE = 0.2  # of a weight: how far a step looks to both sides
GAIN = 8.0  # a step goes this many times the lead over an even score
EACH = 12  # positions collected from a game, on average


class Seen(NamedTuple):
    """Positions as seats saw them."""

    rows: Array  # features
    shares: Array  # of the win in the end
    even: Array  # log-odds of any one seat at its table
    near: Array  # whether the end was near


class Ground(NamedTuple):
    """A table to play at: options and seats, compiled, from the first position on."""

    name: str
    fast: Fast[Any, Any]
    start: Array
    plies: float  # that a game takes, about

    @property
    def players(self) -> int:
        return self.fast.players


def grounds(game: Game) -> list[Ground]:
    """Every preset of the game at every size of its table."""
    assert game.fast is not None, f"{game.id} has no compiled rules to learn from"
    tables = []
    for name, options in game.rules.presets.items():
        for players in game.rules.spec.players:
            chosen = game.rules.seated(options, [True] * players)
            fast = game.fast(chosen, players)
            start = fast.pack(game.rules.initial(chosen, players))
            weights = np.tile(vector(game), (players, 1))
            tables.append(Ground(f"{name}, {players} players", fast, start, _length(fast, start, weights)))
    return tables


def vector(game: Game) -> Array:
    """The weights of a game's heuristic, in the order of its features."""
    return np.array([game.heuristic.weights[name] for name in game.heuristic.names], dtype=np.float64)


def with_weights(game: Game, weights: Mapping[str, float]) -> Game:
    """The same game with a heuristic that weighs its features so."""
    heuristic = copy.copy(game.heuristic)
    heuristic.weights = dict(weights)
    return replace(game, heuristic=heuristic)


def _length(fast: Fast[Any, Any], start: Array, weights: Array) -> float:
    return float(_play(fast, start, weights, _seeds(0, 32), 0.1, 0.0).plies.mean())


def _play(
    fast: Fast[Any, Any], start: Array, weights: Array, seeds: Array, temperature: float, often: float
) -> Collected:
    """A game for each seed, on all cores."""
    play = cpu(games, fast.source)
    width = weights.shape[1]

    def part(index: Array) -> Collected:
        room = int(len(index) * 8 * EACH) * fast.players if often else 0
        collected = Collected(
            np.zeros((len(index), fast.players)),
            np.zeros(len(index), dtype=np.int64),
            np.empty((room, width)),
            np.empty((room, 3), dtype=np.int64),
        )
        work = work_for(fast, start, width)
        kept = play(start, fast.tables, seeds[index], MOST_PLIES, weights, temperature, often, work, collected)
        collected.owners[:kept, 0] += index[0]
        return collected._replace(rows=collected.rows[:kept], owners=collected.owners[:kept])

    cores = os.cpu_count() or 1
    parts = [index for index in np.array_split(np.arange(len(seeds)), 4 * cores) if len(index)]
    with ThreadPoolExecutor(cores) as pool:
        return Collected(*map(np.concatenate, zip(*pool.map(part, parts), strict=True)))


def collect(ground: Ground, weights: Array, games: int, seed: int, temperature: float) -> Seen:
    """Positions of games of these weights against themselves, as each seat saw them."""
    table = np.tile(weights, (ground.players, 1))
    often = min(1.0, EACH / min(ground.plies, 2 * NEAR))
    played = _play(ground.fast, ground.start, table, _seeds(seed, games), temperature, often)
    game, seat, ply = played.owners.T
    ended = played.plies[game] < MOST_PLIES
    return Seen(
        played.rows[ended],
        played.shares[game, seat][ended],
        np.full(int(ended.sum()), -np.log(ground.players - 1)),
        (played.plies[game] - ply <= NEAR)[ended],
    )


def fit(seen: Seen, before: Array, free: Array) -> Array:
    """The weights that foretell best who wins.

    Their proportions come from positions near the end, where luck has not yet covered what they say, their size from
    all. Only `free` weights are learned; those of features that were never seen stay as they were `before`.
    """
    use = free & (seen.rows[seen.near].std(axis=0) > 1e-9)
    fitted = before.copy()
    fitted[use] = regress(seen.rows[seen.near][:, use], seen.shares[seen.near], seen.even[seen.near])
    worth = seen.rows[:, use] @ fitted[use]
    fitted[use] *= regress(worth[:, None], seen.shares, seen.even)[0]
    return fitted


def regress(rows: Array, shares: Array, even: Array) -> Array:
    """Logistic regression by Newton's method: the weights w for which the log-odds of `shares` are even + rows @ w."""
    scale = rows.std(axis=0)
    x = rows / scale
    ridge = RIDGE * len(rows)
    w = np.zeros(x.shape[1])
    for _ in range(50):
        chance = 1 / (1 + np.exp(-(even + x @ w)))
        slope = x.T @ (shares - chance) - ridge * w
        curve = (x * (chance * (1 - chance))[:, None]).T @ x + ridge * np.eye(len(w))
        step = np.linalg.solve(curve, slope)
        w += step
        if np.abs(step).max() < 1e-8:
            break
    weights: Array = w / scale
    return weights


def duel(ground: Ground, mine: Array, theirs: Array, games: int, seed: int) -> list[float]:
    """The scores of rounds between two sets of weights, each in every seating with the same seeds."""
    seeds = _seeds(seed, max(1, games // len(seatings(ground.players))))
    scores = np.zeros(len(seeds))
    for seating in seatings(ground.players):
        table = np.array([theirs if who else mine for who in seating])
        shares = _play(ground.fast, ground.start, table, seeds, 0.0, 0.0).shares
        scores += shares[:, [seat for seat, who in enumerate(seating) if not who]].sum(axis=1)
    means: list[float] = (scores / len(seatings(ground.players))).tolist()
    return means


def _seeds(seed: int, count: int) -> Array:
    return np.random.default_rng(seed).integers(0, 1 << 63, count).astype(np.uint64)


class Candidate(NamedTuple):
    """Some weights, and their share of the wins against the first ones at each table."""

    weights: Array
    shares: Sequence[stats.Estimate]

    @property
    def mean(self) -> float:
        return sum(share.value for share in self.shares) / len(self.shares)


def learn(
    game: Game, tables: Sequence[Ground], weights: Array, *, games: int, trial: int, temperature: float, seed: int
) -> list[Candidate]:
    """One round of learning from games of these weights, at all tables: what it found, and the way halfway there."""
    parts = [
        collect(table, weights, max(1, games // len(tables)), seed + k, temperature) for k, table in enumerate(tables)
    ]
    seen = Seen(*map(np.concatenate, zip(*parts, strict=True)))
    free = np.array([name != FIXED for name in game.heuristic.names])
    fitted = fit(seen, weights, free)
    first = vector(game)
    return [
        Candidate(tried, [stats.share(duel(table, tried, first, trial, seed + 50)) for table in tables])
        for tried in (fitted, (fitted + weights) / 2)
    ]


def climb(game: Game, tables: Sequence[Ground], weights: Array, *, trial: int, seed: int) -> Array:
    """One step uphill (Spall's simultaneous perturbation): all weights a little up or down at random, a match between
    that and its opposite, and a step towards the winner, as long as it won clearly.
    """
    free = np.array([name != FIXED for name in game.heuristic.names])
    size = np.maximum(np.abs(weights), np.median(np.abs(weights[free])) / 4)  # a weight of 0 can move too
    shift = np.where(free, STRIDE * size * np.random.default_rng(seed).choice([-1.0, 1.0], len(weights)), 0.0)
    scores = [np.mean(duel(table, weights + shift, weights - shift, trial, seed + 1)) for table in tables]
    moved: Array = weights + GAIN * (np.mean(scores) - 0.5) * shift
    return moved


def spread(scores: Sequence[Sequence[float]]) -> tuple[float, float]:
    """Between what lies the mean share over several tables, each counting alike."""
    mean = sum(map(np.mean, scores)) / len(scores)
    error = np.sqrt(sum(np.var(sample) / len(sample) for sample in scores)) / len(scores)
    return float(mean - stats.Z * error), float(mean + stats.Z * error)
