"""What the heuristic of Ur looks at, over packed states; `heuristic` says what each feature means."""

from __future__ import annotations

from math import sqrt

from astragal.core.compiled import kernel, lowest_bit, popcount
from astragal.core.fast import Array
from astragal.games.ur import layout as at
from astragal.games.ur.heuristic import FEATURES
from astragal.games.ur.kernels import across, starts

# Places of the features
RESULT, HOME, PROGRESS, ENTERED, PAST, ROSETTE, LEAD, *_THROWS, TURN = range(len(FEATURES))
CAPTURE, CAPTURE_LATER, AGAIN, AGAIN_LATER, FREE, FREE_LATER = _THROWS
SOON = 0.3  # ways left to walk are never fewer than this, where the next throw is weighed


@kernel
def features(state: Array, tables: Array, seat: int, values: Array) -> None:
    """All features of a seat."""
    for place in range(len(values)):
        values[place] = 0.0
    if state[at.WINNER] >= 0:
        values[RESULT] = 1.0 if state[at.WINNER] == seat else -1.0
        return
    other, home = 1 - seat, tables[at.HOME]
    mine, theirs = state[at.ON + seat], state[at.ON + other]
    waiting, their_waiting = state[at.POOL + seat], state[at.POOL + other]
    walked, their_walked = total(mine), total(theirs)
    needed = home * (popcount(mine) + waiting) - walked
    their_needed = home * (popcount(theirs) + their_waiting) - their_walked
    left = needed + their_needed
    values[HOME] = popcount(theirs) + their_waiting - popcount(mine) - waiting
    values[PROGRESS] = (walked - their_walked) / home
    values[ENTERED] = their_waiting - waiting
    values[PAST] = popcount(mine & tables[at.PAST]) - popcount(theirs & tables[at.PAST])
    values[ROSETTE] = popcount(mine & tables[at.SAFE]) - popcount(theirs & tables[at.SAFE])
    values[LEAD] = (their_needed - needed) / left
    if state[at.OPENING]:  # nobody has the next throw yet
        return
    mover = state[at.SEAT]
    sign = 1 if mover == seat else -1
    taken, again, free = prospects(state, tables, mover)
    values[CAPTURE], values[AGAIN], values[FREE] = sign * taken, sign * again, sign * free
    taken, again, free = prospects(state, tables, 1 - mover)
    values[CAPTURE_LATER], values[AGAIN_LATER], values[FREE_LATER] = -sign * taken, -sign * again, -sign * free
    values[TURN] = sign / sqrt(left / home + SOON)


@kernel
def total(mask: int) -> int:
    """How many steps these pieces have walked together."""
    steps = 0
    while mask:
        steps += lowest_bit(mask)
        mask &= mask - 1
    return steps


@kernel
def prospects(state: Array, tables: Array, seat: int) -> tuple[float, float, float]:
    """What a side's next throw may do, or the one it has: way taken from the enemy, another throw, any move."""
    prey = across(state[at.ON + 1 - seat], tables)
    thrown = state[at.THROWN] if state[at.SEAT] == seat else -1
    falls = taken = again = free = 0
    for pips in range(at.PIPS):
        weight = tables[at.DICE + pips] if thrown < 0 else int(pips == thrown)
        falls += weight
        ends = starts(state, tables, seat, pips) << pips if weight else 0
        if ends == 0:
            continue
        hits = ends & prey
        free += weight
        if ends & tables[at.AGAIN] or hits & tables[at.TAKING]:
            again += weight
        furthest = 0
        while hits:
            furthest = max(furthest, lowest_bit(tables[at.MET + lowest_bit(hits)]))
            hits &= hits - 1
        taken += weight * furthest
    return taken / (falls * tables[at.HOME]), again / falls, free / falls
