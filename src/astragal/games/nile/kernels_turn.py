"""What happens in Nile, over arrays: the second half of `rules`, for `kernels`."""

from __future__ import annotations

from typing import Any

import numpy as np

from astragal.core.compiled import kernel
from astragal.core.fast import Array
from astragal.games.nile.kernels_river import (
    BAG,
    BONUS,
    COLOUR,
    COUNTS,
    DEAL,
    DONE,
    ENTRY,
    FIELDS,
    FIRST,
    GONE,
    GROUND,
    GROUP,
    GROUPS,
    HEAD,
    IDLE,
    IN_BAG,
    KINDS,
    LAID,
    LAY,
    LOG,
    LOGGED,
    LOT,
    LOTS,
    PAID,
    PASSED,
    PENDING,
    PHASE,
    PLAYERS,
    RACK,
    RACKS,
    REFILL,
    RESIGNS,
    RIVALS,
    SCORED,
    SCORES,
    SEAT,
    SHUT,
    SHUT_BIT,
    SIZES,
    STAR,
    STRIDE,
    TOP,
    TOTAL,
    TURN,
    UNI,
    VALUES,
    WAITED,
    WAITS,
    E,
    W,
    cover,
    goal_of,
    shut_in,
)

DRAWN_LOTS = 3  # NI-2
IDLE_ROUNDS = 2  # NI-17


@kernel
def note(state: Array, tables: Array, word: Any) -> None:
    """Writes into the log, while there is room."""
    place = tables[LOG] + state[LOGGED]
    if place < len(state):
        state[place] = word
    state[LOGGED] += 1


@kernel
def put_back(state: Array, seat: int) -> None:
    """A whole rack goes into the bag."""
    for kind in range(KINDS):
        state[BAG + kind] += state[RACKS + seat * KINDS + kind]
    state[IN_BAG] += state[SIZES + seat]
    clear(state, seat)


@kernel
def clear(state: Array, seat: int) -> None:
    """A rack is empty now."""
    for kind in range(KINDS):
        state[RACKS + seat * KINDS + kind] = 0
    state[SIZES + seat] = 0


@kernel
def worth(state: Array, tables: Array, seat: int) -> Any:
    """What the tiles of a rack count together."""
    total = np.int64(0)
    for kind in range(KINDS):
        total += state[RACKS + seat * KINDS + kind] * tables[VALUES + kind]
    return total


@kernel
def left_of(state: Array, tables: Array, seat: int) -> int:
    """The next seat to the left that is still playing."""
    while True:
        seat = seat + 1 if seat + 1 < tables[PLAYERS] else 0
        if not (state[GONE] >> seat) & 1:
            return seat


@kernel
def active(state: Array, tables: Array) -> int:
    """How many seats have not given up."""
    count = 0
    for seat in range(tables[PLAYERS]):
        count += 1 - ((state[GONE] >> seat) & 1)
    return count


@kernel
def draw_tile(state: Array, tables: Array, kind: int) -> None:
    """A tile comes out of the bag (NI-2, NI-8)."""
    seat = state[SEAT]
    state[BAG + kind] -= 1
    state[IN_BAG] -= 1
    state[RACKS + seat * KINDS + kind] += 1
    state[SIZES + seat] += 1
    if state[PHASE] == LOTS:
        note(state, tables, LOT | (kind << 2) | seat)
        lots(state, tables)
    else:
        drawn(state, tables)


@kernel
def lots(state: Array, tables: Array) -> None:
    """NI-2: the highest total begins; those who tie for it put their tiles back and draw again."""
    if state[SIZES + state[SEAT]] < DRAWN_LOTS:
        return
    players = tables[PLAYERS]
    for seat in range(state[SEAT] + 1, players):
        if (state[RIVALS] >> seat) & 1:
            state[SEAT] = seat
            return
    best, tied = np.int64(-1), 0
    for seat in range(players):
        if not (state[RIVALS] >> seat) & 1:
            continue
        total = worth(state, tables, seat)
        if total > best:
            best, tied = total, 0
        if total == best:
            tied |= 1 << seat
    highest = 0
    while not (tied >> highest) & 1:
        highest += 1
    state[SEAT] = highest
    if tied == 1 << highest:
        state[PHASE], state[FIRST], state[RIVALS], state[IN_BAG] = DEAL, highest, 0, tables[TOTAL]
        for kind in range(KINDS):
            state[BAG + kind] = tables[COUNTS + kind]
    else:
        state[RIVALS] = tied
    for seat in range(players):
        if state[PHASE] == LOTS and (tied >> seat) & 1:
            put_back(state, seat)
        else:
            clear(state, seat)


@kernel
def drawn(state: Array, tables: Array) -> None:
    """Goes on drawing until the rack is full or the bag empty; then the next rack is dealt, or play goes on."""
    if state[SIZES + state[SEAT]] < tables[RACK] and state[IN_BAG] > 0:
        return
    if state[PHASE] == REFILL:
        next_turn(state, tables)
        return
    state[SEAT] = left_of(state, tables, state[SEAT])
    state[PHASE] = TURN if state[SEAT] == state[FIRST] else DEAL


@kernel
def lay(state: Array, tables: Array, number: int) -> None:
    """A tile, or the two of a crossing, leads the river on."""
    crossing, exit, kind = (number - LAY) & 1, ((number - LAY) >> 1) & 7, (number - LAY) >> 4
    seat, head = state[SEAT], state[HEAD]
    rack = RACKS + seat * KINDS
    cover(state, tables, head, kind, state[ENTRY], exit)
    state[rack + kind] -= 1
    state[PENDING] += tables[VALUES + kind] + colour(state, tables, head, exit)
    if crossing:  # NI-15: the tile that was crossed goes back into the bag at once
        crossed = state[HEAD]
        state[BAG + (state[FIELDS + crossed] & 15) - 1] += 1
        state[IN_BAG] += 1
        cover(state, tables, crossed, STAR, (exit + 4) & 7, exit)
        state[rack + UNI] -= 1
        state[PENDING] += tables[VALUES + UNI]
    state[SIZES + seat] -= 1 + crossing
    state[LAID] += 1 + crossing
    ended = state[HEAD] < 0
    state[SHUT] = 0 if ended else shut_in(state, tables)
    note(state, tables, number | (SHUT_BIT if state[SHUT] else 0))
    if ended:  # NI-17 (a): scored, and nobody refills
        scored(state, tables)
        finish(state, tables)


@kernel
def colour(state: Array, tables: Array, field: int, exit: int) -> Any:
    """What this turn earns or pays for covering the field (NI-9)."""
    if goal_of(tables, field) > 0:
        return goal_of(tables, field) if exit != E and exit != W else np.int64(0)
    group = tables[GROUND + field * STRIDE + GROUP]
    if group >= 0:
        paid = tables[PAID] + group
        if state[paid]:
            return np.int64(0)
        state[paid] = 1
    return tables[GROUND + field * STRIDE + COLOUR]


@kernel
def scored(state: Array, tables: Array) -> None:
    """The turn's tiles go onto the score sheet."""
    state[SCORES + state[SEAT]] += state[PENDING] + (tables[BONUS] if state[LAID] >= tables[RACK] else 0)
    state[LAID], state[PENDING] = 0, 0
    for group in range(tables[GROUPS]):
        state[tables[PAID] + group] = 0
    note(state, tables, SCORED | state[SEAT])


@kernel
def refill(state: Array, tables: Array) -> None:
    """The rack is filled again (NI-8)."""
    state[PHASE] = REFILL
    drawn(state, tables)


@kernel
def passes(state: Array, tables: Array) -> None:
    """NI-10: the rack is lost and exchanged. NI-11: before the river is opened nobody loses anything."""
    seat = state[SEAT]
    if state[TOP] < 0:
        note(state, tables, WAITS | seat)
        state[WAITED] |= 1 << seat
        state[SEAT] = left_of(state, tables, seat)
        open_river(state, tables)
        return
    low, high = np.int64(0), np.int64(0)
    for kind in range(KINDS):
        if kind < 7:
            low |= state[RACKS + seat * KINDS + kind] << (4 * kind)
        else:
            high |= state[RACKS + seat * KINDS + kind] << (4 * kind - 26)
    note(state, tables, PASSED | high | seat)
    note(state, tables, low)
    state[SCORES + seat] -= worth(state, tables, seat)
    put_back(state, seat)
    state[IDLE] += 1
    refill(state, tables)


@kernel
def open_river(state: Array, tables: Array) -> None:
    """If every player has waited, all racks go back and are drawn again (NI-11)."""
    players = tables[PLAYERS]
    if (state[WAITED] | state[GONE]) != (1 << players) - 1:
        return
    for seat in range(players):
        put_back(state, seat)
    state[PHASE], state[SEAT], state[WAITED] = DEAL, state[FIRST], 0
    if tables[LOG] + state[LOGGED] <= len(state):
        forget_waits(state, tables)


@kernel
def forget_waits(state: Array, tables: Array) -> None:
    """Takes out of the log who waited."""
    kept, logged = 0, state[LOGGED]
    for place in range(tables[LOG], tables[LOG] + logged):
        word = state[place]
        state[place] = 0
        if word >> 12 != WAITS >> 12:
            state[tables[LOG] + kept] = word
            kept += 1
    state[LOGGED] = kept


@kernel
def resign(state: Array, tables: Array, seat: int) -> None:
    """With three or four players: the rack goes back, the seat is skipped and comes last."""
    acting = seat == state[SEAT]
    if acting and state[LAID]:
        scored(state, tables)
        state[IDLE] = 0
    put_back(state, seat)
    following = left_of(state, tables, seat)
    if state[FIRST] == seat and state[TOP] < 0:
        state[FIRST] = following
    state[GONE] |= 1 << seat
    note(state, tables, RESIGNS | seat)
    if active(state, tables) == 1:
        if state[LAID]:
            scored(state, tables)
        finish(state, tables)
    elif state[TOP] < 0:
        if acting:
            state[SEAT] = following
        open_river(state, tables)
    elif acting:
        next_turn(state, tables)


@kernel
def next_turn(state: Array, tables: Array) -> None:
    """The next player to the left who has or can get tiles. Being skipped counts as a turn without a tile."""
    held = state[IN_BAG]
    for seat in range(tables[PLAYERS]):
        held += state[SIZES + seat]
    if held == 0:
        finish(state, tables)  # NI-17 (b)
        return
    state[PHASE] = TURN
    state[SEAT] = left_of(state, tables, state[SEAT])
    while state[IDLE] < IDLE_ROUNDS * active(state, tables):
        if state[SIZES + state[SEAT]] > 0 or state[IN_BAG] > 0:
            return
        state[SEAT] = left_of(state, tables, state[SEAT])
        state[IDLE] += 1
    finish(state, tables)  # NI-17 (c)


@kernel
def finish(state: Array, tables: Array) -> None:
    """The game is over, and each player loses what is left on the rack (NI-18)."""
    state[PHASE] = DONE
    for seat in range(tables[PLAYERS]):
        state[SCORES + seat] -= worth(state, tables, seat)
