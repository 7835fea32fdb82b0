"""Everything that a hall is told over its one socket: open tables, matches, tickets, people; and who is there.

Nobody asks again and again: what changes a match, a ticket or a friendship says so (`match_changed` and the like), here
or, by way of PostgreSQL, in another process. These changes are collected for a fifth of a second. Then each match,
player and ticket among them is read from the store once, and sent to the connections that follow it, unless the last
message they were sent about it was the same.
"""

from __future__ import annotations

import asyncio
import weakref
from collections.abc import Callable, Iterable, Sequence, Set

import msgspec

from astragal.core.language import say
from astragal.core.types import AstragalError
from astragal.server import friends, hall_wire, invitations, metrics, players, quick_match, render, rounds, wire
from astragal.server.addresses import Networks
from astragal.server.hall_presence import HallPresence
from astragal.server.health import StoreFailed
from astragal.server.notifications import Notification
from astragal.server.problems import Problem
from astragal.server.quick_match import Wish
from astragal.server.rate_limit import RateLimit
from astragal.server.room import Room
from astragal.server.rooms import Rooms

GATHER = 0.2  # seconds in which changes are gathered before anybody is told
TICK = 5.0  # seconds between two notes that those who wait are still there
AGAIN = 1.0  # seconds until the next try while the store fails
MOST_TABLES = 50
NEW_NAMES = 200  # matches a minute that a connection may begin to follow


class Listener:
    """One connection of a hall: who is there, what it follows, and what it was told last."""

    __slots__ = ("address", "followed", "lang", "own", "player", "send", "tickets", "told")

    def __init__(self, player: str | None, lang: str, address: str, send: Callable[[bytes | None], None]) -> None:
        self.player, self.lang, self.address, self.send = player, lang, address, send
        self.followed: frozenset[str] = frozenset()  # matches that the client named
        self.own: dict[str, tuple[int, ...]] = {}  # matches in which the player has seats
        self.tickets: set[str] = set()
        self.told: dict[
            str, int
        ] = {}  # by the name of a match or ticket, or "tables" or "people": the last message's hash

    def tell(self, subject: str, message: bytes) -> None:
        """Sends a message, unless it was the last about its subject."""
        if self.told.get(subject) != (told := hash(message)):
            self.told[subject] = told
            self.send(message)


class _Tables:
    """The list of open tables at some moment, and of those who wait for one, as messages by language."""

    def __init__(self, rooms: Sequence[Room], waiting: tuple[hall_wire.Waiting, ...], read_ms: int) -> None:
        self._rooms, self._waiting, self.read_ms = rooms, waiting, read_ms
        self._messages: dict[str, bytes] = {}

    def message(self, lang: str) -> bytes:
        if lang not in self._messages:
            shown = tuple(render.summary(room, lang) for room in self._rooms)
            self._messages[lang] = msgspec.json.encode(hall_wire.Tables(tables=shown, waiting=self._waiting))
        return self._messages[lang]


class HallFeed:
    """The halls that are connected to this process."""

    def __init__(self, rooms: Rooms) -> None:
        self._rooms = rooms
        self._listeners: set[Listener] = set()
        self._new_names = RateLimit(2 * NEW_NAMES, 120.0)
        self._by_match: dict[str, set[Listener]] = {}
        self._by_player: dict[str, set[Listener]] = {}
        self._by_ticket: dict[str, set[Listener]] = {}
        self.presence = HallPresence(rooms, self.people_changed)
        self._open: frozenset[str] = frozenset()  # the matches in the list of tables
        self._matches: set[str] = set()  # what has changed and is still to be told
        self._players: set[str] = set()
        self._tickets: set[str] = set()
        self._tables = False
        self._shown: _Tables | None = None  # the list of tables, as long as nothing in it has changed
        self._changes = 0  # of it, so far
        self._pairing: weakref.WeakValueDictionary[Wish, rounds.Shared] = weakref.WeakValueDictionary()
        self._news = asyncio.Event()
        self._tasks: list[asyncio.Task[None]] = []
        rooms.on_change, rooms.on_seats = self.match_changed, self.seats_changed

    def start(self) -> None:
        """Begins to tell."""
        keeping = rounds.repeat(TICK, self._keep_waiting)
        self._tasks = [asyncio.create_task(self._tell_on()), asyncio.create_task(keeping)]

    async def stop(self) -> None:
        """Tells nothing any more."""
        await rounds.stop(self._tasks)

    # Connections ------------------------------------------------------------------------------------------------

    async def join(self, listener: Listener) -> None:
        """A new connection: it is told everything. Raises StoreFailed."""
        self._listeners.add(listener)
        metrics.halls.set(len(self._listeners))
        if listener.player is not None:
            self._by_player.setdefault(listener.player, set()).add(listener)
            self.presence.come(listener.player)
            await self._tell_player(listener.player, [listener])
        await self._tell_tables([listener])

    def leave(self, listener: Listener) -> None:
        """A connection is gone."""
        self._listeners.discard(listener)
        self._new_names.forget(id(listener))
        metrics.halls.set(len(self._listeners))
        self._index(self._by_match, listener, {*listener.followed, *listener.own}, set())
        self._index(self._by_ticket, listener, listener.tickets, set())
        if listener.player is not None:
            self._index(self._by_player, listener, {listener.player}, set())
            self.presence.go(listener.player)

    def _index(self, index: dict[str, set[Listener]], listener: Listener, before: Set[str], now: Set[str]) -> None:
        """A connection is found under other names than before. One that has left is found under none.

        What it was told about names that it is not found under any more is forgotten.
        """
        for name in before - now:
            listener.told.pop(name, None)
            index.get(name, set()).discard(listener)
            if not index.get(name):
                index.pop(name, None)
        if listener in self._listeners:
            for name in now - before:
                index.setdefault(name, set()).add(listener)

    async def follow(self, listener: Listener, matches: Sequence[str]) -> None:
        """The client wants to hear of these matches. Raises Problem if it has named too many others a moment ago."""
        before, wanted = {*listener.followed, *listener.own}, frozenset(matches)
        for _ in wanted - before:
            if not self._new_names.take(id(listener)):
                raise Problem("too_many", say("too many requests; wait a little"), 60)
        listener.followed = wanted
        self._index(self._by_match, listener, before, {*wanted, *listener.own})
        for match in sorted(wanted - before):
            await self._tell_match(match, [listener])

    async def wait(self, listener: Listener, ticket: str, secret: str) -> None:
        """The client holds this ticket, and is there. Raises Problem."""
        held = await quick_match.owned(self._rooms.store, ticket, secret)
        self._index(self._by_ticket, listener, listener.tickets, {ticket})
        listener.tickets = {ticket}  # one at a time
        if held is not None and held.match is None and held.seen_ms < self._rooms.now() - 1000 * TICK:
            await quick_match.see(self._rooms.store, [ticket])
            await self.pair(quick_match.wish_of(held))
        await self._tell_ticket(ticket, [listener])

    def keep_out(self, addresses: Networks, banned: frozenset[str]) -> None:
        """Ends the connections of these addresses and players."""
        for listener in self._listeners:
            if listener.address in addresses or listener.player in banned:
                listener.send(None)

    def farewell(self) -> None:
        """Tells everybody that the server goes down."""
        for listener in self._listeners:
            text = say("the server is going down; come back in a moment").to(listener.lang)
            listener.send(msgspec.json.encode(wire.Closing(text=text)))
            listener.send(None)

    # What has changed -------------------------------------------------------------------------------------------

    def match_changed(self, match: str, lobby: bool) -> None:
        """Something happened in a match. `lobby`: it waits for players, so that the list of tables may change."""
        if lobby or match in self._open:
            self._tables_changed()
        if match in self._by_match:
            self._matches.add(match)
            self._news.set()

    def seats_changed(self, match: str, owners: Iterable[str | None]) -> None:
        """Seats of a match have changed hands; `owners` are the players who have taken one at this process."""
        before = (listener.player for listener in self._by_match.get(match, ()))
        self._players.update(key for key in before if key is not None)
        self.people_changed([key for key in owners if key is not None])

    def people_changed(self, keys: Sequence[str], *, elsewhere: bool = False) -> None:
        """What these players are told has changed; other processes hear of it unless it came from `elsewhere`."""
        self._players.update(keys)
        if self._players:
            self._news.set()
        if keys and not elsewhere:
            self._tell_others(players=tuple(keys))

    def tickets_changed(self, ids: Sequence[str], *, elsewhere: bool = False) -> None:
        """Something has become of these tickets, or there are others."""
        self._tickets.update(ids)
        self._tables_changed()
        if not elsewhere:
            self._tell_others(tickets=tuple(ids))

    def all_changed(self) -> None:
        """Anything may have changed: for a while nobody told this process."""
        self._matches.update(self._by_match)
        self._players.update(self._by_player)
        self._tickets.update(self._by_ticket)
        self._tables_changed()

    def _tables_changed(self) -> None:
        self._tables, self._shown = True, None
        self._changes += 1
        self._news.set()

    def hear(self, note: Notification) -> None:
        """Another process says that something has changed."""
        if note.last is not None:
            self.match_changed(note.match, note.lobby)
        if note.players:
            self.people_changed(note.players, elsewhere=True)
        if note.tickets:
            self.tickets_changed(note.tickets, elsewhere=True)
        self.presence.hear(note)

    async def pair(self, wish: Wish) -> None:
        """Seats those who want this, and tells them; for all who came meanwhile at once, or many would try the same."""
        pairing = self._pairing.get(wish)
        if pairing is None:
            self._pairing[wish] = pairing = rounds.Shared(lambda: self._pair(wish))
        await pairing()

    async def _pair(self, wish: Wish) -> None:
        if settled := await quick_match.pair(self._rooms, wish):
            self.tickets_changed([ticket.id for ticket in settled])

    def _tell_others(self, *, players: tuple[str, ...] = (), tickets: tuple[str, ...] = ()) -> None:
        store = self._rooms.store
        if not store.embedded and not self._rooms.closing:
            note = Notification(sender=store.name, players=players, tickets=tickets)
            self._rooms.spawn(self._notify(note))

    async def _notify(self, note: Notification) -> None:
        with self._rooms.logged("news of the hall", ""):
            await self._rooms.store.notify([note])

    # Telling ----------------------------------------------------------------------------------------------------

    async def _tell_on(self) -> None:
        while True:
            await self._news.wait()
            await asyncio.sleep(GATHER)
            self._news.clear()
            matches, self._matches = self._matches, set()
            keys, self._players = self._players, set()
            tickets, self._tickets = self._tickets, set()
            tables, self._tables = self._tables, False
            try:
                await self._tell(matches, keys, tickets, tables)
            except AstragalError:  # the store fails, and has told the log; all of it is told again when it works
                self._matches |= matches
                self._players |= keys
                self._tickets |= tickets
                self._tables = self._tables or tables
                self._news.set()
                await asyncio.sleep(AGAIN)
            except Exception:
                metrics.logger.exception("a hall could not be told")

    async def _tell(self, matches: set[str], keys: set[str], tickets: set[str], tables: bool) -> None:
        if tables and self._listeners:
            await self._tell_tables(list(self._listeners))
        for match in matches:
            await self._tell_match(match, list(self._by_match.get(match, ())))
        for key in keys:
            await self._tell_player(key, list(self._by_player.get(key, ())))
        for ticket in tickets:
            await self._tell_ticket(ticket, list(self._by_ticket.get(ticket, ())))

    async def _tell_tables(self, listeners: Sequence[Listener]) -> None:
        tables = self._shown
        if tables is None or tables.read_ms < self._rooms.now() - 1000 * TICK:  # who waits may go without a word
            tables = await self._read_tables()
        for listener in listeners:
            listener.tell("tables", tables.message(listener.lang))

    async def _read_tables(self) -> _Tables:
        rooms, changes, now = self._rooms, self._changes, self._rooms.now()
        rows = await rooms.store.list_matches(("lobby",), most=MOST_TABLES)
        free = [room for room in await rooms.readable(rows) if room.free]
        tables = _Tables(free, await quick_match.counts(rooms.store), now)
        self._open = frozenset(room.id for room in free)
        self._shown = tables if self._changes == changes else None
        return tables

    async def _tell_match(self, match: str, listeners: Sequence[Listener]) -> None:
        if not listeners:
            return
        room = await self._room(match)
        live = self._rooms.live.get(match)
        at_table = live.present if live is not None and room is not None and room.status == "running" else frozenset()
        for listener in listeners:
            if listener not in self._by_match.get(match, ()):
                continue  # it has left, or follows others now
            message: hall_wire.Message = hall_wire.Gone(match=match)
            if room is not None:
                seats = listener.own.get(match, ())
                if at_table.intersection(seats):
                    continue  # who sits at the table sees more than this; it is told when it leaves
                message = hall_wire.MatchNews(match=render.summary(room, listener.lang), seats=seats)
            listener.tell(match, msgspec.json.encode(message))

    async def _room(self, match: str) -> Room | None:
        """A match; None if it was deleted, or its game is gone."""
        try:
            return await self._rooms.room(match)
        except StoreFailed:
            raise
        except AstragalError:
            return None

    async def _tell_player(self, key: str, listeners: Sequence[Listener]) -> None:
        """The seats of a player, whom it knows, and who invites it."""
        if not listeners:
            return
        store = self._rooms.store
        own: dict[str, tuple[int, ...]] = {}
        for seat in await players.own_seats(store, key, status=("lobby", "running"), most=hall_wire.MOST_FOLLOWED):
            own[seat.match] = (*own.get(seat.match, ()), seat.seat)
        known = await friends.people(store, key, self.presence.online)
        by_key = {person.key: person for person in known}
        asked = await invitations.waiting_for(store, key)
        tables = {match: room for match, _ in asked if (room := await self._room(match)) is not None and room.free}
        for listener in listeners:
            named = listener.followed
            self._index(self._by_match, listener, {*named, *listener.own}, {*named, *own})
            listener.own = own
            invited = tuple(
                hall_wire.Invitation(host=by_key[host], match=render.summary(tables[match], listener.lang))
                for match, host in asked
                if match in tables and host in by_key and match not in own
            )
            people = hall_wire.People(people=known, invitations=invited)
            listener.tell("people", msgspec.json.encode(people))
        for match in own:
            await self._tell_match(match, listeners)

    async def _tell_ticket(self, ticket: str, listeners: Sequence[Listener]) -> None:
        if listeners:
            message = msgspec.json.encode(await quick_match.status(self._rooms.store, ticket))
            for listener in self._by_ticket.get(ticket, set()).intersection(listeners):
                listener.tell(ticket, message)

    # Those who wait ---------------------------------------------------------------------------------------------

    async def _keep_waiting(self) -> None:
        """Notes who is still there, and seats those whom nobody has seated: after a kill, or of another server."""
        store = self._rooms.store
        ids = list(self._by_ticket)
        if not ids:
            return
        await quick_match.see(store, ids)
        for wish in await quick_match.wishes(store, ids):
            with self._rooms.logged("quick match", ""):  # one that fails does not stop the others
                await self.pair(wish)
