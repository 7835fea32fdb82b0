"""The shapes of a game for learning programs: its actions, its outcomes, and what every number of a tensor means."""

from __future__ import annotations

from typing import Any

import numpy as np

from astragal.core import tensor
from astragal.core.fast import Array, Fast
from astragal.core.rules import Game


class Space:
    """Actions and observations of a game under given options, at a table of given size.

    >>> from astragal import research
    >>> space = research.vector("ur", 1).space
    >>> space.actions, space.outcomes, space.size
    (16, 5, 45)
    >>> print(space.describe().splitlines()[0])
    0-13 own (14): 1 where a piece of this seat is, by the steps of its way from the first on
    """

    def __init__(self, game: Game, fast: Fast[Any, Any]) -> None:
        self.game, self.fast = game, fast
        self.numbers: Array = np.asarray(fast.decisions)
        self.actions = len(self.numbers)  # they are numbered from 0; `numbers` has what the compiled rules call them
        self.outcomes = fast.outcomes
        self.players = fast.players
        self.parts = fast.observation
        self.size = tensor.size(self.parts)

    @property
    def low(self) -> Array:
        """The lowest value of each number of an observation."""
        return np.concatenate([np.full(part.size, part.low, dtype=np.float32) for part in self.parts])

    @property
    def high(self) -> Array:
        """The highest value of each number of an observation."""
        return np.concatenate([np.full(part.size, part.high, dtype=np.float32) for part in self.parts])

    def cut(self, observation: Any) -> dict[str, Any]:
        """An observation, or a batch of them, by its parts."""
        return tensor.cut(self.parts, observation)

    def describe(self) -> str:
        """A line for every part: where it lies, its name, its shape, and what it means."""
        lines = []
        for part, place in tensor.places(self.parts):
            shape = " x ".join(map(str, part.shape))
            span = f"{place.start}-{place.stop - 1}" if part.size != 1 else f"{place.start}"
            lines.append(f"{span} {part.name} ({shape}): {part.text}")
        return "\n".join(lines)
