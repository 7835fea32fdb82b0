"""How lucky a bot was: results without the luck of the dice scatter far less, so that fewer games tell as much.

At every throw, tile or card somebody says what the game would be worth to the bot after each outcome. Its luck is by
how much the outcome that came is better than all of them are on average, by their weights. That comes to nothing in the
long run, whatever is said of positions; so results less luck have the same mean, and the better positions are judged,
the less they scatter.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from astragal.arena.job import BadContest
from astragal.bots.evaluate import Source, evaluator
from astragal.bots.packed_view import NotSearchable
from astragal.core.language import say
from astragal.core.rules import Game

JUDGES: tuple[Source, ...] = ("network", "heuristic")  # no table, so that every machine of a contest says the same


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
        outcomes, packed = self._rules.chance(state), self._fast.pack(state)
        if len(outcomes) == 1:
            return 0.0
        worths = [self._worth(self._fast.step(packed, number), seats) for number, _ in self._fast.chance(packed)]
        weights = [weight for _, weight in outcomes]
        mean = sum(weight * worth for weight, worth in zip(weights, worths, strict=True)) / sum(weights)
        return worths[[action for action, _ in outcomes].index(drawn)] - mean

    def _worth(self, packed: Any, seats: Sequence[int]) -> float:
        """What a position is worth to these seats together, by what each seat of the table knows of it.

        Where seats have secrets, only the one that draws knows what it has drawn: what that changes for it, it changes
        for all others together the other way round.
        """
        shares = [self._evaluator.value(packed, seat) for seat in range(self._players)]
        mine = sum(shares[seat] for seat in seats)
        if not self._rules.spec.private:
            return mine / sum(shares)
        alone = self._players - 1
        return sum(
            share * ((seat in seats) - (len(seats) - (seat in seats)) / alone) for seat, share in enumerate(shares)
        )
