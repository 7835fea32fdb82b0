"""What the host's page shows: the state of the server and its store, and lists of what is there."""

from __future__ import annotations

import asyncio
import shutil
from pathlib import Path

import msgspec
import sqlalchemy as sa

import astragal
from astragal.server import backups, heartbeat, limits, players, retention, store_file, tournament_store
from astragal.server.host_wire import (
    Backups,
    HostLimit,
    HostMatch,
    HostMatches,
    HostPlayer,
    HostTournament,
    Overview,
    Storage,
)
from astragal.server.limits import LIMITS, LiveLimits
from astragal.server.load import LoadMeter
from astragal.server.rooms import Rooms
from astragal.server.store import MatchRow, Store
from astragal.server.tables import matches as match_table
from astragal.server.tables import players as player_table
from astragal.server.tables import tournaments as tournament_table

PAGE = 50  # rows of a list
STATUSES = ("lobby", "running", "over", "closed")


async def overview(rooms: Rooms, meter: LoadMeter) -> Overview:
    """How the server stands."""
    return Overview(
        version=astragal.__version__,
        process=rooms.store.name,
        servers=await heartbeat.living(rooms.store),
        unreadable=len(rooms.unreadable),
        damage=rooms.store.health.damage,
        load=meter.figures(rooms.store.logs.queued),
    )


async def storage(store: Store) -> Storage:
    """What the store holds and how much room there is. It counts all matches, so do not ask every second."""
    file, plan = store_file.path(store.url), await retention.plan(store)
    async with store.reading() as connection:
        oldest = await connection.scalar(sa.select(sa.func.min(match_table.c.created_ms)))
        people = await connection.scalar(sa.select(sa.func.count()).select_from(player_table))
        tournaments = await connection.scalar(sa.select(sa.func.count()).select_from(tournament_table))
        size = 0 if store.embedded else await connection.scalar(sa.text("SELECT pg_database_size(current_database())"))
    if file is not None:
        size = await asyncio.to_thread(_size, file)
    return Storage(
        embedded=store.embedded,
        bytes=int(size or 0),
        free_bytes=None if file is None else (await asyncio.to_thread(shutil.disk_usage, file.parent)).free,
        matches=await store.counts(),
        players=int(people or 0),
        tournaments=int(tournaments or 0),
        oldest_ms=oldest,
        keep_days=plan.days,
        doomed=len(plan.matches),
    )


def _size(file: Path) -> int:
    """What an embedded store takes of the disk, with what SQLite keeps beside it."""
    every = (file, *(file.with_name(file.name + end) for end in store_file.BESIDE))
    return sum(each.stat().st_size for each in every if each.exists())


async def matches(rooms: Rooms, status: tuple[str, ...], after: tuple[int, str] | None, find: str) -> HostMatches:
    """A page of matches, the latest change first; or the one with this id."""
    if find:
        row = await rooms.store.match(find)
        return HostMatches(matches=() if row is None else (_match(rooms, row),), after=None)
    rows = await rooms.store.list_matches(status, listed=False, most=PAGE, after=after)
    following = f"{rows[-1].changed_ms}-{rows[-1].id}" if len(rows) == PAGE else None
    return HostMatches(matches=tuple(_match(rooms, row) for row in rows), after=following)


def _match(rooms: Rooms, row: MatchRow) -> HostMatch:
    live = rooms.live.get(row.id)
    room = None if live is None else live.room
    return HostMatch(
        match=row.id,
        game=row.game,
        status=row.status,
        listed=row.listed,
        bots_only=row.bots_only,
        rated=row.rating is not None,
        created_ms=row.created_ms,
        changed_ms=row.changed_ms,
        players=() if room is None else tuple(who.name or who.player for who in room.seats),
        followers=0 if live is None else len(live.subscribers),
    )


async def people(store: Store, find: str) -> list[HostPlayer]:
    """Players, those seen last first: whose name holds this, or whose key begins with it."""
    names = HostPlayer.__struct_fields__
    rows = await players.listed(store, find=find, most=PAGE)
    return [HostPlayer(**{name: getattr(row, name) for name in names}) for row in rows]


async def tournaments(store: Store) -> list[HostTournament]:
    """Tournaments and classes, the latest first."""
    names = [name for name in HostTournament.__struct_fields__ if name != "tournament"]
    rows = await tournament_store.listed(store, most=PAGE, everything=True)
    return [HostTournament(tournament=row.id, **{name: getattr(row, name) for name in names}) for row in rows]


async def all_limits(store: Store, live: LiveLimits, lang: str) -> list[HostLimit]:
    """Every limit, as it will hold within a second on all servers."""
    changed = await limits.changed(store)
    started = msgspec.structs.asdict(live.started)
    return [
        HostLimit(
            name=name,
            flag=limit.flag,
            text=limit.text.to(lang),
            value=changed.get(name, started[name]),
            started=started[name],
            changed=name in changed,
            least=limit.least,
        )
        for name, limit in LIMITS.items()
    ]


async def all_backups(store: Store) -> Backups:
    """The backups beside the embedded store."""
    file = store_file.path(store.url)
    if file is None:
        return Backups(folder=None)
    made = await asyncio.to_thread(backups.made, store.url)
    return Backups(folder=str(file.parent / backups.FOLDER), backups=tuple(made))
