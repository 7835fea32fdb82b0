"""What a seat may know of Ur, as numbers: everything, seen from that seat."""

from __future__ import annotations

from astragal.core.compiled import kernel
from astragal.core.fast import Array
from astragal.core.tensor import Part
from astragal.games.ur import layout as at
from astragal.games.ur.board import track
from astragal.games.ur.options import Options

MOST_PIECES = 7


def observation(options: Options) -> tuple[Part, ...]:
    """What `observe` fills in, in its order."""
    steps = track(options.path).home - 1
    return (
        Part("own", (steps,), "1 where a piece of this seat is, by the steps of its way from the first on"),
        Part("other", (steps,), "1 where a piece of the other seat is, by the steps of that seat's way"),
        Part("pools", (2,), "pieces not yet on the board, by 7: this seat's, the other's; the rest are home"),
        Part("turn", (2,), "1 for whose throw or move it is: this seat, the other; none once the game is over"),
        Part("throw", (at.PIPS,), "1 for the pips thrown, 0 to 4; none before the throw"),
        Part("opening", (1,), "1 while throws are for the right to begin"),
        Part("first throw", (at.PIPS,), "1 for the pips of the first of these throws, which is seat 1's"),
        Part("won", (2,), "1 for the winner: this seat, the other"),
    )


@kernel
def observe(state: Array, tables: Array, seat: int, numbers: Array) -> None:
    """The table as this seat sees it."""
    steps = tables[at.HOME] - 1
    for place in range(len(numbers)):
        numbers[place] = 0.0
    for side in range(2):
        owner = seat if side == 0 else 1 - seat
        mask = state[at.ON + owner]
        for step in range(steps):
            if mask >> (step + 1) & 1:
                numbers[side * steps + step] = 1.0
        numbers[2 * steps + side] = state[at.POOL + owner] / MOST_PIECES
        if state[at.WINNER] < 0:
            numbers[2 * steps + 2 + side] = 1.0 if state[at.SEAT] == owner else 0.0
        numbers[2 * steps + 10 + at.PIPS + side] = 1.0 if state[at.WINNER] == owner else 0.0
    place = 2 * steps + 4
    if state[at.THROWN] >= 0:
        numbers[place + state[at.THROWN]] = 1.0
    place += at.PIPS
    if state[at.OPENING] > 0:
        numbers[place] = 1.0
    if state[at.OPENING] > 1:
        numbers[place + state[at.OPENING] - 1] = 1.0
