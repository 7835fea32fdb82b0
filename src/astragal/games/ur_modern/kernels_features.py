"""What the heuristic of the modern game looks at, as a kernel; `heuristic` says what each feature means."""

from __future__ import annotations

from typing import Any

from astragal.core.compiled import kernel
from astragal.core.fast import Array
from astragal.core.types import OVER
from astragal.games.ur_modern.kernels import (
    BLANK,
    EARTH,
    ENTRANCE,
    FORTRESSES,
    HEAVEN,
    ISHTAR,
    ONE,
    PIECES,
    SEAT,
    TIPS,
    bits,
    guarded,
    turn,
)

# Places of the features, in the order of the heuristic's names. Those in pairs are for the side to throw and the other.
RESULT, TURN, HELD, PAIR, THREE, WORLD, SKY, FIELD, GUARD, ON_BOARD, NEAR = range(11)
WIN, GRAB, STORM, HUNT = 11, 13, 15, 17
COUNT = 19

HALF = 10  # squares in each half of the table `spread`
LOW = (1 << HALF) - 1


@kernel
def features(state: Array, tables: Any, seat: int, values: Array) -> None:
    """All features for a seat: its own less the other side's."""
    values[:COUNT] = 0
    if turn(state, tables) == OVER:
        fortresses = tables[0][FORTRESSES]
        if state[seat] & fortresses == fortresses:
            values[RESULT] = 1
        elif state[1 - seat] & fortresses == fortresses:
            values[RESULT] = -1
        return
    mover = state[SEAT]
    if mover >= 0:
        values[TURN] = 1 if mover == seat else -1
    for side in range(2):
        sign = 1.0 if side == seat else -1.0
        stand(tables, side, state[side], sign, values)
        tips = state[TIPS] if side == mover else -1
        chances(tables, side, state[side], state[1 - side], tips, 0 if side == mover else 1, sign, values)


@kernel
def stand(tables: Any, side: int, mine: int, sign: float, values: Array) -> None:
    """How a side stands, whoever is to throw."""
    ground, rings = tables[0], tables[4]
    fortresses = ground[FORTRESSES]
    held = bits(mine & fortresses)
    values[HELD] += sign * held
    values[PAIR] += sign * (held >= 2)
    values[THREE] += sign * (held >= 3)
    values[WORLD] += sign * (mine & ground[EARTH] == ground[EARTH])
    values[SKY] += sign * (mine & ground[HEAVEN] == ground[HEAVEN])
    if mine & ground[ISHTAR]:
        values[FIELD] += sign
        values[GUARD] += sign * held
    pieces = bits(mine)
    values[ON_BOARD] += sign * pieces
    runners = mine & ~fortresses
    for goal in range(4):
        steps = rings[goal, 1 + side] if pieces < ground[PIECES] else 0  # from the pool
        if rings[goal, 0] & mine or not (runners or steps):
            continue
        nearest = 1
        while nearest != steps and not rings[goal, 2 + nearest] & runners:
            nearest += 1
        values[NEAR] += sign / nearest


@kernel
def chances(tables: Any, side: int, mine: int, theirs: int, tips: int, later: int, sign: float, values: Array) -> None:
    """What the next throw of a side may bring."""
    ground = tables[0]
    fortresses = ground[FORTRESSES]
    blank, one, two = 0.25, 0.75, 0.25  # how likely a throw places beside a piece, moves one square, moves two
    if tips >= 0:
        blank, one, two = 1.0 * (tips == BLANK), 1.0 * (tips >= ONE), 1.0 * (tips > ONE)
    pool = bits(mine) < ground[PIECES]
    safe = guarded(theirs, ground[ENTRANCE + 1 - side], ground)
    # A fortress to take: with a piece that leaves none, or by placing beside a piece.
    wanted = fortresses & ~(mine | safe)
    first = spread(tables, mine & ~fortresses)
    chance = 0.0
    if wanted & first:
        chance += one
    elif wanted & spread(tables, first & ~theirs):
        chance += two
    if pool and wanted & ~theirs & spread(tables, mine):
        chance += blank
    place = WIN if bits(mine & fortresses) == 3 else GRAB
    values[place + later] += sign * chance
    # Enemies to capture.
    first = spread(tables, mine)
    second = spread(tables, first & ~theirs) & ~first
    inner = theirs & ~safe & fortresses
    values[STORM + later] += sign * (one * bits(inner & first) + two * bits(inner & second))
    outer = theirs & ~safe & ~fortresses
    if pool and outer & ground[ENTRANCE + side]:
        outer &= ~ground[ENTRANCE + side]
        values[HUNT + later] += sign
    values[HUNT + later] += sign * (one * bits(outer & first) + two * bits(outer & second))


@kernel
def spread(tables: Any, mask: int) -> int:
    """All neighbours of the squares in a mask."""
    table = tables[3]
    return int(table[0, mask & LOW] | table[1, mask >> HALF])
