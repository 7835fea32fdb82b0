"""Tests that want something only root can install: `@pytest.mark.needs("chromium")`.

Where the program is missing the test is skipped and listed as NOT RUN at the end. With ASTRAGAL_RUN_ALL set, as
`.ci/run` does, a test that was not run fails the whole run.
"""

from __future__ import annotations

import os
import shutil
from pathlib import Path

import pytest

MISSING = pytest.StashKey[list[str]]()
WORD = "NOT RUN"


def where(program: str) -> str | None:
    """Where a program is. Debian keeps PostgreSQL's where no user looks, and nginx where only root does."""
    hidden = [str(folder) for folder in sorted(Path("/usr/lib/postgresql").glob("*/bin"))[-1:]]
    return shutil.which(program, path=os.pathsep.join([os.environ.get("PATH", ""), *hidden, "/usr/sbin"]))


def pytest_runtest_setup(item: pytest.Item) -> None:
    for marker in item.iter_markers("needs"):
        for program in marker.args:
            if where(program) is None:
                pytest.skip(f"{WORD}: needs {program}")


@pytest.hookimpl(trylast=True)
def pytest_sessionfinish(session: pytest.Session) -> None:
    reporter = session.config.pluginmanager.get_plugin("terminalreporter")
    if reporter is None:  # a worker of xdist; the main process has the reports of all
        return
    skipped = reporter.stats.get("skipped", [])
    missing = [f"{report.nodeid}: {report.longrepr[2]}" for report in skipped if WORD in str(report.longrepr)]
    session.config.stash[MISSING] = missing
    if missing and os.environ.get("ASTRAGAL_RUN_ALL") and session.exitstatus == 0:
        session.exitstatus = pytest.ExitCode.TESTS_FAILED


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter, config: pytest.Config) -> None:
    missing = config.stash.get(MISSING, [])
    if missing:
        terminalreporter.section(WORD)
        for line in missing:
            terminalreporter.line(line)
