"""A batch of games on a graphics card, by the same templates. Only this module of `research` imports `numba.cuda`.

Arrays for users are CuPy's or Torch's, whichever is there, so that they speak DLPack; otherwise Numba's, which speak
`__cuda_array_interface__`. Whatever speaks one of the two is taken as actions without a copy.
"""

from __future__ import annotations

from collections.abc import Callable
from importlib.util import find_spec
from typing import Any

import numba.cuda
import numpy as np

from astragal.core.compiled import cuda as on_device
from astragal.core.compiled_cuda import SIMULATED
from astragal.core.fast import Array, Kernels
from astragal.core.language import say
from astragal.research.device import BadDevice, Device

cuda: Any = numba.cuda

THREADS = 128  # of a block
SIMULATED_THREADS = 2
MOST_LANES = THREADS * 1024  # more threads than this play no faster, but each takes working space


class Cuda(Device):
    """One graphics card of NVIDIA's."""

    def __init__(self, source: Kernels, games: int) -> None:
        if not cuda.is_available():
            raise BadDevice(say("no NVIDIA graphics card can be used: {reason}", reason="cuda"))
        self._source, self._games = source, games
        self._blocks = 1 if SIMULATED else max(1, min(-(-games // THREADS), MOST_LANES // THREADS))
        self._launchers: dict[Any, Any] = {}
        self._threads = min(games, SIMULATED_THREADS) if SIMULATED else THREADS
        self.lanes = self._blocks * self._threads
        self._library = None if SIMULATED else next((name for name in ("cupy", "torch") if find_spec(name)), None)

    def array(self, made: Array) -> Any:
        if SIMULATED:
            return made
        self._check_room(made)
        if self._library == "cupy":
            import cupy

            return cupy.asarray(made)
        if self._library == "torch":
            import torch

            return torch.from_numpy(made).to("cuda") if made.dtype != np.uint64 else cuda.to_device(made)
        return cuda.to_device(made)

    def _check_room(self, made: Array) -> None:
        free = cuda.current_context().get_memory_info().free
        if made.nbytes > free:
            needed, there = made.nbytes >> 20, free >> 20
            raise BadDevice(
                say("the graphics card has {free} MB left and {needed} MB are needed; play fewer games at once",
                    free=there, needed=needed)
            )  # fmt: skip

    def plain(self, array: Any) -> Array:
        if SIMULATED:
            return np.asarray(array)
        return np.asarray(cuda.as_cuda_array(array).copy_to_host())

    def kernel_array(self, array: Any) -> Any:
        return array if SIMULATED else cuda.as_cuda_array(array)

    def given(self, array: Any, dtype: Any) -> Any:
        if SIMULATED:
            return np.ascontiguousarray(array, dtype=dtype)
        if not hasattr(array, "__cuda_array_interface__"):
            if hasattr(array, "__dlpack__") and not isinstance(array, np.ndarray) and self._library == "cupy":
                import cupy

                array = cupy.from_dlpack(array)
            else:
                return cuda.to_device(np.ascontiguousarray(array, dtype=dtype))
        view = cuda.as_cuda_array(array)
        if view.dtype == np.dtype(dtype) and view.is_c_contiguous():
            return view
        return cuda.to_device(np.ascontiguousarray(view.copy_to_host(), dtype=dtype))

    def run(self, template: Callable[..., None], batch: Any, setup: Any, rooms: Any, more: tuple[Any, ...]) -> None:
        if template not in self._launchers:
            self._launchers[template] = _launcher(on_device(template, self._source))
        self._launchers[template][self._blocks, self._threads](self._games, batch, setup, rooms, more)


def _launcher(device: Any) -> Any:
    """A kernel that gives each thread its part of the games."""

    @cuda.jit  # type: ignore[untyped-decorator]
    def launch(games: Any, batch: Any, setup: Any, rooms: Any, more: Any) -> None:
        device(cuda.grid(1), cuda.grid(1), games, cuda.gridsize(1), batch, setup, rooms, more)

    return launch
