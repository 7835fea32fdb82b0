"""Where the river of Nile may go, over packed states (see `layout`): what `course` says, for `kernels`."""

from __future__ import annotations

from typing import Any

import numpy as np

from astragal.core.compiled import kernel, scratch
from astragal.core.fast import Array
from astragal.games.nile import layout as at

MOST_ROWS = at.MOST_ROWS
NONE: Any = np.int64(0)  # Numba compiles a function apart for every literal that it is called with, but not for these
STAR: Any = np.int64(at.UNI)


@kernel
def beyond(tables: Array, field: int, point: int) -> Any:
    """The field that the river reaches there, or -1."""
    return tables[at.GROUND + field * at.STRIDE + point]


@kernel
def row_of(tables: Array, field: int) -> Any:
    """The row, from 0 at the start."""
    return tables[at.GROUND + field * at.STRIDE + at.ROW]


@kernel
def column_of(tables: Array, field: int) -> Any:
    """The column, from 0 at A."""
    return tables[at.GROUND + field * at.STRIDE + at.COLUMN]


@kernel
def goal_of(tables: Array, field: int) -> Any:
    """What ending the river on this field earns; 0 off the blue row."""
    return tables[at.GROUND + field * at.STRIDE + at.GOAL]


@kernel
def exit_of(tables: Array, entry: int, way: int) -> Any:
    """The exit of one of 14 ways: those in the order of their kinds, and then all again for a universal."""
    if way < at.EXITS:
        return tables[at.WAYS + entry * 8 + way]
    return way - at.EXITS + (way - at.EXITS >= entry)


@kernel
def kind_of(tables: Array, entry: int, exit: int, way: int) -> Any:
    """The kind of tile that goes this way."""
    return tables[at.JOINS + entry * 8 + exit] if way < at.EXITS else at.UNI


@kernel
def ends_at(exit: int) -> bool:
    """Whether a tile on blue with this exit ends the river (NI-12)."""
    return exit <= at.NE or exit == at.NW


@kernel
def in_board_corner(tables: Array, field: int, exit: int) -> bool:
    """Whether this exit of a blue field is a corner of the board, which the river never touches (NI-7)."""
    return (exit == at.NW and column_of(tables, field) == 0) or (
        exit == at.NE and tables[at.GROUND + field * at.STRIDE + at.E] < 0
    )


@kernel
def corner_row(tables: Array, field: int, exit: int) -> Any:
    """The row of corners to which the corner at this odd point belongs."""
    return row_of(tables, field) + (exit != at.SE and exit != at.SW)


@kernel
def corner_bit(tables: Array, field: int, exit: int) -> Any:
    """That corner in its row, as a set."""
    return 1 << (column_of(tables, field) + (exit <= at.SE))


@kernel
def corner_used(state: Array, tables: Array, field: int, exit: int) -> Any:
    """Whether the river has gone through that corner (NI-5)."""
    return (state[at.CORNERS + corner_row(tables, field, exit)] & corner_bit(tables, field, exit)) != 0


@kernel
def covered(state: Array, field: int) -> Any:
    """Whether a tile lies there."""
    return state[at.FIELDS + field] != 0


@kernel
def fits(state: Array, tables: Array, exit: int, crossing: bool) -> bool:
    """Whether the river may leave the head field at this point, whoever lays the tile (`Course.fault`)."""
    head = state[at.HEAD]
    if goal_of(tables, head) > 0 and exit != at.E and exit != at.W:
        return ends_at(exit) and not crossing and not in_board_corner(tables, head, exit)
    onto = beyond(tables, head, exit)
    if onto < 0 or (exit % 2 and corner_used(state, tables, head, exit)):
        return False
    return crosses(state, tables, onto, exit) if crossing else not covered(state, onto)


@kernel
def crosses(state: Array, tables: Array, field: int, exit: int) -> bool:
    """Whether a universal on this field lets the river run straight through (NI-15, NI-16)."""
    lies = state[at.FIELDS + field]
    if lies == 0 or (lies & 15) == at.UNI + 1:
        return False
    points = (1 << exit) | (1 << ((exit + 4) & 7))
    if (lies >> 4) & points or (exit % 2 and corner_used(state, tables, field, exit)):
        return False
    far = beyond(tables, field, exit)
    return far >= 0 and not covered(state, far)


@kernel
def cover(state: Array, tables: Array, field: int, kind: int, entry: int, exit: int) -> None:
    """A tile comes to lie on a field, perhaps in the place of another, and the river goes on from its exit."""
    row = row_of(tables, field)
    points = (state[at.FIELDS + field] >> 4) | (1 << entry) | (1 << exit)
    state[at.FIELDS + field] = (points << 4) | (kind + 1)
    state[at.OCCUPIED + row] |= 1 << column_of(tables, field)
    if row > state[at.TOP]:
        state[at.TOP] = row
    if exit % 2:
        state[at.CORNERS + corner_row(tables, field, exit)] |= corner_bit(tables, field, exit)
    state[at.HEAD] = beyond(tables, field, exit)
    state[at.ENTRY] = (exit + 4) & 7


@kernel
def flood(state: Array, tables: Array, head: int, row: int, bit: int, reached: Array) -> None:
    """Fills in, row by row, the empty fields that are joined to an empty blue one (NI-6).

    `head` counts as covered, and the corner `bit` of that row as used, as they will be after the tile in question.
    """
    rows, full = tables[at.ROWS], tables[at.FULL_ROW]
    head_row = row_of(tables, head)
    top = state[at.TOP] if state[at.TOP] > head_row else head_row
    free = scratch(MOST_ROWS, np.int64)
    for here in range(rows):
        free[here] = full & ~state[at.OCCUPIED + here]
        reached[here] = full if here > top else 0
    free[head_row] &= ~(1 << column_of(tables, head))
    if top == rows - 1:
        reached[top] = free[top]
    changed = True
    while changed:
        changed = False
        for here in range(top if top < rows - 1 else rows - 2, -1, -1):
            used = state[at.CORNERS + here + 1] | (bit if row == here + 1 else 0)
            changed |= grow(reached, here, here + 1, used, free[here])
        for here in range(1, top + 1):
            used = state[at.CORNERS + here] | (bit if row == here else 0)
            changed |= grow(reached, here, here - 1, used, free[here])


@kernel
def rises(state: Array, tables: Array, field: int, head: int) -> bool:
    """Whether a way over empty fields that never turns back leads from this field up beyond all tiles.

    That is a quick yes, and nearly always the answer. `head` counts as covered, as for `flood`.
    """
    full, top = tables[at.FULL_ROW], state[at.TOP]
    head_row, gap = row_of(tables, head), ~(1 << column_of(tables, head))
    row = row_of(tables, field)
    now = 1 << column_of(tables, field)
    while True:
        free = full & ~state[at.OCCUPIED + row]
        if row == head_row:
            free &= gap
        now = widened(now & free, free)
        if now == 0:
            return False
        if row >= top and row >= head_row:
            return True
        row += 1
        open_ = ~state[at.CORNERS + row]
        now |= ((now << 1) & open_) | ((now & open_) >> 1)


@kernel
def widened(now: int, free: int) -> Any:
    """A set of fields in a row, and all free fields that join on to it there."""
    while True:
        wider = (now | (now << 1) | (now >> 1)) & free
        if wider == now:
            return now
        now = wider


@kernel
def grow(reached: Array, row: int, other: int, used: int, free: int) -> bool:
    """Spreads what is reached in the other row over this one, past the used corners between; whether that is more."""
    before, there = reached[row], reached[other]
    now = widened((before | there | ((there << 1) & ~used) | ((there & ~used) >> 1)) & free, free)
    reached[row] = now
    return bool(now != before)


@kernel
def joined(tables: Array, reached: Array, field: int) -> Any:
    """Whether a flood has reached the field."""
    return ((reached[row_of(tables, field)] >> column_of(tables, field)) & 1) != 0


@kernel
def shut_in(state: Array, tables: Array) -> bool:
    """Whether no way over empty fields leads from the head to an empty blue field (NI-6)."""
    start = tables[at.START]  # the head itself is empty here, so a field that is covered anyway stands in for it
    if rises(state, tables, state[at.HEAD], start):
        return False
    reached = scratch(MOST_ROWS, np.int64)
    flood(state, tables, start, NONE, NONE, reached)
    return not joined(tables, reached, state[at.HEAD])


@kernel
def can_end(tables: Array, rack: Array, field: int, entry: int) -> bool:
    """Whether these tiles can end a river that has come along blue and enters this field (NI-12).

    One of them can do it here or not at all: further along the ends are the same, until the corner of the board.
    """
    for exit in range(8):
        if not ends_at(exit) or exit == entry or in_board_corner(tables, field, exit):
            continue
        if rack[at.UNI] > 0 or rack[tables[at.JOINS + entry * 8 + exit]] > 0:
            return True
    return False
