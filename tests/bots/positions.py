"""Positions of real games in which somebody has a choice to make."""

from __future__ import annotations

from random import Random
from typing import Any

from astragal.core.rules import Game
from astragal.core.types import CHANCE, OVER

_made: dict[tuple[object, ...], list[Any]] = {}


def decisions(game: Game, count: int, *, players: int = 2, seed: int = 0, late: bool = False) -> list[Any]:
    """States with at least two legal actions, from as many random games as it takes; `late`: their last ones."""
    asked = (game.rules.spec.id, count, players, seed, late)
    if asked not in _made:
        _made[asked] = _decisions(game, count, players, seed, late)
    return _made[asked]


def _decisions(game: Game, count: int, players: int, seed: int, late: bool) -> list[Any]:
    rules, rng = game.rules, Random(seed)
    states: list[Any] = []
    while len(states) < count:
        chosen = rules.seated(next(iter(rules.presets.values())), [True] * players)
        state = rules.initial(chosen, players)
        reached: list[Any] = []
        for _ in range(5000 if late else 400):
            turn = rules.turn(state)
            if turn == OVER:
                break
            if turn == CHANCE:
                outcomes, weights = zip(*rules.chance(state), strict=True)
                action = rng.choices(outcomes, weights)[0]
            else:
                legal = rules.legal(state)
                action = rng.choice(legal)
                if len(legal) > 1:
                    reached.append(state)
            state = rules.apply(state, action)
        states += reached[-1:] if late else rng.sample(reached, min(3, len(reached)))
    return states[:count]
