"""Players: a public key with a name, a face and a language. Nothing else is asked of anybody.

Whoever has the private half is the player, on every device that has it. Seats are theirs by that (`seats.player`).
"""

from __future__ import annotations

import secrets
from collections.abc import Callable, Sequence
from typing import Any

import msgspec
import sqlalchemy as sa
from msgspec import Struct
from msgspec.structs import replace
from sqlalchemy.exc import IntegrityError

from astragal.core.fair import Abandoned as PastSeat
from astragal.core.language import say
from astragal.core.record import HandedOver
from astragal.server import journal, personal_rows, standings
from astragal.server.journal import Abandoned, Began, Body, Identified, Kept, Said, Sat
from astragal.server.personal_rows import PersonalRows
from astragal.server.problems import Problem
from astragal.server.sessions import NONCE_MS
from astragal.server.store import Store
from astragal.server.tables import facts, matches, nonces, players, ratings, seats
from astragal.server.upserts import insert

SHORTEST = 4  # characters of a key by which the host may name a player


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


class ListedPlayer(PlayerRow, frozen=True, kw_only=True):
    """A player as the host sees it in a list."""

    seats: int  # how many are its own


class Profile(Struct, frozen=True, kw_only=True):
    """What a player calls itself when it signs in; None: as before."""

    name: str | None = None
    face: str | None = None
    lang: str | None = None


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
    personal: PersonalRows
    ratings: dict[str, list[dict[str, Any]]]  # the rows of each table about them


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


async def named(store: Store, start: str) -> str:
    """The whole key of the player whose key begins so. Raises Problem if there is none, or more than one."""
    if len(start) < SHORTEST:
        raise Problem("malformed", say("write at least {n} characters of a player's key", n=SHORTEST))
    async with store.reading() as connection:
        begins = players.c.key.startswith(start.lower(), autoescape=True)
        keys = list(await connection.scalars(sa.select(players.c.key).where(begins).limit(2)))
    if not keys:
        raise Problem("not_found", say("there is no player {key!r}", key=start))
    if len(keys) > 1:
        raise Problem("malformed", say("more than one player's key begins with {key!r}", key=start))
    return str(keys[0])


async def listed(store: Store, *, find: str = "", most: int | None = None) -> list[ListedPlayer]:
    """Players, those seen last first: all, or whose name holds this or whose key begins with it; at most so many."""
    own = sa.select(sa.func.count()).where(seats.c.player == players.c.key).scalar_subquery()
    query = sa.select(players, own.label("seats")).order_by(players.c.seen_ms.desc(), players.c.key).limit(most)
    if find:
        named = players.c.name.icontains(find, autoescape=True)
        query = query.where(sa.or_(named, players.c.key.startswith(find.lower(), autoescape=True)))
    async with store.reading() as connection:
        return [ListedPlayer(**row) for row in (await connection.execute(query)).mappings()]


async def banned(store: Store) -> frozenset[str]:
    """The keys of all banned players."""
    async with store.reading() as connection:
        return frozenset(await connection.scalars(sa.select(players.c.key).where(players.c.banned)))


async def sign_in(
    store: Store, nonce: str, key: str, said: Profile, admit: Callable[[], None] = lambda: None
) -> PlayerRow:
    """Uses up a nonce, and keeps what the player calls itself now, all in one transaction.

    `admit` is asked before a player is added who was not known, and may raise. Raises Problem for a used nonce.
    """
    now = store.clock.now()
    known = sa.select(players).where(players.c.key == key)
    async with store.changing() as connection:
        await connection.execute(sa.delete(nonces).where(nonces.c.at_ms < now - 2 * NONCE_MS))
        try:
            await connection.execute(sa.insert(nonces), {"nonce": nonce, "at_ms": now})
        except IntegrityError:
            raise Problem("wrong_signature", say("this was signed in with before; ask for a new challenge")) from None
        row = (await connection.execute(known)).mappings().first()
        if row is None:
            admit()
            fresh = PlayerRow(key=key, name="", face="", lang="en", created_ms=now, seen_ms=now)
            add = insert(connection, players).on_conflict_do_nothing()
            await connection.execute(add, msgspec.structs.asdict(fresh))
            row = (await connection.execute(known)).mappings().one()  # another device may have been quicker
        before = PlayerRow(**row)
        if before.banned:
            raise Problem("banned", say("the host does not let this player in"))
        changes = {name: value for name, value in msgspec.structs.asdict(said).items() if value is not None}
        if before.renamed:
            changes.pop("name", None)
        player = replace(before, **changes, seen_ms=now)
        await connection.execute(sa.update(players).where(players.c.key == key).values(**changes, seen_ms=now))
        return player


async def forget_unused(store: Store, before_ms: int) -> int:
    """Deletes players without a seat or a rating who have not signed in since; says how many.

    Bans and names by the host stay.
    """
    seated = sa.select(seats.c.player).where(seats.c.player == players.c.key).exists()
    rated = sa.select(ratings.c.key).where(ratings.c.key == players.c.key).exists()  # their matches may be gone
    unused = players.c.seen_ms < before_ms, ~players.c.banned, ~players.c.renamed, ~seated, ~rated
    async with store.changing() as connection:
        keys = list(await connection.scalars(sa.select(players.c.key).where(*unused)))
        for key in keys:
            await connection.execute(sa.delete(players).where(players.c.key == key))
            await personal_rows.delete(connection, key)
        return len(keys)


async def own_seats(store: Store, key: str, most: int, status: Sequence[str] = ()) -> list[OwnSeat]:
    """The seats of a player, those of the matches that changed last first; only of matches in these states."""
    columns = (seats.c.match, seats.c.seat, matches.c.game, matches.c.status, matches.c.changed_ms)
    query = (
        sa.select(*columns)
        .join(matches, matches.c.id == seats.c.match)
        .where(seats.c.player == key)
        .order_by(matches.c.changed_ms.desc(), seats.c.match, seats.c.seat)
        .limit(most)
    )
    if status:
        query = query.where(matches.c.status.in_(status))
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
    personal = await store.ask(lambda connection: personal_rows.read(connection, key))
    rated = await standings.export(store, key)
    return Export(player=player, matches=tuple(own), personal=personal, ratings=rated)


async def forget_ratings(store: Store, key: str) -> None:
    """Calls a player something random in all that ratings are made of; do this before `strike_out`."""
    await standings.forget(store, key, f"{standings.GONE}{secrets.token_hex(12)}")


async def strike_out(store: Store, seat: OwnSeat) -> None:
    """Deletes the name of a seat's player in its match, and all it said there; the moves stay."""
    called = await standings.called(store, seat.match, seat.seat) or f"{standings.GONE}{secrets.token_hex(12)}"
    for kept in await store.rows(seat.match):
        nameless = _nameless(kept.body, seat.seat, called)
        if nameless != kept.body:
            await store.replace(seat.match, Kept(kept.n, kept.at, nameless))


async def delete(store: Store, key: str, fact: str) -> None:
    """Deletes a player, and the fact that this was to be done; its seats are nobody's, and their secrets worthless."""
    async with store.changing() as connection:
        await connection.execute(sa.delete(facts).where(facts.c.name == fact))
        await connection.execute(sa.update(seats).where(seats.c.player == key).values(player=None, secret=None))
        await connection.execute(sa.delete(players).where(players.c.key == key))
        await personal_rows.delete(connection, key)


def _nameless(body: Body, seat: int, called: str) -> Body:
    """An entry without the name of this seat's player and without its words; its key becomes what it is `called`."""
    match body:
        case Identified() if body.seat == seat:
            return replace(body, player=called)
        case Sat() if body.seat == seat:
            return replace(body, name="", face="")
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
