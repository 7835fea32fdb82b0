"""Expectimax as a template: what a position is worth to one seat if it plays its best and the others do too.

Chance is weighed exactly. Positions met before are looked up: the same position searched equally deep has the same
value, however it came about. The table keeps only values of the present search, told apart by the
number of the search.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, cast

import numpy as np

from astragal.core.compiled import bare
from astragal.core.fast import Array, copy
from astragal.core.types import CHANCE, OVER

# What a template calls; `specialise` puts a game's own kernels in the place of these names.
turn = legal = chance = step = returns = features = judge = opened = cast("Callable[..., Any]", None)

USED, ALLOWED, SEARCH = 0, 1, 2  # in `counts`: nodes searched, how many may be, and which search this is
MOVER, DEPTH, COUNT, NEXT, TOTAL = range(5)  # columns of `frames`, a row for each position on the line looked at


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
    depth: int,
    seat: int,
    tables: Any,
    weights: Array,
    values: Array,
    frames: Array,
    worths: Array,
    slots: Array,
    numbers: Array,
    odds: Array,
    keys: Array,
    known: Array,
    counts: Array,
) -> Any:
    """The value of the position `stack[0]` to `seat`, with so many decisions to come; -1 if the nodes ran out.

    The line being looked at lies in arrays: Numba cannot keep a kernel that calls itself in its cache.
    """
    level = 0
    frames[0, DEPTH] = depth
    found = opened(stack, 0, seat, tables, weights, values, frames, worths, slots, numbers, odds, keys, known, counts)
    while True:
        if found >= 0:  # a value for the position at `level`: tell the one before it
            if level == 0:
                return found
            level -= 1
            mover = frames[level, MOVER]
            if mover == CHANCE:
                worths[level] += found * odds[level, frames[level, NEXT] - 1] / frames[level, TOTAL]
            elif mover == seat:
                worths[level] = max(worths[level], found)
            else:
                worths[level] = min(worths[level], found)
        if frames[level, NEXT] == frames[level, COUNT]:
            found = worths[level]
            known[slots[level]] = found
            keys[slots[level]] = fingerprint(stack[level], frames[level, DEPTH]) + np.uint64(counts[SEARCH])
            continue
        if counts[USED] >= counts[ALLOWED]:
            return -1.0
        counts[USED] += 1
        copy(stack[level], stack[level + 1])
        step(stack[level + 1], tables, numbers[level, frames[level, NEXT]])
        frames[level, NEXT] += 1
        frames[level + 1, DEPTH] = frames[level, DEPTH] - (frames[level, MOVER] != CHANCE)
        level += 1
        found = opened(
            stack, level, seat, tables, weights, values, frames, worths, slots, numbers, odds, keys, known, counts
        )


def opened_at(
    stack: Array,
    level: int,
    seat: int,
    tables: Any,
    weights: Array,
    values: Array,
    frames: Array,
    worths: Array,
    slots: Array,
    numbers: Array,
    odds: Array,
    keys: Array,
    known: Array,
    counts: Array,
) -> float:
    """The value of `stack[level]` if it can be told at once; else -1, and its frame is ready to be worked through."""
    state, frame = stack[level], frames[level]
    mover = turn(state, tables)
    if mover == OVER or frame[DEPTH] == 0 or level + 1 >= len(stack):
        return float(judge(state, tables, weights, seat, values))
    key = fingerprint(state, frame[DEPTH])
    slots[level] = np.int64(key & np.uint64(len(keys) - 1))
    if keys[slots[level]] == key + np.uint64(counts[SEARCH]):
        return float(known[slots[level]])
    frame[MOVER], frame[NEXT], frame[TOTAL] = mover, 0, 0
    if mover == CHANCE:
        frame[COUNT] = chance(state, tables, numbers[level], odds[level])
        for index in range(frame[COUNT]):
            frame[TOTAL] += odds[level, index]
        worths[level] = 0.0
    else:
        frame[COUNT] = legal(state, tables, numbers[level])
        worths[level] = -1.0 if mover == seat else 2.0
    return -1.0
