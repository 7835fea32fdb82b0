"""Working out positions from those they lead to, as templates for one core, for many, and for a GPU.

Values are whole numbers of which ONE is a win for certain, so that every machine gets the same ones to the last bit.
"""

from __future__ import annotations

from typing import Any, NamedTuple

from astragal.core.compiled import Slot, kernel
from astragal.core.fast import Array


@kernel
def set_value(place: int, mine: int, theirs: int, index: Any, values: Array, value: int) -> None:  # noqa: ARG001
    """Writes the value of a position, where the index has no better way."""
    values[place] = value


visit, backup, store = Slot("visit"), Slot("backup"), Slot("store", set_value)

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
    halfway: int = 0  # 1: values go only half of the way from the anchor to what is worked out


@kernel
def position(code: int, k: int, sweep: Sweep) -> Any:
    """Rank and new value of the k-th position of a run."""
    place, mine, theirs = visit(code, k, sweep.arrays)
    summed = backup(code, mine, theirs, sweep.arrays, sweep.values, sweep.other, ONE, ONE, -1)
    value = (summed + sweep.round_up) // sweep.total
    return place, (value + int(sweep.anchor[place])) // 2 if sweep.halfway else value


@kernel
def wave(codes: Array, lengths: Array, first: int, last: int, sweep: Sweep, made: Array) -> Any:
    """Works out some runs without writing them into `values`: how far they lie above and below the anchor at most."""
    at = above = below = 0
    for run in range(first, last):
        for k in range(lengths[run]):
            place, value = position(codes[run], k, sweep)
            change = value - int(sweep.anchor[place])
            above, below = max(above, change), max(below, -change)
            made[at] = value
            at += 1
    return above, below


@kernel
def put_position(code: int, k: int, sweep: Sweep, value: int) -> None:
    """Writes what was worked out for the k-th position of a run."""
    place, mine, theirs = visit(code, k, sweep.arrays)
    store(place, mine, theirs, sweep.arrays, sweep.values, value)


@kernel
def write(codes: Array, lengths: Array, first: int, last: int, sweep: Sweep, made: Array) -> None:
    """Writes what a wave has worked out."""
    at = 0
    for run in range(first, last):
        for k in range(lengths[run]):
            put_position(codes[run], k, sweep, made[at])
            at += 1


@kernel
def small_block(codes: Array, lengths: Array, ends: Array, sweep: Sweep, made: Array) -> Any:
    """All waves of a small block, one after the other on one core."""
    above = below = first = 0
    for number in range(len(ends)):
        higher, lower = wave(codes, lengths, first, ends[number], sweep, made)
        above, below = max(above, higher), max(below, lower)
        write(codes, lengths, first, ends[number], sweep, made)
        first = ends[number]
    return above, below
