"""A match in memory, and the connections that follow it."""

from __future__ import annotations

import asyncio

from astragal.server.room import Room
from astragal.server.store import now_ms

UNREAD = 200  # messages that a slow connection may leave unread


class Follower:
    """One connection that follows a match: through whose eyes, in which language, and how far it has been told."""

    def __init__(self, match: str, viewer: int | None, lang: str, told: int, views: bool = False) -> None:
        self.match, self.viewer, self.lang, self.told = match, viewer, lang, told
        self.views = views  # whether it wants the view after every event, as a client that shows them one by one
        self.messages: asyncio.Queue[bytes | None] = asyncio.Queue(UNREAD)  # None: no more

    def send(self, message: bytes | None) -> None:
        """Never waits: whoever does not read is let go, and can come back for the rest."""
        if self.messages.full():
            while not self.messages.empty():
                self.messages.get_nowait()
            message = None
        self.messages.put_nowait(message)


class Held:
    """A match in memory with those who follow it."""

    def __init__(self, room: Room) -> None:
        self.room: Room | None = room  # None: what is here may not be what is stored
        self.lock = asyncio.Lock()
        self.followers: set[Follower] = set()
        self.thinking: asyncio.Task[None] | None = None
        self.timer: asyncio.TimerHandle | None = None
        self.used = now_ms()

    @property
    def present(self) -> frozenset[int]:
        """Seats whose players are connected to this process."""
        return frozenset(follower.viewer for follower in self.followers if follower.viewer is not None)
