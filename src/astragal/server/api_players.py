"""Players over HTTP: to sign in with a key, to see one's games, and to take one's data along."""

from __future__ import annotations

from typing import Annotated, Any

from litestar import Controller, Request, Response, get, post
from litestar.datastructures import Cookie
from litestar.params import JSONBody
from msgspec import Meta, Struct

from astragal.core.fair import Hex
from astragal.core.language import LANGUAGES
from astragal.core.types import whole
from astragal.server import hosts, players, sessions
from astragal.server.access import TheRooms, player_of
from astragal.server.journal import Name
from astragal.server.players import Export, OwnSeat, PlayerRow
from astragal.server.sessions import Sessions
from astragal.server.setup import cleaned

AnyRequest = Request[Any, Any, Any]


class Challenge(Struct, frozen=True, kw_only=True):
    """What is to be signed: `astragal-player-1`, this server's origin and the nonce, each on a line of its own.

    A client takes the origin from the address that it has called itself; `audience` is what this server believes it is.
    """

    nonce: str
    audience: str


class SignIn(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A signed challenge, and what the player calls itself."""

    key: Hex  # the public half, Ed25519
    nonce: Annotated[str, Meta(max_length=100, pattern=whole(r"[0-9a-f.]+"))]
    signature: Annotated[str, Meta(pattern=whole("[0-9a-f]{128}"))]
    name: Name = ""
    face: Annotated[str, Meta(pattern=whole("[0-9a-f]{0,16}"))] = ""
    lang: Annotated[str, Meta(pattern=whole("|".join(LANGUAGES)))] = "en"


class Player(Struct, frozen=True, kw_only=True):
    """A player as it may see itself."""

    key: str
    name: str
    face: str
    lang: str


class SignedIn(Struct, frozen=True, kw_only=True):
    """A session, for the header `Astragal-Player`; browsers have it as a cookie besides. It lasts for a day."""

    player: Player
    session: str


class PlayersApi(Controller):
    """Players."""

    path = "/api/players"
    tags = ("players",)

    @post("/challenge", summary="Something to sign", operation_id="challenge", status_code=200)
    async def challenge(self, request: AnyRequest, rooms: TheRooms) -> Challenge:
        signing: Sessions = request.app.state.sessions
        return Challenge(nonce=signing.nonce(rooms.now()), audience=_audience(request))

    @post("/session", summary="Sign in with a key", operation_id="signIn", status_code=200)
    async def sign_in(self, request: AnyRequest, rooms: TheRooms, data: JSONBody[SignIn]) -> Response[SignedIn]:
        signing: Sessions = request.app.state.sessions
        now = rooms.now()
        signing.check_nonce(data.nonce, now)
        sessions.check_signature(data.key, data.signature, _audience(request), data.nonce)
        name = cleaned(data.name)[:40]
        wanted = PlayerRow(key=data.key, name=name, face=data.face, lang=data.lang, created_ms=now, seen_ms=now)
        player = await players.sign_in(rooms.store, data.nonce, wanted)
        session = signing.session(player.key, now)
        cookie = Cookie(
            key=sessions.COOKIE,
            value=session,
            path="/api",
            httponly=True,
            samesite="strict",
            secure=request.url.scheme == "https",
            max_age=sessions.SESSION_MS // 1000,
        )
        return Response(SignedIn(player=_shown(player), session=session), cookies=[cookie])

    @get("/me", summary="Who you are here", operation_id="me")
    async def me(self, request: AnyRequest, rooms: TheRooms) -> Player:
        return _shown(await player_of(request, rooms))

    @get("/me/seats", summary="Your games: all seats that are yours", operation_id="ownSeats")
    async def own_seats(self, request: AnyRequest, rooms: TheRooms) -> tuple[OwnSeat, ...]:
        player = await player_of(request, rooms)
        return tuple(await players.own_seats(rooms.store, player.key))

    @get("/me/export", summary="All that is stored about you", operation_id="export")
    async def export(self, request: AnyRequest, rooms: TheRooms) -> Export:
        player = await player_of(request, rooms)
        return await players.export(rooms.store, player.key)


def _audience(request: AnyRequest) -> str:
    """The origin of this server, as the gate has checked it."""
    return hosts.origin(request.scope["scheme"], request.headers["host"])


def _shown(player: PlayerRow) -> Player:
    return Player(key=player.key, name=player.name, face=player.face, lang=player.lang)
