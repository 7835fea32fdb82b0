"""Old matches are removed in two steps: marked first, and removed when servers have run for some days since.

So a date of the system that is wrong for a while removes nothing: what was marked by it is not removed if the date
turns out to be earlier, and the host has days to see in the log, or by `astragal admin retention`, what will go.
"""

from __future__ import annotations

import time

import msgspec
from msgspec import Struct

from astragal.server import heartbeat, tournament_store
from astragal.server.metrics import logger
from astragal.server.store import Store

DAY_MS = 86_400_000
WAIT_MS = 3 * DAY_MS  # how long servers run between marking and removing
DAYS, MARK = "retention_days", "retention_mark"


class Mark(Struct, frozen=True):
    """What ended before some time is to be removed, marked when servers had run for so long."""

    before: int
    uptime: int
    days: int


class Plan(Struct, frozen=True, kw_only=True):
    """How long matches are kept, and what will be removed when servers have run for so many hours more."""

    days: int  # 0: for ever
    matches: tuple[str, ...] = ()
    ended_before: str | None = None
    hours_left: int | None = None


async def plan(store: Store) -> Plan:
    """What is set, and what is marked."""
    days, mark = int(await store.fact(DAYS, "0")), await _mark(store)
    uptime_ms = await heartbeat.uptime_ms(store)
    if not days or mark is None:
        return Plan(days=days)
    left = max(0, mark.uptime + WAIT_MS - uptime_ms)
    doomed = await store.old(min(mark.before, await _limit(store, days)))
    return Plan(
        days=days, matches=tuple(doomed), ended_before=date_of(mark.before), hours_left=-(-left // (DAY_MS // 24))
    )


async def tidy(store: Store, uptime_ms: int) -> None:
    """Marks what is old, or removes what was marked long enough ago."""
    days, mark = int(await store.fact(DAYS, "0")), await _mark(store)
    if not days:
        return
    limit = await _limit(store, days)
    if mark is None or mark.days != days:
        if doomed := await store.old(limit):
            await store.set_fact(MARK, msgspec.json.encode(Mark(limit, uptime_ms, days)).decode())
            logger.warning(
                "%d matches that ended before %s will be removed when the server has run for %d more hours",
                *(len(doomed), date_of(limit), WAIT_MS // (DAY_MS // 24)),
            )
    elif uptime_ms - mark.uptime >= WAIT_MS:
        if limit < mark.before:
            logger.warning("matches were marked under a date that is not believed any more; keeping the younger ones")
        removed = await store.forget(min(mark.before, limit))
        await tournament_store.forget(store, min(mark.before, limit))
        await store.set_facts({}, delete=[MARK])
        logger.warning("%d matches that ended before %s are removed", removed, date_of(min(mark.before, limit)))


async def _limit(store: Store, days: int) -> int:
    """What ended before this is old, by the server's time and the system's alike."""
    return min(store.clock.now(), await store.system_ms()) - days * DAY_MS


async def _mark(store: Store) -> Mark | None:
    text = (await store.facts(MARK)).get(MARK)
    return None if text is None else msgspec.json.decode(text, type=Mark)


def date_of(ms: int) -> str:
    """The day (UTC) of a moment."""
    return time.strftime("%Y-%m-%d", time.gmtime(ms / 1000))
