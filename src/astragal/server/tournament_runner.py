"""What happens in tournaments without anybody doing it: rounds are paired, matches made, results noted, absence seen.

Every step can be done twice and by several processes at once: pairings follow from the log, a match has the name that
its table gives it, and of two that note the same event one finds it there. So a process can be killed between any two
steps, and the next one goes on.
"""

from __future__ import annotations

import asyncio
import contextlib

import msgspec
from msgspec.structs import replace
from sqlalchemy.ext.asyncio import AsyncConnection

from astragal.core import fair, registry
from astragal.core import options as option_tools
from astragal.server import own_data, rounds, setup, tournament_orders, tournament_store
from astragal.server.journal import Closed
from astragal.server.problems import Problem
from astragal.server.quotas import DAY, OPEN_DAYS, Quotas
from astragal.server.room import Room
from astragal.server.store import MatchRow
from astragal.server.tournament_store import TournamentRow
from astragal.server.tournaments import Held, Tournaments, match_id
from astragal.server.writer import Conflict
from astragal.tournament.conduct import due
from astragal.tournament.events import Absent, Body, Ended, Missed, Opened, Result
from astragal.tournament.state import Game, Table

ROUND = 1.0  # seconds
MOST_STEPS = 2_000  # of one tournament at once
SECOND_MS = 1_000
IDLE_MS = OPEN_DAYS * DAY * 1_000  # without an event, after which a tournament is ended


class TournamentRunner:
    """Drives all tournaments of a store."""

    def __init__(self, tournaments: Tournaments, quotas: Quotas) -> None:
        self._tournaments, self._rooms, self._quotas = tournaments, tournaments.rooms, quotas
        self._task: asyncio.Task[None] | None = None
        self._busy: dict[str, asyncio.Lock] = {}
        self._began = 0  # since when this process could have seen who was there
        self._known: set[str] = set()  # tournaments of the last round

    def start(self) -> None:
        """Begins with what was left undone when the last server stopped."""
        self._began = self._rooms.now()
        self._task = asyncio.create_task(rounds.repeat(ROUND, self._round))

    async def stop(self) -> None:
        if self._task is not None:
            await rounds.stop([self._task])

    async def _round(self) -> None:
        active = await tournament_store.active(self._rooms.store)
        if active:
            await self._end_idle()
        for id in active:
            if id not in self._known:  # what was begun by a process that died
                await self.close_decided(id)
            await self.advance(id)
        self._known = set(active)
        self._busy = {id: lock for id, lock in self._busy.items() if id in self._known or lock.locked()}
        self._tournaments.forget_idle()

    async def _end_idle(self) -> None:
        """Ends tournaments that have begun and in which nothing has happened for days of the server's running."""
        for id in await tournament_store.idle(self._rooms.store, self._rooms.heartbeat.lived_ago(IDLE_MS)):
            with self._rooms.logged("a tournament", id):
                await self._tournaments.change(id, lambda held: () if held.state.ended else (Ended("idle"),))
            await self.close_decided(id)

    def lock(self, id: str) -> asyncio.Lock:
        """Whoever has this lock can be sure that nothing is done here meanwhile in this tournament."""
        return self._busy.setdefault(id, asyncio.Lock())

    async def advance(self, id: str) -> None:
        """Lets happen all that can happen now in one tournament."""
        async with self.lock(id):
            with self._rooms.logged("a tournament", id):
                for _ in range(MOST_STEPS):
                    if self._rooms.closing or not await self._step(id):
                        return

    async def _step(self, id: str) -> bool:
        """One thing, if there is one to do."""
        held = await self._tournaments.read(id)
        if held.state.status not in ("running", "paused"):
            return False
        if await self._note(held):
            return True
        if held.state.status == "paused":
            return False
        async with held.lock:  # nothing may change the state while the thread reads it
            at, now = held.state.last, self._rooms.now()
            following = await asyncio.to_thread(due, held.state, now)
        if following is not None:
            await self._add(held, at, following)
            return True
        return await self._open_games(held)

    async def _add(self, held: Held, at: int, *bodies: Body) -> None:
        """Stores events that follow from the log as it was at event number `at`; if it has changed, nothing."""
        await self._tournaments.change(held.row.id, lambda now: bodies if now.state.last == at else ())

    # Results ------------------------------------------------------------------------------------------------------

    async def _note(self, held: Held) -> bool:
        """Notes how matches ended, and who was not there. Whether there was anything."""
        state, at = held.state, held.state.last
        playing = [(t, g) for t in state.open_tables if (g := t.current) is not None and g.match is not None]
        statuses = await tournament_store.match_statuses(self._rooms.store, [g.match for _, g in playing if g.match])
        for table, game in playing:
            status = statuses.get(game.match or "")
            if status == "running" or (status == "lobby" and not self._overdue(held, game)):
                continue
            bodies = await self._ended(table, game, status)
            if bodies:
                await self._add(held, at, *bodies)
                return True
        return False

    def _overdue(self, held: Held, game: Game) -> bool:
        """Whether whoever is not there has had the time to come. The time without a server is nobody's."""
        if held.state.status == "paused":
            return False
        gaps = self._rooms.heartbeat.gaps
        since = max(game.opened_at, self._began, held.state.resumed_at, gaps[-1].until if gaps else 0)
        return self._rooms.now() >= since + SECOND_MS * held.state.plan.no_show

    async def _ended(self, table: Table, game: Game, status: str | None) -> list[Body]:
        """What follows from a match that is over, closed, gone, or that not everybody has come to."""
        where, nothing = (table.round, table.number, game.number), (0.0,) * len(table.entrants)
        if status is None or game.match is None:
            return [Result(*where, nothing, "closed")]
        if status == "lobby":
            await self._rooms.change(game.match, lambda room: _close_lobby(room, self._rooms.now()))
        room = await self._rooms.room(game.match)
        if room.status == "over" and room.match is not None and room.match.result is not None:
            shares = dict(zip(table.seated(game.number), room.match.result, strict=True))
            return [Result(*where, tuple(shares.get(entrant, 0.0) for entrant in table.entrants))]
        if room.status != "closed":
            return []  # somebody came in the last moment
        if room.match is not None or _closed_by(room) == "host":
            return [Result(*where, nothing, "closed")]
        missed = tuple(
            entrant for entrant, seat in zip(table.seated(game.number), room.lobby_seats, strict=True) if not seat.ready
        )
        return [Missed(*where, missed), *(Absent(entrant, by="no-show") for entrant in missed)]

    async def close_decided(self, id: str) -> None:
        """Closes matches that go on although their result was given by the organiser, or the tournament is over."""
        with self._rooms.logged("a tournament", id):
            await tournament_orders.close_decided(self._tournaments, id)

    # Matches ------------------------------------------------------------------------------------------------------

    async def _open_games(self, held: Held) -> bool:
        """Makes a match for the next game of every table that waits for one. Whether there was any."""
        opened = False
        for table in held.state.open_tables:
            game = table.current
            if game is None or game.match is not None or len(table.seated(0)) not in held.state.plan.sizes:
                continue
            id = match_id(held.row, table.round, table.number, game.number, game.attempt)
            try:
                await self._make(held, table, game, id)
            except Problem as problem:
                if problem.code not in ("quota", "busy"):
                    raise
                continue  # bots alone must wait until others have ended
            event = Opened(table.round, table.number, game.number, id)

            def open_it(
                now: Held, event: Opened = event, where: tuple[int, int, int] = (table.round, table.number, game.number)
            ) -> list[Body]:
                again = now.state.game(*where)
                return [event] if again.match is None and again.shares is None else []

            await self._tournaments.change(held.row.id, open_it)
            opened = True
        return opened

    async def _make(self, held: Held, table: Table, game: Game, id: str) -> None:
        """Makes the match of a game, unless it is there: as a client would, but nobody sits down yet."""
        entrants = [held.state.entrant(number) for number in table.seated(game.number)]
        plans = tuple(f"bot:{entrant.bot}" if entrant.bot else setup.OPEN for entrant in entrants)
        prepared, data = prepared_for(held.row, plans)
        now, bots_only, text = self._rooms.now(), setup.OPEN not in plans, msgspec.json.encode(prepared).decode()
        creator = held.row.creator if bots_only else None
        row = MatchRow(
            id=id,
            game=prepared.game,
            setup=text,
            server_seed=fair.new_seed().hex(),
            status="lobby",
            listed=False,
            invite=setup.NOBODY_INVITED,
            created_ms=now,
            changed_ms=now,
            absent_ms=None if prepared.absence is None else 1000 * prepared.absence.seconds,
            creator=creator,
            bots_only=bots_only,
            data=data,
        )
        room = Room(row)
        room.go_on(now)

        async def admit(connection: AsyncConnection, _row: MatchRow) -> None:
            if bots_only and creator is not None:
                await self._quotas.check_bots(connection, creator)

        with contextlib.suppress(Conflict):  # it is made already
            await self._rooms.create(row, room, [None] * len(plans), admit)


def prepared_for(row: TournamentRow, plans: tuple[str, ...]) -> tuple[setup.Setup, dict[str, str]]:
    """The setup of a match of a tournament for those who will sit there, and the own data it names."""
    base = setup.read(row.setup)
    rules = registry.game(base.game).rules
    chosen = option_tools.convert(rules, own_data.whole(base.options, row.data), base.version)
    seated = rules.seated(chosen, [plan != setup.OPEN for plan in plans])
    named, data = own_data.split(option_tools.to_plain(seated))
    return replace(base, options=named, seats=plans), data


def _close_lobby(room: Room, now: int) -> None:
    """Closes a table that has not begun in time; from then on it is settled who was there."""
    if room.status == "lobby":
        room.close(now, "time")


def _closed_by(room: Room) -> str:
    return next((kept.body.by for kept in reversed(room.log) if isinstance(kept.body, Closed)), "host")
