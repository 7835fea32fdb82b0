"""Following a match as a stream of lines, for bots."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from typing import Annotated, Any

from litestar import Request, get
from litestar.params import QueryParameter
from litestar.response import Stream

from astragal.server import wire
from astragal.server.access import MatchId, TheRooms, lang_of, watching
from astragal.server.rooms import Rooms
from astragal.server.subscribers import Subscriber, Unread

STILL_HERE = 10.0  # seconds after which a stream that has nothing to tell sends an empty line


@get(
    "/api/matches/{id:str}/stream",
    summary="The messages of the socket as lines of JSON, for bots",
    operation_id="stream",
    tags=["matches"],
    media_type="application/x-ndjson",
)
async def stream(
    request: Request[Any, Any, Any],
    rooms: TheRooms,
    id: MatchId,
    since: Annotated[int, QueryParameter(ge=0, le=wire.MOST)] = 0,
) -> Stream:
    """Ends when the match is over; an empty line every ten seconds shows that the stream is still there."""
    visitor, unread = await watching(request, rooms, id), Unread()
    subscriber = await rooms.follow(id, visitor, lang_of(request), since, unread.put)
    return Stream(_lines(rooms, subscriber, unread), media_type="application/x-ndjson")


async def _lines(rooms: Rooms, subscriber: Subscriber, unread: Unread) -> AsyncIterator[bytes]:
    try:
        while True:
            try:
                message = await asyncio.wait_for(unread.get(), STILL_HERE)
            except TimeoutError:
                yield b"\n"
                continue
            if message is None:
                return
            yield message + b"\n"
            live = rooms.live.get(subscriber.match)
            ended = live is None or live.room is None or live.room.status in ("over", "closed")
            if ended and unread.empty:
                return
    finally:
        rooms.unfollow(subscriber)
