"""The one way in which an address of this server may be written, and which addresses need no password.

Whatever decides by a path (password, limits, figures, router) sees the same one, because everything that is not
already in normal form is refused before any of them looks at it. No address of this server needs more than
letters, digits and `-._~` between single slashes, so nothing percent-encoded is in normal form.
"""

from __future__ import annotations

import re

from astragal.core.language import say
from astragal.server.problems import Problem

MOST_BYTES = 500  # of a path
_NORMAL = re.compile(rb"/|(?:/(?!\.{1,2}(?:/|\Z))[A-Za-z0-9._~-]+)+")

PAGES = (
    "game", "table", "join", "seat", "replay", "rules", "learn", "settings", "mine", "help", "about", "puzzles",
    "explore", "continue", "key", "mail", "ratings", "player", "tournaments", "tournament", "wall", "host",
)  # fmt: skip
"""The pages of the browser client, by the first part of their path; `web/src/pages/index.ts` has the same."""

LOGIN = "/api/login"
SIGN_IN = "/api/players/session"
METRICS = "/metrics"
MAIL_CONFIRM, MAIL_REMOVE = "/api/reminders/mail/confirm", "/api/reminders/mail/remove"
_OPEN = ("/health", "/ready", "/api/key")  # the key proves records that their players have anyhow
_PAGE = re.compile(rf"/(?:(?:{'|'.join(PAGES)})(?:/[^/]+)?)?")
FILES = {
    ".svg": "image/svg+xml",
    ".png": "image/png",
    ".webmanifest": "application/manifest+json",
    ".js": "text/javascript",
}
"""What lies beside the client's entrance, by how its name ends: icons, the manifest and the service worker."""
_FILE = re.compile(rf"/assets/[^/]+|/[a-z0-9-]+(?:{'|'.join(re.escape(end) for end in FILES)})")


def normal(raw: bytes) -> str:
    """The path of a request. Raises Problem if it is not written in normal form."""
    if len(raw) > MOST_BYTES or not _NORMAL.fullmatch(raw):
        raise Problem(
            "malformed",
            say("this address is not in its plain form: no doubled or last slash, no dots alone, nothing encoded"),
        )
    return raw.decode("ascii")


def is_page(path: str) -> bool:
    """Whether the browser client shows something of its own at this address."""
    return _PAGE.fullmatch(path) is not None


def is_public(method: str, path: str) -> bool:
    """Whether a request is answered without the server's password: what the page that asks for it needs, no more."""
    if method == "POST":
        return path in (LOGIN, MAIL_CONFIRM, MAIL_REMOVE)
    return method in ("GET", "HEAD") and (path in _OPEN or is_page(path) or _FILE.fullmatch(path) is not None)
