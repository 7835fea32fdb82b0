"""What the host orders from the command line. Orders go into the store; running servers see them within a second."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from typing import Any

import msgspec

from astragal.core.language import Text, say, say_count
from astragal.core.types import AstragalError
from astragal.server import addresses, auth, forgetting, keys, players, retention, store_file
from astragal.server.journal import Said
from astragal.server.players import PlayerRow
from astragal.server.ratings import Ratings
from astragal.server.room import Room
from astragal.server.rooms import Rooms
from astragal.server.setup import cleaned
from astragal.server.store import Store


def carry_out(url: str, name: str, lang: str, **given: Any) -> str:
    """Carries out one order and returns the sentence or table for the host. Raises AstragalError."""
    return asyncio.run(_carry_out(url, name, lang, given))


async def _carry_out(url: str, name: str, lang: str, given: dict[str, Any]) -> str:
    store_file.existing(url)
    store = await Store.open(url)
    try:
        if name in LISTS:
            return await LISTS[name](store, lang, **given)
        return (await ORDERS[name](store, **given)).to(lang)
    finally:
        await store.close()


async def _list(store: Store, lang: str, as_json: bool) -> str:
    rows = await store.list_matches(("lobby", "running", "over", "closed"), listed=False, most=10_000)
    if as_json:
        plain = [
            {
                "match": row.id,
                "game": row.game,
                "status": row.status,
                "listed": row.listed,
                "created_ms": row.created_ms,
                "changed_ms": row.changed_ms,
            }
            for row in rows
        ]
        return msgspec.json.encode(plain).decode()
    lines = [f"{row.id}  {row.game:<10} {row.status:<8} {'' if row.listed else '-'}" for row in rows]
    return "\n".join(line.rstrip() for line in lines) or say("There is no match.").to(lang)


async def _change(store: Store, match: str, work: Callable[[Room], None], hashes: dict[int, str | None]) -> None:
    """Changes a match as a server does, retrying when a running server stored something first."""
    rooms = Rooms(store)
    await rooms.change(match, work, lambda _: hashes)
    await rooms.drain()
    await store.announce(match)


async def _close(store: Store, match: str) -> Text:
    await _change(store, match, lambda room: room.close(store.clock.now()), {})
    return say("Match {match} is closed.", match=match)


async def _kick(store: Store, match: str, seat: int) -> Text:
    def out(room: Room) -> None:
        _check_seat(room, seat)
        forgetting.leave(room, seat - 1, store.clock.now())

    await _change(store, match, out, {seat - 1: None})
    return say("Seat {seat} of match {match} is taken from its player.", seat=seat, match=match)


async def _reissue(store: Store, match: str, seat: int) -> Text:
    row = await store.match(match)
    if row is None:
        raise _missing(match)
    _check_seat(Room(row), seat)
    secret = auth.new_secret()
    await store.set_secret(match, seat - 1, auth.hashed(secret))
    await store.announce(match)
    return say("The new link of this seat: {link}", link=f"/seat/{match}#{secret}")


async def _delete(store: Store, match: str) -> Text:
    if not await store.delete(match):
        raise _missing(match)
    await store.announce(match)
    return say("Match {match} is deleted.", match=match)


async def _hush(store: Store, match: str) -> Text:
    said = [(kept, kept.body.seat) for kept in await store.rows(match) if isinstance(kept.body, Said)]
    for kept, seat in said:
        await store.replace(match, msgspec.structs.replace(kept, body=Said(seat)))
    await store.announce(match)
    return say_count(len(said), "{n} message is deleted.", "{n} messages are deleted.")


async def _ban(store: Store, address: str) -> Text:
    kept_out = addresses.name(addresses.network(address))
    await store.ban(kept_out)
    await store.announce()
    return say("{address} is kept out.", address=kept_out)


async def _unban(store: Store, address: str) -> Text:
    """Lifts a ban however it was written, also one that an older version stored as it was typed."""
    lifted = [
        stored for stored in await store.banned() if stored == address or _canonical(stored) == _canonical(address)
    ]
    if not lifted:
        raise AstragalError(say("{address} is not kept out; astragal admin bans lists who is", address=address))
    for stored in lifted:
        await store.ban(stored, on=False)
    await store.announce()
    return say("{address} may come in again.", address=_canonical(address))


def _canonical(text: str) -> str:
    """How a ban is written, or the text itself where it means nothing."""
    try:
        return addresses.name(addresses.network(text))
    except AstragalError:
        return text


async def _players(store: Store, lang: str, as_json: bool) -> str:
    rows = await players.listed(store)
    if as_json:
        return msgspec.json.encode(rows).decode()
    lines = [f"{row.key}  {retention.date_of(row.seen_ms)}  {row.name}{_banned(row, lang)}" for row in rows]
    return "\n".join(line.rstrip() for line in lines) or say("No player has signed in yet.").to(lang)


def _banned(row: PlayerRow, lang: str) -> str:
    word = say("banned").to(lang)
    return f" ({word})" if row.banned else ""


async def _rename(store: Store, key: str, called: str) -> Text:
    key, name = await players.named(store, key), cleaned(called)[:40]
    await players.rename(store, key, name)
    return say("Player {key} is called {name} from now on.", key=key, name=name)


async def _ban_player(store: Store, key: str) -> Text:
    key = await players.named(store, key)
    await players.ban(store, key, on=True)
    await store.announce()
    return say("Player {key} is kept out.", key=key)


async def _unban_player(store: Store, key: str) -> Text:
    key = await players.named(store, key)
    await players.ban(store, key, on=False)
    await store.announce()
    return say("Player {key} may come in again.", key=key)


async def _forget_player(store: Store, key: str) -> Text:
    key = await players.named(store, key)
    await forgetting.order(store, key)
    rooms = Rooms(store)
    await forgetting.carry_out(rooms, key)
    await rooms.drain()
    return say("Player {key} is forgotten, with its names and all it said.", key=key)


async def _recount(store: Store, lang: str, reviews: bool, as_json: bool) -> str:
    made = await Ratings(Rooms(store)).recount(reviews=reviews)
    if as_json:
        return msgspec.json.encode(made).decode()
    counted = say_count(
        made.counted,
        "{n} of {all} rated matches counts, for {players} players.",
        "{n} of {all} rated matches count, for {players} players.",
        all=made.matches,
        players=made.players,
    )
    changed = (
        say_count(made.changed, "{n} rating is different now.", "{n} ratings are different now.")
        if made.changed
        else say("Every rating is as it was.")
    )
    return "\n".join(text.to(lang) for text in (counted, changed))


async def _export_player(store: Store, _lang: str, key: str) -> str:
    exported = await players.export(store, await players.named(store, key))
    return msgspec.json.format(msgspec.json.encode(exported), indent=1).decode()


async def _bans(store: Store, lang: str, as_json: bool) -> str:
    kept_out = sorted(await store.banned())
    if as_json:
        return msgspec.json.encode(kept_out).decode()
    return "\n".join(kept_out) or say("Nobody is kept out.").to(lang)


async def _retention(store: Store, lang: str, days: int | None, as_json: bool) -> str:
    """Sets how long matches are kept, if days are given, and says how things stand."""
    if days is not None:
        await store.set_fact(retention.DAYS, str(days))
    plan = await retention.plan(store)
    if as_json:
        return msgspec.json.encode(plan).decode()
    lines = [say_count(plan.days, "Matches are kept for {n} day.", "Matches are kept for {n} days (0: for ever).")]
    if plan.matches:
        lines.append(
            say_count(
                len(plan.matches),
                "{n} match that ended before {date} will be removed when the server has run for {hours} more hours:",
                "{n} matches that ended before {date} will be removed when the server has run for {hours} more hours:",
                date=str(plan.ended_before),
                hours=plan.hours_left,
            )
        )
    return "\n".join([*(text.to(lang) for text in lines), *plan.matches])


def _check_seat(room: Room, seat: int) -> None:
    if seat > len(room.lobby_seats):
        raise AstragalError(say("there is no seat {seat}", seat=seat))


def _missing(match: str) -> AstragalError:
    return AstragalError(say("there is no match {match!r}", match=match))


LISTS: dict[str, Callable[..., Awaitable[str]]] = {
    "list": _list,
    "bans": _bans,
    "key": keys.describe,
    "players": _players,
    "player-export": _export_player,
    "recount": _recount,
    "retention": _retention,
}
ORDERS: dict[str, Callable[..., Awaitable[Text]]] = {
    "close": _close,
    "kick": _kick,
    "reissue": _reissue,
    "delete": _delete,
    "hush": _hush,
    "ban": _ban,
    "unban": _unban,
    "player-rename": _rename,
    "player-ban": _ban_player,
    "player-unban": _unban_player,
    "player-forget": _forget_player,
}
