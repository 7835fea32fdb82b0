"""Killed at any moment, again and again: every acknowledged action is there, and the players go on."""

from __future__ import annotations

import contextlib
import secrets
import signal
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from random import Random
from typing import Any

import httpx
import pytest
from websockets.exceptions import WebSocketException

from astragal.core.record import Acted
from tests.server.running import Player, Server, sqlite
from tests.server.test_lasting import stored

BROKEN = (OSError, EOFError, WebSocketException, httpx.TransportError)


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
    """Kills a busy server so many times; how many actions were acknowledged and found in the store.

    Where the machine is so busy that hardly anything is acknowledged, more often.
    """
    rng, server = Random(seed), Server(store)
    tables = [Table(server, Random(rng.random())) for _ in range(3)]
    with ThreadPoolExecutor() as pool:
        killed = 0
        while killed < times or sum(len(done) for table in tables for done in table.done.values()) <= times:
            killed += 1
            if rng.random() < 0.1:  # before it is ready
                server.launch()
                time.sleep(rng.uniform(0, 0.4))
                server.stop(signal.SIGKILL)
            else:
                server.start()
                playing = [pool.submit(table.play) for table in tables]
                time.sleep(rng.uniform(0.02, 0.5))
                server.stop(signal.SIGKILL)
                for until_killed in playing:
                    until_killed.result()
    with sqlite(store) as file:
        assert file.execute("PRAGMA integrity_check").fetchone() == ("ok",)
    survived = 0
    for table in tables:
        for match, done in table.done.items():
            log = stored(store, match)
            assert [kept.n for kept in log] == list(range(1, len(log) + 1))
            heard = table.heard.get(match, [])  # nothing, if the kill came before the first event
            assert heard == list(range(1, len(heard) + 1))
            for n, text in done.items():
                body = log[n - 1].body
                assert isinstance(body, Acted)
                assert body.action == text
            survived += len(done)
    return survived


def test_killed_twenty_times(tmp_path: Path) -> None:
    assert kill(tmp_path / "matches.db", 20, seed=1) > 20


@pytest.mark.long
def test_killed_five_hundred_times(tmp_path: Path) -> None:
    survived = kill(tmp_path / "matches.db", 500, seed=2)
    print(f"{survived} actions were acknowledged, and all of them are there")
    assert survived > 500
