"""A bot that looks ahead through every throw, as deep as its limit lets it. For two players who hide nothing."""

from __future__ import annotations

import math
import time
from random import Random
from typing import Annotated

import numpy as np
from msgspec import Meta, Struct

from astragal.bots import kernels_expectimax as template
from astragal.bots.choice import Bot, Choice, Limit
from astragal.bots.evaluate import Evaluator, Evaluators, Source
from astragal.bots.kernels_expectimax import ExpectimaxWork
from astragal.bots.packed_view import NotSearchable, PackedView, check_searchable
from astragal.bots.ranking import misjudged
from astragal.core.compiled import cpu
from astragal.core.language import say
from astragal.core.rules import AnyView, Game

DEFAULT = Limit(time=0.7)
DEEPEST = 60
LEVELS = 3 * DEEPEST  # positions on one line: throws count too, and some decisions follow one another
SLOTS = 1 << 18
WON, LOST = 1 - 1e-9, 1e-9  # a share that is certain: no guess comes so near (see `kernels_evaluate`)
LOOK = 0.002  # seconds between two looks at the clock, at least
FIRST_GRAIN = 200  # nodes before the first look, when the speed is not known


class ExpectimaxSettings(Struct, frozen=True, forbid_unknown_fields=True):
    """What can be set in this search besides its limit."""

    by: Source | None = None  # who evaluates where it ends; else a network, a table or the heuristic
    noise: Annotated[float, Meta(ge=0, le=10)] = 0.0  # see `ranking.misjudged`; a certain win is seen all the same


class ExpectimaxBot(Bot):
    """Iterative deepening; what it returns is the last depth that it finished for every legal action.

    A certain win ends the search, so that the shortest is played; of certain losses the longest is. Where there is
    nothing to choose it does not search.
    """

    def __init__(self, game: Game, limit: Limit = DEFAULT, settings: ExpectimaxSettings | None = None) -> None:
        if game.rules.spec.hidden or max(game.rules.spec.players) > 2:
            raise NotSearchable(
                say("expectimax plays games for two without secrets; for {game} take ismcts", game=game.id)
            )
        check_searchable(game)
        self.game = game
        self.limit = limit if limit != Limit() else DEFAULT
        self.settings = settings or ExpectimaxSettings()
        self._work: ExpectimaxWork | None = None
        self._evaluators = Evaluators(game, self.settings.by)
        self._speed = 0.0  # nodes a second, once measured

    def prepare(self, view: AnyView) -> None:
        ExpectimaxBot(self.game, Limit(nodes=50), self.settings).choose(view, Random(0))

    def choose(self, view: AnyView, rng: Random) -> Choice:
        begin = time.perf_counter()
        packed = PackedView(self.game, view, rng)
        if self._work is None or not _fits(self._work, packed):
            self._work = _work(packed)
        judge = self._evaluators.of(packed.view.options, packed.fast.players)
        search = _Search(packed, self._work, judge)
        until = None if self.limit.time is None else begin + self.limit.time
        worth = search.estimates()
        order = worth  # worse than this are sure losses, the sooner the worse
        depth = 0
        while len(worth) > 1 and depth < (self.limit.depth or DEEPEST) and max(worth) < WON:
            deeper = self._deepen(search, depth, until)
            if deeper is None:
                break
            depth += 1
            order = [
                value if value > LOST else min(before, depth - DEEPEST - 1.0)
                for value, before in zip(deeper, order, strict=True)
            ]
            worth = deeper
            if max(worth) <= LOST:
                break
        if self.settings.noise and LOST < max(worth) < WON:
            order = misjudged([_odds(value) for value in worth], self.settings.noise, rng)
        return packed.choice(worth, order, search.nodes, depth)

    def _deepen(self, search: _Search, depth: int, until: float | None) -> list[float] | None:
        """What every legal action is worth with so many decisions to follow it; None if the limit came first."""
        values = []
        for number in search.packed.numbers:
            worth = -1.0
            while worth < 0:
                allowed = (self.limit.nodes or 1 << 60) - search.nodes
                grain = 1 << 60
                if until is not None:
                    left = until - time.perf_counter()
                    grain = max(int(self._speed * LOOK), int(self._speed * left / 2), FIRST_GRAIN)
                    allowed = 0 if left <= 0 else allowed
                if allowed <= 0:
                    return None
                begin, before = time.perf_counter(), search.nodes
                worth = search.look(number, depth, min(allowed, grain))
                spent = time.perf_counter() - begin
                if search.nodes - before >= FIRST_GRAIN:
                    self._speed = (search.nodes - before) / max(spent, 1e-9)
            values.append(worth)
        return values


def _odds(share: float) -> float:
    """Log-odds of a share of the win."""
    kept = min(max(share, LOST), WON)
    return math.log(kept / (1 - kept))


def _work(packed: PackedView) -> ExpectimaxWork:
    """The arrays that searches of one table work in, one after the other."""
    fast = packed.fast
    return ExpectimaxWork(
        stack=np.zeros((LEVELS, len(packed.first)), dtype=packed.first.dtype),
        frames=np.zeros((LEVELS, template.COLUMNS), dtype=np.int64),
        best=np.zeros(LEVELS),
        slots=np.zeros(LEVELS, dtype=np.int64),
        numbers=np.zeros((LEVELS, fast.room), dtype=np.int64),
        odds=np.zeros((LEVELS, fast.most), dtype=np.int64),
        keys=np.zeros(SLOTS, dtype=np.uint64),
        known=np.zeros(SLOTS),
        counts=np.zeros(template.COUNTERS, dtype=np.int64),
        values=packed.values(),
    )


def _fits(work: ExpectimaxWork, packed: PackedView) -> bool:
    """Whether positions of this table have their place in these arrays."""
    return bool(work.stack.shape[1] == len(packed.first) and work.numbers.shape[1] == packed.fast.room)


class _Search:
    """One search."""

    def __init__(self, packed: PackedView, work: ExpectimaxWork, judge: Evaluator) -> None:
        self.packed, self.work, self._judge = packed, work, judge
        self.nodes = 0
        self._search = cpu(template.search, judge.kernels)
        work.counts[template.SEARCH] += 1

    def estimates(self) -> list[float]:
        """What the evaluator says of each action, for a limit too small to search."""
        return self._judge.actions(self.packed.first)

    def look(self, number: int, depth: int, allowed: int) -> float:
        """What an action is worth with so many decisions to follow; below 0 if that takes more nodes than allowed."""
        packed, work, fast = self.packed, self.work, self.packed.fast
        work.stack[0] = fast.step(packed.first, number)
        work.counts[template.USED], work.counts[template.ALLOWED] = 1, allowed
        worth = self._search(work, depth, packed.seat, fast.tables, self._judge.knowledge)
        self.nodes += int(work.counts[template.USED])
        return float(worth)
