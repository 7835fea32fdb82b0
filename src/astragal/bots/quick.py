"""The greedy bot on compiled rules: it chooses as `greedy` does, in a fraction of the time. For arenas."""

from __future__ import annotations

from random import Random

import numpy as np

from astragal.bots.choice import Bot, Choice
from astragal.bots.kernels_evaluate import evaluate_actions
from astragal.bots.packed_view import PackedView, check_searchable
from astragal.bots.ranking import misjudged
from astragal.bots.reasons import share
from astragal.bots.simple import GUESSES, GreedySettings
from astragal.core.compiled import cpu
from astragal.core.rules import AnyView, Game


class QuickBot(Bot):
    """Greedy, compiled."""

    def __init__(self, game: Game, settings: GreedySettings | None = None) -> None:
        check_searchable(game)
        self.game = game
        self.settings = settings or GreedySettings()

    def prepare(self, view: AnyView) -> None:
        QuickBot(self.game).choose(view, Random(0))

    def choose(self, view: AnyView, rng: Random) -> Choice:
        if self.settings.mistakes and rng.random() < self.settings.mistakes:
            return Choice(rng.choice(view.legal))
        packed = PackedView(self.game, view, rng, self.settings.overlooked)
        fast, judge = packed.fast, cpu(evaluate_actions, packed.fast.source)
        numbers, values, trial = np.array(packed.numbers), packed.values(), np.empty_like(packed.first)
        odds = np.zeros((GUESSES if self.game.rules.spec.hidden else 1, len(numbers)))
        count = 0
        while count < len(odds) and not (count == 2 and (odds[0] == odds[1]).all()):
            state = packed.determinization() if count else packed.first
            judge(state, fast.tables, packed.weights, packed.seat, numbers, values, trial, odds[count])
            count += 1
        mean = misjudged(odds[:count].mean(axis=0).tolist(), self.settings.noise, rng)
        worth = [share(value) for value in mean]
        return packed.choice(worth, mean, len(worth), 1)
