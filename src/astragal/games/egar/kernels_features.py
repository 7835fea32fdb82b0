"""What the heuristic sees in a packed position (see `kernels_layout`); `heuristic` says what each feature means.

Sets of squares are four words of 64 bits here, the square's number being the place of its bit.
"""

from __future__ import annotations

from math import log
from typing import Any

import numpy as np

from astragal.core.compiled import bare
from astragal.core.fast import Array
from astragal.games.egar import kernels_layout as at
from astragal.games.egar.kernels import apart, next_living, read

FAR = 24
NEAR = 3
FEATURES = 16
# What an attack with so many soldiers wins on average, in soldiers.
GAIN = np.array([0.0, 0.0, 7 / 18, 7 / 12, 4522 / 6480])


@bare
def features(state: Array, tables: Array, seat: int, values: Array) -> None:
    """How this seat stands."""
    for feature in range(FEATURES):
        values[feature] = 0.0
    if state[at.PHASE] == at.ENDED or state[at.COUNT + seat] == 0:
        won = state[at.WON]
        winners = (won & 1) + (won >> 1 & 1) + (won >> 2 & 1) + (won >> 3 & 1)
        values[0] = 2 / winners - 1 if won >> seat & 1 else -1.0
        return
    chance = 1.0
    if state[at.PHASE] == at.FIGHT:  # worth the average of how it can end
        chance = at.PART * tables[at.WINS + 35 * state[at.DICE] + 7 * state[at.THROWN] + state[at.BEST]]
        compare(state, tables, seat, read(state, at.RISK), 1 - chance, values)
    compare(state, tables, seat, read(state, at.TARGET), chance, values)  # no square where there is no fight


@bare
def compare(state: Array, tables: Array, seat: int, fallen: int, share: float, values: Array) -> None:
    """Adds this share of a seat's features, without the soldier on `fallen`."""
    phase, mover = state[at.PHASE], read(state, at.MOVER)
    asked = -1 if phase == at.LOTS else next_living(state, tables, mover)
    roller = mover if phase == at.ROLLING or phase == at.MOVE else asked
    attacks = phase == at.ROLLING or phase == at.MOVE or phase == at.ATTACKING or phase == at.FIGHT
    attacker = mover if attacks else asked
    mine = standing(state, tables, seat, roller, fallen)
    others = 0
    soldiers = second = invaders = guards = gates = closed = strike = threat = assault = flanks = 0.0
    first = 2 * FAR
    for other in range(tables[at.PLAYERS]):
        if other == seat or state[at.COUNT + other] == 0:
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


@bare
def within(steps: int) -> float:
    """The chance that one die shows at least so many."""
    return max(0, min(at.PIPS, at.PIPS + 1 - steps)) / at.PIPS


@bare
def standing(
    state: Array, tables: Array, seat: int, roller: int, fallen: int
) -> tuple[int, int, int, float, float, float, int, float]:
    """An army by itself: soldiers, steps of the first and the second, strike, threat, invaders, guards and gates."""
    flag = tables[at.FLAG + seat]
    begin = at.ARMY + at.MOST_SOLDIERS * seat
    soldiers = guards = 0
    first, second = FAR, FAR
    invaders = 0.0
    for place in range(begin, begin + state[at.COUNT + seat]):
        square = read(state, place)
        if square == fallen:
            continue
        soldiers += 1
        guards += apart(flag, square) <= NEAR
        far = nearest_goal(state, tables, seat, square)
        invaders += within(far)
        if far < first:
            first, second = far, first
        elif far < second:
            second = far
    points = read(state, at.POINTS) if state[at.MOVER] == seat else 0
    steps = FAR
    if first <= at.PIPS + points:
        steps = way(state, tables, seat, fallen, at.PIPS + points)
    strike = threat = 0.0
    if seat == roller and not points:
        strike = within(steps)
    elif seat == roller and steps <= points:
        strike = 1.0
    else:
        threat = within(steps - points)
    sides = held = 0
    for side in range(4):
        square = flag + at.SIDES[side]
        sides += state[square] >= 0
        held += state[square] == seat + 1 and square != fallen
    return soldiers, max(1, first - points), second, strike, threat, invaders, guards, held / sides


@bare
def stands(state: Array, tables: Array, seat: int) -> bool:
    """Whether the flag of this seat can still be taken."""
    return bool(state[at.COUNT + seat] > 0 or not tables[at.FLAGS_REMOVED])


@bare
def nearest_goal(state: Array, tables: Array, seat: int, square: int) -> int:
    """Steps from a square to the nearest flag this seat could take, obstacles ignored."""
    far = FAR
    for other in range(tables[at.PLAYERS]):
        if other != seat and stands(state, tables, other):
            far = min(far, apart(tables[at.FLAG + other], square))
    return far


@bare
def wrong(state: Array, tables: Array, asked: int) -> float:
    """How likely the seat that is asked next loses a soldier by it."""
    if state[at.PHASE] == at.PICK:
        return 1.0
    if state[at.LEVEL]:
        return float(at.PART * tables[at.WRONG + 3 * asked + state[at.LEVEL] - 1])
    risk = 0.0
    for place in range(tables[at.LEVELS]):
        risk = max(risk, at.PART * tables[at.WRONG + 3 * asked + tables[at.ALLOWED + place]])
    return risk


@bare
def gain(state: Array, seat: int, enemy: int, fallen: int) -> float:
    """What the attacks that a seat has on an enemy win, in soldiers."""
    begin = at.ARMY + at.MOST_SOLDIERS * enemy
    total = 0.0
    for place in range(begin, begin + state[at.COUNT + enemy]):
        target = read(state, place)
        if target == fallen:
            continue
        dice = 0
        for side in range(4):
            square = target + at.SIDES[side]
            dice += state[square] == seat + 1 and square != fallen
        total += GAIN[dice]
    return total


# Squares as bits -----------------------------------------------------------------------------------------------

Bits = tuple[Any, Any, Any, Any]


@bare
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


@bare
def way(state: Array, tables: Array, seat: int, fallen: int, most: int) -> int:
    """Steps of a seat to the nearest flag, around everything in the way; FAR if more than `most`."""
    zero, one, row, rest = np.uint64(0), np.uint64(1), np.uint64(16), np.uint64(48)
    mine = taken = goals = (zero, zero, zero, zero)
    for other in range(tables[at.PLAYERS]):
        begin = at.ARMY + at.MOST_SOLDIERS * other
        for place in range(begin, begin + state[at.COUNT + other]):
            if state[place] != fallen:
                taken = mark(taken, read(state, place))
                if other == seat:
                    mine = mark(mine, read(state, place))
        if other != seat and stands(state, tables, other):
            goals = mark(goals, tables[at.FLAG + other])
    if not tables[at.OWN_FLAG_OPEN]:
        taken = mark(taken, tables[at.FLAG + seat])
    f0 = np.uint64(tables[at.BOARD]) & ~taken[0]
    f1 = np.uint64(tables[at.BOARD + 1]) & ~taken[1]
    f2 = np.uint64(tables[at.BOARD + 2]) & ~taken[2]
    f3 = np.uint64(tables[at.BOARD + 3]) & ~taken[3]
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
