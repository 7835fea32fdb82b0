"""A bot that plays a position out many times, in many worlds that fit what its seat sees."""

from __future__ import annotations

import time
from collections.abc import Callable
from functools import cache
from random import Random
from typing import Annotated

import numpy as np
from msgspec import Meta, Struct

from astragal.bots import kernels_ismcts as template
from astragal.bots.choice import Bot, Choice, Limit
from astragal.bots.expectimax import judge_of
from astragal.bots.packed_view import PackedView
from astragal.core.compiled import bare, specialise
from astragal.core.fast import Kernels
from astragal.core.rules import AnyView, Game

DEFAULT = Limit(time=0.7)
ROUND = 64  # play-outs between two looks at the clock
WORLDS = 4  # new worlds for each round, where something is hidden
ROOM = 1 << 18  # positions in a tree
DEEPEST = 200  # positions on one way down it


class Knobs(Struct, frozen=True, forbid_unknown_fields=True):
    """What can be turned in this search; the arena found the defaults."""

    curiosity: Annotated[float, Meta(ge=0, le=10)] = 0.5  # how much it tries what it tried little
    sharpness: Annotated[float, Meta(ge=0.01, le=10)] = 0.1  # how little a worse first impression is tried
    plies: Annotated[int, Meta(ge=0, le=2000)] = 0  # played on before the heuristic is asked
    care: Annotated[float, Meta(ge=0, le=1)] = 0.8  # how often such a ply follows the heuristic


class IsmctsBot(Bot):
    """It chooses what it visited most."""

    def __init__(self, game: Game, limit: Limit = DEFAULT, knobs: Knobs | None = None) -> None:
        self.game = game
        self.limit = limit if limit.time is not None or limit.nodes is not None else DEFAULT
        self.knobs = knobs or Knobs()
        self._links = np.zeros((ROOM, 6), dtype=np.int32)
        self._worths = np.zeros((ROOM, 3))

    def prepare(self, view: AnyView) -> None:
        IsmctsBot(self.game, Limit(nodes=ROUND + 1), self.knobs).choose(view, Random(0))

    def choose(self, view: AnyView, rng: Random) -> Choice:
        begin = time.perf_counter()
        reading = PackedView(self.game, view, rng)
        if len(reading.numbers) == 1:
            return Choice(view.legal[0])  # not looked at, since there is nothing to choose
        fast = reading.fast
        play_outs = searcher(fast.owner, fast.kernels)
        knobs = np.array([self.knobs.curiosity, self.knobs.sharpness, self.knobs.plies, self.knobs.care])
        values, shares = reading.values(), np.zeros(fast.players)
        numbers, odds = np.zeros((2, fast.most), dtype=np.int64)
        scratch = np.zeros((2, len(reading.first)), dtype=reading.first.dtype)
        luck = np.array([rng.getrandbits(64)], dtype=np.uint64)
        sizes = np.ones(1, dtype=np.int64)
        path = np.zeros(DEEPEST, dtype=np.int64)
        self._links[0] = -1, -1, -1, -1, 0, 0
        nodes = 0
        hidden = self.game.rules.spec.hidden
        while (left := min(ROUND, (self.limit.nodes or 1 << 60) - nodes)) > 0:
            if nodes and self.limit.time is not None and time.perf_counter() - begin >= self.limit.time:
                break
            worlds = np.stack([reading.world() for _ in range(min(left, WORLDS) if hidden else 1)])
            play_outs(
                worlds, left, fast.tables, reading.weights, values, shares, luck, numbers, odds, scratch,
                self._links, self._worths, sizes, knobs, path,
            )  # fmt: skip
            nodes += left
        worth, visits = self._roots(reading.numbers, reading.seat)
        return reading.choice(worth, visits, nodes, 0)

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


@cache
def searcher(owner: str, kernels: Kernels) -> Callable[..., None]:
    """The kernel that runs play-outs of this game."""
    judge = judge_of(owner, kernels)
    parts = {"turn": kernels.turn, "legal": kernels.legal, "step": kernels.step, "judge": judge}
    weigh = specialise(template.weigh, owner, bare, judge=judge)
    pick = specialise(template.pick, owner, bare, **parts)
    play_on = specialise(template.play_on, owner, bare, chance=kernels.chance, **parts)
    return specialise(
        template.play_outs, owner, bare, weigh=weigh, pick=pick, play_on=play_on, chance=kernels.chance, **parts
    )
