"""Every address of the application, however it is written: what has no password gets nothing that needs one."""

from __future__ import annotations

import contextlib
import posixpath
import re
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, NamedTuple
from urllib.parse import unquote

import pytest
from hypothesis import given
from hypothesis import strategies as st
from litestar.utils import normalize_path

from astragal.server import gate, paths
from astragal.server.app import create
from astragal.server.problems import Problem
from astragal.server.settings import Settings
from tests.server.raw import Answer, ask, knock
from tests.server.running import Server, threaded

ROOT = Path(__file__).parent.parent.parent
JSON = ("Content-Type", "application/json")

WITHOUT_PASSWORD = {
    "POST /api/login",
    "POST /api/reminders/mail/confirm",  # by the token of a mail
    "POST /api/reminders/mail/remove",
    "GET /",
    "GET /api/key",
    "GET /health",
    "GET /ready",
    "GET /assets/{file_path:path}",
    "HEAD /assets/{file_path:path}",
    "GET /metrics",  # to this computer only, as the tests are
}
"""All that is answered without the password, beside the pages of the client, which are one route with all others."""


class Door(NamedTuple):
    """A route of the application: how it is asked for, with a match and a game that there are."""

    method: str  # WS for a socket
    template: str
    path: str


def doors(match: str) -> list[Door]:
    """Every route that Litestar knows, so that a new one cannot be forgotten; and the socket."""
    filled = {
        "id": match,
        "name": "start.svg",
        "option": "board",
        "path": "nowhere",
        "file_path": "none.js",
        "digest": "0" * 64,
        "puzzle": "nothing",
        "ply": "1",
        "key": "0" * 64,
        "ticket": "nothing2345",
        "game": "ur",
    }
    routes = [Door("WS", "/api/matches/{id:str}/socket", f"/api/matches/{match}/socket")]  # two below Litestar
    routes.append(Door("WS", "/api/hall/socket", "/api/hall/socket"))
    for route in create(Settings(database=":memory:")).app.routes:
        values = {**filled, "id": "ur"} if "/games/" in route.path_format else filled
        path = re.sub(r"\{(\w+)\}", lambda name, values=values: values[name[1]], route.path_format)  # type: ignore[misc]
        routes += [Door(method, route.path, path) for method in sorted(getattr(route, "methods", {"WS"}))]
    return routes


SPELLINGS: dict[str, Callable[[str], str]] = {
    "doubled slash in front": lambda p: "/" + p,
    "three slashes": lambda p: "//" + p,
    "doubled slashes": lambda p: p.replace("/", "//"),
    "slash behind": lambda p: p + "/",
    "slashes behind": lambda p: p + "//",
    "encoded slash in front": lambda p: "/%2f" + p[1:],
    "encoded slashes": lambda p: "/" + p[1:].replace("/", "%2F") if "/" in p[1:] else "/%2F" + p[1:],
    "encoded slash behind": lambda p: p + "%2f",
    "encoded letter": lambda p: f"/%{ord(p[1]):02x}{p[2:]}",
    "encoded twice": lambda p: f"/%25{ord(p[1]):02x}{p[2:]}",
    "encoded last letter": lambda p: f"{p[:-1]}%{ord(p[-1]):02X}",
    "dot segment": lambda p: "/." + p,
    "dot segment behind": lambda p: p + "/.",
    "dots": lambda p: "/x/.." + p,
    "dots behind": lambda p: p + "/x/..",
    "encoded dot": lambda p: "/%2e" + p,
    "encoded dots": lambda p: "/x/%2e%2E" + p,
    "backslash": lambda p: "\\" + p[1:],
    "backslashes": lambda p: "/" + p[1:].replace("/", "\\") + "\\",
    "encoded backslash": lambda p: "/%5c" + p[1:],
    "NUL behind": lambda p: p + "%00",
    "NUL inside": lambda p: f"/%00{p[1:]}",
    "newline behind": lambda p: p + "%0a",
    "space behind": lambda p: p + "%20",
    "parameters": lambda p: p + ";x=1",
    "parameters inside": lambda p: p.replace("/", "/;x/", 1),
    "parameters of a segment": lambda p: re.sub(r"(?<=\w)/", ";x=1/", p) + ";",
    "absolute form": lambda p: "http://127.0.0.1" + p,
    "absolute form of another": lambda p: "http://games.example.org" + p,
    "scheme only": lambda p: "http:" + p,
    "without a slash": lambda p: p[1:],
    "bad escape": lambda p: p + "%zz",
    "overlong UTF-8": lambda p: "/%c0%af" + p[1:],
    "full width": lambda p: "/%ef%bc%8f" + p[1:],
    "hash": lambda p: p + "#x",
    "star": lambda p: "*",
    "long": lambda p: p + "/" + "a" * 600,
    "capitals": lambda p: p.upper(),
    "a capital": lambda p: "/" + p[1:].capitalize(),
}
"""Ways to write a path that a router, a proxy or a file system may take for the same. `/` has only some of them."""


def spelled(path: str) -> Iterator[tuple[str, str]]:
    for name, spell in SPELLINGS.items():
        if path == "/" and ("letter" in name or "twice" in name or "without" in name or "apital" in name):
            continue
        raw = spell(path)
        if raw not in (path, "/"):
            yield name, raw


def shown(password: str | None) -> list[tuple[str, str]]:
    return [] if password is None else [("Astragal-Pass", password)]


def answer(server: Server, method: str, raw: str, pass_: str | None = None) -> Answer:
    if method == "WS":
        return knock(server.port, raw, *shown(pass_))
    body = b"{}" if method in ("POST", "PUT", "PATCH", "DELETE") else None
    return ask(server.port, raw, JSON, *shown(pass_), method=method, body=body)


@pytest.fixture(scope="module")
def closed(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[Server, str, str]]:
    """A server with a password, its pass, and a match on it."""
    folder = tmp_path_factory.mktemp("doors")
    with contextlib.ExitStack() as stack:
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(gate, "LOGINS", 0)  # any number: the limit has a test of its own
            server = stack.enter_context(threaded(folder / "closed.db", password="sesame"))
        pass_ = server.post("/api/login", {"password": "sesame"}).json()["pass"]
        wanted = {"game": "ur", "seats": ["open", "bot:greedy"], "sit": 0, "listed": True}
        made = server.post("/api/matches", wanted, **{"astragal-pass": pass_}).json()
        yield server, pass_, made["match"]


def test_without_the_password_only_a_short_list_is_answered(closed: tuple[Server, str, str]) -> None:
    server, pass_, match = closed
    open_to_all = set()
    for door in doors(match):
        answered = answer(server, door.method, door.path)
        if (answered.status, answered.code) != (401, "password"):
            open_to_all.add(f"{door.method} {door.template}")
        if not door.path.endswith("/stream"):
            assert answer(server, door.method, door.path, pass_).code != "password", door
    # Login answers a wrong body; with a right body and a wrong password it says `password` as well.
    assert open_to_all == WITHOUT_PASSWORD
    for page in paths.PAGES:
        assert answer(server, "GET", f"/{page}/{match}").status == 200
        assert answer(server, "POST", f"/{page}/{match}").code == "password"
    for other in ("/nowhere", "/game/a/b", "/API/games", "/pages"):
        assert answer(server, "GET", other).code == "password"


@pytest.mark.parametrize("with_password", [False, True])
def test_no_route_is_reached_by_another_spelling(closed: tuple[Server, str, str], with_password: bool) -> None:
    server, pass_, match = closed
    tried = 0
    for door in doors(match):
        for name, raw in spelled(door.path):
            answered = answer(server, door.method, raw, pass_ if with_password else None)
            if "apital" in name:  # a path in normal form, at which there is nothing
                refused = {401} if not with_password else {403} if door.method == "WS" else {404, 405}
                nothing = with_password and door.method == "OPTIONS" and answered.headers.get("allow") == "GET, OPTIONS"
                assert answered.status in refused or nothing, (door, raw, answered)
            elif answered.headers.get("content-type", "").startswith("text/plain"):  # h11 took it for no request at all
                assert answered.status == 400, (door, raw, answered)
            elif answered.status == 0:
                assert door.method == "WS", (door, raw)
            else:
                assert answered.status == 400, (door, raw, answered)
                assert answered.code == "malformed" or door.method == "HEAD", (door, raw, answered)
            tried += 1
    assert tried > 1000


def test_tries_at_the_password_are_counted_in_every_spelling(tmp_path: Path) -> None:
    with threaded(tmp_path / "guessed.db", password="sesame") as server:
        guess = b'{"password": "guess"}'
        ways = [raw for _, raw in spelled("/api/login")] * 2
        refused = [ask(server.port, raw, JSON, method="POST", body=guess).code for raw in ways]
        assert refused.count("password") <= 4  # /API/login and the like: no address, so nothing was tried
        began = time.monotonic()
        codes = [ask(server.port, "/api/login", JSON, method="POST", body=guess).code for _ in range(30)]
        assert codes[0] == "password"
        assert set(codes) == {"password", "too_many"}
        earned = (time.monotonic() - began) * gate.LOGINS / 60  # on a busy machine this takes long
        assert codes.count("password") <= gate.LOGINS / 2 + earned
        right = b'{"password": "sesame"}'
        assert ask(server.port, "//api/login", JSON, method="POST", body=right).code == "malformed"


def test_the_figures_are_for_this_computer_only(tmp_path: Path) -> None:
    with threaded(tmp_path / "figures.db", proxies="127.0.0.1", password="sesame") as server:
        assert ask(server.port, "/metrics").status == 200
        strangers: list[tuple[str, str]] = [
            ("X-Forwarded-For", "203.0.113.9"),
            ("X-Forwarded-For", "127.0.0.1"),
            ("X-Forwarded-For", "localhost"),
            ("X-Forwarded-For", "::1"),
            ("X-Forwarded-For", ""),
            ("Forwarded", "for=127.0.0.1"),
            ("X-Real-IP", "127.0.0.1"),
            ("Via", "1.1 proxy"),
        ]
        for header in strangers:
            assert ask(server.port, "/metrics", header).code == "forbidden", header
            for _, raw in spelled("/metrics"):
                answered = ask(server.port, raw, header)
                assert answered.status in (400, 401), raw
                assert b"astragal_" not in answered.body


NORMAL = st.lists(st.sampled_from([*"/.%;\\aZ9-_~2fFeE0 \x00\n?#@", "api", "..", "%2e", "é"]), max_size=12).map("".join)


@given(NORMAL)
def test_a_path_in_normal_form_means_the_same_to_everybody(text: str) -> None:
    raw = text.encode()
    try:
        path = paths.normal(raw)
    except Problem:
        return
    assert path.encode() == raw
    assert unquote(path) == path == posixpath.normpath(path) == normalize_path(path)
    assert not re.search(r"[^A-Za-z0-9._~/-]", path)


def test_every_route_and_page_is_in_normal_form() -> None:
    for door in doors("abc"):
        assert paths.normal(door.path.encode()) == door.path
    listed = re.findall(r"^  (\w+): \(\) =>", (ROOT / "web" / "src" / "pages" / "index.ts").read_text("utf-8"), re.M)
    assert {*listed} - {"nothing"} == {*paths.PAGES}


def test_what_is_not_there_is_refused_in_words(server: Server) -> None:
    for path in ("/api/nothing", "/api/matches/none", "/api/games/ur/nothing", "/nothing", "/assets/nothing.js"):
        answered = ask(server.port, path)
        assert (answered.status, answered.headers["content-type"]) == (404, "application/problem+json"), path
    page = ask(server.port, "/nothing", ("Accept", "text/html"))  # of the client, which says so
    assert page.headers["content-type"].startswith("text/html") == (page.status == 200)
    for path in ("/api/nothing", "/api/games/ur/nothing", "/assets/nothing.js", "/assets/no/thing"):
        assert ask(server.port, path, ("Accept", "text/html")).code == "not_found"


def test_head_is_get_without_the_body(server: Server) -> None:
    made = server.create("ur", ["open", "open"])
    for path in ("/", "/health", "/api/games", f"/api/matches/{made['match']}", "/icon.svg", "/api/nothing"):
        head, get = ask(server.port, path, method="HEAD"), ask(server.port, path)
        assert (head.status, head.body) == (get.status, b""), path
        for name in ("content-type", "content-length", "content-security-policy"):
            assert head.headers.get(name) == get.headers.get(name), (path, name)
    stream = f"/api/matches/{made['match']}/stream"
    assert ask(server.port, stream, method="HEAD").headers["content-type"].startswith("application/x-ndjson")
    assert ask(server.port, "/api/login", method="HEAD").status == 405


def test_methods_are_what_they_say(server: Server) -> None:
    override: Any
    for override in ("X-HTTP-Method-Override", "X-HTTP-Method", "X-Method-Override"):
        answered = ask(server.port, "/api/matches?_method=POST", (override, "POST"), JSON, body=b"{}")
        assert (answered.status, answered.body[:11]) == (200, b'{"matches":')
    for method in ("TRACE", "CONNECT", "get", "FOO", "PUT", "DELETE"):
        assert ask(server.port, "/api/games", method=method).code == "method"
