"""A match in memory, and the connections that follow it."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Sequence

import msgspec
from msgspec import Struct

from astragal.server import render, wire
from astragal.server.notifications import Connected
from astragal.server.room import Room
from astragal.server.server_clock import ServerClock

MOST_UNREAD = 200  # messages that a slow connection may leave unread


class Visitor(Struct, frozen=True, kw_only=True):
    """Who looks at a match: a seat with the hash of the secret it has shown, or a spectator; and from where."""

    seat: int | None = None
    proof: str | None = None
    address: str = ""
    player: str | None = None  # whose seat it is


class Subscriber:
    """One connection that follows a match: through whose eyes, in which language, and the last event it has got.

    `send` takes every message, and None to end the connection.
    """

    __slots__ = ("lang", "last_sent", "match", "send", "viewer", "views", "visitor")

    def __init__(
        self,
        match: str,
        visitor: Visitor,
        lang: str,
        last_sent: int,
        send: Callable[[bytes | None], None],
        views: bool = False,
    ) -> None:
        self.match, self.visitor, self.lang, self.last_sent, self.send = match, visitor, lang, last_sent, send
        self.viewer = visitor.seat  # None once the seat belongs to somebody else
        self.views = views  # whether it wants the view after every event, as a client that shows them one by one


class Unread:
    """The messages that a stream has not sent yet. Whoever does not read is disconnected."""

    def __init__(self) -> None:
        self._messages: asyncio.Queue[bytes | None] = asyncio.Queue(MOST_UNREAD)  # None: no more

    def put(self, message: bytes | None) -> None:
        """Queues a message."""
        if self._messages.full():
            while not self._messages.empty():
                self._messages.get_nowait()
            message = None
        self._messages.put_nowait(message)

    async def get(self) -> bytes | None:
        """The next message."""
        return await self._messages.get()

    @property
    def empty(self) -> bool:
        """Whether everything was sent."""
        return self._messages.empty()


class LiveRoom:
    """A match in memory with those who follow it."""

    def __init__(self, clock: ServerClock, room: Room | None = None) -> None:
        self._clock = clock
        self.room = room  # None: to be read from the store before it is used
        self.lock = asyncio.Lock()
        self.subscribers: set[Subscriber] = set()
        self.thinking: asyncio.Task[None] | None = None
        self.timer: asyncio.TimerHandle | None = None
        self.used = clock.now()
        self.settled = False  # whether it was rated at its end, or is being rated
        self.excused = 0  # how many of the gaps in which no server ran this match has heard of

    @property
    def present(self) -> frozenset[int]:
        """Seats whose players are connected to this process."""
        return frozenset(subscriber.viewer for subscriber in self.subscribers if subscriber.viewer is not None)

    @property
    def here(self) -> Connected:
        """All who are connected to this process."""
        return Connected(self.present, sum(subscriber.viewer is None for subscriber in self.subscribers))

    @property
    def misses(self) -> bool:
        """Whether it matters for how long a player of this match is away."""
        return self.room is not None and self.room.setup.absence is not None

    def tell(self, room: Room) -> None:
        """What is new, to everybody who follows; made once for all who see the same."""
        messages: dict[tuple[int | None, str, int, int | None], bytes] = {}
        now, alike = self._clock.now(), render.Alike()
        for subscriber in self.subscribers:
            if subscriber.last_sent >= room.last:
                continue
            key = (
                subscriber.viewer,
                subscriber.lang,
                subscriber.last_sent,
                subscriber.last_sent if subscriber.views else None,
            )
            if key not in messages:
                messages[key] = msgspec.json.encode(render.news(room, *key, now, alike))
            subscriber.send(messages[key])
            subscriber.last_sent = room.last

    def tell_presence(self, elsewhere: Connected) -> None:
        """Who is there, to everybody who follows."""
        if self.room is not None:
            there = self.here | elsewhere
            seats = tuple(who.player != "human" or seat in there.seats for seat, who in enumerate(self.room.seats))
            message = msgspec.json.encode(wire.Presence(seats=seats, watchers=there.watchers))
            for subscriber in self.subscribers:
                subscriber.send(message)

    def dismiss(self, secrets: Sequence[str | None], room: Room) -> bool:
        """Who came with a secret that is worth nothing any more is a spectator now; whether there was anybody."""
        before = self.present
        for subscriber in self.subscribers:
            if subscriber.viewer is not None and secrets[subscriber.viewer] != subscriber.visitor.proof:
                subscriber.viewer = None
                if not room.setup.watchers:
                    subscriber.send(None)
        return self.present != before
