"""What processes on one PostgreSQL tell each other, and what each of them knows of the others' players.

A note that something was stored is sent in the storing transaction. The others are about presence only, which is
nowhere stored: a process is believed as long as it says every second that it lives.
"""

from __future__ import annotations

from collections.abc import Sequence

import msgspec
import sqlalchemy as sa
from msgspec import Struct
from sqlalchemy.ext.asyncio import AsyncConnection

CHANNEL = "astragal"
LIVES_MS = 10_000  # a process that was not heard of for so long is gone, and its players with it


class Note(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """One notification. With neither `last` nor `here` it says that its sender lives."""

    sender: str
    match: str = ""
    last: int | None = None  # entries up to this number are stored
    here: tuple[int, ...] | None = None  # the seats whose players are connected to the sender
    ask: bool = False  # who else has players of this match is to say so too
    leaving: bool = False  # the sender goes down


def read(text: str) -> Note:
    """A note as it was sent. Raises msgspec.MsgspecError."""
    return msgspec.json.decode(text, type=Note)


async def notify(connection: AsyncConnection, told: Sequence[Note]) -> None:
    """Sends notes, when the transaction is committed."""
    for note in told:
        await connection.execute(sa.select(sa.func.pg_notify(CHANNEL, msgspec.json.encode(note).decode())))


class Elsewhere:
    """The seats whose players are connected to other processes."""

    def __init__(self) -> None:
        self._heard: dict[str, int] = {}  # when each process was last heard
        self._seats: dict[str, dict[str, frozenset[int]]] = {}  # of each match, by process

    def seats(self, match: str) -> frozenset[int]:
        """Those of one match."""
        return frozenset[int]().union(*self._seats.get(match, {}).values())

    def hear(self, note: Note, now: int) -> bool:
        """Learns from a note; whether its sender was unknown till now, so that there is more to ask."""
        new = note.sender not in self._heard
        self._heard[note.sender] = now
        if note.here is not None:
            there = self._seats.setdefault(note.match, {})
            there[note.sender] = frozenset(note.here)
            if not note.here:
                self._drop(note.match, note.sender)
        return new and not note.leaving

    def leave(self, sender: str) -> list[str]:
        """A process is gone; the matches in which that changes who is there."""
        self._heard.pop(sender, None)
        found = [match for match, there in self._seats.items() if sender in there]
        for match in found:
            self._drop(match, sender)
        return found

    def silent(self, now: int) -> list[str]:
        """The processes that have not been heard of for too long."""
        return [sender for sender, at in self._heard.items() if at < now - LIVES_MS]

    def _drop(self, match: str, sender: str) -> None:
        there = self._seats[match]
        del there[sender]
        if not there:
            del self._seats[match]
