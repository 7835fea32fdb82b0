"""Players over HTTP: to sign in with a key, to see one's games, and to take one's data along."""

from __future__ import annotations

from typing import Annotated, Any

from litestar import Controller, Request, Response, delete, get, post
from litestar.params import JSONBody
from msgspec import Meta, Struct

from astragal.core.fair import Hex
from astragal.core.language import LANGUAGES, say
from astragal.core.types import whole
from astragal.server import forgetting, players, sessions
from astragal.server.access import (
    TheRooms,
    guest_or_player,
    household_of,
    origin_of,
    player_of,
    shown_session,
    strict_cookie,
)
from astragal.server.journal import Name
from astragal.server.players import Export, OwnSeat, PlayerRow, Profile
from astragal.server.problems import Problem
from astragal.server.rooms import Rooms
from astragal.server.sessions import Sessions
from astragal.server.setup import cleaned

AnyRequest = Request[Any, Any, Any]
MOST_SEATS = 1000  # that are listed, the latest first


class Challenge(Struct, frozen=True, kw_only=True):
    """What is to be signed: `astragal-player-1`, this server's origin and the nonce, each on a line of its own.

    A client takes the origin from the address that it has called itself; `audience` is what this server believes it is.
    `player` is whose session the request shows already, and `seconds` how long that is still good.
    """

    nonce: str
    audience: str
    player: str | None = None
    seconds: int = 0


class SignIn(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A signed challenge, and what the player calls itself."""

    key: Hex  # the public half, Ed25519
    nonce: Annotated[str, Meta(max_length=100, pattern=whole(r"[0-9a-f.]+"))]
    signature: Annotated[str, Meta(pattern=whole("[0-9a-f]{128}"))]
    name: Name | None = None  # null, as with the next two: as before
    face: Annotated[str, Meta(pattern=whole("[0-9a-f]{0,16}"))] | None = None
    lang: Annotated[str, Meta(pattern=whole("|".join(LANGUAGES)))] | None = None


class Player(Struct, frozen=True, kw_only=True):
    """A player as it may see itself."""

    key: str
    name: str
    face: str
    lang: str


class SignedIn(Struct, frozen=True, kw_only=True):
    """A session, for the header `Astragal-Player`; browsers have it as a cookie besides. It lasts so many seconds."""

    player: Player
    session: str
    seconds: int
    new: bool  # whether this server did not know the player before


class PlayersApi(Controller):
    """Players."""

    path = "/api/players"
    tags = ("players",)

    @post("/challenge", summary="Something to sign", operation_id="challenge", status_code=200)
    async def challenge(self, request: AnyRequest, rooms: TheRooms) -> Challenge:
        signing: Sessions = request.app.state.sessions
        player, now = await guest_or_player(request, rooms), rooms.now()
        return Challenge(
            nonce=signing.nonce(now),
            audience=origin_of(request),
            player=None if player is None else player.key,
            seconds=0 if player is None else signing.seconds_left(shown_session(request), now),
        )

    @post("/session", summary="Sign in with a key", operation_id="signIn", status_code=200)
    async def sign_in(self, request: AnyRequest, rooms: TheRooms, data: JSONBody[SignIn]) -> Response[SignedIn]:
        signing: Sessions = request.app.state.sessions
        now = rooms.now()
        signing.check_nonce(data.nonce, now)
        sessions.check_signature(data.key, data.signature, origin_of(request), data.nonce)
        said = Profile(name=None if data.name is None else cleaned(data.name)[:40], face=data.face, lang=data.lang)
        player = await players.sign_in(rooms.store, data.nonce, data.key, said, lambda: _admit(request))
        session = signing.session(player.key, now)
        cookie = strict_cookie(request, sessions.COOKIE, session, "/api", sessions.SESSION_MS // 1000)
        signed_in = SignedIn(
            player=_shown(player),
            session=session,
            seconds=sessions.SESSION_MS // 1000,
            new=player.created_ms == player.seen_ms,
        )
        return Response(signed_in, cookies=[cookie])

    @delete("/session", summary="Sign out: the browser's session is forgotten", operation_id="signOut")
    async def sign_out(self, request: AnyRequest) -> Response[None]:
        answer: Response[None] = Response(None, status_code=204)
        answer.delete_cookie(sessions.COOKIE, path="/api")
        return answer

    @get("/me", summary="Who you are here", operation_id="me")
    async def me(self, request: AnyRequest, rooms: TheRooms) -> Player:
        return _shown(await player_of(request, rooms))

    @get("/me/seats", summary="Your games: all seats that are yours", operation_id="ownSeats")
    async def own_seats(self, request: AnyRequest, rooms: TheRooms) -> tuple[OwnSeat, ...]:
        player = await player_of(request, rooms)
        return tuple(await players.own_seats(rooms.store, player.key, MOST_SEATS))

    @get("/me/export", summary="All that is stored about you", operation_id="export")
    async def export(self, request: AnyRequest, rooms: TheRooms) -> Export:
        player = await player_of(request, rooms)
        return await players.export(rooms.store, player.key)

    @post("/me/forget", summary="Delete all that is stored about you", operation_id="forgetMe", status_code=202)
    async def forget_me(self, request: AnyRequest, rooms: TheRooms) -> None:
        """As `astragal admin player-forget` does: names, words and the player itself; moves stay, and bots play on."""
        player = await player_of(request, rooms)
        await forgetting.order(rooms.store, player.key)
        rooms.spawn(_forget(rooms, player.key))


async def _forget(rooms: Rooms, key: str) -> None:
    with rooms.logged("a player who is to be forgotten", ""):
        await forgetting.carry_out(rooms, key)


def _admit(request: AnyRequest) -> None:
    """Refuses a new player of an address that has brought too many today."""
    if not request.app.state.new_players.take(household_of(request)):
        text = say("too many new players come from this address today; without a key you can play as a guest")
        raise Problem("quota", text, retry_after=3600)


def _shown(player: PlayerRow) -> Player:
    return Player(key=player.key, name=player.name, face=player.face, lang=player.lang)
