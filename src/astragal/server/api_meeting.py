"""Finding others over HTTP: quick match, friends, invitations. What becomes of them is told over the hall's socket."""

from __future__ import annotations

from typing import Annotated, Any

from litestar import Controller, Request, Response, delete, get, post, put
from litestar.params import FromPath, JSONBody
from msgspec import Meta, Struct

from astragal.core.fair import Hex
from astragal.core.language import say
from astragal.core.types import AstragalError, whole
from astragal.server import auth, creating, friends, hall_wire, invitations, players, quick_match
from astragal.server.access import MatchId, TheRooms, guest_or_player, household_of, name_at_table, player_of
from astragal.server.hall_feed import HallFeed
from astragal.server.journal import Name
from astragal.server.problems import Problem
from astragal.server.quotas import MATCH_BYTES
from astragal.server.room import Room
from astragal.server.rooms import Rooms
from astragal.server.setup import NOBODY_INVITED, cleaned
from astragal.server.wire import Seated

AnyRequest = Request[Any, Any, Any]
Key = FromPath[str]
KEY = Meta(pattern=whole("[0-9a-f]{64}"))


class QuickMatch(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """What somebody wants to play, and the promise of a seed. Without a preset the usual rules."""

    game: Annotated[str, Meta(max_length=60)]
    preset: Annotated[str, Meta(max_length=60)] = ""
    clock: Annotated[str, Meta(max_length=40)] = "none"
    name: Name = ""
    commitment: Hex | None = None


class OwnTicket(Struct, frozen=True, kw_only=True):
    """A ticket, to be shown over the hall's socket (`wait`). Its secret is that of the seat, once there is one."""

    ticket: str
    secret: str


class TicketSecret(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Proves that a ticket is the caller's."""

    secret: Annotated[str, Meta(max_length=100)]


class Guest(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Who is invited."""

    player: Annotated[str, KEY]


class Acceptance(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The promise of a seed, for fair dice."""

    commitment: Hex | None = None


class Invited(Struct, frozen=True, kw_only=True):
    """Somebody who was invited to a table."""

    player: str
    declined: bool


class MeetingApi(Controller):
    """Finding others."""

    path = "/api/meeting"
    tags = ("meeting",)

    @post("/quick", summary="Wait for others who want the same", operation_id="quickMatch")
    async def quick(self, request: AnyRequest, rooms: TheRooms, data: JSONBody[QuickMatch]) -> OwnTicket:
        wish, player = quick_match.checked(data.game, data.preset, data.clock), await guest_or_player(request, rooms)
        name = cleaned(name_at_table(player, data.name, alone=True))[:40]
        quotas, feed = request.app.state.quotas, _feed(request)
        creator = quotas.creator(household_of(request))
        await rooms.store.ask(lambda stored: quotas.check(stored, creator, False, MATCH_BYTES))
        ticket, secret = await quick_match.enter(
            rooms.store, wish, player=player.key if player else None, name=name, commitment=data.commitment,
            creator=creator,
        )  # fmt: skip
        feed.tickets_changed([ticket.id])
        await feed.pair(wish)
        return OwnTicket(ticket=ticket.id, secret=secret)

    @post("/quick/{ticket:str}/leave", summary="Wait no more", operation_id="leaveQuickMatch", status_code=200)
    async def leave(
        self, request: AnyRequest, rooms: TheRooms, ticket: FromPath[str], data: JSONBody[TicketSecret]
    ) -> hall_wire.Ticket:
        """Who was seated meanwhile is told where."""
        if await quick_match.owned(rooms.store, ticket, data.secret) is not None:
            await quick_match.leave(rooms.store, ticket)
            _feed(request).tickets_changed([ticket])
        return await quick_match.status(rooms.store, ticket)

    # Friends ----------------------------------------------------------------------------------------------------

    @put("/friends/{key:str}", summary="Ask to be friends, or accept", operation_id="befriend", status_code=204)
    async def befriend(self, request: AnyRequest, rooms: TheRooms, key: Key) -> None:
        player = await player_of(request, rooms)
        if key == player.key:
            raise Problem("not_possible", say("this is you"))
        await players.known(rooms.store, key)
        await friends.ask(rooms.store, player.key, key)
        _feed(request).people_changed([player.key, key])

    @delete("/friends/{key:str}", summary="Decline, or be friends no more", operation_id="unfriend")
    async def unfriend(self, request: AnyRequest, rooms: TheRooms, key: Key) -> None:
        player = await player_of(request, rooms)
        await friends.part(rooms.store, player.key, key)
        _feed(request).people_changed([player.key, key])

    # Invitations ------------------------------------------------------------------------------------------------

    @get("/tables/{id:str}/invitations", summary="Whom you have invited to your table", operation_id="invited")
    async def invited(self, request: AnyRequest, rooms: TheRooms, id: MatchId) -> tuple[Invited, ...]:
        await _own_table(request, rooms, id)
        guests = await invitations.guests(rooms.store, id)
        return tuple(Invited(player=guest, declined=declined) for guest, declined in guests.items())

    @post(
        "/tables/{id:str}/invitations", summary="Invite somebody to your table", operation_id="invite", status_code=204
    )
    async def invite(self, request: AnyRequest, rooms: TheRooms, id: MatchId, data: JSONBody[Guest]) -> None:
        host = await _own_table(request, rooms, id)
        await _invitable(rooms, id, data.player)
        if not (await rooms.room(id)).free:
            raise Problem("seat_taken", say("there is no free seat at this table"))
        await invitations.invite(rooms.store, host, data.player, id)
        _feed(request).people_changed([data.player])

    @post("/tables/{id:str}/accept", summary="Take a seat at a table that you are invited to", operation_id="accept")
    async def accept(
        self, request: AnyRequest, rooms: TheRooms, id: MatchId, data: JSONBody[Acceptance]
    ) -> Response[Seated]:
        player = await player_of(request, rooms)
        room = await _invitable(rooms, id, player.key)
        secret, identity = auth.new_secret(), creating.identity(request, id, player)
        invitation = await invitations.take(rooms.store, player.key, id)
        try:
            seat = await rooms.change(
                id,
                lambda room: room.sit(None, player.name, data.commitment, rooms.now(), player.face, identity),
                lambda seat: {seat: auth.hashed(secret)},
                player.key,
            )
        except AstragalError:
            await invitations.give_back(rooms.store, invitation)
            raise
        return creating.seated(request, room, seat, secret, None)

    @post("/tables/{id:str}/decline", summary="Decline an invitation", operation_id="decline", status_code=204)
    async def decline(self, request: AnyRequest, rooms: TheRooms, id: MatchId) -> None:
        player = await player_of(request, rooms)
        await invitations.decline(rooms.store, player.key, id)
        _feed(request).people_changed([player.key])


def _feed(request: AnyRequest) -> HallFeed:
    feed: HallFeed = request.app.state.feed
    return feed


async def _invitable(rooms: Rooms, id: str, guest: str) -> Room:
    """The table, if somebody can be invited there who has no seat yet. Raises Problem."""
    room = await rooms.room(id)
    if room.row.invite == NOBODY_INVITED:
        raise Problem("forbidden", say("the seats of this table belong to those who take part"))
    if guest in await rooms.store.seat_owners(id):
        raise Problem("not_possible", say("this player sits at the table already"))
    return room


async def _own_table(request: AnyRequest, rooms: Rooms, id: str) -> str:
    """The key of the caller, who has a seat there. Raises Problem."""
    player = await player_of(request, rooms)
    await rooms.hold(id)
    if player.key not in await rooms.store.seat_owners(id):
        raise Problem("forbidden", say("only its players invite others to a table"))
    return player.key
