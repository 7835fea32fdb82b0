"""The host's page over HTTP. It is for whoever has the host's secret, and by default only on the server's own computer.

`astragal admin host-link` makes the secret and prints it behind the `#` of a link; the store has its hash. A request
shows it in the header `astragal-host`, never in an address, so that no log has it and no other page can send it. In a
hall on one's own computer the key of the hall opens the page as well.
"""

from __future__ import annotations

import contextlib
import logging
from typing import Annotated, Any

import msgspec
from litestar import Controller, Request, get, post
from litestar.connection import ASGIConnection
from litestar.handlers import BaseRouteHandler
from litestar.params import JSONBody, QueryParameter

from astragal.core.language import say
from astragal.core.types import whole
from astragal.server import auth, host_figures, host_orders, metrics
from astragal.server.access import TheRooms, household_of, lang_of
from astragal.server.api_hall import of_host
from astragal.server.gate import HOST_HEADER, HOST_PAGE
from astragal.server.host_wire import (
    AnyHostOrder,
    Backups,
    Carried,
    DeleteTournament,
    HostLimit,
    HostMatches,
    HostPlayer,
    HostTournament,
    Overview,
    StopTournament,
    Storage,
)
from astragal.server.problems import Problem
from astragal.server.recent_log import LogLine

AnyRequest = Request[Any, Any, Any]
Find = Annotated[str, QueryParameter(max_length=100, pattern=whole(r"[^\x00]*"))]
Status = Annotated[str, QueryParameter(pattern=whole("(lobby|running|over|closed)(,(lobby|running|over|closed))*"))]
After = Annotated[str, QueryParameter(pattern=whole("([0-9]{1,15}-[A-Za-z0-9_-]{1,60})?"))]
Level = Annotated[str, QueryParameter(pattern=whole("info|warning|error"))]


async def only_host(request: ASGIConnection[Any, Any, Any, Any], _handler: BaseRouteHandler) -> None:
    """Lets in who shows the host's secret from where the host's page may be opened. Raises Problem."""
    if not request.scope.get(HOST_PAGE):
        raise Problem(
            "forbidden",
            say(
                "the host's page opens on the server's own computer only; --host-page-from opens it to other addresses"
            ),
        )
    if of_host(request) is not None:
        return
    state = request.app.state
    stored = (await state.rooms.store.facts(host_orders.SECRET)).get(host_orders.SECRET)
    if auth.same(request.headers.get(HOST_HEADER, ""), stored):
        return
    if not state.host_tries.take(household_of(request)):
        raise Problem("too_many", say("too many requests; wait a little"), retry_after=10)
    raise Problem("host_secret", say("this is not the host's secret; astragal admin host-link makes a new link"))


class HostApi(Controller):
    """What only the host of a server can see and do."""

    path = "/api/host"
    guards = (only_host,)
    include_in_schema = False  # programs use `astragal admin --json`

    @get("/")
    async def overview(self, request: AnyRequest, rooms: TheRooms) -> Overview:
        return await host_figures.overview(rooms, request.app.state.load_meter)

    @get("/storage")
    async def storage(self, rooms: TheRooms) -> Storage:
        return await host_figures.storage(rooms.store)

    @get("/matches")
    async def matches(
        self, rooms: TheRooms, status: Status = "lobby,running", after: After = "", find: Find = ""
    ) -> HostMatches:
        at, _, id = after.partition("-")
        return await host_figures.matches(rooms, tuple(status.split(",")), (int(at), id) if after else None, find)

    @get("/players")
    async def players(self, rooms: TheRooms, find: Find = "") -> list[HostPlayer]:
        return await host_figures.people(rooms.store, find)

    @get("/bans")
    async def bans(self, rooms: TheRooms) -> list[str]:
        return sorted(await rooms.store.banned())

    @get("/tournaments")
    async def tournaments(self, rooms: TheRooms) -> list[HostTournament]:
        return await host_figures.tournaments(rooms.store)

    @get("/limits")
    async def limits(self, request: AnyRequest, rooms: TheRooms) -> list[HostLimit]:
        return await host_figures.all_limits(rooms.store, request.app.state.gate.limits, lang_of(request))

    @get("/backups")
    async def backups(self, rooms: TheRooms) -> Backups:
        return await host_figures.all_backups(rooms.store)

    @get("/log")
    async def log(self, after: Annotated[int, QueryParameter(ge=0)] = 0, level: Level = "info") -> list[LogLine]:
        return metrics.recent.after(after, logging.getLevelNamesMapping()[level.upper()])

    @post("/orders", status_code=200)
    async def order(self, request: AnyRequest, rooms: TheRooms, data: JSONBody[AnyHostOrder]) -> Carried:
        state, given = request.app.state, msgspec.structs.asdict(data)
        name = str(data.__struct_config__.tag)
        alone = isinstance(data, StopTournament | DeleteTournament)  # else a match could be made that nobody deletes
        async with state.tournament_runner.lock(given["tournament"]) if alone else contextlib.nullcontext():
            done = await host_orders.carry_out(rooms, state.tournaments, name, **given)
        await state.housekeeper.hear_host()  # other servers hear of it within a second, this one before it answers
        metrics.logger.info("the host ordered something", extra={"order": name, "subject": _subject(given)})
        return Carried(text=done.to(lang_of(request)))


def _subject(given: dict[str, Any]) -> str:
    """What an order was about, for the log: its first field. None of them is a secret."""
    return str(next(iter(given.values()), ""))
