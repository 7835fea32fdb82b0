"""Where the river may go, over arrays: what `course` says, for `kernels`.

Here are also the layouts that all kernels of Nile share.

A packed state is an array of int64: the header, the racks, the rows of the board, its fields, and the log.

- The header has one word for each name below. While lots are drawn, a rack is what its seat drew in this round.
- OCCUPIED: for each row a set of columns (bit 0 is A) that lie under a tile. CORNERS: likewise the used corners, of
  which row r holds those that begin the fields of row r.
- FIELDS: for each field of `board.Grid` 0, or the kind that lies there + 1 with the points its lines use from bit 4.
- Then a word for each U-group: whether this turn has paid for it.
- Then the log: what nobody needs to play on, but `fast.unpack` to tell the past. Each lay is its number, with bit 8 set
  if it left the river shut in; what else happened is one of the codes below, the seat in the lowest bits. A log that
  is full takes no more, and the game goes on without.

Actions have these numbers: 0 to 8 a tile of that kind is drawn, from LAY a tile is laid (16 for each kind: twice the
exit, and 1 more for a crossing), then STOP, PASS, and from RESIGN the seat that gives up.

The tables are one array of int64 too, since taking one out of a tuple costs as much as the work: a word for each
name of the setup below; from VALUES and COUNTS on a word for each kind; from WAYS for each entry the seven exits in the
order of the kinds that lead there, and from JOINS for each entry and exit the kind that joins them; from GROUND 16
words for each field: what lies beyond its eight points, then those named below.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from astragal.core.compiled import kernel
from astragal.core.fast import Array

KINDS = 9
UNI = 8  # the universal's place among the kinds
SEATS = 4
MOST_ROWS = 40

LAY = KINDS
STOP = LAY + KINDS * 16
PASS = STOP + 1
RESIGN = PASS + 1
MOST = 30  # 7 exits with their kinds and 7 with a universal, each also as a crossing, and a stop

# The header
PHASE, SEAT, FIRST, LAID, PENDING, IDLE, GONE, RIVALS, WAITED, HEAD, ENTRY, TOP, SHUT, LOGGED, IN_BAG = range(15)
BAG = 15
SCORES = BAG + KINDS
SIZES = SCORES + SEATS
RACKS = SIZES + SEATS
OCCUPIED = RACKS + SEATS * KINDS
CORNERS = OCCUPIED + MOST_ROWS
FIELDS = CORNERS + MOST_ROWS + 1

LOTS, DEAL, TURN, REFILL, DONE = range(5)  # phases

# The log
SHUT_BIT = 1 << 8
SCORED, PASSED, WAITS, RESIGNS, LOT = (code << 12 for code in range(1, 6))

# The setup
PLAYERS, ROWS, FULL_ROW, START, RACK, BONUS, ENCIRCLE, SAME_TURN, PAID, LOG, GROUPS, TOTAL = range(12)

# A field
STRIDE = 16
ROW, COLUMN, COLOUR, GROUP, GOAL, REACH, LIKELY = range(8, 15)
# COLOUR: what the field earns. GOAL: what ending there earns, 0 off the blue row. REACH, LIKELY: see `heuristic.reach`

EXITS = 7
VALUES = 16
COUNTS = VALUES + KINDS
WAYS = COUNTS + KINDS
JOINS = WAYS + 64
GROUND = JOINS + 64

N, NE, E, SE, S, SW, W, NW = range(8)
NONE: Any = np.int64(0)  # Numba compiles a function apart for every literal that it is called with, but not for these
STAR: Any = np.int64(UNI)


@kernel
def beyond(tables: Array, field: int, point: int) -> Any:
    """The field that the river reaches there, or -1."""
    return tables[GROUND + field * STRIDE + point]


@kernel
def row_of(tables: Array, field: int) -> Any:
    """The row, from 0 at the start."""
    return tables[GROUND + field * STRIDE + ROW]


@kernel
def column_of(tables: Array, field: int) -> Any:
    """The column, from 0 at A."""
    return tables[GROUND + field * STRIDE + COLUMN]


@kernel
def goal_of(tables: Array, field: int) -> Any:
    """What ending the river on this field earns; 0 off the blue row."""
    return tables[GROUND + field * STRIDE + GOAL]


@kernel
def exit_of(tables: Array, entry: int, way: int) -> Any:
    """The exit of one of 14 ways: those in the order of their kinds, and then all again for a universal."""
    if way < EXITS:
        return tables[WAYS + entry * 8 + way]
    return way - EXITS + (way - EXITS >= entry)


@kernel
def kind_of(tables: Array, entry: int, exit: int, way: int) -> Any:
    """The kind of tile that goes this way."""
    return tables[JOINS + entry * 8 + exit] if way < EXITS else UNI


@kernel
def ends_at(exit: int) -> bool:
    """Whether a tile on blue with this exit ends the river (NI-12)."""
    return exit <= NE or exit == NW


@kernel
def in_board_corner(tables: Array, field: int, exit: int) -> bool:
    """Whether this exit of a blue field is a corner of the board, which the river never touches (NI-7)."""
    return (exit == NW and column_of(tables, field) == 0) or (exit == NE and tables[GROUND + field * STRIDE + E] < 0)


@kernel
def corner_row(tables: Array, field: int, exit: int) -> Any:
    """The row of corners to which the corner at this odd point belongs."""
    return row_of(tables, field) + (exit != SE and exit != SW)


@kernel
def corner_bit(tables: Array, field: int, exit: int) -> Any:
    """That corner in its row, as a set."""
    return np.int64(1) << (column_of(tables, field) + (exit <= SE))


@kernel
def corner_used(state: Array, tables: Array, field: int, exit: int) -> Any:
    """Whether the river has gone through that corner (NI-5)."""
    return (state[CORNERS + corner_row(tables, field, exit)] & corner_bit(tables, field, exit)) != 0


@kernel
def covered(state: Array, field: int) -> Any:
    """Whether a tile lies there."""
    return state[FIELDS + field] != 0


@kernel
def fits(state: Array, tables: Array, exit: int, crossing: bool) -> bool:
    """Whether the river may leave the head field at this point, whoever lays the tile (`Course.fault`)."""
    head = state[HEAD]
    if goal_of(tables, head) > 0 and exit != E and exit != W:
        return ends_at(exit) and not crossing and not in_board_corner(tables, head, exit)
    onto = beyond(tables, head, exit)
    if onto < 0 or (exit % 2 and corner_used(state, tables, head, exit)):
        return False
    return crosses(state, tables, onto, exit) if crossing else not covered(state, onto)


@kernel
def crosses(state: Array, tables: Array, field: int, exit: int) -> bool:
    """Whether a universal on this field lets the river run straight through (NI-15, NI-16)."""
    lies = state[FIELDS + field]
    if lies == 0 or (lies & 15) == UNI + 1:
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
    points = (state[FIELDS + field] >> 4) | (1 << entry) | (1 << exit)
    state[FIELDS + field] = (points << 4) | (kind + 1)
    state[OCCUPIED + row] |= np.int64(1) << column_of(tables, field)
    if row > state[TOP]:
        state[TOP] = row
    if exit % 2:
        state[CORNERS + corner_row(tables, field, exit)] |= corner_bit(tables, field, exit)
    state[HEAD] = beyond(tables, field, exit)
    state[ENTRY] = (exit + 4) & 7


@kernel
def flood(state: Array, tables: Array, head: int, row: int, bit: int, reached: Array) -> None:
    """Fills in, row by row, the empty fields that are joined to an empty blue one (NI-6).

    `head` counts as covered, and the corner `bit` of that row as used, as they will be after the tile in question.
    """
    rows, full = tables[ROWS], tables[FULL_ROW]
    head_row = row_of(tables, head)
    top = state[TOP] if state[TOP] > head_row else head_row
    free = np.empty(MOST_ROWS, dtype=np.int64)
    for here in range(rows):
        free[here] = full & ~state[OCCUPIED + here]
        reached[here] = full if here > top else 0
    free[head_row] &= ~(np.int64(1) << column_of(tables, head))
    if top == rows - 1:
        reached[top] = free[top]
    changed = True
    while changed:
        changed = False
        for here in range(top if top < rows - 1 else rows - 2, -1, -1):
            used = state[CORNERS + here + 1] | (bit if row == here + 1 else 0)
            changed |= grow(reached, here, here + 1, used, free[here])
        for here in range(1, top + 1):
            used = state[CORNERS + here] | (bit if row == here else 0)
            changed |= grow(reached, here, here - 1, used, free[here])


@kernel
def rises(state: Array, tables: Array, field: int, head: int) -> bool:
    """Whether a way over empty fields that never turns back leads from this field up beyond all tiles.

    That is a quick yes, and nearly always the answer. `head` counts as covered, as for `flood`.
    """
    full, top = tables[FULL_ROW], state[TOP]
    head_row, gap = row_of(tables, head), ~(np.int64(1) << column_of(tables, head))
    row = row_of(tables, field)
    now = np.int64(1) << column_of(tables, field)
    while True:
        free = full & ~state[OCCUPIED + row]
        if row == head_row:
            free &= gap
        now = widened(now & free, free)
        if now == 0:
            return False
        if row >= top and row >= head_row:
            return True
        row += 1
        open_ = ~state[CORNERS + row]
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
    start = tables[START]  # the head itself is empty here, so a field that is covered anyway stands in for it
    if rises(state, tables, state[HEAD], start):
        return False
    reached = np.empty(MOST_ROWS, dtype=np.int64)
    flood(state, tables, start, NONE, NONE, reached)
    return not joined(tables, reached, state[HEAD])


@kernel
def can_end(tables: Array, rack: Array, field: int, entry: int) -> bool:
    """Whether these tiles can end a river that has come along blue and enters this field (NI-12).

    One of them can do it here or not at all: further along the ends are the same, until the corner of the board.
    """
    for exit in range(8):
        if not ends_at(exit) or exit == entry or in_board_corner(tables, field, exit):
            continue
        if rack[UNI] > 0 or rack[tables[JOINS + entry * 8 + exit]] > 0:
            return True
    return False
