"""A bot that plays from a table of exact values. It never errs by more than they do; it only has worse dice."""

from __future__ import annotations

from random import Random
from typing import Any

from astragal.bots.choice import Bot, Choice
from astragal.bots.packed_view import PackedView, check_searchable
from astragal.core.rules import AnyView, Game
from astragal.core.types import OVER
from astragal.solve import shelf
from astragal.solve.positions import Positions

END_BONUS = 1e-6  # a win at once comes before one that the table only rounds to 1


class PerfectBot(Bot):
    """Takes the action after which its table gives its side the most, or one of those that are as good."""

    def __init__(self, game: Game) -> None:
        check_searchable(game)
        self._game = game
        self._positions: tuple[Any, Positions] | None = None  # of the options of the last choice

    def prepare(self, view: AnyView) -> None:
        self._positions_of(view.options).rank(PackedView(self._game, view, Random(0)).first)

    def choose(self, view: AnyView, rng: Random) -> Choice:
        seen = PackedView(self._game, view, rng)
        values, positions = shelf.needed(self._game, view.options), self._positions_of(view.options)
        after = [seen.fast.step(seen.first, number) for number in seen.numbers]
        worth = [positions.worth(state, seen.seat, values.value) for state in after]
        at_once = [seen.fast.turn(state) == OVER for state in after]
        best = max(worth)
        equal = [best if value >= best - values.header.near else value for value in worth]
        order = [value + END_BONUS * (value > 0.5) * end for value, end in zip(equal, at_once, strict=True)]
        return seen.choice(worth, order, len(worth), 0)

    def _positions_of(self, options: Any) -> Positions:
        known = self._positions  # another thread may prepare for other options meanwhile
        if known is None or known[0] != options:
            known = self._positions = options, Positions(self._game, options)
        return known[1]
