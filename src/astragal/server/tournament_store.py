"""Tournaments in the store: what they were made as, their logs, and who takes part.

The key (tournament, sequence) decides every race: of two processes that append the same event one gets `Conflict`.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Sequence
from typing import Any

import msgspec
import sqlalchemy as sa
from msgspec import Struct
from msgspec.structs import replace
from sqlalchemy.exc import IntegrityError
from sqlalchemy.ext.asyncio import AsyncConnection

from astragal.server import data_rows
from astragal.server.store import Store
from astragal.server.tables import entrants, matches, tournament_entries, tournaments, uses
from astragal.server.writer import Conflict
from astragal.tournament import events
from astragal.tournament.events import Entered, Kept, Opened, Renamed

Admit = Callable[[AsyncConnection, int], Awaitable[None]]
"""Looks at the store before a tournament of this size is stored, in the same transaction; raises if it may not be."""


class TournamentRow(Struct, frozen=True, kw_only=True):
    """A tournament as it was made, and where it stands."""

    id: str
    title: str
    kind: str
    game: str
    setup: str
    status: str
    listed: bool
    secret: str
    seed: str
    creator: str | None
    created_ms: int
    changed_ms: int
    size: int
    data: dict[str, str] = {}  # own data by its digest, as JSON; lists come without


class EntrantRow(Struct, frozen=True, kw_only=True):
    """By what somebody who takes part is known: a secret's hash, or a player's key; neither for a bot."""

    entrant: int
    secret: str | None = None
    player: str | None = None
    house: str | None = None  # a keyed hash of the address it came from, at listed tournaments


class Caused(Struct, frozen=True):
    """An event, and the key of the request that caused it, if it had one."""

    kept: Kept
    cause: str | None = None


async def create(store: Store, row: TournamentRow, log: Sequence[Kept], admit: Admit) -> None:
    """A new tournament, unless `admit` refuses it. Own data that is not stored yet adds to its size."""
    async with store.changing() as connection:
        fresh = await data_rows.missing(connection, row.data)
        row = replace(row, size=row.size + sum(len(text) for text in fresh.values()))
        await admit(connection, row.size)
        columns = msgspec.structs.asdict(row)
        del columns["data"]
        await connection.execute(sa.insert(tournaments), columns)
        await data_rows.keep(connection, row.id, row.data, row.created_ms)  # a tournament uses a deck as a match does
        await connection.execute(sa.insert(tournament_entries), [_entry(row.id, Caused(kept)) for kept in log])


async def find(store: Store, id: str) -> TournamentRow | None:
    """A tournament, or None."""
    async with store.reading() as connection:
        row = (await connection.execute(sa.select(tournaments).where(tournaments.c.id == id))).mappings().first()
        return None if row is None else TournamentRow(**row, data=await data_rows.of(connection, id))


async def append(store: Store, id: str, log: Sequence[Caused], status: str, entrant: EntrantRow | None = None) -> None:
    """Returns after the commit. Raises Conflict if one of these is not the next, and StoreFailed."""
    async with store.changing() as connection:
        try:
            await connection.execute(sa.insert(tournament_entries), [_entry(id, each) for each in log])
            if entrant is not None:
                await connection.execute(sa.insert(entrants), {"tournament": id, **msgspec.structs.asdict(entrant)})
        except IntegrityError:
            raise Conflict from None
        changes = {"status": status, "changed_ms": log[-1].kept.at}
        await connection.execute(sa.update(tournaments).where(tournaments.c.id == id).values(**changes))


def _entry(id: str, each: Caused) -> dict[str, Any]:
    kept = each.kept
    return {
        "tournament": id,
        "sequence": kept.n,
        "body": events.write(kept.body),
        "at_ms": kept.at,
        "cause": each.cause,
    }


async def log(store: Store, id: str, after: int = 0) -> list[Caused]:
    """The log of a tournament from there on."""
    query = (
        sa.select(tournament_entries)
        .where(tournament_entries.c.tournament == id, tournament_entries.c.sequence > after)
        .order_by(tournament_entries.c.sequence)
    )
    async with store.reading() as connection:
        rows = await connection.execute(query)
        return [Caused(Kept(row.sequence, row.at_ms, events.read(row.body)), row.cause) for row in rows]


async def entered(store: Store, id: str) -> list[EntrantRow]:
    """Everybody who takes part."""
    columns = (entrants.c.entrant, entrants.c.secret, entrants.c.player, entrants.c.house)
    query = sa.select(*columns).where(entrants.c.tournament == id).order_by(entrants.c.entrant)
    async with store.reading() as connection:
        rows = await connection.execute(query)
        return [EntrantRow(**row) for row in rows.mappings()]


async def active(store: Store) -> list[str]:
    """Tournaments in which something may happen by itself. In a paused one matches still end."""
    async with store.reading() as connection:
        query = sa.select(tournaments.c.id).where(tournaments.c.status.in_(("running", "paused")))
        return list(await connection.scalars(query))


async def idle(store: Store, before_ms: int) -> list[str]:
    """Tournaments that have begun and are not over, and in which nothing has happened since."""
    async with store.reading() as connection:
        query = sa.select(tournaments.c.id).where(
            tournaments.c.status.in_(("running", "paused")), tournaments.c.changed_ms < before_ms
        )
        return list(await connection.scalars(query))


async def listed(store: Store, most: int = 50, *, everything: bool = False) -> list[TournamentRow]:
    """Those that everybody may see and that are not over, or `everything`; the latest first."""
    query = sa.select(tournaments)
    if not everything:
        query = query.where(tournaments.c.listed, tournaments.c.status != "over")
    async with store.reading() as connection:
        rows = await connection.execute(query.order_by(tournaments.c.created_ms.desc()).limit(most))
        return [TournamentRow(**row) for row in rows.mappings()]


async def match_statuses(store: Store, ids: Sequence[str]) -> dict[str, str]:
    """Where these matches stand."""
    if not ids:
        return {}
    async with store.reading() as connection:
        rows = await connection.execute(sa.select(matches.c.id, matches.c.status).where(matches.c.id.in_(ids)))
        return {row.id: row.status for row in rows}


async def delete(store: Store, id: str) -> None:
    """Removes a tournament with its matches and all that belongs to them."""
    for each in await log(store, id):
        if isinstance(each.kept.body, Opened):
            await store.delete(each.kept.body.match)
    async with store.changing() as connection:
        await connection.execute(sa.delete(tournament_entries).where(tournament_entries.c.tournament == id))
        await connection.execute(sa.delete(entrants).where(entrants.c.tournament == id))
        await connection.execute(sa.delete(uses).where(uses.c.match == id))
        await connection.execute(sa.delete(tournaments).where(tournaments.c.id == id))


async def forget(store: Store, before_ms: int) -> int:
    """Removes tournaments in which nothing has happened since; says how many."""
    async with store.reading() as connection:
        ids = list(await connection.scalars(sa.select(tournaments.c.id).where(tournaments.c.changed_ms < before_ms)))
    for id in ids:
        await delete(store, id)
    return len(ids)


async def forget_player(store: Store, key: str) -> None:
    """Strikes a player out of all tournaments: its name goes, and its results stand for nobody."""
    async with store.reading() as connection:
        query = sa.select(entrants.c.tournament, entrants.c.entrant).where(entrants.c.player == key)
        theirs = [(row.tournament, row.entrant) for row in await connection.execute(query)]
    for id, number in theirs:
        for each in await log(store, id):
            body = each.kept.body
            if isinstance(body, Entered | Renamed) and body.entrant == number:
                async with store.changing() as connection:
                    await connection.execute(
                        sa.update(tournament_entries)
                        .where(tournament_entries.c.tournament == id, tournament_entries.c.sequence == each.kept.n)
                        .values(body=events.write(replace(body, name="")))
                    )
    async with store.changing() as connection:
        await connection.execute(sa.update(entrants).where(entrants.c.player == key).values(player=None, house=None))
