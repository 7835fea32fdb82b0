"""What networks are told of EGAR: the board as the seat that looks would have it before it, and how far soldiers have
to go.

Where the board is the same from every seat (two and four players), it is turned so that the seat that looks always sits
where the first seat does: what is learned on one seat then holds on all. Other seats are counted from this one.
"""

from __future__ import annotations

from typing import Any

from astragal.core import tensor
from astragal.core.compiled import kernel
from astragal.core.fast import Array
from astragal.core.tensor import Part
from astragal.games.egar import layout as at
from astragal.games.egar.board import COLUMNS
from astragal.games.egar.kernels import apart, read

SIDE = len(COLUMNS)  # of the largest board
PLANE = SIDE * SIDE
FAR = 2 * SIDE - 1  # steps from corner to corner, and one more for none
SEATS = "this seat, then the others in the order of turns"
COUNTS = at.MOST_SOLDIERS + 1
WALK, MATES, RIVALS = 14, 4, 3  # steps to a goal, and soldiers nearby, that are told apart; the last is so many or more
# Squares at most two steps away. Beyond the rim of the board some lie outside of the packed state.
NEARBY = (-2 * at.ROW, -at.ROW - 1, -at.ROW, 1 - at.ROW, -2, -1, 1, 2, at.ROW - 1, at.ROW, at.ROW + 1, 2 * at.ROW)
MOST_DICE = 4
THOUSAND = 1000.0

PARTS = (
    Part("soldiers", (at.SEATS, SIDE, SIDE), f"planes with 1 where soldiers stand: {SEATS}"),
    Part("target", (SIDE, SIDE), "1 at the target of an attack"),
    Part("risk", (SIDE, SIDE), "1 at the soldier at risk"),
    Part("to its flag", (at.SEATS, FAR), f"soldiers so many steps from their own flag: {SEATS}", 0.0, 8.0),
    Part(
        "to a goal",
        (at.SEATS, FAR),
        "this seat's soldiers so many steps from the nearest other flag, then the others' from this seat's flag",
        0.0,
        8.0,
    ),
    Part("count", (at.SEATS, COUNTS), f"1 for how many soldiers are left: {SEATS}"),
    Part("phase", (at.ENDED + 1,), "1 for what is going on, in the order of `state.Phase`"),
    Part("mover", (at.SEATS,), f"1 for whose turn it is: {SEATS}; none during lots"),
    Part("asked", (at.SEATS,), f"1 for who is asked: {SEATS}"),
    Part("points", (at.PIPS + 1,), "1 for the steps that are left"),
    Part("dice", (MOST_DICE + 1,), "1 for the attacking dice"),
    Part("fight", (2,), "how many of them have fallen, by 4; the best so far, by 6"),
    Part("players", (at.SEATS + 1,), "1 for how many play"),
    Part("side", (at.SEATS,), "1 for the number of this seat, where the board is not turned"),
    Part("board", (1,), "how much smaller than the largest the board is, in squares of its side", 0.0, 13.0),
    Part("turns", (1,), "turns that are over, by 1000, where they are limited", 0.0, 10.0),
    Part(
        "company",
        (2, WALK, MATES, RIVALS),
        "soldiers by steps to a goal and how many of their army, and of others, are near: this seat's, then others'",
        0.0,
        24.0,
    ),
)
COMPANY = tensor.size(PARTS[:-1])  # where it begins


@kernel
def inputs(state: Array, tables: Array, seat: int, numbers: Array) -> None:
    """The table as this seat has it before it."""
    for place in range(len(numbers)):
        numbers[place] = 0.0
    players = tables[at.PLAYERS]
    fight = at.SEATS * PLANE
    own, goal, count = fight + 2 * PLANE, fight + 2 * PLANE + at.SEATS * FAR, fight + 2 * PLANE + 2 * at.SEATS * FAR
    for other in range(players):
        who = (seat + other) % players
        begin = at.ARMY + at.MOST_SOLDIERS * who
        for place in range(begin, begin + state[at.COUNT + who]):
            square = read(state, place)
            numbers[other * PLANE + spot(tables, seat, square)] = 1.0
            numbers[own + other * FAR + apart(tables[at.FLAG + who], square)] += 1.0
            steps = steps_to_goal(state, tables, seat, who, square)
            numbers[goal + other * FAR + steps] += 1.0
            numbers[COMPANY + company(state, who, square, steps) + (WALK * MATES * RIVALS if other else 0)] += 1.0
        numbers[count + other * COUNTS + state[at.COUNT + who]] = 1.0
    if state[at.PHASE] == at.FIGHT:
        numbers[fight + spot(tables, seat, read(state, at.TARGET))] = 1.0
        numbers[fight + PLANE + spot(tables, seat, read(state, at.RISK))] = 1.0
    rest(state, tables, seat, numbers, count + at.SEATS * COUNTS)


@kernel
def rest(state: Array, tables: Array, seat: int, numbers: Array, place: int) -> None:
    """What is going on, from `place` on."""
    phase, players = state[at.PHASE], tables[at.PLAYERS]
    numbers[place + phase] = 1.0
    place += at.ENDED + 1
    if phase != at.LOTS:
        numbers[place + (state[at.MOVER] - seat) % players] = 1.0
    place += at.SEATS
    if at.LEVELLING <= phase <= at.PICK:
        numbers[place + (state[at.ASKED] - seat) % players] = 1.0
    place += at.SEATS
    numbers[place + state[at.POINTS]] = 1.0
    place += at.PIPS + 1
    numbers[place + state[at.DICE]] = 1.0
    place += MOST_DICE + 1
    numbers[place] = state[at.THROWN] / MOST_DICE
    numbers[place + 1] = state[at.BEST] / at.PIPS
    place += 2
    numbers[place + players] = 1.0
    place += at.SEATS + 1
    if tables[at.TURNED + seat] < 0:
        numbers[place + seat] = 1.0
    place += at.SEATS
    numbers[place] = SIDE - tables[at.SIDE]
    numbers[place + 1] = (state[at.TURNS] + (state[at.TURNS_HIGH] << 15)) / THOUSAND


@kernel
def steps_to_goal(state: Array, tables: Array, seat: int, who: int, square: int) -> Any:
    """Steps, obstacles ignored: of the seat's own soldier to the nearest other flag, of another's to the seat's."""
    if who != seat:
        return apart(tables[at.FLAG + seat], square)
    nearest = FAR - 1
    for other in range(tables[at.PLAYERS]):
        if other != seat and (not tables[at.FLAGS_REMOVED] or state[at.COUNT + other]):
            nearest = min(nearest, apart(tables[at.FLAG + other], square))
    return nearest


@kernel
def company(state: Array, who: int, square: int, steps: int) -> Any:
    """The place of a soldier among those of its side, by its steps to a goal and who is near it."""
    mates, rivals = 0, 0
    for by in NEARBY:
        there = square + by
        if 0 <= there < at.SQUARES and state[there] > 0:
            if state[there] == who + 1:
                mates += 1
            else:
                rivals += 1
    return (min(steps, WALK - 1) * MATES + min(mates, MATES - 1)) * RIVALS + min(rivals, RIVALS - 1)


@kernel
def spot(tables: Array, seat: int, square: int) -> Any:
    """Where a square lies in a plane, once the board is turned for this seat."""
    row, column = (square >> 4) - 1, (square & 15) - 1
    for _ in range(tables[at.TURNED + seat]):  # a quarter clockwise
        row, column = tables[at.SIDE] - 1 - column, row
    return row * SIDE + column
