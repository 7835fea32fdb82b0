"""What a seat may know of the modern game, as numbers: everything, except what only allows claims."""

from __future__ import annotations

from astragal.core.compiled import kernel
from astragal.core.fast import Array
from astragal.core.tensor import Part
from astragal.core.types import OVER
from astragal.games.ur_modern import layout as at
from astragal.games.ur_modern.kernels import turn

TIPS = at.GOLD + 1
MOST_PIECES = 7

OBSERVATION = (
    Part("own", (at.SQUARES,), "1 where a piece of this seat is, by the squares in reading order, from a1 to c8"),
    Part("other", (at.SQUARES,), "1 where a piece of the other seat is"),
    Part("pools", (2,), "pieces that can still be placed, by 7: this seat's, the other's"),
    Part("side", (1,), "0 if this seat is light, 1 if it is dark"),
    Part("turn", (2,), "1 for whose throw or action it is: this seat, the other; none before lots and after the end"),
    Part("throw", (TIPS,), "1 for how the dice fell: blank, one, mixed, silver, gold; none before they did"),
    Part("drawn", (1,), "1 if the game ended as a draw"),
    Part("won", (2,), "1 for the winner: this seat, the other"),
)


@kernel
def observe(state: Array, tables: Array, seat: int, numbers: Array) -> None:
    """The table as this seat sees it."""
    for place in range(len(numbers)):
        numbers[place] = 0.0
    goes_on = turn(state, tables) != OVER
    fortresses = tables[at.FORTRESSES]
    place = 2 * at.SQUARES
    for side in range(2):
        owner = seat if side == 0 else 1 - seat
        pieces = tables[at.PIECES]
        for square in range(at.SQUARES):
            if state[owner] >> square & 1:
                numbers[side * at.SQUARES + square] = 1.0
                pieces -= 1
        numbers[place + side] = pieces / MOST_PIECES
        if goes_on and state[at.SEAT] == owner:
            numbers[place + 3 + side] = 1.0
        if state[owner] & fortresses == fortresses:
            numbers[place + 6 + TIPS + side] = 1.0
    numbers[place + 2] = seat
    if state[at.TIPS] >= 0:
        numbers[place + 5 + state[at.TIPS]] = 1.0
    numbers[place + 5 + TIPS] = 1.0 if state[at.DRAWN] else 0.0
