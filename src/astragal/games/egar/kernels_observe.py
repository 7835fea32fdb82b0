"""What a seat may know of EGAR, as numbers: the board and what is going on. The right answer is not among them.

Seats are counted from the one that looks: itself, then the others in the order of turns; places of missing seats stay
0. What is printed on an open card, and which cards have been asked, is left out: a view has these as text.
"""

from __future__ import annotations

from typing import Any

from astragal.core.compiled import kernel
from astragal.core.fast import Array
from astragal.core.tensor import Part
from astragal.games.egar import layout as at
from astragal.games.egar.board import COLUMNS
from astragal.games.egar.kernels import read

SIDE = len(COLUMNS)  # of the largest board
PLANE = SIDE * SIDE
BOARD, FLAGS, SOLDIERS, TARGET, RISK, PLANES = 0, 1, 5, 9, 10, 11
PHASES = at.ENDED + 1
LEVELS = 3
SEATS = "this seat, then the others in the order of turns"
THOUSAND = 1000.0

OBSERVATION = (
    Part(
        "board",
        (PLANES, SIDE, SIDE),
        "a plane with 1 for every square there is; four with 1 where a flag stands and four where soldiers do"
        f" ({SEATS}); one with 1 at the target of an attack, and one at the soldier at risk; rows from 1 on",
    ),
    Part("phase", (PHASES,), "1 for what is going on, in the order of `state.Phase`"),
    Part("mover", (at.SEATS,), f"1 for whose turn it is: {SEATS}; none during lots"),
    Part("asked", (at.SEATS,), f"1 for who is asked: {SEATS}"),
    Part("level", (LEVELS,), "1 for the level of the question: easy, medium, hard"),
    Part("points", (1,), "steps left, by 6"),
    Part("fight", (3,), "attacking dice, by 4; how many of them have fallen, by 4; the best so far, by 6"),
    Part("asked before", (LEVELS,), "cards laid aside, by all cards of the level: easy, medium, hard"),
    Part("turns", (1,), "turns that are over, by 1000, where they are limited", 0.0, 10.0),
    Part("side", (at.SEATS,), "1 for the number of this seat"),
    Part("won", (at.SEATS,), f"1 for those who share the win: {SEATS}"),
)


@kernel
def observe(state: Array, tables: Array, seat: int, numbers: Array) -> None:
    """The table as this seat sees it."""
    for place in range(len(numbers)):
        numbers[place] = 0.0
    phase, players = state[at.PHASE], tables[at.PLAYERS]
    squares(state, tables, seat, numbers)
    place = PLANES * PLANE
    numbers[place + phase] = 1.0
    place += PHASES
    if phase != at.LOTS:
        numbers[place + (state[at.MOVER] - seat) % players] = 1.0
    place += at.SEATS
    if at.LEVELLING <= phase <= at.PICK:
        numbers[place + (state[at.ASKED] - seat) % players] = 1.0
    place += at.SEATS
    if state[at.LEVEL]:
        numbers[place + state[at.LEVEL] - 1] = 1.0
    place += LEVELS
    numbers[place] = state[at.POINTS] / at.PIPS
    numbers[place + 1] = state[at.DICE] / 4
    numbers[place + 2] = state[at.THROWN] / 4
    numbers[place + 3] = state[at.BEST] / at.PIPS
    place += 4
    for level in range(LEVELS):
        if tables[at.SIZE + level]:
            numbers[place + level] = state[at.LAID + level] / tables[at.SIZE + level]
    place += LEVELS
    numbers[place] = (read(state, at.TURNS) + 32768 * read(state, at.TURNS_HIGH)) / THOUSAND
    numbers[place + 1 + seat] = 1.0
    place += 1 + at.SEATS
    for other in range(players):
        numbers[place + other] = state[at.WON] >> (seat + other) % players & 1


@kernel
def squares(state: Array, tables: Array, seat: int, numbers: Array) -> None:
    """The planes."""
    players = tables[at.PLAYERS]
    for row in range(SIDE):
        for column in range(SIDE):
            here = state[at.ROW * (row + 1) + column + 1]
            spot = row * SIDE + column
            if here >= 0:
                numbers[BOARD * PLANE + spot] = 1.0
            if here > 0:
                numbers[(SOLDIERS + (here - 1 - seat) % players) * PLANE + spot] = 1.0
    for other in range(players):
        who = (seat + other) % players
        if not tables[at.FLAGS_REMOVED] or state[at.COUNT + who]:
            numbers[(FLAGS + other) * PLANE + spot_of(tables[at.FLAG + who])] = 1.0
    if state[at.PHASE] == at.FIGHT:
        numbers[TARGET * PLANE + spot_of(state[at.TARGET])] = 1.0
        numbers[RISK * PLANE + spot_of(state[at.RISK])] = 1.0


@kernel
def spot_of(square: int) -> Any:
    """Where a square of a packed state lies in a plane."""
    return ((square >> 4) - 1) * SIDE + (square & 15) - 1
