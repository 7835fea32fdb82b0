"""A random game, ply by ply: what `conform`, `agreement` and tests walk along."""

from __future__ import annotations

from random import Random
from typing import Any

from astragal.core.rules import AnyRules
from astragal.core.types import CHANCE, COUNT

CLAIMS = 0.01  # how often a walk goes on with a claim, such as a resignation among three


class Walk:
    """A random game in progress. `choose` picks what happens next, `step` does it."""

    def __init__(self, rules: AnyRules, state: Any, rng: Random, *, claims: float = CLAIMS) -> None:
        self.rules = rules
        self.state = state
        self.rng = rng
        self.claims = claims
        self.ply = 0

    @property
    def turn(self) -> int:
        """The seat to act, or CHANCE, or OVER."""
        return self.rules.turn(self.state)

    def choose(self) -> tuple[int, Any, bool]:
        """Who does something now, what, and whether that is a claim. The game must not be over."""
        rules, turn = self.rules, self.turn
        if turn == CHANCE:
            outcomes, weights = zip(*rules.chance(self.state), strict=True)
            return CHANCE, self.rng.choices(outcomes, weights)[0], False
        # That an answer counts is claimed by all players together, which is an entry of its own.
        claims = [claim for claim in rules.claims(self.state) if rules.encode(claim[1]) != COUNT]
        if claims and self.rng.random() < self.claims:
            return *self.rng.choice(claims), True
        return turn, self.rng.choice(rules.legal(self.state)), False

    def step(self, action: Any = None) -> Any:
        """Does this, or whatever `choose` picks, and returns it. Raises IllegalAction."""
        done = self.choose()[1] if action is None else action
        self.state = self.rules.apply(self.state, done)
        self.ply += 1
        return done
