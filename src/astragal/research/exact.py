"""How good a policy is, by exact values: what each of its decisions gives away, for games that can be solved.

`astragal solve` makes the tables of values. Nothing is estimated but for the dice of the games that are played.
"""

from __future__ import annotations

from collections.abc import Callable
from random import Random
from typing import Any, NamedTuple

from msgspec import Struct

from astragal.bots import roster
from astragal.core.rules import Game
from astragal.core.types import OVER
from astragal.research.table import Table
from astragal.solve import shelf
from astragal.solve import table as tables
from astragal.solve.positions import Positions

Policy = Callable[[Table], int]
"""Which of `Table.legal()` the seat to act should do."""


class Regret(Struct, frozen=True):
    """What a policy did against perfect play."""

    games: int
    decisions: int  # of the policy, those with a choice
    loss: float  # of the chance to win, given away by such a decision on average
    worst: float  # by the worst of them
    best: float  # the share of decisions that gave nothing away
    wins: float  # the share of wins against a perfect player, each beginning half, without the luck of the dice


def regret(
    game: str | Game, policy: str | Policy, *, options: Any = None, values: tables.Table | None = None,
    games: int = 100, seed: int = 0,
) -> Regret:  # fmt: skip
    """Plays a policy, or the bot of a name, against perfect play and weighs each of its decisions by a table of values.

    Without `values` the user's own table for these options is taken. Raises NoTable if there is none.
    """
    board = Table(game, options)
    table = values or shelf.needed(board.game, board.options)
    table.check_for(board.game, board.options)
    judge = Judge(board.game, board.options, table)
    chosen = bot_policy(policy, board.game, seed) if isinstance(policy, str) else policy
    losses, gained = [], 0.0
    for number in range(games):
        board = Table(board.game, board.options)
        board.begin(Random(seed * 1_000_003 + number))
        told = contested(board, judge, chosen, number % 2)
        losses += [decision.loss for decision in told.decisions]
        gained += told.gained
    count = max(1, len(losses))
    none = sum(loss <= judge.blur for loss in losses) / count
    return Regret(games, len(losses), sum(losses) / count, max(losses, default=0.0), none, 0.5 + gained / max(1, games))


class Decision(NamedTuple):
    """A choice of a policy, weighed."""

    worth: dict[int, float]  # of every legal action
    action: int

    @property
    def loss(self) -> float:
        """What it gave away; what is not legal is worth nothing."""
        return max(self.worth.values()) - self.worth.get(self.action, 0.0)


class Contested(NamedTuple):
    """What a game of a policy against perfect play has told."""

    decisions: list[Decision]  # of the policy, those with a choice
    gained: float
    """How the policy did, without what the dice did for it: 0 on average for perfect play, and less for any other.

    It is the result, less what was to be expected at the beginning, less by how much every throw was better than the
    throws of that moment are on average. Throws gain nothing in the long run, whatever values they are weighed by; so
    the mean of this is right even if the table errs. To add up what decisions gave away is not: where values are known
    to 0.004 points, and hundreds of decisions make a game, most of what is added up there is error of the table.
    """


def contested(board: Table, judge: Judge, policy: Policy, mine: int) -> Contested:
    """Plays a game to its end, a policy on one seat against perfect play.

    Perfect play draws among what is as good, as `PerfectBot` does: whoever always took the first of them could wait for
    ever in a game that need not end.
    """
    decisions: list[Decision] = []
    expected = judge.start(mine)
    gained = -expected
    while (seat := board.seat) != OVER:
        worth = judge.worth(board)
        best = max(worth.values())
        gained -= (best if seat == mine else 1 - best) - expected  # what the throw has brought
        action = policy(board) if seat == mine else board.rng.choice(judge.best(worth))
        if seat == mine and len(worth) > 1:
            decisions.append(Decision(worth, action))
        if action in worth:
            expected = judge.expected(board, action, mine)
        board.act(action)  # which refuses what is not legal, or ends the game
    return Contested(decisions, gained + board.rewards()[mine])


class Judge:
    """What each action is worth to the seat to act, by a table of values."""

    def __init__(self, game: Game, options: Any, values: tables.Table) -> None:
        self._positions, self._values = Positions(game, options), values
        self._begins = options.begins
        self.blur = 1.5 / ((1 << values.header.bits) - 1)  # values are rounded to so much

    def worth(self, board: Table) -> dict[int, float]:
        """The chance to win after each legal action, with perfect play from there on."""
        numbers = {action: int(board.space.numbers[action]) for action in board.legal()}
        return {
            action: self._positions.worth(board.fast.step(board.packed, number), board.seat, self._values.value)
            for action, number in numbers.items()
        }

    def start(self, seat: int) -> float:
        """What a game is worth to a seat before its first throw; the same to both where lots say who begins."""
        if self._begins == "lots":
            return 0.5
        first = self._positions.expected(self._positions.first, 0, self._values.value)
        return first if seat == self._begins else 1 - first

    def expected(self, board: Table, action: int, seat: int) -> float:
        """What the game is worth to a seat after an action, over all throws that may follow it."""
        after = board.fast.step(board.packed, int(board.space.numbers[action]))
        return self._positions.expected(after, seat, self._values.value)

    def best(self, worth: dict[int, float]) -> list[int]:
        """The actions that are as good as the best, as far as the table can tell them apart."""
        least = max(worth.values()) - self._values.header.near
        return [action for action, value in worth.items() if value >= least]


def bot_policy(name: str, game: Game, seed: int = 0) -> Policy:
    """A bot by its name, as a policy."""
    bot, rng = roster.make(name, game, claims=False), Random(seed)
    return lambda board: board.number(bot.choose(board.view(board.seat), rng).action)
