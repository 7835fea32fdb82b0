"""A view as searches take it: determinizations of it, packed, and what the heuristic says of each legal action."""

from __future__ import annotations

from collections.abc import Container, Mapping, Sequence
from functools import cached_property
from random import Random
from typing import Any

import numpy as np

from astragal.bots.choice import Choice
from astragal.bots.ranking import ranked
from astragal.bots.reasons import reasons
from astragal.core.fast import Array, Dealer, Fast
from astragal.core.language import say
from astragal.core.rules import AnyView, Game
from astragal.core.types import AstragalError


class NotSearchable(AstragalError):
    """A game without a compiled form cannot be searched."""


def check_searchable(game: Game) -> None:
    """Refuses a game without compiled rules: when a bot is made, not at its first turn. Raises NotSearchable."""
    if game.fast is None:
        raise NotSearchable(say("{game} has no compiled rules to search in", game=game.id))


class PackedView:
    """A table as its seat sees it, ready to be searched."""

    def __init__(self, game: Game, view: AnyView, rng: Random, overlooked: Container[str] = ()) -> None:
        assert game.fast is not None  # or the bot would not have been made (`check_searchable`)
        assert view.seat is not None  # only players look ahead
        self.game, self.view, self.rng = game, view, rng
        self.seat = view.seat
        state = game.rules.resample(view, rng)
        self.fast: Fast[Any, Any] = game.fast(view.options, game.rules.players(state))
        self.first = self.fast.pack(state)
        self.numbers = self.fast.legal(self.first)
        self.weights = np.array(
            [0.0 if name in overlooked else game.heuristic.weights[name] for name in game.heuristic.names]
        )

    def determinization(self) -> Array:
        """A position that looks like the view, by the luck of this bot; the same one where nothing is hidden."""
        if not self.game.rules.spec.hidden:
            return self.first
        return self.fast.pack(self.game.rules.resample(self.view, self.rng))

    @cached_property
    def dealer(self) -> Dealer | None:
        """What makes many determinizations at once, if the game has something for that."""
        return self.fast.dealer(self.view, self.rng) if self.game.rules.spec.hidden else None

    def determinizations(self, count: int, dealer: Dealer | None) -> Array:
        """So many of them, a row each: from a dealer, or one by one."""
        states = np.tile(self.first, (count, 1))
        if dealer is not None:
            dealer(states)
        else:
            for state in states:
                state[:] = self.determinization()
        return states

    def values(self) -> Array:
        """Room for features, and for the shares of all seats."""
        return np.zeros(max(len(self.weights), self.fast.players))

    def choice(self, worth: Sequence[float], order: Sequence[float], nodes: int, depth: int) -> Choice:
        """The legal action that `order` puts first, or one of those, with what each is worth."""
        places = ranked(order, self.rng)
        best = places[0]
        return Choice(
            self.view.legal[best],
            worth[best],
            tuple((self.view.legal[index], worth[index]) for index in places),
            reasons(self.game.heuristic, [self._terms(number) for number in self.numbers], best),
            nodes,
            depth,
        )

    def _terms(self, number: int) -> Mapping[str, float]:
        names = self.game.heuristic.names
        after = self.fast.step(self.first, number)
        seen = self.fast.features(after, self.seat, len(names))
        return dict(zip(names, self.weights * seen, strict=True))
