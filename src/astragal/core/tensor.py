"""What a position looks like as numbers: the parts of the observation that a game's kernel `observe` fills in.

An observation is one flat array of float32. Its parts follow one another in the order in which a game lists them, each
with its shape, so that a program can cut it up and a person can look up what a number means.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from math import prod
from typing import Any

from msgspec import Struct


class Part(Struct, frozen=True):
    """Some numbers of an observation that mean the same kind of thing."""

    name: str
    shape: tuple[int, ...]
    text: str  # what they mean, one sentence in English
    low: float = 0.0
    high: float = 1.0

    @property
    def size(self) -> int:
        """How many numbers it has."""
        return prod(self.shape)


def size(parts: Sequence[Part]) -> int:
    """How many numbers an observation of these parts has."""
    return sum(part.size for part in parts)


def places(parts: Sequence[Part]) -> Iterator[tuple[Part, slice]]:
    """Every part, and where it lies in an observation."""
    begin = 0
    for part in parts:
        yield part, slice(begin, begin + part.size)
        begin += part.size


def cut(parts: Sequence[Part], observation: Any) -> dict[str, Any]:
    """The parts of an observation, or of a batch of them, by their names and in their shapes.

    >>> import numpy as np
    >>> parts = (Part("board", (2, 2), "who stands where"), Part("throw", (1,), "the dice"))
    >>> cut(parts, np.arange(5.0))["board"].tolist()
    [[0.0, 1.0], [2.0, 3.0]]
    """
    before = observation.shape[:-1]
    return {part.name: observation[..., place].reshape(*before, *part.shape) for part, place in places(parts)}
