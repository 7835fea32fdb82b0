"""Which matches there are: lists for people, and what housekeeping looks for."""

from __future__ import annotations

import contextlib
from collections.abc import Sequence

import sqlalchemy as sa
from msgspec import Struct

from astragal.server import data_rows
from astragal.server.database import Database
from astragal.server.health import StoreFailed
from astragal.server.tables import entries, matches, seats
from astragal.server.writer import CHANGED_MS


class MatchRow(Struct, frozen=True, kw_only=True):
    """A match as it was created, and where it stands."""

    id: str
    game: str
    setup: str
    server_seed: str
    status: str
    listed: bool
    invite: str | None
    created_ms: int
    changed_ms: int
    due_ms: int | None = None
    absent_ms: int | None = None
    creator: str | None = None
    size: int = 0
    bots_only: bool = False
    remove_ms: int | None = None
    rating: str | None = None  # of a rated match: open, or done once it was counted
    data: dict[str, str] = {}  # own data by its digest, as JSON; lists of matches come without


class MatchLists(Database):
    """A database as one looks for matches in it."""

    async def match(self, id: str) -> MatchRow | None:
        """A match as it was created, or None."""
        async with self.reading() as connection:
            row = (await connection.execute(sa.select(matches).where(matches.c.id == id))).mappings().first()
            return None if row is None else MatchRow(**row, data=await data_rows.of(connection, id))

    async def list_matches(
        self,
        status: Sequence[str],
        *,
        listed: bool = True,
        most: int = 100,
        after: tuple[int, str] | None = None,
    ) -> list[MatchRow]:
        """Matches in these states, the latest change first; only what follows `after`, a last change and an id."""
        order = (matches.c.changed_ms.desc(), matches.c.id.desc())
        query = sa.select(matches).where(matches.c.status.in_(status)).order_by(*order).limit(most)
        if listed:
            query = query.where(matches.c.listed)
        if after is not None:
            at, id = after
            earlier = sa.and_(matches.c.changed_ms == at, matches.c.id < id)
            query = query.where(sa.or_(matches.c.changed_ms < at, earlier))
        try:
            async with self.reading() as connection:
                return [MatchRow(**row) for row in (await connection.execute(query)).mappings()]
        except StoreFailed:
            if not self.health.damage:
                raise
        rows = [row for row in await self._legible() if row.status in status and (row.listed or not listed)]
        rows = [row for row in rows if after is None or (row.changed_ms, row.id) < after]
        return sorted(rows, key=lambda row: (row.changed_ms, row.id), reverse=True)[:most]

    async def _legible(self) -> list[MatchRow]:
        """The matches that can still be read from a damaged store, one by one."""
        async with self.reading() as connection:
            ids = list(await connection.scalars(sa.select(matches.c.id)))  # from the index alone
        rows = []
        for id in ids:
            with contextlib.suppress(StoreFailed):
                if (row := await self.match(id)) is not None:
                    rows.append(row)
        return rows

    async def abandoned(self, before_ms: int) -> list[str]:
        """Lobbies in which nothing has happened since, and matches that bots alone have played since before."""
        lobby = sa.and_(matches.c.status == "lobby", matches.c.changed_ms < before_ms)
        bots = sa.and_(matches.c.status == "running", matches.c.bots_only, matches.c.created_ms < before_ms)
        async with self.reading() as connection:
            return list(await connection.scalars(sa.select(matches.c.id).where(sa.or_(lobby, bots)).limit(500)))

    async def to_remove(self, now: int, before_ms: int) -> list[str]:
        """Closed matches whose time to be removed has come, and those of bots alone that ended before."""
        closed = sa.and_(matches.c.status == "closed", matches.c.remove_ms <= now)
        ended = sa.and_(matches.c.bots_only, matches.c.status.in_(("over", "closed")), matches.c.changed_ms < before_ms)
        query = sa.select(matches.c.id).where(sa.or_(closed, ended)).limit(500)
        async with self.reading() as connection:
            return list(await connection.scalars(query))

    async def due(self, now: int) -> list[str]:
        """Matches in which something should have happened by now."""
        async with self.reading() as connection:
            return list(
                await connection.scalars(
                    sa.select(matches.c.id).where(matches.c.due_ms <= now).order_by(matches.c.due_ms).limit(500)
                )
            )

    async def ticking(self) -> list[str]:
        """Matches with a clock, a bot to move or a seed to open: `due` is set."""
        async with self.reading() as connection:
            return list(await connection.scalars(sa.select(matches.c.id).where(matches.c.due_ms.is_not(None))))

    async def old(self, before_ms: int) -> list[str]:
        """Matches that ended, or were left in the lobby, before this time."""
        async with self.reading() as connection:
            query = sa.select(matches.c.id).where(matches.c.status != "running", matches.c.changed_ms < before_ms)
            return list(await connection.scalars(query))

    async def absent(self, now: int, since: int = 0) -> list[tuple[str, int]]:
        """Seats of running matches whose players are gone for longer than their match allows, counted from `since`."""
        async with self.reading() as connection:
            missing = await connection.execute(
                sa.select(seats.c.match, seats.c.seat)
                .join(matches, matches.c.id == seats.c.match)
                .where(
                    matches.c.status == "running",
                    matches.c.absent_ms.is_not(None),
                    seats.c.secret.is_not(None),
                    seats.c.seen_ms + matches.c.absent_ms < now,
                    matches.c.absent_ms < now - since,
                )
            )
            return [(match, seat) for match, seat in missing]

    async def counts(self) -> dict[str, int]:
        """How many matches there are in each state."""
        async with self.reading() as connection:
            counted = await connection.execute(sa.select(matches.c.status, sa.func.count()).group_by(matches.c.status))
            return {row[0]: row[1] for row in counted}

    async def latest_ms(self) -> int:
        """When a match was last changed; 0 if there is none. (The rows of matches may lag behind their logs.)"""
        newest = sa.select(sa.func.max(matches.c.changed_ms)).scalar_subquery()
        recent = sa.select(matches.c.id).where(matches.c.changed_ms >= newest - CHANGED_MS)
        last = sa.select(sa.func.max(entries.c.at_ms)).where(entries.c.match.in_(recent))
        async with self.reading() as connection:
            latest = await connection.scalar(sa.select(newest)) or 0
        with contextlib.suppress(StoreFailed):  # a damaged log is the trouble of its match
            async with self.reading() as connection:
                latest = max(latest, await connection.scalar(last) or 0)
        return int(latest)
