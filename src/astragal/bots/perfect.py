"""A bot that plays from a table of exact values. It never errs; it only has worse dice."""

from __future__ import annotations

from random import Random
from typing import Any

from astragal.bots.choice import Bot, Choice
from astragal.bots.packed_view import PackedView, check_searchable
from astragal.core.compiled import cpu
from astragal.core.language import say
from astragal.core.rules import AnyView, Game
from astragal.core.solvable import Index
from astragal.core.types import OVER, AstragalError
from astragal.solve import shelf
from astragal.solve.positions import index_of

END_BONUS = 1e-6  # a win at once comes before one that the table only rounds to 1


class NoTable(AstragalError):
    """There is no table for a game under these options."""


class PerfectBot(Bot):
    """Takes the action after which its table gives its side the most."""

    def __init__(self, game: Game) -> None:
        check_searchable(game)
        self._game = game
        self._index: tuple[Any, Index] | None = None  # of the options of the last choice

    def prepare(self, view: AnyView) -> None:
        seen = PackedView(self._game, view, Random(0))
        index = self._index_of(view.options)
        cpu(index.kernels.rank)(seen.first, seen.fast.tables, index.arrays)

    def choose(self, view: AnyView, rng: Random) -> Choice:
        seen = PackedView(self._game, view, rng)
        found = shelf.find(self._game, view.options)
        if found is None:
            raise NoTable(say("there is no table for this game with these options; make one with astragal solve"))
        index, fast = self._index_of(view.options), seen.fast
        rank = cpu(index.kernels.rank)
        worth = []
        for number in seen.numbers:
            after = fast.step(seen.first, number)
            if fast.turn(after) == OVER:
                worth.append(fast.returns(after)[seen.seat])
                continue
            value = found.value(int(rank(after, fast.tables, index.arrays)))
            worth.append(value if index.mover(after) == seen.seat else 1 - value)
        at_once = [fast.turn(fast.step(seen.first, number)) == OVER for number in seen.numbers]
        order = [value + END_BONUS * (value > 0.5) * end for value, end in zip(worth, at_once, strict=True)]
        return seen.choice(worth, order, len(worth), 0)

    def _index_of(self, options: Any) -> Index:
        if self._index is None or self._index[0] != options:
            self._index = options, index_of(self._game, options)
        return self._index[1]
