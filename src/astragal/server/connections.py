"""Connections before anything is asked on them: how many, and for how long they may be silent.

A connection costs a descriptor, of which a process has so many; whoever opens a thousand and says nothing would shut
everybody else out. So each address has a number of its own, a request must be complete in some time, and when
descriptors get scarce those who have been silent the longest go first.
"""

from __future__ import annotations

import asyncio
from typing import Any

import h11
from uvicorn.protocols.http.h11_impl import H11Protocol

from astragal.server import addresses

try:
    import resource
except ImportError:  # Windows, which has no such limit
    resource = None  # type: ignore[assignment]

HEAD_SECONDS = 10.0  # until the headers of a request are there
BODY_SECONDS = 60.0  # until its body is: 4 MB over a slow line
UNREAD_SECONDS = 60.0  # that an answer may wait for a caller who does not read it
BESIDE = 100  # connections of one address beside those that stay open (`--sockets`)
WANTED = 65_536  # descriptors
RESERVED = 128  # of these for the store, the bots and the log


def raise_limit() -> None:
    """As many descriptors as the system lets us have, up to what we could need."""
    if resource is None:
        return
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    wanted = WANTED if hard == resource.RLIM_INFINITY else min(WANTED, hard)
    if soft != resource.RLIM_INFINITY and soft < wanted:
        resource.setrlimit(resource.RLIMIT_NOFILE, (wanted, hard))


def room() -> int:
    """How many connections this process has descriptors for."""
    if resource is None:
        return WANTED
    soft, _ = resource.getrlimit(resource.RLIMIT_NOFILE)
    return WANTED if soft == resource.RLIM_INFINITY else max(soft - RESERVED, soft // 2)


class Connections:
    """The open connections of a process, by whoever is at their other end."""

    def __init__(self, sockets: int, proxies: addresses.Networks) -> None:
        self.set(sockets)
        self._proxies = proxies  # they bring many callers, and limit them themselves
        self._most = room()
        self._count: dict[str, int] = {}
        self._total = 0
        self._silent: dict[asyncio.Transport, None] = {}  # nothing asked yet, the oldest first

    def set(self, sockets: int) -> None:
        """So many connections of one address may stay open from now on; 0: any number."""
        self._each = sockets + BESIDE if sockets else 0

    def add(self, transport: asyncio.Transport) -> str | None:
        """Takes a connection in, and under whose name it counts; None if that one has too many."""
        peer = transport.get_extra_info("peername")
        address = str(peer[0]) if isinstance(peer, tuple) else "-"
        who = addresses.household(address)
        if self._each and self._count.get(who, 0) >= self._each and address not in self._proxies:
            return None
        if self._total >= self._most:
            oldest = next(iter(self._silent), None)
            if oldest is None:
                return None
            self.asked(oldest)
            oldest.abort()
        self._count[who] = self._count.get(who, 0) + 1
        self._total += 1
        return who

    def remove(self, who: str) -> None:
        """A connection of theirs is gone."""
        self._total -= 1
        self._count[who] -= 1
        if not self._count[who]:
            del self._count[who]

    def wait(self, transport: asyncio.Transport) -> None:
        """Nothing was asked on this connection yet."""
        self._silent[transport] = None

    def asked(self, transport: asyncio.Transport) -> None:
        """Something was, or it is gone."""
        self._silent.pop(transport, None)


class Http(H11Protocol):
    """HTTP as uvicorn speaks it, for those who finish their requests."""

    _who: str | None = None
    _deadline: asyncio.TimerHandle | None = None
    _unread: asyncio.TimerHandle | None = None
    _phase: Any = None

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        self._all: Connections = self.app.connections
        self._who = self._all.add(transport)
        super().connection_made(transport)
        if self._who is None:
            transport.abort()
            return
        self._all.wait(transport)
        self._watch()

    def connection_lost(self, exc: Exception | None) -> None:
        self._leave()
        super().connection_lost(exc)

    def data_received(self, data: bytes) -> None:
        super().data_received(data)
        if self._who is not None:
            self._watch()

    def on_response_complete(self) -> None:
        super().on_response_complete()
        if self._who is not None:
            self._watch()

    def handle_websocket_upgrade(self, event: h11.Request) -> None:
        self._leave()  # it goes on as a WebSocket, and is counted as one
        super().handle_websocket_upgrade(event)

    def pause_writing(self) -> None:
        super().pause_writing()
        self._unread = self.loop.call_later(UNREAD_SECONDS, self._give_up)

    def resume_writing(self) -> None:
        super().resume_writing()
        if self._unread is not None:
            self._unread.cancel()
            self._unread = None

    def _watch(self) -> None:
        """Sets the time in which what is now awaited must have come; what comes bit by bit gains none."""
        phase = self.conn.their_state
        if phase is self._phase:
            return
        self._phase = phase
        if self._deadline is not None:
            self._deadline.cancel()
            self._deadline = None
        if phase is not h11.IDLE:
            self._all.asked(self.transport)
        if phase in (h11.IDLE, h11.SEND_BODY):
            seconds = HEAD_SECONDS if phase is h11.IDLE else BODY_SECONDS
            self._deadline = self.loop.call_later(seconds, self._give_up)

    def _give_up(self) -> None:
        if not self.transport.is_closing():
            self.transport.abort()

    def _leave(self) -> None:
        for timer in (self._deadline, self._unread):
            if timer is not None:
                timer.cancel()
        self._deadline = self._unread = None
        if self._who is not None:
            self._all.asked(self.transport)
            self._all.remove(self._who)
            self._who = None
