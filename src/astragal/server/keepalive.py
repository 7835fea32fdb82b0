"""Pings for all WebSockets of a process, so that a lost player is soon seen.

One timer serves all of them, a part at a time: with timers of their own, thousands of quiet sockets would cost more
than the matches that are played.
"""

from __future__ import annotations

import asyncio
from itertools import cycle
from typing import Protocol

PING, PONG = 1.5, 2.5  # seconds between two pings of a socket, and until it must have been heard of again
PARTS = 6  # in which all sockets are visited, one part after the other


class Watched(Protocol):
    """A socket as it is watched here."""

    def visit(self, now: float) -> None:
        """Pings it. `now` is the time by the event loop's clock."""
        ...


class Keepalive:
    """Visits every socket once in `PING` seconds."""

    def __init__(self) -> None:
        self._parts: list[set[Watched]] = [set() for _ in range(PARTS)]
        self._next = cycle(self._parts)
        self._timer: asyncio.TimerHandle | None = None

    def add(self, socket: Watched) -> None:
        """Watches this socket from now on."""
        min(self._parts, key=len).add(socket)
        if self._timer is None:
            self._timer = asyncio.get_running_loop().call_later(PING / PARTS, self._visit)

    def remove(self, socket: Watched) -> None:
        """It is gone."""
        for part in self._parts:
            part.discard(socket)

    def _visit(self) -> None:
        loop = asyncio.get_running_loop()
        self._timer = loop.call_later(PING / PARTS, self._visit) if any(self._parts) else None
        now = loop.time()
        for socket in tuple(next(self._next)):
            socket.visit(now)
