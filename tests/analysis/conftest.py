"""A table of exact values for reviews: the Royal Game of Ur with two pieces, solved in seconds."""

from __future__ import annotations

from pathlib import Path

import pytest

from astragal.solve.job import Job
from tests.analysis.matches import TWO, UR


@pytest.fixture(scope="session")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    made = tmp_path_factory.mktemp("tables")
    Job(UR, TWO, made).run()
    return made


@pytest.fixture(autouse=True)
def _tables(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("ASTRAGAL_TABLES", str(folder))
