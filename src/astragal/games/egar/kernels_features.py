"""What the heuristic sees in a packed position (see `layout`); `heuristic` says what each feature means."""

from __future__ import annotations

from math import log

import numpy as np

from astragal.core.compiled import kernel, scratch
from astragal.core.fast import Array
from astragal.games.egar import layout as at
from astragal.games.egar.combat import odds
from astragal.games.egar.heuristic import FEATURES
from astragal.games.egar.kernels import apart, next_living, read
from astragal.games.egar.kernels_reach import (
    FAR,
    LAYERS,
    dice_at,
    free_for,
    get,
    goals_of,
    march,
    occupied,
    stands,
    unstopped,
    way,
    within,
    within_two,
)

# Places of the features
RESULT, RIVALS, SOLDIERS, BALANCE, TURN, QUESTION, STRIKE, THREAT, BREAKTHROUGH, APPROACH, ROAD, SECOND, *_LAST = range(
    len(FEATURES)
)
INVADERS, GUARDS, GATES, CLOSED, ASSAULT, FLANKS = _LAST
COUNT = len(FEATURES)

SEATS = at.SEATS
ARMIES = 4 * SEATS  # words of a set for each seat
NEAR = 3  # steps from the own flag within which a soldier guards it
ROLL = 3  # points that an answer is taken to have before its die has fallen
# How likely an attack with so many soldiers is won, and what it wins on average, in soldiers.
ODDS = (0.0, *(float(odds(soldiers)) for soldiers in range(1, 5)))
GAIN = (0.0, *(2 * chance - 1 for chance in ODDS[1:]))


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
    chance, target, risk = 1.0, 0, 0
    if state[at.PHASE] == at.FIGHT:  # worth the average of how it can end
        chance = at.PART * tables[at.WINS + 35 * state[at.DICE] + 7 * state[at.THROWN] + state[at.BEST]]
        target, risk = read(state, at.TARGET), read(state, at.RISK)
    elif state[at.PHASE] == at.MOVE or state[at.PHASE] == at.ATTACKING:  # so is an attack that is still to be made
        chance, target, risk = pending(state, tables)
    if target:
        compare(state, tables, seat, risk, 1 - chance, values)
    compare(state, tables, seat, target, chance, values)  # no square where there is no fight


@kernel
def pending(state: Array, tables: Array) -> tuple[float, int, int]:
    """The best favourable attack that the mover can still make, with the points it has: the chance to win it, its
    target and the soldier at risk. Without one a chance of 1 and no squares.

    What an enemy loses is gained by all its rivals, so that the more of them there are the better the odds must be;
    but an enemy close to the mover's flag is the mover's own affair. The nearer it is, the more its removal is worth.
    """
    mover, points = read(state, at.MOVER), read(state, at.POINTS)
    armies, moves = scratch(ARMIES, np.int64), scratch(LAYERS, np.int64)
    occupied(state, tables, 0, armies)
    march(free_for(tables, armies, mover), get(armies, mover), points, moves)
    flag = tables[at.FLAG + mover]
    rivals = 0
    for other in range(tables[at.PLAYERS]):
        rivals += other != mover and state[at.COUNT + other] > 0
    best, chance, target = 0.0, 1.0, 0
    for other in range(tables[at.PLAYERS]):
        begin = at.ARMY + at.MOST_SOLDIERS * other
        for place in range(begin, begin + state[at.COUNT + other]):
            square = read(state, place)
            if other == mover:
                continue
            wins = ODDS[dice_at(state, mover, moves, points, square)]
            far = apart(flag, square)
            worth = (wins / (1 if far <= at.PIPS else rivals) - (1 - wins)) * (FAR + 1 - far)
            if worth > best:
                best, chance, target = worth, wins, square
    if target == 0:
        return 1.0, 0, 0
    risk, nearest = 0, 2 * FAR
    begin = at.ARMY + at.MOST_SOLDIERS * mover
    for place in range(begin, begin + state[at.COUNT + mover]):
        square = read(state, place)
        if apart(square, target) < nearest:
            risk, nearest = square, apart(square, target)
    return chance, target, risk


@kernel
def compare(state: Array, tables: Array, seat: int, fallen: int, share: float, values: Array) -> None:
    """Adds this share of a seat's features, without the soldier on `fallen`."""
    phase, mover = state[at.PHASE], read(state, at.MOVER)
    asked = -1 if phase == at.LOTS else next_living(state, tables, mover)
    armies = scratch(ARMIES, np.int64)
    occupied(state, tables, fallen, armies)
    mine = standing(state, tables, armies, seat, asked, fallen)
    others = 0
    soldiers = second = invaders = guards = gates = closed = strike = threat = through = approach = 0.0
    first = 2 * FAR
    for other in range(tables[at.PLAYERS]):
        if other == seat or state[at.COUNT + other] == 0:
            continue
        others += 1
        theirs = standing(state, tables, armies, other, asked, fallen)
        soldiers += theirs[0]
        first = min(first, theirs[1])
        second += theirs[2]
        strike = max(strike, theirs[3])
        threat = max(threat, theirs[4])
        through = max(through, theirs[5])
        approach = max(approach, theirs[6])
        invaders += theirs[7]
        guards += theirs[8]
        gates += theirs[9]
        closed += theirs[9] == 1
    soldiers /= others
    values[RIVALS] -= share * log(others)
    values[SOLDIERS] += share * (mine[0] - soldiers)
    values[BALANCE] += share * (mine[0] - soldiers) / (mine[0] + soldiers)
    if asked >= 0:
        risk = wrong(state, tables, asked)
        roller = mover if phase == at.ROLLING else asked
        values[TURN] += share if roller == seat else -share / others
        values[QUESTION] += -share * risk if asked == seat else share * risk / others
    values[STRIKE] += share * (mine[3] - strike)
    values[THREAT] += share * (mine[4] - threat)
    values[BREAKTHROUGH] += share * (mine[5] - through)
    values[APPROACH] += share * (mine[6] - approach)
    values[ROAD] += share * (first - mine[1]) / 10
    values[SECOND] += share * (second / others - mine[2]) / 10
    values[INVADERS] += share * (mine[7] - invaders / others)
    values[GUARDS] += share * (mine[8] - guards / others) / 4
    values[GATES] += share * (mine[9] - gates / others)
    values[CLOSED] += share * ((mine[9] == 1) - closed / others)
    fights(state, tables, seat, asked, fallen, share, values)


@kernel
def fights(state: Array, tables: Array, seat: int, asked: int, fallen: int, share: float, values: Array) -> None:
    """Adds what attacks can win or cost this seat: those of the seat that attacks next, and those of the others."""
    phase = state[at.PHASE]
    attacks = phase == at.ROLLING or phase == at.MOVE or phase == at.ATTACKING or phase == at.FIGHT
    attacker = read(state, at.MOVER) if attacks else asked
    for other in range(tables[at.PLAYERS]):
        if other == seat or state[at.COUNT + other] == 0:
            continue
        won, lost = gain(state, seat, other, fallen), gain(state, other, seat, fallen)
        values[ASSAULT if seat == attacker else FLANKS] += share * won
        values[ASSAULT if other == attacker else FLANKS] -= share * lost


@kernel
def standing(
    state: Array, tables: Array, armies: Array, seat: int, asked: int, fallen: int
) -> tuple[int, int, int, float, float, float, float, float, int, float]:
    """An army by itself: soldiers, steps of the first and the second, strike, threat, breakthrough, approach,
    invaders, guards and gates.
    """
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
    strike = threat = through = approach = 0.0
    if first <= 2 * at.PIPS + points:
        strike, threat, through, approach = raid(state, tables, armies, seat, asked, fallen, points)
    sides = held = 0
    for side in range(4):
        square = flag + at.SIDES[side]
        sides += state[square] >= 0
        held += state[square] == seat + 1 and square != fallen
    ahead = max(1, first - points)
    return soldiers, ahead, second, strike, threat, through, approach, invaders, guards, held / sides


@kernel
def raid(
    state: Array, tables: Array, armies: Array, seat: int, asked: int, fallen: int, points: int
) -> tuple[float, float, float, float]:
    """How soon a seat takes a flag: strike, threat, breakthrough and approach. `points` are what it has left now."""
    phase, mover = state[at.PHASE], read(state, at.MOVER)
    layers = scratch(LAYERS, np.int64)
    free, goals = free_for(tables, armies, seat), goals_of(state, tables, seat)
    steps = way(free, goals, get(armies, seat), 2 * at.PIPS + points, layers)
    if steps == FAR:
        return 0.0, 0.0, 0.0, 0.0
    approach = within_two(steps - points)
    if phase == at.ROLLING and seat == mover:
        return within(steps), 0.0, 0.0, approach
    if phase == at.MOVE and seat == mover and steps <= points:
        return 1.0, 0.0, 0.0, approach
    if phase != at.ROLLING and seat == asked:  # rolls next, once the mover has done what it can
        if phase == at.MOVE or phase == at.ATTACKING or phase == at.FIGHT:
            answer = read(state, at.POINTS)
            return unstopped(state, tables, armies, seat, fallen, layers, steps, 0, mover, answer), 0.0, 0.0, approach
        return within(steps), 0.0, 0.0, approach
    through = unstopped(state, tables, armies, seat, fallen, layers, steps, points, -1, ROLL)
    return 0.0, within(steps - points), through, approach


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
