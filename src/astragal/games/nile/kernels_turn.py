"""What happens in Nile, over packed states (see `layout`): the second half of `rules`, for `kernels`."""

from __future__ import annotations

from typing import Any

from astragal.core.compiled import kernel
from astragal.core.fast import Array
from astragal.games.nile import layout as at
from astragal.games.nile.kernels_river import STAR, cover, goal_of, shut_in

DRAWN_LOTS = 3  # NI-2
IDLE_ROUNDS = 2  # NI-17


@kernel
def put_back(state: Array, seat: int) -> None:
    """A whole rack goes into the bag."""
    for kind in range(at.KINDS):
        state[at.BAG + kind] += state[at.RACKS + seat * at.KINDS + kind]
    state[at.IN_BAG] += state[at.SIZES + seat]
    clear(state, seat)


@kernel
def clear(state: Array, seat: int) -> None:
    """A rack is empty now."""
    for kind in range(at.KINDS):
        state[at.RACKS + seat * at.KINDS + kind] = 0
    state[at.SIZES + seat] = 0


@kernel
def worth(state: Array, tables: Array, seat: int) -> Any:
    """What the tiles of a rack count together."""
    total = 0
    for kind in range(at.KINDS):
        total += state[at.RACKS + seat * at.KINDS + kind] * tables[at.VALUES + kind]
    return total


@kernel
def left_of(state: Array, tables: Array, seat: int) -> int:
    """The next seat to the left that is still playing."""
    while True:
        seat = seat + 1 if seat + 1 < tables[at.PLAYERS] else 0
        if not (state[at.GONE] >> seat) & 1:
            return seat


@kernel
def active(state: Array, tables: Array) -> int:
    """How many seats have not given up."""
    count = 0
    for seat in range(tables[at.PLAYERS]):
        count += 1 - ((state[at.GONE] >> seat) & 1)
    return count


@kernel
def draw_tile(state: Array, tables: Array, kind: int) -> None:
    """A tile comes out of the bag (NI-2, NI-8)."""
    seat = state[at.SEAT]
    state[at.BAG + kind] -= 1
    state[at.IN_BAG] -= 1
    state[at.RACKS + seat * at.KINDS + kind] += 1
    state[at.SIZES + seat] += 1
    if state[at.PHASE] == at.LOTS:
        lots(state, tables)
    else:
        drawn(state, tables)


@kernel
def lots(state: Array, tables: Array) -> None:
    """NI-2: the highest total begins; those who tie for it put their tiles back and draw again."""
    if state[at.SIZES + state[at.SEAT]] < DRAWN_LOTS:
        return
    players = tables[at.PLAYERS]
    for seat in range(state[at.SEAT] + 1, players):
        if (state[at.RIVALS] >> seat) & 1:
            state[at.SEAT] = seat
            return
    best, tied = -1, 0
    for seat in range(players):
        if not (state[at.RIVALS] >> seat) & 1:
            continue
        total = worth(state, tables, seat)
        if total > best:
            best, tied = total, 0
        if total == best:
            tied |= 1 << seat
    highest = 0
    while not (tied >> highest) & 1:
        highest += 1
    state[at.SEAT] = highest
    if tied == 1 << highest:
        state[at.PHASE], state[at.FIRST], state[at.RIVALS], state[at.IN_BAG] = at.DEAL, highest, 0, tables[at.TOTAL]
        for kind in range(at.KINDS):
            state[at.BAG + kind] = tables[at.COUNTS + kind]
    else:
        state[at.RIVALS] = tied
    for seat in range(players):
        if state[at.PHASE] == at.LOTS and (tied >> seat) & 1:
            put_back(state, seat)
        else:
            clear(state, seat)


@kernel
def drawn(state: Array, tables: Array) -> None:
    """Goes on drawing until the rack is full or the bag empty; then the next rack is dealt, or play goes on."""
    if state[at.SIZES + state[at.SEAT]] < tables[at.RACK] and state[at.IN_BAG] > 0:
        return
    if state[at.PHASE] == at.REFILL:
        next_turn(state, tables)
        return
    state[at.SEAT] = left_of(state, tables, state[at.SEAT])
    state[at.PHASE] = at.TURN if state[at.SEAT] == state[at.FIRST] else at.DEAL


@kernel
def lay(state: Array, tables: Array, number: int) -> None:
    """A tile, or the two of a crossing, leads the river on."""
    crossing, exit, kind = (number - at.LAY) & 1, ((number - at.LAY) >> 1) & 7, (number - at.LAY) >> 4
    seat, head = state[at.SEAT], state[at.HEAD]
    if state[at.TOP] < 0:
        state[at.FIRST] = state[at.WAITED] = 0
    rack = at.RACKS + seat * at.KINDS
    cover(state, tables, head, kind, state[at.ENTRY], exit)
    state[rack + kind] -= 1
    state[at.PENDING] += tables[at.VALUES + kind] + colour(state, tables, head, exit)
    if crossing:  # NI-15: the tile that was crossed goes back into the bag at once
        crossed = state[at.HEAD]
        state[at.BAG + (state[at.FIELDS + crossed] & 15) - 1] += 1
        state[at.IN_BAG] += 1
        cover(state, tables, crossed, STAR, (exit + 4) & 7, exit)
        state[rack + at.UNI] -= 1
        state[at.PENDING] += tables[at.VALUES + at.UNI]
    state[at.SIZES + seat] -= 1 + crossing
    state[at.LAID] += 1 + crossing
    ended = state[at.HEAD] < 0
    state[at.SHUT] = 0 if ended else shut_in(state, tables)
    if ended:  # NI-17 (a): scored, and nobody refills
        scored(state, tables)
        finish(state, tables)


@kernel
def colour(state: Array, tables: Array, field: int, exit: int) -> Any:
    """What this turn earns or pays for covering the field (NI-9)."""
    if goal_of(tables, field) > 0:
        return goal_of(tables, field) if exit != at.E and exit != at.W else 0
    group = tables[at.GROUND + field * at.STRIDE + at.GROUP]
    if group >= 0:
        paid = tables[at.PAID] + group
        if state[paid]:
            return 0
        state[paid] = 1
    return tables[at.GROUND + field * at.STRIDE + at.COLOUR]


@kernel
def scored(state: Array, tables: Array) -> None:
    """The turn's tiles go onto the score sheet."""
    state[at.SCORES + state[at.SEAT]] += state[at.PENDING] + (
        tables[at.BONUS] if state[at.LAID] >= tables[at.RACK] else 0
    )
    state[at.LAID], state[at.PENDING] = 0, 0
    for group in range(tables[at.GROUPS]):
        state[tables[at.PAID] + group] = 0


@kernel
def refill(state: Array, tables: Array) -> None:
    """The rack is filled again (NI-8)."""
    state[at.PHASE] = at.REFILL
    drawn(state, tables)


@kernel
def passes(state: Array, tables: Array) -> None:
    """NI-10: the rack is lost and exchanged. NI-11: before the river is opened nobody loses anything."""
    seat = state[at.SEAT]
    if state[at.TOP] < 0:
        state[at.WAITED] |= 1 << seat
        state[at.SEAT] = left_of(state, tables, seat)
        open_river(state, tables)
        return
    state[at.SCORES + seat] -= worth(state, tables, seat)
    put_back(state, seat)
    state[at.IDLE] += 1
    refill(state, tables)


@kernel
def open_river(state: Array, tables: Array) -> None:
    """If every player has waited, all racks go back and are drawn again (NI-11)."""
    players = tables[at.PLAYERS]
    if (state[at.WAITED] | state[at.GONE]) != (1 << players) - 1:
        return
    for seat in range(players):
        put_back(state, seat)
    state[at.PHASE], state[at.SEAT], state[at.WAITED] = at.DEAL, state[at.FIRST], 0


@kernel
def next_turn(state: Array, tables: Array) -> None:
    """The next player to the left who has or can get tiles. Being skipped counts as a turn without a tile."""
    held = state[at.IN_BAG]
    for seat in range(tables[at.PLAYERS]):
        held += state[at.SIZES + seat]
    if held == 0:
        finish(state, tables)  # NI-17 (b)
        return
    state[at.PHASE] = at.TURN
    state[at.SEAT] = left_of(state, tables, state[at.SEAT])
    while state[at.IDLE] < IDLE_ROUNDS * active(state, tables):
        if state[at.SIZES + state[at.SEAT]] > 0 or state[at.IN_BAG] > 0:
            return
        state[at.SEAT] = left_of(state, tables, state[at.SEAT])
        state[at.IDLE] += 1
    finish(state, tables)  # NI-17 (c)


@kernel
def finish(state: Array, tables: Array) -> None:
    """The game is over, and each player loses what is left on the rack (NI-18)."""
    state[at.PHASE] = at.DONE
    for seat in range(tables[at.PLAYERS]):
        state[at.SCORES + seat] -= worth(state, tables, seat)
