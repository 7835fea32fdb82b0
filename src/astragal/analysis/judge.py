"""What a review goes by: the value of positions for every seat, and of every action for whoever had to choose.

A position is judged by an evaluator. An action is judged by it too where the evaluator is exact or was taught by exact
values; else by a search, which sees further. Either way by what the seat could know when it chose.
"""

from __future__ import annotations

from collections.abc import Sequence
from random import Random
from statistics import fmean
from typing import Any

from msgspec import Struct

from astragal.bots.choice import Bot, Limit
from astragal.bots.evaluate import About, evaluator
from astragal.bots.expectimax import ExpectimaxBot
from astragal.bots.ismcts import IsmctsBot, IsmctsSettings
from astragal.bots.packed_view import PackedView
from astragal.bots.proof import winning_line
from astragal.core.rules import Game
from astragal.core.types import CHANCE, OVER

EXPECTIMAX_NODES, ISMCTS_NODES = (10_000, 100_000), (1_000, 10_000)  # of a decision, quickly and in full
GUESSES = 8  # at what is hidden, where an evaluator judges what a seat sees


class Judged(Struct, frozen=True):
    """Legal actions with what each is worth to the seat that had to choose; the best is first."""

    actions: tuple[tuple[Any, float], ...]

    def of(self, action: Any) -> float:
        """What one of them is worth."""
        return next(value for one, value in self.actions if one == action)

    @property
    def best(self) -> float:
        return self.actions[0][1]


class Judge:
    """Judges positions of one match."""

    def __init__(self, game: Game, options: Any, players: int, *, quick: bool = False, seed: int = 1) -> None:
        self.game, self.rules, self.players = game, game.rules, players
        self._evaluator = evaluator(game, options, players)
        self._rng = Random(seed)  # noqa: S311  for a search
        self.about: About = self._evaluator.about
        self._bot: Bot | None = None
        if not self.about.tells_apart:
            looks_ahead = not game.rules.spec.hidden and max(game.rules.spec.players) == 2
            limit = Limit(nodes=(EXPECTIMAX_NODES if looks_ahead else ISMCTS_NODES)[0 if quick else 1])
            every = IsmctsSettings(candidates=0)  # to say what each action is worth, not just which is best
            self._bot = ExpectimaxBot(game, limit) if looks_ahead else IsmctsBot(game, limit, every)

    def value(self, state: Any) -> tuple[float, ...]:
        """Every seat's share of the win, which sum to 1. A throw to come is looked at through all that it can be."""
        turn = self.rules.turn(state)
        if turn == OVER:
            return self.rules.returns(state)
        if turn == CHANCE:
            outcomes = self.rules.chance(state)
            total = sum(weight for _, weight in outcomes)
            after = [(self.value_after_chance(self.rules.apply(state, action)), weight) for action, weight in outcomes]
            return tuple(sum(values[seat] * weight for values, weight in after) / total for seat in range(self.players))
        return self.value_after_chance(state)

    def value_after_chance(self, state: Any) -> tuple[float, ...]:
        """The same, where another throw may follow at once: that one is not looked through."""
        if self.rules.turn(state) == OVER:
            return self.rules.returns(state)
        fast = self._evaluator.fast
        if self.players == 2 and not self.rules.spec.hidden:
            first = self._evaluator.value(fast.pack(state), 0)
            return first, 1 - first
        shares = [self._evaluator.value(fast.pack(state), seat) for seat in range(self.players)]
        total = sum(shares)
        return tuple(share / total for share in shares)

    def decision(self, state: Any, seat: int) -> Judged:
        """What every legal action is worth to this seat, whose turn it is."""
        legal = self.rules.legal(state)
        values: Sequence[float]
        if self._bot is None:
            values = self._evaluator.actions(self._evaluator.fast.pack(state))
            pairs = list(zip(legal, values, strict=True))
        else:
            choice = self._bot.choose(self.rules.observe(state, seat), self._rng)
            # a search that sees a proven win stops at it, and says nothing of the other actions
            pairs = list(choice.alternatives) or [(one, self._beside_a_proven_win(state, one, seat)) for one in legal]
        return Judged(tuple(sorted(pairs, key=lambda pair: -pair[1])))

    def _beside_a_proven_win(self, state: Any, action: Any, seat: int) -> float:
        """1 for an action after which the win is still proven, else what the evaluator says of what the seat sees."""
        after = self.rules.apply(state, action)
        view = self.rules.observe(after, seat)
        if self.rules.turn(after) == seat and winning_line(PackedView(self.game, view, self._rng)):
            return 1.0
        if self.rules.turn(after) == OVER:
            return self.rules.returns(after)[seat]
        guesses = [self.rules.resample(view, self._rng) for _ in range(GUESSES)]
        return fmean(self.value_after_chance(guess)[seat] for guess in guesses)
