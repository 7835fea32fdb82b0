"""What the heuristic of Ur looks at, over the packed states of `kernels`; `heuristic` says the same of views."""

from __future__ import annotations

from math import sqrt

from astragal.core.compiled import bare
from astragal.core.fast import Array
from astragal.games.ur.kernels import (
    AGAIN,
    DICE,
    HOME,
    MET,
    ON,
    OPENING,
    PAST,
    POOL,
    SAFE,
    SEAT,
    TAKING,
    THROWN,
    WINNER,
    across,
    count,
    lowest,
    starts,
)

SOON = 0.3  # as in `heuristic`


@bare
def features(state: Array, tables: Array, seat: int, values: Array) -> None:
    """The features of `heuristic.UrHeuristic`, in its order."""
    values[:] = 0
    if state[WINNER] >= 0:
        values[0] = 1 if state[WINNER] == seat else -1
        return
    other, home = 1 - seat, tables[HOME]
    mine, theirs = state[ON + seat], state[ON + other]
    waiting, their_waiting = state[POOL + seat], state[POOL + other]
    walked, their_walked = total(mine), total(theirs)
    needed = home * (count(mine) + waiting) - walked
    their_needed = home * (count(theirs) + their_waiting) - their_walked
    left = needed + their_needed
    values[1] = count(theirs) + their_waiting - count(mine) - waiting
    values[2] = (walked - their_walked) / home
    values[3] = their_waiting - waiting
    values[4] = count(mine & tables[PAST]) - count(theirs & tables[PAST])
    values[5] = count(mine & tables[SAFE]) - count(theirs & tables[SAFE])
    values[6] = (their_needed - needed) / left
    if 1 <= state[OPENING] < 7:  # nobody has the next throw yet
        return
    mover = state[SEAT]
    sign = 1 if mover == seat else -1
    values[7], values[9], values[11] = prospects(state, tables, mover)
    values[8], values[10], values[12] = prospects(state, tables, 1 - mover)
    for place in range(7, 13):
        values[place] *= sign if place & 1 else -sign
    values[13] = sign / sqrt(left / home + SOON)


@bare
def total(mask: int) -> int:
    """How many steps these pieces have walked together."""
    steps = 0
    while mask:
        steps += lowest(mask)
        mask &= mask - 1
    return steps


@bare
def prospects(state: Array, tables: Array, seat: int) -> tuple[float, float, float]:
    """What a side's next throw may do, or the one it has: steps taken from the enemy, another throw, any move."""
    prey = across(state[ON + 1 - seat], tables)
    thrown = state[THROWN] if state[SEAT] == seat else -1
    falls = taken = again = free = 0
    for pips in range(5):
        weight = tables[DICE + pips] if thrown < 0 else int(pips == thrown)
        falls += weight
        ends = starts(state, tables, seat, pips) << pips if weight else 0
        if ends == 0:
            continue
        hits = ends & prey
        free += weight
        if ends & tables[AGAIN] or hits & tables[TAKING]:
            again += weight
        furthest = 0
        while hits:
            furthest = max(furthest, lowest(tables[MET + lowest(hits)]))
            hits &= hits - 1
        taken += weight * furthest
    return taken / (falls * tables[HOME]), again / falls, free / falls
