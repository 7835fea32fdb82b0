"""Expectimax as a template: what a position is worth to one seat if it plays its best and the others do too.

Chance is weighed exactly. Positions met before are looked up: the same position searched equally deep has the same
value, however it came about. The table keeps only values of the present search, told apart by `search`.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, cast

import numpy as np

from astragal.core.compiled import bare
from astragal.core.fast import Array, copy
from astragal.core.types import CHANCE, OVER

# What a template calls; `specialise` puts a game's own kernels in the place of these names.
turn = legal = chance = step = returns = features = judge = cast("Callable[..., Any]", None)

USED, ALLOWED = 0, 1  # in `counts`: nodes searched, and how many may be


@bare
def chances(log_odds: float) -> Any:
    """The chance of winning that log-odds stand for."""
    return 1 / (1 + np.exp(-log_odds))


@bare
def fingerprint(state: Array, depth: int) -> Any:
    """64 bits that tell positions and depths apart."""
    bits = np.uint64(depth + 1)
    for index in range(len(state)):
        bits = (bits ^ np.uint64(state[index])) * np.uint64(0x9E3779B97F4A7C15)
        bits ^= bits >> np.uint64(29)
    bits *= np.uint64(0xBF58476D1CE4E5B9)
    return bits ^ (bits >> np.uint64(32))


def judged(state: Array, tables: Any, weights: Array, seat: int, values: Array) -> Any:
    """This seat's share of the win: exact once the game is over, before that the heuristic's guess."""
    if turn(state, tables) == OVER:
        returns(state, tables, values)
        return values[seat]
    features(state, tables, seat, values)
    total = 0.0
    for index in range(len(weights)):
        total += weights[index] * values[index]
    return chances(total)


def search(
    stack: Array,
    level: int,
    depth: int,
    seat: int,
    tables: Any,
    weights: Array,
    values: Array,
    numbers: Array,
    odds: Array,
    keys: Array,
    known: Array,
    counts: Array,
) -> float:
    """The value of the position `stack[level]` to `seat`, with so many decisions to come; -1 if the nodes ran out."""
    state = stack[level]
    mover = turn(state, tables)
    if mover == OVER or depth == 0 or level + 1 >= len(stack):
        return float(judge(state, tables, weights, seat, values))
    key = fingerprint(state, depth)
    slot = key & np.uint64(len(keys) - 1)
    if keys[slot] == key:
        return float(known[slot])
    worth = 0.0
    if mover == CHANCE:
        count = chance(state, tables, numbers[level], odds[level])
        total = 0
        for index in range(count):
            total += odds[level, index]
    else:
        count = legal(state, tables, numbers[level])
        worth = -1.0 if mover == seat else 2.0
    for index in range(count):
        if counts[USED] >= counts[ALLOWED]:
            return -1.0
        counts[USED] += 1
        copy(state, stack[level + 1])
        step(stack[level + 1], tables, numbers[level, index])
        onward = depth if mover == CHANCE else depth - 1
        found = search(stack, level + 1, onward, seat, tables, weights, values, numbers, odds, keys, known, counts)
        if found < 0:
            return -1.0
        if mover == CHANCE:
            worth += found * odds[level, index] / total
        elif mover == seat:
            worth = max(worth, found)
        else:
            worth = min(worth, found)
    keys[slot] = key
    known[slot] = worth
    return worth
