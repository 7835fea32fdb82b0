"""What the heuristic thinks of every legal action, as a template."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, cast

from astragal.core.fast import Array, copy

# What a template calls; `specialise` puts a game's own kernels in the place of these names.
step = features = cast("Callable[..., Any]", None)


def liking(
    world: Array, numbers: Array, tables: Any, weights: Array, seat: int, values: Array, trial: Array, odds: Array
) -> None:
    """Adds up in `odds` what the heuristic thinks of each action: the log-odds of winning after it."""
    for index in range(len(numbers)):
        copy(world, trial)
        step(trial, tables, numbers[index])
        features(trial, tables, seat, values)
        for term in range(len(weights)):
            odds[index] += weights[term] * values[term]
