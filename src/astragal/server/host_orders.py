"""What a host can order: from the command line (`admin`) and on the host's page (`api_host`), by the same functions.

Each changes the store and announces it there, so that all running servers act on it within a second, and returns the
sentence that the host is told.
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Mapping
from types import MappingProxyType
from typing import Any

import msgspec

from astragal.core.language import Text, say, say_count
from astragal.core.types import AstragalError
from astragal.server import addresses, auth, backups, forgetting, limits, players, retention, tournament_orders
from astragal.server.journal import Said
from astragal.server.room import Room
from astragal.server.rooms import Rooms
from astragal.server.setup import cleaned
from astragal.server.tournament_wire import End
from astragal.server.tournaments import Tournaments

SECRET = "host_secret"  # noqa: S105  the fact that holds its hash


# Matches ------------------------------------------------------------------------------------------------------------


async def _change(rooms: Rooms, match: str, work: Callable[[Room], None], hashes: dict[int, str | None]) -> None:
    """Changes a match as a player's command does, retrying when a running server stored something first."""
    await rooms.change(match, work, lambda _: hashes)
    await rooms.store.announce(match)


async def _close(rooms: Rooms, match: str) -> Text:
    await _change(rooms, match, lambda room: room.close(rooms.now()), {})
    return say("Match {match} is closed.", match=match)


async def _kick(rooms: Rooms, match: str, seat: int) -> Text:
    def out(room: Room) -> None:
        _check_seat(room, seat)
        forgetting.leave(room, seat - 1, rooms.now())

    await _change(rooms, match, out, {seat - 1: None})
    return say("Seat {seat} of match {match} is taken from its player.", seat=seat, match=match)


async def _reissue(rooms: Rooms, match: str, seat: int) -> Text:
    row = await rooms.store.match(match)
    if row is None:
        raise _missing(match)
    _check_seat(Room(row), seat)
    secret = auth.new_secret()
    await rooms.store.set_secret(match, seat - 1, auth.hashed(secret))
    await rooms.store.announce(match)
    return say("The new link of this seat: {link}", link=f"/seat/{match}#{secret}")


async def _delete(rooms: Rooms, match: str) -> Text:
    if not await rooms.store.delete(match):
        raise _missing(match)
    await rooms.store.announce(match)
    return say("Match {match} is deleted.", match=match)


async def _hush(rooms: Rooms, match: str) -> Text:
    store = rooms.store
    said = [(kept, kept.body.seat) for kept in await store.rows(match) if isinstance(kept.body, Said)]
    for kept, seat in said:
        await store.replace(match, msgspec.structs.replace(kept, body=Said(seat)))
    await store.announce(match)
    return say_count(len(said), "{n} message is deleted.", "{n} messages are deleted.")


def _check_seat(room: Room, seat: int) -> None:
    if seat > len(room.lobby_seats):
        raise AstragalError(say("there is no seat {seat}", seat=seat))


def _missing(match: str) -> AstragalError:
    return AstragalError(say("there is no match {match!r}", match=match))


# Who may come in ----------------------------------------------------------------------------------------------------


async def _ban(rooms: Rooms, address: str) -> Text:
    kept_out = addresses.name(addresses.network(address))
    await rooms.store.ban(kept_out)
    await rooms.store.announce()
    return say("{address} is kept out.", address=kept_out)


async def _unban(rooms: Rooms, address: str) -> Text:
    """Lifts a ban however it was written, also one that an older version stored as it was typed."""
    store = rooms.store
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


async def _rename(rooms: Rooms, key: str, called: str) -> Text:
    key, name = await players.named(rooms.store, key), cleaned(called)[:40]
    await players.rename(rooms.store, key, name)
    return say("Player {key} is called {name} from now on.", key=key, name=name)


async def _ban_player(rooms: Rooms, key: str) -> Text:
    key = await players.named(rooms.store, key)
    await players.ban(rooms.store, key, on=True)
    await rooms.store.announce()
    return say("Player {key} is kept out.", key=key)


async def _unban_player(rooms: Rooms, key: str) -> Text:
    key = await players.named(rooms.store, key)
    await players.ban(rooms.store, key, on=False)
    await rooms.store.announce()
    return say("Player {key} may come in again.", key=key)


async def _forget_player(rooms: Rooms, key: str) -> Text:
    key = await players.named(rooms.store, key)
    await forgetting.order(rooms.store, key)
    await forgetting.carry_out(rooms, key)
    return say("Player {key} is forgotten, with its names and all it said.", key=key)


# Tournaments --------------------------------------------------------------------------------------------------------


async def _stop_tournament(tournaments: Tournaments, tournament: str) -> Text:
    await tournament_orders.carry_out(tournaments, await tournaments.read(tournament), End())
    for match in ["", *await tournament_orders.close_decided(tournaments, tournament)]:
        await tournaments.rooms.store.announce(match)
    return say("Tournament {id} is over; matches that were still played are closed.", id=tournament)


async def _delete_tournament(tournaments: Tournaments, tournament: str) -> Text:
    held = await tournaments.read(tournament)
    if held.state.ended is None:  # a running server then opens no match that nobody would delete
        await tournament_orders.carry_out(tournaments, held, End())
    for match in ["", *await tournament_orders.delete(tournaments, tournament)]:
        await tournaments.rooms.store.announce(match)
    return say("Tournament {id} is deleted, with its matches and all names.", id=tournament)


# The server ---------------------------------------------------------------------------------------------------------


async def _reset_limit(rooms: Rooms, name: str) -> Text:
    return await _limit(rooms, name, None)


async def _limit(rooms: Rooms, name: str, value: int | None) -> Text:
    name = limits.named(name)
    await limits.set_limit(rooms.store, name, value)
    await rooms.store.announce()
    flag = limits.LIMITS[name].flag
    if value is None:
        return say("{flag} is again what each server was started with.", flag=flag)
    return say(
        "{flag} is {value} from now on, on all servers of this store and after a restart.", flag=flag, value=value
    )


async def _retention(rooms: Rooms, days: int) -> Text:
    await rooms.store.set_fact(retention.DAYS, str(days))
    return say_count(days, "Matches are kept for {n} day.", "Matches are kept for {n} days (0: for ever).")


async def _backup(rooms: Rooms) -> Text:
    made = await asyncio.to_thread(backups.make, rooms.store.url)
    return say("{file} is written", file=str(made))


async def _delete_backup(rooms: Rooms, name: str) -> Text:
    await asyncio.to_thread(backups.delete, rooms.store.url, name)
    return say("{file} is deleted.", file=name)


async def _host_link(rooms: Rooms, address: str) -> Text:
    """A new secret for the host's page; only its hash is stored, so an old link cannot be shown again."""
    secret = auth.new_secret()
    await rooms.store.set_fact(SECRET, auth.hashed(secret))
    return Text(f"{address.rstrip('/')}/host#{secret}")


ORDERS: Mapping[str, Callable[..., Awaitable[Text]]] = MappingProxyType(
    {
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
        "limit": _limit,
        "limit-reset": _reset_limit,
        "keep-days": _retention,
        "backup": _backup,
        "backup-delete": _delete_backup,
        "host-link": _host_link,
    }
)
OF_TOURNAMENTS: Mapping[str, Callable[[Tournaments, str], Awaitable[Text]]] = MappingProxyType(
    {"tournament-stop": _stop_tournament, "tournament-delete": _delete_tournament}
)


async def carry_out(rooms: Rooms, tournaments: Tournaments, order: str, /, **given: Any) -> Text:
    """Carries out an order. Raises AstragalError."""
    if order in OF_TOURNAMENTS:
        return await OF_TOURNAMENTS[order](tournaments, given["tournament"])
    return await ORDERS[order](rooms, **given)
