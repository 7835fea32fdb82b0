"""What training does to each number of an array by itself, with NumPy; `tools.passes_cuda` has the same for a card.

On a card each of these is one pass over memory, where the same written as arrays would be two to twelve.
"""

from __future__ import annotations

from typing import Any

import numpy as np

FIRST_MOMENT, SECOND_MOMENT, TINY = 0.9, 0.999, 1e-8  # of Adam


def rectify(bias: Any, sums: Any) -> None:
    """Adds biases to sums, a row for each position; what is below 0 becomes 0."""
    sums += bias
    np.maximum(sums, 0, out=sums)


def hold_back(values: Any, slopes: Any) -> None:
    """Slopes become 0 where the value was made 0."""
    slopes *= values > 0


def follow(slopes: Any, rate: float, step: int, mean: Any, square: Any, weights: Any) -> None:
    """A step of Adam, the first of which is number 1."""
    first, second = 1 - FIRST_MOMENT**step, 1 - SECOND_MOMENT**step
    mean += (1 - FIRST_MOMENT) * (slopes - mean)
    square += (1 - SECOND_MOMENT) * (slopes * slopes - square)
    weights -= (rate / first) * mean / (np.sqrt(square / second) + TINY)


def spread(at: Any, of: Any, seen: Any) -> None:
    """Writes inputs to where they belong, a row for each position."""
    seen[np.arange(len(seen))[:, None], at] = of
