"""Frames that are read and written without the library mean what the library takes them for; it gets all others."""

from __future__ import annotations

import contextlib
import json
import socket
import threading
from collections import deque
from collections.abc import Iterator
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from websockets.frames import Close, Frame, Opcode
from websockets.protocol import CLIENT, SERVER, Protocol

from astragal.server import frames, keepalive
from tests.server.raw import UPGRADE, request
from tests.server.running import PATIENCE, Player, Server, threaded


def masked(opcode: Opcode, data: bytes, *, fin: bool = True) -> bytes:
    return Frame(opcode, data, fin=fin).serialize(mask=True)


texts = st.one_of(st.text(max_size=200), st.sampled_from(["x" * n for n in (0, 125, 126, 127, 65_535)]))


@given(texts)
def test_a_whole_message_in_one_frame_is_read(text: str) -> None:
    if len(text.encode()) < 1 << 16:
        assert frames.text_of(masked(Opcode.TEXT, text.encode())) == text


@given(st.text(max_size=300), st.data())
def test_parts_and_sequels_are_left_to_the_library(text: str, data: st.DataObject) -> None:
    frame = masked(Opcode.TEXT, text.encode())
    cut = data.draw(st.integers(0, len(frame) - 1))
    assert frames.text_of(frame[:cut]) is None
    assert frames.text_of(frame + masked(Opcode.PONG, b"")[: cut + 1]) is None


OTHERS = {
    "binary": masked(Opcode.BINARY, b"{}"),
    "first part": masked(Opcode.TEXT, b"{", fin=False),
    "last part": masked(Opcode.CONT, b"}"),
    "ping": masked(Opcode.PING, b"{}"),
    "close": masked(Opcode.CLOSE, Close(1000, "").serialize()),
    "not masked": Frame(Opcode.TEXT, b"{}").serialize(mask=False),
    "no text": masked(Opcode.TEXT, b"\xff\xfe"),
    "too long": masked(Opcode.TEXT, b"x" * 70_000),
    "reserved bit": b"\xc1" + masked(Opcode.TEXT, b"{}")[1:],
    "nothing": b"",
}


@pytest.mark.parametrize("kind", OTHERS)
def test_every_other_frame_is_left_to_the_library(kind: str) -> None:
    assert frames.text_of(OTHERS[kind]) is None
    assert not frames.is_pong(OTHERS[kind])


@given(texts)
def test_what_is_written_is_what_the_library_reads(text: str) -> None:
    client = Protocol(CLIENT, max_size=None)
    client.receive_data(frames.head_of_text(len(text.encode())) + text.encode() + frames.PING)
    message, ping = client.events_received()
    assert (message.opcode, message.fin, bytes(message.data).decode()) == (Opcode.TEXT, True, text)  # type: ignore[union-attr]
    assert ping.opcode == Opcode.PING  # type: ignore[union-attr]
    (pong,) = client.data_to_send()
    assert frames.is_pong(pong)
    server = Protocol(SERVER)
    server.receive_data(pong)
    assert server.parser_exc is None


class Wire:
    """A player's socket of which every byte is the test's own."""

    def __init__(self, server: Server, match: str, secret: str) -> None:
        self.connection = socket.create_connection(("127.0.0.1", server.port), PATIENCE)
        bearer = ("Authorization", f"Bearer {secret}")
        self.connection.sendall(request(f"/api/matches/{match}/socket", *UPGRADE, bearer, port=server.port))
        head = b""
        while not head.endswith(b"\r\n\r\n"):
            head += self.connection.recv(1)
        assert head.startswith(b"HTTP/1.1 101")
        self._protocol = Protocol(CLIENT, max_size=None)
        self._answers: deque[dict[str, Any]] = deque()

    def send(self, *parts: bytes) -> None:
        for part in parts:
            self.connection.sendall(part)

    def answer(self) -> dict[str, Any]:
        """The next `done` or `refused`."""
        while not self._answers:
            try:
                data = self.connection.recv(65536)
            except ConnectionResetError:  # it had not read all that was sent
                data = b""
            assert data, "the server has hung up"
            self._protocol.receive_data(data)
            self.send(*self._protocol.data_to_send())  # answers to pings
            for event in self._protocol.events_received():
                if isinstance(event, Frame) and event.opcode == Opcode.TEXT:
                    message: dict[str, Any] = json.loads(bytes(event.data))
                    if message["type"] in ("done", "refused"):
                        self._answers.append(message)
        return self._answers.popleft()


@pytest.fixture
def wire(server: Server) -> Iterator[Wire]:
    made = server.create("ur", ["open", "open"])
    each = Wire(server, made["match"], made["secret"])
    with contextlib.closing(each.connection):
        yield each


def said(id: str, text: str = "hello") -> bytes:
    return json.dumps({"type": "say", "text": text, "id": id}).encode()


def test_commands_arrive_however_they_are_cut_up(wire: Wire) -> None:
    one, two = masked(Opcode.TEXT, said("a")), masked(Opcode.TEXT, said("b"))
    wire.send(one + two)  # two frames in one piece
    assert [wire.answer()["id"], wire.answer()["id"]] == ["a", "b"]
    for byte in masked(Opcode.TEXT, said("c")):  # one frame in many
        wire.send(bytes([byte]))
    wire.send(masked(Opcode.TEXT, said("d")))
    assert [wire.answer()["id"], wire.answer()["id"]] == ["c", "d"]
    text = said("e")  # one message in three frames, and a ping and a whole frame's bytes in between
    wire.send(masked(Opcode.TEXT, text[:5], fin=False))
    wire.send(masked(Opcode.PING, b"?"))
    wire.send(masked(Opcode.CONT, text[5:9], fin=False), masked(Opcode.CONT, text[9:]))
    assert wire.answer()["id"] == "e"
    wire.send(masked(Opcode.TEXT, said("f", "x" * 400)))  # longer than 125 bytes
    assert wire.answer()["id"] == "f"


def test_a_frame_in_the_midst_of_a_message_ends_the_connection(wire: Wire) -> None:
    """Read past the library it would be taken for a message of its own."""
    text = said("a")
    wire.send(masked(Opcode.TEXT, text[:5], fin=False))
    wire.send(masked(Opcode.TEXT, said("b")))
    with pytest.raises(AssertionError, match="hung up"):
        wire.answer()


def test_whoever_is_not_understood_is_told_so(wire: Wire) -> None:
    wire.send(masked(Opcode.BINARY, said("a")))
    assert wire.answer()["code"] == "malformed"
    wire.send(masked(Opcode.TEXT, b"\xff"))
    with pytest.raises(AssertionError, match="hung up"):
        wire.answer()


def test_whoever_sends_far_ahead_waits_and_loses_nothing(wire: Wire) -> None:
    commands = [masked(Opcode.TEXT, said(f"k{n}")) for n in range(60)]
    sender = threading.Thread(target=wire.send, args=commands)
    sender.start()
    assert [wire.answer()["id"] for _ in commands] == [f"k{n}" for n in range(60)]
    sender.join()


def test_whoever_does_not_read_is_dropped_and_the_others_go_on(tmp_path: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    """Ten megabytes of answers are more than the system keeps for anybody."""
    monkeypatch.setattr(keepalive, "PONG", 1000.0)  # it is not the missing pong that ends it
    with threaded(tmp_path / "slow.db", seat_rate=0) as server:
        made = server.create("ur", ["open", "open"])
        with Player(server, made["match"], made["secret"]) as player:
            deaf = Wire(server, made["match"], made["secret"])
            nonsense = masked(Opcode.TEXT, b'{"type":"act","ply":0,"text":"nonsense","id":"%s"}' % (b"x" * 40))
            with contextlib.closing(deaf.connection), pytest.raises(ConnectionError):
                deaf.send(*[nonsense * 100] * 1000)
            assert player.do(type="say", phrase="hello")["type"] == "done"


def test_a_silent_connection_is_pinged_and_a_dead_one_given_up(tmp_path: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(keepalive, "PING", 0.3)
    monkeypatch.setattr(keepalive, "PONG", 2.0)  # time enough for a player on a busy machine
    with threaded(tmp_path / "pings.db") as server:
        made = server.create("ur", ["open", "open"])
        with Player(server, made["match"], made["secret"]) as player:  # its library answers pings
            player.hear()
            with contextlib.closing(Wire(server, made["match"], made["secret"]).connection) as dead:
                got = b""
                while more := dead.recv(65536):  # it reads, and answers nothing
                    got += more
            assert frames.PING in got
            assert player.do(type="say", phrase="hello")["type"] == "done"
