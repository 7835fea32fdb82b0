"""Loads everything once and forks servers, so that they start quickly and can be killed often.

What is forked is the command `astragal` itself. Run as a program this reads a line of JSON for each server, its log
file and its words, and answers with its process id.
"""

from __future__ import annotations

import asyncio
import json
import os
import signal
import subprocess
import sys
import tempfile
from pathlib import Path

from astragal import cli
from astragal.server import app, serving
from astragal.server.settings import Settings
from tests.server.running import PATIENCE, Child, Server


class Cradle:
    """The process that forks."""

    def __enter__(self) -> Cradle:
        self._process = subprocess.Popen(
            [sys.executable, "-m", "tests.server.cradle"], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
        )
        return self

    def __exit__(self, *_: object) -> None:
        self._process.communicate(timeout=PATIENCE)

    def fork(self, log: str, words: list[str]) -> Child:
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        self._process.stdin.write(json.dumps([log, words]) + "\n")
        self._process.stdin.flush()
        return Child(int(self._process.stdout.readline()))


class Forked(Server):
    """A server from the cradle."""

    def __init__(self, cradle: Cradle, database: Path | str, *words: str) -> None:
        super().__init__(database, *words)
        self._cradle = cradle

    def begin(self, words: list[str]) -> Child:
        return self._cradle.fork(self.log.name, words)


def load() -> None:
    """What every server does when it starts, as far as it only fills caches of its process."""
    app._warm()
    with tempfile.TemporaryDirectory() as folder:
        asyncio.run(serving._try_store(Settings(database=f"{folder}/first.db")))


def main() -> None:
    load()
    signal.signal(signal.SIGCHLD, signal.SIG_IGN)  # whoever ends is gone at once
    while line := sys.stdin.readline():
        child = os.fork()
        if not child:
            signal.signal(signal.SIGCHLD, signal.SIG_DFL)
            log, words = json.loads(line)
            said = os.open(log, os.O_WRONLY | os.O_APPEND)
            os.dup2(said, 1)
            os.dup2(said, 2)
            sys.stdin = Path(os.devnull).open()  # noqa: SIM115  the other one has been read from
            cli.main(words)
        print(child, flush=True)


if __name__ == "__main__":
    main()
