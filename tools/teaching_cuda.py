"""Lessons on a graphics card; see `tools.teaching`. Only this module of them imports `numba.cuda`."""

from __future__ import annotations

from functools import cache
from typing import Any

import cupy
import numba.cuda
import numpy as np

from astragal.core.compiled import cuda as on_device
from astragal.core.fast import SlotKernels
from tools.teaching import Lanes, lesson

cuda: Any = numba.cuda
THREADS = 128


@cache
def _launcher(kernels: SlotKernels) -> Any:
    """Compiled once for all tables of a game."""
    device = on_device(lesson, kernels)

    @cuda.jit  # type: ignore[untyped-decorator]
    def launch(
        first: Any, tables: Any, arrays: Any, values: Any, most: Any, seat_at: Any, size: Any, states: Any,
        afters: Any, numbers: Any, weights: Any, shares: Any, rngs: Any, gaps: Any, noise: Any, seen: Any,
        targets: Any,
    ) -> None:  # fmt: skip
        lane = cuda.grid(1)
        if lane < len(targets):
            all_lanes = Lanes(
                tables, arrays, values, most, seat_at, size, states, afters, numbers, weights, shares, rngs, gaps,
                noise,
            )  # fmt: skip
            device(lane, first, all_lanes, seen, targets)

    return launch


class CudaLessons:
    """Lessons from a table on one graphics card; a lane is a thread."""

    def __init__(self, kernels: SlotKernels, lanes: Lanes, first: Any, inputs: int) -> None:
        count = len(lanes.states)
        self._launch = _launcher(kernels)[-(-count // THREADS), THREADS]
        self._first = cuda.to_device(first)
        self._lanes = [_moved(part) for part in lanes]
        self._seen = cupy.zeros((count, inputs), dtype=np.float32)
        self._targets = cupy.zeros(count, dtype=np.float32)

    def __call__(self) -> tuple[Any, Any]:
        """A lesson in each lane."""
        self._launch(self._first, *self._lanes, self._seen, self._targets)
        return self._seen, self._targets


def _moved(part: Any) -> Any:
    """Arrays, or a tuple of them, in the memory of the card; anything else as it is."""
    if isinstance(part, tuple):
        return tuple(cuda.to_device(np.ascontiguousarray(array)) for array in part)
    return cuda.to_device(np.ascontiguousarray(part)) if isinstance(part, np.ndarray) else part
