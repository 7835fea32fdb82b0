"""The links in mails: one confirms an address, the other ends it. They need no password and no session.

A token names the player and a hash of the address it was made for. One that confirms is worth nothing once the player
has given another address; one that ends mails always works, also if the player has deleted the address meanwhile.
"""

from __future__ import annotations

from msgspec import Struct

from astragal.server import confirmation_rows, paths, reminder_rows
from astragal.server.confirmation_rows import UNCONFIRMED_MS
from astragal.server.reminder_rows import MailRow
from astragal.server.sessions import Sessions
from astragal.server.store import Store

REMOVE_MS = 5 * 365 * 86_400_000


class Links(Struct, frozen=True, kw_only=True):
    """Pages of the browser client, with their tokens behind the `#`; and the address for a mail program's button."""

    confirm: str
    stop: str
    one_click: str


def links(sessions: Sessions, row: MailRow, now: int) -> Links:
    """The links of mails to this address."""
    content = f"{row.player}-{digest(sessions, row.address)}"
    confirm = sessions.token("mail confirm", content, now + UNCONFIRMED_MS)
    remove = sessions.token("mail remove", content, now + REMOVE_MS)
    return Links(
        confirm=f"{row.origin}/mail/confirm#{confirm}",
        stop=f"{row.origin}/mail/remove#{remove}",
        one_click=f"{row.origin}{paths.MAIL_REMOVE}?token={remove}",
    )


async def confirmed(sessions: Sessions, store: Store, token: str) -> bool:
    """Confirms the address that a token was made for; whether it was good."""
    row = await _row(sessions, store, sessions.opened("mail confirm", token, store.clock.now()))
    return row is not None and await reminder_rows.confirm_mail(store, row.player, row.address)


async def removed(sessions: Sessions, store: Store, token: str) -> bool:
    """Forgets the address that a token was made for, and asks it for nothing for long; whether the token was good."""
    content = sessions.opened("mail remove", token, store.clock.now())
    if content is None:
        return False
    await confirmation_rows.stop(store, content.partition("-")[2])
    row = await _row(sessions, store, content)
    if row is not None:
        await reminder_rows.drop_mail(store, row.player)
    return True


def digest(sessions: Sessions, address: str) -> str:
    """What an address is known by where it is not to be read: the same however its letters are written."""
    return sessions.digest("mail address", address.casefold())


async def _row(sessions: Sessions, store: Store, content: str | None) -> MailRow | None:
    player, _, hashed = (content or "").partition("-")
    row = await reminder_rows.mail(store, player)
    return row if row is not None and digest(sessions, row.address) == hashed else None
