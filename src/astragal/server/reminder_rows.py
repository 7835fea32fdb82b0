"""How players want to be told that it is their turn, as the store keeps it; and what they were told."""

from __future__ import annotations

import hashlib
from collections.abc import Collection

import msgspec
import sqlalchemy as sa
from msgspec import Struct

from astragal.server import confirmation_rows
from astragal.server.store import Store
from astragal.server.tables import mails, matches, notices, reminders, seats, subscriptions
from astragal.server.upserts import upsert
from astragal.server.web_push import Outcome, Target

MOST_DEVICES = 10  # of one player; the oldest goes
MOST_CONSIDERED = 200  # turns at once
LEASE_MS = 120_000  # after so long a server that began to tell somebody is taken to be dead
MOST_TRIES = 2  # of one turn: if a server dies between sending and noting that, it is sent once more
MOST_FAILURES = 5  # in a row, after which a browser is told nothing any more


class Wishes(Struct, frozen=True, kw_only=True):
    """By which ways a player wants to be told, and at which hours of its day not. Minutes count from midnight."""

    push: bool = False
    mail: bool = False
    quiet_from: int | None = None
    quiet_to: int | None = None
    zone: str = "UTC"


class Device(Struct, frozen=True, kw_only=True):
    """A browser that wants to be told."""

    id: str
    endpoint: str
    p256dh: str
    auth: str
    origin: str
    failures: int  # in a row

    @property
    def target(self) -> Target:
        """Where its messages go."""
        return Target(endpoint=self.endpoint, p256dh=self.p256dh, auth=self.auth)


class MailRow(Struct, frozen=True, kw_only=True):
    """The e-mail address of a player."""

    player: str
    address: str
    confirmed: bool
    origin: str
    asked_ms: int


class Turn(Struct, frozen=True, kw_only=True):
    """A seat that may have something to be told: in a match in which nothing has happened for a while."""

    match: str
    seat: int
    player: str
    changed_ms: int


async def wishes(store: Store, player: str) -> Wishes:
    """What a player wants; nothing, if it never said."""
    columns = [reminders.c[name] for name in Wishes.__struct_fields__]
    async with store.reading() as connection:
        row = (await connection.execute(sa.select(*columns).where(reminders.c.player == player))).mappings().first()
        return Wishes() if row is None else Wishes(**row)


async def set_wishes(store: Store, player: str, wanted: Wishes) -> None:
    """Keeps what a player wants."""
    values = msgspec.structs.asdict(wanted)
    async with store.changing() as connection:
        await connection.execute(upsert(connection, reminders, ["player"], values), {"player": player, **values})
        own = sa.select(seats.c.match, seats.c.seat).where(seats.c.player == player)
        put_off = sa.tuple_(notices.c.match, notices.c.seat).in_(own), notices.c.next_ms.is_not(None)
        await connection.execute(sa.update(notices).where(*put_off).values(next_ms=0))  # what was put off may be due


async def devices(store: Store, player: str) -> list[Device]:
    """The browsers of a player that want to be told."""
    columns = [subscriptions.c[name] for name in Device.__struct_fields__]
    async with store.reading() as connection:
        query = sa.select(*columns).where(subscriptions.c.player == player).order_by(subscriptions.c.created_ms)
        return [Device(**row) for row in (await connection.execute(query)).mappings()]


def device_id(endpoint: str) -> str:
    """What a browser is known by."""
    return hashlib.sha256(endpoint.encode()).hexdigest()


async def add_device(store: Store, player: str, target: Target, origin: str) -> None:
    """A browser wants to be told; it is this player's alone."""
    given = {"player": player, "origin": origin, "created_ms": store.clock.now(), "failures": 0}
    values = {**msgspec.structs.asdict(target), **given}
    row = {"id": device_id(target.endpoint), **values}
    async with store.changing() as connection:
        await connection.execute(upsert(connection, subscriptions, ["id"], values), row)
        own = sa.select(subscriptions.c.id).where(subscriptions.c.player == player)
        newest = list(await connection.scalars(own.order_by(subscriptions.c.created_ms.desc())))
        await connection.execute(sa.delete(subscriptions).where(subscriptions.c.id.in_(newest[MOST_DEVICES:])))


async def drop_device(store: Store, id: str) -> None:
    """A browser wants nothing any more, or is gone."""
    async with store.changing() as connection:
        await connection.execute(sa.delete(subscriptions).where(subscriptions.c.id == id))


async def note_outcome(store: Store, device: Device, outcome: Outcome) -> None:
    """Notes whether a browser could be told. One that is gone, or failed too often in a row, is dropped."""
    if outcome == "gone" or (outcome == "failed" and device.failures + 1 >= MOST_FAILURES):
        await drop_device(store, device.id)
    elif outcome == "failed" or device.failures:
        failures = device.failures + 1 if outcome == "failed" else 0
        async with store.changing() as connection:
            await connection.execute(
                sa.update(subscriptions).where(subscriptions.c.id == device.id).values(failures=failures)
            )


async def mail(store: Store, player: str) -> MailRow | None:
    """The address of a player."""
    async with store.reading() as connection:
        row = (await connection.execute(sa.select(mails).where(mails.c.player == player))).mappings().first()
        return None if row is None else MailRow(**row)


async def set_mail(store: Store, row: MailRow, digest: str) -> None:
    """Keeps an address that is to be asked for confirmation now. Raises Problem if that is not allowed."""
    values = msgspec.structs.asdict(row)
    async with store.changing() as connection:
        await confirmation_rows.ask(connection, digest, row.asked_ms)
        await connection.execute(upsert(connection, mails, ["player"], values), values)


async def confirm_mail(store: Store, player: str, address: str) -> bool:
    """Somebody at this address said yes; whether it is still the player's."""
    async with store.changing() as connection:
        done = await connection.execute(
            sa.update(mails).where(mails.c.player == player, mails.c.address == address).values(confirmed=True)
        )
        return bool(done.rowcount)


async def drop_mail(store: Store, player: str) -> None:
    """Forgets the address of a player."""
    async with store.changing() as connection:
        await connection.execute(sa.delete(mails).where(mails.c.player == player))


# Turns ---------------------------------------------------------------------------------------------------------------


async def turns(store: Store, before_ms: int, now: int, busy: Collection[str] = ()) -> list[Turn]:
    """Seats of players who want to be told, in matches that have stood still since `before_ms`, not looked at since.

    Those of `busy` players are left out.
    """
    pushed = sa.select(subscriptions.c.player).where(subscriptions.c.player == reminders.c.player).exists()
    mailed = sa.select(mails.c.player).where(mails.c.player == reminders.c.player, mails.c.confirmed).exists()
    reachable = sa.select(reminders.c.player).where(
        sa.or_(sa.and_(reminders.c.push, pushed), sa.and_(reminders.c.mail, mailed))
    )
    noted = sa.and_(notices.c.match == seats.c.match, notices.c.seat == seats.c.seat)
    query = (
        sa.select(seats.c.match, seats.c.seat, seats.c.player, matches.c.changed_ms)
        .join(matches, matches.c.id == seats.c.match)
        .outerjoin(notices, noted)
        .where(matches.c.status == "running", seats.c.player.in_(reachable), matches.c.changed_ms <= before_ms)
        .where(seats.c.player.not_in(busy))
        .where(sa.or_(notices.c.match.is_(None), notices.c.looked_ms < matches.c.changed_ms, notices.c.next_ms <= now))
        .order_by(matches.c.changed_ms)
        .limit(MOST_CONSIDERED)
    )
    async with store.reading() as connection:
        return [Turn(**row) for row in (await connection.execute(query)).mappings()]


async def looked(store: Store, turn: Turn, next_ms: int | None) -> None:
    """Notes that a turn was looked at, and when to look again although nothing happens."""
    values = {"looked_ms": turn.changed_ms, "next_ms": next_ms}
    first = {"match": turn.match, "seat": turn.seat, "turn": 0, "tries": 0, "claimed_ms": 0}
    async with store.changing() as connection:
        await connection.execute(upsert(connection, notices, ["match", "seat"], values), {**first, **values})


async def claim(store: Store, turn: Turn, number: int, now: int) -> bool:
    """Whether this server is the one to tell it: nobody has, or whoever began to was not heard of since."""
    await looked(store, turn, now + LEASE_MS)
    given_up = sa.and_(
        notices.c.turn == number,
        notices.c.sent_ms.is_(None),
        notices.c.tries < MOST_TRIES,
        notices.c.claimed_ms <= now - LEASE_MS,
    )
    tries = sa.case((notices.c.turn == number, notices.c.tries + 1), else_=1)
    async with store.changing() as connection:
        taken = await connection.execute(
            sa.update(notices)
            .where(notices.c.match == turn.match, notices.c.seat == turn.seat)
            .where(sa.or_(notices.c.turn < number, given_up))
            .values(turn=number, tries=tries, claimed_ms=now, sent_ms=None)
        )
        return taken.rowcount == 1


async def told(store: Store, turn: Turn, number: int) -> None:
    """It was sent: this turn is told to nobody again."""
    async with store.changing() as connection:
        await connection.execute(
            sa.update(notices)
            .where(notices.c.match == turn.match, notices.c.seat == turn.seat, notices.c.turn == number)
            .values(sent_ms=store.clock.now(), next_ms=None)
        )
