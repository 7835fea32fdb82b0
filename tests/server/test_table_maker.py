"""The perfect bot on a server: only where its table is there; and a hall on one's own computer makes it."""

from __future__ import annotations

import os
import signal
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import httpx
import pytest

import astragal
from astragal.games.ur.options import Options
from astragal.solve.job import Job
from astragal.solve.table import name_of
from tests.server.running import Player, Server
from tests.server.test_hall import Opened, hall

UR = astragal.game("ur")
PATIENCE = 120


class Host:
    """The page that the program opened."""

    def __init__(self, opened: Opened) -> None:
        self._address, self._key = opened.address, opened.key()

    def ask(self, method: str, path: str, body: Any = None) -> httpx.Response:
        return httpx.request(method, f"{self._address}{path}", json=body, headers=self._key, timeout=PATIENCE)

    def opponents(self, game: str = "ur", **options: Any) -> Any:
        found = self.ask("POST", f"/api/games/{game}/opponents", {"options": options})
        assert found.status_code == 200, found.text
        return found.json()

    def make(self, game: str = "ur", **options: Any) -> httpx.Response:
        return self.ask("POST", "/api/hall/tables", {"game": game, "options": options})

    def cancel(self) -> httpx.Response:
        return self.ask("DELETE", "/api/hall/tables")

    def until(self, fits: Callable[[Any], bool], **options: Any) -> Any:
        until = time.monotonic() + PATIENCE
        while time.monotonic() < until:
            found = self.opponents(**options)
            if fits(found):
                return found
            time.sleep(0.1)
        raise TimeoutError(str(found))


def ids(opponents: Any) -> list[str]:
    return [bot["id"] for bot in opponents["bots"]]


def worker_of(process: int) -> list[int]:
    """The processes that this one has started to make tables."""
    found = []
    for folder in Path("/proc").iterdir():
        if folder.name.isdigit():
            try:
                words = (folder / "cmdline").read_bytes()
                parent = int((folder / "stat").read_text().rpartition(")")[2].split()[1])
            except (OSError, ValueError):
                continue
            if b"astragal.solve.worker" in words and parent == process:
                found.append(int(folder.name))
    return found


def test_a_hall_makes_the_table_and_the_perfect_bot_plays(tmp_path: Path) -> None:
    with hall(tmp_path) as opened:
        host = Host(opened)
        before = host.opponents(pieces=2)
        assert ids(before) == ["novice", "casual", "strong", "master"]
        assert before["table"]["can_make"]
        assert "12\u202f869 positions" in before["table"]["text"]
        assert (before["table"]["minutes"], before["table"]["megabytes"]) == (1, 1)
        seats = {"game": "ur", "options": {"pieces": 2}, "seats": ["bot:perfect", "bot:greedy"]}
        refused = httpx.post(f"{opened.address}/api/matches", json=seats).json()
        assert refused["code"] == "unknown_bot"
        assert "needs a table" in refused["detail"]
        assert host.make(pieces=2).status_code == 202
        after = host.until(lambda found: found["table"] is None, pieces=2)
        assert ids(after)[-1] == "perfect"
        assert host.make(pieces=2).json()["detail"] == "this table is there already"
        assert ids(host.opponents(pieces=3)) == ids(before)  # other rules need another table
        made = httpx.post(f"{opened.address}/api/matches", json=seats)
        assert made.status_code == 201, made.text
        folder = tmp_path / "astragal" / "tables"
        assert [file.name for file in folder.iterdir()] == [name_of(UR, Options(pieces=2))]


def test_only_the_host_of_a_hall_can_make_tables(tmp_path: Path, server: Server) -> None:
    with hall(tmp_path) as opened:
        guest = httpx.post(f"{opened.address}/api/games/ur/opponents", json={"options": {"pieces": 2}}).json()
        assert guest["table"] is None
        wanted = {"game": "ur", "options": {"pieces": 2}}
        assert httpx.post(f"{opened.address}/api/hall/tables", json=wanted).json()["code"] == "forbidden"
        assert httpx.delete(f"{opened.address}/api/hall/tables").json()["code"] == "forbidden"
        host = Host(opened)
        assert "nile cannot be solved" in host.make("nile").json()["detail"]
        assert host.cancel().json()["detail"] == "no table is being made"
        assert host.make(pieces=99).json()["code"] == "bad_options"
    found = server.post("/api/games/ur/opponents", {"options": {"pieces": 2}}).json()  # a server that is no hall
    assert found["table"] is None
    assert server.post("/api/hall/tables", wanted).json()["code"] == "forbidden"
    nile = server.post("/api/games/nile/opponents", {"players": 4}).json()
    assert (len(nile["bots"]), nile["table"], nile["unfamiliar"]) == (4, None, None)
    for lang, words in (("en", "rules of thumb"), ("de", "Faustregeln"), ("es", "reglas aproximadas")):
        rules = {"options": {"rosette_throws": False}}
        found = server.post("/api/games/ur/opponents", rules, **{"accept-language": lang}).json()
        assert words in found["unfamiliar"]
    assert server.post("/api/games/nile/opponents", {"players": 5}).json()["code"] == "bad_options"
    assert server.post("/api/games/ur/opponents", {"options": {"x": 1}}).json()["code"] == "bad_options"


def test_what_is_too_large_is_refused_with_the_reason(tmp_path: Path) -> None:
    with hall(tmp_path) as opened:
        host = Host(opened)
        found = host.opponents("ur-modern", pieces=7)["table"]
        assert not found["can_make"]
        assert "The perfect bot cannot play by these rules here" in found["text"]
        assert host.make("ur-modern", pieces=7).json()["code"] == "not_possible"


def test_a_table_is_given_up_and_one_that_a_closed_hall_had_begun_goes_on(tmp_path: Path) -> None:
    kept = tmp_path / "astragal" / "tables" / Path(name_of(UR, Options(pieces=4))).with_suffix(".solving")
    with hall(tmp_path) as opened:
        host = Host(opened)
        assert host.make(pieces=4).json()["making"]
        assert host.make(pieces=2).json()["detail"] == "a table is being made already"
        assert not host.opponents(pieces=2)["table"]["can_make"]
        started = host.until(lambda found: found["table"]["share"] > 0, pieces=4)["table"]
        assert 0 < started["share"] < 1
        (worker,) = worker_of(opened.process.pid)
        assert os.getpriority(os.PRIO_PROCESS, worker) >= 15
        assert kept.exists()
        assert host.cancel().status_code == 204
        assert not worker_of(opened.process.pid)
        assert not kept.exists()
        offer = host.opponents(pieces=4)["table"]
        assert (offer["making"], offer["can_make"], offer["trouble"]) == (False, True, "")
        host.make(pieces=4)
        host.until(lambda found: (kept / "done.json").exists(), pieces=4)
        (worker,) = worker_of(opened.process.pid)
    until = time.monotonic() + PATIENCE
    while Path(f"/proc/{worker}").exists() and time.monotonic() < until:
        time.sleep(0.05)
    assert not Path(f"/proc/{worker}").exists()
    assert (kept / "done.json").exists()
    with hall(tmp_path) as opened:
        host = Host(opened)
        host.make(pieces=4)
        host.until(lambda found: found["table"]["share"] > 0, pieces=4)
        (worker,) = worker_of(opened.process.pid)
        os.kill(worker, signal.SIGKILL)  # whatever ended it, the page says so
        broken = host.until(lambda found: not found["table"]["making"], pieces=4)["table"]
        assert broken["trouble"] == "exit code -9"
        assert broken["can_make"]


@pytest.fixture
def solved(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("ASTRAGAL_TABLES", str(tmp_path))
    return Job(UR, Options(pieces=2), tmp_path).run().file


def test_hints_are_exact_where_there_is_a_table(solved: Path, tmp_path: Path) -> None:
    with Server(tmp_path / "matches.db") as server:
        made = server.create("ur", ["open", "bot:perfect"], sit=0, options={"pieces": 2, "begins": 0})
        with Player(server, made["match"], made["secret"]) as player:
            table = player.until_table(lambda table: bool(table["actions"]))
            while len(table["actions"]) < 2:
                n = player.act(table["actions"][0]["text"])["n"]
                table = player.until_table(lambda table, n=n: table["n"] > n and bool(table["actions"]))  # type: ignore[misc]
            path = f"/api/matches/{made['match']}/hint"
            until = time.monotonic() + PATIENCE
            while True:  # while its code is compiled in a process, a simple bot answers there
                exact = server.post(path, {}, made["secret"]).json()
                again = server.post(f"{path}?bot=perfect", {}, made["secret"]).json()
                if exact == again or time.monotonic() > until:
                    break
        assert exact == again
        assert exact["value"] == max(one["value"] for one in exact["alternatives"])
        assert len(exact["alternatives"]) == len(table["actions"])
        assert all(round(one["value"] * 65535, 3) % 1 == 0 for one in exact["alternatives"])  # as the table has them
