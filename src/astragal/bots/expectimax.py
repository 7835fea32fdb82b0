"""A bot that looks ahead through every throw, as deep as its limit lets it. For two players who hide nothing."""

from __future__ import annotations

import time
from collections.abc import Callable
from functools import cache
from random import Random

import numpy as np

from astragal.bots import kernels_expectimax as template
from astragal.bots.choice import Bot, Choice, Limit
from astragal.bots.packed_view import NotSearchable, PackedView
from astragal.core.compiled import bare, specialise
from astragal.core.fast import Kernels
from astragal.core.language import say
from astragal.core.rules import AnyView, Game

DEFAULT = Limit(time=0.7)
DEEPEST = 60
LEVELS = 3 * DEEPEST  # positions on one line: throws count too, and some decisions follow one another
SLOTS = 1 << 18
GRAIN = 2_000  # nodes searched at least before the clock is looked at


class ExpectimaxBot(Bot):
    """Iterative deepening; what it returns is the last depth that it finished for every legal action.

    Where there is nothing to choose it does not search.
    """

    def __init__(self, game: Game, limit: Limit = DEFAULT) -> None:
        if game.rules.spec.hidden or max(game.rules.spec.players) > 2:
            raise NotSearchable(
                say("expectimax plays games for two without secrets; for {game} take ismcts", game=game.id)
            )
        self.game = game
        self.limit = limit if limit != Limit() else DEFAULT
        self._room: WorkArrays | None = None
        self._speed = 1e6  # nodes a second, as measured so far

    def prepare(self, view: AnyView) -> None:
        ExpectimaxBot(self.game, Limit(nodes=50)).choose(view, Random(0))

    def choose(self, view: AnyView, rng: Random) -> Choice:
        begin = time.perf_counter()
        reading = PackedView(self.game, view, rng)
        if self._room is None or not self._room.fits(reading):
            self._room = WorkArrays(reading)
        search = _Search(reading, self._room)
        until = None if self.limit.time is None else begin + self.limit.time
        best = search.estimates()
        depth = 0
        while len(best) > 1 and depth < (self.limit.depth or DEEPEST):
            found = self._deepen(search, depth, until)
            if found is None:
                break
            best, depth = found, depth + 1
        return reading.choice(best, best, search.nodes, depth)

    def _deepen(self, search: _Search, depth: int, until: float | None) -> list[float] | None:
        """What every legal action is worth with so many decisions to follow it; None if the limit came first."""
        found = []
        for number in search.reading.numbers:
            worth = -1.0
            while worth < 0:
                allowed = (self.limit.nodes or 1 << 60) - search.nodes
                grain = 1 << 60
                if until is not None:
                    left = until - time.perf_counter()
                    grain = max(GRAIN, int(self._speed * left / 2))
                    allowed = 0 if left <= 0 else allowed
                if allowed <= 0:
                    return None
                begin, before = time.perf_counter(), search.nodes
                worth = search.look(number, depth, min(allowed, grain))
                spent = time.perf_counter() - begin
                if search.nodes - before >= GRAIN:
                    self._speed = (search.nodes - before) / max(spent, 1e-9)
            found.append(worth)
        return found


class WorkArrays:
    """The arrays that searches of one table work in, one after the other."""

    def __init__(self, reading: PackedView) -> None:
        fast = reading.fast
        self.stack = np.zeros((LEVELS, len(reading.first)), dtype=reading.first.dtype)
        self.frames = np.zeros((LEVELS, 5), dtype=np.int64)
        self.worths = np.zeros(LEVELS)
        self.slots = np.zeros(LEVELS, dtype=np.int64)
        self.numbers = np.zeros((LEVELS, fast.most), dtype=np.int64)
        self.odds = np.zeros((LEVELS, fast.most), dtype=np.int64)
        self.keys = np.zeros(SLOTS, dtype=np.uint64)
        self.known = np.zeros(SLOTS)
        self.counts = np.zeros(3, dtype=np.int64)

    def fits(self, reading: PackedView) -> bool:
        """Whether positions of this table have their place here."""
        return self.stack.shape[1] == len(reading.first) and self.numbers.shape[1] == reading.fast.most


class _Search:
    """One search."""

    def __init__(self, reading: PackedView, room: WorkArrays) -> None:
        fast = reading.fast
        self.reading, self.room = reading, room
        self.nodes = 0
        self._judge, self._search = searcher(fast.owner, fast.kernels)
        self._values = reading.values()
        room.counts[template.SEARCH] += 1

    def estimates(self) -> list[float]:
        """What the heuristic says of each action, for a limit too small to search."""
        fast, seat = self.reading.fast, self.reading.view.seat
        return [
            float(
                self._judge(
                    fast.step(self.reading.first, number), fast.tables, self.reading.weights, seat, self._values
                )
            )
            for number in self.reading.numbers
        ]

    def look(self, number: int, depth: int, allowed: int) -> float:
        """What an action is worth with so many decisions to follow; below 0 if that takes more nodes than allowed."""
        reading, fast = self.reading, self.reading.fast
        room = self.room
        room.stack[0] = reading.first
        fast.kernels.step(room.stack[0], fast.tables, number)
        room.counts[template.USED], room.counts[template.ALLOWED] = 1, allowed
        worth = self._search(
            room.stack, depth, reading.view.seat, fast.tables, reading.weights, self._values, room.frames, room.worths,
            room.slots, room.numbers, room.odds, room.keys, room.known, room.counts,
        )  # fmt: skip
        self.nodes += int(room.counts[template.USED])
        return float(worth)


@cache
def judge_of(owner: str, kernels: Kernels) -> Callable[..., float]:
    """The kernel that asks this game's heuristic."""
    return specialise(
        template.judged, owner, bare, turn=kernels.turn, returns=kernels.returns, features=kernels.features
    )


@cache
def searcher(owner: str, kernels: Kernels) -> tuple[Callable[..., float], Callable[..., float]]:
    """The kernels that judge and search this game."""
    judge = judge_of(owner, kernels)
    opened = specialise(
        template.opened_at, owner, bare, judge=judge, turn=kernels.turn, legal=kernels.legal, chance=kernels.chance
    )
    return judge, specialise(template.search, owner, bare, opened=opened, step=kernels.step)
