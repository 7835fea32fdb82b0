"""Value iteration, block by block, with a proof at the end of each block.

Where every game ends (`Index.ends`), a block is done when two arrays of values enclose the true ones. They begin a
little below and above what the iteration has found (`lower`, `upper`). If some sweeps bring no value of `lower` below
where it began and none of `upper` above, then the true values lie between them: the sweeps are monotone, so their least
over these sweeps is a value that one more sweep cannot lower, and a side that plays by it is sure of as much in every
game that ends. Sums are rounded down for `lower` and up for `upper`. So the bounds are proved, rounding included. Where
rounding does not let them meet as closely as asked for, they lie further apart, and `Proof.gap` says how far.

Where games need not end, three things are worked out: the value if a game that is broken off counts as half a win
(`values`, from one half on) and, if asked for, a lower bound if it counts as lost and an upper bound if it counts as
won (`lower` from 0, `upper` from 1). These two hold at every moment, however many sweeps were made, and take about
three times as long as the values.

Sweeps bring two arrays of values no further apart, but that alone does not make them settle: where games need not end,
values can swing for ever, and some do. So in every `CALMING`-th sweep each value goes only half of its way, which takes
the force out of a swing, and after `SWINGING` sweeps in all of them. If all are halved they settle always (they are
averages of a map that brings nothing further apart, and of standing still), and where they settle every value follows
from the others, as after whole ones.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from typing import Any, NamedTuple

import numpy as np

from astragal.core.fast import Array
from astragal.core.solvable import Block, Index
from astragal.solve.kernels_sweep import HALF, ONE
from astragal.solve.machine import Change, Machine

PATIENCE = 12  # sweeps that may bring a proof no nearer, at least; as many as the values took are always tried
SLACK = 0.2  # values change by no more than this part of what a block may err, before a proof is tried
WARM, CYCLE = 4, 4  # sweeps before the first extrapolation, and between two
SAMPLE = 200_000  # positions by which an extrapolation is fitted
CALMING = 16  # of so many sweeps one is halved, so that values swing less
SWINGING = 500  # sweeps after which values that have not settled are taken to swing all the same


class Progress(NamedTuple):
    """How far a solution is."""

    block: str
    number: int  # of the block, from 1
    blocks: int
    sweeps: int  # of this block so far
    change: float  # the largest of the last sweep
    positions: int  # worked out so far, each as often as it was
    proving: bool = False


class Proof(NamedTuple):
    """What is known about a block in the end."""

    block: str
    positions: int
    sweeps: int
    gap: float  # between lower and upper bound, at most
    differ: int = 0  # positions in which the bounds are further apart than asked for


Tell = Callable[[Progress], None]


class Solution:
    """Values of all positions of an index, worked out on some machine."""

    def __init__(
        self, index: Index, machine: Machine, precision: float, tell: Tell = lambda _: None, *, bounds: bool = True
    ) -> None:
        self.index, self.machine, self.precision, self._tell = index, machine, precision, tell
        self.bounds = bounds or index.ends
        self.values = machine.array(HALF)
        self.lower: Any = machine.array(0) if self.bounds else None
        self.upper: Any = machine.array(ONE) if self.bounds else None
        self.proofs: list[Proof] = []
        self.begun = 0  # sweeps of the next block that its values have behind them already
        self.after_sweep: Callable[[int], None] = lambda _: None  # told how many sweeps values have behind them
        self.positions = 0  # worked out, each as often as it was
        self.seconds = 0.0  # that the sweeps took, but for the first one, which may have to compile

    def restore(self, proofs: list[Proof], parts: Iterator[tuple[int, Array, Array]]) -> None:
        """Goes on after blocks that were finished before: from a rank on, their lower and upper bounds."""
        self.proofs = list(proofs)
        for start, lower, upper in parts:
            self.machine.put(self.lower, start, lower)
            self.machine.put(self.upper, start, upper)
            self.machine.put(self.values, start, _middle(lower, upper))

    def run(self) -> Iterator[Proof]:
        """Solves block after block; each is final when it is yielded."""
        for block in self.index.blocks[len(self.proofs) :]:
            self.machine.load(self.index.waves(block))
            proof = self._enclose(block) if self.index.ends else self._converge(block)
            self.proofs.append(proof)
            yield proof

    def _enclose(self, block: Block) -> Proof:
        stage, stages = len(self.proofs) + 1, len(self.index.blocks)
        allowed = int(self.precision / 2 * ONE)  # that the bounds may lie from the middle in the last block
        apart = allowed * stage // stages  # blocks build on each other, so that each may err a little more
        target = max(1, int(SLACK * allowed / stages))
        sweeps = patience = 0
        while True:
            sweeps = self._refine(block, target, sweeps)
            patience = patience or max(PATIENCE, sweeps)
            for span in block.spans:
                self.machine.shift(self.values, self.lower, span, -apart)
                self.machine.shift(self.values, self.upper, span, apart)
            nearest, waited = ONE, 0
            while waited < patience:
                down = self._sweep(self.lower, self.upper, self.values, 0)
                up = self._sweep(self.upper, self.lower, self.values, self.index.total - 1)
                furthest = max(down.below, up.above)
                sweeps += 2
                self._report(block, sweeps, furthest, proving=True)
                if furthest <= apart:
                    return self._proved(block, sweeps)
                waited = 0 if furthest < nearest else waited + 1
                nearest = min(nearest, furthest)
            if target > 1:
                target = max(1, target // 4)
            else:
                apart += apart // 4 + 1  # values of 32 bits prove no more here

    def _refine(self, block: Block, target: int, sweeps: int) -> int:
        """Sweeps until nothing changes by more than the target. Every few sweeps their limit is foreseen."""
        past: list[Any] = []
        while True:
            change = self._sweep(self.values, self.values, self.values, self.index.total // 2).largest
            sweeps += 1
            self._report(block, sweeps, change)
            if change <= target:
                return sweeps
            if sweeps >= WARM:
                past.append(self.machine.copy(self.values, block.spans))
                if len(past) == CYCLE + 1:
                    self._foresee(block, past)
                    past = []

    def _foresee(self, block: Block, past: list[Any]) -> None:
        """Reduced rank extrapolation: the weighted mean of the last values that would change least.

        Nothing is proved by it; it only saves sweeps.
        """
        count = sum(stop - start for start, stop in block.spans)
        picks = np.random.default_rng(len(self.proofs)).integers(0, count, min(count, SAMPLE))
        changes = np.diff([self.machine.sample(values, picks) / ONE for values in past], axis=0)
        products = changes @ changes.T
        size = len(changes)
        weights = np.linalg.solve(products + 1e-12 * np.trace(products) / size * np.eye(size), np.ones(size))
        self.machine.blend(past[1:], (weights / weights.sum()).tolist(), self.values, block.spans)

    def _converge(self, block: Block) -> Proof:
        target, total = int(self.precision * ONE), self.index.total
        sweeps, change = self.begun, ONE
        while change > target:
            halfway = halved(sweeps)
            moved = self._sweep(self.values, self.values, self.values, total // 2, halfway=halfway).largest
            change = 2 * moved if halfway else moved
            sweeps += 1
            self._report(block, sweeps, change)
            self.after_sweep(sweeps)
        if not self.bounds:
            return Proof(block.name, self.index.size, sweeps, 1.0, self.index.size)
        moved = ONE
        while moved > target:
            down = self._sweep(self.lower, self.upper, self.lower, 0)
            up = self._sweep(self.upper, self.lower, self.upper, total - 1)
            moved = max(down.largest, up.largest)
            sweeps += 2
            self._report(block, sweeps, moved, proving=True)
        return self._proved(block, sweeps)

    def _sweep(self, values: Any, other: Any, anchor: Any, round_up: int, *, halfway: bool = False) -> Change:
        began = time.perf_counter()
        change = self.machine.sweep(values, other, anchor, round_up, halfway=halfway)
        self.seconds += time.perf_counter() - began if self.positions else 0.0
        return change

    def _report(self, block: Block, sweeps: int, change: int, *, proving: bool = False) -> None:
        self.positions += sum(stop - start for start, stop in block.spans)
        number, blocks = len(self.proofs) + 1, len(self.index.blocks)
        self._tell(Progress(block.name, number, blocks, sweeps, change / ONE, self.positions, proving))

    def _proved(self, block: Block, sweeps: int) -> Proof:
        gap = differ = count = 0
        for start, stop in block.spans:
            for part in range(start, stop, 1 << 24):
                end = min(part + (1 << 24), stop)
                lower, upper = (self.machine.get(bounds, part, end) for bounds in (self.lower, self.upper))
                apart = upper.astype(np.int64) - lower
                gap = max(gap, int(apart.max()))
                differ += int((apart > self.precision * ONE).sum())
                count += end - part
                if self.index.ends:
                    self.machine.put(self.values, part, _middle(lower, upper))
        return Proof(block.name, count, sweeps, gap / ONE, differ)


def halved(sweeps: int) -> bool:
    """Whether values go only half of their way after so many sweeps; by number, so that a solution that was broken off
    goes on in the same way."""
    return sweeps >= SWINGING or sweeps % CALMING == CALMING - 1


def _middle(lower: Array, upper: Array) -> Array:
    return ((lower.astype(np.int64) + upper) // 2).astype(np.uint32)


def start_value(values: Any, machine: Machine, rank: int) -> float:
    """The value of one position."""
    return float(machine.get(values, rank, rank + 1)[0]) / ONE
