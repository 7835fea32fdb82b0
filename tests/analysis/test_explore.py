"""The explorer: values of all moves for all throws, exact where there is a table."""

from __future__ import annotations

from pathlib import Path

import pytest

import astragal
from astragal.analysis.explore import explore
from astragal.analysis.explored import NotExplorable
from astragal.core.types import OVER
from astragal.games.ur.options import Options
from astragal.solve.job import Job
from astragal.solve.positions import Positions
from astragal.solve.table import Table

UR = astragal.game("ur")
TWO = Options(pieces=2, begins=0)
ROUNDING = 1 / 65535


@pytest.fixture(scope="module")
def table(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return Job(UR, Options(pieces=2), tmp_path_factory.mktemp("tables")).run().file


def test_with_a_table_the_value_of_a_position_is_the_mean_of_its_best_moves(
    table: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("ASTRAGAL_TABLES", str(table.parent))
    opened, positions = Table(table), Positions(UR, TWO)
    for text in ("2:-:0 2:-:0 light throw", "1:a1:0 0:b4:1 dark throw", "0:b5,b8:0 1:c2:0 light throw"):
        state = UR.rules.from_position(text, TWO, 2)
        told = explore(UR, state)
        assert (told.judge.source, told.judge.exact) == ("table", True)
        assert (told.position, told.seat) == (text, state.seat)
        exact = opened.value(positions.rank(positions.fast.pack(state)))
        assert told.value == pytest.approx(exact, abs=2 * ROUNDING)
        assert [throw.outcome for throw in told.throws] == [f"throw-{n}" for n in range(5)]
        for throw in told.throws:
            values = [action.value for action in throw.actions]
            assert values == sorted(values, reverse=True)
            thrown = UR.rules.from_position(throw.position, TWO, 2)
            assert {action.action for action in throw.actions} == set(map(str, UR.rules.legal(thrown)))
            for action in throw.actions:
                after = UR.rules.from_position(action.position, TWO, 2)
                assert action.value == pytest.approx(
                    positions.worth(positions.fast.pack(after), state.seat, opened.value), abs=ROUNDING
                )


def test_a_position_with_its_throw_has_only_that(table: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("ASTRAGAL_TABLES", str(table.parent))
    told = explore(UR, UR.rules.from_position("1:a1:0 0:b4:1 light 2", TWO, 2))
    assert [throw.outcome for throw in told.throws] == [""]
    assert told.value == told.throws[0].actions[0].value


def test_without_a_table_a_search_judges_and_says_so(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("ASTRAGAL_TABLES", str(tmp_path))
    for game in ("ur", "ur-modern"):
        found = astragal.game(game)
        options = found.rules.options_type(begins=0)
        told = explore(found, found.rules.initial(options, 2))
        assert not told.judge.exact
        assert told.judge.trust.to("de") != told.judge.trust.to("en")
        assert 0.3 < told.value < 0.7


def test_what_cannot_be_weighed_is_refused_or_told() -> None:
    over = explore(UR, UR.rules.from_position("0:-:2 1:c2:0 over", TWO, 2))
    assert (over.seat, over.throws, over.value) == (OVER, (), 1)
    with pytest.raises(NotExplorable, match="who begins"):
        explore(UR, UR.rules.initial(Options(pieces=2), 2))
    nile = astragal.game("nile")
    with pytest.raises(NotExplorable, match="nile"):
        explore(nile, nile.rules.initial(nile.rules.options_type(), 2))
