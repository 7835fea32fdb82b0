"""Which names this server answers to.

A page elsewhere can let its own name point to this computer (DNS rebinding); to the browser the server is then a part
of that page. What gives it away is the `Host` of its requests, so only names that the server was started with are
answered: those of this computer, the address that the connection came to, `--host`, and the hosts of `--origin`.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from urllib.parse import urlsplit

from astragal.core.language import Text, say
from astragal.core.types import AstragalError
from astragal.server import addresses

_HOST = re.compile(r"(\[[0-9a-f:.]{2,45}\]|[a-z0-9_-][a-z0-9._-]{0,252})(?::([0-9]{1,5}))?")
_PORTS = {"http": 80, "ws": 80, "https": 443, "wss": 443}
_SECURE = {"http": "http", "ws": "http", "https": "https", "wss": "https"}


class Hosts:
    """The names of one server."""

    def __init__(self, host: str, origins: Iterable[str]) -> None:
        self._named = {origin.partition("://")[2] for origin in origins}
        self._started_with = host.lower()

    def fits(self, header: str, scheme: str, server: tuple[str, int | None] | None) -> bool:
        """Whether a `Host` header names this server; `server` is the address that the connection came to."""
        text = header.lower()
        parts = _HOST.fullmatch(text)
        if parts is None:
            return False
        if text in self._named:
            return True
        if server is None or int(parts[2] or _PORTS[scheme]) != server[1]:
            return False
        if parts[1] in ("localhost", self._started_with):
            return True
        address = addresses.read(parts[1].strip("[]"))
        return address is not None and (address.is_loopback or address == addresses.read(server[0]))


def origin(scheme: str, host: str) -> str:
    """What a browser calls a page that it has from here."""
    return f"{_SECURE[scheme]}://{host.lower()}"


def refusal(header: str, scheme: str) -> Text:
    """Why a request was not answered, and what the host of this server can do about it."""
    if _HOST.fullmatch(header.lower()) is None:
        return say("the request does not say which host it is for")
    return say(
        "this server does not answer to this name; its host can allow it with --origin {origin}",
        origin=origin(scheme, header),
    )


def check_origin(text: str) -> str:
    """An address as `--origin` takes it, as browsers write it. Raises AstragalError."""
    try:
        parts = urlsplit(text.strip())
        port = parts.port
    except ValueError:
        parts, port = urlsplit(""), None
    netloc = parts.netloc.lower()
    if port is not None and port == _PORTS.get(parts.scheme):
        netloc = netloc.rpartition(":")[0]
    trailing = parts.path.strip("/") or parts.query or parts.fragment
    if parts.scheme not in ("http", "https") or _HOST.fullmatch(netloc) is None or trailing:
        raise AstragalError(
            say("{value!r} is no address of a page; write one like https://games.example.org", value=text)
        )
    return f"{parts.scheme}://{netloc}"
