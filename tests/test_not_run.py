"""Tests that could not be run are named, and CI does not let them pass."""

from __future__ import annotations

from pathlib import Path

import pytest

FILE = """
import pytest
@pytest.mark.needs("surely-no-such-program")
def test_one(): pass
def test_two(): pass
"""


@pytest.mark.parametrize(("strict", "code"), [(False, 0), (True, 1)])
def test_a_missing_program_is_listed_and_fails_only_in_ci(
    pytester: pytest.Pytester, monkeypatch: pytest.MonkeyPatch, strict: bool, code: int
) -> None:
    monkeypatch.delenv("ASTRAGAL_RUN_ALL", raising=False)
    monkeypatch.setenv("PYTHONPATH", str(Path(__file__).parent.parent))
    if strict:
        monkeypatch.setenv("ASTRAGAL_RUN_ALL", "1")
    pytester.makepyfile(FILE)
    pytester.makeini("[pytest]\nmarkers = needs(what): x")
    result = pytester.runpytest_subprocess("-p", "tests.not_run", "-p", "no:xdist")
    assert result.ret == code
    result.stdout.fnmatch_lines(["*NOT RUN*", "*test_one*needs surely-no-such-program*"])
