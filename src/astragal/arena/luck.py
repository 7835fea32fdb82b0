"""How lucky a bot was: results without the luck of the dice scatter far less, so that fewer games tell as much.

At every throw, tile or card somebody says what the game would be worth to the bot after each outcome. Its luck is by
how much the outcome that came is better than all of them are on average, by their weights. That comes to nothing in the
long run, whatever is said of positions; so results less luck have the same mean, and the better positions are judged,
the less they scatter.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from astragal.arena.job import BadContest
from astragal.bots.evaluate import Source, evaluator
from astragal.bots.packed_view import NotSearchable
from astragal.core.language import say
from astragal.core.rules import Game

JUDGES: tuple[Source, ...] = ("network", "heuristic")  # no table, so that every machine of a contest says the same
SAME = 1e-9  # shares that differ by no more are one


class LuckJudge:
    """What chance does for seats, at a table of one game. Raises BadContest for a game without compiled rules."""

    def __init__(self, game: Game, options: Any, players: int) -> None:
        try:
            self._evaluator = evaluator(game, options, players, JUDGES)
        except NotSearchable as error:
            raise BadContest(say("luck cannot be taken out: {reason}", reason=error.text)) from None
        self._rules, self._players = game.rules, players
        self._fast = self._evaluator.fast

    def gain(self, state: Any, drawn: Any, seats: Sequence[int]) -> float:
        """What this outcome has brought these seats together, in shares of the win."""
        outcomes = self._rules.chance(state)
        if len(outcomes) == 1:
            return 0.0
        packed = self._fast.pack(state)
        shares = np.array([self._shares(self._fast.step(packed, number)) for number, _ in self._fast.chance(packed)])
        worths = self._worths(shares, [seat in seats for seat in range(self._players)])
        mean = np.average(worths, weights=[weight for _, weight in outcomes])
        return float(worths[[action for action, _ in outcomes].index(drawn)] - mean)

    def _shares(self, packed: Any) -> list[float]:
        """What a position is worth to each seat, by what that seat knows of it."""
        return [self._evaluator.value(packed, seat) for seat in range(self._players)]

    def _worths(self, shares: Any, mine: Sequence[bool]) -> Any:
        """What each outcome is worth to some seats together, by what it is worth to each seat of the table.

        Where only one seat sees what was drawn, the others learn nothing yet; but what it gains, they lose together.
        """
        if (np.ptp(shares, axis=0) > SAME).sum() != 1:
            return shares[:, mine].sum(axis=1) / shares.sum(axis=1)
        own = np.array(mine, dtype=float)
        return shares @ (own - (own.sum() - own) / (self._players - 1))
