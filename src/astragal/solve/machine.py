"""Where positions are worked out: on this computer's cores. `gpu` does the same on a graphics card."""

from __future__ import annotations

import os
from abc import ABC, abstractmethod
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from itertools import pairwise
from typing import Any, NamedTuple

import numpy as np

from astragal.core.compiled import cpu, no_card
from astragal.core.fast import Array
from astragal.core.solvable import Index, Waves
from astragal.core.types import AstragalError
from astragal.solve import kernels_sweep as sweeps
from astragal.solve.kernels_sweep import Sweep

Span = tuple[int, int]
PART = 1 << 22  # values are handled in parts of so many, to need little memory
SMALL = 20_000  # a wave with fewer positions is not worth sharing among cores


class Change(NamedTuple):
    """How far the values of a sweep lie above and below what they were compared with, at most."""

    above: int
    below: int

    @property
    def largest(self) -> int:
        return max(self.above, self.below)


class Machine(ABC):
    """Holds arrays of values and works them out. Arrays are of the machine's own kind."""

    def __init__(self, index: Index) -> None:
        self.index = index
        self.length = index.size * (2 if index.twice else 1)  # of an array

    @abstractmethod
    def array(self, value: int) -> Any:
        """A new array with this value for every position."""

    @abstractmethod
    def put(self, array: Any, start: int, values: Array) -> None:
        """Copies values from this computer's memory into an array, from a rank on."""

    @abstractmethod
    def get(self, array: Any, start: int, stop: int) -> Array:
        """Copies some values of an array into this computer's memory."""

    @abstractmethod
    def shift(self, source: Any, target: Any, span: Span, by: int) -> None:
        """Sets a span of the target to the source's values plus a number, kept between 0 and ONE."""

    @abstractmethod
    def copy(self, values: Any, spans: Sequence[Span]) -> Any:
        """A copy of some spans, one after the other, for `sample` and `blend`."""

    @abstractmethod
    def sample(self, copied: Any, picks: Array) -> Array:
        """Some values of such a copy in this computer's memory."""

    @abstractmethod
    def blend(self, copies: Sequence[Any], weights: Sequence[float], values: Any, spans: Sequence[Span]) -> None:
        """Sets some spans to a weighted sum of copies of them, kept between 0 and ONE."""

    @abstractmethod
    def load(self, waves: Waves) -> None:
        """Makes the positions of a block ready for `sweep`."""

    @abstractmethod
    def sweep(self, values: Any, other: Any, anchor: Any, round_up: int, *, halfway: bool = False) -> Change:
        """Works out the loaded block once; see `kernels_sweep.Sweep`."""

    @abstractmethod
    def close(self) -> None:
        """Gives back what the machine holds."""


def machine_for(index: Index, device: str) -> Machine:
    """This computer's cores, or with the device `cuda` a graphics card. Raises AstragalError if there is none."""
    if device == "cpu":
        return Cores(index)
    try:
        from astragal.solve.gpu import Gpu

        return Gpu(index)
    except Exception as error:
        raise AstragalError(no_card(error)) from error


class Cores(Machine):
    """This computer's cores. Numba lets go of the interpreter's lock, so threads do."""

    def __init__(self, index: Index, cores: int = 0) -> None:
        super().__init__(index)
        self.cores = cores or os.cpu_count() or 1
        self._wave = cpu(sweeps.wave, index.kernels, inlined=True)
        self._write = cpu(sweeps.write, index.kernels, inlined=True)
        self._small = cpu(sweeps.small_block, index.kernels, inlined=True)
        self._pool = ThreadPoolExecutor(self.cores)

    def array(self, value: int) -> Array:
        return np.full(self.length, value, dtype=np.uint32)

    def put(self, array: Array, start: int, values: Array) -> None:
        array[start : start + len(values)] = values

    def get(self, array: Array, start: int, stop: int) -> Array:
        return np.asarray(array[start:stop])

    def shift(self, source: Array, target: Array, span: Span, by: int) -> None:
        for start in range(*span, PART):
            part = slice(start, min(start + PART, span[1]))
            target[part] = np.clip(source[part].astype(np.int64) + by, 0, sweeps.ONE)

    def copy(self, values: Array, spans: Sequence[Span]) -> Array:
        return np.concatenate([values[start:stop] for start, stop in spans])

    def sample(self, copied: Array, picks: Array) -> Array:
        return np.asarray(copied[picks])

    def blend(self, copies: Sequence[Array], weights: Sequence[float], values: Array, spans: Sequence[Span]) -> None:
        at = 0
        for start, stop in spans:
            for begin in range(start, stop, PART):
                end = min(begin + PART, stop)
                mean = sum(w * c[at : at + end - begin] for w, c in zip(weights, copies, strict=True))
                values[begin:end] = np.clip(np.rint(mean), 0, sweeps.ONE)
                at += end - begin

    def load(self, waves: Waves) -> None:
        self._codes, self._lengths, self._ends = waves
        before = np.concatenate([[0], np.cumsum(waves.lengths)])
        starts = [0, *waves.ends[:-1].tolist()]
        self._parts = [self._shared(before, first, last) for first, last in zip(starts, waves.ends, strict=True)]
        self._made = np.empty(int((before[waves.ends] - before[starts]).max()), dtype=np.uint32)

    def _shared(self, before: Array, first: int, last: int) -> list[tuple[int, int, slice]]:
        """The runs of a wave, in parts for the cores: first run, last run, and their place in the buffer."""
        count = int(before[last] - before[first])
        cuts = [first, last]
        if count > SMALL and self.cores > 1:
            wanted = before[first] + count * np.arange(1, self.cores) // self.cores
            cuts = [first, *np.searchsorted(before, wanted).tolist(), last]
        return [
            (one, two, slice(int(before[one] - before[first]), int(before[two] - before[first])))
            for one, two in pairwise(map(int, cuts))
            if two > one
        ]

    def sweep(self, values: Array, other: Array, anchor: Array, round_up: int, *, halfway: bool = False) -> Change:
        how = Sweep(self.index.arrays, values, other, anchor, self.index.total, round_up, int(halfway))
        made = self._made
        if len(made) <= SMALL:
            return Change(*self._small(self._codes, self._lengths, self._ends, how, made))
        changes = []
        for parts in self._parts:
            jobs = [
                self._pool.submit(self._wave, self._codes, self._lengths, first, last, how, made[part])
                for first, last, part in parts
            ]
            changes += [job.result() for job in jobs]
            writing = [
                self._pool.submit(self._write, self._codes, self._lengths, first, last, how, made[part])
                for first, last, part in parts
            ]
            for job in writing:
                job.result()
        return Change(max(above for above, _ in changes), max(below for _, below in changes))

    def close(self) -> None:
        self._pool.shutdown(wait=True, cancel_futures=True)
