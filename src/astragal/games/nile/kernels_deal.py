"""Deals hidden tiles as `hidden_tiles` does, with the same luck to the same racks, but as kernels over arrays.

Searches look at hundreds of deals of one view, which took longer than the search itself while Python made them. What
follows from the public past is found out once, by `hidden_tiles.Past`, which says what each part means; `dealing` lays
it out in `Deals`, and a deal lives through that past in `DealWork`.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from astragal.core.compiled import kernel
from astragal.core.fast import Array, copy, draw, weighted
from astragal.games.nile import layout as at
from astragal.games.nile.layout import KINDS

UNIT = 2.0**-53  # random bits by this are from 0 to below 1, as `Random.random` makes them
DRAW, LAID, SHOWN, CROSSED, GAVE_UP = range(5)  # what a step of the past is, in the order of `hidden_tiles.WHATS`
NEVER = -1


class Deals(NamedTuple):
    """What deals of one view begin with. Lists of different lengths are rows with their lengths beside them."""

    steps: Array  # a row each: what it is, the seat, and the kind
    bag: Array
    unseen: Array
    rack: int  # how many tiles a seat is dealt at first
    gave_up: Array  # for each seat the step at which it did, or NEVER
    barred: Array  # by seat and kind
    deadlines: Array  # by seat; there are as many as `deadline_counts` says
    deadline_counts: Array
    due: Array
    promised: Array  # by kind
    promise_counts: Array
    slack: Array
    want_places: Array  # by seat and kind, the one to be met next last
    want_deadlines: Array
    want_counts: Array


class DealWork(NamedTuple):
    """What changes in a deal."""

    bag: Array
    unseen: Array
    racks: Array
    drawn: Array
    due: Array
    slack: Array
    begin: Array
    want_counts: Array
    weights: Array
    rng: Array


@kernel
def begin_deal(deals: Deals, work: DealWork) -> None:
    """Nothing is drawn yet."""
    copy(deals.bag, work.bag)
    copy(deals.unseen, work.unseen)
    for seat in range(len(work.racks)):
        work.drawn[seat] = 0
        copy(deals.due[seat], work.due[seat])
        copy(deals.want_counts[seat], work.want_counts[seat])
        for kind in range(KINDS):
            work.racks[seat, kind] = 0
    for kind in range(KINDS):
        work.begin[kind] = 0
        copy(deals.slack[kind], work.slack[kind])


@kernel
def weigh_kinds(deals: Deals, work: DealWork, seat: int) -> int:
    """How many of each kind may come out of the bag, as far as the seat's own needs go; their sum.

    By some deadline it may need something with every draw that is left: then one of those kinds must come now.
    """
    latest, needed = deals.deadline_counts[seat], work.drawn[seat]
    for place in range(deals.deadline_counts[seat]):
        due = work.due[seat, place]
        needed += due
        if due and needed >= deals.deadlines[seat, place]:
            latest = place
            break
    total = 0
    for kind in range(KINDS):
        count, wanted = work.bag[kind], work.want_counts[seat, kind]
        if latest < deals.deadline_counts[seat] and (
            wanted == 0 or deals.want_deadlines[seat, kind, wanted - 1] > latest
        ):
            count = 0
        work.weights[kind] = count
        total += count
    return total


@kernel
def end_of(deals: Deals, work: DealWork, seat: int, kind: int, number: int) -> int:
    """The promise by which a tile that this seat draws now is accounted for; -1 if it may not draw this kind."""
    if deals.barred[seat, kind] and work.drawn[seat] < deals.rack:
        return -1
    begin, count = work.begin[kind], deals.promise_counts[kind]
    while begin < count and deals.promised[kind, begin] < number:
        begin += 1
    work.begin[kind] = begin
    if work.want_counts[seat, kind]:
        end = deals.want_places[seat, kind, work.want_counts[seat, kind] - 1]
    elif deals.gave_up[seat] != NEVER:
        end = 0
        while end < count and deals.promised[kind, end] < deals.gave_up[seat]:
            end += 1
    elif work.unseen[kind] > 0:
        end = count
    else:
        return -1
    for place in range(begin, end):
        if work.slack[kind, place] <= 0:
            return -1
    return int(end)


@kernel
def draw_tile(deals: Deals, work: DealWork, seat: int, number: int) -> bool:
    """A tile of the bag, each as likely as the next, but only of a kind that is possible; whether there was one."""
    total = weigh_kinds(deals, work, seat)
    while total:
        left = (draw(work.rng) >> np.uint64(11)) * UNIT * total
        kind = 0
        while kind < KINDS - 1:
            left -= work.weights[kind]
            if left < 0:
                break
            kind += 1
        end = end_of(deals, work, seat, kind, number)
        if end >= 0:
            for place in range(work.begin[kind], end):
                work.slack[kind, place] -= 1
            work.bag[kind] -= 1
            work.racks[seat, kind] += 1
            work.drawn[seat] += 1
            if work.want_counts[seat, kind]:
                work.want_counts[seat, kind] -= 1
                work.due[seat, deals.want_deadlines[seat, kind, work.want_counts[seat, kind]]] -= 1
            elif deals.gave_up[seat] == NEVER:
                work.unseen[kind] -= 1
            return True
        total -= work.weights[kind]
        work.weights[kind] = 0
    return False


@kernel
def deal_once(deals: Deals, work: DealWork) -> bool:
    """One attempt to live through the past, into `work.racks`; whether all of it could have happened so."""
    begin_deal(deals, work)
    for number in range(len(deals.steps)):
        what, seat, kind = deals.steps[number, 0], deals.steps[number, 1], deals.steps[number, 2]
        if what == DRAW:
            if not draw_tile(deals, work, seat, number):
                return False
        elif what == GAVE_UP:
            for one in range(KINDS):
                work.bag[one] += work.racks[seat, one]
                work.racks[seat, one] = 0
        else:
            if what != CROSSED:
                work.racks[seat, kind] -= 1
            if what != LAID:
                work.bag[kind] += 1
    return True


@kernel
def deal_into(deals: Deals, work: DealWork, viewer: int, attempts: int, state: Array) -> bool:
    """Puts one deal into a packed position of the same view; whether it was found in so many attempts."""
    for _ in range(attempts):
        if deal_once(deals, work):
            for kind in range(KINDS):
                left = deals.unseen[kind]
                for seat in range(len(work.racks)):
                    state[at.RACKS + seat * KINDS + kind] = work.racks[seat, kind]
                    left -= work.racks[seat, kind] if seat != viewer else 0
                state[at.BAG + kind] = left
            return True
    return False


@kernel
def deal_all(deals: Deals, work: DealWork, viewer: int, attempts: int, states: Array) -> bool:
    """The same for every row."""
    row = 0
    while row < len(states) and deal_into(deals, work, viewer, attempts, states[row]):
        row += 1
    return row == len(states)


@kernel
def redeal(state: Array, tables: Array, seat: int, rng: Array) -> None:
    """Deals the other racks anew from all tiles that this seat cannot see, each tile as likely as the next."""
    players = tables[at.PLAYERS]
    for kind in range(KINDS):
        for other in range(players):
            if other != seat:
                held = at.RACKS + other * KINDS + kind
                state[at.BAG + kind] += state[held]
                state[held] = 0
    for other in range(players):
        if other == seat:
            continue
        for _ in range(state[at.SIZES + other]):
            kind = weighted(rng, state[at.BAG : at.BAG + KINDS], KINDS)
            state[at.BAG + kind] -= 1
            state[at.RACKS + other * KINDS + kind] += 1
