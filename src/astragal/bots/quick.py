"""The greedy bot on compiled rules: it chooses as `greedy` does, in a fraction of the time. For arenas."""

from __future__ import annotations

from functools import cache
from random import Random
from typing import TYPE_CHECKING

import numpy as np

from astragal.bots import kernels_quick as template
from astragal.bots.choice import Bot, Choice
from astragal.bots.packed_view import PackedView
from astragal.bots.reasons import share
from astragal.bots.simple import GUESSES, Whims
from astragal.core.compiled import bare, specialise
from astragal.core.rules import AnyView, Game

if TYPE_CHECKING:
    from collections.abc import Callable

    from astragal.core.fast import Kernels


class QuickBot(Bot):
    """Greedy, compiled."""

    def __init__(self, game: Game, whims: Whims | None = None) -> None:
        self.game = game
        self.whims = whims or Whims()

    def prepare(self, view: AnyView) -> None:
        QuickBot(self.game).choose(view, Random(0))

    def choose(self, view: AnyView, rng: Random) -> Choice:
        if self.whims.mistakes and rng.random() < self.whims.mistakes:
            return Choice(rng.choice(view.legal))
        reading = PackedView(self.game, view, rng)
        fast, judge = reading.fast, liking(reading.fast.owner, reading.fast.kernels)
        numbers, values, trial = np.array(reading.numbers), reading.values(), np.empty_like(reading.first)
        odds = np.zeros((GUESSES if self.game.rules.spec.hidden else 1, len(numbers)))
        made = 0
        while made < len(odds) and not (made == 2 and (odds[0] == odds[1]).all()):
            world = reading.world() if made else reading.first
            judge(world, numbers, fast.tables, reading.weights, view.seat, values, trial, odds[made])
            made += 1
        worth = [share(float(value)) for value in odds[:made].mean(axis=0)]
        return reading.choice(worth, worth, len(worth), 1)


@cache
def liking(owner: str, kernels: Kernels) -> Callable[..., None]:
    """The kernel that asks the heuristic about every action."""
    return specialise(template.liking, owner, bare, step=kernels.step, features=kernels.features)
