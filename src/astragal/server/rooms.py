"""All matches this process has in memory, and everything that happens to them.

Whatever changes a match goes through `change`: under the room's lock something happens, it is stored, and only then
is anybody told. If another process has stored something first, the room is built again from the store and the same
work is tried once more; it may then be refused as too late.
"""

from __future__ import annotations

import asyncio
import contextlib
import logging
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any, TypeVar

import msgspec

from astragal.core import record
from astragal.core.language import say
from astragal.core.types import AstragalError
from astragal.play.match import NotPossible
from astragal.server import journal, metrics, render, wire
from astragal.server.addresses import Networks
from astragal.server.health import StoreFailed
from astragal.server.heartbeat import Heartbeat
from astragal.server.journal import Kept
from astragal.server.notifications import Notification, RemotePresence
from astragal.server.problems import Problem
from astragal.server.room import Room
from astragal.server.sessions import Sessions
from astragal.server.store import Admit, MatchRow, Store
from astragal.server.subscribers import LiveRoom, Subscriber, Visitor
from astragal.server.writer import Batch, Conflict

TRIES = 5  # against other processes that are quicker
IDLE_MS = 60_000  # how long a match that nobody follows stays in memory

CHANGES_HANDS = journal.Sat | journal.Left | record.HandedOver  # after these a seat's old secret may be worth nothing

T = TypeVar("T")


class Rooms:
    """The matches of one process.

    A `Scheduler` sets `plan`, which is called after every change of a room. Without one nothing happens by itself:
    a process that only carries out the host's orders has none.
    """

    def __init__(self, store: Store) -> None:
        self.store = store
        self.plan: Callable[[str, LiveRoom], None] | None = None
        self.heartbeat = Heartbeat(store)
        self.live: dict[str, LiveRoom] = {}
        self.unreadable: set[str] = set()  # matches that could not be read from the store, logged once
        self.elsewhere = RemotePresence()
        self.sessions: Sessions | None = None  # of players; the application sets it
        self.banned: frozenset[str] = frozenset()  # players whom the host keeps out
        self.on_change: Callable[[str, bool], None] = lambda _match, _lobby: None  # the hall sets these two
        self.on_seats: Callable[[str, Iterable[str | None]], None] = lambda _match, _owners: None
        self.closing = False
        self._telling_others = asyncio.Lock()
        self._tasks: set[asyncio.Task[Any]] = set()

    def now(self) -> int:
        """The time that everything here is dated by."""
        return self.store.clock.now()

    # Finding ----------------------------------------------------------------------------------------------------

    async def hold(self, id: str) -> LiveRoom:
        """The match in memory, read from the store if it is not there yet. Raises Problem if there is none."""
        live = self.live.get(id)
        if live is None:
            live = LiveRoom(self.store.clock)
            self.live[id] = live  # before it is read, so that no notification of another process is missed
            try:
                async with live.lock:
                    await self.current(live, id)
            except BaseException:
                self.live.pop(id, None)
                raise
            metrics.rooms.set(len(self.live))
        live.used = self.now()
        await self._excuse(id, live)
        return live

    async def _excuse(self, id: str, live: LiveRoom) -> None:
        """Sees to it that nobody is charged for the time in which no server ran, before anything else happens."""
        self.heartbeat.tick()
        gaps, heard = self.heartbeat.gaps, live.excused
        if heard == len(gaps) or self.plan is None or self.closing:
            return
        live.excused = len(gaps)

        def interrupt(room: Room) -> None:
            for gap in gaps[heard:]:
                room.interrupt(gap.since, gap.until, self.now())

        try:
            await self.change(id, interrupt)
        except BaseException:
            live.excused = heard
            raise

    async def room(self, id: str) -> Room:
        """The match, for reading only, as it is stored."""
        live = await self.hold(id)
        async with live.lock:
            return await self.current(live, id)

    async def current(self, live: LiveRoom, id: str) -> Room:
        """The room as it is stored. Only for whoever has its lock."""
        if live.room is None:
            live.room = await self.read(id)
            self.live.setdefault(id, live)
        return live.room

    async def read(self, id: str) -> Room:
        """The match as it is stored, which is not kept in memory. Raises Problem if there is none."""
        row = await self.store.match(id)
        if row is None:
            raise Problem("not_found", say("there is no match {match!r}", match=id))
        try:
            room = Room(row)
            for number, kept in enumerate(await self.store.rows(id)):
                room.replay(kept)
                if number % 100 == 99:
                    await asyncio.sleep(0)  # a long match must not hold up the others
        except (AstragalError, ValueError, LookupError, TypeError) as error:
            self._unreadable(id, error)
            if isinstance(error, AstragalError):
                raise
            raise StoreFailed(say("match {match!r} cannot be read: {reason}", match=id, reason=str(error))) from error
        self.unreadable.discard(id)
        return room

    async def readable(self, rows: Iterable[MatchRow]) -> list[Room]:
        """These matches, without those that cannot be read or played any more; the log says once which these are."""
        rooms = []
        for row in rows:
            try:
                rooms.append(await self.room(row.id))
            except AstragalError:
                continue
        return rooms

    def _unreadable(self, id: str, error: Exception) -> None:
        if id not in self.unreadable:
            self.unreadable.add(id)
            metrics.unreadable.set(len(self.unreadable))
            level = logging.WARNING if isinstance(error, NotPossible) else logging.ERROR
            metrics.logger.log(level, "a match cannot be read: %s", error, extra={"match": id})

    async def create(
        self,
        row: MatchRow,
        room: Room,
        hashes: list[str | None],
        admit: Admit | None = None,
        owners: Sequence[str | None] = (),
    ) -> None:
        """Stores a new match and holds it, unless `admit` refuses it."""
        self._refuse_if_closing()
        settled = msgspec.structs.replace(row, status=room.status, due_ms=room.due(self.now()))
        await self.store.create(settled, room.drain_new(), hashes, admit, owners)
        live = self.live[row.id] = LiveRoom(self.store.clock, room)
        self._changed(row.id, live)
        self.on_seats(row.id, owners)

    # Changing ---------------------------------------------------------------------------------------------------

    async def change(
        self,
        id: str,
        work: Callable[[Room], T],
        hashes: Callable[[T], Mapping[int, str | None]] | None = None,
        owner: str | None = None,
    ) -> T:
        """Lets `work` happen to a room, and returns its result once that is stored.

        `hashes` are those of the secrets that seats get by it, and `owner` is whose these seats are then.
        """
        self._refuse_if_closing()
        for _ in range(TRIES):
            live = await self.hold(id)
            async with live.lock:
                room = await self.current(live, id)
                known = room.last
                try:
                    result = work(room)
                except BaseException as error:
                    if room.new:  # half of it had happened
                        live.room = None
                    if isinstance(error, AstragalError) and await self._behind(id, live, known):
                        continue
                    raise
                rows = room.drain_new()
                if not rows:
                    return result
                batch = Batch(
                    match=id,
                    rows=rows,
                    status=room.status,
                    due=room.due(self.now()),
                    hashes=hashes(result) if hashes else {},
                    owner=owner,
                )
                try:
                    await self.store.append(batch)
                except Conflict:
                    metrics.conflicts.inc()
                    live.room = None
                    await self._catch_up(id, live)
                    continue
                except StoreFailed:
                    live.room = None
                    raise
                except asyncio.CancelledError:  # whoever asked has hung up; the others learn how it went
                    live.room = None
                    self.spawn(self.catch_up(id))
                    raise
                if batch.hashes:
                    await self._dismiss(id, live, room)
                live.tell(room)
                self._changed(id, live)
                if batch.hashes:
                    self.on_seats(id, [owner])
                return result
        raise Problem("storage", say("the match changes too quickly; try again"))

    async def do(self, id: str, seat: int, command: wire.Command) -> wire.Done:
        """A command of a seat. Raises AstragalError."""
        freed: dict[int, str | None] = {seat: None} if isinstance(command, wire.Leave) else {}
        with metrics.action_seconds.time():
            room = (await self.hold(id)).room or await self.room(id)
            if room.fallen(self.now()):  # nobody noticed yet, as after a time without a server
                await self.fire(id)
            n, repeated = await self.change(id, lambda room: room.do(seat, command, self.now()), lambda _: freed)
        return wire.Done(id=command.id, n=n, repeated=repeated)

    def _refuse_if_closing(self) -> None:
        if self.closing:
            raise Problem("closing", say("the server is going down; come back in a moment"))

    # Telling ----------------------------------------------------------------------------------------------------

    async def follow(
        self,
        id: str,
        visitor: Visitor,
        lang: str,
        since: int,
        send: Callable[[bytes | None], None],
        views: bool = False,
    ) -> Subscriber:
        """A new connection. Its first message has everything after event number `since`; views come with later ones."""
        live = await self.hold(id)
        async with live.lock:
            room, before = await self.current(live, id), live.here
            if visitor.seat is not None and (await self.store.seat_secrets(id))[visitor.seat] != visitor.proof:
                raise Problem("wrong_secret", say("this is not the secret of a seat of this match"))
            subscriber = Subscriber(id, visitor, lang, since, send, views)
            subscriber.send(msgspec.json.encode(render.news(room, visitor.seat, lang, since, None, self.now())))
            subscriber.last_sent = room.last
            live.subscribers.add(subscriber)
            metrics.sockets.inc()
        self.tell_presence(id)
        if live.here != before:
            self.spawn(self.tell_others([id], ask=len(live.subscribers) == 1))
        return subscriber

    def unfollow(self, subscriber: Subscriber) -> None:
        """A connection is gone."""
        live = self.live.get(subscriber.match)
        if live is not None and subscriber in live.subscribers:
            live.subscribers.discard(subscriber)
            live.used = self.now()
            metrics.sockets.dec()
            self.tell_presence(subscriber.match)
            self.on_change(subscriber.match, False)  # who was at the table has not heard of it elsewhere
            if subscriber.viewer is None:
                self.spawn(self.tell_others([subscriber.match]))
            elif subscriber.viewer not in live.present:
                self.spawn(self._part(subscriber.match, subscriber.viewer, noted=live.misses))

    async def _part(self, match: str, seat: int, *, noted: bool) -> None:
        """A seat's last connection is gone: from this moment on its player is away."""
        with self.logged("an absent player's match", match):
            await self.tell_others([match])
            await self.store.see([(match, seat)] if noted else [])

    def tell_presence(self, id: str) -> None:
        """Who is there, to everybody who follows here."""
        if (live := self.live.get(id)) is not None:
            live.tell_presence(self.elsewhere.of(id))

    async def tell_others(self, ids: Sequence[str], *, ask: bool = False) -> None:
        """Tells the other processes who is connected here, and asks who is there."""
        if self.store.embedded or not ids:
            return
        async with self._telling_others:  # in order, or an older notification could arrive last
            with self.logged("presence", ", ".join(ids)):
                sender, connected = self.store.name, {id: live.here for id in ids if (live := self.live.get(id))}
                await self.store.notify(
                    [Notification(sender=sender, match=id, here=here, ask=ask) for id, here in connected.items()]
                )

    async def catch_up(self, id: str, rows: Sequence[Kept] = ()) -> None:
        """Another process stored something for this match: these rows, if it said what."""
        live = self.live.get(id)
        if live is not None:
            with self.logged("a match", id):
                async with live.lock:
                    if live.room is None or not rows or live.room.last < rows[-1].n:
                        await self._catch_up(id, live, rows)

    async def _catch_up(self, id: str, live: LiveRoom, rows: Sequence[Kept] = ()) -> None:
        before = 0 if live.room is None else live.room.last
        try:
            if live.room is None:
                live.room = await self.read(id)
            else:
                following = rows if rows and rows[0].n == live.room.last + 1 else await self.store.rows(id, before)
                for kept in following:
                    live.room.replay(kept)
        except BaseException:
            live.room = None
            raise
        if any(isinstance(kept.body, CHANGES_HANDS) for kept in live.room.log[before:]):
            await self._dismiss(id, live, live.room)
            self.on_seats(id, [])
        live.tell(live.room)
        self._changed(id, live)

    async def _behind(self, id: str, live: LiveRoom, known: int) -> bool:
        """Whether another process stored something that we had not heard of when we refused a command; now we have."""
        if self.store.embedded or not await self.store.rows(id, known):
            return False
        await self._catch_up(id, live)
        return True

    async def _dismiss(self, id: str, live: LiveRoom, room: Room) -> None:
        """Ends the access of connections whose seat has changed hands."""
        if live.dismiss(await self.store.seat_secrets(id), room):
            self.tell_presence(id)
            self.spawn(self.tell_others([id]))

    async def refresh(self, id: str) -> None:
        """The host has changed this match in the store: reads it anew, or drops it if it is deleted."""
        live = self.live.get(id)
        if live is None:
            self.on_change(id, True)
            return
        async with live.lock:
            live.room = None
            try:
                await self._catch_up(id, live)
            except Problem:
                del self.live[id]
                self.on_change(id, False)
                for subscriber in live.subscribers:
                    subscriber.send(None)

    def keep_out(self, addresses: Networks, players: frozenset[str]) -> None:
        """Ends the connections of these addresses and players, and takes no more of these players."""
        self.banned = players
        for live in self.live.values():
            for subscriber in live.subscribers:
                visitor = subscriber.visitor
                if visitor.address in addresses or visitor.player in players:
                    subscriber.send(None)

    # Time, errors, the end --------------------------------------------------------------------------------------

    def _changed(self, id: str, live: LiveRoom) -> None:
        if self.plan is not None:
            self.plan(id, live)
        self.on_change(id, live.room is not None and live.room.status == "lobby")

    async def fire(self, id: str) -> None:
        """Lets a clock of this match fall if it has run out."""
        with self.logged("a clock", id):
            await self.change(id, lambda room: room.fire(self.now()), lambda freed: dict.fromkeys(freed))

    @contextlib.contextmanager
    def logged(self, subject: str, id: str) -> Any:
        """Errors nobody waits for go to the log, and the match is built again from the store when it is next used."""
        try:
            yield
        except AstragalError as error:
            if not self.closing:
                metrics.logger.warning("%s could not go on: %s", subject, error, extra={"match": id})
        except Exception:
            metrics.logger.exception("%s failed", subject, extra={"match": id})

    def spawn(self, work: Any) -> asyncio.Task[None]:
        """Starts a background task; `drain` waits for it when the server goes down."""
        task: asyncio.Task[None] = asyncio.create_task(work)
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)
        return task

    def forget_idle(self) -> None:
        """Lets go of matches that nobody follows."""
        limit = self.now() - IDLE_MS
        for id, live in list(self.live.items()):
            busy = live.subscribers or live.lock.locked() or (live.thinking is not None and not live.thinking.done())
            if not busy and live.used < limit:
                if live.timer is not None:
                    live.timer.cancel()
                del self.live[id]
        metrics.rooms.set(len(self.live))

    def farewell(self) -> None:
        """Tells everybody that the server goes down; nothing is begun from now on."""
        self.closing = True
        for live in self.live.values():
            for subscriber in live.subscribers:
                text = say("the server is going down; come back in a moment").to(subscriber.lang)
                subscriber.send(msgspec.json.encode(wire.Closing(text=text)))
                subscriber.send(None)

    async def drain(self) -> None:
        """Waits for the background tasks; bots that are thinking are cancelled."""
        for live in self.live.values():
            if live.thinking is not None:
                live.thinking.cancel()
            if live.timer is not None:
                live.timer.cancel()
        if self._tasks:
            await asyncio.wait(self._tasks, timeout=5)
