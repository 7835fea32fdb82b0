"""Friends by mutual consent: one asks, the other accepts, and either ends it. Only friends see each other's presence.

A row says that `player` wants to be friends with `other`; they are friends if both want it. Whoever was declined is not
told: the question seems to stand until it is taken back. A question that was declined and is taken back stays in the
store as `withdrawn`, so that asking anew does not bother the other again. One can ask only people one has played with.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Literal

import sqlalchemy as sa
from sqlalchemy.ext.asyncio import AsyncConnection

from astragal.core.language import say
from astragal.server.hall_wire import Person
from astragal.server.problems import Problem
from astragal.server.store import Store
from astragal.server.tables import friends, players, seats

MOST_KNOWN = 60  # people that a player is shown
MOST_ASKED = 200  # that one may have asked


def _played_with(key: str) -> sa.Select[Any]:
    """The keys of those who sat at a table with this player."""
    mine, theirs = seats.alias("mine"), seats.alias("theirs")
    return (
        sa.select(theirs.c.player)
        .join(mine, mine.c.match == theirs.c.match)
        .where(mine.c.player == key, theirs.c.player.is_not(None), theirs.c.player != key)
        .distinct()
    )


async def people(store: Store, key: str, online: Callable[[str], bool]) -> tuple[Person, ...]:
    """Whom a player knows: friends, those who ask, those who were asked, and others it has played with."""
    async with store.reading() as connection:
        asked = sa.select(friends.c.other).where(friends.c.player == key, ~friends.c.withdrawn)
        wanted = set(await connection.scalars(asked))
        wishes = sa.select(friends.c.player).where(friends.c.other == key, ~friends.c.declined)
        wanting = set(await connection.scalars(wishes))
        shown = sa.or_(players.c.key.in_(_played_with(key)), players.c.key.in_(wanted | wanting))
        columns = (players.c.key, players.c.name, players.c.face)
        rank = sa.case(  # so that nobody is pushed out of the list by people who matter less
            (players.c.key.in_(wanted & wanting), 0),
            (players.c.key.in_(wanted), 1),
            (players.c.key.in_(wanting), 2),
            else_=3,
        )
        order = (rank, players.c.seen_ms.desc(), players.c.key)
        query = sa.select(*columns).where(shown, ~players.c.banned).order_by(*order)
        rows = (await connection.execute(query.limit(MOST_KNOWN))).all()

    def state(other: str) -> Literal["known", "asked", "asks", "friend"]:
        if other in wanting:
            return "friend" if other in wanted else "asks"
        return "asked" if other in wanted else "known"

    return tuple(
        Person(key=other, name=name, face=face, state=(how := state(other)), online=how == "friend" and online(other))
        for other, name, face in rows
    )


async def mutual(store: Store, key: str) -> list[str]:
    """The friends of a player."""
    back = friends.alias("back")
    query = (
        sa.select(friends.c.other)
        .join(back, sa.and_(back.c.player == friends.c.other, back.c.other == friends.c.player))
        .where(friends.c.player == key, ~friends.c.declined, ~back.c.declined)
    )
    async with store.reading() as connection:
        return list(await connection.scalars(query))


async def ask(store: Store, key: str, other: str) -> None:
    """Wants to be friends; if the other does too, they are. Raises Problem for somebody one has not played with."""
    async with store.changing() as connection:
        wishes = await connection.scalar(_row(other, key))
        if wishes is None and not await played(connection, key, other):
            raise Problem("not_found", say("you can ask people with whom you have played"))
        if await connection.scalar(_row(key, other)) is not None:
            await connection.execute(sa.update(friends).where(*_pair(key, other)).values(withdrawn=False))
            return
        count = sa.select(sa.func.count()).where(friends.c.player == key, ~friends.c.withdrawn)
        if (await connection.scalar(count) or 0) >= MOST_ASKED:
            raise Problem("quota", say("you have asked {most} people; take some back first", most=MOST_ASKED))
        await connection.execute(sa.delete(friends).where(*_pair(other, key), friends.c.declined))
        await connection.execute(
            sa.insert(friends),
            {"player": key, "other": other, "declined": False, "withdrawn": False, "at_ms": store.clock.now()},
        )


async def part(store: Store, key: str, other: str) -> None:
    """Wants to be friends no more, or never did: takes back what one asked, and declines what the other asks."""
    async with store.changing() as connection:
        await connection.execute(sa.delete(friends).where(*_pair(key, other), ~friends.c.declined))
        await connection.execute(sa.update(friends).where(*_pair(key, other)).values(withdrawn=True))
        await connection.execute(sa.update(friends).where(*_pair(other, key)).values(declined=True))


async def played(connection: AsyncConnection, key: str, other: str) -> bool:
    """Whether these two have sat at a table together."""
    return other in list(await connection.scalars(_played_with(key)))


def _pair(player: str, other: str) -> tuple[sa.ColumnElement[bool], sa.ColumnElement[bool]]:
    return friends.c.player == player, friends.c.other == other


def _row(player: str, other: str) -> sa.Select[tuple[bool]]:
    return sa.select(friends.c.declined).where(*_pair(player, other))
