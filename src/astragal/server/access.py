"""Through whose eyes a request sees a match: a seat whose secret it shows, or a spectator."""

from __future__ import annotations

from typing import Any

from litestar.connection import ASGIConnection
from litestar.di import NamedDependency
from litestar.params import FromPath

from astragal.core.language import say
from astragal.server import auth
from astragal.server.guard import language
from astragal.server.problems import Problem
from astragal.server.rooms import Rooms

Connection = ASGIConnection[Any, Any, Any, Any]
TheRooms = NamedDependency[Rooms]
MatchId = FromPath[str]


def lang_of(connection: Connection) -> str:
    """The language this caller reads."""
    return language(connection.scope, {"accept-language": connection.headers.get("accept-language", "")})


async def viewer_of(connection: Connection, rooms: Rooms, match: str) -> int | None:
    """The seat whose secret the caller shows, or None for a spectator. Raises Problem for a wrong secret.

    A browser may hold several seats of a match, as friends at one table do; `?seat=` says which one is meant.
    """
    stored = [secret for secret, _ in await rooms.store.seat_secrets(match)]
    header = connection.headers.get("authorization", "")
    if header:
        kind, _, secret = header.partition(" ")
        held = [seat for seat, known in enumerate(stored) if auth.same(secret.strip(), known)]
        if kind.lower() != "bearer" or not held:
            raise Problem("wrong_secret", say("this is not the secret of a seat of this match"))
    else:
        shown = [connection.cookies.get(auth.seat_cookie(seat), "") for seat in range(len(stored))]
        held = [seat for seat, known in enumerate(stored) if shown[seat] and auth.same(shown[seat], known)]
    wanted = connection.query_params.get("seat")
    if wanted is not None:
        if wanted not in map(str, held):
            raise Problem("wrong_secret", say("this is not the secret of a seat of this match"))
        return int(wanted)
    return held[0] if held else None


async def watcher_of(connection: Connection, rooms: Rooms, match: str) -> int | None:
    """Like `viewer_of`, but refuses spectators where the table wants none."""
    viewer = await viewer_of(connection, rooms, match)
    if viewer is None and not (await rooms.room(match)).setup.watchers:
        raise Problem("forbidden", say("this table has no place for spectators"))
    return viewer


async def seat_of(connection: Connection, rooms: Rooms, match: str) -> int:
    """The caller's seat. Raises Problem for a spectator."""
    await rooms.hold(match)  # a match that is not there is another matter than a secret that is not
    viewer = await viewer_of(connection, rooms, match)
    if viewer is None:
        raise Problem("wrong_secret", say("this needs the secret of a seat"))
    return viewer
