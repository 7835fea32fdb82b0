"""Regret by exact values, pictures for notebooks, and what an import brings."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path
from random import Random
from statistics import mean, stdev
from types import SimpleNamespace
from typing import Any

import pytest
from msgspec.structs import replace

import astragal
from astragal import research
from astragal.games.ur.options import Options
from astragal.research.batch import IllegalBatch
from astragal.research.exact import Judge, contested
from astragal.research.table import Table
from astragal.solve import shelf
from astragal.solve.job import Job
from astragal.solve.table import BadTable
from astragal.solve.table import Table as SolvedTable

UR = astragal.game("ur")
TWO = Options(pieces=2)


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    made = tmp_path_factory.mktemp("tables")
    Job(UR, TWO, made, precision=1e-6, bits=16).run()
    return made


@pytest.fixture(autouse=True)
def _tables(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("ASTRAGAL_TABLES", str(folder))


def test_a_perfect_policy_loses_nothing_and_others_do() -> None:
    perfect = research.regret("ur", "perfect", options=TWO, games=100)
    assert perfect.loss <= 2e-5
    assert perfect.best == 1
    assert 0.3 < perfect.wins < 0.7
    greedy, random = (research.regret("ur", name, options=TWO, games=100) for name in ("greedy", "random"))
    assert 0 < greedy.loss < random.loss < 0.3
    assert random.best < greedy.best < 1
    assert random.worst > 0.1
    assert perfect.decisions > 100


def test_a_policy_can_be_any_function() -> None:
    found = shelf.find(UR, TWO)
    assert found is not None
    judge = Judge(UR, TWO, found)

    def worst(table: Table) -> int:
        worth = judge.worth(table)
        return min(worth, key=lambda action: worth[action])

    told = research.regret(UR, worst, options=TWO, values=found, games=30)
    assert told.best < 0.2
    assert told.wins < 0.3


def test_perfect_play_draws_among_what_its_table_cannot_tell_apart() -> None:
    """Whoever always took the first of equals could wait for ever where games need not end."""
    found = shelf.find(UR, TWO)
    assert found is not None
    blurred = replace(found.header, convention="half", precision=0.05)
    drawn: list[tuple[list[int], int]] = []

    class Blurred(Judge):
        def best(self, worth: dict[int, float]) -> list[int]:
            equals = super().best(worth)
            assert all((max(worth.values()) - value <= 0.05) == (one in equals) for one, value in worth.items())
            drawn.append((equals, -1))
            return equals

    class Watched(Table):
        def act(self, action: int) -> None:
            if drawn and drawn[-1][1] < 0:
                drawn[-1] = drawn[-1][0], action
            super().act(action)

    judge = Blurred(UR, TWO, SimpleNamespace(header=blurred, value=found.value))  # type: ignore[arg-type]
    for number in range(40):
        board = Watched(UR, TWO)
        board.begin(Random(number))
        contested(board, judge, lambda board: board.legal()[0], number % 2)
    several = [equals.index(action) for equals, action in drawn if len(equals) > 1]
    assert 0.3 < sum(place == 0 for place in several) / len(several) < 0.7
    assert len(several) > 50


class Erring(Judge):
    """Weighs by values of which each errs a little, always by as much; but chooses by exact ones."""

    def __init__(self, exact: Judge, found: SolvedTable) -> None:
        def value(rank: int) -> float:
            return min(max(found.value(rank) + Random(rank).uniform(-0.03, 0.03), 0), 1)

        super().__init__(UR, TWO, SimpleNamespace(header=found.header, value=value))  # type: ignore[arg-type]
        self._exact = exact

    def worth(self, board: Table) -> dict[int, float]:
        self._board = board
        return super().worth(board)

    def best(self, worth: dict[int, float]) -> list[int]:
        return self._exact.best(self._exact.worth(self._board))


def test_what_dice_brought_is_taken_out_even_by_a_table_that_errs() -> None:
    """Losses add up the errors of such a table, and make perfect play against itself look like a bad bargain."""
    found = shelf.find(UR, TWO)
    assert found is not None
    exact = Judge(UR, TWO, found)
    erring = Erring(exact, found)
    lost, gained, wins = [], [], []
    for number in range(400):
        board = Table(UR, TWO)
        board.begin(Random(number))
        told = contested(board, erring, lambda board: exact.best(exact.worth(board))[0], number % 2)
        lost.append(sum(decision.loss for decision in told.decisions))
        gained.append(told.gained)
        wins.append(board.rewards()[number % 2])
    margin = 3 * stdev(gained) / len(gained) ** 0.5
    assert -margin < mean(gained) < margin < mean(lost)
    assert stdev(gained) < 0.3 * stdev(wins), "luck was not taken out"


def test_by_an_exact_table_what_was_gained_is_what_decisions_gave_away() -> None:
    found = shelf.find(UR, TWO)
    assert found is not None
    judge = Judge(UR, TWO, found)
    for number in range(40):
        board = Table(UR, TWO)
        board.begin(Random(number))
        told = contested(board, judge, lambda board: board.legal()[0], number % 2)
        assert told.gained == pytest.approx(-sum(decision.loss for decision in told.decisions), abs=2e-3)


@pytest.mark.parametrize("begins", ["lots", 0, 1])
def test_perfect_play_wins_half_whoever_begins(begins: Any) -> None:
    told = research.regret("ur", "perfect", options=Options(pieces=2, begins=begins), games=40)
    assert told.wins == pytest.approx(0.5, abs=1e-3)


@pytest.mark.parametrize("illegal", [-1, 3, 1000])
def test_what_is_not_legal_is_refused_or_loses(illegal: int) -> None:
    found = shelf.find(UR, TWO)
    assert found is not None
    judge = Judge(UR, TWO, found)
    board = Table(UR, TWO, on_illegal="forfeit")
    board.begin(Random(1))
    assert illegal not in board.legal()
    told = contested(board, judge, lambda _: illegal, 0)
    assert board.rewards() == (0, 1)
    assert told.gained == pytest.approx(-0.5, abs=0.1)
    strict = Table(UR, TWO)
    strict.begin(Random(1))
    with pytest.raises(IllegalBatch):
        contested(strict, judge, lambda _: illegal, 0)


def test_without_a_table_or_with_another_one_that_is_said() -> None:
    with pytest.raises(shelf.NoTable, match="make one with astragal solve"):
        research.regret("ur", "random", options=Options(pieces=1))
    with pytest.raises(BadTable, match="is for another pieces"):
        research.regret("ur", "random", options=Options(pieces=1), values=shelf.find(UR, TWO))


@pytest.mark.parametrize("id", ["ur", "ur-modern", "nile", "egar"])
def test_tables_and_views_show_themselves_in_notebooks(id: str) -> None:
    table = Table(id)
    for shown in (table, table.view(0)):
        assert shown._repr_svg_().startswith("<svg")  # type: ignore[union-attr]


def test_neither_the_package_nor_a_batch_in_the_making_brings_numba() -> None:
    code = "import astragal, sys; astragal.game('ur'); assert not {'numba', 'numpy'} & set(sys.modules)"
    subprocess.run([sys.executable, "-c", code], check=True)
    code = "import astragal.research, sys; assert 'numba' not in sys.modules"
    subprocess.run([sys.executable, "-c", code], check=True)


def test_types_are_there_for_others() -> None:
    assert (Path(astragal.__file__).parent / "py.typed").is_file()
