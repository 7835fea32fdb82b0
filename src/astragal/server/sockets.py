"""WebSockets as uvicorn speaks them, with less work for every message.

An application that takes hold of a connection (`Sockets.attach`) is handed the text of every message, and writes its
own straight to the transport, without a task, a queue and a dictionary in between. uvicorn and its library still do the
handshake, the closing, and every frame that is not of the plain kind (`frames`).

What is written is gathered until the event loop has run what was ready: whoever acts is told what follows and that it
is stored, one right after the other, and sent together the two cost one call of the system.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import Any

from uvicorn.protocols.websockets.websockets_sansio_impl import WebSocketsSansIOProtocol

from astragal.server import frames, keepalive
from astragal.server.connections import Connections
from astragal.server.keepalive import Keepalive
from astragal.server.subscribers import MOST_UNREAD

EXTENSION = "astragal.socket"  # under which a scope holds its connection
MOST_UNREAD_BYTES = 1024 * 1024  # of answers to pings


class Gathering:
    """A transport that holds what is written until the event loop has run what was ready, and writes it at once."""

    __slots__ = ("_held", "_loop", "_transport")

    def __init__(self, transport: Any, loop: asyncio.AbstractEventLoop) -> None:
        self._transport, self._loop = transport, loop
        self._held: list[bytes] = []

    def write(self, *data: bytes) -> None:
        """Holds the data until the event loop has run what is ready; then all of it is written at once."""
        if not self._held:
            self._loop.call_soon(self._flush)
        self._held.extend(data)

    def close(self) -> None:
        """Writes what is held, then closes."""
        self._flush()
        self._transport.close()

    def _flush(self) -> None:
        if self._held:
            self._transport.write(b"".join(self._held))
            self._held.clear()

    def __getattr__(self, name: str) -> Any:
        return getattr(self._transport, name)


class Sockets(WebSocketsSansIOProtocol):
    """One connection."""

    _who: str | None = None
    _told: Callable[[str | None], None] | None = None  # the application's; None, once it is told that this is over
    _beat: Callable[[], bytes] | None = None
    _heard_at = _pinged_at = 0.0
    _unread: int | None = None  # messages written since the other side stopped reading

    def connection_made(self, transport: Any) -> None:
        self._all: Connections = self.app.connections
        self._keepalive: Keepalive = self.app.keepalive
        self._who = self._all.add(transport)
        super().connection_made(Gathering(transport, self.loop))  # type: ignore[arg-type]

    def handle_connect(self, event: Any) -> None:
        super().handle_connect(event)
        if self.response.status_code == 101:
            self.scope["extensions"][EXTENSION] = self  # type: ignore[assignment]

    # For the application ------------------------------------------------------------------------------------------

    def attach(self, told: Callable[[str | None], None], beat: Callable[[], bytes] | None) -> None:
        """From now on `told` gets every message, and None at the end. `beat`: what is sent when there is no news."""
        self._told, self._beat = told, beat
        while not self.queue.empty():
            self._hand_over(self.queue.get_nowait())
        self.scope = self.request = self.response = None  # type: ignore[assignment]  # no more needed, and large

    def write_text(self, message: bytes) -> None:
        """Sends a message. Whoever does not read is disconnected."""
        if self.close_sent or self.disconnected:
            return
        if self._unread is not None:
            self._unread += 1
            if self._unread > MOST_UNREAD:
                self.transport.abort()
                return
        self.transport.write(frames.head_of_text(len(message)), message)  # type: ignore[call-arg]

    def pause(self, on: bool) -> None:
        """Lets the other side wait with its messages, or send them again."""
        if self.read_paused != on and not self.disconnected:
            self.read_paused = on
            (self.transport.pause_reading if on else self.transport.resume_reading)()

    def detach(self) -> None:
        """The application has no more to say; what arrives is the library's."""
        self._told = self._beat = None

    def _hand_over(self, event: Any) -> None:
        if self._told is not None:
            if event["type"] == "websocket.receive":
                self._told(event.get("text") or "")
            elif event["type"] == "websocket.disconnect":
                self._told(None)

    # From the transport -------------------------------------------------------------------------------------------

    def data_received(self, data: bytes) -> None:
        self._heard_at = self.loop.time()
        conn = self.conn
        if self._told is not None and not self.close_sent and conn.current_size is None and not conn.reader.buffer:
            if (text := frames.text_of(data)) is not None:
                self._told(text)
                return
            if frames.is_pong(data):
                return
        super().data_received(data)
        if not self.handshake_initiated and not self.transport.is_closing():
            # What is no handshake to the library, though it is one to h11, would stay open and silent.
            self.transport.write(b"HTTP/1.1 400 Bad Request\r\nconnection: close\r\ncontent-length: 0\r\n\r\n")
            self.transport.close()

    def send_receive_event_to_app(self) -> None:
        super().send_receive_event_to_app()
        if self._told is not None:
            self.pause(False)
            while not self.queue.empty():
                self._hand_over(self.queue.get_nowait())

    def pause_writing(self) -> None:
        super().pause_writing()
        self._unread = 0

    def resume_writing(self) -> None:
        super().resume_writing()
        self._unread = None

    async def send(self, message: Any) -> None:
        """A handshake that was refused in words is over; uvicorn would log it as one that failed."""
        await super().send(message)
        if message["type"] == "websocket.http.response.body":
            self.handshake_complete = True

    def handle_ping(self) -> None:
        """Answers to pings wait in memory for whoever does not read them; not many do."""
        super().handle_ping()
        if self.transport.get_write_buffer_size() > MOST_UNREAD_BYTES:
            self.transport.abort()

    def connection_lost(self, exc: Exception | None) -> None:
        if self._who is not None:
            self._all.remove(self._who)
            self._who = None
        super().connection_lost(exc)
        if self._told is not None:
            self._told(None)

    # Signs of life ------------------------------------------------------------------------------------------------

    def start_keepalive(self) -> None:
        """From uvicorn, when the handshake is over."""
        self._keepalive.add(self)

    def stop_keepalive(self) -> None:
        """From uvicorn, at the end."""
        self._keepalive.remove(self)

    def visit(self, now: float) -> None:
        """Pings, unless the last ping is still unanswered; then the time of that one runs out."""
        if self.close_sent or self.transport.is_closing():
            return
        if self._heard_at < self._pinged_at:
            self.loop.call_later(max(0.0, self._pinged_at + keepalive.PONG - now), self._give_up)
            return
        if self._beat is not None:
            self.write_text(self._beat())
        self._pinged_at = now
        self.transport.write(frames.PING)

    def _give_up(self) -> None:
        """Nobody answers. What is still to be written would keep the connection, and nobody reads it."""
        if self._heard_at < self._pinged_at:
            self.keepalive_timeout()
            if self.transport.get_write_buffer_size():
                self.transport.abort()
