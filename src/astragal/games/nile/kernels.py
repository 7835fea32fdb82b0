"""Nile over packed states (see `layout`), rule by rule as in `rules`.

`kernels_river` has the river itself, `kernels_turn` what actions do, `kernels_features` what the heuristic sees.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from astragal.core.compiled import kernel, scratch
from astragal.core.fast import Array
from astragal.core.types import CHANCE, OVER
from astragal.games.nile import layout as at
from astragal.games.nile.kernels_river import (
    NONE,
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
from astragal.games.nile.kernels_turn import draw_tile, lay, passes, refill, scored

KINDS, MOST_ROWS = at.KINDS, at.MOST_ROWS


@kernel
def turn(state: Array, tables: Array) -> int:  # noqa: ARG001
    """The seat to act, CHANCE or OVER."""
    if state[at.PHASE] == at.TURN:
        return int(state[at.SEAT])
    return OVER if state[at.PHASE] == at.DONE else CHANCE


# What may be done ---------------------------------------------------------------------------------------------


@kernel
def legal(state: Array, tables: Array, numbers: Array) -> int:
    """Fills in the legal actions; how many."""
    if state[at.PHASE] != at.TURN:
        return 0
    count = plays(state, tables, numbers)
    if state[at.LAID] == 0:
        if count == 0:
            numbers[0] = at.PASS
            count = 1
    elif not must_end(state, tables):
        numbers[count] = at.STOP
        count += 1
    return count


@kernel
def must_end(state: Array, tables: Array) -> Any:
    """Whether this turn has taken the river onto blue and so must end it (NI-12)."""
    return tables[at.SAME_TURN] != 0 and goal_of(tables, state[at.HEAD]) > 0 and state[at.TOP] == tables[at.ROWS] - 1


@kernel
def plays(state: Array, tables: Array, numbers: Array) -> int:
    """Every way in which the rack can lead the river on by one act."""
    rack = at.RACKS + state[at.SEAT] * at.KINDS
    entry, universals = state[at.ENTRY], state[rack + at.UNI]
    reached = scratch(MOST_ROWS, np.int64)
    flooded = False
    count = 0
    for way in range(2 * at.EXITS if universals else at.EXITS):
        exit = exit_of(tables, entry, way)
        kind = kind_of(tables, entry, exit, way)
        if state[rack + kind] == 0:
            continue
        spare = universals - (kind == at.UNI)
        for crossing in range(2 if spare > 0 else 1):
            if not fits(state, tables, exit, crossing == 1):
                continue
            if tables[at.ENCIRCLE] and spare == crossing and not leads_out(state, tables, exit, crossing == 1):
                if not flooded:
                    flood(state, tables, state[at.HEAD], NONE, NONE, reached)
                    flooded = True
                if would_shut_in(state, tables, exit, crossing == 1, reached):
                    continue
            if not may_enter(state, tables, kind, exit, crossing):
                continue
            numbers[count] = at.LAY + kind * 16 + exit * 2 + crossing
            count += 1
    return count


@kernel
def led_to(state: Array, tables: Array, exit: int, crossing: bool) -> Any:
    """The field that the river enters next after such a lay, or -1."""
    onto = beyond(tables, state[at.HEAD], exit)
    return beyond(tables, onto, exit) if crossing else onto


@kernel
def leads_out(state: Array, tables: Array, exit: int, crossing: bool) -> bool:
    """Whether the river is certainly not shut in after such a lay: it ends, or a way leads straight out."""
    head = state[at.HEAD]
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
    head = state[at.HEAD]
    again = scratch(MOST_ROWS, np.int64)
    flood(state, tables, head, corner_row(tables, head, exit), corner_bit(tables, head, exit), again)
    return not joined(tables, again, onto)


@kernel
def may_enter(state: Array, tables: Array, kind: int, exit: int, crossing: int) -> bool:
    """Under `blue_finish=same_turn`: whether the rack can end a river that goes along blue (NI-12)."""
    if tables[at.SAME_TURN] == 0 or goal_of(tables, state[at.HEAD]) == 0 or ends_at(exit):
        return True
    rack = scratch(KINDS, np.int64)
    for held in range(at.KINDS):
        rack[held] = state[at.RACKS + state[at.SEAT] * at.KINDS + held]
    rack[kind] -= 1
    rack[at.UNI] -= crossing
    return can_end(tables, rack, led_to(state, tables, exit, crossing == 1), (exit + 4) & 7)


@kernel
def chance(state: Array, tables: Array, numbers: Array, weights: Array) -> int:  # noqa: ARG001
    """Fills in the kinds that may be drawn and how many of each the bag holds."""
    if state[at.PHASE] == at.TURN or state[at.PHASE] == at.DONE:
        return 0
    count = 0
    for kind in range(at.KINDS):
        if state[at.BAG + kind] > 0:
            numbers[count] = kind
            weights[count] = state[at.BAG + kind]
            count += 1
    return count


@kernel
def returns(state: Array, tables: Array, shares: Array) -> None:
    """Fills in each seat's share of the win; zeros before the end."""
    best, winners = 0, 0
    for seat in range(tables[at.PLAYERS]):
        shares[seat] = 0
        if state[at.PHASE] != at.DONE or (state[at.GONE] >> seat) & 1:
            continue
        if winners == 0 or state[at.SCORES + seat] > best:
            best, winners = state[at.SCORES + seat], 1
        elif state[at.SCORES + seat] == best:
            winners += 1
    for seat in range(tables[at.PLAYERS] if winners else 0):
        if not (state[at.GONE] >> seat) & 1 and state[at.SCORES + seat] == best:
            shares[seat] = 1 / winners


@kernel
def step(state: Array, tables: Array, number: int) -> None:
    """Does an action or outcome that is possible."""
    if state[at.PHASE] != at.TURN:
        draw_tile(state, tables, number)
    elif number < at.STOP:
        lay(state, tables, number)
    elif number == at.STOP:
        scored(state, tables)
        state[at.IDLE] = 0
        refill(state, tables)
    else:
        passes(state, tables)
