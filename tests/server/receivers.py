"""A push service and a mail server of the tests' own: they listen on loopback and keep what they are sent."""

from __future__ import annotations

import base64
import email
import email.policy
import json
import queue
import re
import threading
from email.message import EmailMessage
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

import http_ece
from aiosmtpd.controller import Controller
from cryptography.hazmat.primitives import hashes
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.asymmetric.utils import encode_dss_signature
from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat

from tests.server.running import PATIENCE, free_port


def plain(data: bytes) -> str:
    return base64.urlsafe_b64encode(data).rstrip(b"=").decode()


def decoded(text: str) -> bytes:
    return base64.urlsafe_b64decode(text + "=" * (-len(text) % 4))


class Browser:
    """A browser that has subscribed at the push service: it alone can read its messages."""

    def __init__(self, service: PushService) -> None:
        self._private, self._auth = ec.generate_private_key(ec.SECP256R1()), b"0123456789abcdef"
        self.path = f"/push/{plain(self._auth)}{id(self)}"
        public = self._private.public_key().public_bytes(Encoding.X962, PublicFormat.UncompressedPoint)
        self.subscription = {
            "endpoint": f"{service.address}{self.path}",
            "expirationTime": None,
            "keys": {"p256dh": plain(public), "auth": plain(self._auth)},
        }

    def read(self, body: bytes) -> dict[str, Any]:
        text = http_ece.decrypt(body, private_key=self._private, auth_secret=self._auth)
        message: dict[str, Any] = json.loads(text)
        return message


class PushService:
    """Takes messages, checks who signed them, and answers with the status it was told to, when it is told to."""

    def __init__(self, answer_after: threading.Event | None = None) -> None:
        self.sent: queue.Queue[tuple[str, dict[str, str], bytes]] = queue.Queue()
        self.status, self.answered = 201, 0
        service = self

        class Handler(BaseHTTPRequestHandler):
            def do_POST(self) -> None:
                body = self.rfile.read(int(self.headers["content-length"]))
                service.sent.put((self.path, {name.lower(): value for name, value in self.headers.items()}, body))
                if answer_after is not None:
                    answer_after.wait(PATIENCE)
                service.answered += 1
                self.send_response(service.status)
                self.end_headers()

            def log_message(self, *_: object) -> None:
                pass

        self._server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.address = f"http://127.0.0.1:{self._server.server_address[1]}"

    def __enter__(self) -> PushService:
        threading.Thread(target=self._server.serve_forever, daemon=True).start()
        return self

    def __exit__(self, *_: object) -> None:
        self._server.shutdown()
        self._server.server_close()

    def next(self) -> tuple[str, dict[str, str], bytes]:
        return self.sent.get(timeout=PATIENCE)

    def signed_by(self, headers: dict[str, str]) -> tuple[str, dict[str, Any]]:
        """The key that a request was signed with (VAPID), and what it says. Raises InvalidSignature."""
        token, key = re.fullmatch(r"vapid t=([^,]+),\s*k=(.+)", headers["authorization"]).groups()  # type: ignore[union-attr]
        signed, _, signature = token.rpartition(".")
        r, s = (int.from_bytes(half, "big") for half in (decoded(signature)[:32], decoded(signature)[32:]))
        public = ec.EllipticCurvePublicKey.from_encoded_point(ec.SECP256R1(), decoded(key))
        public.verify(encode_dss_signature(r, s), signed.encode(), ec.ECDSA(hashes.SHA256()))
        return key, json.loads(decoded(signed.split(".")[1]))


class MailServer:
    """Takes mail for anybody."""

    def __init__(self) -> None:
        self.letters: queue.Queue[EmailMessage] = queue.Queue()
        self._controller = Controller(self, hostname="127.0.0.1", port=free_port())
        self.url = f"smtp://127.0.0.1:{self._controller.port}"

    async def handle_DATA(  # noqa: N802  aiosmtpd calls it so
        self, _server: Any, _session: Any, envelope: Any
    ) -> str:
        self.letters.put(email.message_from_bytes(envelope.content, policy=email.policy.default))
        return "250 taken"

    def __enter__(self) -> MailServer:
        self._controller.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._controller.stop()

    def next(self) -> EmailMessage:
        return self.letters.get(timeout=PATIENCE)


def link(letter: EmailMessage, page: str) -> str:
    """The token behind the # of a link in a mail."""
    found = re.search(rf"http://\S+/mail/{page}#(\S+)", letter.get_content())
    assert found is not None, letter.get_content()
    return found[1]
