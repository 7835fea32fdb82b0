"""A hall on one's own computer, as its host can open it to others; `hall` does the opening.

Its controls are for the page that the program itself opened, and for no other on this computer: they want the hall's
key in the header `astragal-hall`. That page came with a ticket behind the `#` of its address, which it exchanges for
the key at once; other users of this computer may see the address in the list of processes, but a ticket is good once.
"""

from __future__ import annotations

from typing import Annotated, Any, Protocol

from litestar import Controller, Request, Response, delete, get, post
from litestar.datastructures import Cookie
from litestar.params import JSONBody
from msgspec import Meta, Struct

from astragal.core import options, registry
from astragal.core.language import say
from astragal.server import auth
from astragal.server.access import Connection, lang_of
from astragal.server.gate import HALL_HEADER, is_local
from astragal.server.problems import Problem
from astragal.server.table_maker import TableMaker, TableOffer

AnyRequest = Request[Any, Any, Any]


class Hall(Protocol):
    """A server on this computer that can be opened to the network while it runs."""

    addresses: tuple[str, ...]
    keys: auth.HallKey
    tables: TableMaker

    async def open(self, password: str) -> str:
        """Listens to the local network too; the pass of whoever opened it."""
        ...


class HallInfo(Struct, frozen=True, kw_only=True):
    """Whether the caller may open this hall to the local network, and where it is then found."""

    can_open: bool
    addresses: tuple[str, ...] = ()


class OpenHall(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The password that everybody has to enter from now on."""

    password: Annotated[str, Meta(min_length=4, max_length=100)]


class WantedTable(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The rules for which a table of exact values shall be made, as a new match takes them."""

    game: Annotated[str, Meta(max_length=100)]
    preset: Annotated[str, Meta(max_length=100)] | None = None
    options: dict[str, Any] = {}


class Ticket(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """What stands behind the `#` of the address that the program opened."""

    ticket: Annotated[str, Meta(max_length=200)]


class Key(Struct, frozen=True, kw_only=True):
    """What the hall's controls want to see."""

    key: str


class HallApi(Controller):
    """What only the host of a hall on this computer can do."""

    path = "/api/hall"
    tags = ("server",)

    @get("/", summary="Whether this hall can be opened to the local network", operation_id="hall")
    async def hall(self, request: AnyRequest) -> HallInfo:
        hall = of_host(request)
        return HallInfo(can_open=False) if hall is None else HallInfo(can_open=True, addresses=hall.addresses)

    @post("/key", summary="The key of the hall's controls, for a ticket", operation_id="hallKey", status_code=200)
    async def key(self, request: AnyRequest, data: JSONBody[Ticket]) -> Key:
        hall = _here(request)
        key = None if hall is None else hall.keys.exchange(data.ticket)
        if key is None:
            raise _forbidden()
        return Key(key=key)

    @post("/", summary="Open it to the local network, with a password", operation_id="openHall", status_code=200)
    async def open(self, request: AnyRequest, data: JSONBody[OpenHall]) -> Response[HallInfo]:
        hall = of_host(request)
        if hall is None:
            raise _forbidden()
        shown = await hall.open(data.password)
        pass_ = Cookie(key=auth.PASS_COOKIE, value=shown, path="/api", httponly=True, samesite="strict")
        return Response(HallInfo(can_open=True, addresses=hall.addresses), cookies=[pass_])

    @post(
        "/tables",
        summary="Make the table that the perfect bot needs, in the background",
        operation_id="makeTable",
        status_code=202,
    )
    async def make_table(self, request: AnyRequest, data: JSONBody[WantedTable]) -> TableOffer | None:
        hall = of_host(request)
        if hall is None:
            raise _forbidden()
        game = registry.game(data.game)
        if game.index is None:
            raise Problem("not_possible", say("{game} cannot be solved", game=game.id))
        chosen = options.build(game.rules, data.preset, data.options)
        await hall.tables.start(game, chosen)
        return await hall.tables.offer(game, chosen, lang_of(request))

    @delete("/tables", summary="Give up the table that is being made", operation_id="cancelTable")
    async def cancel_table(self, request: AnyRequest) -> None:
        hall = of_host(request)
        if hall is None:
            raise _forbidden()
        await hall.tables.cancel()


def _here(request: Connection) -> Hall | None:
    """The hall, if there is one and somebody on this computer is asking."""
    hall: Hall | None = getattr(request.app.state, "hall", None)
    return hall if is_local(request.scope) else None


def of_host(request: Connection) -> Hall | None:
    """The hall, if its host is asking."""
    hall = _here(request)
    return hall if hall is not None and hall.keys.fits(request.headers.get(HALL_HEADER, "")) else None


def _forbidden() -> Problem:
    return Problem(
        "forbidden", say("only the page that astragal hall opened can do this; start it again for a new one")
    )
