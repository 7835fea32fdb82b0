"""The links in mails: one confirms an address, the other ends it. They need no password and no session.

A token names the player and the address it was made for, so that it is worth nothing once another one was given.
"""

from __future__ import annotations

import hashlib

from msgspec import Struct

from astragal.server import paths, reminder_rows
from astragal.server.reminder_rows import MailRow
from astragal.server.sessions import Sessions
from astragal.server.store import Store

CONFIRM_MS = 2 * 86_400_000
REMOVE_MS = 5 * 365 * 86_400_000


class Links(Struct, frozen=True, kw_only=True):
    """Pages of the browser client, with their tokens behind the `#`; and the address for a mail program's button."""

    confirm: str
    stop: str
    one_click: str


def links(sessions: Sessions, row: MailRow, now: int) -> Links:
    """The links of mails to this address."""
    confirm = sessions.token("mail confirm", _content(row), now + CONFIRM_MS)
    remove = sessions.token("mail remove", _content(row), now + REMOVE_MS)
    return Links(
        confirm=f"{row.origin}/mail/confirm#{confirm}",
        stop=f"{row.origin}/mail/remove#{remove}",
        one_click=f"{row.origin}{paths.MAIL_REMOVE}?token={remove}",
    )


async def confirmed(sessions: Sessions, store: Store, token: str) -> bool:
    """Confirms the address that a token was made for; whether it was good."""
    row = await _row(store, sessions.opened("mail confirm", token, store.clock.now()))
    return row is not None and await reminder_rows.confirm_mail(store, row.player, row.address)


async def removed(sessions: Sessions, store: Store, token: str) -> bool:
    """Forgets the address that a token was made for; whether it was good."""
    row = await _row(store, sessions.opened("mail remove", token, store.clock.now()))
    if row is not None:
        await reminder_rows.drop_mail(store, row.player)
    return row is not None


def _content(row: MailRow) -> str:
    return f"{row.player}-{hashlib.sha256(row.address.encode()).hexdigest()[:16]}"


async def _row(store: Store, content: str | None) -> MailRow | None:
    row = None if content is None else await reminder_rows.mail(store, content.partition("-")[0])
    return row if row is not None and _content(row) == content else None
