"""A bot in twenty lines: it takes the action after which things look best, on average over what may be thrown next."""

from __future__ import annotations

from random import Random
from typing import Any

from astragal import CHANCE
from astragal.bots import BaseBot


class Patient(BaseBot):
    """Looks one throw further than `strong` does."""

    title = "Patience"
    about = "Thinks of the next throw before it moves."
    games = ("ur", "ur-modern")

    def pick(self, view: Any, rng: Random) -> Any:
        state = self.rules.resample(view, rng)  # what is hidden is guessed; in these games nothing is
        return max(view.legal, key=lambda action: self.worth(self.rules.apply(state, action), view.seat))

    def worth(self, state: Any, seat: int) -> float:
        """How good a position is for a seat: the game's own heuristic, after every throw by how likely it is."""
        if self.rules.turn(state) != CHANCE:
            return sum(self.game.heuristic.terms_in(self.rules, state, seat).values())
        thrown = [(self.rules.apply(state, outcome), weight) for outcome, weight in self.rules.chance(state)]
        return sum(self.worth(after, seat) * weight for after, weight in thrown) / sum(w for _, w in thrown)
