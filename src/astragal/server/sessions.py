"""How a player proves who it is: it signs a nonce of this server once, and shows a session from then on.

What is signed names the address of the server that asked (the audience), so that a signature given to one server is
worth nothing at another that passes its nonce on. A nonce is good for two minutes and for one signature; those that
were signed are kept in the store for as long, so that no process of this store takes one twice.
"""

from __future__ import annotations

import hmac
import secrets

from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey

from astragal.core.language import say
from astragal.core.player_key import message
from astragal.server.problems import Problem

NONCE_MS = 120_000
SESSION_MS = 24 * 3_600_000
COOKIE, HEADER = "astragal-player", "astragal-player"


def check_signature(key: str, signature: str, audience: str, nonce: str) -> None:
    """Refuses what the owner of this public key has not signed for this server. Raises Problem."""
    try:
        Ed25519PublicKey.from_public_bytes(bytes.fromhex(key)).verify(
            bytes.fromhex(signature), message(audience, nonce)
        )
    except (InvalidSignature, ValueError):
        raise Problem("wrong_signature", say("this signature is not of this key for this server")) from None


class Sessions:
    """Nonces and sessions of one store: tokens that carry their own date and are sealed with a secret of the store."""

    def __init__(self, secret: str) -> None:
        self._secret = secret.encode()

    def nonce(self, now: int) -> str:
        """A new nonce."""
        return self._sealed(f"{secrets.token_hex(8)}.{now + NONCE_MS}", "nonce")

    def check_nonce(self, nonce: str, now: int) -> None:
        """Refuses a nonce that is not ours or too old. Raises Problem."""
        if self._opened(nonce, "nonce", now) is None:
            raise Problem("wrong_signature", say("what was signed is too old; ask for a new challenge"))

    def session(self, key: str, now: int) -> str:
        """A session of the player with this key."""
        return self._sealed(f"{key}.{now + SESSION_MS}", "session")

    def player(self, session: str, now: int) -> str | None:
        """Whose session this is; None if it is not ours or too old."""
        return self._opened(session, "session", now)

    def seconds_left(self, session: str, now: int) -> int:
        """How long a session that is ours is still good."""
        return (int(session.rpartition(".")[0].rpartition(".")[2]) - now) // 1000

    def token(self, kind: str, content: str, until: int) -> str:
        """A token of another kind, good until then."""
        return self._sealed(f"{content}.{until}", kind)

    def opened(self, kind: str, token: str, now: int) -> str | None:
        """What such a token holds; None if it is not ours or too old."""
        return self._opened(token, kind, now)

    def digest(self, kind: str, text: str) -> str:
        """A hash of a text that nobody can guess the text from who has not the secret of the store."""
        return self._seal(text, kind)

    def _sealed(self, text: str, kind: str) -> str:
        return f"{text}.{self._seal(text, kind)}"

    def _seal(self, text: str, kind: str) -> str:
        return hmac.new(self._secret, f"{kind} {text}".encode(), "sha256").hexdigest()[:32]

    def _opened(self, token: str, kind: str, now: int) -> str | None:
        """What a token holds before its date."""
        text, _, seal = token.rpartition(".")
        content, _, until = text.rpartition(".")
        if not hmac.compare_digest(seal.encode(), self._seal(text, kind).encode()) or int(until) < now:
            return None
        return content
