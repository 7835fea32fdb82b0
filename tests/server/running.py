"""A real server in a process of its own, and players who talk to it over real sockets."""

from __future__ import annotations

import contextlib
import hashlib
import json
import os
import secrets
import signal
import socket
import sqlite3
import ssl
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from random import Random
from types import TracebackType
from typing import Any

import httpx
import msgspec
import uvicorn
from websockets.exceptions import ConnectionClosed
from websockets.sync.client import ClientConnection, connect

import astragal
from astragal.bots.simple import GreedyBot, GreedySettings
from astragal.server import serving
from astragal.server.app import create
from astragal.server.settings import Settings
from tests.cradle import PATIENCE as PATIENCE
from tests.cradle import Child, cradle

UNLIMITED = (
    "rate",
    "seat-rate",
    "sockets",
    "matches-per-hour",
    "open-matches",
    "bots-only",
    "tournaments",
    "all-bots-only",
    "stored-megabytes",
    "uploads",
    "new-players",
)
"""Limits that most tests are not about."""

NEVER_NOTHING: dict[str, Any] = {"dice": "three"}
"""Options of Ur whose dice never show 0, with which whoever begins would lose the turn before it has moved."""


_given: set[int] = set()


def free_port() -> int:
    """One that nobody else takes before its server is there.

    Each worker has ports of its own, below those that the system chooses for the other ends of connections.
    """
    worker = int(os.environ.get("PYTEST_XDIST_WORKER", "gw0")[2:]) % 5
    while True:
        port = 11_000 + 4_000 * worker + secrets.randbelow(4_000)
        with contextlib.suppress(OSError), socket.socket() as probe:
            probe.bind(("127.0.0.1", port))
            if port not in _given:
                _given.add(port)
                return port


class Server:
    """`astragal serve` on loopback; stopped by its own process id."""

    offset: Path | None = None  # a file that says how wrong its system's time is

    def __init__(self, database: Path | str, *words: str, port: int | None = None, **how: Any) -> None:
        self.database, self.words, self.how = str(database), words, how
        self.port = port or free_port()
        self.address = f"http://127.0.0.1:{self.port}"
        self.tls = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)  # for a server behind a proxy; httpx is slow to make its own
        self.process: subprocess.Popen[bytes] | Child | None = None

    def start(self) -> Server:
        self.launch()
        return self.wait_until_ready()

    def wait_until_ready(self) -> Server:
        until = time.monotonic() + PATIENCE
        while time.monotonic() < until:
            if self.process is None or self.process.poll() is not None:
                raise RuntimeError(f"the server ended: {self.said()}")
            with contextlib.suppress(httpx.TransportError):
                if self.get("/ready").status_code == 200:
                    return self
            time.sleep(0.05)
        self.stop(signal.SIGKILL)
        raise TimeoutError(self.said())

    def launch(self) -> None:
        """Starts it, and waits for nothing."""
        self.log = tempfile.NamedTemporaryFile()  # noqa: SIM115
        words = ["serve", "--port", str(self.port), "--database", self.database]
        words += [word for limit in UNLIMITED for word in (f"--{limit}", "0")]
        words += self.words
        self.process = self.begin(words)

    def begin(self, words: list[str]) -> subprocess.Popen[bytes] | Child:
        """From the cradle, or where it is said how, as `subprocess.Popen` takes it, from nothing."""
        if self.how:
            command = [sys.executable, "-m", "astragal", *words]
            return subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=self.log, **self.how)
        with Path(os.devnull).open("r+b") as nothing:
            return cradle().fork(
                words,
                stdin=nothing.fileno(),
                stdout=nothing.fileno(),
                stderr=self.log.fileno(),
                offset=self.offset,
            )

    def said(self) -> str:
        """Its log, also after it has stopped."""
        if not self.log.closed:
            self.log.seek(0)
            self._said = self.log.read().decode(errors="replace")
        return self._said

    def stop(self, how: int = signal.SIGTERM) -> int:
        assert self.process is not None
        if self.process.poll() is None:
            self.process.send_signal(how)
        code = self.process.wait(PATIENCE)
        self.said()
        self.log.close()
        return code

    def __enter__(self) -> Server:
        return self.start()

    def __exit__(self, *_: object) -> None:
        self.stop()

    # Asking -----------------------------------------------------------------------------------------------------

    def get(self, path: str, secret: str | None = None, **query: Any) -> httpx.Response:
        where = f"{self.address}{path}"
        return httpx.get(where, params=query, headers=bearer(secret), timeout=PATIENCE, verify=self.tls)

    def post(self, path: str, body: Any, secret: str | None = None, **headers: str) -> httpx.Response:
        where, shown = f"{self.address}{path}", {**bearer(secret), **headers}
        return httpx.post(where, json=body, headers=shown, timeout=PATIENCE, verify=self.tls)

    def create(self, game: str, seats: list[str], **more: Any) -> dict[str, Any]:
        """A new match, its creator on seat 0 if that is for a human."""
        wanted = {"game": game, "seats": seats, "sit": 0 if seats[0] == "open" else None, **more}
        answer = self.post("/api/matches", wanted)
        assert answer.status_code == 201, answer.text
        made: dict[str, Any] = answer.json()
        return made

    def invite(self, made: dict[str, Any]) -> str:
        return str(made["links"]["join"]).rpartition("#")[2]

    def join(self, made: dict[str, Any], **more: Any) -> dict[str, Any]:
        answer = self.post(f"/api/matches/{made['match']}/seats", {"invite": self.invite(made), **more})
        assert answer.status_code == 201, answer.text
        joined: dict[str, Any] = answer.json()
        return joined

    def table(
        self,
        game: str,
        humans: int = 2,
        bots: int = 0,
        *,
        fair: bool = False,
        beside: Server | None = None,
        **more: Any,
    ) -> list[Player]:
        """A match with all its humans seated and connected; every second one at the server beside, if there is one."""
        seeds = [secrets.token_bytes(32) if fair else None for _ in range(humans)]
        seats = ["open"] * humans + ["bot:greedy"] * bots
        made = self.create(game, seats, commitment=promise(seeds[0]), **more)
        players = [Player(self, made["match"], made["secret"], seed=seeds[0])]
        for number, seed in enumerate(seeds[1:], 1):
            host = beside if beside is not None and number % 2 else self
            joined = host.join(made, commitment=promise(seed))
            players.append(Player(host, made["match"], joined["secret"], seed=seed))
        return players

    def figure(self, name: str) -> float:
        """One of the figures for Prometheus."""
        lines = self.get("/metrics").text.splitlines()
        return next(float(line.split()[-1]) for line in lines if line.startswith(name))


@contextlib.contextmanager
def sqlite(file: Path | str, **how: Any) -> Iterator[sqlite3.Connection]:
    """A store as SQLite itself sees it; what is written holds when it is closed again."""
    with contextlib.closing(sqlite3.connect(file, **how)) as connection, connection:
        yield connection


def promise(seed: bytes | None) -> str | None:
    return None if seed is None else hashlib.sha256(seed).hexdigest()


def bearer(secret: str | None) -> dict[str, str]:
    return {} if secret is None else {"Authorization": f"Bearer {secret}"}


class Player:
    """One connection to a match, and what it has heard."""

    def __init__(
        self,
        server: Server,
        match: str,
        secret: str | None,
        *,
        since: int = 0,
        lang: str = "en",
        seed: bytes | None = None,
        views: bool = False,
    ) -> None:
        self._views = "&views" if views else ""
        self.server, self.match, self.secret, self.lang, self.seed = server, match, secret, lang, seed
        self.events: list[dict[str, Any]] = []
        self.messages: list[dict[str, Any]] = []
        self.table: dict[str, Any] = {}
        self.data: dict[str, Any] = {}  # own boards and decks, by their digests
        self.last = since
        self.socket: ClientConnection | None = None
        self.connect()

    def connect(self) -> None:
        address = f"{self.server.address.replace('http', 'ws', 1)}/api/matches/{self.match}/socket"
        self._open = contextlib.ExitStack()
        self.socket = self._open.enter_context(
            connect(
                f"{address}?since={self.last}&lang={self.lang}{self._views}",
                additional_headers=bearer(self.secret),
                max_size=None,
                open_timeout=PATIENCE,
                ping_interval=None,
                max_queue=None,
                ssl=self.server.tls if address.startswith("wss") else None,
            )
        )

    def close(self) -> None:
        if self.socket is not None:
            self.socket = None
            self._open.close()

    def __enter__(self) -> Player:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        self.close()

    def send(self, **command: Any) -> None:
        assert self.socket is not None
        self.socket.send(json.dumps(command))

    def hear(self, timeout: float = PATIENCE) -> dict[str, Any]:
        """The next message. Raises TimeoutError or ConnectionClosed."""
        assert self.socket is not None
        message: dict[str, Any] = json.loads(self.socket.recv(timeout))
        self.messages.append(message)
        if message["type"] == "news":
            self.events += message["events"]
            self.data |= message["data"]
            self.table = self.filled(message["table"])
            self.last = self.table["n"]
        return message

    def filled(self, table: dict[str, Any]) -> dict[str, Any]:
        """The table with own boards and decks in the place of their digests."""
        if not table["view"]:
            return table
        options = {
            name: self.data[value["data"]] if isinstance(value, dict) and value.keys() == {"data", "name"} else value
            for name, value in table["view"]["options"].items()
        }
        return {**table, "view": {**table["view"], "options": options}}

    def until(self, wanted: Callable[[dict[str, Any]], bool]) -> dict[str, Any]:
        """The first message that is wanted."""
        end = time.monotonic() + PATIENCE
        while time.monotonic() < end:
            message = self.hear()
            if wanted(message):
                return message
        raise TimeoutError(str(self.table)[:500])

    def do(self, **command: Any) -> dict[str, Any]:
        """Sends a command and waits for its answer."""
        id = command.setdefault("id", secrets.token_hex(4))
        self.send(**command)
        return self.until(lambda m: m["type"] in ("done", "refused") and m["id"] in (id, ""))

    def act(self, text: str, **more: Any) -> dict[str, Any]:
        return self.do(type="act", ply=self.table["ply"], text=text, **more)

    def until_table(self, wanted: Callable[[dict[str, Any]], bool]) -> dict[str, Any]:
        """The table as soon as it is so."""
        if not self.table or not wanted(self.table):
            self.until(lambda m: m["type"] == "news" and wanted(m["table"]))
        return self.table

    def open_seed(self) -> None:
        """Opens the promised seed once everybody sits."""
        assert self.seed is not None
        self.until_table(lambda t: all(seat["player"] != "open" for seat in t["seats"]))
        assert self.do(type="open", seed=self.seed.hex())["type"] == "done"


def greedy(table: dict[str, Any], rng: Random) -> str:
    """What a bot makes of a table that came over the wire; now and then something else, or two of them never end."""
    game = astragal.game(table["game"])
    view = msgspec.convert(table["view"], game.rules.view_type)
    return game.rules.encode(GreedyBot(game, GreedySettings(mistakes=0.15)).choose(view, rng).action)


def play_on(players: list[Player], rng: Random, *, moves: int | None = None) -> int:
    """Everybody plays as a bot would until the end, or so many moves; says how many were made."""
    made = 0
    for player in players:
        player.until_table(lambda t: t["status"] != "lobby")
    while moves is None or made < moves:
        tables = [player.table for player in players]
        if all(table["status"] in ("over", "closed") for table in tables):
            break
        newest = max(table["n"] for table in tables)
        actor = next((p for p in players if p.table["n"] == newest and p.table["actions"]), None)
        if actor is None:
            behind = min(players, key=lambda player: int(player.table["n"]))
            behind.hear()
            continue
        answer = actor.act(greedy(actor.table, rng))
        assert answer["type"] == "done", answer
        actor.until_table(lambda t, n=answer["n"]: t["n"] >= n)  # type: ignore[misc]
        made += 1
    return made


@contextlib.contextmanager
def threaded(database: Path, **more: Any) -> Iterator[Server]:
    """The same server, still with real sockets, in a thread of this process: quicker to start, and open to tests."""
    limits = {"rate": 0, "seat_rate": 0, "sockets": 0, "hourly_matches": 0, "open_matches": 0, "bots_only": 0}
    limits |= {"tournaments": 0, "all_bots_only": 0, "stored_megabytes": 0, "uploads": 0}
    settings = Settings(port=free_port(), database=str(database), **{**limits, **more})
    running = uvicorn.Server(serving.config(settings, create(settings)))
    thread = threading.Thread(target=running.run)
    thread.start()
    until = time.monotonic() + PATIENCE
    while not running.started and thread.is_alive() and time.monotonic() < until:
        time.sleep(0.02)
    try:
        yield Server(settings.database, port=settings.port)
    finally:
        running.should_exit = True
        thread.join(PATIENCE)


@contextlib.contextmanager
def closing(players: list[Player]) -> Iterator[list[Player]]:
    try:
        yield players
    finally:
        for player in players:
            with contextlib.suppress(ConnectionClosed, OSError):
                player.close()
