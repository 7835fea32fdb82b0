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
from astragal.arena.kernels_selfplay import player
from astragal.core.fast import Array, Fast
from astragal.core.rules import Game

FIXED = "result"  # a won game is won: its weight is not learned
MOST_PLIES = 3000
RIDGE = 1e-4  # of the number of positions: holds weights of features that say the same thing
EACH = 12  # positions collected from a game, on average


class Ground(NamedTuple):
    """A table to play at: options and seats, compiled, from the first position on."""

    fast: Fast[Any, Any]
    start: Array
    plies: float  # that a game takes, about

    @property
    def players(self) -> int:
        return self.fast.players


def grounds(game: Game) -> list[Ground]:
    """Every preset of the game at every size of its table."""
    assert game.fast is not None, f"{game.id} has no compiled rules to learn from"
    found = []
    for options in game.rules.presets.values():
        for players in game.rules.spec.players:
            chosen = game.rules.seated(options, [True] * players)
            fast = game.fast(chosen, players)
            start = fast.pack(game.rules.initial(chosen, players))
            weights = np.tile(vector(game), (players, 1))
            found.append(Ground(fast, start, _length(fast, start, weights)))
    return found


def vector(game: Game) -> Array:
    """The weights of a game's heuristic, in the order of its features."""
    return np.array([game.heuristic.weights[name] for name in game.heuristic.names], dtype=np.float64)


def with_weights(game: Game, weights: Mapping[str, float]) -> Game:
    """The same game with a heuristic that weighs its features so."""
    heuristic = copy.copy(game.heuristic)
    heuristic.weights = dict(weights)
    return replace(game, heuristic=heuristic)


def _length(fast: Fast[Any, Any], start: Array, weights: Array) -> float:
    _, rows, _ = _play(fast, start, weights, np.arange(32, dtype=np.uint64), 0.3, 1.0)
    return max(1.0, len(rows) / fast.players / 32)


def _play(
    fast: Fast[Any, Any], start: Array, weights: Array, seeds: Array, temperature: float, often: float
) -> tuple[Array, Array, Array]:
    """A game for each seed, on all cores: shares, collected features, and the game and seat of each."""
    play = player(fast.owner, fast.kernels)
    shares = np.zeros((len(seeds), fast.players))

    def part(index: Array) -> tuple[Array, Array]:
        room = int(len(index) * MOST_PLIES * fast.players * often * 1.2) + 64 if often else 0
        rows, owners = np.empty((room, weights.shape[1])), np.empty((room, 2), dtype=np.int64)
        mine = np.zeros((len(index), fast.players))
        kept = play(start, fast.tables, seeds[index], fast.most, MOST_PLIES, weights, temperature, often, mine, rows, owners)
        shares[index] = mine
        owners[:kept, 0] = index[owners[:kept, 0]]
        return rows[:kept].copy(), owners[:kept].copy()

    cores = os.cpu_count() or 1
    parts = [index for index in np.array_split(np.arange(len(seeds)), 4 * cores) if len(index)]
    with ThreadPoolExecutor(cores) as pool:
        found = list(pool.map(part, parts))
    return shares, np.concatenate([rows for rows, _ in found]), np.concatenate([owners for _, owners in found])


def collect(ground: Ground, weights: Array, games: int, seed: int, temperature: float) -> tuple[Array, Array, Array]:
    """Positions of games of these weights against themselves: features, shares, and what an even share would be."""
    seeds = _seeds(seed, games)
    table = np.tile(weights, (ground.players, 1))
    often = min(1.0, EACH / ground.plies)
    shares, rows, owners = _play(ground.fast, ground.start, table, seeds, temperature, often)
    even = np.full(len(rows), -np.log(ground.players - 1))  # log-odds of one seat among so many
    return rows, shares[owners[:, 0], owners[:, 1]], even


def fit(rows: Array, shares: Array, even: Array, before: Array, free: Array) -> Array:
    """The weights that foretell the shares best: log-odds = even + rows by weights (Newton's method).

    Only `free` weights are learned; those of features that were never seen stay as they were `before`.
    """
    scale = rows.std(axis=0)
    use = free & (scale > 1e-9)
    x = rows[:, use] / scale[use]
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
    found = before.copy()
    found[use] = w / scale[use]
    return found


def duel(ground: Ground, mine: Array, theirs: Array, games: int, seed: int) -> list[float]:
    """The scores of rounds between two sets of weights, each in every seating with the same seeds."""
    seeds = _seeds(seed, max(1, games // len(seatings(ground.players))))
    scores = np.zeros(len(seeds))
    for seating in seatings(ground.players):
        table = np.array([theirs if who else mine for who in seating])
        shares, _, _ = _play(ground.fast, ground.start, table, seeds, 0.0, 0.0)
        scores += shares[:, [seat for seat, who in enumerate(seating) if not who]].sum(axis=1)
    found: list[float] = (scores / len(seatings(ground.players))).tolist()
    return found


def _seeds(seed: int, count: int) -> Array:
    return np.random.default_rng(seed).integers(0, 1 << 63, count).astype(np.uint64)


class Found(NamedTuple):
    """One round of learning: the weights, and their share of the wins against the first ones at each table."""

    weights: Array
    shares: Sequence[stats.Estimate]

    @property
    def worst(self) -> float:
        """The share at the table that it likes least, so that no table pays for another."""
        return min(share.value for share in self.shares)

    @property
    def mean(self) -> float:
        return sum(share.value for share in self.shares) / len(self.shares)


def learn(
    game: Game, tables: Sequence[Ground], weights: Array, *, games: int, trial: int, temperature: float, seed: int
) -> Found:
    """One round of learning on games of these weights, at all tables."""
    seen = [
        collect(table, weights, max(1, games // len(tables)), seed + 17 * k, temperature)
        for k, table in enumerate(tables)
    ]
    free = np.array([name != FIXED for name in game.heuristic.names])
    found = fit(*(np.concatenate(parts) for parts in zip(*seen, strict=True)), weights, free)  # type: ignore[call-arg]
    first = vector(game)
    return Found(found, [stats.share(duel(table, found, first, trial, seed + 7)) for table in tables])
