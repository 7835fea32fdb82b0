"""Nile over arrays, rule by rule as in `rules`.

`kernels_river` has the layouts, the numbers of actions and the river itself, `kernels_turn` what actions do,
`kernels_features` what the heuristic sees.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from astragal.core.compiled import kernel
from astragal.core.fast import Array
from astragal.core.types import CHANCE, OVER
from astragal.games.nile.kernels_river import (
    BAG,
    DONE,
    ENCIRCLE,
    ENTRY,
    EXITS,
    GONE,
    HEAD,
    IDLE,
    KINDS,
    LAID,
    LAY,
    MOST_ROWS,
    NONE,
    PASS,
    PHASE,
    PLAYERS,
    RACKS,
    RESIGN,
    ROWS,
    SAME_TURN,
    SCORES,
    SEAT,
    STOP,
    TOP,
    TURN,
    UNI,
    beyond,
    can_end,
    corner_bit,
    corner_row,
    ends_at,
    exit_of,
    fits,
    flood,
    goal_of,
    joined,
    kind_of,
    rises,
)
from astragal.games.nile.kernels_turn import draw_tile, lay, passes, refill, resign, scored


@kernel
def turn(state: Array, tables: Array) -> int:  # noqa: ARG001
    """The seat to act, CHANCE or OVER."""
    if state[PHASE] == TURN:
        return int(state[SEAT])
    return OVER if state[PHASE] == DONE else CHANCE


# What may be done ---------------------------------------------------------------------------------------------


@kernel
def legal(state: Array, tables: Array, numbers: Array) -> int:
    """Fills in the legal actions; how many."""
    if state[PHASE] != TURN:
        return 0
    count = plays(state, tables, numbers)
    if state[LAID] == 0:
        if count == 0:
            numbers[0] = PASS
            count = 1
    elif not must_end(state, tables):
        numbers[count] = STOP
        count += 1
    return count


@kernel
def must_end(state: Array, tables: Array) -> Any:
    """Whether this turn has taken the river onto blue and so must end it (NI-12)."""
    return tables[SAME_TURN] != 0 and goal_of(tables, state[HEAD]) > 0 and state[TOP] == tables[ROWS] - 1


@kernel
def plays(state: Array, tables: Array, numbers: Array) -> int:
    """Every way in which the rack can lead the river on by one act."""
    rack = RACKS + state[SEAT] * KINDS
    entry, universals = state[ENTRY], state[rack + UNI]
    reached = np.empty(MOST_ROWS, dtype=np.int64)
    flooded = False
    count = 0
    for way in range(2 * EXITS if universals else EXITS):
        exit = exit_of(tables, entry, way)
        kind = kind_of(tables, entry, exit, way)
        if state[rack + kind] == 0:
            continue
        spare = universals - (kind == UNI)
        for crossing in range(2 if spare > 0 else 1):
            if not fits(state, tables, exit, crossing == 1):
                continue
            if tables[ENCIRCLE] and spare == crossing and not leads_out(state, tables, exit, crossing == 1):
                if not flooded:
                    flood(state, tables, state[HEAD], NONE, NONE, reached)
                    flooded = True
                if would_shut_in(state, tables, exit, crossing == 1, reached):
                    continue
            if not may_enter(state, tables, kind, exit, crossing):
                continue
            numbers[count] = LAY + kind * 16 + exit * 2 + crossing
            count += 1
    return count


@kernel
def led_to(state: Array, tables: Array, exit: int, crossing: bool) -> Any:
    """The field that the river enters next after such a lay, or -1."""
    onto = beyond(tables, state[HEAD], exit)
    return beyond(tables, onto, exit) if crossing else onto


@kernel
def leads_out(state: Array, tables: Array, exit: int, crossing: bool) -> bool:
    """Whether the river is certainly not shut in after such a lay: it ends, or a way leads straight out."""
    head = state[HEAD]
    if goal_of(tables, head) > 0 and ends_at(exit):
        return True
    if crossing and exit % 2:
        return False  # the corner that it uses may matter
    return rises(state, tables, led_to(state, tables, exit, crossing), head)


@kernel
def would_shut_in(state: Array, tables: Array, exit: int, crossing: bool, reached: Array) -> bool:
    """Whether the river would be shut in, given a flood in which its present head is covered.

    The corner through which the river leaves matters only if a crossing leads through it: else the next head is empty
    and joins the two fields beside that corner anyway.
    """
    onto = led_to(state, tables, exit, crossing)
    if not crossing or exit % 2 == 0:
        return not joined(tables, reached, onto)
    head = state[HEAD]
    again = np.empty(MOST_ROWS, dtype=np.int64)
    flood(state, tables, head, corner_row(tables, head, exit), corner_bit(tables, head, exit), again)
    return not joined(tables, again, onto)


@kernel
def may_enter(state: Array, tables: Array, kind: int, exit: int, crossing: int) -> bool:
    """Under `blue_finish=same_turn`: whether the rack can end a river that goes along blue (NI-12)."""
    if tables[SAME_TURN] == 0 or goal_of(tables, state[HEAD]) == 0 or ends_at(exit):
        return True
    rack = np.empty(KINDS, dtype=np.int64)
    for held in range(KINDS):
        rack[held] = state[RACKS + state[SEAT] * KINDS + held]
    rack[kind] -= 1
    rack[UNI] -= crossing
    return can_end(tables, rack, led_to(state, tables, exit, crossing == 1), (exit + 4) & 7)


@kernel
def chance(state: Array, tables: Array, numbers: Array, weights: Array) -> int:  # noqa: ARG001
    """Fills in the kinds that may be drawn and how many of each the bag holds."""
    if state[PHASE] == TURN or state[PHASE] == DONE:
        return 0
    count = 0
    for kind in range(KINDS):
        if state[BAG + kind] > 0:
            numbers[count] = kind
            weights[count] = state[BAG + kind]
            count += 1
    return count


@kernel
def returns(state: Array, tables: Array, shares: Array) -> None:
    """Fills in each seat's share of the win; zeros before the end."""
    best, winners = np.int64(0), 0
    for seat in range(tables[PLAYERS]):
        shares[seat] = 0
        if state[PHASE] != DONE or (state[GONE] >> seat) & 1:
            continue
        if winners == 0 or state[SCORES + seat] > best:
            best, winners = state[SCORES + seat], 1
        elif state[SCORES + seat] == best:
            winners += 1
    for seat in range(tables[PLAYERS] if winners else 0):
        if not (state[GONE] >> seat) & 1 and state[SCORES + seat] == best:
            shares[seat] = 1 / winners


@kernel
def step(state: Array, tables: Array, number: int) -> None:
    """Does an action or outcome that is possible."""
    if number < LAY:
        draw_tile(state, tables, number)
    elif number < STOP:
        lay(state, tables, number)
    elif number == STOP:
        scored(state, tables)
        state[IDLE] = 0
        refill(state, tables)
    elif number == PASS:
        passes(state, tables)
    else:
        resign(state, tables, number - RESIGN)
