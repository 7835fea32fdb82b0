"""What the heuristic of the modern game looks at, over packed states; `heuristic` says what each feature means."""

from __future__ import annotations

from astragal.core.compiled import kernel, popcount
from astragal.core.fast import Array
from astragal.core.types import OVER
from astragal.games.ur_modern import layout as at
from astragal.games.ur_modern.heuristic import FEATURES
from astragal.games.ur_modern.kernels import guarded, turn

# Places of the features. The last are in pairs, for the side to throw and for the other.
RESULT, TURN, HELD, PAIR, THREE, EARTH, HEAVEN, FIELD, GUARD, ON_BOARD, NEAR, *_PAIRS = range(len(FEATURES))
WIN, GRAB, STORM, HUNT = _PAIRS[::2]

COUNT = len(FEATURES)
LOW = (1 << at.HALF) - 1


@kernel
def features(state: Array, tables: Array, seat: int, values: Array) -> None:
    """All features for a seat: its own less the other side's."""
    for place in range(COUNT):
        values[place] = 0.0
    if turn(state, tables) == OVER:
        fortresses = tables[at.FORTRESSES]
        if state[seat] & fortresses == fortresses:
            values[RESULT] = 1.0
        elif state[1 - seat] & fortresses == fortresses:
            values[RESULT] = -1.0
        return
    mover = state[at.SEAT]
    if mover >= 0:
        values[TURN] = 1.0 if mover == seat else -1.0
    for side in range(2):
        sign = 1.0 if side == seat else -1.0
        stand(tables, side, state[side], sign, values)
        tips = state[at.TIPS] if side == mover else -1
        chances(tables, side, state[side], state[1 - side], tips, 0 if side == mover else 1, sign, values)


@kernel
def stand(tables: Array, side: int, mine: int, sign: float, values: Array) -> None:
    """How a side stands, whoever is to throw."""
    fortresses = tables[at.FORTRESSES]
    held = popcount(mine & fortresses)
    values[HELD] += sign * held
    values[PAIR] += sign * (held >= 2)
    values[THREE] += sign * (held >= 3)
    values[EARTH] += sign * (mine & tables[at.EARTH] == tables[at.EARTH])
    values[HEAVEN] += sign * (mine & tables[at.HEAVEN] == tables[at.HEAVEN])
    if mine & tables[at.ISHTAR]:
        values[FIELD] += sign
        values[GUARD] += sign * held
    pieces = popcount(mine)
    values[ON_BOARD] += sign * pieces
    runners = mine & ~fortresses
    for goal in range(4):
        ring = at.RINGS + at.RING * goal
        steps = tables[ring + 1 + side] if pieces < tables[at.PIECES] else 0  # from the pool
        if tables[ring] & mine or not (runners or steps):
            continue
        nearest = 1
        while nearest != steps and not tables[ring + 2 + nearest] & runners:
            nearest += 1
        values[NEAR] += sign / nearest


@kernel
def chances(
    tables: Array, side: int, mine: int, theirs: int, tips: int, later: int, sign: float, values: Array
) -> None:
    """What the next throw of a side may bring."""
    fortresses = tables[at.FORTRESSES]
    blank, one, two = 0.25, 0.75, 0.25  # how likely a throw places beside a piece, moves one square, moves two
    if tips >= 0:
        blank, one, two = 1.0 * (tips == at.BLANK), 1.0 * (tips >= at.ONE), 1.0 * (tips > at.ONE)
    pool = popcount(mine) < tables[at.PIECES]
    safe = int(guarded(theirs, tables[at.ENTRANCE + 1 - side], tables))
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
    place = WIN if popcount(mine & fortresses) == 3 else GRAB
    values[place + later] += sign * chance
    # Enemies to capture.
    first = spread(tables, mine)
    second = spread(tables, first & ~theirs) & ~first
    inner = theirs & ~safe & fortresses
    values[STORM + later] += sign * (one * popcount(inner & first) + two * popcount(inner & second))
    outer = theirs & ~safe & ~fortresses
    if pool and outer & tables[at.ENTRANCE + side]:
        outer &= ~tables[at.ENTRANCE + side]
        values[HUNT + later] += sign
    values[HUNT + later] += sign * (one * popcount(outer & first) + two * popcount(outer & second))


@kernel
def spread(tables: Array, mask: int) -> int:
    """All neighbours of the squares in a mask."""
    return int(tables[at.SPREAD + (mask & LOW)] | tables[at.SPREAD + LOW + 1 + (mask >> at.HALF)])
