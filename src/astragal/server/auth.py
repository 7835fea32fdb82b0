"""Who may speak for a seat: whoever has its secret. And who may come in at all, where a server has a password."""

from __future__ import annotations

import asyncio
import hashlib
import hmac
import secrets
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import TypeVar

COOKIE = "astragal-seat"  # followed by the number of the seat, so that one browser can hold several
LETTERS = "abcdefghjkmnpqrstuvwxyz23456789"  # none that looks like another
PASS_COOKIE = "astragal-pass"  # noqa: S105  its name only

# One thread of its own, so that guesses of a password wait for each other and delay nothing else.
_slow = ThreadPoolExecutor(1, thread_name_prefix="password")
T = TypeVar("T")


async def slowly(work: Callable[[str], T], text: str) -> T:
    """Does what is slow on purpose with a password, off the event loop."""
    return await asyncio.get_running_loop().run_in_executor(_slow, work, text)


def new_secret() -> str:
    """A secret that nobody can guess: 192 random bits."""
    return secrets.token_urlsafe(24)


def new_id() -> str:
    """A short name for a match, easy to read out and not to be guessed."""
    return "".join(secrets.choice(LETTERS) for _ in range(10))


def derived_id(seed: bytes) -> str:
    """The name of the match that follows one with this server seed; whoever makes it gives it the same."""
    digest = hashlib.sha256(seed + b"|next match").digest()
    return "".join(LETTERS[byte % len(LETTERS)] for byte in digest[:10])


def hashed(secret: str) -> str:
    """What is stored of a secret. It has so many random bits that one round is enough."""
    return hashlib.sha256(secret.encode()).hexdigest()


def same(secret: str, stored: str | None) -> bool:
    """Whether a secret is the stored one, in a time that tells nothing."""
    return stored is not None and hmac.compare_digest(hashed(secret), stored)


def seat_cookie(seat: int) -> str:
    """The cookie that holds the secret of a seat, for the paths of its match only."""
    return f"{COOKIE}-{seat}"


class Door:
    """The password of a whole server. What a caller keeps is a pass, made from it, not the password."""

    def __init__(self, password: str, salt: bytes) -> None:
        self._pass = ""
        if password:
            key = hashlib.scrypt(password.encode(), salt=salt, n=2**14, r=8, p=1)
            self._pass = hmac.new(key, b"astragal-pass", "sha256").hexdigest()
            self._key, self._salt = key, salt

    @property
    def open(self) -> bool:
        """Whether there is no password."""
        return not self._pass

    def enter(self, password: str) -> str | None:
        """The pass for whoever knows the password. Slow on purpose; call it off the event loop."""
        key = hashlib.scrypt(password.encode(), salt=self._salt, n=2**14, r=8, p=1)
        return self._pass if hmac.compare_digest(key, self._key) else None

    def admits(self, shown: str) -> bool:
        """Whether this is the pass."""
        return self.open or hmac.compare_digest(shown.encode(), self._pass.encode())


class HallKey:
    """The key of a hall's own controls, and the tickets for it: whoever has the key can write one, each good once."""

    def __init__(self, key: str | None = None) -> None:
        self.key = new_secret() if key is None else key
        self._used: set[str] = set()

    def ticket(self) -> str:
        """A new ticket."""
        name = secrets.token_hex(8)
        return f"{name}.{self._sign(name)}"

    def exchange(self, ticket: str) -> str | None:
        """The key, for a ticket that was not used yet."""
        name, _, signed = ticket.partition(".")
        if name in self._used or not hmac.compare_digest(self._sign(name).encode(), signed.encode()):
            return None
        self._used.add(name)
        return self.key

    def fits(self, shown: str) -> bool:
        """Whether this is the key."""
        return hmac.compare_digest(shown.encode(), self.key.encode())

    def _sign(self, name: str) -> str:
        return hmac.new(self.key.encode(), b"ticket " + name.encode(), "sha256").hexdigest()
