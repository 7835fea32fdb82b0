"""What the store holds of a player besides its seats: friends, invitations, tournaments, how it is told of turns."""

from __future__ import annotations

from typing import Any

import sqlalchemy as sa
from msgspec import Struct
from sqlalchemy.ext.asyncio import AsyncConnection

from astragal.server.tables import entrants, friends, invitations, mails, reminders, subscriptions, waiting


class PersonalRows(Struct, frozen=True, kw_only=True):
    """All of it, as the rows stand there."""

    friends: tuple[dict[str, Any], ...]
    invitations: tuple[dict[str, Any], ...]
    tournaments: tuple[dict[str, Any], ...]  # and its number in each
    reminders: tuple[dict[str, Any], ...]
    devices: tuple[dict[str, Any], ...]
    mail: tuple[dict[str, Any], ...]


async def read(connection: AsyncConnection, key: str) -> PersonalRows:
    """What is stored about this player. Who declined its wish to be friends is not told."""

    async def rows(query: sa.Select[Any]) -> tuple[dict[str, Any], ...]:
        return tuple(dict(row) for row in (await connection.execute(query)).mappings())

    wanted = sa.select(friends.c.player, friends.c.other, friends.c.at_ms)
    own = sa.and_(friends.c.player == key, ~friends.c.withdrawn)
    return PersonalRows(
        friends=await rows(wanted.where(sa.or_(own, friends.c.other == key))),
        invitations=await rows(sa.select(invitations).where(_concerns(invitations, key, "host", "guest"))),
        tournaments=await rows(sa.select(entrants.c.tournament, entrants.c.entrant).where(entrants.c.player == key)),
        reminders=await rows(sa.select(reminders).where(reminders.c.player == key)),
        devices=await rows(sa.select(subscriptions).where(subscriptions.c.player == key)),
        mail=await rows(sa.select(mails).where(mails.c.player == key)),
    )


async def delete(connection: AsyncConnection, key: str) -> None:
    """Forgets all of it, but for tournaments: `tournament_store.forget_player` strikes the player out of those."""
    for table, columns in (
        (friends, ("player", "other")),
        (invitations, ("host", "guest")),
        (reminders, ("player",)),
        (subscriptions, ("player",)),
        (mails, ("player",)),
        (waiting, ("player",)),
    ):
        await connection.execute(sa.delete(table).where(_concerns(table, key, *columns)))


def _concerns(table: sa.Table, key: str, *columns: str) -> sa.ColumnElement[bool]:
    return sa.or_(*(table.c[column] == key for column in columns))
