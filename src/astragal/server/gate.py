"""What every request passes first: address, password, rate limits, origin, and the headers of every answer.

A request is brought into one form first (`_received`: path, host, caller), and refused if it has none. What decides
after that, here and in the router, decides by that form only.

Cross-site requests: a request that carries cookies and changes something must name an origin of ours. Browsers do
that for every such request; programs that use `Authorization: Bearer` have no cookies that a page could abuse.
"""

from __future__ import annotations

import time
from collections.abc import Iterable, Mapping
from typing import Any
from urllib.parse import parse_qs

import msgspec

from astragal.core.language import LANGUAGES, say
from astragal.core.types import AstragalError
from astragal.server import addresses, hosts, metrics, paths
from astragal.server.auth import PASS_COOKIE, Door
from astragal.server.connections import Connections
from astragal.server.hosts import Hosts
from astragal.server.keepalive import Keepalive
from astragal.server.limits import Limits, LiveLimits
from astragal.server.problems import Problem, document
from astragal.server.rate_limit import RateLimit
from astragal.server.sessions import HEADER as PLAYER_HEADER
from astragal.server.settings import Settings

Scope = Any
Receive = Any
Send = Any

LOCAL = "astragal.local"  # in a scope: whether the request comes from this computer itself
HOST_PAGE = "astragal.host-page"  # in a scope: whether the host's page may be opened from where the request comes from

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
HALL_HEADER = "astragal-hall"  # the key of a hall's own controls
HOST_HEADER = "astragal-host"  # the secret of the host's page
SECRETS = ("authorization", "cookie", "astragal-pass", PLAYER_HEADER, HALL_HEADER, HOST_HEADER)
ONCE = ("host", "origin", "content-type", *SECRETS)
"""Headers that decide something. Sent twice, one reader could take the first and another the last."""

FORWARDED = ("x-forwarded-for", "x-forwarded-host", "x-forwarded-proto", "x-real-ip", "forwarded", "via")
"""What proxies add: with any of these, whoever is connected is not whoever asks."""

MOST_HEADERS = 100
MOST_HEADER_BYTES = 32 * 1024  # with what stands behind the question mark; h11 has a limit only for what comes in parts
LOGINS = 20  # a minute from one address
SIGN_INS = 60  # of players, a minute from one address


class Gate:
    """Wraps the whole application."""

    def __init__(self, app: Any, settings: Settings) -> None:
        self.app = app
        self._settings = settings
        self.limits = LiveLimits(settings)
        self._requests = RateLimit(settings.rate)
        self._logins = {paths.LOGIN: RateLimit(LOGINS), paths.SIGN_IN: RateLimit(SIGN_INS)}
        self._sockets: dict[str, int] = {}  # open connections of each address
        self._hosts = Hosts(settings.host, settings.origins)
        self._proxies = addresses.proxies(settings.proxies)
        self._host_page = addresses.host_page(settings.host_page_from)
        self.connections = Connections(settings.sockets, self._proxies)
        self.keepalive = Keepalive()
        self.door = Door("", b"")  # the application puts the real one here when it starts
        self.banned = addresses.Networks()
        self._warned = False
        self.limits.follow(self._set_limits)

    def _set_limits(self, limits: Limits) -> None:
        self._requests.set(limits.rate)
        self._logins[paths.SIGN_IN].set(SIGN_INS if limits.rate else 0)
        self.connections.set(limits.sockets)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] not in ("http", "websocket"):
            await self.app(scope, receive, send)
            return
        headers = {name.decode("latin-1").lower(): value.decode("latin-1") for name, value in scope["headers"]}
        began, status = time.perf_counter(), [0]
        try:
            scope = self._received(scope, headers)
            self._check(scope, headers)
        except AstragalError as error:
            await self._refuse(scope, send, error, language(scope, headers))
            return
        if scope["type"] == "websocket":
            del headers  # this may last for days
            await self._connect(scope, receive, send)
            return
        path, method = scope["path"], scope["method"]
        if method == "HEAD":
            scope, send = {**scope, "method": "GET"}, _headers_only(send)
        answer = self._connect if path.endswith("/stream") else self.app
        await answer(scope, receive, _dressed(send, status))
        if path not in ("/health", "/ready", paths.METRICS):
            metrics.logger.info(
                "request",
                extra={
                    "method": method,
                    "path": path,
                    "status": status[0],
                    "ms": round(1000 * (time.perf_counter() - began), 1),
                    "address": address(scope),
                },
            )

    def _received(self, scope: Scope, headers: Mapping[str, str]) -> Scope:
        """The request as everything after this sees it: one path, one caller, one scheme. Raises Problem."""
        size = len(scope["query_string"]) + sum(len(name) + len(value) for name, value in scope["headers"])
        if size > MOST_HEADER_BYTES or len(scope["headers"]) > MOST_HEADERS:
            raise Problem("too_large", say("the request is too large"))
        names = [name.decode("latin-1").lower() for name, _ in scope["headers"]]
        if any(names.count(name) > 1 for name in ONCE) or ("transfer-encoding" in names and "content-length" in names):
            raise Problem("malformed", say("this request has headers that contradict each other"))
        path = paths.normal(scope["raw_path"])
        peer = addresses.read(scope["client"][0]) if scope.get("client") else None
        trusted = peer is not None and peer in self._proxies
        scheme = headers.get("x-forwarded-proto", "") if trusted else ""
        scheme = scheme if scheme in ("http", "https") else "https" if scope["scheme"] in ("https", "wss") else "http"
        if not self._hosts.fits(headers.get("host", ""), scheme, scope.get("server")):
            raise Problem("host", hosts.refusal(headers.get("host", ""), scheme))
        who = "-"
        if peer is not None:
            listed = [value.decode("latin-1") for name, value in scope["headers"] if name.lower() == b"x-forwarded-for"]
            who = str(addresses.caller(peer, listed, self._proxies))
        local = _is_local(peer, scope, headers)
        return {
            **scope,
            "path": path,
            "raw_path": path.encode(),
            "client": (who, 0),
            "scheme": scheme if scope["type"] == "http" else scheme.replace("http", "ws"),
            LOCAL: local,
            HOST_PAGE: local or self._opens_host_page(who, trusted, headers),
        }

    def _opens_host_page(self, who: str, trusted: bool, headers: Mapping[str, str]) -> bool:
        """Whether the host lets others than this computer open the host's page, and this caller is one of them.

        Behind a proxy it is whom the proxy names that counts; of an unknown proxy, or one that names nobody, nobody is
        known to be one of them.
        """
        if self._host_page is None:
            return True
        if any(name in headers for name in FORWARDED) and (not trusted or who in self._proxies):
            return False
        return who in self._host_page

    def _check(self, scope: Scope, headers: Mapping[str, str]) -> None:
        path, who, method = scope["path"], address(scope), scope.get("method", "GET")
        websocket = scope["type"] == "websocket"
        if who in self.banned:
            raise Problem("banned", say("the host does not let this address in"))
        if path == paths.METRICS and not is_local(scope):
            raise Problem("forbidden", say("the figures are only for the host's own machine"))
        unsafe = websocket or method not in SAFE
        if not self._origin_fits(scope, headers, unsafe):
            raise Problem("origin", say("this request comes from a page of another server"))
        self._look_for_proxy(headers)
        crowd = addresses.household(who)
        if not self._requests.take(crowd) or (path in self._logins and not self._logins[path].take(crowd)):
            raise Problem("too_many", say("too many requests; wait a little"))
        local_figures = path == paths.METRICS and method in ("GET", "HEAD")
        if self.door.open or local_figures or (not websocket and paths.is_public(method, path)):
            return
        if not any(self.door.admits(shown) for shown in _passes(headers)):
            raise Problem("password", say("this server has a password; enter it first"))

    def _look_for_proxy(self, headers: Mapping[str, str]) -> None:
        """Behind a proxy that is not trusted all callers look like one; the host should know."""
        if "x-forwarded-for" in headers and not self._settings.proxies and not self._warned:
            self._warned = True
            metrics.logger.warning("requests come through a proxy; name it with --proxies, or all callers count as one")

    def _origin_fits(self, scope: Scope, headers: Mapping[str, str], unsafe: bool) -> bool:
        """Whether no page of another server is behind a request that changes something, or that only scripts make."""
        origin = headers.get("origin")
        if origin is not None and unsafe:
            return origin in (hosts.origin(scope["scheme"], headers["host"]), *self._settings.origins)
        if unsafe:
            return "authorization" in headers or "cookie" not in headers
        elsewhere = headers.get("sec-fetch-site", "none") in ("cross-site", "same-site")
        return not elsewhere or headers.get("sec-fetch-mode") == "navigate" or origin in self._settings.origins

    async def _connect(self, scope: Scope, receive: Receive, send: Send) -> None:
        """A connection that stays open, if this address has not too many already."""
        who, most = addresses.household(address(scope)), self.limits.now.sockets
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
        problem = document(error, lang)
        metrics.refusals.labels(problem["code"]).inc()
        body = msgspec.json.encode(problem)
        headers = [
            *((name.encode(), value.encode()) for name, value in HEADERS.items()),
            (b"content-type", b"application/problem+json"),
            (b"content-length", str(len(body)).encode()),
        ]
        start = "http.response.start" if scope["type"] == "http" else "websocket.http.response.start"
        if scope["type"] == "websocket" and "websocket.http.response" not in scope.get("extensions", {}):
            await send({"type": "websocket.close", "code": 1008})
            return
        if problem["code"] == "too_many":
            headers.append((b"retry-after", b"5"))
        if problem["code"] == "malformed":  # it is not certain where such a request ends and the next one begins
            headers.append((b"connection", b"close"))
        await send({"type": start, "status": problem["status"], "headers": headers})
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


def _headers_only(send: Send) -> Send:
    """An answer to HEAD: what GET would have said, without its body. A stream ends there as well."""
    done = False

    async def sending(message: Any) -> None:
        nonlocal done
        if message["type"] != "http.response.body":
            await send(message)
        elif not done:
            done = True
            await send({"type": "http.response.body", "body": b"", "more_body": False})

    return sending


def address(scope: Scope) -> str:
    """Where a request comes from; the gate has asked the proxies we trust, if there are any."""
    return scope["client"][0] if scope.get("client") else "-"


def is_local(scope: Scope) -> bool:
    """Whether a request comes from this computer itself and through no proxy, as the gate saw it."""
    return bool(scope.get(LOCAL))


def _is_local(peer: addresses.Address | None, scope: Scope, headers: Mapping[str, str]) -> bool:
    """By the connection: from loopback, or from the very address that it goes to. No header can make it so."""
    if peer is None or any(name in headers for name in FORWARDED):
        return False
    server = addresses.read(scope["server"][0]) if scope.get("server") else None
    return peer.is_loopback or peer == server


def language(scope: Scope, headers: Mapping[str, str]) -> str:
    """The language a caller asks for: `?lang=`, or else by the browser's list, or else English."""
    asked = parse_qs(scope.get("query_string", b"").decode("latin-1")).get("lang", [""])[0]
    return pick_language([asked, *_accepted(headers.get("accept-language", ""))])


def pick_language(wanted: Iterable[str]) -> str:
    """The first of these that we speak."""
    return next((code[:2].lower() for code in wanted if code[:2].lower() in LANGUAGES), "en")


def _accepted(header: str) -> list[str]:
    """The languages of an Accept-Language header, the best first."""
    weighted = []
    for part in header.split(",")[:20]:
        code, _, weight = part.strip().partition(";q=")
        try:
            weighted.append((-float(weight or 1), code))
        except ValueError:
            continue
    return [code for _, code in sorted(weighted, key=lambda pair: pair[0])]


def _passes(headers: Mapping[str, str]) -> list[str]:
    """Every pass that a request shows. Cookies of other programs on this host may be among its own, in any form."""
    pairs = (part.strip().partition("=") for part in headers.get("cookie", "").split(";"))
    return [headers.get("astragal-pass", ""), *(value for name, _, value in pairs if name == PASS_COOKIE)]
