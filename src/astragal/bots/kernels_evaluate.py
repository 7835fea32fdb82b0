"""What packed positions are worth: templates for all games, and the slot `evaluate` of searches."""

from __future__ import annotations

import math
from typing import Any

from astragal.core.compiled import Slot, kernel
from astragal.core.fast import Array, copy, features, returns, step, turn
from astragal.core.types import OVER

DOUBT = 1e-6  # how far a guess stays away from certainty
FURTHEST = 500.0  # log-odds beyond which nothing changes


@kernel
def weighed(weights: Array, values: Array) -> Any:
    """The sum of features by their weights, which is the log-odds of winning."""
    total = 0.0
    for index in range(len(weights)):
        total += weights[index] * values[index]
    return total


@kernel
def share_of(odds: float) -> Any:
    """The share of the win that log-odds stand for; never so sure that it could be taken for a win or a loss."""
    share = 1 / (1 + math.exp(-min(max(odds, -FURTHEST), FURTHEST)))
    return min(max(share, DOUBT), 1 - DOUBT)


@kernel
def by_heuristic(state: Array, tables: Array, weights: Array, seat: int, values: Array) -> Any:
    """This seat's share of the win: exact once the game is over, before that the heuristic's guess."""
    if turn(state, tables) == OVER:
        returns(state, tables, values)
        return values[seat]
    features(state, tables, seat, values)
    return share_of(weighed(weights, values))


evaluate = Slot("evaluate", by_heuristic)  # in a search; `weights` is then what fills it needs (see `bots.evaluate`)


@kernel
def as_it_is(share: float, weights: Array) -> Any:  # noqa: ARG001
    """Positions are compared by what they are worth."""
    return share


# What a position counts for among others that a seat can choose between: `liked(share, weights)`, where the share is
# what `judged` has just said of it. A network may know better which action to take than how much better it is.
liked = Slot("liked", as_it_is)


@kernel
def evaluate_actions(
    state: Array, tables: Array, weights: Array, seat: int, numbers: Array, values: Array, trial: Array, odds: Array
) -> None:
    """Fills in the log-odds of winning after each action; `trial` is room for a position."""
    for index in range(len(numbers)):
        copy(state, trial)
        step(trial, tables, numbers[index])
        features(trial, tables, seat, values)
        odds[index] = weighed(weights, values)
