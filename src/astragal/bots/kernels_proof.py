"""A search for a win that nobody can prevent, as a template: by decisions of one seat alone, one after the other.

It follows lines that no throw, draw or other seat interrupts, best first by the heuristic's log-odds, which still tell
good positions apart where shares of the win are all as good as 1. A line that wins is kept, and from then on only
shorter ones are looked for. Every first action is tried, so that a win in one is never missed.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from astragal.bots.kernels_evaluate import weighed
from astragal.core.compiled import kernel
from astragal.core.fast import Array, copy, features, legal, returns, step, turn
from astragal.core.types import OVER


class ProofWork(NamedTuple):
    """The positions met so far, a row each, and the arrays to look at one of them."""

    states: Array
    nodes: Array  # see the columns below
    odds: Array  # what the heuristic says of each
    state: Array  # the position that is looked into
    trial: Array
    numbers: Array
    values: Array  # room for features and shares


PARENT, ACTION, DEPTH, OPEN, NODES = range(5)  # columns of `nodes`; OPEN: not looked into yet
WON = 1 - 1e-9


@kernel
def same(one: Array, other: Array) -> bool:
    """Whether two positions are equal."""
    place = 0
    while place < len(one) and one[place] == other[place]:
        place += 1
    return place == len(one)


@kernel
def most_promising(work: ProofWork, size: int, deepest: int) -> int:
    """The position to look into next, among those not deeper than this; -1 if there is none."""
    best = -1
    for node in range(size):
        open_node = work.nodes[node, OPEN] == 1 and work.nodes[node, DEPTH] <= deepest
        if open_node and (best < 0 or work.odds[node] > work.odds[best]):
            best = node
    return best


@kernel
def is_known(work: ProofWork, size: int, odds: float) -> bool:
    """Whether the position `trial` was met before."""
    node = 0
    while node < size and not (work.odds[node] == odds and same(work.states[node], work.trial)):
        node += 1
    return node < size


@kernel
def find_win(
    work: ProofWork, first: Array, tables: Array, weights: Array, seat: int, expansions: int, line: Array
) -> int:
    """Fills in the decisions that win for the seat, and says how many they are; 0 if none were found."""
    copy(first, work.states[0])
    work.nodes[0, PARENT], work.nodes[0, DEPTH], work.nodes[0, OPEN] = -1, 0, 1
    work.odds[0] = 0.0
    size, length = 1, 0
    for _ in range(expansions):
        node = most_promising(work, size, length - 2 if length else len(line) - 1)
        if node < 0:
            break
        work.nodes[node, OPEN] = 0
        copy(work.states[node], work.state)
        depth = work.nodes[node, DEPTH] + 1
        for index in range(legal(work.state, tables, work.numbers)):
            number = work.numbers[index]
            copy(work.state, work.trial)
            step(work.trial, tables, number)
            mover = turn(work.trial, tables)
            if mover == OVER:
                returns(work.trial, tables, work.values)
                if work.values[seat] >= WON and (length == 0 or depth < length):
                    length = depth
                    trace(work, node, number, length, line)
                continue
            if mover != seat or size == len(work.states):
                continue
            features(work.trial, tables, seat, work.values)
            odds = weighed(weights, work.values)
            if is_known(work, size, odds):
                continue
            copy(work.trial, work.states[size])
            work.odds[size] = odds
            work.nodes[size, PARENT], work.nodes[size, ACTION] = node, number
            work.nodes[size, DEPTH], work.nodes[size, OPEN] = depth, 1
            size += 1
    return length


@kernel
def trace(work: ProofWork, node: int, number: int, length: int, line: Array) -> None:
    """Fills in the decisions that lead to a node and this one after it."""
    line[length - 1] = number
    place = length - 2
    while place >= 0:
        line[place] = work.nodes[node, ACTION]
        node = work.nodes[node, PARENT]
        place -= 1


@kernel
def wins(first: Array, tables: Array, seat: int, line: Array, trial: Array, values: Array) -> bool:
    """Whether these decisions win for the seat from this position too."""
    copy(first, trial)
    for place in range(len(line)):
        if turn(trial, tables) != seat:
            return False
        step(trial, tables, line[place])
    if turn(trial, tables) != OVER:
        return False
    returns(trial, tables, values)
    return bool(values[seat] >= WON)


def room(state: Array, positions: int, actions: int, values: Array) -> ProofWork:
    """Arrays for a search among so many positions."""
    return ProofWork(
        states=np.empty((positions, len(state)), dtype=state.dtype),
        nodes=np.zeros((positions, NODES), dtype=np.int64),
        odds=np.zeros(positions),
        state=np.empty_like(state),
        trial=np.empty_like(state),
        numbers=np.zeros(actions, dtype=np.int64),
        values=values,
    )
