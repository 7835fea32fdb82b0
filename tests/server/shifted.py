"""The command `astragal` in a process whose system has another time: so many milliseconds off, as a file says.

The file is read again and again, so that a test can set the time while the server runs. A real server in a real
process; only what the system says about the date is not true.
"""

from __future__ import annotations

import os
import subprocess
import sys
import time
from pathlib import Path

from tests.server.running import Server

HOUR = 3_600_000
DAY = 24 * HOUR


class Shifted(Server):
    """`astragal serve` on a machine whose time can be set."""

    def __init__(self, database: Path, *words: str) -> None:
        super().__init__(database, *words)
        self._file = database.with_name("offset")
        self.set_time(0)

    def set_time(self, offset_ms: int) -> None:
        """So far from the true time, from now on."""
        other = self._file.with_name("offset.new")
        other.write_text(str(offset_ms))
        other.replace(self._file)

    def order(self, *words: str) -> str:
        """What `astragal admin` says on this machine."""
        command = ["-m", "tests.server.shifted", str(self._file), "admin", *words, "--database", self.database]
        return subprocess.run([sys.executable, *command], check=True, capture_output=True, text=True).stdout

    def begin(self, words: list[str]) -> subprocess.Popen[bytes]:
        return subprocess.Popen(
            [sys.executable, "-m", "tests.server.shifted", str(self._file), *words],
            stdout=subprocess.DEVNULL,
            stderr=self.log,
            env={**os.environ, "PYTHONUTF8": "1"},
        )


def main() -> None:
    file, true_ns = Path(sys.argv[1]), time.time_ns

    def shifted_ns() -> int:
        return true_ns() + int(file.read_text()) * 1_000_000

    time.time_ns = shifted_ns
    time.time = lambda: shifted_ns() / 1e9
    from astragal import cli

    cli.main(sys.argv[2:])


if __name__ == "__main__":
    main()
