"""All tournaments this process has in memory, and everything that people do to them.

A layer above `Rooms`: it makes matches and looks at how they ended, and no room knows of it. Whatever changes a
tournament goes through `change`: it is stored first and told afterwards, and where another process was quicker the log
is read again and the same work tried once more.
"""

from __future__ import annotations

import asyncio
import base64
import hashlib
import hmac
from collections.abc import Callable, Sequence
from typing import Literal

from astragal.core.language import say
from astragal.server import auth, tournament_store
from astragal.server.players import PlayerRow
from astragal.server.problems import Problem
from astragal.server.rooms import Rooms
from astragal.server.setup import cleaned
from astragal.server.tournament_store import Caused, EntrantRow, TournamentRow
from astragal.server.writer import Conflict
from astragal.tournament.conduct import MOST_GAMES_IN_ALL, games_of_round_robin
from astragal.tournament.events import (
    MOST_ENTRANTS,
    Absent,
    Began,
    Body,
    Ended,
    Entered,
    Kept,
    Paused,
    Result,
    Resumed,
    Withdrew,
)
from astragal.tournament.state import Tournament

TRIES = 8  # against other processes that are quicker
MOST_BOTS = 16  # entrants that are bots
MOST_ABSENCES = 50  # how often somebody may say of themselves that they are absent
MOST_OF_ONE_ADDRESS = 40  # entrants of a listed tournament; a school or a club has one address to the outside
IDLE_MS = 120_000  # how long a tournament that nobody asks for stays in memory


class Held:
    """A tournament in memory."""

    def __init__(self, row: TournamentRow) -> None:
        self.row = row
        self.state = Tournament()
        self.causes: dict[str, Kept] = {}  # what each request that had a key has done
        self.entrants: list[EntrantRow] = []
        self.lock = asyncio.Lock()
        self.used = 0
        self.message: tuple[int, bytes] | None = None  # the last sheet that was written, by the number of its event

    def take(self, each: Caused) -> None:
        """Lets an event happen that is stored."""
        self.state.add(each.kept)
        if each.cause is not None:
            self.causes[each.cause] = each.kept


class Tournaments:
    """The tournaments of one process."""

    def __init__(self, rooms: Rooms) -> None:
        self.rooms = rooms
        self.held: dict[str, Held] = {}

    async def read(self, id: str) -> Held:
        """A tournament as it is stored. Raises Problem if there is none."""
        held = await self._hold(id)
        async with held.lock:
            await self._catch_up(held)
        return held

    async def _hold(self, id: str) -> Held:
        held = self.held.get(id)
        if held is None:
            row = await tournament_store.find(self.rooms.store, id)
            if row is None:
                raise Problem("not_found", say("there is no tournament {id!r}", id=id))
            held = self.held.setdefault(id, Held(row))
        held.used = self.rooms.now()
        return held

    async def _catch_up(self, held: Held) -> None:
        """Reads what other processes have stored. Only for whoever has the lock."""
        store = self.rooms.store
        if held.state.last and store.embedded:
            return  # nobody else writes there
        news = await tournament_store.log(store, held.row.id, held.state.last)
        for each in news:
            held.take(each)
        if news or not held.entrants:
            held.entrants = await tournament_store.entered(store, held.row.id)
        if not held.state.last:
            self.held.pop(held.row.id, None)
            raise Problem("not_found", say("there is no tournament {id!r}", id=held.row.id))

    async def change(
        self,
        id: str,
        work: Callable[[Held], Sequence[Body]],
        cause: str | None = None,
        entrant: Callable[[Held], EntrantRow] | None = None,
    ) -> Held:
        """Lets happen what `work` returns, and returns when it is stored.

        A request whose key `cause` was seen before does nothing. `entrant` is by what somebody who enters is known.
        """
        rooms = self.rooms
        if rooms.closing:
            raise Problem("closing", say("the server is going down; come back in a moment"))
        for _ in range(TRIES):
            held = await self._hold(id)
            async with held.lock:
                await self._catch_up(held)
                if cause is not None and cause in held.causes:
                    return held
                bodies = work(held)
                if not bodies:
                    return held
                first, now = held.state.last + 1, rooms.now()
                log = [Caused(Kept(first + n, now, body), cause if n == 0 else None) for n, body in enumerate(bodies)]
                status = _status_after(held.state, bodies)
                known = None if entrant is None else entrant(held)
                try:
                    await tournament_store.append(rooms.store, id, log, status, known)
                except Conflict:
                    await self._reread(held)
                    continue
                except BaseException:
                    self.held.pop(id, None)  # what is stored now is not known
                    raise
                for each in log:
                    held.take(each)
                if known is not None:
                    held.entrants.append(known)
                return held
        raise Problem("storage", say("the tournament changes too quickly; try again"))

    async def _reread(self, held: Held) -> None:
        for each in await tournament_store.log(self.rooms.store, held.row.id, held.state.last):
            held.take(each)
        held.entrants = await tournament_store.entered(self.rooms.store, held.row.id)

    def forget_idle(self) -> None:
        """Lets go of tournaments that nobody asks for."""
        limit = self.rooms.now() - IDLE_MS
        for id, held in list(self.held.items()):
            if held.used < limit and not held.lock.locked():
                del self.held[id]

    # Who asks -------------------------------------------------------------------------------------------------------

    def entrant_of(self, held: Held, secret: str, player: str | None) -> int | None:
        """Who takes part with this secret or as this player."""
        for known in held.entrants:
            if (secret and auth.same(secret, known.secret)) or (player is not None and known.player == player):
                return known.entrant
        return None

    async def enter(
        self, id: str, name: str, player: PlayerRow | None, secret: str, house: str | None = None
    ) -> tuple[Held, int]:
        """Somebody takes part: a player who has signed in, or a guest with this secret. Entering twice does nothing.

        `house` is the hashed address they come from; None where entries are not limited by address.
        """
        held = await self.read(id)
        names_only = held.row.kind == "class"  # nothing else is kept of pupils
        key = None if player is None or names_only else player.key
        if names_only or not held.row.listed:
            house = None
        before = self.entrant_of(held, secret, key)
        if before is not None:
            return held, before
        called = cleaned(name)[:40] or (player.name if player is not None else "")
        if not called:
            raise Problem("malformed", say("write a name to take part"))

        def entering(held: Held) -> list[Body]:
            if self.entrant_of(held, secret, key) is not None:
                return []  # another request of theirs was quicker
            check_entry(held, called)
            if house is not None and sum(known.house == house for known in held.entrants) >= MOST_OF_ONE_ADDRESS:
                text = say("{most} take part from this address already", most=MOST_OF_ONE_ADDRESS)
                raise Problem("not_possible", text)
            return [Entered(len(held.state.entrants), called)]

        held = await self.change(
            id,
            entering,
            entrant=lambda held: EntrantRow(
                entrant=len(held.state.entrants), secret=None if key else auth.hashed(secret), player=key, house=house
            ),
        )
        number = self.entrant_of(held, secret, key)
        if number is None:
            raise Problem("storage", say("the tournament changes too quickly; try again"))
        return held, number

    async def absent(
        self, id: str, entrant: int, on: bool, by: Literal["self", "organiser"] = "self", cause: str | None = None
    ) -> Held:
        """Somebody is not to be paired until they are back. Who says so of themselves may do it a number of times."""

        def work(held: Held) -> list[Body]:
            who = held.state.entrant(entrant)
            check_running(held)
            if who.withdrawn:
                raise Problem("not_possible", say("{name} takes part no more", name=who.name))
            if who.absent == on:
                return []
            if on and by == "self" and who.absences >= MOST_ABSENCES:
                text = say("you have been absent {most} times; ask the organiser to set you absent", most=MOST_ABSENCES)
                raise Problem("not_possible", text)
            return [Absent(entrant, on, by)]

        return await self.change(id, work, cause)

    async def withdraw(
        self, id: str, entrant: int, by: Literal["self", "organiser"] = "self", cause: str | None = None
    ) -> Held:
        """Somebody takes part no more. Of two, the other has the games that are left; three play on."""

        def work(held: Held) -> list[Body]:
            check_running(held)
            if held.state.entrant(entrant).withdrawn:
                return []
            bodies: list[Body] = [Withdrew(entrant, by)]
            table = held.state.table_of(entrant)
            if table is not None and len(table.entrants) == 2:
                shares = tuple(float(other != entrant) for other in table.entrants)
                bodies += [
                    Result(table.round, table.number, game.number, shares, "withdrawn")
                    for game in table.games
                    if game.shares is None
                ]
            return bodies

        return await self.change(id, work, cause)


def _status_after(state: Tournament, bodies: Sequence[Body]) -> str:
    """Where a tournament stands when these events are stored."""
    status: str = state.status
    for body in bodies:
        match body:
            case Began() | Resumed():
                status = "running"
            case Paused():
                status = "paused"
            case Ended():
                status = "over"
    return status


def check_running(held: Held) -> None:
    """Refuses what is too late. Raises Problem."""
    if held.state.ended is not None:
        raise Problem("not_possible", say("the tournament is over"))


def check_entry(held: Held, name: str, bot: str = "") -> None:
    """Refuses who cannot enter. Raises Problem."""
    check_running(held)
    if len(held.state.entrants) >= MOST_ENTRANTS:
        raise Problem("not_possible", say("{most} take part, and that is all there is room for", most=MOST_ENTRANTS))
    if bot and sum(bool(entrant.bot) for entrant in held.state.entrants) >= MOST_BOTS:
        raise Problem("not_possible", say("{most} bots take part, and that is enough", most=MOST_BOTS))
    if held.state.began_at is not None:
        check_length(held.state, entering=1)
    check_name(held, name)


def check_name(held: Held, name: str) -> None:
    """Refuses a name that somebody else has. Raises Problem."""
    if any(entrant.name.casefold() == name.casefold() for entrant in held.state.entrants):
        raise Problem("not_possible", say("somebody called {name} takes part already; write another name", name=name))


def check_length(state: Tournament, entering: int = 0) -> None:
    """Refuses more games than a tournament can hold; only a round robin can have so many. Raises Problem."""
    games = games_of_round_robin(state, entering) if state.plan.format == "round-robin" else 0
    if games > MOST_GAMES_IN_ALL:
        text = say(
            "everybody against everybody would be {games} games, and {most} are the most; "
            "let fewer take part, or play fewer games in each round",
            games=games,
            most=MOST_GAMES_IN_ALL,
        )
        raise Problem("not_possible", text)


def match_id(row: TournamentRow, round: int, table: int, game: int, attempt: int) -> str:
    """The name of the match of a game: whoever makes it gives it the same, so that it is made once."""
    digest = hmac.new(row.seed.encode(), f"{round}/{table}/{game}/{attempt}".encode(), hashlib.sha256).digest()
    return "".join(auth.LETTERS[byte % len(auth.LETTERS)] for byte in digest[:10])


def seat_secret(secret: str, match: str) -> str:
    """The secret of a guest's seat in a match: whoever asks twice gets the same."""
    digest = hmac.new(secret.encode(), match.encode(), hashlib.sha256).digest()
    return base64.urlsafe_b64encode(digest[:24]).decode()
