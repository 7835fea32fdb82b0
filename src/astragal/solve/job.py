"""Making a table, from nothing or from where it was broken off, to the finished file.

What is worked out is kept beside the table in a folder with the ending `.solving`: the bounds of all finished blocks
but the last, and a note which blocks these are, written after them. A kill at any moment costs the block it was in,
nothing else. Where all positions are one block, the values themselves are kept too, every few minutes.
"""

from __future__ import annotations

import os
import shutil
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import msgspec
import numpy as np
from msgspec import Struct

from astragal.core.fast import Array
from astragal.core.rules import Game
from astragal.core.solvable import Block, Index
from astragal.solve import table
from astragal.solve.audit import rounding_loss
from astragal.solve.iterate import Proof, Solution, Tell
from astragal.solve.kernels_sweep import ONE
from astragal.solve.machine import PART, Cores, Machine
from astragal.solve.positions import Positions, index_of
from astragal.solve.table import Bits, Table, TableHeader

NOTE, VALUES = "done.json", "values"
EVERY = 300.0  # seconds after which the values of a long block are kept
PRECISION = 1e-6
ROUGH = 4e-5  # for games that need not end, which take many more sweeps


class _Note(Struct, frozen=True, kw_only=True):
    """Which blocks are finished, and under which settings."""

    precision: float
    positions: int
    proofs: list[Proof]


class Needs(Struct, frozen=True):
    """What a solution takes, in bytes."""

    memory: int
    disk: int


def usual_precision(index: Index) -> float:
    """The precision for somebody who names none."""
    return PRECISION if index.ends else ROUGH


def needs(index: Index, bits: Bits, *, bounds: bool = True) -> Needs:
    """What a solution takes at the most: in memory three values a position with bounds or one without, or twice as many
    if arrays keep each twice; on disk the table, and two values for each position of all blocks but the last, or two
    copies of the values, the last and the one that is being written, if there is but one block."""
    waves = 16 * max(stop - start for block in index.blocks for start, stop in block.spans)
    kept = index.size - sum(stop - start for start, stop in index.blocks[-1].spans)
    arrays = 3 if bounds or index.ends else 1
    values = 4 * index.size * (2 if index.twice else 1)
    copies = 2 * values if len(index.blocks) == 1 else 2 * 4 * kept
    return Needs(arrays * values + waves, copies + index.size * bits // 8)


class Job:
    """One table to be made. Where every game ends, bounds are always worked out."""

    def __init__(
        self,
        game: Game,
        options: Any,
        folder: Path,
        *,
        precision: float | None = None,
        bits: Bits = 16,
        bounds: bool = False,
    ) -> None:
        self.game, self.options, self.bits, self.bounds = game, options, bits, bounds
        self.index = index_of(game, options)
        self.precision = precision or usual_precision(self.index)
        self.file = folder / table.name_of(game, options)
        self._kept = self.file.with_suffix(".solving")
        self.proofs: list[Proof] = []  # of all blocks, once it has run
        self.seconds = 0.0  # of its sweeps, once it has run

    def begun(self) -> int:
        """How many blocks are finished already."""
        return len(self._note().proofs)

    def run(self, tell: Tell = lambda _: None, machine: Machine | None = None) -> Table:
        """Makes the table; goes on where an earlier run with the same precision was broken off."""
        chosen = machine or Cores(self.index)
        try:
            solution = Solution(self.index, chosen, self.precision, tell, bounds=self.bounds)
            lower, upper = self._open()
            done = self._note().proofs
            solution.restore(done, self._parts(self.index.blocks[: len(done)], lower, upper))
            if len(self.index.blocks) == 1:
                self._restore_values(solution)
                solution.after_sweep = _Keeper(solution, self._kept / VALUES)
            for _ in solution.run():
                if len(solution.proofs) == len(self.index.blocks):
                    break  # after the last block comes the table itself
                self._keep(self.index.blocks[len(solution.proofs) - 1], solution, lower, upper)
                self._write_note(solution.proofs)
            self._write(solution)
            self.proofs, self.seconds = solution.proofs, solution.seconds
        finally:
            chosen.close()
        shutil.rmtree(self._kept)
        return Table(self.file)

    def _note(self) -> _Note:
        fresh = _Note(precision=self.precision, positions=self.index.size, proofs=[])
        try:
            note = msgspec.json.decode((self._kept / NOTE).read_bytes(), type=_Note)
        except (OSError, msgspec.MsgspecError):
            return fresh
        return note if (note.precision, note.positions) == (self.precision, self.index.size) else fresh

    def _write_note(self, proofs: list[Proof]) -> None:
        unfinished = self._kept / "done.writing"
        note = _Note(precision=self.precision, positions=self.index.size, proofs=proofs)
        with unfinished.open("wb") as opened:
            opened.write(msgspec.json.encode(note))
            opened.flush()
            os.fsync(opened.fileno())
        unfinished.replace(self._kept / NOTE)

    def _open(self) -> tuple[Any, Any]:
        """The files of the bounds, as arrays in them."""
        self._kept.mkdir(parents=True, exist_ok=True)
        made = []
        for name in ("lower", "upper"):
            file = self._kept / name
            whole = file.exists() and file.stat().st_size == 4 * self.index.size
            made.append(np.memmap(file, dtype="<u4", mode="r+" if whole else "w+", shape=(self.index.size,)))
        return made[0], made[1]

    def _parts(self, blocks: tuple[Block, ...], lower: Any, upper: Any) -> Iterator[tuple[int, Array, Array]]:
        for start, stop in _spans(blocks):
            yield start, np.asarray(lower[start:stop]), np.asarray(upper[start:stop])

    def _restore_values(self, solution: Solution) -> None:
        """Goes on with values that were kept in the middle of a block, whatever precision they were meant for."""
        file = self._kept / VALUES
        length = solution.machine.length
        if file.exists() and file.stat().st_size == 8 + 4 * length:
            kept = np.memmap(file, dtype="<u4", mode="r", offset=8)
            for start in range(0, length, PART):
                solution.machine.put(solution.values, start, np.asarray(kept[start : start + PART]))
            solution.begun = int(np.fromfile(file, dtype="<u8", count=1)[0])

    def _keep(self, block: Block, solution: Solution, lower: Any, upper: Any) -> None:
        for start, stop in _spans((block,)):
            lower[start:stop] = solution.machine.get(solution.lower, start, stop)
            upper[start:stop] = solution.machine.get(solution.upper, start, stop)
        lower.flush()
        upper.flush()

    def _write(self, solution: Solution) -> None:
        machine, size = solution.machine, self.index.size
        positions = Positions(self.game, self.options, self.index)
        first = positions.rank(positions.first)

        def exact(rank: int) -> float:
            return float(machine.get(solution.values, rank, rank + 1)[0]) / ONE

        loss = rounding_loss(positions, exact, self.bits)
        parts = (machine.get(solution.values, start, min(start + PART, size)) for start in range(0, size, PART))

        def header(checksum: str) -> TableHeader:
            return TableHeader(
                game=self.game.id,
                version=self.game.rules.spec.version,
                options=table.solved_options(self.options),
                positions=size,
                bits=self.bits,
                precision=max(self.precision, *(proof.gap for proof in solution.proofs))
                if self.index.ends
                else self.precision,
                convention="ends" if self.index.ends else "half",
                value=exact(first),
                bounds=self._first_bounds(solution, first),
                sweeps=sum(proof.positions * proof.sweeps for proof in solution.proofs) / size,
                loss=loss,
                checksum=checksum,
            )

        table.write(self.file, header, parts, self.bits)

    def _first_bounds(self, solution: Solution, first: int) -> tuple[float, float] | None:
        """Between which the value of the first position lies for certain, if that was worked out."""
        if not solution.bounds:
            return None
        low, high = (solution.machine.get(bound, first, first + 1)[0] for bound in (solution.lower, solution.upper))
        return float(low) / ONE, float(high) / ONE


class _Keeper:
    """Keeps the values of a block every few minutes: how many sweeps they have behind them, then all of the array."""

    def __init__(self, solution: Solution, file: Path) -> None:
        self._solution, self._file, self._next = solution, file, time.monotonic() + EVERY

    def __call__(self, sweeps: int) -> None:
        if time.monotonic() < self._next:
            return
        machine, unfinished = self._solution.machine, self._file.with_suffix(".writing")
        with unfinished.open("wb") as opened:
            opened.write(sweeps.to_bytes(8, "little"))
            for start in range(0, machine.length, PART):
                opened.write(machine.get(self._solution.values, start, min(start + PART, machine.length)).tobytes())
            opened.flush()
            os.fsync(opened.fileno())
        unfinished.replace(self._file)
        self._next = time.monotonic() + EVERY


def _spans(blocks: tuple[Block, ...]) -> Iterator[tuple[int, int]]:
    """The ranks of some blocks in parts of a handy size."""
    for block in blocks:
        for start, stop in block.spans:
            for part in range(start, stop, PART):
                yield part, min(part + PART, stop)
