"""Games of a heuristic against itself or another one, compiled: what its weights are learned from.

A seat takes the action after which its features by its weights say most, or, with a temperature, one of those that say
nearly as much. That is what `greedy` does, except where something is hidden: here the features of the real position
are asked, which are those of the seat's own view.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from astragal.bots.kernels_evaluate import weighed
from astragal.core.compiled import kernel
from astragal.core.fast import Array, Fast, below, chance, copy, draw, features, legal, returns, step, turn, weighted
from astragal.core.types import CHANCE, OVER


class SelfplayWork(NamedTuple):
    """The arrays in which games are played."""

    state: Array
    after: Array  # a position that is only tried
    rng: Array
    numbers: Array
    odds: Array
    worth: Array  # of each action
    seen: Array  # room for features


class Collected(NamedTuple):
    """What games left behind, and a row for each position that was collected, as it looked to one seat."""

    shares: Array  # of the win, a row a game
    plies: Array  # of each game
    rows: Array  # features
    owners: Array  # game, seat and ply of each row


@kernel
def unit(rng: Array) -> float:
    """A random number from 0 up to, not including, 1."""
    return float(np.int64(draw(rng) >> np.uint64(11))) * 2.0**-53


@kernel
def choose(
    work: SelfplayWork, state: Array, tables: Array, seat: int, count: int, weights: Array, temperature: float
) -> int:
    """The action of a seat: the best by its weights, or one that is drawn by exp(worth / temperature)."""
    numbers, worth = work.numbers, work.worth
    best, equals = 0, 1
    for index in range(count):
        copy(state, work.after)
        step(work.after, tables, numbers[index])
        features(work.after, tables, seat, work.seen)
        worth[index] = weighed(weights, work.seen)
        if worth[index] > worth[best]:
            best, equals = index, 1
        elif index > 0 and worth[index] == worth[best]:  # each of the equals is as likely as the next
            equals += 1
            if below(work.rng, equals) == 0:
                best = index
    if temperature <= 0.0:
        return int(numbers[best])
    top, total = worth[best], 0.0
    for index in range(count):
        worth[index] = np.exp((worth[index] - top) / temperature)
        total += worth[index]
    left = unit(work.rng) * total
    for index in range(count):
        left -= worth[index]
        if left < 0.0:
            return int(numbers[index])
    return int(numbers[best])


@kernel
def games(
    packed: Array,
    tables: Array,
    seeds: Array,
    most_plies: int,
    weights: Array,
    temperature: float,
    often: float,
    work: SelfplayWork,
    collected: Collected,
) -> int:
    """A game for each seed, seat k playing by row k of `weights`; how many rows of features were collected.

    About every 1/often-th position is collected as it looks to each seat, until there is no more room. A game that is
    broken off is shared, and has `most_plies` plies.
    """
    players = len(weights)
    state, rng, numbers, rows, owners = work.state, work.rng, work.numbers, collected.rows, collected.owners
    kept = 0
    for game in range(len(seeds)):
        copy(packed, state)
        rng[0] = seeds[game]
        for seat in range(players):
            collected.shares[game, seat] = 1 / players
        collected.plies[game] = most_plies
        for ply in range(most_plies):
            seat = turn(state, tables)
            if seat == OVER:
                returns(state, tables, collected.shares[game])
                collected.plies[game] = ply
                break
            if often > 0.0 and kept + players <= len(rows) and unit(rng) < often:
                for viewer in range(players):
                    features(state, tables, viewer, rows[kept])
                    owners[kept, 0], owners[kept, 1], owners[kept, 2] = game, viewer, ply
                    kept += 1
            if seat == CHANCE:
                count = chance(state, tables, numbers, work.odds)
                number = numbers[weighted(rng, work.odds, count)]
            else:
                count = legal(state, tables, numbers)
                number = numbers[0]
                if count > 1:
                    number = choose(work, state, tables, seat, count, weights[seat], temperature)
            step(state, tables, number)
    return kept


def work_for(fast: Fast[Any, Any], packed: Array, width: int) -> SelfplayWork:
    """Arrays for games of this table, by a heuristic of so many features."""
    return SelfplayWork(
        state=np.empty_like(packed),
        after=np.empty_like(packed),
        rng=np.empty(1, dtype=np.uint64),
        numbers=np.zeros(fast.room, dtype=np.int64),
        odds=np.zeros(fast.most, dtype=np.int64),
        worth=np.zeros(fast.most),
        seen=np.zeros(width),
    )
