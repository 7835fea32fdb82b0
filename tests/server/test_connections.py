"""Connections that say nothing, or hardly anything: they are dropped, and nobody is shut out by them."""

from __future__ import annotations

import contextlib
import resource
import socket
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from astragal.server import addresses, connections
from tests.server.raw import UPGRADE, ask, request
from tests.server.running import PATIENCE, Player, Server, closing, threaded


@pytest.fixture
def hasty(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Server]:
    """A server that waits for half a second only."""
    monkeypatch.setattr(connections, "HEAD_SECONDS", 0.5)
    monkeypatch.setattr(connections, "BODY_SECONDS", 0.5)
    monkeypatch.setattr(connections, "UNREAD_SECONDS", 0.5)
    with threaded(tmp_path / "hasty.db") as server:
        yield server


def call(server: Server, source: str = "127.0.0.1") -> socket.socket:
    return socket.create_connection(("127.0.0.1", server.port), PATIENCE, (source, 0))


def is_dropped(connection: socket.socket) -> bool:
    """Whether the server closes it; waits for that."""
    try:
        while connection.recv(65536):
            pass
    except ConnectionResetError:
        return True
    return True


def is_alive(connection: socket.socket, server: Server) -> bool:
    """Whether the server answers on it, which then stays open. Head and body may come in two pieces."""
    connection.sendall(request("/health", ("Connection", "keep-alive"), port=server.port))
    answer = b""
    while b"alive" not in answer:
        part = connection.recv(65536)
        if not part:
            return False
        answer += part
    return True


def drip(connection: socket.socket, data: bytes | list[bytes], every: float = 0.05) -> bool:
    """Sends byte by byte, or part by part; whether the server had enough before the end."""
    try:
        for part in data:
            connection.sendall(part if isinstance(part, bytes) else bytes([part]))
            time.sleep(every)
    except OSError:
        return True
    return False


def test_the_silent_are_dropped(hasty: Server) -> None:
    with call(hasty) as silent:
        assert is_dropped(silent)
    with call(hasty) as half:
        half.sendall(b"GET /health HTTP/1.1\r\nHost:")
        assert is_dropped(half)
    with call(hasty) as slow:  # a byte now and then gains no time
        assert drip(slow, request("/health", ("X", "a" * 500), port=hasty.port))
    with call(hasty) as promising:
        body = ("Content-Length", "1000")
        promising.sendall(request("/api/login", body, ("Connection", "keep-alive"), method="POST", port=hasty.port))
        assert drip(promising, b" " * 500)
    with call(hasty) as second:  # the same for the second request on a connection
        assert is_alive(second, hasty)
        assert drip(second, request("/health", ("X", "a" * 500), port=hasty.port))


def test_a_refused_body_is_not_read_for_ever(hasty: Server) -> None:
    with call(hasty) as pouring:
        chunked = ("Transfer-Encoding", "chunked")
        pouring.sendall(request("/api/nothing", chunked, ("Connection", "keep-alive"), method="POST", port=hasty.port))
        assert drip(pouring, b"1\r\na\r\n" * 200, 0.02)


def answers_after(server: Server, pause: float) -> int:
    """How many of 400 answers there are for somebody who begins to read after this time."""
    with socket.socket() as deaf:
        deaf.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)  # so that the answers fill it soon
        deaf.settimeout(PATIENCE)
        deaf.connect(("127.0.0.1", server.port))
        deaf.sendall(request("/api/games", ("Connection", "keep-alive"), port=server.port) * 400)
        time.sleep(pause)
        got = b""
        with contextlib.suppress(ConnectionResetError):
            while more := deaf.recv(1 << 20):
                got += more
        return got.count(b"HTTP/1.1 200")


def test_who_does_not_read_the_answers_is_dropped(hasty: Server) -> None:
    assert any(0 < answers_after(hasty, pause) < 400 for pause in (2, 5, 15, 45))  # a busy machine is slow to answer


def test_whoever_pings_without_reading_is_dropped(server: Server) -> None:
    made = server.create("ur", ["open", "open"])
    with call(server) as pinging:
        pinging.sendall(request(f"/api/matches/{made['match']}/socket", *UPGRADE, port=server.port))
        assert pinging.recv(100).startswith(b"HTTP/1.1 101")
        ping = b"\x89\xfd" + bytes(4) + b"a" * 125  # masked with zeros
        assert drip(pinging, [ping * 1000] * 2000, 0)  # 250 MB, if nobody minds


def test_who_talks_may_stay(hasty: Server, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(connections, "HEAD_SECONDS", 2.0)  # far more than a busy machine makes of the pauses below
    with closing(hasty.table("ur", 1, 1)) as players:
        players[0].hear()
        with call(hasty) as steady:
            until = time.monotonic() + 1.2 * connections.HEAD_SECONDS
            while time.monotonic() < until:
                assert is_alive(steady, hasty), "the server has hung up"
                time.sleep(0.3)
        assert players[0].do(type="say", phrase="hello")["type"] == "done"


def test_one_address_cannot_have_all_connections(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(connections, "BESIDE", 5)
    with threaded(tmp_path / "crowd.db", sockets=3) as server, contextlib.ExitStack() as stack:
        held = [stack.enter_context(call(server, "127.0.0.9")) for _ in range(8)]
        with call(server, "127.0.0.9") as ninth:
            assert is_dropped(ninth)
        assert ask(server.port, "/health").status == 200  # everybody else comes in
        made = server.create("ur", ["open", "open"])
        with Player(server, made["match"], made["secret"]) as player:
            player.hear()
        for connection in held:
            connection.close()
        until = time.monotonic() + PATIENCE
        while True:  # and so does this one, when it has let go of some
            with call(server, "127.0.0.9") as again, contextlib.suppress(ConnectionResetError):
                again.sendall(request("/health", port=server.port))
                if b"alive" in again.recv(65536):
                    break
            assert time.monotonic() < until


def test_a_trusted_proxy_brings_as_many_as_it_likes(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(connections, "BESIDE", 5)
    with (
        threaded(tmp_path / "proxied.db", sockets=3, proxies="127.0.0.9") as server,
        contextlib.ExitStack() as stack,
    ):
        held = [stack.enter_context(call(server, "127.0.0.9")) for _ in range(20)]
        assert is_alive(held[-1], server)


class Wire:
    """As much of a transport as is counted."""

    def __init__(self, address: str) -> None:
        self._address = address

    def get_extra_info(self, _name: str) -> tuple[str, int]:
        return self._address, 5000


def test_connections_are_counted_by_customer_and_proxies_are_not() -> None:
    counted = connections.Connections(1, addresses.proxies("2001:db8:f::1"))

    def taken(address: str) -> int:
        wires: list[Any] = [Wire(address.format(n)) for n in range(300)]
        return sum(counted.add(wire) is not None for wire in wires)

    most = 1 + connections.BESIDE
    assert taken("2001:db8::{:x}") == most  # one customer, however many addresses
    assert taken("2001:db8:{:x}::1") == 300 - 1  # the first of them is that customer
    assert taken("::ffff:192.0.2.7") == most
    assert taken("192.0.2.7") == 0
    assert taken("2001:db8:f::1") == 300


def limited(soft: int, hard: int) -> object:
    return lambda: resource.setrlimit(resource.RLIMIT_NOFILE, (soft, hard))


def test_a_thousand_silent_connections_shut_nobody_out(tmp_path: Path) -> None:
    """At the usual limit of 1,024 descriptors, which the server raises as far as it may."""
    with (
        Server(tmp_path / "a.db", "--sockets", "200", preexec_fn=limited(1024, 4096)) as server,
        contextlib.ExitStack() as stack,
    ):
        connections.raise_limit()  # of this process, which needs as many
        for n in range(1100):
            stack.enter_context(call(server, f"127.0.1.{n % 250}"))
        assert ask(server.port, "/ready").status == 200
        server.create("ur", ["open", "bot:greedy"])


def test_where_the_limit_cannot_be_raised_the_silent_make_room(tmp_path: Path) -> None:
    with (
        Server(tmp_path / "b.db", "--sockets", "200", preexec_fn=limited(256, 256)) as server,
        contextlib.ExitStack() as stack,
    ):
        for n in range(400):
            stack.enter_context(call(server, f"127.0.2.{n % 250}"))
        assert ask(server.port, "/ready").status == 200
        players = server.table("ur", 1, 1)
        with closing(players):
            players[0].hear()


def test_what_is_a_handshake_only_to_one_of_two_readers_is_closed(server: Server) -> None:
    words = [("X", "a")] * 200
    upgrade = (("Connection", "Upgrade"), ("Upgrade", "websocket"), ("Sec-WebSocket-Version", "13"))
    with call(server) as odd:
        odd.sendall(request("/api/matches/none/socket", *upgrade, *words, port=server.port))
        assert odd.recv(65536).startswith(b"HTTP/1.1 400")
        assert is_dropped(odd)
