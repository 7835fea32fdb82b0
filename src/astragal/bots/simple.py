"""The first bots: one that plays at random, and one that takes what looks best now."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from random import Random
from typing import Any, Protocol

from msgspec import Struct

from astragal.core.language import say
from astragal.core.rules import Game
from astragal.core.types import AstragalError

GUESSES = 8  # how many states a greedy bot imagines where something is hidden


class Choice(Struct, frozen=True):
    """What a bot would do, how good it thinks that is, and why."""

    action: Any
    value: float = 0.0
    alternatives: tuple[tuple[Any, float], ...] = ()  # the best few, the choice itself first
    reasons: tuple[str, ...] = ()  # sentences of the heuristic, English, keys of the catalogue


class Bot(Protocol):
    """A player that sees only what its seat may see."""

    def choose(self, view: Any, rng: Random) -> Choice:
        """One of `view.legal`."""
        ...


class RandomBot:
    """Any legal action, each as likely as the next."""

    def __init__(self, game: Game) -> None:
        del game

    def choose(self, view: Any, rng: Random) -> Choice:
        return Choice(rng.choice(view.legal))


class GreedyBot:
    """The action after which the game's heuristic likes the seat best."""

    def __init__(self, game: Game) -> None:
        self.rules = game.rules
        self.heuristic = game.heuristic

    def choose(self, view: Any, rng: Random) -> Choice:
        guesses = [self.rules.resample(view, rng) for _ in range(GUESSES if self.rules.spec.hidden else 1)]
        judged = [(action, self._judge(guesses, action, view.seat)) for action in view.legal]
        ranked = sorted(judged, key=lambda pair: -sum(pair[1].values()))  # stable: the first of equals stays first
        best, terms = ranked[0]
        alternatives = tuple((action, sum(found.values())) for action, found in ranked[:5])
        return Choice(best, sum(terms.values()), alternatives, self._reasons(judged, terms))

    def _judge(self, guesses: list[Any], action: Any, seat: int) -> dict[str, float]:
        """The heuristic's terms after an action, on average over the guesses."""
        total: dict[str, float] = {}
        for state in guesses:
            after = self.rules.observe(self.rules.apply(state, action), seat)
            for term, value in self.heuristic.terms(after, seat).items():
                total[term] = total.get(term, 0.0) + value / len(guesses)
        return total

    def _reasons(self, judged: list[tuple[Any, dict[str, float]]], terms: Mapping[str, float]) -> tuple[str, ...]:
        """The terms in which the choice is better than the average action, the strongest first."""
        gains = {
            term: value - sum(found.get(term, 0.0) for _, found in judged) / len(judged)
            for term, value in terms.items()
        }
        best = sorted((term for term in gains if gains[term] > 1e-6), key=lambda term: -gains[term])
        return tuple(self.heuristic.names[term] for term in best[:2])


BOTS: Mapping[str, Callable[[Game], Bot]] = {"random": RandomBot, "greedy": GreedyBot}


class UnknownBot(AstragalError):
    """No bot has this name."""


def make(name: str, game: Game) -> Bot:
    """The bot of this name, for this game."""
    if name not in BOTS:
        raise UnknownBot(say("there is no bot {name!r}; the bots are: {bots}", name=name, bots=", ".join(BOTS)))
    return BOTS[name](game)
