"""Working out positions from those they lead to, as templates for one core, for many, and for a GPU.

Values are whole numbers of which ONE is a win for certain, so that every machine gets the same ones to the last bit.
"""

from __future__ import annotations

from typing import Any, NamedTuple

from astragal.core.compiled import Slot, kernel
from astragal.core.fast import Array

visit, backup = Slot("visit"), Slot("backup")

ONE = 1 << 31
HALF = ONE // 2


class Sweep(NamedTuple):
    """What one go through the positions of a block reads. What it works out goes into `values`, wave by wave."""

    arrays: Any  # of the index
    values: Array  # of positions in which the same side throws again
    other: Array  # of positions in which the other side throws; theirs counts as ONE less it
    anchor: Array  # what new values are compared with
    total: int  # of the weights of a throw
    round_up: int  # added before dividing by it: 0 rounds down, total // 2 to the nearest, total - 1 up


@kernel
def position(code: int, k: int, sweep: Sweep) -> Any:
    """Rank and new value of the k-th position of a run."""
    place, mine, theirs = visit(code, k, sweep.arrays)
    summed = backup(code, mine, theirs, sweep.arrays, sweep.values, sweep.other, ONE, ONE, -1)
    return place, (summed + sweep.round_up) // sweep.total


@kernel
def wave(codes: Array, lengths: Array, first: int, last: int, sweep: Sweep, places: Array, made: Array) -> Any:
    """Works out some runs without writing them into `values`: how far they lie above and below the anchor at most."""
    at = above = below = 0
    for run in range(first, last):
        for k in range(lengths[run]):
            place, value = position(codes[run], k, sweep)
            change = value - int(sweep.anchor[place])
            above, below = max(above, change), max(below, -change)
            places[at], made[at] = place, value
            at += 1
    return above, below


@kernel
def write(places: Array, made: Array, count: int, values: Array) -> None:
    """Writes what a wave has worked out."""
    for at in range(count):
        values[places[at]] = made[at]


@kernel
def small_block(
    codes: Array, lengths: Array, ends: Array, counts: Array, sweep: Sweep, places: Array, made: Array
) -> Any:
    """All waves of a small block, one after the other on one core."""
    above = below = first = 0
    for number in range(len(ends)):
        higher, lower = wave(codes, lengths, first, ends[number], sweep, places, made)
        above, below = max(above, higher), max(below, lower)
        write(places, made, counts[number], sweep.values)
        first = ends[number]
    return above, below
