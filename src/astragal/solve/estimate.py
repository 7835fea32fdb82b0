"""What making a table takes: memory, disk and time, said before it begins; and how far it is while it goes on."""

from __future__ import annotations

import os
import shutil
import time
from math import log
from pathlib import Path

from msgspec import Struct

from astragal.core.language import Text, say
from astragal.core.solvable import Index
from astragal.solve.iterate import Progress
from astragal.solve.job import needs
from astragal.solve.table import Bits

MB = 1_000_000
BOUNDS = 4  # times as long, where games need not end


class Estimate(Struct, frozen=True):
    """What a solution takes."""

    positions: int
    table: int  # bytes
    memory: int  # bytes
    disk: int  # bytes, while it is made
    seconds: float


def estimate(index: Index, bits: Bits, *, bounds: bool = False) -> Estimate:
    """By the number of positions, on this computer's cores."""
    wanted = needs(index, bits, bounds=bounds)
    seconds = 2 + index.size * index.effort * 1e-6 / (os.cpu_count() or 1) * (
        BOUNDS if bounds and not index.ends else 1
    )
    return Estimate(index.size, index.size * bits // 8, wanted.memory, wanted.disk, seconds)


def refusal(wanted: Estimate, folder: Path) -> Text | None:
    """Why a solution cannot be made here: not enough disk or memory."""
    while not folder.exists():
        folder = folder.parent
    free = shutil.disk_usage(folder).free
    if free < wanted.disk:
        return say("only {free} MB are free in {folder}", free=free // MB, folder=str(folder))
    there = memory()
    if there is not None and there < wanted.memory:
        return say("this computer has only {free} MB of memory", free=there // MB)
    return None


def memory() -> int | None:
    """How much memory this computer has, where it says so."""
    try:
        return os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES")
    except (AttributeError, ValueError, OSError):
        return None


class Meter:
    """How much of a solution is done, and how long the rest will take. It never goes backwards."""

    def __init__(self, index: Index, precision: float, begun: int = 0, *, bounds: bool = False) -> None:
        sizes = [sum(stop - start for start, stop in block.spans) for block in index.blocks]
        self._before = [sum(sizes[:number]) / index.size for number in range(len(sizes))] + [1.0]
        self._precision = precision
        self._proofs = bounds or index.ends
        self._start = self.share = self._before[begun]
        self._since = time.monotonic()

    def update(self, progress: Progress) -> None:
        """Takes in what is reported after a sweep. Changes become smaller by about the same factor every time."""
        settled = min(1.0, log(min(1.0, max(progress.change, 1e-12))) / log(self._precision))
        within = (settled + progress.proving) / 2 if self._proofs else settled
        low, high = self._before[progress.number - 1], self._before[progress.number]
        self.share = max(self.share, low + (high - low) * min(within, 0.99))

    def seconds_left(self) -> float | None:
        """None while too little is done to tell."""
        done = self.share - self._start
        if done < 0.005:
            return None
        return (time.monotonic() - self._since) * (1 - self.share) / done
