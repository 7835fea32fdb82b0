"""Games of a heuristic against itself or another one, compiled: what its weights are learned from.

A seat takes the action after which its features by its weights say most, or, with a temperature, one of those that say
nearly as much. That is what `greedy` does, except where something is hidden: here the features of the real position
are asked, which are those of the seat's own view.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from typing import Any, cast

import numpy as np

from astragal.core.compiled import kernel, specialise
from astragal.core.fast import Array, Kernels, draw, weighted
from astragal.core.types import CHANCE, OVER

# What a template calls; `specialise` puts a game's own kernels in the place of these names.
turn = legal = chance = step = returns = features = cast("Callable[..., Any]", None)


@kernel
def unit(rng: Array) -> float:
    """A random number from 0 up to, not including, 1."""
    return float(np.int64(draw(rng) >> np.uint64(11))) * 2.0**-53


def choose(
    state: Array, tables: Any, seat: int, count: int, numbers: Array, weights: Array, temperature: float,
    rng: Array, after: Array, seen: Array, worth: Array,
) -> int:  # fmt: skip
    """The action of a seat: the best by its weights, or one that is drawn by exp(worth / temperature)."""
    best = 0
    for index in range(count):
        after[:] = state
        step(after, tables, numbers[index])
        features(after, tables, seat, seen)
        worth[index] = 0.0
        for k in range(len(weights)):
            worth[index] += weights[k] * seen[k]
        if worth[index] > worth[best]:
            best = index
    if temperature <= 0.0:
        return int(numbers[best])
    top, total = worth[best], 0.0
    for index in range(count):
        worth[index] = np.exp((worth[index] - top) / temperature)
        total += worth[index]
    left = unit(rng) * total
    for index in range(count):
        left -= worth[index]
        if left < 0.0:
            return int(numbers[index])
    return int(numbers[best])


def games(
    packed: Array, tables: Any, seeds: Array, most: int, most_plies: int, weights: Array, temperature: float,
    often: float, shares: Array, plies: Array, rows: Array, owners: Array,
) -> int:  # fmt: skip
    """A game for each seed, seat k playing by row k of `weights`; how many rows of features were collected.

    About every 1/often-th position is collected as it looks to each seat: its features into `rows`, its game, seat and
    ply into `owners`, until those are full. A game that is broken off is shared, and has `most_plies` plies.
    """
    players, width = weights.shape
    state, after = np.empty_like(packed), np.empty_like(packed)
    rng = np.empty(1, dtype=np.uint64)
    numbers, odds = np.zeros(most, dtype=np.int64), np.zeros(most, dtype=np.int64)
    worth, seen = np.zeros(most), np.zeros(width)
    kept = 0
    for game in range(len(seeds)):
        state[:] = packed
        rng[0] = seeds[game]
        shares[game] = 1 / players
        plies[game] = most_plies
        for ply in range(most_plies):
            seat = turn(state, tables)
            if seat == OVER:
                returns(state, tables, shares[game])
                plies[game] = ply
                break
            if often > 0.0 and kept + players <= len(rows) and unit(rng) < often:
                for viewer in range(players):
                    features(state, tables, viewer, rows[kept])
                    owners[kept, 0], owners[kept, 1], owners[kept, 2] = game, viewer, ply
                    kept += 1
            if seat == CHANCE:
                count = chance(state, tables, numbers, odds)
                number = numbers[weighted(rng, odds, count)]
            else:
                count = legal(state, tables, numbers)
                number = numbers[0]
                if count > 1:
                    number = choose(
                        state, tables, seat, count, numbers, weights[seat], temperature, rng, after, seen, worth
                    )
            step(state, tables, number)
    return kept


@cache
def player(owner: str, kernels: Kernels) -> Callable[..., int]:
    """The kernel that plays `games` of this game."""
    parts: dict[str, Any] = {"step": kernels.step, "features": kernels.features}
    one = specialise(choose, owner, **parts)
    return specialise(
        games, owner, choose=one, turn=kernels.turn, legal=kernels.legal, chance=kernels.chance,
        returns=kernels.returns, **parts,
    )  # fmt: skip
