"""The first bots: one that plays at random, and one that takes what looks best now."""

from __future__ import annotations

from random import Random
from typing import Annotated, Any

from msgspec import Meta, Struct

from astragal.bots.choice import SHOWN, Bot, Choice, Limit
from astragal.bots.reasons import reasons, share
from astragal.core.rules import Game

GUESSES = 8  # how many states a greedy bot imagines where something is hidden


class RandomBot(Bot):
    """Any legal action, each as likely as the next."""

    limit = Limit()

    def __init__(self, game: Game) -> None:
        del game

    def choose(self, view: Any, rng: Random) -> Choice:
        return Choice(rng.choice(view.legal))


class Whims(Struct, frozen=True, forbid_unknown_fields=True):
    """How a greedy bot may be made weaker."""

    mistakes: Annotated[float, Meta(ge=0, le=1)] = 0.0  # how often it plays at random instead


class GreedyBot(Bot):
    """The action after which the game's heuristic likes the seat best."""

    limit = Limit()

    def __init__(self, game: Game, whims: Whims | None = None) -> None:
        self.rules = game.rules
        self.heuristic = game.heuristic
        self.whims = whims or Whims()

    def choose(self, view: Any, rng: Random) -> Choice:
        if self.whims.mistakes and rng.random() < self.whims.mistakes:
            return Choice(rng.choice(view.legal))
        guesses = [self.rules.resample(view, rng) for _ in range(GUESSES if self.rules.spec.hidden else 1)]
        judged = [self._judge(guesses, action, view.seat) for action in view.legal]
        worth = [share(sum(terms.values())) for terms in judged]
        ranked = sorted(range(len(worth)), key=lambda index: -worth[index])  # stable: the first of equals stays first
        best = ranked[0]
        alternatives = tuple((view.legal[index], worth[index]) for index in ranked[:SHOWN])
        return Choice(view.legal[best], worth[best], alternatives, reasons(self.heuristic, judged, best), len(worth), 1)

    def _judge(self, guesses: list[Any], action: Any, seat: int) -> dict[str, float]:
        """The heuristic's terms after an action, on average over the guesses."""
        total: dict[str, float] = {}
        for state in guesses:
            after = self.rules.observe(self.rules.apply(state, action), seat)
            for term, value in self.heuristic.terms(after, seat).items():
                total[term] = total.get(term, 0.0) + value / len(guesses)
        return total
