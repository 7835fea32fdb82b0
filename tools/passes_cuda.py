"""What training does to each number of an array by itself, on a graphics card; see `tools.passes`."""

from __future__ import annotations

from typing import Any

import cupy

from tools.passes import FIRST_MOMENT, SECOND_MOMENT, TINY

_rectify = cupy.ElementwiseKernel(
    "float32 bias", "float32 sums", "sums = max(sums + bias, 0.0f)", "astragal_rectify"
)  # fmt: skip
_hold_back = cupy.ElementwiseKernel(
    "float32 value", "float32 slope", "slope = value > 0.0f ? slope : 0.0f", "astragal_hold_back"
)
_follow = cupy.ElementwiseKernel(
    "float32 slope, float32 rate, float32 part, float32 square_part, float32 undo, float32 tiny",
    "float32 mean, float32 square, float32 weight",
    """
    mean += part * (slope - mean);
    square += square_part * (slope * slope - square);
    weight -= rate * mean / (sqrtf(square * undo) + tiny);
    """,
    "astragal_follow",
)

_spread = cupy.ElementwiseKernel(
    "uint16 at, float32 of, int64 width, int64 inputs",
    "raw float32 seen",
    "seen[i / width * inputs + at] = of",
    "astragal_spread",
)


def rectify(bias: Any, sums: Any) -> None:
    """Adds biases to sums, a row for each position; what is below 0 becomes 0."""
    _rectify(bias, sums)


def hold_back(values: Any, slopes: Any) -> None:
    """Slopes become 0 where the value was made 0."""
    _hold_back(values, slopes)


def follow(slopes: Any, rate: float, step: int, mean: Any, square: Any, weights: Any) -> None:
    """A step of Adam, the first of which is number 1."""
    first, second = 1 - FIRST_MOMENT**step, 1 - SECOND_MOMENT**step
    _follow(slopes, rate / first, 1 - FIRST_MOMENT, 1 - SECOND_MOMENT, 1 / second, TINY, mean, square, weights)


def spread(at: Any, of: Any, seen: Any) -> None:
    """Writes inputs to where they belong, a row for each position."""
    _spread(at, of, at.shape[1], seen.shape[1], seen)
