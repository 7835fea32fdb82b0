"""Servers and commands on a machine whose time can be set.

A file says by how many milliseconds the system's time is wrong. It is read again and again, so that a test can set the
time while the server runs. A real server in a real process; only what the system says about the date is not true.
"""

from __future__ import annotations

from pathlib import Path

from tests.cradle import run
from tests.server.running import Server

HOUR = 3_600_000
DAY = 24 * HOUR


class Shifted(Server):
    """`astragal serve` on such a machine."""

    def __init__(self, database: Path, *words: str) -> None:
        super().__init__(database, *words)
        self.offset = database.with_name("offset")
        self.set_time(0)

    def set_time(self, offset_ms: int) -> None:
        """So far from the true time, from now on."""
        assert self.offset is not None
        other = self.offset.with_name("offset.new")
        other.write_text(str(offset_ms))
        other.replace(self.offset)

    def order(self, *words: str) -> str:
        """What `astragal admin` says on this machine."""
        done = run(["admin", *words, "--database", self.database], offset=self.offset)
        assert done.returncode == 0, done.stderr
        return done.stdout
