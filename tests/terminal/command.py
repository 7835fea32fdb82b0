"""Runs the real command in a process of its own, as a user would."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

from tests import cradle

ASTRAGAL = [sys.executable, "-m", "astragal"]


def astragal(
    *words: str, typed: str = "", home: Path | None = None, seconds: float = cradle.PATIENCE, **env: str
) -> subprocess.CompletedProcess[str]:
    """One run with its input and output in files."""
    surroundings = {**os.environ, "PYTHONUTF8": "1", "COLUMNS": "80", **env}
    if home is not None:
        surroundings["XDG_DATA_HOME"] = str(home)
    if any(name.startswith("PYTHON") for name in env):  # read when Python starts, so a fork would not hear of it
        return subprocess.run(
            [*ASTRAGAL, *words],
            input=typed,
            capture_output=True,
            encoding="utf-8",
            env=surroundings,
            timeout=seconds,
            check=False,
        )
    return cradle.run([*words], typed, env=surroundings, seconds=seconds)
