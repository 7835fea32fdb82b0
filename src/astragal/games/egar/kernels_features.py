"""What the heuristic sees, over a packed state (see `kernels`); `heuristic` says in words what each feature means.

Sets of squares are four words of 64 bits here, the square's number being the place of its bit.
"""

from __future__ import annotations

from math import log
from typing import Any

import numpy as np

from astragal.core.compiled import kernel
from astragal.core.fast import Array
from astragal.games.egar.kernels import (
    ALLOWED,
    ARMY,
    ATTACKING,
    BEST,
    COUNT,
    DICE,
    ENDED,
    FIGHT,
    FLAG,
    FLAGS_REMOVED,
    LEVEL,
    LEVELS,
    LOTS,
    MOST_SOLDIERS,
    MOVE,
    MOVER,
    OWN_FLAG_OPEN,
    PHASE,
    PICK,
    PIPS,
    PLAYERS,
    POINTS,
    RISK,
    ROLLING,
    SIDES,
    TARGET,
    THROWN,
    WON,
    apart,
    next_living,
)

FAR = 24
NEAR = 3
FEATURES = 16
# What an attack with so many soldiers wins on average, in soldiers.
GAIN = (0.0, 0.0, 7 / 18, 7 / 12, 4522 / 6480)


@kernel
def features(state: Array, tables: Any, seat: int, values: Array) -> None:
    values[:FEATURES] = 0
    if state[PHASE] == ENDED or state[COUNT + seat] == 0:
        won = state[WON]
        winners = (won & 1) + (won >> 1 & 1) + (won >> 2 & 1) + (won >> 3 & 1)
        values[0] = 2 / winners - 1 if won >> seat & 1 else -1.0
    elif state[PHASE] == FIGHT:
        chance = tables[3][state[DICE], state[THROWN], state[BEST]]
        compare(state, tables, seat, state[TARGET], chance, values)
        compare(state, tables, seat, state[RISK], 1 - chance, values)
    else:
        compare(state, tables, seat, 0, 1.0, values)


@kernel
def compare(state: Array, tables: Any, seat: int, fallen: int, share: float, values: Array) -> None:
    """Adds this share of a seat's features, without the soldier on `fallen`."""
    info = tables[0]
    phase, mover = state[PHASE], state[MOVER]
    asked = -1 if phase == LOTS else next_living(state, info, mover)
    roller = mover if phase == ROLLING or phase == MOVE else asked
    attacks = phase == ROLLING or phase == MOVE or phase == ATTACKING or phase == FIGHT
    attacker = mover if attacks else asked
    mine = standing(state, tables, seat, roller, fallen)
    others = 0
    soldiers = second = invaders = guards = gates = closed = strike = threat = assault = flanks = 0.0
    first = 2 * FAR
    for other in range(info[PLAYERS]):
        if other == seat or state[COUNT + other] == 0:
            continue
        others += 1
        theirs = standing(state, tables, other, roller, fallen)
        soldiers += theirs[0]
        first = min(first, theirs[1])
        second += theirs[2]
        strike = max(strike, theirs[3])
        threat = max(threat, theirs[4])
        invaders += theirs[5]
        guards += theirs[6]
        gates += theirs[7]
        closed += theirs[7] == 1
        won, lost = gain(state, seat, other, fallen), gain(state, other, seat, fallen)
        if seat == attacker:
            assault += won
        else:
            flanks += won
        if other == attacker:
            assault -= lost
        else:
            flanks -= lost
    soldiers /= others
    values[1] -= share * log(others)
    values[2] += share * (mine[0] - soldiers)
    values[3] += share * (mine[0] - soldiers) / (mine[0] + soldiers)
    if asked >= 0:
        risk = wrong(state, tables, asked)
        values[4] += share if roller == seat else -share / others
        values[5] += -share * risk if asked == seat else share * risk / others
    values[6] += share * (mine[3] - strike)
    values[7] += share * (mine[4] - threat)
    values[8] += share * (first - mine[1]) / 10
    values[9] += share * (second / others - mine[2]) / 10
    values[10] += share * (mine[5] - invaders / others)
    values[11] += share * (mine[6] - guards / others) / 4
    values[12] += share * (mine[7] - gates / others)
    values[13] += share * ((mine[7] == 1) - closed / others)
    values[14] += share * assault
    values[15] += share * flanks


@kernel
def within(steps: int) -> float:
    """The chance that one die shows at least so many."""
    return max(0, min(PIPS, PIPS + 1 - steps)) / PIPS


@kernel
def standing(
    state: Array, tables: Any, seat: int, roller: int, fallen: int
) -> tuple[int, int, int, float, float, float, int, float]:
    """An army by itself: soldiers, steps of the first and the second, strike, threat, invaders, guards and gates."""
    info = tables[0]
    flag = info[FLAG + seat]
    begin = ARMY + MOST_SOLDIERS * seat
    soldiers = guards = 0
    first, second = FAR, FAR
    invaders = 0.0
    for place in range(begin, begin + state[COUNT + seat]):
        square = state[place]
        if square == fallen:
            continue
        soldiers += 1
        guards += apart(flag, square) <= NEAR
        far = nearest_goal(state, info, seat, square)
        invaders += within(far)
        if far < first:
            first, second = far, first
        elif far < second:
            second = far
    points = state[POINTS] if state[MOVER] == seat else 0
    steps = FAR
    if first <= PIPS + points:
        steps = way(state, tables, seat, fallen, PIPS + points)
    strike = threat = 0.0
    if seat == roller and not points:
        strike = within(steps)
    elif seat == roller and steps <= points:
        strike = 1.0
    else:
        threat = within(steps - points)
    sides = held = 0
    for side in SIDES:
        there = state[flag + side]
        sides += there >= 0
        held += there == seat + 1 and flag + side != fallen
    return soldiers, max(1, first - points), second, strike, threat, invaders, guards, held / sides


@kernel
def stands(state: Array, info: Array, seat: int) -> bool:
    """Whether the flag of this seat can still be taken."""
    return bool(state[COUNT + seat] > 0 or not info[FLAGS_REMOVED])


@kernel
def nearest_goal(state: Array, info: Array, seat: int, square: int) -> int:
    """Steps from a square to the nearest flag this seat could take, obstacles ignored."""
    far = FAR
    for other in range(info[PLAYERS]):
        if other != seat and stands(state, info, other):
            far = min(far, apart(info[FLAG + other], square))
    return far


@kernel
def wrong(state: Array, tables: Any, asked: int) -> float:
    """How likely the seat that is asked next loses a soldier by it."""
    info, wrongs = tables[0], tables[2]
    if state[PHASE] == PICK:
        return 1.0
    if state[LEVEL]:
        return float(wrongs[asked, state[LEVEL] - 1])
    risk = 0.0
    for place in range(info[LEVELS]):
        risk = max(risk, wrongs[asked, info[ALLOWED + place]])
    return risk


@kernel
def gain(state: Array, seat: int, enemy: int, fallen: int) -> float:
    """What the attacks that a seat has on an enemy win, in soldiers."""
    begin = ARMY + MOST_SOLDIERS * enemy
    total = 0.0
    for place in range(begin, begin + state[COUNT + enemy]):
        target = state[place]
        if target == fallen:
            continue
        dice = 0
        for side in SIDES:
            dice += state[target + side] == seat + 1 and target + side != fallen
        total += GAIN[dice]
    return total


# Squares as bits -----------------------------------------------------------------------------------------------

Bits = tuple[Any, Any, Any, Any]


@kernel
def mark(bits: Bits, square: int) -> Bits:
    """A set of squares with one more in it."""
    word, bit = square >> 6, np.uint64(1) << np.uint64(square & 63)
    none = np.uint64(0)
    return (
        bits[0] | (bit if word == 0 else none),
        bits[1] | (bit if word == 1 else none),
        bits[2] | (bit if word == 2 else none),
        bits[3] | (bit if word == 3 else none),
    )


@kernel
def way(state: Array, tables: Any, seat: int, fallen: int, most: int) -> int:
    """Steps of a seat to the nearest flag, around everything in the way; FAR if more than `most`."""
    info, squares = tables[0], tables[4]
    zero, one, row, rest = np.uint64(0), np.uint64(1), np.uint64(16), np.uint64(48)
    mine = taken = goals = (zero, zero, zero, zero)
    for other in range(info[PLAYERS]):
        begin = ARMY + MOST_SOLDIERS * other
        for place in range(begin, begin + state[COUNT + other]):
            if state[place] != fallen:
                taken = mark(taken, state[place])
                if other == seat:
                    mine = mark(mine, state[place])
        if other != seat and stands(state, info, other):
            goals = mark(goals, info[FLAG + other])
    if not info[OWN_FLAG_OPEN]:
        taken = mark(taken, info[FLAG + seat])
    f0, f1, f2, f3 = squares[0] & ~taken[0], squares[1] & ~taken[1], squares[2] & ~taken[2], squares[3] & ~taken[3]
    r0, r1, r2, r3 = goals[0] & f0, goals[1] & f1, goals[2] & f2, goals[3] & f3
    for steps in range(1, most + 1):
        # Nothing is carried between words to the left and right: the rim lies there.
        a0 = r0 << one | r0 >> one | r0 << row | r0 >> row | r1 << rest
        a1 = r1 << one | r1 >> one | r1 << row | r1 >> row | r2 << rest | r0 >> rest
        a2 = r2 << one | r2 >> one | r2 << row | r2 >> row | r3 << rest | r1 >> rest
        a3 = r3 << one | r3 >> one | r3 << row | r3 >> row | r2 >> rest
        if (a0 & mine[0]) | (a1 & mine[1]) | (a2 & mine[2]) | (a3 & mine[3]):
            return steps
        r0, r1, r2, r3 = r0 | (a0 & f0), r1 | (a1 & f1), r2 | (a2 & f2), r3 | (a3 & f3)
    return FAR
