"""Forgetting a player: its names, its words and its seats in every match, and at last the player itself.

It takes many transactions. That it is to be done is stored first, so that whoever is killed in the midst of it leaves
something that any server of this store finishes; doing a part of it twice does no harm.
"""

from __future__ import annotations

from astragal.core.types import AstragalError
from astragal.server import players, tournament_store
from astragal.server.metrics import logger
from astragal.server.players import OwnSeat
from astragal.server.room import Room
from astragal.server.rooms import Rooms
from astragal.server.store import Store

ORDERED = "forget "  # facts of this name say who is to be forgotten; they have room for a part of the key only


async def order(store: Store, key: str) -> None:
    """Notes that a player is to be forgotten, and keeps it out from now on. Raises Problem if there is none."""
    await players.known(store, key)
    await store.set_fact(_fact(key), key)
    await players.ban(store, key, on=True)  # so that nothing new comes while its traces are removed
    await store.announce()


async def carry_out(rooms: Rooms, key: str) -> None:
    """Removes all traces of a player, match by match. Its moves stay, and bots take over its seats."""
    store = rooms.store
    await players.forget_ratings(store, key)
    for seat in await players.own_seats(store, key, most=1_000_000):
        await players.strike_out(store, seat)
        if seat.status in ("lobby", "running"):
            await _take_seat(rooms, key, seat)
        await players.strike_out(store, seat)  # what was said before the running servers knew
        await store.announce(seat.match)
    await tournament_store.forget_player(store, key)
    await players.delete(store, key, _fact(key))
    await store.announce()


async def finish_all(rooms: Rooms) -> None:
    """Goes on with what a killed process had begun."""
    for key in (await rooms.store.facts(ORDERED)).values():
        await carry_out(rooms, key)
        logger.warning("a player is forgotten, as its host had ordered before")


async def _take_seat(rooms: Rooms, key: str, own: OwnSeat) -> None:
    if (await rooms.store.seat_owners(own.match))[own.seat] != key:
        return  # somebody else who forgets this player was quicker

    def out(room: Room) -> None:
        if room.status in ("lobby", "running"):
            leave(room, own.seat, rooms.now())

    try:
        await rooms.change(own.match, out, lambda _: {own.seat: None})
    except AstragalError as error:  # a match of a game that is not installed any more, or a damaged one
        logger.warning("the seat of a forgotten player is left empty: %s", error, extra={"match": own.match})
        await rooms.store.set_secret(own.match, own.seat, None)


def leave(room: Room, seat: int, now: int) -> None:
    """Takes a seat from its player: before the match it is free again, in a running one a bot plays on."""
    if room.status == "lobby":
        room.unseat([seat], "kicked", now)
    else:
        room.replace(seat, forfeit=False, now=now)


def _fact(key: str) -> str:
    return f"{ORDERED}{key[:30]}"
