"""Games side by side on a graphics card; see `tools.selfplay_games`. Only this module of them imports `numba.cuda`."""

from __future__ import annotations

from functools import cache
from typing import Any

import cupy
import numba
import numba.cuda

from astragal.core.compiled import cuda as on_device
from tools.selfplay_games import Lanes, Rows, Work, advance, decide, look_around, look_back

cuda: Any = numba.cuda
THREADS = 64
WARP = 32  # threads that share a lane where there is something to do for every action


@cache
def launchers(source: Any, words: int, dtype: Any, inputs: int, values: int) -> tuple[Any, ...]:
    """The kernels of one game. A named tuple of arrays cannot be passed to them, a plain one can."""
    kernels: list[Any] = [on_device(each, source) for each in (advance, look_around, decide, look_back)]
    advance_one, look_around_one, decide_one, look_back_one = kernels
    of_state = numba.from_dtype(dtype)

    @cuda.jit  # type: ignore[untyped-decorator]
    def advancing(now: Any, lanes: Any) -> None:
        lane = cuda.grid(1)
        all_lanes = Lanes(*lanes)
        if lane < len(all_lanes.states):
            advance_one(lane, now, all_lanes)

    @cuda.jit  # type: ignore[untyped-decorator]
    def looking_around(what: Any, now: Any, starts: Any, features: Any, lanes: Any, rows: Any) -> None:
        lane, place = cuda.grid(1) // WARP, cuda.grid(1) % WARP
        all_lanes = Lanes(*lanes)
        trial, seen = cuda.local.array(words, of_state), cuda.local.array(inputs, numba.float32)
        work = Work(trial, seen, cuda.local.array(values, numba.float64))
        if lane < len(all_lanes.states):
            look_around_one(lane, place, WARP, what, now, starts[lane], features, all_lanes, Rows(*rows), work)

    @cuda.jit  # type: ignore[untyped-decorator]
    def deciding(now: Any, starts: Any, used: Any, odds: Any, likes: Any, temperature: Any, lanes: Any) -> None:
        lane = cuda.grid(1)
        all_lanes = Lanes(*lanes)
        if lane < len(all_lanes.states):
            decide_one(lane, now, starts[lane], used, odds, likes, temperature, all_lanes)

    @cuda.jit  # type: ignore[untyped-decorator]
    def looking_back(steps: Any, known: Any, odds: Any, memory: Any, lanes: Any, rows: Any) -> None:
        lane = cuda.grid(1)
        all_lanes = Lanes(*lanes)
        if lane < len(all_lanes.states):
            look_back_one(lane, steps, known, odds, memory, all_lanes, Rows(*rows))

    return advancing, looking_around, deciding, looking_back


class OnCard:
    """Lanes on one graphics card, a thread or a warp for each; see `tools.selfplay_cores.OnCores`."""

    def __init__(self, source: Any, lanes: Lanes, rows: Rows, inputs: int, values: int) -> None:
        self.lanes = Lanes(*(cupy.asarray(array) for array in lanes))
        self.rows = Rows(*(cupy.asarray(array) for array in rows))
        self._lanes = tuple(cuda.as_cuda_array(array) for array in self.lanes)
        self._rows = tuple(cuda.as_cuda_array(array) for array in self.rows)
        many = len(lanes.states)
        advancing, looking_around, deciding, looking_back = launchers(
            source, len(lanes.first), lanes.first.dtype, inputs, values
        )
        thread_a_lane, warp_a_lane = ((-(-many * threads // THREADS), THREADS) for threads in (1, WARP))
        self._advance, self._decide, self._look_back = (
            each[thread_a_lane] for each in (advancing, deciding, looking_back)
        )
        self._look_around = looking_around[warp_a_lane]

    def advance(self, now: int) -> None:
        """See `selfplay_games.advance`; the others are named as they are there, too."""
        self._advance(now, self._lanes)

    def look_around(self, what: int, now: int, starts: Any, features: int) -> None:
        """Keeps rows."""
        self._look_around(what, now, starts, features, self._lanes, self._rows)

    def decide(self, now: int, starts: Any, used: int, odds: Any, likes: Any, temperature: float) -> None:
        """Takes actions."""
        self._decide(now, starts, used, odds, likes, temperature, self._lanes)

    def look_back(self, steps: int, known: int, odds: Any, memory: float) -> None:
        """Works out what decisions came to."""
        self._look_back(steps, known, odds, memory, self._lanes, self._rows)
