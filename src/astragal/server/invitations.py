"""Invitations to a table, from one of its players to people it has played with. There are no words in them."""

from __future__ import annotations

from typing import Any

import sqlalchemy as sa

from astragal.core.language import say
from astragal.server import friends
from astragal.server.problems import Problem
from astragal.server.store import Store
from astragal.server.tables import invitations, matches
from astragal.server.upserts import insert

MOST_OPEN = 20  # invitations of one player that wait for an answer
MOST_SHOWN = 20


async def invite(store: Store, host: str, guest: str, match: str) -> None:
    """Invites a player to a table. Who has declined is not asked again. Raises Problem."""
    async with store.changing() as connection:
        if not await friends.played(connection, host, guest):
            raise Problem("not_found", say("you can invite people with whom you have played"))
        waiting = sa.select(sa.func.count()).where(invitations.c.host == host, ~invitations.c.declined)
        of_lobbies = waiting.join(matches, matches.c.id == invitations.c.match).where(matches.c.status == "lobby")
        if (await connection.scalar(of_lobbies) or 0) >= MOST_OPEN:
            raise Problem("quota", say("{most} of your invitations wait for an answer", most=MOST_OPEN), 60)
        row = {"match": match, "guest": guest, "host": host, "declined": False, "at_ms": store.clock.now()}
        await connection.execute(insert(connection, invitations).on_conflict_do_nothing(), row)


async def take(store: Store, guest: str, match: str) -> dict[str, Any]:
    """Uses an invitation up and returns its row. Of two requests at once only one gets it. Raises Problem."""
    own = (invitations.c.match == match, invitations.c.guest == guest, ~invitations.c.declined)
    async with store.changing() as connection:
        row = (await connection.execute(sa.select(invitations).where(*own))).mappings().first()
        if row is None or (await connection.execute(sa.delete(invitations).where(*own))).rowcount != 1:
            raise Problem("not_found", say("there is no such invitation"))
        return dict(row)


async def give_back(store: Store, row: dict[str, Any]) -> None:
    """The guest could not sit down: the invitation that was taken is good again."""
    async with store.changing() as connection:
        await connection.execute(insert(connection, invitations).on_conflict_do_nothing(), row)


async def waiting_for(store: Store, guest: str) -> list[tuple[str, str]]:
    """The tables that a player is invited to, and by whom, the latest first."""
    query = (
        sa.select(invitations.c.match, invitations.c.host)
        .join(matches, matches.c.id == invitations.c.match)
        .where(invitations.c.guest == guest, ~invitations.c.declined, matches.c.status == "lobby")
        .order_by(invitations.c.at_ms.desc())
        .limit(MOST_SHOWN)
    )
    async with store.reading() as connection:
        return [(match, host) for match, host in await connection.execute(query)]


async def guests(store: Store, match: str) -> dict[str, bool]:
    """Who was invited to a table, and whether they have declined."""
    query = sa.select(invitations.c.guest, invitations.c.declined).where(invitations.c.match == match)
    async with store.reading() as connection:
        return {row.guest: row.declined for row in await connection.execute(query)}


async def decline(store: Store, guest: str, match: str) -> None:
    """Does not come."""
    async with store.changing() as connection:
        await connection.execute(
            sa.update(invitations)
            .where(invitations.c.match == match, invitations.c.guest == guest)
            .values(declined=True)
        )
