"""The doorkeeper before everything else: who may come in, how often, from which page, and with what headers.

Cross-site requests: a request that carries cookies and changes something must name an origin of ours. Browsers do
that for every such request; programs that use `Authorization: Bearer` have no cookies that a page could abuse.
"""

from __future__ import annotations

import ipaddress
import time
from collections.abc import Iterable, Mapping
from http.cookies import CookieError, SimpleCookie
from typing import Any
from urllib.parse import parse_qs, urlsplit

import msgspec

from astragal.core.language import LANGUAGES, say
from astragal.core.types import AstragalError
from astragal.server import metrics
from astragal.server.auth import PASS_COOKIE, Door
from astragal.server.problems import Problem, document
from astragal.server.rate_limit import RateLimit
from astragal.server.settings import Settings

Scope = Any
Receive = Any
Send = Any

HEADERS = {
    "content-security-policy": (
        "default-src 'self'; img-src 'self' data: blob:; object-src 'none'; base-uri 'none'; "
        "form-action 'self'; frame-ancestors 'none'"
    ),
    "x-content-type-options": "nosniff",
    "x-frame-options": "DENY",
    "referrer-policy": "no-referrer",
    "cross-origin-opener-policy": "same-origin",
    "cross-origin-resource-policy": "same-origin",
    "permissions-policy": "camera=(), microphone=(), geolocation=()",
}
PICTURE_POLICY = "default-src 'none'; style-src 'unsafe-inline'; sandbox"  # a drawing brings its own styles
SAFE = ("GET", "HEAD", "OPTIONS")
LOOPBACK = ("127.0.0.1", "::1", "localhost", "testclient")
WITHOUT_PASS = ("/api/login", "/api/key", "/api/openapi.json", "/api/schema", "/health", "/ready", "/metrics")


LOGINS = 20  # a minute from one address


class Gate:
    """Wraps the whole application."""

    def __init__(self, app: Any, settings: Settings) -> None:
        self.app = app
        self._settings = settings
        self._requests = RateLimit(settings.rate)
        self._logins = RateLimit(LOGINS)
        self._sockets: dict[str, int] = {}  # open connections of each address
        self.door = Door("", b"")  # the application puts the real one here when it starts
        self.banned: set[str] = set()
        self._warned = False

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] not in ("http", "websocket"):
            await self.app(scope, receive, send)
            return
        headers = {name.decode("latin-1").lower(): value.decode("latin-1") for name, value in scope["headers"]}
        began, status = time.perf_counter(), [0]
        try:
            self._check(scope, headers)
        except AstragalError as error:
            await self._refuse(scope, send, error, language(scope, headers))
            return
        if scope["type"] == "websocket":
            await self._connect(scope, receive, send)
            return
        answer = self._connect if scope["path"].endswith("/stream") else self.app
        await answer(scope, receive, _dressed(send, status))
        if not scope["path"].startswith(("/health", "/ready", "/metrics")):
            metrics.logger.info(
                "request",
                extra={
                    "method": scope["method"],
                    "path": scope["path"],
                    "status": status[0],
                    "ms": round(1000 * (time.perf_counter() - began), 1),
                    "address": address(scope),
                },
            )

    def _check(self, scope: Scope, headers: Mapping[str, str]) -> None:
        path, who = scope["path"], address(scope)
        if who in self.banned:
            raise Problem("banned", say("the host does not let this address in"))
        if path == "/metrics" and (who not in LOOPBACK or "x-forwarded-for" in headers):
            raise Problem("forbidden", say("the figures are only for the host's own machine"))
        unsafe = scope["type"] == "websocket" or scope["method"] not in SAFE
        if unsafe and not self._origin_fits(scope, headers):
            raise Problem("origin", say("this request comes from a page of another server"))
        if not self.door.open and path.startswith("/api/") and path not in WITHOUT_PASS:
            shown = headers.get("astragal-pass") or _cookies(headers).get(PASS_COOKIE, "")
            if not self.door.admits(shown):
                raise Problem("password", say("this server has a password; enter it first"))
        self._look_for_proxy(headers)
        crowd = household(who)
        if not self._requests.take(crowd) or (path == "/api/login" and not self._logins.take(crowd)):
            raise Problem("too_many", say("too many requests; wait a little"))

    def _look_for_proxy(self, headers: Mapping[str, str]) -> None:
        """Behind a proxy that is not trusted all callers look like one; the host should know."""
        if "x-forwarded-for" in headers and not self._settings.proxies and not self._warned:
            self._warned = True
            metrics.logger.warning("requests come through a proxy; name it with --proxies, or all callers count as one")

    def _origin_fits(self, scope: Scope, headers: Mapping[str, str]) -> bool:
        origin = headers.get("origin")
        if origin is None:
            return scope["type"] == "websocket" or "authorization" in headers or "cookie" not in headers
        found = urlsplit(origin)
        return (bool(found.netloc) and found.netloc == headers.get("host")) or origin in self._settings.origins

    async def _connect(self, scope: Scope, receive: Receive, send: Send) -> None:
        """A connection that stays open, if this address has not too many already."""
        who, most = household(address(scope)), self._settings.sockets
        if most and self._sockets.get(who, 0) >= most:
            await self._refuse(scope, send, Problem("too_many", say("too many open connections")), "en")
            return
        self._sockets[who] = self._sockets.get(who, 0) + 1
        try:
            await self.app(scope, receive, send)
        finally:
            self._sockets[who] -= 1
            if not self._sockets[who]:
                del self._sockets[who]

    async def _refuse(self, scope: Scope, send: Send, error: AstragalError, lang: str) -> None:
        found = document(error, lang)
        metrics.refusals.labels(found["code"]).inc()
        body = msgspec.json.encode(found)
        headers = [
            *((name.encode(), value.encode()) for name, value in HEADERS.items()),
            (b"content-type", b"application/problem+json"),
            (b"content-length", str(len(body)).encode()),
        ]
        start = "http.response.start" if scope["type"] == "http" else "websocket.http.response.start"
        if scope["type"] == "websocket" and "websocket.http.response" not in scope.get("extensions", {}):
            await send({"type": "websocket.close", "code": 1008})
            return
        if found["code"] == "too_many":
            headers.append((b"retry-after", b"5"))
        await send({"type": start, "status": found["status"], "headers": headers})
        await send({"type": start.replace("start", "body"), "body": body})


def _dressed(send: Send, status: list[int]) -> Send:
    """Adds the security headers to every answer, and notes its status."""

    async def sending(message: Any) -> None:
        if message["type"] == "http.response.start":
            status[0] = message["status"]
            given = {name.lower() for name, _ in message["headers"]}
            picture = any(n.lower() == b"content-type" and v.startswith(b"image/svg") for n, v in message["headers"])
            wanted: dict[str, str] = {**HEADERS, **({"content-security-policy": PICTURE_POLICY} if picture else {})}
            added = [(n.encode(), v.encode()) for n, v in wanted.items() if n.encode() not in given]
            if b"cache-control" not in given:
                added.append((b"cache-control", b"no-store"))
            message = {**message, "headers": [*message["headers"], *added]}
        await send(message)

    return sending


def address(scope: Scope) -> str:
    """Where a request comes from; uvicorn has asked the proxy we trust, if there is one."""
    return scope["client"][0] if scope.get("client") else "-"


def household(address: str) -> str:
    """Whom a limit counts as one: an address, or with IPv6 the network that one customer is given."""
    try:
        found = ipaddress.ip_address(address)
    except ValueError:
        return address
    return address if found.version == 4 else str(ipaddress.ip_network((found, 64), strict=False))


def language(scope: Scope, headers: Mapping[str, str]) -> str:
    """The language a caller asks for: `?lang=`, or else by the browser's list, or else English."""
    asked = parse_qs(scope.get("query_string", b"").decode("latin-1")).get("lang", [""])[0]
    return pick_language([asked, *_accepted(headers.get("accept-language", ""))])


def pick_language(wanted: Iterable[str]) -> str:
    """The first of these that we speak."""
    return next((code[:2].lower() for code in wanted if code[:2].lower() in LANGUAGES), "en")


def _accepted(header: str) -> list[str]:
    """The languages of an Accept-Language header, the best first."""
    found = []
    for part in header.split(",")[:20]:
        code, _, weight = part.strip().partition(";q=")
        try:
            found.append((-float(weight or 1), code))
        except ValueError:
            continue
    return [code for _, code in sorted(found, key=lambda pair: pair[0])]


def _cookies(headers: Mapping[str, str]) -> dict[str, str]:
    try:
        return {name: morsel.value for name, morsel in SimpleCookie(headers.get("cookie", "")).items()}
    except CookieError:
        return {}
