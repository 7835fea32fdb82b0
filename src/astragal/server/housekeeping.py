"""What a server does every second and every hour: overdue matches, absent players, notifications, old matches, bans."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import Callable, Sequence
from typing import Any

import asyncpg
import sqlalchemy as sa

from astragal.core.types import AstragalError
from astragal.server import (
    confirmation_rows,
    forgetting,
    limits,
    metrics,
    notifications,
    players,
    quick_match,
    retention,
    rounds,
)
from astragal.server.addresses import Networks
from astragal.server.gate import Gate
from astragal.server.hall_feed import HallFeed
from astragal.server.notifications import CHANNEL, Notification
from astragal.server.rooms import Rooms
from astragal.server.rounds import Step
from astragal.server.scheduler import Scheduler

ROUND = 1.0  # seconds
OTHERS_FIRST_MS = 4_000  # what another process should do by now this one does after so much longer
SEEN_MS = 10_000  # how often it is noted who is connected
DAY_MS, HOUR_MS = 86_400_000, 3_600_000
CLEANING_MS = HOUR_MS  # how often is looked for what is to be closed or removed
UNUSED_DAYS = 90  # after which a player without a match is forgotten
CLOSED_MS = HOUR_MS  # how long an abandoned match can still be looked at after it was closed


class Housekeeper:
    """Does the periodic work, and listens to the other processes where several share a PostgreSQL."""

    def __init__(
        self, rooms: Rooms, scheduler: Scheduler, gate: Gate, feed: HallFeed,
        more: Sequence[Step], on_orders: Callable[[], None],
    ) -> None:  # fmt: skip
        """`more` are other steps of every round; `on_orders` is called after an order of the host's command line."""
        self._rooms, self._scheduler, self._gate, self._feed = rooms, scheduler, gate, feed
        self._more, self._on_orders = more, on_orders
        self._tasks: list[asyncio.Task[None]] = []
        self._heard = 0  # the number of the last announcement that was acted on
        self._hearing = asyncio.Lock()
        self._broken: set[str] = set()  # matches that cannot go on here, told once
        self._seen_at = self._cleaned_at = self._began = 0
        self._gaps = 0  # how many gaps all matches have heard of

    async def start(self) -> None:
        """Begins at once with what was left undone when the last server stopped."""
        rooms = self._rooms
        await rooms.heartbeat.start()
        self._began = rooms.now()
        announced = await rooms.store.announced()
        self._heard = announced[-1][0] if announced else 0
        await self._read_bans()
        await self._read_limits()
        self._tasks = [asyncio.create_task(work()) for work in (self._walk, self._tick, rooms.store.check_whole)]
        if not self._rooms.store.embedded:
            self._tasks.append(asyncio.create_task(self._listen()))

    async def stop(self) -> None:
        await rounds.stop(self._tasks)
        if not self._rooms.store.embedded:
            with contextlib.suppress(AstragalError):
                await self._rooms.store.notify([Notification(sender=self._rooms.store.name, leaving=True)])

    async def _walk(self) -> None:
        await rounds.repeat(ROUND, self._round)

    async def _round(self) -> None:
        await rounds.each(
            self._rooms.heartbeat.beat,
            self._wake_overdue,
            self._miss_absent,
            self.hear_host,
            self._tell_others,
            self._note_present,
            *self._more,
        )
        now = self._rooms.now()
        if now - self._cleaned_at > CLEANING_MS:
            self._cleaned_at = now
            await rounds.each(self._close_abandoned, self._remove_old, self._forget_players, self._forget_expired)

    async def _tick(self) -> None:
        """Notices when the process stood still, and sees to it that all matches hear of every gap."""
        rooms = self._rooms
        while True:
            rooms.heartbeat.tick()
            if (gaps := len(rooms.heartbeat.gaps)) != self._gaps:
                self._began = rooms.now()
                with rooms.logged("the clocks after a gap", ""):
                    for match in await rooms.store.ticking():
                        with rooms.logged("the clock after a gap", match):
                            await rooms.hold(match)
                    await rooms.heartbeat.noted(gaps)
                    self._gaps = gaps
            await asyncio.sleep(ROUND)

    async def _wake_overdue(self) -> None:
        rooms = self._rooms
        for match in await rooms.store.due(rooms.now() - (0 if rooms.store.embedded else OTHERS_FIRST_MS)):
            live = rooms.live.get(match)
            busy = live is not None and live.thinking is not None and not live.thinking.done()
            if not busy and match not in self._broken:
                await self._wake(match)

    async def _miss_absent(self) -> None:
        """Deals with players gone for too long. Time without a server does not count; other servers report late."""
        rooms = self._rooms
        now = rooms.now() - (0 if rooms.store.embedded else 2 * SEEN_MS)
        for match, seat in await rooms.store.absent(now, self._began):
            live = rooms.live.get(match)
            if live is None or seat not in live.present:
                await self._miss(match, seat)

    async def _tell_others(self) -> None:
        """Tells the other processes that this one lives, and forgets those that have been silent for too long."""
        rooms = self._rooms
        if not rooms.store.embedded:
            await rooms.store.notify([Notification(sender=rooms.store.name)])
            for sender in rooms.elsewhere.silent(rooms.now()):
                self._lose(sender)

    async def _note_present(self) -> None:
        rooms, now = self._rooms, self._rooms.now()
        if now - self._seen_at > SEEN_MS:
            self._seen_at = now
            present = [(match, seat) for match, live in rooms.live.items() if live.misses for seat in live.present]
            await rooms.store.see(present)
            rooms.forget_idle()

    async def _remove_old(self) -> None:
        await retention.tidy(self._rooms.store, self._rooms.heartbeat.uptime_ms)

    async def _forget_players(self) -> None:
        """Whom the host ordered to forget before something was killed, and those who came once and never played."""
        rooms = self._rooms
        await forgetting.finish_all(rooms)
        gone = await players.forget_unused(rooms.store, rooms.heartbeat.lived_ago(UNUSED_DAYS * DAY_MS))
        if gone:
            metrics.logger.info("%d players without a match are forgotten", gone)

    async def _forget_expired(self) -> None:
        """Tickets of quick match that nobody holds any more, and e-mail addresses that were not confirmed in time."""
        await quick_match.forget_old(self._rooms.store)
        await confirmation_rows.forget_old(self._rooms.store)

    async def _close_abandoned(self) -> None:
        """Closes lobbies nobody joined and endless matches of bots alone; what was closed so is removed later."""
        rooms, store, now = self._rooms, self._rooms.store, self._rooms.now()
        hours = self._gate.limits.now.abandoned_hours
        before = rooms.heartbeat.lived_ago(hours * HOUR_MS)
        if hours:
            for match in await store.to_remove(now, before):
                await store.delete(match)
                await rooms.refresh(match)
            for match in await store.abandoned(before):
                with rooms.logged("an abandoned match", match):
                    await store.remove_at(match, now + CLOSED_MS)  # first, or a crash in between would keep it for ever
                    await rooms.change(match, lambda room: room.close(rooms.now(), "time"))
        await store.forget_unused_data(rooms.heartbeat.lived_ago(DAY_MS))

    async def _wake(self, match: str) -> None:
        try:
            await self._rooms.hold(match)
        except Exception as error:  # a game that is gone or has another version: told once, not every second
            self._broken.add(match)
            metrics.logger.warning("a match cannot go on: %s", error, extra={"match": match})
            return
        await self._scheduler.wake(match)

    async def _miss(self, match: str, seat: int) -> None:
        with self._rooms.logged("an absent player's match", match):
            await self._rooms.change(match, lambda room: room.gone(seat, self._rooms.now()))
        await self._rooms.store.unsee(match, seat)

    async def hear_host(self) -> None:
        """Acts on what the host changed in the store since this was last done; what fails is tried again next time."""
        async with self._hearing:
            new = [item for item in await self._rooms.store.announced() if item[0] > self._heard]
            if not new:
                return
            self._on_orders()
            await self._read_bans()
            await self._read_limits()
            changed = {match for _, match in new if match}
            if new[0][0] > self._heard + 1:  # so much was announced at once that the first of it is no longer listed
                self._feed.all_changed()
                changed |= set(self._rooms.live)
            for match in changed:
                with self._rooms.logged("what the host changed", match):  # one that fails does not stop the others
                    await self._rooms.refresh(match)
            self._heard = new[-1][0]

    async def _read_limits(self) -> None:
        changed = await limits.changed(self._rooms.store)
        if self._gate.limits.change(changed):
            metrics.logger.info("limits were changed by the host", extra=dict(sorted(changed.items())))

    async def _read_bans(self) -> None:
        store = self._rooms.store
        self._gate.banned, unreadable = Networks.stored(await store.banned())
        self._rooms.keep_out(self._gate.banned, await players.banned(store))
        self._feed.keep_out(self._gate.banned, self._rooms.banned)
        for text in unreadable:
            metrics.logger.warning("a ban keeps nobody out: %r is no address; lift it with astragal admin unban", text)

    async def _listen(self) -> None:
        """PostgreSQL tells when another process stored something; a lost connection is made again."""
        url = sa.make_url(self._rooms.store.url)
        dsn = url.set(drivername="postgresql").render_as_string(hide_password=False)
        while True:
            connection: Any = None
            try:
                connection = await asyncpg.connect(dsn)
                lost = asyncio.Event()
                connection.add_termination_listener(lambda *_: lost.set())  # noqa: B023
                await connection.add_listener(CHANNEL, self._on_notification)
                for match in list(self._rooms.live):  # what was said while nobody listened
                    await self._rooms.catch_up(match)
                self._feed.all_changed()
                await self._ask()
                await lost.wait()
            except (OSError, asyncpg.PostgresError, asyncpg.InterfaceError) as error:
                metrics.logger.warning("not listening to the other servers: %s", error)
            finally:
                if connection is not None:
                    with contextlib.suppress(Exception):
                        await connection.close(timeout=1)
            await asyncio.sleep(1)

    async def _ask(self) -> None:
        """Who is connected elsewhere, in all matches that somebody follows here."""
        await self._rooms.tell_others([match for match, live in self._rooms.live.items() if live.subscribers], ask=True)

    def _on_notification(self, _connection: Any, _pid: int, _channel: str, text: Any) -> None:
        """Handles a notification of another process; PostgreSQL sends this process its own as well."""
        rooms, note = self._rooms, notifications.read(str(text))
        if note.sender == rooms.store.name:
            return
        live = rooms.live.get(note.match)
        if rooms.elsewhere.hear(note, self._rooms.now()):
            rooms.spawn(self._ask())
            self._feed.presence.introduce()
        if live is None or note.last is None:  # else the hall hears of it when it is told at the table
            self._feed.hear(note)
        if note.leaving:
            self._lose(note.sender)
        elif live is not None and note.last is not None:
            if live.room is None or live.room.last < note.last:
                rooms.spawn(rooms.catch_up(note.match, note.rows))
        elif live is not None and note.here is not None:
            rooms.tell_presence(note.match)
            if note.ask and live.subscribers:
                rooms.spawn(rooms.tell_others([note.match]))

    def _lose(self, sender: str) -> None:
        """A process is gone, and its players with it until they come back elsewhere."""
        for match in self._rooms.elsewhere.leave(sender):
            self._rooms.tell_presence(match)
        self._feed.presence.lose(sender)
