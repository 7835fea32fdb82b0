"""`astragal hall`: one's own computer first, the local network when its host says so, and only then."""

from __future__ import annotations

import contextlib
import os
import re
import signal
import stat
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

import httpx

from astragal.server import auth
from tests.server.raw import ask
from tests.server.running import free_port


class Opened(NamedTuple):
    """A hall that runs."""

    process: subprocess.Popen[str]
    port: int
    ticket: str

    @property
    def address(self) -> str:
        return f"http://127.0.0.1:{self.port}"

    def key(self) -> dict[str, str]:
        """What the page that the program opened sends with its requests."""
        answer = httpx.post(f"{self.address}/api/hall/key", json={"ticket": self.ticket})
        assert answer.status_code == 200, answer.text
        return {"astragal-hall": answer.json()["key"]}


def start(folder: Path, port: int) -> subprocess.Popen[str]:
    return subprocess.Popen(
        [sys.executable, "-m", "astragal", "hall", "--no-browser", "--port", str(port)],
        stdout=subprocess.PIPE,
        env={**os.environ, "XDG_DATA_HOME": str(folder), "PYTHONUTF8": "1"},
        encoding="utf-8",
    )


def told(process: subprocess.Popen[str]) -> tuple[int, str]:
    """The port and the ticket that a hall says where there is no browser to open."""
    assert process.stdout is not None
    for line in process.stdout:
        if link := re.search(r"http://localhost:(\d+)/#hall=(\S+)", line):
            return int(link[1]), link[2]
    raise AssertionError("the hall did not say where it is")


@contextlib.contextmanager
def hall(folder: Path) -> Iterator[Opened]:
    process = start(folder, free_port())
    assert process.stdout is not None
    with process.stdout:
        try:
            yield Opened(process, *told(process))
        finally:
            process.send_signal(signal.SIGINT)
            assert process.wait(60) == 0
        assert "Every match is kept." in process.stdout.read()


def test_a_hall_opens_closes_and_can_be_opened_to_the_network(tmp_path: Path) -> None:
    with hall(tmp_path) as opened:
        here, key = opened.address, opened.key()
        assert httpx.get(f"{here}/api/hall", headers=key).json() == {"can_open": True, "addresses": []}
        assert httpx.get(f"{here}/api/host/storage", headers=key).json()["embedded"]  # the host needs no link here
        assert httpx.get(f"{here}/api/host").status_code == 401
        assert httpx.get(f"{here}/api/host", headers={**key, "x-forwarded-for": "127.0.0.1"}).status_code == 403
        short = httpx.post(f"{here}/api/hall", json={"password": "abc"}, headers=key)
        assert short.status_code == 400
        answer = httpx.post(f"{here}/api/hall", json={"password": "sesame"}, headers=key)
        address = re.fullmatch(r"http://([0-9.]+):(\d+)/", answer.json()["addresses"][0])
        assert address is not None
        assert httpx.get(f"{here}/api/games").status_code == 401  # from now on everybody shows the password
        assert httpx.get(f"{here}/api/games", cookies=dict(answer.cookies)).status_code == 200
        there = f"http://{address[1]}:{address[2]}"  # the name that friends know
        assert httpx.get(f"{there}/api/games").status_code == 401
        entered = httpx.post(f"{there}/api/login", json={"password": "sesame"})
        assert entered.status_code == 200
        guest = {**key, "astragal-pass": entered.json()["pass"]}
        assert httpx.post(f"{there}/api/hall", json={"password": "again"}, headers=guest).status_code == 409
        assert ask(int(address[2]), "/api/hall", ("Host", f"evil.example:{address[2]}")).code == "host"
    assert not (tmp_path / "astragal" / "server.db.hall").exists()


def test_a_page_elsewhere_cannot_open_the_hall(tmp_path: Path) -> None:
    with hall(tmp_path) as opened:
        body, json = b'{"password": "evil"}', ("Content-Type", "application/json")

        def open_it(*headers: tuple[str, str]) -> str:
            return ask(opened.port, "/api/hall", json, *headers, method="POST", body=body).code

        rebound = ("Host", f"evil.example:{opened.port}")
        assert open_it(rebound) == open_it(rebound, ("Origin", f"http://evil.example:{opened.port}")) == "host"
        assert ask(opened.port, "/api/hall", rebound).code == "host"
        assert open_it(("Origin", "http://evil.example")) == "origin"
        assert open_it() == "forbidden"  # another program on this computer, or a page that it opened itself
        assert open_it(("Astragal-Hall", "guess")) == open_it(("Astragal-Hall", "")) == "forbidden"
        assert httpx.get(f"{opened.address}/api/hall").json() == {"can_open": False, "addresses": []}
        key = opened.key()["astragal-hall"]
        proxied = ("X-Forwarded-For", "127.0.0.1")
        assert open_it(("Astragal-Hall", key), proxied) == "forbidden"
        for ticket in (opened.ticket, f"{opened.ticket}0", "", ".", key):
            refused = httpx.post(f"{opened.address}/api/hall/key", json={"ticket": ticket})
            assert refused.json()["code"] == "forbidden"  # each is good once
        assert httpx.get(f"{opened.address}/api/games").status_code == 200  # nobody has locked the owner out


def test_a_second_start_shows_the_hall_that_runs_with_a_ticket_of_its_own(tmp_path: Path) -> None:
    with hall(tmp_path) as opened:
        left = tmp_path / "astragal" / "server.db.hall"
        assert stat.S_IMODE(left.stat().st_mode) == 0o600
        first = opened.key()
        for port in (opened.port, free_port()):  # it is found whatever port is asked for
            again = start(tmp_path, port)
            assert again.stdout is not None
            with again.stdout:
                there, ticket = told(again)
            assert again.wait(60) == 0
            assert there == opened.port
            assert Opened(again, there, ticket).key() == first


def test_a_ticket_is_good_once_and_only_for_its_own_hall() -> None:
    key = auth.HallKey()
    ticket = key.ticket()
    assert key.exchange(f"{ticket[:-1]}{'0' if ticket[-1] != '0' else '1'}") is None
    assert key.exchange("é.ü") is None
    assert key.exchange(ticket) == key.key
    assert key.exchange(ticket) is None
    assert auth.HallKey(key.key).exchange(key.ticket()) == key.key  # whoever has the key can write tickets
    assert auth.HallKey().exchange(key.ticket()) is None
