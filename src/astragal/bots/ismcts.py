"""A bot that simulates a position many times, in many determinizations of what its seat sees."""

from __future__ import annotations

import time
from collections.abc import Mapping
from random import Random
from typing import Annotated

import numpy as np
from msgspec import Meta, Struct

from astragal.bots import kernels_ismcts as template
from astragal.bots.choice import Bot, Choice, Limit
from astragal.bots.evaluate import Evaluators, Source
from astragal.bots.packed_view import PackedView, check_searchable
from astragal.bots.proof import winning_line
from astragal.core.compiled import cpu
from astragal.core.rules import AnyView, Game

DEFAULT = Limit(time=0.7)
ROUND = 64  # simulations between two looks at the clock
DETERMINIZATIONS = 4  # new ones for each round, where something is hidden; where the game has a dealer, all are new
ROOM = 1 << 18  # nodes in a tree
DEEPEST = 200  # nodes on one way down it
# The constant of PUCT, and the temperature of priors: a network's first word is worth more than the heuristic's, whose
# temperature each game names.
EXPLORING: Mapping[Source, float] = {"table": 0.25, "network": 0.25, "heuristic": 0.5}
PRIOR_TEMPERATURE = 0.02


class IsmctsSettings(Struct, frozen=True, forbid_unknown_fields=True):
    """What can be set in this search; the arena found the defaults, of which the first two go by who evaluates."""

    c_puct: Annotated[float, Meta(ge=0, le=10)] | None = None  # the constant of PUCT: how much it explores
    prior_temperature: Annotated[float, Meta(ge=0.002, le=10)] | None = None  # of the softmax over first values: priors
    rollout: Annotated[int, Meta(ge=0, le=2000)] = 0  # plies played on before the evaluator is asked
    rollout_greedy: Annotated[float, Meta(ge=0, le=1)] = 0.8  # how often such a ply follows it
    dealer: bool = True  # whether it takes determinizations from the game's dealer, where it has one
    by: Source | None = None  # who evaluates; else a network, a table or the heuristic, the first there is


class IsmctsBot(Bot):
    """It chooses what it visited most; a win that needs nobody else it plays at once, without a search.

    Where everything is as good as won or lost, visits say little: then what an action turned out to be worth decides,
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
        fast, work = packed.fast, self._work(packed, rng)
        judge = self._evaluators.of(packed.view.options, fast.players)
        simulate = cpu(template.simulate, judge.kernels)
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
        nodes = 0
        dealer = packed.dealer if chosen.dealer else None
        different = ROUND if dealer else DETERMINIZATIONS if self.game.rules.spec.hidden else 1
        while (left := min(ROUND, (self.limit.nodes or 1 << 60) - nodes)) > 0:
            if nodes and self.limit.time is not None and time.perf_counter() - begin >= self.limit.time:
                break
            determinizations = packed.determinizations(min(left, different), dealer)
            simulate(work, determinizations, left, fast.tables, judge.knowledge, settings)
            nodes += left
        worth, visits = self._roots(packed.numbers, packed.seat)
        leading = worth[visits.index(max(visits))]
        settled = not template.GUESS_EDGE < leading < 1 - template.GUESS_EDGE
        return packed.choice(worth, worth if settled else visits, nodes, 0)

    def _work(self, packed: PackedView, rng: Random) -> template.IsmctsWork:
        fast = packed.fast
        return template.IsmctsWork(
            links=self._links,
            worths=self._worths,
            size=np.ones(1, dtype=np.int64),
            path=np.zeros(DEEPEST, dtype=np.int64),
            state=np.empty_like(packed.first),
            trial=np.empty_like(packed.first),
            numbers=np.zeros(fast.room, dtype=np.int64),
            odds=np.zeros(fast.most, dtype=np.int64),
            rng=np.array([rng.getrandbits(64)], dtype=np.uint64),
            values=packed.values(),
            shares=np.zeros(fast.players),
        )

    def _roots(self, numbers: list[int], seat: int) -> tuple[list[float], list[float]]:
        """What each legal action turned out to be worth, and how often it was tried."""
        worth, visits = [], []
        for number in numbers:
            child = template.child_of(self._links, 0, number, seat)
            tried = int(self._links[child, template.VISITS]) if child >= 0 else 0
            total, first, _ = self._worths[child] if child >= 0 else (0.0, 0.0, 0.0)
            worth.append(float((total + first) / (tried + 1)))
            visits.append(tried + worth[-1] / 2)  # of two tried equally often the better
        return worth, visits
