"""Where a batch of games is played: on the cores of this computer, or on a graphics card."""

from __future__ import annotations

import os
from abc import ABC, abstractmethod
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from itertools import pairwise
from typing import Any, Literal, get_args

import numpy as np

from astragal.core.compiled import cpu, no_card
from astragal.core.fast import Array, Kernels
from astragal.core.language import say
from astragal.core.types import AstragalError

DeviceName = Literal["cpu", "cuda"]
SMALLEST_PART = 512  # games; for fewer a second thread costs more than it brings


class BadDevice(AstragalError):
    """A device that there is not, or that is too small."""


class Device(ABC):
    """Makes arrays and runs the templates of `kernels_vector` over the games of a batch."""

    lanes: int  # threads, each of which has working space of its own

    @abstractmethod
    def array(self, made: Array) -> Any:
        """An array for users of the device, with what this one holds."""

    @abstractmethod
    def plain(self, array: Any) -> Array:
        """What such an array holds, as an array of NumPy."""

    @abstractmethod
    def kernel_array(self, array: Any) -> Any:
        """An array of the device as kernels take it: the same memory."""

    @abstractmethod
    def given(self, array: Any, dtype: Any) -> Any:
        """An array that a user gave, as kernels take it; copied only where it lies elsewhere or has another type."""

    @abstractmethod
    def run(self, template: Callable[..., None], batch: Any, setup: Any, rooms: Any, more: tuple[Any, ...]) -> None:
        """Runs a template over all games."""


def device(name: DeviceName, source: Kernels, games: int, cores: int) -> Device:
    """The device of this name. Raises BadDevice."""
    if name == "cpu":
        return Cpu(source, games, cores)
    if name != "cuda":
        names = ", ".join(get_args(DeviceName))
        raise BadDevice(say("there is no device {name!r}; the devices are: {names}", name=str(name), names=names))
    try:
        from astragal.research.cuda import Cuda

        return Cuda(source, games)
    except BadDevice:
        raise
    except Exception as error:
        raise BadDevice(no_card(error)) from error


class Cpu(Device):
    """Threads of this process: the kernels let go of the interpreter's lock."""

    def __init__(self, source: Kernels, games: int, cores: int) -> None:
        self._source, self._games = source, games
        self.lanes = max(1, min(cores or os.cpu_count() or 1, games // SMALLEST_PART))
        bounds = np.linspace(0, games, self.lanes + 1).astype(int).tolist()
        self._parts = list(pairwise(bounds))
        self._pool = ThreadPoolExecutor(self.lanes) if self.lanes > 1 else None

    def array(self, made: Array) -> Array:
        return made

    def plain(self, array: Array) -> Array:
        return array

    def kernel_array(self, array: Array) -> Array:
        return array

    def given(self, array: Any, dtype: Any) -> Array:
        if not hasattr(array, "__array__") and hasattr(array, "__dlpack__"):
            array = np.from_dlpack(array)
        return np.ascontiguousarray(array, dtype=dtype)

    def run(self, template: Callable[..., None], batch: Any, setup: Any, rooms: Any, more: tuple[Any, ...]) -> None:
        args = batch, setup, rooms, more
        compiled = cpu(template, self._source)
        if self._pool is None:
            compiled(0, 0, self._games, 1, *args)
            return
        running = [
            self._pool.submit(compiled, lane, first, last, 1, *args) for lane, (first, last) in enumerate(self._parts)
        ]
        for part in running:
            part.result()
