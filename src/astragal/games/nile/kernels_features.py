"""What the heuristic of Nile looks at, over packed states (see `layout`); `heuristic` says what each feature means.

The best way to use the rack is found by trying: it is the one that earns most, counted in hundredths of a point, less
what it leaves to the next player.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from astragal.core.compiled import kernel, scratch
from astragal.core.fast import Array
from astragal.games.nile import layout as at
from astragal.games.nile.heuristic import FEATURES
from astragal.games.nile.kernels import must_end, returns
from astragal.games.nile.kernels_river import (
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

# Places of the features
RESULT, POINTS, LATE, GOES_ON, FINISH, NEXT, GOAL, UNIVERSALS, SHUT, HAND, TEMPO = range(len(FEATURES))

CENT = 100
WIN = 200 * CENT  # what ending the river with a win is worth, beside the points
HELD_UNIVERSAL = 8 * CENT  # what a universal in hand is good for, beside its value
PLAYS = 50  # how much a coloured head counts for the next player, who may not want or be able to go there, of a hundred
BESIDES = 100  # points that ending the river is worth to the next player, beside the goal
WAYS_LOOKED_AT = 250  # tiles laid in thought, after which the rest is not looked into
NOWHERE = -(1 << 40)

FIELD, ENTERED, WAY, TILE, GAIN, CORNER_ROW, CORNER_BIT, STEP = range(8)  # of a step of a way, and how long it is
PATH = STEP * (at.KINDS + 1)
KINDS, SEATS, PROSPECT = at.KINDS, at.SEATS, 3


@kernel
def features(state: Array, tables: Array, seat: int, values: Array) -> None:
    """Fills in the features of a seat."""
    for place in range(len(values)):
        values[place] = 0.0
    if (state[at.GONE] >> seat) & 1:
        values[RESULT] = -1
        return
    if state[at.PHASE] == at.DONE:
        shares = scratch(SEATS, np.float64)
        returns(state, tables, shares)
        values[RESULT] = 1 if shares[seat] == 1 else 0 if shares[seat] > 0 else -1
        return
    if state[at.PHASE] == at.LOTS:
        return
    lead = ahead(state, tables, seat)
    row = row_of(tables, state[at.HEAD]) / (tables[at.ROWS] - 1)
    used = 1 - state[at.IN_BAG] / tables[at.TOTAL]
    head, gain, won = state[at.HEAD], 0, 0
    mover = next_mover(state, tables)
    if mover == seat and state[at.PHASE] != at.DEAL:
        prospect = scratch(PROSPECT, np.int64)
        look_ahead(state, tables, seat, lead, prospect)
        gain, head, won = prospect[0], prospect[1], prospect[2]
    universals = state[at.RACKS + seat * at.KINDS + at.UNI]
    values[POINTS] = lead / 100
    values[LATE] = lead / 100 * (row if row > used else used)
    values[GOES_ON] = 0 if won else gain / (100 * CENT)
    values[FINISH] = won
    if head >= 0:
        values[NEXT] = -PLAYS * tables[at.GROUND + head * at.STRIDE + at.COLOUR] / (100 * CENT)
        values[GOAL] = -threat(tables, head, lead * CENT + gain) / (100 * CENT)
    values[UNIVERSALS] = universals
    values[SHUT] = 0 if state[at.SHUT] == 0 else 1 if universals else -1
    values[HAND] = worth(state, tables, seat) / 100
    values[TEMPO] = tempo(state, tables, seat, mover)


@kernel
def ahead(state: Array, tables: Array, seat: int) -> Any:
    """How far a seat is ahead of the best other one, the turn in progress included."""
    mine, best, others = 0, 0, 0
    for other in range(tables[at.PLAYERS]):
        if (state[at.GONE] >> other) & 1:
            continue
        total = state[at.SCORES + other]
        if other == state[at.SEAT] and state[at.LAID] > 0:
            total += state[at.PENDING] + (tables[at.BONUS] if state[at.LAID] >= tables[at.RACK] else 0)
        if other == seat:
            mine = total
        elif others == 0 or total > best:
            best = total
            others = 1
    return mine - best


@kernel
def next_mover(state: Array, tables: Array) -> Any:
    """Whose turn it is, or will be next."""
    if state[at.PHASE] == at.TURN:
        return state[at.SEAT]
    return state[at.FIRST] if state[at.PHASE] == at.DEAL else left_of(state, tables, state[at.SEAT])


@kernel
def tempo(state: Array, tables: Array, seat: int, mover: int) -> Any:
    """How few turns the others have before this seat's next one, or the one after a turn that is looked into."""
    if seat == mover:
        return 0.0
    before = 0.0
    if state[at.PHASE] == at.TURN and state[at.LAID] > 0:
        before = -(state[at.LAID] if state[at.LAID] < tables[at.RACK] else tables[at.RACK]) / tables[at.RACK]
    while mover != seat:
        before += 1
        mover = left_of(state, tables, mover)
    return 1 - before / (active(state, tables) - 1)


@kernel
def look_ahead(state: Array, tables: Array, seat: int, lead: int, prospect: Array) -> None:
    """The best way to play on or stop: what it still earns, where it leads, and whether it ends the river and wins."""
    path = scratch(PATH, np.int64)
    rack = scratch(KINDS, np.int64)
    for kind in range(at.KINDS):
        rack[kind] = state[at.RACKS + seat * at.KINDS + kind]
    prospect[0], prospect[1], prospect[2] = 0, state[at.HEAD], 0
    best = NOWHERE
    if state[at.LAID] > 0 and not must_end(state, tables):
        best = left(tables, state[at.HEAD], lead * CENT)
    path[FIELD], path[ENTERED], path[WAY], path[GAIN] = state[at.HEAD], state[at.ENTRY], 0, 0
    depth, looked_at = 0, 0
    while depth >= 0:
        row = depth * STEP
        entry, way = path[row + ENTERED], path[row + WAY]
        if way == (2 * at.EXITS if rack[at.UNI] else at.EXITS) or looked_at == WAYS_LOOKED_AT:
            depth -= 1
            if depth >= 0:
                rack[path[row - STEP + TILE]] += 1
            continue
        path[row + WAY] += 1
        exit = exit_of(tables, entry, way)
        kind = kind_of(tables, entry, exit, way)
        if rack[kind] == 0 or (kind == at.UNI and rack[tables[at.JOINS + entry * 8 + exit]] > 0):
            continue
        field = path[row + FIELD]
        if not free_to_go(state, tables, path, depth, field, exit):
            continue
        looked_at += 1
        gain = path[row + GAIN] + earns(state, tables, path, depth, kind)
        blue = goal_of(tables, field)
        if blue > 0 and ends_at(exit):
            gain += CENT * (blue + tables[at.VALUES + kind])
            for other in range(at.KINDS):
                gain -= CENT * rack[other] * tables[at.VALUES + other]
            won = 1 if lead * CENT + gain > 0 else -1
            if gain + won * WIN > best:
                best = gain + won * WIN
                prospect[0], prospect[1], prospect[2] = gain, -1, won
            continue
        onto = beyond(tables, field, exit)
        stops = gain + left(tables, onto, lead * CENT + gain)
        if stops > best and (blue == 0 or tables[at.SAME_TURN] == 0):
            best = stops
            prospect[0], prospect[1], prospect[2] = gain, onto, 0
        path[row + TILE] = kind
        rack[kind] -= 1
        path[row + CORNER_ROW], path[row + CORNER_BIT] = -1, 0
        if exit % 2:
            path[row + CORNER_ROW] = corner_row(tables, field, exit)
            path[row + CORNER_BIT] = corner_bit(tables, field, exit)
        depth += 1
        row += STEP
        path[row + FIELD], path[row + ENTERED], path[row + WAY] = onto, (exit + 4) & 7, 0
        path[row + GAIN] = gain


@kernel
def free_to_go(state: Array, tables: Array, path: Array, depth: int, field: int, exit: int) -> bool:
    """Whether a way may go on to this exit; crossings and shutting the river in are not looked into."""
    if goal_of(tables, field) > 0 and exit != at.E and exit != at.W:
        return ends_at(exit) and not in_board_corner(tables, field, exit)
    onto = beyond(tables, field, exit)
    if onto < 0 or covered(state, onto):
        return False
    for earlier in range(depth):
        if path[earlier * STEP + FIELD] == onto:
            return False
    if exit % 2:
        if corner_used(state, tables, field, exit):
            return False
        row, bit = corner_row(tables, field, exit), corner_bit(tables, field, exit)
        for earlier in range(depth):
            if path[earlier * STEP + CORNER_ROW] == row and path[earlier * STEP + CORNER_BIT] == bit:
                return False
    return True


@kernel
def earns(state: Array, tables: Array, path: Array, depth: Any, kind: int) -> Any:
    """What a tile of this kind earns at this step of a way, less what a universal is good for in hand."""
    gain = tables[at.VALUES + kind] - (HELD_UNIVERSAL // CENT if kind == at.UNI else 0)
    if state[at.LAID] + depth + 1 == tables[at.RACK]:
        gain += tables[at.BONUS]
    field = path[depth * STEP + FIELD]
    group = tables[at.GROUND + field * at.STRIDE + at.GROUP]
    if group >= 0:
        if state[tables[at.PAID] + group]:
            return gain * CENT
        for earlier in range(depth):
            if tables[at.GROUND + path[earlier * STEP + FIELD] * at.STRIDE + at.GROUP] == group:
                return gain * CENT
    return (gain + tables[at.GROUND + field * at.STRIDE + at.COLOUR]) * CENT


@kernel
def left(tables: Array, head: int, lead: int) -> Any:
    """What a river that enters this field leaves to the next player, as a loss (above 0) or a gain (below)."""
    return -PLAYS * tables[at.GROUND + head * at.STRIDE + at.COLOUR] - threat(tables, head, lead)


@kernel
def threat(tables: Array, head: int, lead: int) -> Any:
    """What such a river is worth to the next player because of the goal; `lead` too is in hundredths."""
    goal = tables[at.GROUND + head * at.STRIDE + at.REACH]
    return tables[at.GROUND + head * at.STRIDE + at.LIKELY] * (goal + BESIDES) if goal * CENT >= lead else 0
