"""A network of three dense layers on packed positions: from what a seat sees to its share of the win."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from astragal.bots.kernels_evaluate import share_of
from astragal.core.compiled import kernel
from astragal.core.fast import Array, features, observe, returns, turn
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
    mover_at: int  # where a packed state has the side to throw or move; -1 if the network knows all seats
    features: int  # how many of its inputs, the last ones, are what the heuristic looks at
    seen: Array
    hidden: Array
    deeper: Array


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
        for row in range(len(seen) if differ else 0):
            value = seen[row] - usual[row]
            if value != 0:
                for column in range(len(sums)):
                    sums[column] += value * weights[row, column]


@kernel
def dense(values: Array, weights: Array, bias: Array, sums: Array) -> None:
    """The sums of one layer. Values that are 0 cost nothing, and many are."""
    for column in range(len(sums)):
        sums[column] = bias[column]
    for row in range(len(values)):
        value = values[row]
        if value != 0:
            for column in range(len(sums)):
                sums[column] += value * weights[row, column]


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
    dense(net.hidden, net.second, net.second_bias, net.deeper)
    rectify(net.deeper)
    total = net.last_bias[0]
    for place in range(len(net.deeper)):
        total += net.deeper[place] * net.last[place]
    return total


@kernel
def look(state: Array, tables: Array, count: int, seat: int, seen: Array) -> None:
    """Fills in what a network is told of a position: all that the seat may know, and so many features of it."""
    observe(state, tables, seat, seen[: len(seen) - count])
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
