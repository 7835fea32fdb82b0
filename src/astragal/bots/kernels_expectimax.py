"""Expectimax as a template: what a position is worth to one seat if it plays its best and the others do too.

Chance is weighed exactly. Positions met before are looked up in a transposition table: the same position searched
equally deep has the same value, however it came about. The table keeps only values of the present search, told apart by
the number of the search.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from astragal.bots.kernels_evaluate import evaluate
from astragal.core.compiled import kernel
from astragal.core.fast import Array, chance, copy, legal, step, turn
from astragal.core.types import CHANCE, OVER


class ExpectimaxWork(NamedTuple):
    """The arrays of a search. Those with a row for each position on the line that is looked at come first."""

    stack: Array  # the positions themselves
    frames: Array  # see the columns below
    best: Array  # what each is worth so far
    slots: Array  # its slot in the transposition table
    numbers: Array  # what can be done there
    odds: Array  # and how likely, where chance decides
    keys: Array  # the transposition table: hashes of positions
    known: Array  # and their values
    counts: Array  # see the places below
    values: Array  # room for features and shares


MOVER, DEPTH, COUNT, NEXT, TOTAL, COLUMNS = range(6)  # columns of `frames`
USED, ALLOWED, SEARCH, COUNTERS = range(4)  # in `counts`: nodes searched, how many may be, and which search this is


@kernel
def position_hash(state: Array, depth: int) -> Any:
    """64 bits that tell positions and depths apart.

    The depth is spread over all bits first: a small number would be undone by the first word of another position.
    """
    bits = np.uint64(depth + 1) * np.uint64(0xD1342543DE82EF95)
    for index in range(len(state)):
        bits = (bits ^ np.uint64(state[index])) * np.uint64(0x9E3779B97F4A7C15)
        bits ^= bits >> np.uint64(29)
    bits *= np.uint64(0xBF58476D1CE4E5B9)
    return bits ^ (bits >> np.uint64(32))


@kernel
def search(work: ExpectimaxWork, depth: int, seat: int, tables: Array, weights: Array) -> Any:
    """The value of the position `stack[0]` to `seat`, with so many decisions to come; -1 if the nodes ran out."""
    frames, best, counts = work.frames, work.best, work.counts
    level = 0
    frames[0, DEPTH] = depth
    value = entered(work, 0, seat, tables, weights)
    while True:
        if value >= 0:  # a value for the position at `level`: tell the one before it
            if level == 0:
                return value
            level -= 1
            mover = frames[level, MOVER]
            if mover == CHANCE:
                best[level] += value * work.odds[level, frames[level, NEXT] - 1] / frames[level, TOTAL]
            elif mover == seat:
                best[level] = max(best[level], value)
            else:
                best[level] = min(best[level], value)
        if frames[level, NEXT] == frames[level, COUNT]:
            value = best[level]
            slot = work.slots[level]
            work.known[slot] = value
            work.keys[slot] = position_hash(work.stack[level], frames[level, DEPTH]) + np.uint64(counts[SEARCH])
            continue
        if counts[USED] >= counts[ALLOWED]:
            return -1.0
        counts[USED] += 1
        copy(work.stack[level], work.stack[level + 1])
        step(work.stack[level + 1], tables, work.numbers[level, frames[level, NEXT]])
        frames[level, NEXT] += 1
        frames[level + 1, DEPTH] = frames[level, DEPTH] - (frames[level, MOVER] != CHANCE)
        level += 1
        value = entered(work, level, seat, tables, weights)


@kernel
def entered(work: ExpectimaxWork, level: int, seat: int, tables: Array, weights: Array) -> float:
    """The value of `stack[level]` if it can be told at once; else -1, and its frame is ready to be worked through."""
    state, frame = work.stack[level], work.frames[level]
    mover = turn(state, tables)
    if mover == OVER or frame[DEPTH] == 0 or level + 1 >= len(work.stack):
        return float(evaluate(state, tables, weights, seat, work.values))
    key = position_hash(state, frame[DEPTH])
    slot = np.int64(key & np.uint64(len(work.keys) - 1))
    work.slots[level] = slot
    if work.keys[slot] == key + np.uint64(work.counts[SEARCH]):
        return float(work.known[slot])
    frame[MOVER], frame[NEXT], frame[TOTAL] = mover, 0, 0
    if mover == CHANCE:
        frame[COUNT] = chance(state, tables, work.numbers[level], work.odds[level])
        for index in range(frame[COUNT]):
            frame[TOTAL] += work.odds[level, index]
        work.best[level] = 0.0
    else:
        frame[COUNT] = legal(state, tables, work.numbers[level])
        work.best[level] = -1.0 if mover == seat else 2.0
    return -1.0
