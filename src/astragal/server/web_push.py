"""Web Push: a message for a browser that may be closed, sent to the push service that the browser has named.

It is encrypted for that browser (RFC 8291, by `http_ece`) and signed with this server's own key (VAPID, RFC 8292, by
`py_vapid`). The address of a push service comes from a client, so it must not reach into the host's own network: only
https to port 443 is allowed, its name is resolved here, and the connection is made to the first of the resulting IP
addresses that belongs to the internet, without resolving the name again. No redirect is followed.
"""

from __future__ import annotations

import asyncio
import base64
import socket
import ssl
import time
from typing import Literal
from urllib.parse import SplitResult, urlsplit

import h11
import http_ece
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat
from msgspec import Struct
from py_vapid import Vapid02

from astragal.core.language import say
from astragal.server import addresses, metrics
from astragal.server.problems import Problem
from astragal.server.store import Store

FACT = "vapid_key"
SECONDS = 10.0  # for a whole request
SIGNED_SECONDS = 12 * 3600  # for which a signature is good

Outcome = Literal["sent", "gone", "failed"]


class Target(Struct, frozen=True, kw_only=True):
    """A browser that can be told something: where, and the keys to encrypt for it."""

    endpoint: str
    p256dh: str
    auth: str


def _plain(data: bytes) -> str:
    return base64.urlsafe_b64encode(data).rstrip(b"=").decode()


def decoded(text: str) -> bytes:
    """Base64 as browsers write it, without padding. Raises ValueError."""
    return base64.urlsafe_b64decode(text + "=" * (-len(text) % 4))


def check(target: Target, *, inside: bool) -> None:
    """Refuses what is no push service of the internet, or has no proper keys. Raises Problem."""
    try:
        url = urlsplit(target.endpoint)
        fits = url.scheme in (("https", "http") if inside else ("https",)) and bool(url.hostname)
        fits = fits and not (url.username or url.password) and (inside or url.port in (None, 443))
        ec.EllipticCurvePublicKey.from_encoded_point(ec.SECP256R1(), decoded(target.p256dh))
        fits = fits and len(decoded(target.auth)) == 16
        literal = addresses.read(url.hostname or "")
    except ValueError:
        fits, literal = False, None
    if not fits or (literal is not None and not inside and not addresses.is_public(literal)):
        raise Problem("malformed", say("this is no push service of the internet"))


class Push:
    """Sends, with the key of this store. `inside`: also to addresses in the host's own network, and without TLS."""

    def __init__(self, private: str, *, contact: str, inside: bool) -> None:
        self._signer = Vapid02.from_raw(private.encode())
        self._signer.conf = {"no-strict": True}  # a contact may be an address of the web
        self._contact, self._inside = contact, inside
        self._tls = ssl.create_default_context()

    @classmethod
    async def load(cls, store: Store, *, contact: str, inside: bool) -> Push:
        """With the key that was made at the first start; all processes of a store have the same."""
        number = ec.generate_private_key(ec.SECP256R1()).private_numbers().private_value
        return cls(await store.fact(FACT, _plain(number.to_bytes(32, "big"))), contact=contact, inside=inside)

    @property
    def public_key(self) -> str:
        """What browsers want to know before they subscribe."""
        return _plain(self._signer.public_key.public_bytes(Encoding.X962, PublicFormat.UncompressedPoint))

    def check(self, target: Target) -> None:
        """Refuses what this server sends nothing to. Raises Problem."""
        check(target, inside=self._inside)

    async def send(self, target: Target, text: bytes, *, origin: str, ttl: int, topic: str) -> Outcome:
        """Sends a message; a later one with the same topic takes its place if it was not delivered by then."""
        try:
            self.check(target)
            status = await asyncio.wait_for(self._post(target, text, origin, ttl, topic), SECONDS)
        except (OSError, TimeoutError, ValueError, h11.ProtocolError, Problem) as error:
            metrics.logger.warning("a push message was not sent: %s", error)
            return "failed"
        if status in (404, 410):
            return "gone"
        if not 200 <= status < 300:
            metrics.logger.warning("a push service refused a message", extra={"status": status})
        return "sent" if 200 <= status < 300 else "failed"

    async def _post(self, target: Target, text: bytes, origin: str, ttl: int, topic: str) -> int:
        url = urlsplit(target.endpoint)
        audience = f"{url.scheme}://{url.netloc}"
        contact = f"mailto:{self._contact}" if self._contact else origin
        signed = self._signer.sign({"aud": audience, "sub": contact, "exp": _in_seconds(SIGNED_SECONDS)})
        body = http_ece.encrypt(
            text,
            private_key=ec.generate_private_key(ec.SECP256R1()),
            dh=decoded(target.p256dh),
            auth_secret=decoded(target.auth),
        )
        headers = {
            "host": url.netloc,
            "content-type": "application/octet-stream",
            "content-encoding": "aes128gcm",
            "content-length": str(len(body)),
            "ttl": str(ttl),
            "topic": topic,
            "urgency": "normal",
            "authorization": signed["Authorization"],
            "connection": "close",
        }
        reader, writer = await self._connect(url)
        try:
            return await _exchange(reader, writer, url, headers, body)
        finally:
            writer.close()

    async def _connect(self, url: SplitResult) -> tuple[asyncio.StreamReader, asyncio.StreamWriter]:
        """A connection to the first address of this name that is allowed. Raises OSError."""
        name, port = url.hostname or "", url.port or (443 if url.scheme == "https" else 80)
        places = await asyncio.get_running_loop().getaddrinfo(name, port, type=socket.SOCK_STREAM)
        for *_, place in places:
            address = addresses.read(str(place[0]))
            if address is not None and (self._inside or addresses.is_public(address)):
                secure = {"ssl": self._tls, "server_hostname": name} if url.scheme == "https" else {}
                return await asyncio.open_connection(str(place[0]), port, **secure)  # type: ignore[arg-type]
        raise OSError(f"{name} is not in the internet")


def _in_seconds(seconds: int) -> int:
    """A moment by the system's time, which is what a push service compares it with."""
    return int(time.time()) + seconds


async def _exchange(
    reader: asyncio.StreamReader, writer: asyncio.StreamWriter, url: SplitResult, headers: dict[str, str], body: bytes
) -> int:
    """Sends a request and returns the status of its answer."""
    http = h11.Connection(h11.CLIENT)
    target = (url.path or "/") + (f"?{url.query}" if url.query else "")
    request = h11.Request(method="POST", target=target, headers=list(headers.items()))
    for part in (request, h11.Data(data=body), h11.EndOfMessage()):
        writer.write(http.send(part) or b"")
    await writer.drain()
    while True:
        event = http.next_event()
        if event is h11.NEED_DATA:
            http.receive_data(await reader.read(4096))
        elif isinstance(event, h11.Response):
            return int(event.status_code)
        elif isinstance(event, h11.ConnectionClosed):
            raise OSError("the push service closed the connection")
