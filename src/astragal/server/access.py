"""Through whose eyes a request sees a match: a seat whose secret it shows, or a spectator."""

from __future__ import annotations

from typing import Any

from litestar import Request
from litestar.connection import ASGIConnection
from litestar.datastructures import Cookie
from litestar.di import NamedDependency
from litestar.params import FromPath

from astragal.core.language import say
from astragal.server import auth, hosts, players, sessions
from astragal.server.addresses import household
from astragal.server.gate import address, language
from astragal.server.players import PlayerRow
from astragal.server.problems import Problem
from astragal.server.rooms import Rooms
from astragal.server.subscribers import Visitor
from astragal.server.wire import MOST_BYTES

Connection = ASGIConnection[Any, Any, Any, Any]
TheRooms = NamedDependency[Rooms]
MatchId = FromPath[str]


def lang_of(connection: Connection) -> str:
    """The language this caller reads."""
    return language(connection.scope, {"accept-language": connection.headers.get("accept-language", "")})


def origin_of(connection: Connection) -> str:
    """The origin of this server as the caller names it; the gate has checked that it is one of ours."""
    return hosts.origin(connection.scope["scheme"], connection.headers["host"])


def household_of(connection: Connection) -> str:
    """Whom limits count as this caller."""
    return household(address(connection.scope))


def strict_cookie(connection: Connection, key: str, value: str, path: str, seconds: int | None = None) -> Cookie:
    """A cookie that no script can read and no other site makes a browser send; without `seconds` until it is closed."""
    return Cookie(
        key=key,
        value=value,
        path=path,
        httponly=True,
        samesite="strict",
        secure=connection.url.scheme == "https",
        max_age=seconds,
    )


async def allow_upload(request: Request[Any, Any, Any]) -> None:
    """Refuses large requests that come too often from one address, before they are read. Raises Problem."""
    length = request.headers.get("content-length", "")
    small = length.isdecimal() and len(length) < 10 and int(length) <= MOST_BYTES
    if not small and not request.app.state.uploads.take(household_of(request)):
        raise Problem("too_many", say("too many large requests; wait a little"), retry_after=10)


def shown_session(connection: Connection) -> str:
    """The session that a request shows, whatever it may be worth."""
    return connection.headers.get(sessions.HEADER) or connection.cookies.get(sessions.COOKIE) or ""


def session_of(connection: Connection, rooms: Rooms) -> str | None:
    """The key of the player that the caller has signed in as, or None. Raises Problem for one who is banned."""
    shown = shown_session(connection)
    key = rooms.sessions.player(shown, rooms.now()) if shown and rooms.sessions is not None else None
    _refuse_banned(rooms, key)
    return key


async def player_of(connection: Connection, rooms: Rooms) -> PlayerRow:
    """The player that the caller has signed in as. Raises Problem for a guest."""
    key = session_of(connection, rooms)
    player = None if key is None else await players.find(rooms.store, key)
    if player is None:
        raise Problem("not_signed_in", say("this needs a player who has signed in with a key"))
    return player


async def guest_or_player(connection: Connection, rooms: Rooms) -> PlayerRow | None:
    """The player that the caller has signed in as; None for a guest."""
    key = session_of(connection, rooms)
    return None if key is None else await players.find(rooms.store, key)


def name_at_table(player: PlayerRow | None, wanted: str, *, alone: bool) -> str:
    """What somebody is called who sits down: as asked, or else as the player is called.

    A name that the host gave stays. `alone`: no seat of this match is the player's yet; at a second one, played from
    the same device, sits a friend with a name of their own.
    """
    if player is None or not alone:
        return wanted
    return player.name if player.renamed or not wanted else wanted


def _refuse_banned(rooms: Rooms, key: str | None) -> None:
    if key is not None and key in rooms.banned:
        raise Problem("banned", say("the host does not let this player in"))


async def visitor(connection: Connection, rooms: Rooms, match: str) -> Visitor:
    """Who asks: the seat whose secret the caller shows, or that is the caller's own as a player, or a spectator.

    A browser may hold several seats of a match, as friends at one table do; `?seat=` says which one is meant. Raises
    Problem for a wrong secret, and for the seat of a player who is banned.
    """
    stored, owners = await rooms.store.seat_secrets(match), await rooms.store.seat_owners(match)
    header = connection.headers.get("authorization", "")
    if header:
        kind, _, secret = header.partition(" ")
        owned = [seat for seat, known in enumerate(stored) if auth.same(secret.strip(), known)]
        if kind.lower() != "bearer" or not owned:
            raise Problem("wrong_secret", say("this is not the secret of a seat of this match"))
    else:
        shown = [connection.cookies.get(auth.seat_cookie(seat), "") for seat in range(len(stored))]
        owned = [seat for seat, known in enumerate(stored) if shown[seat] and auth.same(shown[seat], known)]
        key = session_of(connection, rooms)
        if key is not None:
            owned += [seat for seat, owner in enumerate(owners) if owner == key and seat not in owned]
    wanted, came_from = connection.query_params.get("seat"), address(connection.scope)
    if wanted is not None:
        owned = [seat for seat in owned if str(seat) == wanted]
        if not owned:
            raise Problem("wrong_secret", say("this is not the secret of a seat of this match"))
    if not owned:
        return Visitor(address=came_from)
    _refuse_banned(rooms, owners[owned[0]])
    return Visitor(seat=owned[0], proof=stored[owned[0]], address=came_from, player=owners[owned[0]])


async def watching(connection: Connection, rooms: Rooms, match: str) -> Visitor:
    """Like `visitor`, but refuses spectators where the table wants none."""
    viewer = await visitor(connection, rooms, match)
    if viewer.seat is None and not (await rooms.room(match)).setup.watchers:
        raise Problem("forbidden", say("this table has no place for spectators"))
    return viewer


async def watcher_of(connection: Connection, rooms: Rooms, match: str) -> int | None:
    """The seat through whose eyes the caller sees the match, or None for a spectator."""
    return (await watching(connection, rooms, match)).seat


async def seat_of(connection: Connection, rooms: Rooms, match: str) -> int:
    """The caller's seat. Raises Problem for a spectator."""
    await rooms.hold(match)  # an unknown match is refused before a missing secret is
    seat = (await visitor(connection, rooms, match)).seat
    if seat is None:
        raise Problem("wrong_secret", say("this needs the secret of a seat"))
    return seat
