"""Which players have a hall open, at this process or at another; only their friends are told."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from typing import Protocol

from astragal.server import friends
from astragal.server.notifications import Notification
from astragal.server.rooms import Rooms

LINGER = 5.0  # seconds that somebody counts as there after the last connection: a page that is loaded again
MOST_KEYS = 100  # in one notification


class Changed(Protocol):
    """Called with the players who are to be told something."""

    def __call__(self, keys: Sequence[str], *, elsewhere: bool = ...) -> None: ...


class HallPresence:
    """Who is there."""

    def __init__(self, rooms: Rooms, changed: Changed) -> None:
        self._rooms, self._changed = rooms, changed
        self._here: dict[str, int] = {}  # connections of each player
        self._there: dict[str, set[str]] = {}  # players at other processes, by process

    def online(self, key: str) -> bool:
        """Whether this player has a hall open somewhere."""
        return key in self._here or any(key in keys for keys in self._there.values())

    def come(self, key: str) -> None:
        """A hall of this player was opened here."""
        self._here[key] = self._here.get(key, 0) + 1
        if self._here[key] == 1:
            self._tell([key], there=True)

    def go(self, key: str) -> None:
        """One was closed; the player is gone if no other is opened soon."""
        asyncio.get_running_loop().call_later(LINGER, self._gone, key)

    def _gone(self, key: str) -> None:
        self._here[key] -= 1
        if not self._here[key]:
            del self._here[key]
            self._tell([key], there=False)

    # Other processes ----------------------------------------------------------------------------------------------

    def hear(self, note: Notification) -> None:
        """Another process says who is there, or is no more."""
        if note.online or note.offline:
            there = self._there.setdefault(note.sender, set())
            there.update(note.online)
            there.difference_update(note.offline)
            self._rooms.spawn(self._tell_friends([*note.online, *note.offline]))

    def lose(self, sender: str) -> None:
        """A process is gone, and whoever was connected to it."""
        self._rooms.spawn(self._tell_friends(list(self._there.pop(sender, ()))))

    def introduce(self) -> None:
        """Tells a process that was unknown till now who is here."""
        self._notify(list(self._here), there=True)

    def _tell(self, keys: Sequence[str], *, there: bool) -> None:
        if not self._rooms.closing:
            self._notify(keys, there=there)
            self._rooms.spawn(self._tell_friends(keys))

    async def _tell_friends(self, keys: Sequence[str]) -> None:
        with self._rooms.logged("presence of friends", ""):
            told = [friend for key in keys for friend in await friends.mutual(self._rooms.store, key)]
            self._changed(told, elsewhere=True)  # each process tells its own

    def _notify(self, keys: Sequence[str], *, there: bool) -> None:
        store = self._rooms.store
        if store.embedded:
            return
        for first in range(0, len(keys), MOST_KEYS):
            some = tuple(keys[first : first + MOST_KEYS])
            note = Notification(sender=store.name, online=some if there else (), offline=() if there else some)
            self._rooms.spawn(self._send(note))

    async def _send(self, note: Notification) -> None:
        with self._rooms.logged("presence", ""):
            await self._rooms.store.notify([note])
