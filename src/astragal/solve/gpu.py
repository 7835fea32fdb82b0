"""Positions worked out on a graphics card, by the same kernels. Only this module of `solve` imports `numba.cuda`."""

from __future__ import annotations

import math
from collections.abc import Sequence
from functools import cache
from typing import Any, NamedTuple

import numba.cuda
import numpy as np

from astragal.core.compiled import cuda as on_device
from astragal.core.compiled_cuda import SIMULATED
from astragal.core.fast import Array
from astragal.core.solvable import Index, IndexKernels, Waves
from astragal.solve import kernels_sweep as sweeps
from astragal.solve.machine import Change, Machine, Span

cuda: Any = numba.cuda

THREADS = 128  # of a block
REGISTERS = 64  # of a thread: fewer, and more threads wait for memory at once


class _Launchers(NamedTuple):
    """The kernels that the card is asked to run, see the methods of `Machine`."""

    sweep: Any
    shift: Any
    take: Any
    add: Any
    finish: Any


@cache
def _launchers(kernels: IndexKernels) -> _Launchers:
    position = on_device(sweeps.position, kernels)
    put_position = on_device(sweeps.put_position, kernels)

    @cuda.jit(device=True)  # type: ignore[untyped-decorator]
    def run_of(before: Any, wanted: int, low: int, high: int) -> Any:
        """The run that a position is in."""
        while high - low > 1:
            middle = (low + high) // 2
            if before[middle] <= wanted:
                low = middle
            else:
                high = middle
        return low

    @cuda.jit(**({} if SIMULATED else {"max_registers": REGISTERS}))  # type: ignore[untyped-decorator]
    def sweep(
        codes: Any, before: Any, ends: Any, arrays: Any, values: Any, other: Any, anchor: Any, total: int,
        round_up: int, halfway: int, made: Any, change: Any,
    ) -> None:  # fmt: skip
        """All threads go through the waves together: one launch is dear, waiting for each other is not."""
        me, all_threads = cuda.grid(1), cuda.gridsize(1)
        everybody = cuda.cg.this_grid()
        how = sweeps.Sweep(arrays, values, other, anchor, total, round_up, halfway)
        first = above = below = 0
        for wave in range(len(ends)):
            last = ends[wave]
            count = before[last] - before[first]
            low = first
            for at in range(me, count, all_threads):
                wanted = at + before[first]
                low = run_of(before, wanted, low, last)  # the next one is further on
                place, value = position(codes[low], wanted - before[low], how)
                made[at] = value
                difference = value - int(anchor[place])
                above, below = max(above, difference), max(below, -difference)
            everybody.sync()
            low = first
            for at in range(me, count, all_threads):
                wanted = at + before[first]
                low = run_of(before, wanted, low, last)
                put_position(codes[low], wanted - before[low], how, made[at])
            everybody.sync()
            first = last
        cuda.atomic.max(change, 0, above)
        cuda.atomic.max(change, 1, below)

    @cuda.jit  # type: ignore[untyped-decorator]
    def shift(source: Any, target: Any, start: Any, stop: Any, by: Any) -> None:
        at = start + cuda.grid(1)
        if at < stop:
            target[at] = min(max(int(source[at]) + by, 0), sweeps.ONE)

    @cuda.jit  # type: ignore[untyped-decorator]
    def take(source: Any, picks: Any, target: Any) -> None:
        at = cuda.grid(1)
        if at < len(picks):
            target[at] = source[picks[at]]

    @cuda.jit  # type: ignore[untyped-decorator]
    def add(source: Any, weight: Any, target: Any) -> None:
        at = cuda.grid(1)
        if at < len(source):
            target[at] += weight * source[at]

    @cuda.jit  # type: ignore[untyped-decorator]
    def finish(source: Any, target: Any) -> None:
        at = cuda.grid(1)
        if at < len(target):
            target[at] = min(max(math.floor(source[at] + 0.5), 0.0), float(sweeps.ONE))

    return _Launchers(sweep, shift, take, add, finish)


class Gpu(Machine):
    """One graphics card of NVIDIA's."""

    def __init__(self, index: Index) -> None:
        super().__init__(index)
        self._run = _launchers(index.kernels)
        self._arrays = tuple(cuda.to_device(np.ascontiguousarray(array)) for array in index.arrays)
        self._grid = 1  # blocks of threads for a sweep: as many as the card can hold at once

    def array(self, value: int) -> Any:
        made = cuda.device_array(self.length, dtype=np.uint32)
        part = np.full(min(self.length, 1 << 24), value, dtype=np.uint32)
        for start in range(0, self.length, len(part)):
            self.put(made, start, part[: self.length - start])
        return made

    def put(self, array: Any, start: int, values: Array) -> None:
        array[start : start + len(values)].copy_to_device(np.ascontiguousarray(values))

    def get(self, array: Any, start: int, stop: int) -> Array:
        return np.asarray(array[start:stop].copy_to_host())

    def shift(self, source: Any, target: Any, span: Span, by: int) -> None:
        self._run.shift[_blocks(span[1] - span[0]), THREADS](source, target, *span, by)

    def copy(self, values: Any, spans: Sequence[Span]) -> Any:
        made = cuda.device_array(sum(stop - start for start, stop in spans), dtype=np.uint32)
        at = 0
        for start, stop in spans:
            made[at : at + stop - start].copy_to_device(values[start:stop])
            at += stop - start
        return made

    def sample(self, copied: Any, picks: Array) -> Array:
        made = cuda.device_array(len(picks), dtype=np.uint32)
        self._run.take[_blocks(len(picks)), THREADS](copied, cuda.to_device(picks), made)
        return np.asarray(made.copy_to_host())

    def blend(self, copies: Sequence[Any], weights: Sequence[float], values: Any, spans: Sequence[Span]) -> None:
        count = len(copies[0])
        total = cuda.to_device(np.zeros(count))
        for copied, weight in zip(copies, weights, strict=True):
            self._run.add[_blocks(count), THREADS](copied, float(weight), total)
        at = 0
        for start, stop in spans:
            part = total[at : at + stop - start]
            self._run.finish[_blocks(stop - start), THREADS](part, values[start:stop])
            at += stop - start

    def load(self, waves: Waves) -> None:
        before = np.concatenate([[0], np.cumsum(waves.lengths)])
        self._waves = [cuda.to_device(array) for array in (waves.codes, before, waves.ends)]
        most = int(np.diff(before[waves.ends], prepend=0).max())
        self._made = cuda.device_array(most, dtype=np.uint32)

    def sweep(self, values: Any, other: Any, anchor: Any, round_up: int, *, halfway: bool = False) -> Change:
        change = cuda.to_device(np.zeros(2, dtype=np.int64))
        codes, before, ends = self._waves
        for now in (ends[:0], ends) if self._grid == 1 else (ends,):  # the first time an empty sweep to get compiled
            self._run.sweep[min(self._grid, _blocks(len(self._made))), THREADS](
                codes, before, now, self._arrays, values, other, anchor, self.index.total, round_up, int(halfway),
                self._made, change,
            )  # fmt: skip
            for compiled in self._run.sweep.overloads.values():  # none in the simulator, which has one block only
                self._grid = compiled.max_cooperative_grid_blocks(THREADS)
        above, below = change.copy_to_host().tolist()
        return Change(above, below)

    def close(self) -> None:
        """Its memory is given back with its arrays."""


def _blocks(threads: int) -> int:
    return max(1, -(-threads // THREADS))
