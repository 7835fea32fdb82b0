"""A network of three dense layers on packed positions: from what a seat sees to its share of the win."""

from __future__ import annotations

import math
from typing import Any, NamedTuple

import numpy as np

from astragal.bots.kernels_evaluate import share_of
from astragal.core.compiled import kernel
from astragal.core.fast import Array, features, inputs, returns, turn
from astragal.core.types import OVER

BLOCK = 64  # inputs that are compared at once


class Net(NamedTuple):
    """A network and the arrays that it works in. Weights have a row for each input and a column for each output.

    Most inputs are the same from position to position: the board, and what has not changed since the beginning. So the
    sums of the first layer begin with what they are for a usual position, and only what differs from it is added.
    """

    usual: Array  # the inputs of that position
    first: Array
    first_sums: Array  # what they come to, with the biases
    second: Array
    second_bias: Array
    last: Array
    last_bias: Array
    likes: Array  # weights of a second output, what is liked beside the chance to win; none where there is one output
    mover_at: int  # where a packed state has the side to throw or move; -1 if the network knows all seats
    features: int  # how many of its inputs, the last ones, are what the heuristic looks at
    seen: Array
    hidden: Array
    deeper: Array
    zeros: Array  # as many as the first layer has sums: what is usual for them


@kernel
def add_row(value: Any, row: Array, sums: Array) -> None:
    """Adds a row of weights as often as the value says."""
    for column in range(len(sums)):
        sums[column] += value * row[column]


@kernel
def add_rows(values: Array, weights: Array, usual: Array, sums: Array) -> None:
    """Adds the rows of weights whose values are not as usual, as often as they differ.

    Four of them are added at once, so that the sums are read and written a quarter as often.
    """
    many, one, two, three = 0, 0, 0, 0
    by_one = by_two = by_three = np.float32(0)
    for row in range(len(values)):
        by = values[row] - usual[row]
        if by == 0:
            continue
        if many == 0:
            one, by_one = row, by
        elif many == 1:
            two, by_two = row, by
        elif many == 2:
            three, by_three = row, by
        else:
            first, second, third, fourth = weights[one], weights[two], weights[three], weights[row]
            for column in range(len(sums)):
                sums[column] += (by_one * first[column] + by_two * second[column]) + (
                    by_three * third[column] + by * fourth[column]
                )
            many = -1
        many += 1
    if many > 0:
        add_row(by_one, weights[one], sums)
    if many > 1:
        add_row(by_two, weights[two], sums)
    if many > 2:
        add_row(by_three, weights[three], sums)


@kernel
def first_layer(net: Net) -> None:
    """The sums of the first layer. Inputs are compared block by block, which a processor does many at a time."""
    sums = net.hidden
    for column in range(len(sums)):
        sums[column] = net.first_sums[column]
    for start in range(0, len(net.seen), BLOCK):
        seen, usual, weights = net.seen[start : start + BLOCK], net.usual[start : start + BLOCK], net.first[start:]
        differ = 0
        for row in range(len(seen)):
            differ += seen[row] != usual[row]
        if differ:
            add_rows(seen, weights, usual, sums)


@kernel
def dense(values: Array, weights: Array, bias: Array, zeros: Array, sums: Array) -> None:
    """The sums of one layer. Values that are 0 cost nothing, and many are."""
    for column in range(len(sums)):
        sums[column] = bias[column]
    add_rows(values, weights, zeros, sums)


@kernel
def rectify(values: Array) -> None:
    """What is below 0 becomes 0."""
    for place in range(len(values)):
        values[place] = max(values[place], np.float32(0))


@kernel
def forward(net: Net) -> Any:
    """The log-odds of winning for what lies in `net.seen`."""
    first_layer(net)
    rectify(net.hidden)
    dense(net.hidden, net.second, net.second_bias, net.zeros, net.deeper)
    rectify(net.deeper)
    total = net.last_bias[0]
    for place in range(len(net.deeper)):
        total += net.deeper[place] * net.last[place]
    return total


@kernel
def liking(net: Net) -> Any:
    """By how much the position that was looked at last is liked beside its log-odds, where actions are compared."""
    total = np.float32(0)
    for place in range(len(net.likes)):
        total += net.deeper[place] * net.likes[place]
    return total


@kernel
def look(state: Array, tables: Array, count: int, seat: int, seen: Array) -> None:
    """Fills in what a network is told of a position: all that the seat may know, and so many features of it."""
    inputs(state, tables, seat, seen[: len(seen) - count])
    if count:
        features(state, tables, seat, seen[len(seen) - count :])


@kernel
def by_network(state: Array, tables: Array, net: Net, seat: int, values: Array) -> Any:
    """This seat's share of the win: exact once the game is over, before that the network's guess.

    It fills the slot `evaluate` of searches. Where the network knows only the side to throw, the other side has the
    rest of the win.
    """
    if turn(state, tables) == OVER:
        returns(state, tables, values)
        return values[seat]
    viewer = int(state[net.mover_at]) if net.mover_at >= 0 else seat
    look(state, tables, net.features, viewer, net.seen)
    share = share_of(forward(net))
    return share if viewer == seat else 1 - share


@kernel
def liked_by_network(share: float, net: Net) -> Any:
    """What a position counts for among others that a seat can choose between; its share must have been asked last.

    It fills the slot `liked` of searches.
    """
    if len(net.likes) == 0:
        return share
    return share_of(math.log(share / (1 - share)) + liking(net))
