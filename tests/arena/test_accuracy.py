"""Levels measured by a judge (`benchmarks.accuracy`): what their figures are made of."""

from __future__ import annotations

from pathlib import Path

import pytest

from benchmarks import accuracy
from benchmarks.accuracy import Told


@pytest.mark.parametrize("id", ["ur", "nile"])
def test_matches_of_a_level_are_told(id: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("ASTRAGAL_TABLES", str(tmp_path))
    told = accuracy.measured(id, "casual", games=4, decisions=8)
    assert len(told.shares) == 4
    assert all(0 <= share <= 1 for share in told.shares)
    assert len(told.losses) == 8
    assert all(-0.5 < loss < 1 for loss in told.losses)
    assert told.decisions >= len(told.said) > 60
    assert all(0 < said < 1 and came in told.shares for said, came in told.said)
    assert told.seconds > 0


def test_a_row_says_what_was_lost_and_what_came_of_what_was_said() -> None:
    said = [(0.45, 1.0), (0.41, 0.0)] * accuracy.FEWEST_SAID
    told = Told([1.0, 0.0, 0.0, 0.0], [0.0, 0.01, 0.03, 0.0], said, seconds=2.0, decisions=1000)
    cells = [cell.strip() for cell in accuracy.row("nile", "casual", told).split("|")[1:-1]]
    assert cells[:3] == ["nile", "casual", "4"]
    assert cells[3].startswith("25.0 ± ")
    assert cells[4].startswith("1.000 ± ")
    assert cells[5:] == ["25 %", "43→50", "2.0"]
