"""The game of `examples/`, installed into an environment of its own as a user would, and run from there."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import sysconfig
import venv
from pathlib import Path
from typing import Any

from tests.server.running import Server

ROOT = Path(__file__).parent.parent
EXAMPLE = ROOT / "examples" / "goats"


class Environment:
    """A fresh virtual environment that sees the packages of this one and has others besides: an example, wheels."""

    def __init__(self, folder: Path, *packages: Path) -> None:
        venv.create(folder, with_pip=False, symlinks=True)
        self.python = str(folder / "bin" / "python")
        site = next((folder / "lib").glob("python*/site-packages"))
        (site / "parent.pth").write_text(f"import site; site.addsitedir({sysconfig.get_path('purelib')!r})\n")
        install = ["-m", "pip", "--python", self.python, "install", "--quiet", "--no-deps", "--no-build-isolation"]
        subprocess.run(
            [sys.executable, *install, "--no-index", *map(str, packages or [EXAMPLE])], check=True, timeout=240
        )

    def run(self, *words: str, typed: str = "", **env: str) -> str:
        """What a command of this environment says; it must succeed."""
        done = subprocess.run(
            [self.python, *words],
            input=typed,
            env={**os.environ, "PYTHONUTF8": "1", "COLUMNS": "80", **env},
            capture_output=True,
            encoding="utf-8",
            timeout=240,
            check=False,
        )
        assert done.returncode == 0, done.stdout[-2000:] + done.stderr[-4000:]
        return done.stdout

    def astragal(self, *words: str, typed: str = "", **env: str) -> str:
        """The same for a command `astragal`."""
        return self.run("-m", "astragal", *words, typed=typed, **env)

    def json(self, *words: str) -> Any:
        """What a command `astragal` says with --json."""
        return json.loads(self.astragal(*words, "--json"))


class ExampleServer(Server):
    """`astragal serve` of that environment."""

    def __init__(self, environment: Environment, database: Path) -> None:
        super().__init__(database)
        self.environment = environment

    def begin(self, words: list[str]) -> subprocess.Popen[bytes]:
        return subprocess.Popen(
            [self.environment.python, "-m", "astragal", *words],
            stdout=subprocess.DEVNULL,
            stderr=self.log,
            env={**os.environ, "PYTHONUTF8": "1"},
        )
