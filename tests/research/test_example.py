"""The example that learns, for a few seconds only: it gets better."""

from __future__ import annotations

import importlib.util
import sys
from pathlib import Path
from typing import Any

import pytest

FILE = Path(__file__).parents[2] / "examples" / "td_ur.py"


def example() -> Any:
    spec = importlib.util.spec_from_file_location("td_ur", FILE)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules["td_ur"] = module
    spec.loader.exec_module(module)
    return module


def test_it_learns() -> None:
    """By lessons, not by the clock, so that a busy machine learns as much."""
    module = example()
    school = module.School(1, 256, "cpu")
    before = module.share(school.net.w, "random", 20)
    for _ in range(40):
        school.lesson(1e-3)
    after = module.share(school.net.w, "random", 20)
    assert after > max(0.75, before)


def test_it_runs_as_a_program_and_is_short(capsys: pytest.CaptureFixture[str]) -> None:
    assert len(FILE.read_text("utf-8").splitlines()) < 120
    module = example()
    module.main(["--minutes", "0.01", "--against", "random", "--games", "2"])
    assert capsys.readouterr().out.count(" against random") == module.CONTESTS + 1
