"""A bot that simulates a position many times, in many determinizations of what its seat sees."""

from __future__ import annotations

import math
import time
from collections.abc import Mapping
from random import Random
from typing import Annotated, Any

import numpy as np
from msgspec import Meta, Struct

from astragal.bots import kernels_ismcts as template
from astragal.bots.choice import Bot, Choice, Limit
from astragal.bots.evaluate import Evaluator, Evaluators, Source
from astragal.bots.packed_view import PackedView, check_searchable
from astragal.bots.proof import winning_line
from astragal.core.compiled import cpu
from astragal.core.fast import Array, Dealer, Fast
from astragal.core.rules import AnyView, Game
from astragal.core.types import OVER

DEFAULT = Limit(time=0.7)
ROUND = 64  # simulations between two looks at the clock
DETERMINIZATIONS = 4  # new ones for each round, where something is hidden; where the game has a dealer, all are new
ROOM = 1 << 18  # nodes in a tree
DEEPEST = 200  # nodes on one way down it
# The constant of PUCT, and the temperature of priors: a network's first word is worth more than the heuristic's, whose
# temperature each game names.
EXPLORING: Mapping[Source, float] = {"table": 0.25, "network": 0.25, "heuristic": 0.5}
PRIOR_TEMPERATURE = 0.02
# How many of the first actions are compared by halving, by who evaluates; 0 where PUCT goes from the root on. A network
# knows which ones are worth it.
CANDIDATES: Mapping[Source, int] = {"table": 0, "network": 8, "heuristic": 0}
LIKED = 0.5  # how much it counts there what an action was liked at first, beside what it turned out to be worth
MOST_DEALS = 1024  # determinizations that are kept for comparing


class IsmctsSettings(Struct, frozen=True, forbid_unknown_fields=True):
    """What can be set in this search; the arena found the defaults, of which those by None go by who evaluates."""

    c_puct: Annotated[float, Meta(ge=0, le=10)] | None = None  # the constant of PUCT: how much it explores
    prior_temperature: Annotated[float, Meta(ge=0.002, le=10)] | None = None  # of the softmax over first values: priors
    rollout: Annotated[int, Meta(ge=0, le=2000)] = 0  # plies played on before the evaluator is asked
    rollout_greedy: Annotated[float, Meta(ge=0, le=1)] = 0.8  # how often such a ply follows it
    candidates: Annotated[int, Meta(ge=0, le=64)] | None = None  # first actions that are compared; 0 for PUCT there
    dealer: bool = True  # whether it takes determinizations from the game's dealer, where it has one
    by: Source | None = None  # who evaluates; else a network, a table or the heuristic, the first there is


class Search:
    """A tree that grows within a limit."""

    def __init__(
        self, packed: PackedView, judge: Evaluator, settings: template.SearchSettings, work: template.IsmctsWork,
        dealer: Dealer | None, limit: Limit, begin: float,
    ) -> None:  # fmt: skip
        self.packed, self.judge, self.settings, self.work, self.dealer = packed, judge, settings, work, dealer
        self.nodes = 0  # simulations so far
        self._limit, self._begin = limit, begin
        hidden = packed.game.rules.spec.hidden
        self.different = ROUND if dealer else DETERMINIZATIONS if hidden else 1  # determinizations for each round
        self._deals = np.empty((MOST_DEALS if hidden else 1, len(packed.first)), dtype=packed.first.dtype)
        self._dealt = self._compared = 0  # determinizations made, and rounds of comparing
        self._seed = 0  # of the luck of rounds, once the root is open

    def left(self, part: float = 1.0) -> int:
        """How many simulations fit into this part of the limit, as far as is known."""
        limit = self._limit
        if self.nodes and limit.time is not None and time.perf_counter() - self._begin >= part * limit.time:
            return 0
        return max(0, (1 << 60 if limit.nodes is None else math.floor(part * limit.nodes)) - self.nodes)

    def child(self, number: int) -> int:
        """The node after this action of the root, once that is open."""
        return template.child_of(self.work.links, 0, number, self.packed.seat)

    def simulate(self, determinizations: Array, count: int) -> None:
        """Simulations that go where PUCT says."""
        kernel = cpu(template.simulate, self.judge.kernels)
        kernel(self.work, determinizations, count, self.packed.fast.tables, self.judge.knowledge, self.settings)
        self.nodes += count

    def open_root(self) -> None:
        """Lets the evaluator say what it thinks of all actions."""
        kernel, packed = cpu(template.open_root, self.judge.kernels), self.packed
        self._seed = packed.rng.getrandbits(62)
        kernel(self.work, packed.first, packed.fast.tables, self.judge.knowledge, packed.seat, self.settings)

    def compare(self, numbers: list[int], part: float) -> None:
        """Simulations of these actions, as many of each, until this part of the limit is used."""
        children = np.array([self.child(number) for number in numbers])
        while left := min(ROUND, self.left(part)):
            if left >= len(children):
                self._compare(children, left // len(children))
            elif part == 1:
                self._compare(children[:left], 1)
            else:
                return  # the next stage makes up for it

    def _compare(self, children: Array, rounds: int) -> None:
        kernel, packed = cpu(template.compare, self.judge.kernels), self.packed
        wanted = self._compared + rounds if self.dealer else self._dealt + self.different
        more = min(wanted, len(self._deals)) - self._dealt
        if more > 0:
            self._deals[self._dealt : self._dealt + more] = packed.determinizations(more, self.dealer)
            self._dealt += more
        deals = self._deals[: self._dealt]
        knowledge, tables = self.judge.knowledge, packed.fast.tables
        kernel(self.work, deals, children, self._compared, rounds, self._seed, tables, knowledge, self.settings)
        self._compared += rounds
        self.nodes += rounds * len(children)


class IsmctsBot(Bot):
    """It chooses what it visited most or, where it compares the actions that a network likes best, the one that is left
    in the end. A win that needs nobody else it plays at once, without a search.

    Where everything is as good as won or lost, both say little: then what an action turned out to be worth decides,
    which is more for a sooner win and for a later loss.
    """

    def __init__(self, game: Game, limit: Limit = DEFAULT, settings: IsmctsSettings | None = None) -> None:
        check_searchable(game)
        self.game = game
        self.limit = limit if limit.time is not None or limit.nodes is not None else DEFAULT
        self.settings = settings or IsmctsSettings()
        self._evaluators = Evaluators(game, self.settings.by)
        self._links = np.zeros((ROOM, template.LINKS), dtype=np.int32)
        self._worths = np.zeros((ROOM, template.WORTHS))

    def prepare(self, view: AnyView) -> None:
        IsmctsBot(self.game, Limit(nodes=ROUND + 1), self.settings).choose(view, Random(0))

    def choose(self, view: AnyView, rng: Random) -> Choice:
        begin = time.perf_counter()
        packed = PackedView(self.game, view, rng)
        if len(packed.numbers) == 1:
            return Choice(view.legal[0])  # not looked at, since there is nothing to choose
        line = winning_line(packed)
        if line:
            return Choice(view.legal[packed.numbers.index(line[0])], 1.0, nodes=1, depth=len(line))
        search = self._search(packed, rng, begin)
        candidates = self.settings.candidates
        if candidates is None:
            candidates = CANDIDATES[search.judge.about.name]
        order = self._halved(search, candidates) if candidates else self._by_puct(search)
        worth = [self._worth(search, number) for number in packed.numbers]
        leading = worth[order.index(max(order))]
        if not template.GUESS_EDGE < leading < 1 - template.GUESS_EDGE:  # as good as won or lost
            tried = [self._visits(search, number) > 0 for number in packed.numbers]
            order = [share + one for share, one in zip(worth, tried, strict=True)]
        return packed.choice(worth, order, search.nodes, 0)

    def _search(self, packed: PackedView, rng: Random, begin: float) -> Search:
        """A search that has not begun yet."""
        judge = self._evaluators.of(packed.view.options, packed.fast.players)
        chosen = self.settings
        guesses = judge.about.name == "heuristic"
        temperature = self.game.heuristic.prior_temperature if guesses else PRIOR_TEMPERATURE
        settings = template.SearchSettings(
            EXPLORING[judge.about.name] if chosen.c_puct is None else chosen.c_puct,
            chosen.prior_temperature or temperature,
            chosen.rollout,
            chosen.rollout_greedy,
            judge.before_throws,
        )
        self._links[0] = -1, -1, -1, -1, 0, 0
        work = work_for(packed.fast, packed.first, self._links, self._worths, packed.values(), rng.getrandbits(64))
        dealer = packed.dealer if chosen.dealer else None
        return Search(packed, judge, settings, work, dealer, self.limit, begin)

    def _by_puct(self, search: Search) -> list[float]:
        """Simulations that walk by PUCT from the root on; how often each action was tried."""
        different = search.different
        while left := min(ROUND, search.left()):
            search.simulate(search.packed.determinizations(min(left, different), search.dealer), left)
        return [  # of two tried equally often the better
            self._visits(search, number) + self._worth(search, number) / 2 for number in search.packed.numbers
        ]

    def _halved(self, search: Search, candidates: int) -> list[float]:
        """Sequential halving: the actions that are liked best are compared, and the worse half of them is left out,
        until one is left; what each comes to, and more the longer it was compared.

        An action that ends the game is always compared, and counts for what it comes to alone: in the deal that was
        looked at first it has won or lost for certain.
        """
        search.open_root()
        packed = search.packed
        numbers, fast = packed.numbers, packed.fast
        ends = {number for number in numbers if fast.turn(fast.step(packed.first, number)) == OVER}
        liked = {number: self._liked(search, number) for number in numbers}

        def score(number: int) -> float:
            worth = self._worth(search, number)
            return worth + LIKED * (worth if number in ends else liked[number])

        compared = sorted(numbers, key=lambda number: (number not in ends, -liked[number]))[:candidates]
        stages, stayed = max(1, math.ceil(math.log2(len(compared)))), dict.fromkeys(numbers, 0)
        for stage in range(1, stages + 1):
            search.compare(compared, stage / stages)
            for number in compared:
                stayed[number] = stage
            compared.sort(key=score, reverse=True)
            del compared[(len(compared) + 1) // 2 :]
        return [2 * (stayed[number] + (number in compared)) + score(number) for number in numbers]

    def _liked(self, search: Search, number: int) -> float:
        """How much an action was liked at first: what its prior was made of."""
        return math.log(self._worths[search.child(number), template.PRIOR]) * search.settings.prior_temperature

    def _worth(self, search: Search, number: int) -> float:
        """What an action turned out to be worth."""
        total, first, _ = self._worths[search.child(number)]
        return float((total + first) / (self._visits(search, number) + 1))

    def _visits(self, search: Search, number: int) -> int:
        """How often an action was tried."""
        return int(self._links[search.child(number), template.VISITS])


def work_for(
    fast: Fast[Any, Any], first: Array, links: Array, worths: Array, values: Array, seed: int
) -> template.IsmctsWork:
    """An empty tree in these arrays, and what a search works in besides."""
    return template.IsmctsWork(
        links=links,
        worths=worths,
        size=np.ones(1, dtype=np.int64),
        path=np.zeros(DEEPEST, dtype=np.int64),
        state=np.empty_like(first),
        trial=np.empty_like(first),
        numbers=np.zeros(fast.room, dtype=np.int64),
        odds=np.zeros(fast.most, dtype=np.int64),
        rng=np.array([seed], dtype=np.uint64),
        values=values,
        shares=np.zeros(fast.players),
    )
