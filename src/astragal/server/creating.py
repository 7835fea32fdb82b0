"""Opening a table: the match is stored, its creator may sit down, and gets the secret of the seat."""

from __future__ import annotations

from typing import Any

import msgspec
from litestar import Request, Response
from litestar.datastructures import Cookie

from astragal.core import fair
from astragal.core.language import say
from astragal.server import auth, setup, wire
from astragal.server.access import guest_or_player, household_of, name_at_table, strict_cookie
from astragal.server.checks import Settled
from astragal.server.lobby import Identity
from astragal.server.players import PlayerRow
from astragal.server.problems import Problem
from astragal.server.quotas import MATCH_BYTES
from astragal.server.room import Room
from astragal.server.rooms import Rooms
from astragal.server.store import MatchRow

AnyRequest = Request[Any, Any, Any]
YEAR = 365 * 86400


async def open_table(
    request: AnyRequest, rooms: Rooms, settled: Settled, *, listed: bool, sit: int | None, name: str,
    commitment: str | None,
) -> Response[wire.Seated]:  # fmt: skip
    """Stores a match that was settled; `sit` is the seat that its creator takes. Raises Problem."""
    quotas = request.app.state.quotas
    prepared, now, seed = settled.setup, rooms.now(), fair.new_seed()
    creator, bots_only = quotas.creator(household_of(request)), setup.OPEN not in prepared.seats
    text = msgspec.json.encode(prepared).decode()
    invite = None if listed else auth.new_secret()
    row = MatchRow(
        id=auth.new_id(),
        game=prepared.game,
        setup=text,
        server_seed=seed.hex(),
        status="lobby",
        listed=listed,
        invite=None if invite is None else auth.hashed(invite),
        created_ms=now,
        changed_ms=now,
        absent_ms=None if prepared.absence is None else 1000 * prepared.absence.seconds,
        creator=creator,
        size=MATCH_BYTES + len(text),
        bots_only=bots_only,
        data=settled.data,
        rating="open" if prepared.rated else None,
    )
    room, player = Room(row, settled.view), await guest_or_player(request, rooms)
    seat, secret = None, None
    if prepared.rated and player is None:
        raise Problem("not_signed_in", say("only a player who has signed in with a key can open a rated table"))
    if sit is not None:
        called, face = name_at_table(player, name, alone=True), player.face if player else ""
        seat = room.sit(sit, called, commitment, now, face, identity(request, row.id, player))
        secret = auth.new_secret()
    else:
        room.go_on(now)
    secrets = [auth.hashed(secret) if secret and n == seat else None for n in range(len(prepared.seats))]
    owners = [player.key if player and n == seat else None for n in range(len(prepared.seats))]
    await rooms.create(
        row, room, secrets, lambda stored, row: quotas.check(stored, creator, bots_only, row.size), owners
    )
    return seated(request, room, seat, secret, invite)


def identity(request: AnyRequest, match: str, player: PlayerRow | None) -> Identity | None:
    """Who takes a seat, as a rated table has to know it; None for a guest."""
    if player is None:
        return None
    state = request.app.state
    return Identity(player.key, None if state.one_address else state.quotas.house(match, household_of(request)))


def seated(
    request: AnyRequest, room: Room, seat: int | None, secret: str | None, invite: str | None
) -> Response[wire.Seated]:
    """Who sits where now, with the secret as an answer and as a cookie for the paths of this match."""
    links = wire.Links(
        watch=f"/table/{room.id}",
        join=f"/join/{room.id}#{invite}" if invite else f"/join/{room.id}" if room.row.listed else None,
        seat=f"/seat/{room.id}#{secret}" if secret else None,
    )
    seated = wire.Seated(match=room.id, seat=seat, secret=secret, server_commitment=fair.commit(room.seed), links=links)
    cookies = [] if seat is None or secret is None else [cookie(request, room.id, seat, secret)]
    return Response(seated, cookies=cookies)


def cookie(request: AnyRequest, match: str, seat: int, secret: str) -> Cookie:
    """The secret of a seat, for the paths of its match only."""
    return strict_cookie(request, auth.seat_cookie(seat), secret, f"/api/matches/{match}", YEAR)
