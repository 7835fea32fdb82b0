"""Requests exactly as they are written: no library between the test and the server that would tidy them up."""

from __future__ import annotations

import json
import socket
from typing import Any, NamedTuple

from tests.server.running import PATIENCE

UPGRADE = (
    ("Connection", "Upgrade"),
    ("Upgrade", "websocket"),
    ("Sec-WebSocket-Version", "13"),
    ("Sec-WebSocket-Key", "dGhlIHNhbXBsZSBub25jZQ=="),
)


class Answer(NamedTuple):
    """What came back, up to the end of the connection."""

    status: int  # 0: the connection was closed without a word
    headers: dict[str, str]
    body: bytes
    rest: bytes  # what came after the first answer

    @property
    def code(self) -> str:
        """The code of a refusal, or nothing."""
        if not self.body or not self.headers.get("content-type", "").startswith("application/problem+json"):
            return ""
        answer: Any = json.loads(self.body)
        return str(answer["code"])


def exchange(port: int, data: bytes, host: str = "127.0.0.1", *, wait: bool = True) -> Answer:
    """Sends these bytes, and reads all there is; of an answer that does not end only its headers."""
    with socket.create_connection((host, port), PATIENCE) as connection:
        connection.sendall(data)
        got = b""
        while b"\r\n\r\n" not in got or wait:
            try:
                more = connection.recv(65536)
            except ConnectionResetError:
                break
            if not more:
                break
            got += more
    head, _, rest = got.partition(b"\r\n\r\n")
    if not head:
        return Answer(0, {}, b"", b"")
    first, *lines = head.decode("latin-1").split("\r\n")
    headers = {name.lower(): value.strip() for name, _, value in (line.partition(":") for line in lines)}
    length = int(headers.get("content-length", len(rest)))
    return Answer(int(first.split()[1]), headers, rest[:length], rest[length:])


def request(
    target: str | bytes,
    *headers: tuple[str, str],
    method: str = "GET",
    port: int = 0,
    body: bytes | None = None,
    version: str = "1.1",
) -> bytes:
    """The bytes of a request; with a Host unless one is given, and closed after the answer unless said otherwise."""
    names = {name.lower() for name, _ in headers}
    given = list(headers)
    if "host" not in names:
        given.append(("Host", f"127.0.0.1:{port}"))
    if "connection" not in names:
        given.append(("Connection", "close"))
    if body is not None and "content-length" not in names and "transfer-encoding" not in names:
        given.append(("Content-Length", str(len(body))))
    raw = target if isinstance(target, bytes) else target.encode("latin-1")
    lines = "".join(f"{name}: {value}\r\n" for name, value in given).encode("latin-1")
    return method.encode() + b" " + raw + f" HTTP/{version}\r\n".encode() + lines + b"\r\n" + (body or b"")


def ask(port: int, target: str | bytes, *headers: tuple[str, str], **how: Any) -> Answer:
    """One request, one answer."""
    return exchange(port, request(target, *headers, port=port, **how))


def knock(port: int, target: str | bytes, *headers: tuple[str, str]) -> Answer:
    """A WebSocket's handshake."""
    return exchange(port, request(target, *UPGRADE, *headers, port=port), wait=False)
