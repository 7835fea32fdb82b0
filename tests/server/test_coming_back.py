"""Connections that break at any moment, and come back for exactly the rest."""

from __future__ import annotations

import json
import socket
import time
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


def cut(server: Server, player: Player, data: bytes) -> None:
    """Sends the first bytes of a WebSocket conversation, and hangs up."""
    with socket.create_connection(("127.0.0.1", server.port)) as raw:
        raw.sendall(data)
        time.sleep(0.01)


def conversation(server: Server, player: Player) -> bytes:
    """A handshake and a whole move, as bytes on the wire."""
    text = json.dumps({"type": "say", "text": "cut off"}).encode()
    mask = b"\x01\x02\x03\x04"
    frame = bytes([0x81, 0x80 | len(text)]) + mask + bytes(b ^ mask[i % 4] for i, b in enumerate(text))
    return (
        f"GET /api/matches/{player.match}/socket HTTP/1.1\r\nHost: 127.0.0.1:{server.port}\r\n"
        "Upgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n"
        f"Sec-WebSocket-Version: 13\r\nAuthorization: Bearer {player.secret}\r\n\r\n"
    ).encode() + frame


def test_sockets_cut_at_any_byte_hurt_nobody(server: Server) -> None:
    with closing(server.table("ur", 2)) as players:
        whole = conversation(server, players[0])
        for length in range(1, len(whole), 7):
            cut(server, players[0], whole[:length])
        play_on(players, Random(1), moves=4)
        said = [event for event in players[1].events if event["kind"] == "said"]
        assert len(said) <= 1  # the last cuts may have let it through, never half of it
        assert server.get("/ready").status_code == 200


def test_whoever_is_connected_is_present(server: Server) -> None:
    with closing(server.table("ur", 2)) as players:
        first, second = players
        first.until(lambda m: m["type"] == "presence" and m["seats"] == [True, True])
        second.close()
        first.until(lambda m: m["type"] == "presence" and m["seats"] == [True, False])
        second.connect()
        first.until(lambda m: m["type"] == "presence" and m["seats"] == [True, True])
