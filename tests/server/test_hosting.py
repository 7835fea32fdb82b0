"""What docs/hosting.md tells a host to do, done."""

from __future__ import annotations

import contextlib
import os
import re
import shlex
import socket
import ssl
import subprocess
import time
from collections.abc import Iterator
from pathlib import Path
from random import Random

import httpx
import pytest

from astragal import cli
from astragal.server.settings import Settings
from astragal.server.store import Store
from tests.not_run import where
from tests.server.postgres import Postgres
from tests.server.running import PATIENCE, Server, closing, free_port, play_on
from tests.server.test_store import batch, match, with_store

PAGE = (Path(__file__).parent.parent.parent / "docs" / "hosting.md").read_text("utf-8")


def block(language: str) -> str:
    fenced = re.search(rf"^```{language}\n(.*?)^```", PAGE, re.MULTILINE | re.DOTALL)
    assert fenced is not None
    return fenced[1]


def served() -> list[str]:
    """The words of the unit's command, for port 8484."""
    line = next(line for line in block("ini").splitlines() if line.startswith("ExecStart="))
    return shlex.split(line.removeprefix("ExecStart=").replace("%i", "8484"))


def test_the_unit_starts_a_command_that_there_is(monkeypatch: pytest.MonkeyPatch) -> None:
    program, name, *words = served()
    assert program.endswith("/bin/astragal")
    for line in re.findall(r"^    (ASTRAGAL_\w+=.*)$", PAGE, re.MULTILINE):
        monkeypatch.setenv(*line.split("=", 1))
    command = cli.commands("en").get_command(None, name)  # type: ignore[arg-type]
    assert command is not None
    given = command.make_context(name, words).params
    assert (given["port"], given["password"]) == (8484, "open sesame")
    origins = tuple(given["origins"])
    settings = Settings(database=given["database"], proxies=given["proxies"], origins=origins).checked()
    assert settings.origins == ("https://games.example.org",)
    assert "server_name games.example.org;" in block("nginx")
    assert settings.url == "postgresql+asyncpg:///astragal?host=/var/run/postgresql"


@contextlib.contextmanager
def nginx(folder: Path, behind: Server, front: Server, second: Server | None = None) -> Iterator[Server]:
    """The proxy of the page in front of a server, or of two: only ports and its certificate are the test's own."""
    port = behind.port
    key, certificate = folder / "key.pem", folder / "certificate.pem"
    names = ("-subj", "/CN=localhost", "-addext", "subjectAltName=IP:127.0.0.1")
    words = ["openssl", "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", "2", *names]
    subprocess.run([*words, "-keyout", key, "-out", certificate], check=True, capture_output=True)
    site = block("nginx").replace("127.0.0.1:8484", f"127.0.0.1:{port}").replace("443", f"127.0.0.1:{front.port}")
    if second is not None:
        site = site.replace("# server 127.0.0.1:8485;", f"server 127.0.0.1:{second.port};")
        assert str(second.port) in site
    site = re.sub(r"/etc/letsencrypt\S+privkey.pem", str(key), site)
    site = re.sub(r"/etc/letsencrypt\S+fullchain.pem", str(certificate), site)
    temporary = "".join(
        f"{name}_temp_path {folder}/{name};" for name in ("client_body", "proxy", "fastcgi", "uwsgi", "scgi")
    )
    user = "user root;" if os.geteuid() == 0 else ""
    (folder / "nginx.conf").write_text(
        f"daemon off; {user} pid {folder}/nginx.pid; error_log {folder}/error.log; events {{}}\n"
        f"http {{ access_log off; {temporary}\n{site} }}\n"
    )
    front.tls = ssl.create_default_context(cafile=str(certificate))
    process = subprocess.Popen([where("nginx") or "nginx", "-c", folder / "nginx.conf", "-e", folder / "error.log"])
    try:
        until = time.monotonic() + PATIENCE
        while True:
            with contextlib.suppress(OSError), socket.create_connection(("127.0.0.1", front.port)):
                break
            assert process.poll() is None, (folder / "error.log").read_text()
            assert time.monotonic() < until
            time.sleep(0.02)
        yield front
    finally:
        process.terminate()
        process.wait(PATIENCE)


@pytest.mark.needs("nginx", "openssl")
def test_a_match_through_the_proxy_of_the_page(tmp_path: Path) -> None:
    front = Server("", port=free_port())
    front.address = f"https://127.0.0.1:{front.port}"
    words = (
        " ".join(served()[2:]).replace("--port 8484", "").replace("https://games.example.org", front.address).split()
    )
    with Server(tmp_path / "matches.db", *words) as behind, nginx(tmp_path, behind, front):
        with closing(front.table("ur", 2, fair=True, options={"pieces": 2})) as players:
            for player in players:
                player.open_seed()
            play_on(players, Random(3))
            assert players[0].table["result"] == players[1].table["result"]
        assert front.get(f"/api/matches/{players[0].match}/verification").json()["good"]
        made = front.post("/api/matches", {"game": "ur", "seats": ["open", "open"], "sit": 0})
        assert "Secure" in made.headers["set-cookie"]
        path = f"/api/matches/{made.json()['match']}/commands"
        cookie = {"cookie": made.headers["set-cookie"].split(";")[0]}
        hello = {"type": "say", "phrase": "hello"}
        assert front.post(path, hello, **cookie, origin=front.address).status_code == 200
        assert front.post(path, hello, **cookie, origin="https://evil.example").status_code == 403
        bots = front.create("ur", ["bot:greedy", "bot:random"], listed=True, options={"pieces": 2})
        assert '"status":"over"' in front.get(f"/api/matches/{bots['match']}/stream").text
        assert front.get("/metrics").status_code == 404
        for spelling in ("//metrics", "/metrics/", "/%6detrics", "/x/../metrics"):
            assert b"astragal_" not in front.get(spelling).content
        elsewhere = httpx.get(f"{front.address}/health", headers={"host": "evil.example"}, verify=front.tls)
        assert elsewhere.json()["code"] == "host"
        assert behind.get("/metrics").status_code == 200
        front.post("/api/login", {"password": ""}, **{"X-Forwarded-For": "203.0.113.9"})
        until = time.monotonic() + PATIENCE
        while '"address": "203.0.113.9"' not in behind.said():  # written after the answer is sent
            assert time.monotonic() < until
            time.sleep(0.02)


@pytest.mark.needs("nginx", "openssl", "initdb")
def test_the_proxy_brings_players_of_one_match_to_one_of_two_servers(postgres: Postgres, tmp_path: Path) -> None:
    front, address = Server("", port=free_port()), postgres.new()
    front.address = f"https://127.0.0.1:{front.port}"
    words = ("--proxies", "127.0.0.1", "--origin", front.address)
    with (
        Server(address, *words) as one,
        Server(address, *words) as two,
        nginx(tmp_path, one, front, two),
        contextlib.ExitStack() as stack,
    ):
        for n in range(40):
            stack.enter_context(closing(front.table("ur", 2)))
            here, there = one.figure("astragal_sockets"), two.figure("astragal_sockets")
            assert (here % 2, there % 2, here + there) == (0, 0, 2 * (n + 1))
            if here and there:
                break
        assert here
        assert there


@pytest.mark.needs("initdb")
def test_a_dump_of_postgresql_is_restored(postgres: Postgres, database: str, tmp_path: Path) -> None:
    async def fill(store: Store) -> None:
        await store.create(match("kept"), [], ["x", None])
        await store.append(batch("kept", 1, 2, 3, text="something"))

    with_store(database, fill)
    restored = postgres.new()
    dump = subprocess.run([where("pg_dump") or "pg_dump", "-Fc", database], check=True, capture_output=True).stdout
    subprocess.run([where("pg_restore") or "pg_restore", "-d", restored], input=dump, check=True)
    there = with_store(restored, lambda store: store.rows("kept"))
    assert [kept.n for kept in there] == [1, 2, 3]
    assert there == with_store(database, lambda store: store.rows("kept"))
