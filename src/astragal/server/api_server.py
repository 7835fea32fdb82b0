"""The server itself: its health and figures, its schemas, its password, and the pages of the browser client."""

from __future__ import annotations

import asyncio
import mimetypes
from pathlib import Path
from typing import Annotated, Any

from litestar import Controller, Request, Response, get, post
from litestar.datastructures import CacheControlHeader
from litestar.exceptions import NotFoundException
from litestar.params import FromPath, JSONBody
from litestar.static_files import create_static_files_router
from litestar.types import ControllerRouterHandler
from msgspec import Meta, Struct

from astragal.core.language import say
from astragal.server import auth, keys, metrics, paths, wire
from astragal.server.access import TheRooms, lang_of, strict_cookie
from astragal.server.auth import PASS_COOKIE
from astragal.server.problems import CODES, Problem

WEB = Path(__file__).parent.parent / "web"
SITE = Path(__file__).parent.parent / "site"  # the documentation, where it was built
FOREVER = CacheControlHeader(max_age=31536000, public=True, immutable=True)  # file names contain a hash of the content
RESERVED = ("api", "assets", "docs")  # where nothing is ever a page
AnyRequest = Request[Any, Any, Any]


class Password(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The password of this server."""

    password: Annotated[str, Meta(max_length=200)]


class ServerApi(Controller):
    """The server itself."""

    tags = ("server",)

    @get("/health", summary="Whether the process lives", operation_id="health")
    async def health(self) -> dict[str, str]:
        return {"status": "alive"}

    @get("/ready", summary="Whether matches can be played", operation_id="ready")
    async def ready(self, rooms: TheRooms) -> Response[dict[str, str]]:
        if rooms.closing or not await rooms.store.ready():
            return Response({"status": "closing" if rooms.closing else "storage"}, status_code=503)
        return Response({"status": "ready"})

    @get("/metrics", summary="Figures for Prometheus", operation_id="metrics", include_in_schema=False)
    async def metrics(self, rooms: TheRooms) -> Response[bytes]:
        metrics.queue.set(rooms.store.logs.queued)
        for status, count in (await rooms.store.counts()).items():
            metrics.matches.labels(status).set(count)
        return Response(metrics.page(), media_type="text/plain; version=0.0.4; charset=utf-8")

    @get("/api/schema", summary="The JSON Schema of commands and messages", operation_id="schema")
    async def schema(self) -> dict[str, Any]:
        return wire.schemas()

    @get("/api/problems", summary="Every code of an error, with its HTTP status", operation_id="problems")
    async def problems(self) -> dict[str, int]:
        return dict(CODES)

    @get("/api/key", summary="The public key that records are signed with, and former ones", operation_id="key")
    async def key(self, rooms: TheRooms) -> keys.PublicKeys:
        return await keys.published(rooms.store)

    @post("/api/login", summary="Show the server's password once, for a pass", operation_id="login", status_code=200)
    async def login(self, request: AnyRequest, data: JSONBody[Password]) -> Response[dict[str, str]]:
        door = request.app.state.gate.door
        if door.open:
            return Response({"pass": ""})
        shown = await auth.slowly(door.enter, data.password)
        if shown is None:
            raise Problem("password", say("this is not the password of this server"))
        return Response({"pass": shown}, cookies=[strict_cookie(request, PASS_COOKIE, shown, "/api")])


@get("/", include_in_schema=False)
async def no_pages(request: AnyRequest) -> Response[str]:
    """What a browser is told where the client was not built."""
    lang = lang_of(request)
    title = "Astragal"
    text = say("The server runs, but its pages for the browser are not built. Build them with: make web").to(lang)
    page = f'<!doctype html><html lang="{lang}"><meta charset="utf-8"><title>{title}</title><p>{text}</p></html>'
    return Response(page, media_type="text/html; charset=utf-8")


def documentation(folder: Path = SITE) -> list[ControllerRouterHandler]:
    """The documentation at `/docs`, or where it was not built a page that says so."""
    built = (folder / "index.html").is_file()
    rules = (folder / "policy.txt").read_text("utf-8").strip() if built else ""

    @get("/docs", include_in_schema=False)
    async def cover(request: AnyRequest) -> Response[str]:
        if built:
            return Response("", status_code=302, headers={"location": "/docs/index.html"})
        text = say("The documentation is not built here. Build it with: make site").to(lang_of(request))
        return Response(
            f"<!doctype html><meta charset=utf-8><title>Astragal</title><p>{text}</p>", media_type="text/html"
        )

    @get("/docs/{path:path}", include_in_schema=False)
    async def leaf(path: FromPath[str]) -> Response[bytes]:
        file = folder / path.lstrip("/")
        if not built or not file.is_file() or not file.resolve().is_relative_to(folder.resolve()):
            raise NotFoundException
        kind = mimetypes.guess_type(file.name)[0] or "application/octet-stream"
        headers = {"content-security-policy": rules} if kind == "text/html" else {}
        media = f"{kind}; charset=utf-8" if kind.startswith("text/") else kind
        return Response(await asyncio.to_thread(file.read_bytes), media_type=media, headers=headers)

    return [cover, leaf]


def web_pages(folder: Path = WEB) -> list[ControllerRouterHandler]:
    """The browser client, if it was built: its files, and for every other address the page that knows what to show."""
    page = folder / "index.html"
    if not page.is_file():
        return [no_pages]
    files = create_static_files_router(
        path="/assets", directories=[folder / "assets"], include_in_schema=False, cache_control=FOREVER
    )

    @get("/", include_in_schema=False)
    async def entrance() -> Response[bytes]:
        return Response(await asyncio.to_thread(page.read_bytes), media_type="text/html; charset=utf-8")

    @get("/{path:path}", include_in_schema=False)
    async def client(request: AnyRequest, path: FromPath[str]) -> Response[bytes]:
        file = folder / path.lstrip("/")
        if file.parent == folder and file.suffix in paths.FILES and file.is_file():
            return Response(await asyncio.to_thread(file.read_bytes), media_type=paths.FILES[file.suffix])
        for_people = "text/html" in request.headers.get("accept", "")  # people get a page that says so, programs a 404
        if not paths.is_page(path) and not (for_people and path.strip("/").partition("/")[0] not in RESERVED):
            raise NotFoundException
        return Response(await asyncio.to_thread(page.read_bytes), media_type="text/html; charset=utf-8")

    return [files, entrance, client]
