"""Games side by side on the cores of this computer, each core with some of the lanes; see `tools.selfplay_games`."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from itertools import pairwise
from typing import Any

import numpy as np

from astragal.core.compiled import cpu, kernel
from astragal.core.fast import Array
from tools.selfplay_games import Lanes, Rows, Work, advance, decide, look_around, look_back


@kernel
def advance_all(begin: int, end: int, now: int, lanes: Lanes) -> None:
    """`advance` for these lanes."""
    for lane in range(begin, end):
        advance(lane, now, lanes)


@kernel
def look_around_all(
    begin: int, end: int, what: int, now: int, starts: Array, features: int, lanes: Lanes, rows: Rows, work: Work
) -> None:
    """`look_around` for these lanes."""
    for lane in range(begin, end):
        look_around(lane, 0, 1, what, now, starts[lane], features, lanes, rows, work)


@kernel
def decide_all(
    begin: int, end: int, now: int, starts: Array, used: int, odds: Array, likes: Array, temperature: float,
    lanes: Lanes,
) -> None:  # fmt: skip
    """`decide` for these lanes."""
    for lane in range(begin, end):
        decide(lane, now, starts[lane], used, odds, likes, temperature, lanes)


@kernel
def look_back_all(
    begin: int, end: int, steps: int, known: int, odds: Array, memory: float, lanes: Lanes, rows: Rows
) -> None:
    """`look_back` for these lanes."""
    for lane in range(begin, end):
        look_back(lane, steps, known, odds, memory, lanes, rows)


FOR_CORES = (advance_all, look_around_all, decide_all, look_back_all)  # a card takes those for one lane instead


def parts_of(lanes: Lanes, cores: int) -> list[tuple[int, int]]:
    """The lanes of each core, from one to before another; fewer parts than cores where there are fewer lanes."""
    edges = np.linspace(0, len(lanes.states), cores + 1).astype(int).tolist()
    return [part for part in pairwise(edges) if part[0] < part[1]]


class OnCores:
    """Lanes on the cores of this computer; `tools.selfplay_cuda.OnCard` is the same for a graphics card."""

    def __init__(self, source: Any, lanes: Lanes, rows: Rows, inputs: int, values: int, cores: int = 1) -> None:
        self.lanes, self.rows = lanes, rows
        self._kernels = {each.__name__: cpu(each, source) for each in FOR_CORES}
        self._parts = parts_of(lanes, cores)
        self._works = [
            Work(lanes.first.copy(), np.zeros(inputs, dtype=np.float32), np.zeros(values)) for _ in self._parts
        ]
        self._pool = ThreadPoolExecutor(cores)

    def _run(self, name: str, *args: Any, work: bool = True) -> None:
        """A kernel for all lanes, some on each core; with working space, unless it needs none."""
        kernel = self._kernels[name]
        jobs = [
            (*part, *args, one) if work else (*part, *args) for part, one in zip(self._parts, self._works, strict=True)
        ]
        list(self._pool.map(lambda job: kernel(*job), jobs))

    def advance(self, now: int) -> None:
        """See `selfplay_games.advance`; the others are named as they are there, too."""
        self._run("advance_all", now, self.lanes, work=False)

    def look_around(self, what: int, now: int, starts: Any, features: int) -> None:
        """Keeps rows."""
        self._run("look_around_all", what, now, starts, features, self.lanes, self.rows)

    def decide(self, now: int, starts: Any, used: int, odds: Any, likes: Any, temperature: float) -> None:
        """Takes actions."""
        self._run("decide_all", now, starts, used, odds, likes, temperature, self.lanes, work=False)

    def look_back(self, steps: int, known: int, odds: Any, memory: float) -> None:
        """Works out what decisions came to."""
        self._run("look_back_all", steps, known, odds, memory, self.lanes, self.rows, work=False)
