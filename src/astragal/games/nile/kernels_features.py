"""What `heuristic` sees in a position of Nile, over arrays; there it is told what each feature means."""

from __future__ import annotations

from typing import Any

import numpy as np

from astragal.core.compiled import kernel
from astragal.core.fast import Array
from astragal.games.nile.kernels import must_end, returns
from astragal.games.nile.kernels_river import (
    BONUS,
    COLOUR,
    DEAL,
    DONE,
    ENTRY,
    EXITS,
    FIRST,
    GONE,
    GROUND,
    GROUP,
    HEAD,
    IN_BAG,
    JOINS,
    KINDS,
    LAID,
    LIKELY,
    LOTS,
    PAID,
    PENDING,
    PHASE,
    PLAYERS,
    RACK,
    RACKS,
    REACH,
    ROWS,
    SAME_TURN,
    SCORES,
    SEAT,
    SHUT,
    STRIDE,
    TOTAL,
    TURN,
    UNI,
    VALUES,
    E,
    W,
    beyond,
    corner_bit,
    corner_row,
    corner_used,
    covered,
    ends_at,
    exit_of,
    goal_of,
    in_board_corner,
    kind_of,
    row_of,
)
from astragal.games.nile.kernels_turn import active, left_of, worth

# The constants of `heuristic`, which must be the same there; in hundredths of a point but for WAYS_LOOKED_AT
CENT = 100
WIN = 200 * CENT
HELD_UNIVERSAL = 8 * CENT
PLAYS = 50
BESIDES = 100
WAYS_LOOKED_AT = 250

# A step of a way that is looked at
FIELD, ENTERED, WAY, TILE, GAIN, CORNER_ROW, CORNER_BIT = range(7)
NOWHERE = -(1 << 40)


@kernel
def features(state: Array, tables: Array, seat: int, values: Array) -> None:
    """Fills in the features of a seat."""
    for place in range(len(values)):
        values[place] = 0
    if (state[GONE] >> seat) & 1:
        values[0] = -1
        return
    if state[PHASE] == DONE:
        shares = np.empty(4)
        returns(state, tables, shares)
        values[0] = 1 if shares[seat] == 1 else 0 if shares[seat] > 0 else -1
        return
    if state[PHASE] == LOTS:
        return
    lead = ahead(state, tables, seat)
    row = row_of(tables, state[HEAD]) / (tables[ROWS] - 1)
    used = 1 - state[IN_BAG] / tables[TOTAL]
    head, gain, won = state[HEAD], np.int64(0), np.int64(0)
    mover = next_mover(state, tables)
    if mover == seat and state[PHASE] != DEAL:
        found = np.empty(3, dtype=np.int64)
        look_ahead(state, tables, seat, lead, found)
        gain, head, won = found[0], found[1], found[2]
    universals = state[RACKS + seat * KINDS + UNI]
    values[1] = lead / 100
    values[2] = lead / 100 * (row if row > used else used)
    values[3] = 0 if won else gain / (100 * CENT)
    values[4] = won
    if head >= 0:
        values[5] = -PLAYS * tables[GROUND + head * STRIDE + COLOUR] / (100 * CENT)
        values[6] = -threat(tables, head, lead * CENT + gain) / (100 * CENT)
    values[7] = universals
    values[8] = 0 if state[SHUT] == 0 else 1 if universals else -1
    values[9] = worth(state, tables, seat) / 100
    values[10] = tempo(state, tables, seat, mover)


@kernel
def ahead(state: Array, tables: Array, seat: int) -> Any:
    """How far a seat is ahead of the best other one, the turn in progress included."""
    mine, best, others = np.int64(0), np.int64(0), 0
    for other in range(tables[PLAYERS]):
        if (state[GONE] >> other) & 1:
            continue
        total = state[SCORES + other]
        if other == state[SEAT] and state[LAID] > 0:
            total += state[PENDING] + (tables[BONUS] if state[LAID] >= tables[RACK] else 0)
        if other == seat:
            mine = total
        elif others == 0 or total > best:
            best = total
            others = 1
    return mine - best


@kernel
def next_mover(state: Array, tables: Array) -> Any:
    """Whose turn it is, or will be next."""
    if state[PHASE] == TURN:
        return state[SEAT]
    return state[FIRST] if state[PHASE] == DEAL else left_of(state, tables, state[SEAT])


@kernel
def tempo(state: Array, tables: Array, seat: int, mover: int) -> Any:
    """How few turns the others have before this seat's next one, or the one after a turn that is looked into."""
    if seat == mover:
        return 0.0
    before = 0.0
    if state[PHASE] == TURN and state[LAID] > 0:
        before = -(state[LAID] if state[LAID] < tables[RACK] else tables[RACK]) / tables[RACK]
    while mover != seat:
        before += 1
        mover = left_of(state, tables, mover)
    return 1 - before / (active(state, tables) - 1)


@kernel
def look_ahead(state: Array, tables: Array, seat: int, lead: int, found: Array) -> None:
    """The best way to play on or stop: what it still earns, where it leads, and whether it ends the river and wins."""
    path = np.empty((KINDS + 1, 7), dtype=np.int64)
    rack = np.empty(KINDS, dtype=np.int64)
    for kind in range(KINDS):
        rack[kind] = state[RACKS + seat * KINDS + kind]
    found[0], found[1], found[2] = 0, state[HEAD], 0
    best = np.int64(NOWHERE)
    if state[LAID] > 0 and not must_end(state, tables):
        best = left(tables, state[HEAD], lead * CENT)
    path[0, FIELD], path[0, ENTERED], path[0, WAY], path[0, GAIN] = state[HEAD], state[ENTRY], 0, 0
    depth, looked_at = np.int64(0), 0
    while depth >= 0:
        entry, way = path[depth, ENTERED], path[depth, WAY]
        if way == (2 * EXITS if rack[UNI] else EXITS) or looked_at == WAYS_LOOKED_AT:
            depth -= 1
            if depth >= 0:
                rack[path[depth, TILE]] += 1
            continue
        path[depth, WAY] += 1
        exit = exit_of(tables, entry, way)
        kind = kind_of(tables, entry, exit, way)
        if rack[kind] == 0 or (kind == UNI and rack[tables[JOINS + entry * 8 + exit]] > 0):
            continue
        if not free_to_go(state, tables, path, depth, exit):
            continue
        looked_at += 1
        field = path[depth, FIELD]
        gain = path[depth, GAIN] + earns(state, tables, path, depth, kind)
        blue = goal_of(tables, field)
        if blue > 0 and ends_at(exit):
            gain += CENT * (blue + tables[VALUES + kind])
            for other in range(KINDS):
                gain -= CENT * rack[other] * tables[VALUES + other]
            won = 1 if lead * CENT + gain > 0 else -1
            if gain + won * WIN > best:
                best = gain + won * WIN
                found[0], found[1], found[2] = gain, -1, won
            continue
        onto = beyond(tables, field, exit)
        stops = gain + left(tables, onto, lead * CENT + gain)
        if stops > best and (blue == 0 or tables[SAME_TURN] == 0):
            best = stops
            found[0], found[1], found[2] = gain, onto, 0
        path[depth, TILE] = kind
        rack[kind] -= 1
        path[depth, CORNER_ROW], path[depth, CORNER_BIT] = -1, 0
        if exit % 2:
            path[depth, CORNER_ROW] = corner_row(tables, field, exit)
            path[depth, CORNER_BIT] = corner_bit(tables, field, exit)
        depth += 1
        path[depth, FIELD], path[depth, ENTERED], path[depth, WAY] = onto, (exit + 4) & 7, 0
        path[depth, GAIN] = gain


@kernel
def free_to_go(state: Array, tables: Array, path: Array, depth: Any, exit: int) -> bool:
    """Whether a way may go on to this exit; crossings and shutting the river in are not looked into."""
    field = path[depth, FIELD]
    if goal_of(tables, field) > 0 and exit != E and exit != W:
        return ends_at(exit) and not in_board_corner(tables, field, exit)
    onto = beyond(tables, field, exit)
    if onto < 0 or covered(state, onto):
        return False
    for earlier in range(depth):
        if path[earlier, FIELD] == onto:
            return False
    if exit % 2:
        if corner_used(state, tables, field, exit):
            return False
        row, bit = corner_row(tables, field, exit), corner_bit(tables, field, exit)
        for earlier in range(depth):
            if path[earlier, CORNER_ROW] == row and path[earlier, CORNER_BIT] == bit:
                return False
    return True


@kernel
def earns(state: Array, tables: Array, path: Array, depth: Any, kind: int) -> Any:
    """What a tile of this kind earns at this step of a way, less what a universal is good for in hand."""
    gain = tables[VALUES + kind] - (HELD_UNIVERSAL // CENT if kind == UNI else 0)
    if state[LAID] + depth + 1 == tables[RACK]:
        gain += tables[BONUS]
    field = path[depth, FIELD]
    group = tables[GROUND + field * STRIDE + GROUP]
    if group >= 0:
        if state[tables[PAID] + group]:
            return gain * CENT
        for earlier in range(depth):
            if tables[GROUND + path[earlier, FIELD] * STRIDE + GROUP] == group:
                return gain * CENT
    return (gain + tables[GROUND + field * STRIDE + COLOUR]) * CENT


@kernel
def left(tables: Array, head: int, lead: int) -> Any:
    """What a river that enters this field leaves to the next player, as a loss (above 0) or a gain (below)."""
    return -PLAYS * tables[GROUND + head * STRIDE + COLOUR] - threat(tables, head, lead)


@kernel
def threat(tables: Array, head: int, lead: int) -> Any:
    """What such a river is worth to the next player because of the goal; `lead` too is in hundredths."""
    goal = tables[GROUND + head * STRIDE + REACH]
    return tables[GROUND + head * STRIDE + LIKELY] * (goal + BESIDES) if goal * CENT >= lead else np.int64(0)
