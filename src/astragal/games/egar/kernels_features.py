"""What the heuristic sees in a packed position (see `layout`); `heuristic` says what each feature means.

Sets of squares are four words of 64 bits here, the square's number being the place of its bit.
"""

from __future__ import annotations

from math import log
from typing import Any

import numpy as np

from astragal.core.compiled import kernel, scratch
from astragal.core.fast import Array
from astragal.games.egar import layout as at
from astragal.games.egar.combat import odds
from astragal.games.egar.heuristic import FEATURES
from astragal.games.egar.kernels import apart, next_living, read

# Places of the features
RESULT, RIVALS, SOLDIERS, BALANCE, TURN, QUESTION, STRIKE, THREAT, ROAD, SECOND, INVADERS, GUARDS, GATES, *_LAST = (
    range(len(FEATURES))
)
CLOSED, ASSAULT, FLANKS = _LAST
COUNT = len(FEATURES)

SEATS = at.SEATS
FAR = 24  # no two squares are further apart
NEAR = 3  # steps from the own flag within which a soldier guards it
# What an attack with so many soldiers wins on average, in soldiers.
GAIN = (0.0, *(float(2 * odds(soldiers) - 1) for soldiers in range(1, 5)))


@kernel
def features(state: Array, tables: Array, seat: int, values: Array) -> None:
    """How this seat stands."""
    for feature in range(COUNT):
        values[feature] = 0.0
    if state[at.PHASE] == at.ENDED or state[at.COUNT + seat] == 0:
        won = state[at.WON]
        winners = (won & 1) + (won >> 1 & 1) + (won >> 2 & 1) + (won >> 3 & 1)
        values[RESULT] = 2 / winners - 1 if won >> seat & 1 else -1.0
        return
    chance = 1.0
    if state[at.PHASE] == at.FIGHT:  # worth the average of how it can end
        chance = at.PART * tables[at.WINS + 35 * state[at.DICE] + 7 * state[at.THROWN] + state[at.BEST]]
        compare(state, tables, seat, read(state, at.RISK), 1 - chance, values)
    compare(state, tables, seat, read(state, at.TARGET), chance, values)  # no square where there is no fight


@kernel
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
    values[RIVALS] -= share * log(others)
    values[SOLDIERS] += share * (mine[0] - soldiers)
    values[BALANCE] += share * (mine[0] - soldiers) / (mine[0] + soldiers)
    if asked >= 0:
        risk = wrong(state, tables, asked)
        values[TURN] += share if roller == seat else -share / others
        values[QUESTION] += -share * risk if asked == seat else share * risk / others
    values[STRIKE] += share * (mine[3] - strike)
    values[THREAT] += share * (mine[4] - threat)
    values[ROAD] += share * (first - mine[1]) / 10
    values[SECOND] += share * (second / others - mine[2]) / 10
    values[INVADERS] += share * (mine[5] - invaders / others)
    values[GUARDS] += share * (mine[6] - guards / others) / 4
    values[GATES] += share * (mine[7] - gates / others)
    values[CLOSED] += share * ((mine[7] == 1) - closed / others)
    values[ASSAULT] += share * assault
    values[FLANKS] += share * flanks


@kernel
def within(steps: int) -> float:
    """The chance that one die shows at least so many."""
    return max(0, min(at.PIPS, at.PIPS + 1 - steps)) / at.PIPS


@kernel
def standing(
    state: Array, tables: Array, seat: int, roller: int, fallen: int
) -> tuple[int, int, int, float, float, float, int, float]:
    """An army by itself: soldiers, steps of the first and the second, strike, threat, invaders, guards and gates."""
    flag = tables[at.FLAG + seat]
    goals, many = scratch(SEATS, np.int64), 0  # the flags that this seat could take
    for other in range(tables[at.PLAYERS]):
        if other != seat and stands(state, tables, other):
            goals[many] = tables[at.FLAG + other]
            many += 1
    begin = at.ARMY + at.MOST_SOLDIERS * seat
    soldiers = guards = 0
    first, second = FAR, FAR
    invaders = 0.0
    for place in range(begin, begin + state[at.COUNT + seat]):
        square = read(state, place)
        if square == fallen:
            continue
        soldiers += 1
        if apart(flag, square) <= NEAR:
            guards += 1
        far = FAR  # steps to the nearest goal, obstacles ignored
        for goal in range(many):
            steps = apart(goals[goal], square)
            if steps < far:
                far = steps
        if far <= at.PIPS:
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


@kernel
def stands(state: Array, tables: Array, seat: int) -> bool:
    """Whether the flag of this seat can still be taken."""
    return bool(state[at.COUNT + seat] > 0 or not tables[at.FLAGS_REMOVED])


@kernel
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


@kernel
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


@kernel
def mark(bits: Bits, square: int) -> Bits:
    """A set of squares with one more in it."""
    word, bit = square >> 6, 1 << (square & 63)
    return (
        bits[0] | (bit if word == 0 else 0),
        bits[1] | (bit if word == 1 else 0),
        bits[2] | (bit if word == 2 else 0),
        bits[3] | (bit if word == 3 else 0),
    )


@kernel
def way(state: Array, tables: Array, seat: int, fallen: int, most: int) -> int:
    """Steps of a seat to the nearest flag, around everything in the way; FAR if more than `most`."""
    mine = taken = goals = (0, 0, 0, 0)
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
    f0 = tables[at.BOARD] & ~taken[0]
    f1 = tables[at.BOARD + 1] & ~taken[1]
    f2 = tables[at.BOARD + 2] & ~taken[2]
    f3 = tables[at.BOARD + 3] & ~taken[3]
    r0, r1, r2, r3 = goals[0] & f0, goals[1] & f1, goals[2] & f2, goals[3] & f3
    for steps in range(1, most + 1):
        # Nothing is carried between words to the left and right: the rim lies there.
        a0 = r0 << 1 | r0 >> 1 | r0 << 16 | r0 >> 16 | r1 << 48
        a1 = r1 << 1 | r1 >> 1 | r1 << 16 | r1 >> 16 | r2 << 48 | r0 >> 48
        a2 = r2 << 1 | r2 >> 1 | r2 << 16 | r2 >> 16 | r3 << 48 | r1 >> 48
        a3 = r3 << 1 | r3 >> 1 | r3 << 16 | r3 >> 16 | r2 >> 48
        if (a0 & mine[0]) | (a1 & mine[1]) | (a2 & mine[2]) | (a3 & mine[3]):
            return steps
        r0, r1, r2, r3 = r0 | (a0 & f0), r1 | (a1 & f1), r2 | (a2 & f2), r3 | (a3 & f3)
    return FAR
