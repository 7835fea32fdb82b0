"""Killed at any moment, again and again: every acknowledged action is there, and the players go on."""

from __future__ import annotations

import contextlib
import json
import os
import secrets
import signal
import sqlite3
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from random import Random
from typing import Any

import httpx
import pytest
from websockets.exceptions import WebSocketException

from astragal.core.record import Acted
from tests.server.running import PATIENCE, Player, Server
from tests.server.test_lasting import stored

BROKEN = (OSError, EOFError, WebSocketException, httpx.TransportError)


class Cradle:
    """Servers that start quickly, one after the other on the same store; see `cradle.py`."""

    def __init__(self, database: Path) -> None:
        self.server = Server(database)
        self._log = tempfile.TemporaryFile()  # noqa: SIM115
        self._loaded = subprocess.Popen(
            [sys.executable, "-m", "tests.server.cradle"],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=self._log,
            text=True,
        )

    def close(self) -> None:
        assert self._loaded.stdin is not None
        assert self._loaded.stdout is not None
        self._loaded.stdin.close()
        self._loaded.stdout.close()
        self._loaded.wait(PATIENCE)
        self._log.close()

    @contextlib.contextmanager
    def life(self, *, ready: bool = True) -> Iterator[int]:
        """From a server's start, or from when it is ready, to its end; its process id."""
        assert self._loaded.stdin is not None
        assert self._loaded.stdout is not None
        words = ["serve", "--port", str(self.server.port), "--database", self.server.database]
        self._loaded.stdin.write(json.dumps([*words, "--rate", "0", "--seat-rate", "0", "--sockets", "0"]) + "\n")
        self._loaded.stdin.flush()
        process = int(self._loaded.stdout.readline())
        try:
            until = time.monotonic() + PATIENCE
            while ready and not self._ready():
                assert time.monotonic() < until
                time.sleep(0.01)
            yield process
        finally:
            with contextlib.suppress(ProcessLookupError):
                os.kill(process, signal.SIGKILL)
            self._loaded.stdout.readline()  # it has ended

    def _ready(self) -> bool:
        try:
            return self.server.get("/ready").status_code == 200
        except httpx.TransportError:
            return False


class Table:
    """A match whose players go on after every crash, and everything they were told is done."""

    def __init__(self, server: Server, rng: Random) -> None:
        self._server, self._rng = server, rng
        self.done: dict[str, dict[int, str]] = {}  # of every match: what was acknowledged, by its number
        self.heard: dict[str, list[int]] = {}
        self._players: list[Player] = []
        self._waiting: tuple[Player, dict[str, Any]] | None = None  # what was sent, and not answered yet

    def play(self) -> None:
        """Until the server dies."""
        with contextlib.suppress(*BROKEN):
            for player in self._players:
                player.connect()
                player.hear()
            while True:
                if not self._players or self._players[0].table["status"] == "over":
                    self._players = self._server.table("ur", 2)
                    for player in self._players:
                        player.until_table(lambda table: table["status"] == "running")
                self._move()
        for player in self._players:
            with contextlib.suppress(*BROKEN):
                player.close()
            self.heard[player.match] = [event["n"] for event in player.events]

    def _move(self) -> None:
        if self._waiting is None:
            player = next(player for player in self._players if player.table["actions"])
            text = self._rng.choice(player.table["actions"])["text"]
            self._waiting = (
                player,
                {"type": "act", "ply": player.table["ply"], "text": text, "id": secrets.token_hex(4)},
            )
        player, command = self._waiting
        answer = player.do(**command)
        assert answer["type"] == "done", answer
        self.done.setdefault(player.match, {})[answer["n"]] = command["text"]
        self._waiting = None
        for player in self._players:
            player.until_table(lambda table: table["n"] >= answer["n"])


def kill(store: Path, times: int, seed: int) -> int:
    """Kills a busy server so many times; how many actions were acknowledged and found in the store."""
    rng, cradle = Random(seed), Cradle(store)
    tables = [Table(cradle.server, Random(rng.random())) for _ in range(3)]
    try:
        with ThreadPoolExecutor() as pool:
            for _ in range(times):
                if rng.random() < 0.1:
                    with cradle.life(ready=False):
                        time.sleep(rng.uniform(0, 0.4))
                    continue
                with cradle.life() as process:
                    playing = [pool.submit(table.play) for table in tables]
                    threading.Timer(rng.uniform(0.02, 0.5), os.kill, (process, signal.SIGKILL)).start()
                    for table in playing:
                        table.result()
    finally:
        cradle.close()
    with contextlib.closing(sqlite3.connect(store)) as file:
        assert file.execute("PRAGMA integrity_check").fetchone() == ("ok",)
    found = 0
    for table in tables:
        for match, done in table.done.items():
            log = stored(store, match)
            assert [kept.n for kept in log] == list(range(1, len(log) + 1))
            assert table.heard[match] == list(range(1, len(table.heard[match]) + 1))
            for n, text in done.items():
                body = log[n - 1].body
                assert isinstance(body, Acted)
                assert body.action == text
            found += len(done)
    return found


def test_killed_twenty_times(tmp_path: Path) -> None:
    assert kill(tmp_path / "matches.db", 20, seed=1) > 20


@pytest.mark.long
def test_killed_five_hundred_times(tmp_path: Path) -> None:
    found = kill(tmp_path / "matches.db", 500, seed=2)
    print(f"{found} actions were acknowledged, and all of them are there")
    assert found > 500
