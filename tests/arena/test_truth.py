"""Bots measured by exact values (`benchmarks.truth`): what their figures are made of, and when games end."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import msgspec
import pytest

import astragal
from astragal.solve.job import Job
from benchmarks import truth
from benchmarks.truth import Told

UR = astragal.game("ur")


def told(*losses: float, gained: float = 0.0) -> Told:
    return Told(gained, losses, (), 0.1)


def test_wins_are_half_and_what_was_gained_without_luck() -> None:
    games = [told(0.1, gained=-0.1), told(0.15, 0.05, gained=-0.2), told(0.3, gained=-0.3), told(0.4, gained=-0.4)]
    report = truth.reported("some", games)
    assert (report.games, report.decisions) == (4, 5)
    assert report.wins == pytest.approx(0.25)
    assert report.margin == pytest.approx(1.96 * 0.12909944 / 2)
    assert report.lost_a_decision == pytest.approx(0.2)
    assert report.errors == 1


@pytest.mark.parametrize(("number", "late"), [(0, False), (1, False), (2, True), (7, True)])
def test_no_game_begins_after_the_time_but_the_first_two(number: int, late: bool, tmp_path: Path) -> None:
    made = Job(UR, UR.rules.options_type(pieces=2), tmp_path).run()
    contest = truth.Contest("ur", dict(made.header.options), str(made.file), "random", until=0.0)
    game = truth.played(contest, number)
    assert (game is None) == late
    if game is not None:
        same = truth.played(msgspec.structs.replace(contest, until=None), number)
        assert same is not None
        assert game.losses == same.losses, "it was not played to its end"


def test_a_bot_is_measured_for_some_seconds(tmp_path: Path, capsys: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    made = Job(UR, UR.rules.options_type(pieces=2), tmp_path).run()
    words = ["--table", str(made.file), "--bots", "random", "--games", "4000", "--seconds", "1", "--processes", "1"]
    monkeypatch.setattr("sys.argv", ["truth", "ur", *words])
    truth.main()
    row = capsys.readouterr().out.splitlines()[-1]
    assert row.startswith("| random | ")
    assert truth.FEWEST <= int(row.split("|")[2]) < 4000
