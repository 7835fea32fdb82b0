"""How much of a server one address may take: matches, bots that play alone, and room in the store.

Who created a match is stored with it, as a keyed hash of the address and not the address itself, so that the count
outlives a restart and is the same for all processes on one database.
"""

from __future__ import annotations

import hmac

import sqlalchemy as sa
from sqlalchemy.ext.asyncio import AsyncConnection

from astragal.core.language import say
from astragal.server.database import lock
from astragal.server.limits import LiveLimits
from astragal.server.problems import Problem
from astragal.server.server_clock import ServerClock
from astragal.server.tables import matches, tournaments

HOUR, DAY = 3_600, 86_400  # seconds
STORED_DAYS = 30
OPEN_DAYS = 7  # a tournament in which nothing has happened for so long counts no more, and is ended once it has begun
DAILY_TOURNAMENTS = 3  # so many times as many as may be open may be made in a day
MATCH_BYTES = 4096  # what a match takes besides its setup: seats, secrets, the beginning of its log
_ONE_AT_A_TIME = 7_305_824_113  # PostgreSQL's advisory lock while quotas are counted


class Quotas:
    """The limits of one server."""

    def __init__(self, limits: LiveLimits, salt: str, clock: ServerClock) -> None:
        self._limits, self._clock = limits, clock
        self._salt = salt.encode()

    def creator(self, household: str) -> str:
        """What is stored of whoever creates a match."""
        return hmac.new(self._salt, household.encode(), "sha256").hexdigest()[:32]

    def house(self, match: str, household: str) -> str:
        """What is stored of the address that takes a seat of a rated match; another one at every table."""
        return hmac.new(self._salt, f"{match} {household}".encode(), "sha256").hexdigest()[:16]

    async def check(self, connection: AsyncConnection, creator: str, bots_only: bool, size: int) -> None:
        """Refuses a match that would be one too many; call it in the transaction that stores it. Raises Problem."""
        await lock(connection, _ONE_AT_A_TIME)
        now = self._clock.now()
        own = matches.c.creator == creator
        await self._hourly(connection, own, now)
        await self._open(connection, own, now)
        if bots_only:
            await self._bots_only(connection, own)
        await self._stored(connection, creator, now, size)

    async def check_bots(self, connection: AsyncConnection, creator: str) -> None:
        """Refuses a match of bots alone that would be one too many, as a tournament makes it. Raises Problem."""
        await self._bots_only(connection, matches.c.creator == creator)

    async def check_tournament(self, connection: AsyncConnection, creator: str, size: int) -> None:
        """Refuses a tournament that would be one too many, in the transaction that stores it. Raises Problem.

        Those that are not over are counted, those made within a day whether over or not, and what is stored.
        """
        await lock(connection, _ONE_AT_A_TIME)
        most, now = self._limits.now.tournaments, self._clock.now()
        own = sa.select(sa.func.count()).where(tournaments.c.creator == creator)
        not_over = own.where(tournaments.c.status != "over", tournaments.c.changed_ms > now - OPEN_DAYS * DAY * 1000)
        if most and (await connection.scalar(not_over) or 0) >= most:
            text = say("this address has {most} tournaments that are not over; end one of them first", most=most)
            raise Problem("quota", text, HOUR // 6)
        daily = DAILY_TOURNAMENTS * most
        if most and (await connection.scalar(own.where(tournaments.c.created_ms > now - DAY * 1000)) or 0) >= daily:
            text = say("this address has made {most} tournaments within a day; come back tomorrow", most=daily)
            raise Problem("quota", text, HOUR)
        await self._stored(connection, creator, now, size)

    async def _hourly(self, connection: AsyncConnection, own: sa.ColumnElement[bool], now: int) -> None:
        most = self._limits.now.hourly_matches
        if not most:
            return
        query = sa.select(sa.func.count(), sa.func.min(matches.c.created_ms))
        made, first = (await connection.execute(query.where(own, matches.c.created_ms > now - HOUR * 1000))).one()
        if made >= most:
            wait = max(1, (first + HOUR * 1000 - now) // 1000 + 1)
            raise Problem(
                "quota", say("this address has created {most} matches within an hour; wait a little", most=most), wait
            )

    async def _open(self, connection: AsyncConnection, own: sa.ColumnElement[bool], now: int) -> None:
        most = self._limits.now.open_matches
        if not most:
            return
        query = sa.select(sa.func.count()).where(
            own, matches.c.status.in_(("lobby", "running")), matches.c.changed_ms > now - DAY * 1000
        )
        if (await connection.scalar(query) or 0) >= most:
            text = say("this address has {most} matches open; end one of them first", most=most)
            raise Problem("quota", text, HOUR // 6)

    async def _bots_only(self, connection: AsyncConnection, own: sa.ColumnElement[bool]) -> None:
        running = sa.select(sa.func.count()).where(matches.c.bots_only, matches.c.status.in_(("lobby", "running")))
        most = self._limits.now.bots_only
        if most and (await connection.scalar(running.where(own)) or 0) >= most:
            text = say("this address has {most} matches of bots alone; wait for the end of one", most=most)
            raise Problem("quota", text, 60)
        most = self._limits.now.all_bots_only
        if most and (await connection.scalar(running) or 0) >= most:
            raise Problem(
                "busy", say("{most} matches of bots alone are played here; wait for the end of one", most=most), 60
            )

    async def _stored(self, connection: AsyncConnection, creator: str, now: int, size: int) -> None:
        """Refuses what would take more of the store than matches and tournaments of one address may."""
        most = self._limits.now.stored_megabytes
        if not most:
            return
        since = now - STORED_DAYS * DAY * 1000
        used = size
        for table in (matches, tournaments):
            query = sa.select(sa.func.sum(table.c.size)).where(table.c.creator == creator, table.c.created_ms > since)
            used += await connection.scalar(query) or 0
        if used > most * 1_000_000:
            text = say(
                "matches and tournaments of this address fill the {most} MB it may use in {days} days",
                most=most,
                days=STORED_DAYS,
            )
            raise Problem("quota", text, DAY)
