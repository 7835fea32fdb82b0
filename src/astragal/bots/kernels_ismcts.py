"""Information set Monte Carlo tree search as a template: one tree over what the searching seat can tell apart.

Each play-out begins in a state that fits the seat's view (a world), walks down the tree by what has done well so far,
adds a position, plays on from there for a while and weighs up the end by the heuristic. A throw with few outcomes is a
branching of the tree; draws from a bag or a deck are not, since they differ from world to world.

The tree lies in arrays, a row a position: its first child, its next sibling, the number of the action that leads to
it, the seat that took it, how often it was visited and how often it could have been, the sum of that seat's shares,
what the heuristic thought of it at first, and how likely the heuristic would choose it.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, cast

import numpy as np

from astragal.core.compiled import bare
from astragal.core.fast import Array, below, copy, weighted
from astragal.core.types import CHANCE, OVER

# What a template calls; `specialise` puts a game's own kernels in the place of these names.
turn = legal = chance = step = judge = cast("Callable[..., Any]", None)

CHILD, SIBLING, ACTION, MOVER, VISITS, OFFERED = range(6)  # columns of `links`
SUM, FIRST, PRIOR = range(3)  # columns of `worths`
BRANCHES = 6  # a chance node with more outcomes than this is no branching of the tree


def weigh(state: Array, tables: Any, weights: Array, values: Array, shares: Array) -> None:
    """Each seat's share of the win, as the heuristic sees it; exact once the game is over."""
    total = 0.0
    for seat in range(len(shares)):
        shares[seat] = judge(state, tables, weights, seat, values)
        total += shares[seat]
    for seat in range(len(shares)):
        shares[seat] /= total


@bare
def child_of(links: Array, node: int, number: int, mover: int) -> int:
    """The position after this action of this seat, or -1 if the tree has none yet."""
    child = links[node, CHILD]
    while child >= 0 and (links[child, ACTION] != number or links[child, MOVER] != mover):
        child = links[child, SIBLING]
    return int(child)


@bare
def add(links: Array, worths: Array, sizes: Array, node: int, number: int, mover: int) -> int:
    """A new position below `node`, or -1 if the tree is full."""
    child = sizes[0]
    if child >= len(links):
        return -1
    sizes[0] += 1
    links[child, CHILD] = -1
    links[child, SIBLING] = links[node, CHILD]
    links[child, ACTION] = number
    links[child, MOVER] = mover
    links[child, VISITS] = links[child, OFFERED] = 0
    worths[child, SUM] = worths[child, FIRST] = 0.0
    worths[child, PRIOR] = 1.0
    links[node, CHILD] = child
    return int(child)


def pick(
    state: Array,
    tables: Any,
    weights: Array,
    values: Array,
    links: Array,
    worths: Array,
    sizes: Array,
    node: int,
    seat: int,
    numbers: Array,
    trial: Array,
    knobs: Array,
) -> int:
    """The child to visit: what did well, or is promising and little tried. -1 if the tree is full."""
    count = legal(state, tables, numbers)
    mass = 0.0
    for index in range(count):
        child = child_of(links, node, numbers[index], seat)
        if child < 0:
            child = add(links, worths, sizes, node, numbers[index], seat)
            if child < 0:
                return -1
            copy(state, trial)
            step(trial, tables, numbers[index])
            worths[child, FIRST] = judge(trial, tables, weights, seat, values)
            worths[child, PRIOR] = np.exp(worths[child, FIRST] / knobs[1])
        links[child, OFFERED] += 1
        mass += worths[child, PRIOR]
    best, most = -1, -1.0
    for index in range(count):
        child = child_of(links, node, numbers[index], seat)
        visits = links[child, VISITS]
        mean = (worths[child, SUM] + worths[child, FIRST]) / (visits + 1)
        urge = knobs[0] * worths[child, PRIOR] / mass * np.sqrt(links[child, OFFERED]) / (visits + 1)
        if mean + urge > most:
            best, most = child, mean + urge
    return best


def play_on(
    state: Array,
    tables: Any,
    weights: Array,
    values: Array,
    rng: Array,
    numbers: Array,
    odds: Array,
    trial: Array,
    plies: int,
    care: float,
) -> None:
    """Plays `state` on for some plies: with `care` the action the heuristic likes best, else any."""
    for _ in range(plies):
        seat = turn(state, tables)
        if seat == OVER:
            return
        if seat == CHANCE:
            count = chance(state, tables, numbers, odds)
            step(state, tables, numbers[weighted(rng, odds, count)])
            continue
        count = legal(state, tables, numbers)
        chosen = below(rng, count)
        if count > 1 and below(rng, 1000) < 1000 * care:
            most = -1.0
            for index in range(count):
                copy(state, trial)
                step(trial, tables, numbers[index])
                worth = judge(trial, tables, weights, seat, values)
                if worth > most:
                    chosen, most = index, worth
        step(state, tables, numbers[chosen])


def play_outs(
    worlds: Array,
    count: int,
    tables: Any,
    weights: Array,
    values: Array,
    shares: Array,
    rng: Array,
    numbers: Array,
    odds: Array,
    scratch: Array,
    links: Array,
    worths: Array,
    sizes: Array,
    knobs: Array,
    path: Array,
) -> None:
    """Runs `count` play-outs, the worlds by turns. `knobs` are those of `ismcts.Knobs`."""
    state, trial = scratch[0], scratch[1]
    for number in range(count):
        copy(worlds[number % len(worlds)], state)
        node, length = 0, 0
        while length < len(path):
            seat = turn(state, tables)
            if seat == OVER:
                break
            if seat == CHANCE:
                outcomes = chance(state, tables, numbers, odds)
                drawn = numbers[weighted(rng, odds, outcomes)]
                step(state, tables, drawn)
                if outcomes > BRANCHES:
                    continue
                below_it = child_of(links, node, drawn, CHANCE)
                if below_it < 0:
                    below_it = add(links, worths, sizes, node, drawn, CHANCE)
                if below_it < 0:
                    break
            else:
                below_it = pick(state, tables, weights, values, links, worths, sizes, node, seat, numbers, trial, knobs)
                if below_it < 0:
                    break
                step(state, tables, links[below_it, ACTION])
            node = below_it
            path[length] = node
            length += 1
            if seat >= 0 and links[node, VISITS] == 0:
                break
        play_on(state, tables, weights, values, rng, numbers, odds, trial, int(knobs[2]), knobs[3])
        weigh(state, tables, weights, values, shares)
        for index in range(length):
            node = path[index]
            links[node, VISITS] += 1
            if links[node, MOVER] >= 0:
                worths[node, SUM] += shares[links[node, MOVER]]
