"""Players: a public key with a name, a face and a language. Nothing else is asked of anybody.

Whoever has the private half is the player, on every device that has it. Seats are theirs by that (`seats.player`).
"""

from __future__ import annotations

from typing import Any

import msgspec
import sqlalchemy as sa
from msgspec import Struct
from msgspec.structs import replace
from sqlalchemy.exc import IntegrityError

from astragal.core.fair import Abandoned as PastSeat
from astragal.core.language import say
from astragal.core.record import HandedOver
from astragal.server import journal
from astragal.server.journal import Abandoned, Began, Body, Kept, Said, Sat
from astragal.server.problems import Problem
from astragal.server.sessions import NONCE_MS
from astragal.server.store import Store
from astragal.server.tables import matches, nonces, players, seats


class PlayerRow(Struct, frozen=True, kw_only=True):
    """A player as it is stored."""

    key: str
    name: str
    face: str  # a seed, from which clients draw the face
    lang: str
    created_ms: int
    seen_ms: int
    renamed: bool = False  # by the host: what the player calls itself does not count any more
    banned: bool = False


class OwnSeat(Struct, frozen=True, kw_only=True):
    """A seat of a player."""

    match: str
    seat: int
    game: str
    status: str
    changed_ms: int


class OwnMatch(Struct, frozen=True, kw_only=True):
    """What the store holds of a player's doings in one match: its own entries, and when."""

    match: str
    game: str
    seat: int
    entries: tuple[dict[str, Any], ...]


class Export(Struct, frozen=True, kw_only=True):
    """All that is stored about a player."""

    player: PlayerRow
    matches: tuple[OwnMatch, ...]


async def find(store: Store, key: str) -> PlayerRow | None:
    """The player with this key."""
    async with store.reading() as connection:
        row = (await connection.execute(sa.select(players).where(players.c.key == key))).mappings().first()
        return None if row is None else PlayerRow(**row)


async def known(store: Store, key: str) -> PlayerRow:
    """The player with this key. Raises Problem if there is none."""
    player = await find(store, key)
    if player is None:
        raise Problem("not_found", say("there is no player {key!r}", key=key))
    return player


async def listed(store: Store) -> list[PlayerRow]:
    """All players, those seen last first."""
    async with store.reading() as connection:
        rows = await connection.execute(sa.select(players).order_by(players.c.seen_ms.desc(), players.c.key))
        return [PlayerRow(**row) for row in rows.mappings()]


async def banned(store: Store) -> frozenset[str]:
    """The keys of all banned players."""
    async with store.reading() as connection:
        return frozenset(await connection.scalars(sa.select(players.c.key).where(players.c.banned)))


async def sign_in(store: Store, nonce: str, wanted: PlayerRow) -> PlayerRow:
    """Uses up a nonce, and keeps what the player calls itself now. Raises Problem for a nonce that was used."""
    now = store.clock.now()
    async with store.changing() as connection:
        await connection.execute(sa.delete(nonces).where(nonces.c.at_ms < now - 2 * NONCE_MS))
        try:
            await connection.execute(sa.insert(nonces), {"nonce": nonce, "at_ms": now})
        except IntegrityError:
            raise Problem("wrong_signature", say("this was signed in with before; ask for a new challenge")) from None
        row = (await connection.execute(sa.select(players).where(players.c.key == wanted.key))).mappings().first()
        if row is None:
            await connection.execute(sa.insert(players), msgspec.structs.asdict(wanted))
            return wanted
        before = PlayerRow(**row)
        if before.banned:
            raise Problem("banned", say("the host does not let this player in"))
        name = before.name if before.renamed or not wanted.name else wanted.name
        player = replace(before, name=name, face=wanted.face, lang=wanted.lang, seen_ms=now)
        changes = {"name": name, "face": player.face, "lang": player.lang, "seen_ms": now}
        await connection.execute(sa.update(players).where(players.c.key == wanted.key).values(**changes))
        return player


async def own_seats(store: Store, key: str, most: int = 200) -> list[OwnSeat]:
    """The seats of a player, those of the matches that changed last first."""
    columns = (seats.c.match, seats.c.seat, matches.c.game, matches.c.status, matches.c.changed_ms)
    query = (
        sa.select(*columns)
        .join(matches, matches.c.id == seats.c.match)
        .where(seats.c.player == key)
        .order_by(matches.c.changed_ms.desc(), seats.c.match, seats.c.seat)
        .limit(most)
    )
    async with store.reading() as connection:
        return [OwnSeat(**row) for row in (await connection.execute(query)).mappings()]


async def rename(store: Store, key: str, name: str) -> None:
    """The host gives a player another name, which stays."""
    await _change(store, key, name=name, renamed=True)


async def ban(store: Store, key: str, *, on: bool) -> None:
    """The host keeps a player out, or lets it in again."""
    await _change(store, key, banned=on)


async def _change(store: Store, key: str, **values: Any) -> None:
    await known(store, key)
    async with store.changing() as connection:
        await connection.execute(sa.update(players).where(players.c.key == key).values(**values))


async def export(store: Store, key: str) -> Export:
    """All that is stored about a player. Of a match only its own entries: others' may be hidden from it."""
    player, own = await known(store, key), []
    for seat in await own_seats(store, key, most=1_000_000):
        kept = [kept for kept in await store.rows(seat.match) if getattr(kept.body, "seat", None) == seat.seat]
        entries = tuple({"n": each.n, "at": each.at, **msgspec.to_builtins(each.body)} for each in kept)
        own.append(OwnMatch(match=seat.match, game=seat.game, seat=seat.seat, entries=entries))
    return Export(player=player, matches=tuple(own))


async def strike_out(store: Store, seat: OwnSeat) -> None:
    """Deletes the name of a seat's player in its match, and all it said there; the moves stay."""
    for kept in await store.rows(seat.match):
        nameless = _nameless(kept.body, seat.seat)
        if nameless != kept.body:
            await store.replace(seat.match, Kept(kept.n, kept.at, nameless))


async def delete(store: Store, key: str) -> None:
    """Deletes a player; its seats are nobody's, and their secrets worth nothing."""
    async with store.changing() as connection:
        await connection.execute(sa.update(seats).where(seats.c.player == key).values(player=None, secret=None))
        await connection.execute(sa.delete(players).where(players.c.key == key))


def _nameless(body: Body, seat: int) -> Body:
    """An entry without the name of this seat's player and without its words."""
    match body:
        case Sat() if body.seat == seat:
            return replace(body, name="")
        case Said() if body.seat == seat:
            return journal.Said(seat)
        case Abandoned() if body.seat == seat:
            return replace(body, name="")
        case HandedOver() if body.seat == seat:
            return replace(body, to=replace(body.to, name=""))
        case Began(header):
            named = tuple(replace(who, name="") if n == seat else who for n, who in enumerate(header.seats))
            left: tuple[PastSeat, ...] = tuple(
                replace(past, name="") if past.seat == seat else past for past in header.fair.abandoned
            )
            return replace(body, header=replace(header, seats=named, fair=replace(header.fair, abandoned=left)))
        case _:
            return body
