"""The simple bots: `random`, and `greedy`, which takes the action after which the heuristic is best."""

from __future__ import annotations

from random import Random
from typing import Annotated, Any

from msgspec import Meta, Struct

from astragal.bots.choice import Bot, Choice, Limit
from astragal.bots.ranking import misjudged, ranked
from astragal.bots.reasons import reasons, share
from astragal.core.rules import AnyView, Game

GUESSES = 8  # how many states a greedy bot imagines at most where something is hidden


class RandomBot(Bot):
    """Any legal action, each as likely as the next."""

    name = "random"
    limit = Limit()

    def __init__(self, game: Game) -> None:
        del game

    def choose(self, view: AnyView, rng: Random) -> Choice:
        return Choice(rng.choice(view.legal))


class GreedySettings(Struct, frozen=True, forbid_unknown_fields=True):
    """How a greedy bot may be made weaker."""

    mistakes: Annotated[float, Meta(ge=0, le=1)] = 0.0  # how often it plays at random instead
    noise: Annotated[float, Meta(ge=0, le=10)] = 0.0  # see `ranking.misjudged`
    overlooks: str = ""  # features of the heuristic that it has no eye for, with + between them

    @property
    def overlooked(self) -> frozenset[str]:
        """The names of these features."""
        return frozenset(self.overlooks.split("+")) if self.overlooks else frozenset()


class GreedyBot(Bot):
    """The action after which the game's heuristic likes the seat best."""

    name = "greedy"
    limit = Limit()

    def __init__(self, game: Game, settings: GreedySettings | None = None) -> None:
        self.rules = game.rules
        self.heuristic = game.heuristic
        self.settings = settings or GreedySettings()
        self._overlooked = self.settings.overlooked

    def choose(self, view: AnyView, rng: Random) -> Choice:
        if self.settings.mistakes and rng.random() < self.settings.mistakes:
            return Choice(rng.choice(view.legal))
        judged = self._judge(view, rng)
        odds = misjudged([sum(terms.values()) for terms in judged], self.settings.noise, rng)
        worth = [share(value) for value in odds]
        places = ranked(odds, rng)
        best = places[0]
        alternatives = tuple((view.legal[index], worth[index]) for index in places)
        return Choice(view.legal[best], worth[best], alternatives, reasons(self.heuristic, judged, best), len(worth), 1)

    def _judge(self, view: AnyView, rng: Random) -> list[dict[str, float]]:
        """The heuristic's terms after each action, on average over guesses at what is hidden.

        If the first two say the same, what is hidden does not matter to these actions, and no more are made.
        """
        seat = view.seat
        assert seat is not None  # only players are asked
        guesses: list[list[dict[str, float]]] = []
        while len(guesses) < (GUESSES if self.rules.spec.hidden else 1):
            state = self.rules.resample(view, rng)
            guesses.append([self._terms(state, action, seat) for action in view.legal])
            if len(guesses) == 2 and guesses[0] == guesses[1]:
                break
        if len(guesses) == 1:
            return guesses[0]
        return [
            {term: sum(guess[index][term] for guess in guesses) / len(guesses) for term in terms}
            for index, terms in enumerate(guesses[0])
        ]

    def _terms(self, state: Any, action: Any, seat: int) -> dict[str, float]:
        terms = self.heuristic.terms_in(self.rules, self.rules.apply(state, action), seat)
        return {term: value for term, value in terms.items() if term not in self._overlooked}
