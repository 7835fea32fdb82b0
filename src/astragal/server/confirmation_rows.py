"""How often an e-mail address is asked whether it agrees to be told of turns.

Anybody can name anybody's address, so the limit belongs to the address: its rows are found by a keyed hash of the
address in lower case, all processes of a store share them, and no player can delete them.
"""

from __future__ import annotations

import sqlalchemy as sa
from sqlalchemy.ext.asyncio import AsyncConnection

from astragal.core.language import say
from astragal.server.problems import Problem
from astragal.server.store import Store
from astragal.server.tables import confirmations, mails
from astragal.server.upserts import insert, upsert

DAY_MS = 86_400_000
PAUSE_MS = 10 * 60_000  # between two mails; and in a day there are two at most
STOPPED_DAYS = 90  # for which an address is not asked that has stopped the mails
UNCONFIRMED_MS = 2 * DAY_MS  # as long as the link of the mail is good


async def ask(connection: AsyncConnection, digest: str, now: int) -> None:
    """Counts a mail that asks for confirmation. Raises Problem if none may be sent now."""
    fresh = {"address": digest, "asked_ms": 0, "before_ms": 0, "stopped_ms": 0}
    await connection.execute(insert(connection, confirmations).on_conflict_do_nothing(), fresh)
    counted = await connection.execute(
        sa.update(confirmations)
        .where(confirmations.c.address == digest, confirmations.c.stopped_ms <= now - STOPPED_DAYS * DAY_MS)
        .where(confirmations.c.asked_ms <= now - PAUSE_MS, confirmations.c.before_ms <= now - DAY_MS)
        .values(asked_ms=now, before_ms=confirmations.c.asked_ms)
    )
    if counted.rowcount == 1:
        return
    row = (await connection.execute(sa.select(confirmations).where(confirmations.c.address == digest))).one()
    if row.stopped_ms > now - STOPPED_DAYS * DAY_MS:
        text = say("somebody at this address wants no mail from here; give another one")
        raise Problem("not_possible", text)
    wait = max(row.asked_ms + PAUSE_MS, row.before_ms + DAY_MS) - now
    text = say("mails were sent to this address already; look there, or try again later")
    raise Problem("too_many", text, -(-wait // 1000))


async def not_sent(store: Store, digest: str, now: int) -> None:
    """The mail that was counted then could not be sent: it does not count."""
    async with store.changing() as connection:
        await connection.execute(
            sa.update(confirmations)
            .where(confirmations.c.address == digest, confirmations.c.asked_ms == now)
            .values(asked_ms=confirmations.c.before_ms, before_ms=0)
        )


async def stop(store: Store, digest: str) -> None:
    """Somebody at this address wants no more mails."""
    now = store.clock.now()
    row = {"address": digest, "asked_ms": 0, "before_ms": 0, "stopped_ms": now}
    async with store.changing() as connection:
        await connection.execute(upsert(connection, confirmations, ["address"], ["stopped_ms"]), row)


async def forget_old(store: Store) -> None:
    """Deletes what limits nothing any more, and addresses that were not confirmed in time."""
    now = store.clock.now()
    async with store.changing() as connection:
        await connection.execute(
            sa.delete(confirmations).where(
                confirmations.c.asked_ms < now - DAY_MS, confirmations.c.stopped_ms < now - STOPPED_DAYS * DAY_MS
            )
        )
        await connection.execute(sa.delete(mails).where(~mails.c.confirmed, mails.c.asked_ms < now - UNCONFIRMED_MS))
