"""The open tables of a server as a stream, so that a hall shows them without being loaded again."""

from __future__ import annotations

import asyncio
import time
from collections.abc import AsyncIterator
from typing import Any

import msgspec
from litestar import Request, get
from litestar.response import Stream

from astragal.core.types import AstragalError
from astragal.server import render, wire
from astragal.server.access import lang_of
from astragal.server.room import Room
from astragal.server.rooms import Rooms

LOOK = 1.0  # seconds between two looks at the store, however many halls are open
STILL_HERE = 10.0  # seconds after which a stream that has nothing to tell sends a comment
MOST = 50  # tables that a hall shows


class OpenTables:
    """The listed tables with a free seat. Other processes open tables too, so the store is asked.

    It is asked, and the answer written, once for all halls that are open.
    """

    def __init__(self, rooms: Rooms) -> None:
        self._rooms = rooms
        self._lock = asyncio.Lock()
        self._tables: list[Room] = []
        self._messages: dict[str, bytes] = {}  # by language
        self._looked = float("-inf")

    async def now(self, lang: str) -> bytes:
        """Those that are open, at most `LOOK` seconds old. While the store fails it is what was known before."""
        async with self._lock:
            if time.monotonic() - self._looked >= LOOK:
                try:
                    rows = await self._rooms.store.list_matches(("lobby",), most=MOST)
                    self._tables = [room for room in await self._rooms.readable(rows) if room.free]
                except AstragalError:
                    pass
                self._messages.clear()
                self._looked = time.monotonic()
        if lang not in self._messages:
            tables = tuple(render.summary(room, lang) for room in self._tables)
            self._messages[lang] = msgspec.json.encode(wire.OpenTables(tables=tables))
        return self._messages[lang]

    async def told(self, lang: str) -> AsyncIterator[bytes]:
        """The tables as server-sent events: at once, and again whenever they have changed."""
        last, told_at = b"", time.monotonic()
        while not self._rooms.closing:
            message = await self.now(lang)
            if message != last:
                last, told_at = message, time.monotonic()
                yield b"data: " + message + b"\n\n"
            elif time.monotonic() - told_at >= STILL_HERE:
                told_at = time.monotonic()
                yield b": still here\n\n"
            await asyncio.sleep(LOOK)


@get(
    "/api/lobby/stream",
    summary="The open tables as server-sent events, told again whenever they change",
    operation_id="openTables",
    tags=["matches"],
    media_type="text/event-stream",
)
async def open_tables(request: Request[Any, Any, Any]) -> Stream:
    """Each event is an object with `tables`, as the list of matches has them."""
    tables: OpenTables = request.app.state.open_tables
    return Stream(tables.told(lang_of(request)), media_type="text/event-stream")
