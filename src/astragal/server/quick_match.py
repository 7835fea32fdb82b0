"""Quick match: people who want the same game by the same clock are seated together, whichever server they are at.

Whoever waits has a ticket, a row of the store. A match and the seats of all who share it are stored in one transaction
that takes every ticket only if it is still free: nobody is seated twice, however many processes try, and a server that
is killed leaves either tickets or a match. The secret of a ticket becomes that of the seat, so that the client enters
the match with what it has.
"""

from __future__ import annotations

import hashlib
import secrets
from collections.abc import Iterable, Sequence

import msgspec
import sqlalchemy as sa
from msgspec import Struct
from sqlalchemy.exc import IntegrityError
from sqlalchemy.ext.asyncio import AsyncConnection

from astragal.core import fair, registry
from astragal.core.language import say
from astragal.play import clock
from astragal.server import auth, hall_wire, metrics, players, setup, wire
from astragal.server.problems import Problem
from astragal.server.quotas import MATCH_BYTES
from astragal.server.room import Room
from astragal.server.rooms import Rooms
from astragal.server.store import MatchRow, Store
from astragal.server.tables import waiting

FRESH_MS = 20_000  # who was not connected for longer is not seated
FORGET_MS = 3_600_000  # how long a ticket is remembered after its client was last there
MOST_TICKETS = 40  # of one address that may wait at once: a whole class


class Wish(Struct, frozen=True, kw_only=True):
    """What somebody wants to play: a preset of a game by a clock, with as few players as the game allows."""

    game: str
    preset: str
    clock: str

    @property
    def digest(self) -> str:
        """The same for all who want the same."""
        return hashlib.sha256("\n".join((self.game, self.preset, self.clock)).encode()).hexdigest()


class Ticket(Struct, frozen=True, kw_only=True):
    """Somebody who waits, or has waited, as it is stored."""

    id: str
    holder: str | None
    wish: str
    game: str
    preset: str
    clock: str
    player: str | None
    name: str
    commitment: str | None
    secret: str
    creator: str
    created_ms: int
    seen_ms: int
    match: str | None = None
    seat: int | None = None


def wish_of(ticket: Ticket) -> Wish:
    """What the holder of a ticket wants."""
    return Wish(game=ticket.game, preset=ticket.preset, clock=ticket.clock)


def checked(game: str, preset: str, time_control: str) -> Wish:
    """A wish that can be played, in the one way to write it. Raises what the game or the clock object to."""
    rules = registry.game(game).rules
    wish = Wish(game=game, preset=preset or next(iter(rules.presets), ""), clock=str(clock.parse(time_control)))
    setup.settle(_new_match(wish))
    return wish


def _new_match(wish: Wish) -> wire.NewMatch:
    seats = (setup.OPEN,) * _size(wish)
    return wire.NewMatch(game=wish.game, preset=wish.preset or None, seats=seats, clock=wish.clock)


def _size(wish: Wish) -> int:
    """How many play."""
    return min(registry.game(wish.game).rules.spec.players)


async def enter(
    store: Store, wish: Wish, *, player: str | None, name: str, commitment: str | None, creator: str
) -> tuple[Ticket, str]:
    """A new ticket and its secret. A player has one at a time: the new one replaces it. Raises Problem."""
    secret, now, id = auth.new_secret(), store.clock.now(), auth.new_id() + auth.new_id()
    ticket = Ticket(
        id=id, holder=player or id, wish=wish.digest, game=wish.game, preset=wish.preset, clock=wish.clock,
        player=player, name=name, commitment=commitment, secret=auth.hashed(secret), creator=creator,
        created_ms=now, seen_ms=now,
    )  # fmt: skip
    fresh = sa.select(sa.func.count()).where(
        waiting.c.creator == creator, waiting.c.match.is_(None), waiting.c.seen_ms > now - FRESH_MS
    )
    async with store.changing() as connection:
        await connection.execute(sa.delete(waiting).where(waiting.c.holder == ticket.holder))
        promised = sa.select(waiting.c.id).where(waiting.c.commitment == commitment, waiting.c.match.is_(None))
        if commitment is not None and await connection.scalar(promised) is not None:
            raise Problem("not_possible", say("this seed was promised here before; bring a new one"))
        if (await connection.scalar(fresh) or 0) >= MOST_TICKETS:
            raise Problem("quota", say("{most} people wait for a match at this address already", most=MOST_TICKETS), 60)
        try:
            await connection.execute(sa.insert(waiting), msgspec.structs.asdict(ticket))
        except IntegrityError:
            raise Problem("not_possible", say("this player waits for a match on another device")) from None
    return ticket, secret


async def find(store: Store, id: str) -> Ticket | None:
    """The ticket of this name."""
    async with store.reading() as connection:
        row = (await connection.execute(sa.select(waiting).where(waiting.c.id == id))).mappings().first()
        return None if row is None else Ticket(**row)


async def owned(store: Store, id: str, secret: str) -> Ticket | None:
    """The same, if this is its secret; None if there is no such ticket any more. Raises Problem for a wrong secret."""
    ticket = await find(store, id)
    if ticket is not None and not auth.same(secret, ticket.secret):
        raise Problem("wrong_secret", say("this is not the secret of this ticket"))
    return ticket


async def leave(store: Store, id: str) -> None:
    """Waits no more. Who was seated meanwhile stays seated."""
    async with store.changing() as connection:
        await connection.execute(sa.delete(waiting).where(waiting.c.id == id, waiting.c.match.is_(None)))


async def see(store: Store, ids: Iterable[str]) -> None:
    """Notes that the clients of these tickets are there."""
    now, names = store.clock.now(), list(ids)
    async with store.changing() as connection:
        await connection.execute(sa.update(waiting).where(waiting.c.id.in_(names)).values(seen_ms=now))


async def wishes(store: Store, ids: Iterable[str]) -> set[Wish]:
    """What those of these tickets want that still wait."""
    query = sa.select(waiting.c.game, waiting.c.preset, waiting.c.clock).distinct()
    async with store.reading() as connection:
        rows = await connection.execute(query.where(waiting.c.id.in_(list(ids)), waiting.c.match.is_(None)))
        return {Wish(game=game, preset=preset, clock=clock) for game, preset, clock in rows}


async def forget_old(store: Store) -> None:
    """Deletes the tickets whose clients have not been there for long, seated or not."""
    async with store.changing() as connection:
        await connection.execute(sa.delete(waiting).where(waiting.c.seen_ms < store.clock.now() - FORGET_MS))


async def counts(store: Store) -> tuple[hall_wire.Waiting, ...]:
    """How many wait for what."""
    kind = (waiting.c.game, waiting.c.preset, waiting.c.clock)
    there = (waiting.c.match.is_(None), waiting.c.seen_ms > store.clock.now() - FRESH_MS)
    async with store.reading() as connection:
        rows = await connection.execute(sa.select(*kind, sa.func.count()).where(*there).group_by(*kind).order_by(*kind))
        return tuple(hall_wire.Waiting(game=g, preset=p, clock=c, people=n) for g, p, c, n in rows)


async def status(store: Store, id: str) -> hall_wire.Ticket:
    """What has become of a ticket, for whoever holds it."""
    ticket = await find(store, id)
    if ticket is None:
        return hall_wire.Ticket(ticket=id, state="gone")
    if ticket.match is None:
        return hall_wire.Ticket(ticket=id, state="waiting")
    return hall_wire.Ticket(ticket=id, state="seated", match=ticket.match, seat=ticket.seat)


async def pair(rooms: Rooms, wish: Wish) -> list[Ticket]:
    """Seats those who want this and wait the longest, table by table. Returns the tickets of which something became.

    If the table refuses a group, its youngest ticket is deleted, so that nobody can keep the others waiting.
    """
    settled: list[Ticket] = []
    size = _size(wish)
    while len(group := await _longest(rooms.store, wish, size)) == size:
        try:
            await _seat(rooms, wish, group)
        except _Taken:  # somebody has left, or another process was quicker
            continue
        except _Refused as refusal:
            metrics.logger.warning("a ticket of quick match is deleted: %s", refusal.__cause__)
            await leave(rooms.store, group[-1].id)
            settled.append(group[-1])
            continue
        settled += group
    return settled


async def _longest(store: Store, wish: Wish, most: int) -> list[Ticket]:
    """Those who wait the longest."""
    query = (
        sa.select(waiting)
        .where(waiting.c.wish == wish.digest, waiting.c.match.is_(None))
        .where(waiting.c.seen_ms > store.clock.now() - FRESH_MS)
        .order_by(waiting.c.created_ms, waiting.c.id)
        .limit(most)
    )
    async with store.reading() as connection:
        return [Ticket(**row) for row in (await connection.execute(query)).mappings()]


class _Taken(Exception):
    """A ticket was not free any more."""


class _Refused(Exception):
    """The table does not take these people together, for example because two have promised the same seed."""


async def _seat(rooms: Rooms, wish: Wish, group: Sequence[Ticket]) -> None:
    """Stores a match of these people. Raises _Taken or _Refused; then nothing is stored."""
    prepared, view = setup.settle(_new_match(wish))
    now, text, order = rooms.now(), msgspec.json.encode(prepared).decode(), list(group)
    secrets.SystemRandom().shuffle(order)  # nobody sits first for having waited longer
    row = MatchRow(
        id=auth.new_id(),
        game=prepared.game,
        setup=text,
        server_seed=fair.new_seed().hex(),
        status="lobby",
        listed=True,  # a seat that is given up before the beginning is anybody's
        invite=None,
        created_ms=now,
        changed_ms=now,
        creator=group[0].creator,
        size=MATCH_BYTES + len(text),
    )
    room = Room(row, view)
    for seat, ticket in enumerate(order):
        player = None if ticket.player is None else await players.find(rooms.store, ticket.player)
        try:
            room.sit(seat, ticket.name, ticket.commitment, now, player.face if player else "")
        except Problem as problem:
            raise _Refused from problem

    async def take(connection: AsyncConnection, row: MatchRow) -> None:
        places = sorted((ticket.id, seat) for seat, ticket in enumerate(order))  # two processes in the same order
        for id, seat in places:
            free = sa.update(waiting).where(waiting.c.id == id, waiting.c.match.is_(None))
            taken = await connection.execute(free.values(match=row.id, seat=seat, holder=None))
            if taken.rowcount != 1:
                raise _Taken

    await rooms.create(row, room, [ticket.secret for ticket in order], take, [ticket.player for ticket in order])
