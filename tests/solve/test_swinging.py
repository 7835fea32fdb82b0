"""Values that swing for ever under whole sweeps, and settle under halved ones.

Three positions hand the turn round in a circle, so that a guess that is a little too high at one of them comes back as
one that is too low. What pushes it is a fourth position, which looks good for a few sweeps before it is seen to be bad.
"""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from astragal.core.compiled import kernel
from astragal.core.fast import Array
from astragal.core.solvable import Block, Index, IndexKernels, Thumbs, Waves
from astragal.solve import iterate
from astragal.solve.iterate import Solution
from astragal.solve.kernels_sweep import ONE
from astragal.solve.machine import Cores, Machine

ROOT = Path(__file__).parents[2]
SOON = 20  # sweeps after which values are taken to swing, instead of hundreds
NEVER = 1_000_000
PRECISION = 1e-6

FIRST, SECOND, THIRD, TEMPTING, AFTER, *_, SURE = range(9)
WON, AGAIN, THEIRS = range(3)  # what an action leads to: a win, another throw, or a throw of the other side
THROWS, ACTIONS = 4, 2

LEADS = {  # by position what each throw allows; one entry stands for all four throws
    FIRST: [[(THEIRS, SECOND), (AGAIN, TEMPTING)]],
    SECOND: [[(THEIRS, THIRD)]],
    THIRD: [[(THEIRS, FIRST)]],
    TEMPTING: [[(THEIRS, AFTER)]],
    AFTER: [[(THEIRS, SURE)], [(AGAIN, 5)], [(AGAIN, 5)], [(AGAIN, 5)]],
    5: [[(AGAIN, 6)]],
    6: [[(AGAIN, 7)]],
    7: [[(AGAIN, SURE)]],
    SURE: [[(WON, 0)]],
}
VALUES = {FIRST: 1 / 2, SECOND: 1 / 2, THIRD: 1 / 2, TEMPTING: 1 / 4, AFTER: 3 / 4, SURE: 1.0}


@kernel
def rank(state: Array, tables: Array, index: Any) -> int:
    return int(state[0])


@kernel
def unrank(rank: int, tables: Array, index: Any, state: Array) -> None:
    state[0] = rank


@kernel
def visit(code: int, k: int, index: Any) -> Any:
    return code + k, code + k, 0


@kernel
def backup(
    code: int, mine: int, theirs: int, index: Any, values: Array, other: Array, won: int, add: int, sign: int
) -> Any:  # fmt: skip
    (leads,) = index
    total = 0
    for throw in range(leads.shape[1]):
        best = -1
        for action in range(leads.shape[2]):
            kind, target = leads[mine, throw, action, 0], leads[mine, throw, action, 1]
            worth = won if kind == WON else int(values[target]) if kind == AGAIN else add + sign * int(other[target])
            best = max(best, worth)
        total += best
    return total


class Circle(Index):
    """These positions, as one block in one wave."""

    owner = "circle"
    kernels = IndexKernels(rank, unrank, visit, backup)
    ends = False
    thumbs = Thumbs((), lambda *_: 0, 0)
    total = THROWS
    size = len(LEADS)
    blocks = (Block("all", ((0, size),)),)

    @property
    def arrays(self) -> tuple[Any, ...]:
        leads = np.zeros((self.size, THROWS, ACTIONS, 2), dtype=np.int64)
        for position, throws in LEADS.items():
            for throw in range(THROWS):
                actions = throws[throw % len(throws)]
                for action in range(ACTIONS):
                    leads[position, throw, action] = actions[action % len(actions)]
        return (leads,)

    def mover(self, packed: Array) -> int:
        return 0

    def waves(self, block: Block) -> Waves:
        return Waves(np.array([0]), np.array([self.size]), np.array([1]))


def settled(machine: type[Machine] = Cores) -> tuple[list[float], Solution]:
    """The changes of all sweeps, and the solution."""
    index = Circle()
    changes: list[float] = []
    solution = Solution(index, machine(index), PRECISION, lambda now: changes.append(now.change), bounds=False)
    list(solution.run())
    return changes, solution


def test_values_that_swing_settle_where_each_follows_from_the_others(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(iterate, "SWINGING", SOON)
    monkeypatch.setattr(iterate, "CALMING", NEVER)
    changes, solution = settled()
    assert set(changes[10:SOON]) == {0.25}  # they swing, and would for ever
    assert len(changes) > SOON
    assert changes[-1] <= PRECISION < changes[-2]
    for position, value in VALUES.items():
        assert solution.values[position] / ONE == pytest.approx(value, abs=10 * PRECISION), position


def test_one_halved_sweep_of_some_calms_values_that_swing(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(iterate, "SWINGING", NEVER)
    monkeypatch.setattr(iterate, "CALMING", 4)
    changes, solution = settled()
    assert len(changes) < 400
    for position, value in VALUES.items():
        assert solution.values[position] / ONE == pytest.approx(value, abs=10 * PRECISION), position


def test_halved_sweeps_go_on_after_a_kill_as_if_nothing_had_been(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(iterate, "SWINGING", SOON)
    whole, index = settled()[1], Circle()
    kept: dict[int, Array] = {}
    first = Solution(index, Cores(index), PRECISION, bounds=False)
    first.after_sweep = lambda sweeps: kept.update({sweeps: first.values.copy()})
    list(first.run())
    for sweeps in (10, iterate.CALMING - 1, SOON - 1, SOON, SOON + 5):
        again = Solution(index, Cores(index), PRECISION, bounds=False)
        again.machine.put(again.values, 0, kept[sweeps])
        again.begun = sweeps
        list(again.run())
        assert again.values.tolist() == whole.values.tolist()


def test_a_graphics_card_halves_its_sweeps_too(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(iterate, "SWINGING", SOON)
    script = (
        "from astragal.solve import iterate\n"
        "from astragal.solve.gpu import Gpu\n"
        "from tests.solve.test_swinging import SOON, settled\n"
        "iterate.SWINGING = SOON\n"
        "print(settled(Gpu)[1].values.copy_to_host().tolist())\n"
    )
    env = {**os.environ, "NUMBA_ENABLE_CUDASIM": "1"}
    done = subprocess.run([sys.executable, "-c", script], cwd=ROOT, env=env, capture_output=True, text=True, check=True)
    assert done.stdout.strip() == str(settled()[1].values.tolist())
