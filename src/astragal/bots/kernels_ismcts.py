"""Information set Monte Carlo tree search as a template: one tree over what the searching seat can tell apart.

Each simulation begins in a determinization, a state that fits the seat's view, walks down the tree by PUCT, adds a
position, plays on from there in a rollout (of no plies, unless the settings say otherwise) and asks the slot `evaluate`
what that is worth: a network, a table or the heuristic. Some of them know only positions in which a throw is to come:
for these the best action is taken first where a throw lies already. Priors also go by the slot `liked`, which networks
fill. A throw with few outcomes is a branching of the tree; draws from a bag or a deck are not, since they differ from
determinization to determinization.

`simulate` walks by PUCT from the root on. `compare` leaves the root to whoever calls it: it gives some of the root's
actions equally many simulations, all with the same luck, so that they differ by what they are worth and less by chance.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from astragal.bots.kernels_evaluate import evaluate, liked
from astragal.core.compiled import kernel
from astragal.core.fast import Array, below, chance, copy, draw, legal, step, turn, weighted
from astragal.core.types import CHANCE, OVER


class SearchSettings(NamedTuple):
    """The settings of `ismcts.IsmctsSettings` as kernels take them."""

    c_puct: float
    prior_temperature: float
    rollout: int
    rollout_greedy: float
    before_throws: bool = False  # whether `evaluate` knows only the end, and positions in which a throw is to come


class IsmctsWork(NamedTuple):
    """The tree, a row a node, and the arrays of a simulation."""

    links: Array  # see the columns below
    worths: Array
    size: Array  # one number: how many nodes the tree has
    path: Array  # the nodes on the way down
    state: Array
    trial: Array  # a position that is only tried
    numbers: Array
    odds: Array
    rng: Array
    values: Array  # room for features and shares
    shares: Array


# Columns of `links`: the first child, the next sibling, the number of the action that leads to a node, the seat that
# took it, how often it was visited, and how often it was available.
CHILD, SIBLING, ACTION, MOVER, VISITS, AVAILABLE, LINKS = range(7)
# Columns of `worths`: the sum of that seat's shares, what `evaluate` said at first, and the prior, not yet scaled.
SUM, FIRST, PRIOR, WORTHS = range(4)
GUESS_EDGE = 0.01  # how far a guess stays away from 0 and 1
FAR = 100  # nodes on a line, beyond which a win is no longer worth less
BRANCHES = 6  # a chance node with more outcomes than this is no branching of the tree


@kernel
def child_of(links: Array, node: int, number: int, mover: int) -> int:
    """The node after this action of this seat, or -1 if the tree has none yet."""
    child = links[node, CHILD]
    while child >= 0 and (links[child, ACTION] != number or links[child, MOVER] != mover):
        child = links[child, SIBLING]
    return int(child)


@kernel
def add_child(links: Array, worths: Array, size: Array, node: int, number: int, mover: int) -> int:
    """A new node below `node`, or -1 if the tree is full."""
    child = size[0]
    if child >= len(links):
        return -1
    size[0] += 1
    links[child, CHILD] = -1
    links[child, SIBLING] = links[node, CHILD]
    links[child, ACTION] = number
    links[child, MOVER] = mover
    links[child, VISITS] = links[child, AVAILABLE] = 0
    worths[child, SUM] = worths[child, FIRST] = 0.0
    worths[child, PRIOR] = 1.0
    links[node, CHILD] = child
    return int(child)


@kernel
def select(
    work: IsmctsWork, state: Array, tables: Array, weights: Array, node: int, seat: int, settings: SearchSettings
) -> int:
    """The child to visit by PUCT, its prior by what `evaluate` and `liked` say of it; -1 if the tree is full.

    What is available differs between determinizations, so the number of visits to the parent is replaced by how often
    the child was available.
    """
    links, worths, numbers = work.links, work.worths, work.numbers
    count = legal(state, tables, numbers)
    mass = 0.0
    for index in range(count):
        child = child_of(links, node, numbers[index], seat)
        if child < 0:
            child = add_child(links, worths, work.size, node, numbers[index], seat)
            if child < 0:
                return -1
            copy(state, work.trial)
            step(work.trial, tables, numbers[index])
            worths[child, FIRST] = counts = judged(work.trial, tables, weights, seat, work.values)
            if turn(work.trial, tables) != OVER:
                counts = liked(counts, weights)
            worths[child, PRIOR] = np.exp(counts / settings.prior_temperature)
        links[child, AVAILABLE] += 1
        mass += worths[child, PRIOR]
    best, most, equals = -1, -1.0, 0
    for index in range(count):
        child = child_of(links, node, numbers[index], seat)
        visits = links[child, VISITS]
        mean = (worths[child, SUM] + worths[child, FIRST]) / (visits + 1)
        explore = settings.c_puct * worths[child, PRIOR] / mass * np.sqrt(links[child, AVAILABLE]) / (visits + 1)
        if mean + explore > most:
            best, most, equals = child, mean + explore, 1
        elif mean + explore == most:  # each of the equals is as likely as the next
            equals += 1
            if below(work.rng, equals) == 0:
                best = child
    return best


@kernel
def best_of(work: IsmctsWork, state: Array, tables: Array, weights: Array, seat: int, count: int) -> int:
    """The place in `numbers` of the action that `evaluate` finds best for this seat, or of one of the equals."""
    chosen, most, equals = 0, -1.0, 0
    for index in range(count):
        copy(state, work.trial)
        step(work.trial, tables, work.numbers[index])
        worth = evaluate(work.trial, tables, weights, seat, work.values)
        if worth > most:
            chosen, most, equals = index, worth, 1
        elif worth == most:
            equals += 1
            if below(work.rng, equals) == 0:
                chosen = index
    return chosen


@kernel
def rollout(work: IsmctsWork, state: Array, tables: Array, weights: Array, settings: SearchSettings) -> None:
    """Plays `state` on for some plies: some of them what `evaluate` finds best, the others any action."""
    numbers = work.numbers
    for _ in range(settings.rollout):
        seat = turn(state, tables)
        if seat == OVER:
            return
        if seat == CHANCE:
            count = chance(state, tables, numbers, work.odds)
            step(state, tables, numbers[weighted(work.rng, work.odds, count)])
            continue
        count = legal(state, tables, numbers)
        chosen = below(work.rng, count)
        if count > 1 and below(work.rng, 1000) < 1000 * settings.rollout_greedy:
            chosen = best_of(work, state, tables, weights, seat, count)
        step(state, tables, numbers[chosen])


@kernel
def use_throw(work: IsmctsWork, state: Array, tables: Array, weights: Array) -> None:
    """Takes the best action if a throw lies, where `evaluate` knows only positions before one.

    A rollout can end in such a position, and so can the way down a tree that is full.
    """
    seat = turn(state, tables)
    if seat != CHANCE and seat != OVER:
        count = legal(state, tables, work.numbers)
        step(state, tables, work.numbers[best_of(work, state, tables, weights, seat, count)])


@kernel
def judged(state: Array, tables: Array, weights: Array, seat: int, values: Array) -> float:
    """This seat's share of the win; a guess stays further from 0 and 1 than the end of a game (see `evaluate_all`)."""
    share = evaluate(state, tables, weights, seat, values)
    return float(share if turn(state, tables) == OVER else GUESS_EDGE + (1 - 2 * GUESS_EDGE) * share)


@kernel
def evaluate_all(state: Array, tables: Array, weights: Array, values: Array, shares: Array, length: int) -> None:
    """Each seat's share of the win, as `evaluate` sees it; made to sum to one win.

    Once the game is over it is exact but for a small part that grows with the length of the line, so that a sooner win
    and a later loss are worth more, and either is surer than any guess.
    """
    total = 0.0
    for seat in range(len(shares)):
        shares[seat] = judged(state, tables, weights, seat, values)
        total += shares[seat]
    far = min(length, FAR) * GUESS_EDGE / (2 * FAR) if turn(state, tables) == OVER else 0.0
    for seat in range(len(shares)):
        shares[seat] = (1 - far) * shares[seat] / total + far / len(shares)


@kernel
def descend(
    work: IsmctsWork, state: Array, tables: Array, weights: Array, settings: SearchSettings, length: int
) -> int:
    """Walks down the tree to a new node, or as far as it goes; how many nodes `path` has, and has so far."""
    links, numbers = work.links, work.numbers
    node = work.path[length - 1] if length else 0
    while length < len(work.path):
        seat = turn(state, tables)
        if seat == OVER:
            break
        if seat == CHANCE:
            outcomes = chance(state, tables, numbers, work.odds)
            drawn = numbers[weighted(work.rng, work.odds, outcomes)]
            step(state, tables, drawn)
            if outcomes > BRANCHES:
                continue
            child = child_of(links, node, drawn, CHANCE)
            if child < 0:
                child = add_child(links, work.worths, work.size, node, drawn, CHANCE)
            if child < 0:
                break
        else:
            child = select(work, state, tables, weights, node, seat, settings)
            if child < 0:
                break
            step(state, tables, links[child, ACTION])
        node = child
        work.path[length] = node
        length += 1
        if seat >= 0 and links[node, VISITS] == 0:
            break
    return length


@kernel
def finish(
    work: IsmctsWork, state: Array, tables: Array, weights: Array, settings: SearchSettings, length: int
) -> None:
    """Plays on from where a simulation has come to, evaluates that, and tells all nodes on its way."""
    links = work.links
    if settings.rollout:
        rollout(work, state, tables, weights, settings)
    if settings.before_throws:
        use_throw(work, state, tables, weights)
    evaluate_all(state, tables, weights, work.values, work.shares, length)
    for index in range(length):
        node = work.path[index]
        links[node, VISITS] += 1
        if links[node, MOVER] >= 0:
            work.worths[node, SUM] += work.shares[links[node, MOVER]]


@kernel
def simulate(
    work: IsmctsWork, determinizations: Array, count: int, tables: Array, weights: Array, settings: SearchSettings
) -> None:
    """Runs `count` simulations, the determinizations by turns."""
    for number in range(count):
        copy(determinizations[number % len(determinizations)], work.state)
        length = descend(work, work.state, tables, weights, settings, 0)
        finish(work, work.state, tables, weights, settings, length)


@kernel
def open_root(
    work: IsmctsWork, state: Array, tables: Array, weights: Array, seat: int, settings: SearchSettings
) -> None:
    """Adds a node for every action of the first decision, with what `evaluate` and `liked` say of it."""
    select(work, state, tables, weights, 0, seat, settings)


@kernel
def compare(
    work: IsmctsWork, determinizations: Array, children: Array, begin: int, rounds: int, seed: int, tables: Array,
    weights: Array, settings: SearchSettings,
) -> None:  # fmt: skip
    """So many simulations of each of these children of the root, in rounds that are numbered from `begin` on.

    In a round all begin in the same determinization and with the same random numbers, which follow from the seed.
    """
    state = work.state
    for number in range(begin, begin + rounds):
        for place in range(len(children)):
            child = children[place]
            copy(determinizations[number % len(determinizations)], state)
            step(state, tables, work.links[child, ACTION])
            work.rng[0] = np.uint64(seed) ^ np.uint64(number)
            work.rng[0] = draw(work.rng)  # neighbouring numbers make random numbers that have nothing in common
            work.path[0] = child
            length = 1
            if work.links[child, VISITS]:
                length = descend(work, state, tables, weights, settings, length)
            finish(work, state, tables, weights, settings, length)
