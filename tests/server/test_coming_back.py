"""Connections that break at any moment, and come back for exactly the rest."""

from __future__ import annotations

import contextlib
import json
import socket
import struct
from collections.abc import Iterator
from random import Random
from typing import Any

import httpx
import pytest

from tests.server.running import Player, Server, closing, play_on


def without_now(news: dict[str, Any]) -> dict[str, Any]:
    """The message without the time at which it was made."""
    times = {key: value for key, value in news["table"]["times"].items() if key != "now"}
    return {**news, "table": {**news["table"], "times": times}}


@pytest.mark.parametrize(("game", "options"), [("ur", {}), ("nile", {"board": "small"}), ("egar", {"board": "quick"})])
def test_coming_back_at_any_event_gives_exactly_the_rest(server: Server, game: str, options: dict[str, Any]) -> None:
    with closing(server.table(game, 2, options=options)) as players:
        play_on(players, Random(5), moves=6)
        newest = max(player.table["n"] for player in players)
        for player in players:
            player.until_table(lambda table: table["n"] >= newest)
            whole = player.events
            assert [event["n"] for event in whole] == list(range(1, newest + 1))
            for since in (*range(0, newest, 3), newest, newest + 7):
                with Player(server, player.match, player.secret, since=since) as back:
                    first = back.hear()
                    assert first["events"] == [event for event in whole if event["n"] > since]
                    assert without_now(first)["table"] == without_now({"table": player.table})["table"]


def test_the_seats_link_works_on_another_device_and_in_another_language(server: Server) -> None:
    with closing(server.table("ur", 2)) as players:
        play_on(players, Random(5), moves=3)
        player = players[0]
        answer = server.post(f"/api/matches/{player.match}/enter", {"secret": player.secret})
        assert answer.json()["seat"] == 0
        cookie = answer.headers["set-cookie"]
        assert "HttpOnly" in cookie
        assert "SameSite=strict" in cookie.replace("Strict", "strict")
        assert f"Path=/api/matches/{player.match}" in cookie
        shown = cookie.split(";")[0]
        table = httpx.get(
            f"{server.address}/api/matches/{player.match}/table", params={"lang": "de"}, headers={"cookie": shown}
        ).json()["table"]
        assert table["you"] == 0
        assert table["seats"][0]["title"] == "Hell"


def frame(text: bytes) -> bytes:
    """A text message of a WebSocket client."""
    mask = b"\x01\x02\x03\x04"
    return bytes([0x81, 0x80 | len(text)]) + mask + bytes(b ^ mask[i % 4] for i, b in enumerate(text))


def conversations(server: Server, player: Player) -> Iterator[bytes]:
    """Something said, over a socket and by POST, as bytes on the wire."""
    text = json.dumps({"type": "say", "text": "cut off"}).encode()
    host = f"Host: 127.0.0.1:{server.port}\r\nAuthorization: Bearer {player.secret}\r\n"
    path = f"/api/matches/{player.match}"
    yield (
        f"GET {path}/socket HTTP/1.1\r\n{host}Upgrade: websocket\r\nConnection: Upgrade\r\n"
        "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\nSec-WebSocket-Version: 13\r\n\r\n"
    ).encode() + frame(text)
    yield (
        f"POST {path}/commands HTTP/1.1\r\n{host}Content-Type: application/json\r\nContent-Length: {len(text)}\r\n\r\n"
    ).encode() + text


def cut(server: Server, beginnings: list[bytes]) -> None:
    """Sends the beginning of a conversation on a connection each, then hangs up: politely or not, by turns."""
    with contextlib.ExitStack() as stack:
        for number, data in enumerate(beginnings):
            raw = stack.enter_context(socket.create_connection(("127.0.0.1", server.port)))
            if number % 2:  # a reset instead of a goodbye
                raw.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
            raw.sendall(data)
        server.get("/health")  # by now the server has read them


def said(server: Server, match: str) -> int:
    events = server.get(f"/api/matches/{match}/table").json()["events"]
    return [event["text"].endswith("cut off") for event in events if event["kind"] == "said"].count(True)


def test_sockets_cut_at_any_byte_hurt_nobody(server: Server) -> None:
    with closing(server.table("ur", 2)) as players:
        whole = list(conversations(server, players[0]))
        for bytes_of in whole:
            lengths = range(1, len(bytes_of))
            for start in range(0, len(lengths), 100):
                cut(server, [bytes_of[:length] for length in lengths[start : start + 100]])
        play_on(players, Random(1), moves=4)
        assert said(server, players[0].match) == 0  # every one of them lacked at least one byte
        for bytes_of in whole:  # whole, but nobody stays for the answer
            cut(server, [bytes_of] * 4)
        play_on(players, Random(1), moves=4)
        assert said(server, players[0].match) <= 8
        assert all([e["n"] for e in player.events] == list(range(1, player.last + 1)) for player in players)
        assert server.get("/ready").status_code == 200
        assert "Traceback" not in server.said()


def test_whoever_is_connected_is_present(server: Server) -> None:
    with closing(server.table("ur", 2)) as players:
        first, second = players
        first.until(lambda m: m["type"] == "presence" and m["seats"] == [True, True])
        second.close()
        first.until(lambda m: m["type"] == "presence" and m["seats"] == [True, False])
        second.connect()
        first.until(lambda m: m["type"] == "presence" and m["seats"] == [True, True])
        with Player(server, first.match, None):
            first.until(lambda m: m["type"] == "presence" and m["watchers"] == 1)
        first.until(lambda m: m["type"] == "presence" and m["watchers"] == 0)
