"""The positions of a game that can be solved, and what they are worth by the game's own rules."""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache
from typing import Any

import msgspec

from astragal.core.compiled import cpu
from astragal.core.fast import Array, Fast
from astragal.core.language import say
from astragal.core.rules import Game
from astragal.core.solvable import Index
from astragal.core.types import OVER, AstragalError

Lookup = Callable[[int], float]  # the value of a rank


class NotSolvable(AstragalError):
    """A game that brings no index."""


def index_of(game: Game, options: Any) -> Index:
    """How a game's positions are numbered under these options. Raises NotSolvable."""
    if game.index is None:
        raise NotSolvable(say("{game} cannot be solved: it brings no index of its positions", game=game.id))
    return _made(game.index, options)


@lru_cache(maxsize=4)  # some take seconds to make
def _made(index: Callable[[Any], Index], options: Any) -> Index:
    return index(options)


class Positions:
    """The positions of a game under some options, with seat 0 to begin; values come from a table or an array."""

    def __init__(self, game: Game, options: Any, index: Index | None = None) -> None:
        if game.fast is None:
            raise NotSolvable(say("{game} cannot be solved: it has no compiled rules", game=game.id))
        begun = msgspec.structs.replace(options, begins=0)
        self.index = index or index_of(game, options)
        self.fast: Fast[Any, Any] = game.fast(begun, 2)
        self.first = self.fast.pack(game.rules.initial(begun, 2))
        self._rank, self._unrank = cpu(self.index.kernels.rank), cpu(self.index.kernels.unrank)

    def rank(self, state: Array) -> int:
        """The rank of a position in which a throw is to come."""
        return int(self._rank(state, self.fast.tables, self.index.arrays))

    def at(self, rank: int) -> Array:
        """The position of this rank, with seat 0 to throw."""
        state = self.first.copy()
        self._unrank(rank, self.fast.tables, self.index.arrays, state)
        return state

    def worth(self, state: Array, seat: int, lookup: Lookup) -> float:
        """What a position before a throw, or at the end, is worth to a seat."""
        if self.fast.turn(state) == OVER:
            return self.fast.returns(state)[seat]
        value = lookup(self.rank(state))
        return value if self.index.mover(state) == seat else 1 - value

    def expected(self, state: Array, seat: int, lookup: Lookup) -> float:
        """What a seat can expect over all throws, if the best action follows each; at the end, what it has."""
        if self.fast.turn(state) == OVER:
            return self.fast.returns(state)[seat]
        total = summed = 0.0
        for outcome, weight in self.fast.chance(state):
            thrown = self.fast.step(state, outcome)
            mover = self.fast.turn(thrown)
            best = max(self.worth(self.fast.step(thrown, number), mover, lookup) for number in self.fast.legal(thrown))
            summed += weight * (best if mover == seat else 1 - best)
            total += weight
        return summed / total


def first_rank(game: Game, options: Any, index: Index) -> int:
    """The rank of the first position, with seat 0 to begin."""
    positions = Positions(game, options, index)
    return positions.rank(positions.first)
