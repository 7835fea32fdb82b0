"""The numbers of a compiled game's actions, for tests that think in actions."""

from __future__ import annotations

from typing import Any

from astragal.core.fast import Array, Fast


def number_of(fast: Fast[Any, Any], packed: Array, action: Any) -> int:
    """The number of a legal action or an outcome in this position."""
    numbers = [*fast.legal(packed), *(number for number, _ in fast.chance(packed))]
    return next(number for number in numbers if fast.action(packed, number) == action)


def same(one: Array, other: Array) -> bool:
    """Whether two packed states are equal, word for word."""
    return one.dtype == other.dtype and one.tolist() == other.tolist()
