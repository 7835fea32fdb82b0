"""A hall on one's own computer, as its host can open it to others; `hall` does the opening."""

from __future__ import annotations

from typing import Annotated, Any, Protocol

from litestar import Controller, Request, Response, get, post
from litestar.datastructures import Cookie
from litestar.params import JSONBody
from msgspec import Meta, Struct

from astragal.core.language import say
from astragal.server import auth
from astragal.server.gate import LOOPBACK, address
from astragal.server.problems import Problem

AnyRequest = Request[Any, Any, Any]


class Hall(Protocol):
    """A server on this computer that can be opened to the network while it runs."""

    addresses: tuple[str, ...]

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


class HallApi(Controller):
    """What only the host of a hall on this computer can do."""

    path = "/api/hall"
    tags = ("server",)

    @get("/", summary="Whether this hall can be opened to the local network", operation_id="hall")
    async def hall(self, request: AnyRequest) -> HallInfo:
        hall = _of(request)
        return HallInfo(can_open=False) if hall is None else HallInfo(can_open=True, addresses=hall.addresses)

    @post("/", summary="Open it to the local network, with a password", operation_id="openHall", status_code=200)
    async def open(self, request: AnyRequest, data: JSONBody[OpenHall]) -> Response[HallInfo]:
        hall = _of(request)
        if hall is None:
            raise Problem("forbidden", say("only the host can do this, on the computer the hall runs on"))
        shown = await hall.open(data.password)
        pass_ = Cookie(key=auth.PASS_COOKIE, value=shown, path="/api", httponly=True, samesite="strict")
        return Response(HallInfo(can_open=True, addresses=hall.addresses), cookies=[pass_])


def _of(request: AnyRequest) -> Hall | None:
    """The hall, if there is one and its host is asking."""
    hall: Hall | None = getattr(request.app.state, "hall", None)
    return hall if address(request.scope) in LOOPBACK else None
