"""How quickly positions are worked out, beside what the memory of the same machine can do.

    .venv/bin/python -m benchmarks.solving --game ur --pieces 4
    .venv/bin/python -m benchmarks.solving --game ur-modern --set layout=royal --pieces 4 --device cuda --seconds 300

It sweeps from one half on, as `astragal solve` does, until no value changes by more than --until or --seconds are over,
and tells the time of a sweep, the value of the first position, and how many values were read a second: for every throw
one for each action. Beside that stands how many values the machine reads a second at random places of an array as
large, all cores together. It runs where the package is not installed, if its modules, NumPy and Numba can be imported.
"""

from __future__ import annotations

import argparse
import json
import os
import time
from concurrent.futures import ThreadPoolExecutor
from random import Random
from statistics import fmean
from typing import Any

import numba
import numpy as np

from astragal.core.types import OVER
from astragal.solve.iterate import halved, start_value
from astragal.solve.kernels_sweep import HALF, ONE
from astragal.solve.machine import machine_for
from astragal.solve.positions import Positions
from tools.solutions import add_options, chosen, game_of

READS = 1 << 24  # of a core, at random places
SAMPLE = 500  # positions whose actions are counted


def random_reads(values: Any, cores: int) -> float:
    """Values read a second at random places by all cores together."""

    @numba.njit(nogil=True)
    def read(values: Any, count: int, seed: int) -> int:
        place, total = np.uint64(seed), 0
        for _ in range(count):
            place = place * np.uint64(6364136223846793005) + np.uint64(1442695040888963407)
            total += values[(place >> np.uint64(32)) * np.uint64(len(values)) >> np.uint64(32)]
        return total

    read(values, 1, 1)
    with ThreadPoolExecutor(cores) as pool:
        began = time.perf_counter()
        list(pool.map(lambda seed: read(values, READS, seed), range(1, cores + 1)))
        return cores * READS / (time.perf_counter() - began)


def reads_of_a_position(positions: Positions) -> float:
    """How many actions a position has on average, over all throws."""
    fast, rng, counts = positions.fast, Random(1), []
    for _ in range(SAMPLE):
        state = positions.at(rng.randrange(positions.index.size))
        if fast.turn(state) != OVER:
            counts.append(sum(len(fast.legal(fast.step(state, outcome))) for outcome, _ in fast.chance(state)))
    return fmean(counts)


def main() -> None:
    """Prints the figures as JSON."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    add_options(parser)
    parser.add_argument("--until", type=float, default=4e-5, metavar="CHANGE")
    parser.add_argument("--seconds", type=float, default=60.0)
    wanted = parser.parse_args()
    game = game_of(wanted.game)
    positions = Positions(game, chosen(game, wanted))
    index = positions.index
    machine = machine_for(index, wanted.device)
    values = machine.array(HALF)
    worked, spent, sweeps, change = 0, 0.0, 0, 0.0
    for block in index.blocks:
        machine.load(index.waves(block))
        size = sum(stop - start for start, stop in block.spans)
        change = 1.0
        while change > wanted.until and spent < wanted.seconds:
            began = time.perf_counter()
            halfway = not index.ends and halved(sweeps)
            change = machine.sweep(values, values, values, index.total // 2, halfway=halfway).largest / ONE
            change *= 2 if halfway else 1
            if worked or sweeps:  # the first sweep compiles
                spent += time.perf_counter() - began
                worked += size
            sweeps += 1
    figures = {
        "positions": index.size,
        "sweeps": sweeps,
        "change": change,
        "seconds": spent,
        "first_player": start_value(values, machine, positions.rank(positions.first)),
        "positions_a_second": worked / spent,
        "reads_a_second": worked / spent * reads_of_a_position(positions),
    }
    if wanted.device == "cpu":
        figures["random_reads_a_second"] = random_reads(machine.get(values, 0, index.size), os.cpu_count() or 1)
        figures["share"] = figures["reads_a_second"] / figures["random_reads_a_second"]
    machine.close()
    print(json.dumps(figures, indent=2))


if __name__ == "__main__":
    main()
