"""Ur over integers. Steps are bits: bit s of a side's mask is a piece on step s of that side's own way.

A packed state is eight int64: light's mask, dark's mask, light's pool, dark's pool, whose throw or move it is, the
throw (-1 before it), the opening (0 none, 1 nobody has thrown, 2 + a after light's throw, 7 + 5a + b after both) and
the winner (-1 before the end). What is on no mask and in no pool is home.

Actions are numbered: 0 to 40 move the piece on that step (0 brings one in; the throw says where to), 41 passes, 42 to
46 throw 0 to 4. What the options say is one array (see `fast.tables`), the same for both sides, since boards are their
own mirror image.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from astragal.core.compiled import bare, kernel
from astragal.core.fast import Array, draw
from astragal.core.types import CHANCE, OVER

# Places in a packed state; masks and pools are followed by those of dark.
ON, POOL, SEAT, THROWN, OPENING, WINNER, SIZE = 0, 2, 4, 5, 6, 7, 8
PASS, THROW = 41, 42

# Places in the tables; the last three begin lists.
HOME, BOARD, SHUT, AGAIN, SAFE, TAKING, PAST, FACES, DICE, MET = 0, 1, 2, 3, 4, 5, 6, 7, 23, 28


@bare
def count(mask: int) -> int:
    """How many bits are set. (LLVM knows this loop and makes one instruction of it.)"""
    found = 0
    while mask:
        mask &= mask - 1
        found += 1
    return found


@bare
def lowest(mask: int) -> int:
    """The step of the lowest bit."""
    return count((mask & -mask) - 1)


@bare
def across(mask: int, tables: Array) -> int:
    """The same pieces on the steps of the other side, as far as it walks there too."""
    seen = 0
    while mask:
        seen |= tables[MET + lowest(mask)]
        mask &= mask - 1
    return seen


@bare
def starts(state: Array, tables: Array, seat: int, throw: int) -> Any:
    """The steps from which a side could move by this throw; bit 0 is the pool."""
    safe = across(state[ON + 1 - seat] & tables[SAFE], tables)
    closed = state[ON + seat] | safe | tables[SHUT]  # UC-6, UC-10, UC-11
    return (state[ON + seat] | (state[POOL + seat] > 0)) & ~(closed >> throw)


@bare
def turn(state: Array, tables: Array) -> Any:  # noqa: ARG001
    """Whose turn it is."""
    if state[THROWN] >= 0:
        return state[SEAT]
    return CHANCE if state[WINNER] < 0 else OVER


@bare
def legal(state: Array, tables: Array, numbers: Array) -> int:
    """Moves from the pool on to the front, or passing (UC-7)."""
    if state[THROWN] < 0:
        return 0
    found = starts(state, tables, state[SEAT], state[THROWN])
    if found == 0:
        numbers[0] = PASS
        return 1
    moves = 0
    while found:
        numbers[moves] = lowest(found)
        moves += 1
        found &= found - 1
    return moves


@bare
def chance(state: Array, tables: Array, numbers: Array, weights: Array) -> int:
    """The throws (UC-2)."""
    if state[THROWN] >= 0 or state[WINNER] >= 0:
        return 0
    found = 0
    for pips in range(5):
        if tables[DICE + pips]:
            numbers[found] = THROW + pips
            weights[found] = tables[DICE + pips]
            found += 1
    return found


@bare
def step(state: Array, tables: Array, number: int) -> None:
    """A throw, a move or a pass."""
    if number >= THROW:
        _throw(state, number - THROW)
    elif number == PASS:
        state[SEAT], state[THROWN] = 1 - state[SEAT], -1
    else:
        _move(state, tables, number)


@bare
def _throw(state: Array, pips: int) -> None:
    opening = state[OPENING]
    if opening == 0 or opening >= 7:
        state[THROWN], state[OPENING] = pips, 0
    elif opening == 1:  # UC-3
        state[SEAT], state[OPENING] = 1, 2 + pips
    elif opening == 2 + pips:
        state[SEAT], state[OPENING] = 0, 1
    else:
        state[SEAT], state[OPENING] = int(pips > opening - 2), 7 + 5 * (opening - 2) + pips


@bare
def _move(state: Array, tables: Array, start: int) -> None:
    seat = state[SEAT]
    end = start + state[THROWN]
    target = 1 << end
    if start:
        state[ON + seat] ^= 1 << start
    else:
        state[POOL + seat] -= 1
    state[ON + seat] |= target & tables[BOARD]
    taken = state[ON + 1 - seat] & tables[MET + end]  # UC-8
    if taken:
        state[ON + 1 - seat] ^= taken
        state[POOL + 1 - seat] += 1
    if state[ON + seat] == 0 and state[POOL + seat] == 0:  # UC-12
        state[WINNER] = seat
    if not (target & tables[AGAIN] or taken & tables[TAKING]):  # UC-9
        state[SEAT] = 1 - seat
    state[THROWN] = -1


@bare
def returns(state: Array, tables: Array, shares: Array) -> None:  # noqa: ARG001
    """All to the winner."""
    shares[:] = 0
    if state[WINNER] >= 0:
        shares[state[WINNER]] = 1


@kernel
def random_games(
    packed: Array, tables: Array, seeds: Array, most: int, most_plies: int, shares: Array, plies: Array
) -> None:
    """A random game for each seed, in the same law as `core.fast` has it, but on registers."""
    state = np.empty_like(packed)
    rng = np.empty(1, dtype=np.uint64)
    numbers = np.zeros(most, dtype=np.int64)
    for game in range(len(seeds)):
        state[:] = packed
        rng[0] = seeds[game]
        ply = 0
        while state[OPENING] or state[THROWN] >= 0:  # to the next throw of the game itself
            bits = draw(rng)
            if state[THROWN] >= 0:
                number = numbers[_pick(bits, legal(state, tables, numbers))]
            else:
                number = THROW + tables[FACES + np.int64(bits & np.uint64(15))]
            step(state, tables, number)
            ply += 1
        winner, throws = _race(state, tables, rng, (most_plies - ply) // 2)
        plies[game] = ply + 2 * throws if winner >= 0 else most_plies
        for seat in range(2):
            shares[game, seat] = 0.5 if winner < 0 else int(winner == seat)


@bare
def _pick(bits: Any, choices: int) -> Any:
    """Any of so many things, from the upper half of 64 random bits."""
    return np.int64(((bits >> np.uint64(32)) * np.uint64(choices)) >> np.uint64(32))


@bare
def _race(state: Array, tables: Array, rng: Array, most_throws: int) -> Any:
    """Plays on at random from a throw to come; the winner (-1 if there is none yet) and the number of throws.

    Each side's mask has bit 0 set while its pool is not empty, so that it is 0 when all are home. `seen` is where the
    other side's pieces stand on this side's way.
    """
    board, shut, again, safe, taking = tables[BOARD], tables[SHUT], tables[AGAIN], tables[SAFE], tables[TAKING]
    seat = state[SEAT]
    pool, other_pool = state[POOL + seat], state[POOL + 1 - seat]
    mine, theirs = state[ON + seat] | (pool > 0), state[ON + 1 - seat] | (other_pool > 0)
    seen, other_seen = across(theirs & ~1, tables), across(mine & ~1, tables)
    if state[WINNER] >= 0:
        return state[WINNER], 0
    for throw in range(most_throws):
        bits = draw(rng)
        pips = tables[FACES + np.int64(bits & np.uint64(15))]
        found = mine & ~((mine | (seen & safe) | shut) >> pips)
        more = 0
        if found:
            for _ in range(_pick(bits, count(found))):
                found &= found - 1
            start = found & -found
            target = start << pips
            pool -= start & 1
            mine = ((mine ^ start) | target) & board | (pool > 0)
            other_seen ^= tables[MET + count(start - 1)] ^ tables[MET + count(target - 1)]
            taken = seen & target
            if taken:
                seen ^= taken
                theirs = theirs ^ tables[MET + count(target - 1)] | 1
                other_pool += 1
            if mine == 0:
                return seat, throw + 1
            more = target & again | taken & taking
        if not more:
            seat = 1 - seat
            mine, theirs, pool, other_pool, seen, other_seen = theirs, mine, other_pool, pool, other_seen, seen
    return -1, most_throws
