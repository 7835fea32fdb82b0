"""What processes on one PostgreSQL tell each other, and what each of them knows of the others' players.

A note that something was stored is sent in the storing transaction. The others are about presence only, which is
nowhere stored: a process is believed as long as it says every second that it lives.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import reduce

import msgspec
import sqlalchemy as sa
from msgspec import Struct
from sqlalchemy.dialects.postgresql import ARRAY
from sqlalchemy.ext.asyncio import AsyncConnection

from astragal.server.journal import Kept

CHANNEL = "astragal"
MOST_BYTES = 7_900  # of one notification; PostgreSQL refuses 8,000
LIVES_MS = 10_000  # a process that was not heard of for so long is gone, and its players with it


class Connected(Struct, frozen=True, omit_defaults=True):
    """Who follows a match: the seats whose players are connected, and how many others."""

    seats: frozenset[int] = frozenset()
    watchers: int = 0

    def __or__(self, other: Connected) -> Connected:
        return Connected(self.seats | other.seats, self.watchers + other.watchers)


NOBODY = Connected()


class Notification(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """One notification. With neither `last` nor `here` it says that its sender lives."""

    sender: str
    match: str = ""
    last: int | None = None  # entries up to this number are stored
    rows: tuple[Kept, ...] = ()  # those that were stored last, if they are short enough
    here: Connected | None = None  # who is connected to the sender
    ask: bool = False  # who else has players of this match is to say so too
    lobby: bool = False  # with `last`: the match waits for players
    players: tuple[str, ...] = ()  # what the halls of these players show has changed
    tickets: tuple[str, ...] = ()  # something has become of these
    online: tuple[str, ...] = ()  # players who have opened a hall at the sender
    offline: tuple[str, ...] = ()  # and who have closed it
    leaving: bool = False  # the sender goes down


_decoder = msgspec.json.Decoder(Notification)


def read(text: str) -> Notification:
    """A note as it was sent. Raises msgspec.MsgspecError."""
    return _decoder.decode(text)


async def notify(connection: AsyncConnection, notifications: Sequence[Notification]) -> None:
    """Sends notes, when the transaction is committed."""
    notes = sa.func.unnest(sa.literal([msgspec.json.encode(note).decode() for note in notifications], ARRAY(sa.Text)))
    await connection.execute(sa.select(sa.func.pg_notify(CHANNEL, notes)))


class RemotePresence:
    """Who is connected to other processes."""

    def __init__(self) -> None:
        self._heard: dict[str, int] = {}  # when each process was last heard
        self._there: dict[str, dict[str, Connected]] = {}  # of each match, by process

    def of(self, match: str) -> Connected:
        """Those who follow one match."""
        return reduce(Connected.__or__, self._there.get(match, {}).values(), NOBODY)

    def hear(self, note: Notification, now: int) -> bool:
        """Learns from a note; whether its sender was unknown till now, so that there is more to ask."""
        new = note.sender not in self._heard
        self._heard[note.sender] = now
        if note.here is not None:
            self._there.setdefault(note.match, {})[note.sender] = note.here
            if note.here == NOBODY:
                self._drop(note.match, note.sender)
        return new and not note.leaving

    def leave(self, sender: str) -> list[str]:
        """A process is gone; the matches in which that changes who is there."""
        self._heard.pop(sender, None)
        changed = [match for match, there in self._there.items() if sender in there]
        for match in changed:
            self._drop(match, sender)
        return changed

    def silent(self, now: int) -> list[str]:
        """The processes that have not been heard of for too long."""
        return [sender for sender, at in self._heard.items() if at < now - LIVES_MS]

    def _drop(self, match: str, sender: str) -> None:
        there = self._there[match]
        del there[sender]
        if not there:
            del self._there[match]
