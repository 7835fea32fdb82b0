"""When servers of a store were alive, so that a new one knows what time it is and what it has missed.

Every server notes now and then that it lives, with its own time and that of the system (of the database, where several
share one). A new one goes on from there: it takes over the time of servers that live, never begins before what was
stored, and counts the time in which no server lived as a gap that nobody's clock is charged for. A date of the system
that jumped between two starts is such a gap, or is not believed.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

import msgspec
from msgspec import Struct

from astragal.server.metrics import logger

if TYPE_CHECKING:
    from astragal.server.store import Store

BEAT_MS = 10_000  # how often a server notes that it lives
ALIVE_MS = 15_000  # a server that noted it so recently may be alive
STALL_MS = 5_000  # a process that stood still for so long has left its players alone
LEAST_GAP_MS = 1_000
SET_MS = 2_000  # a difference to the system's time that is told

ALIVE, STOPPED, UPTIME, GAPS, PAST_GAPS = "alive ", "stopped", "uptime", "gaps", "past gaps"
MOST_PAST = 500  # gaps that are remembered


class Gap(Struct, frozen=True, array_like=True):
    """A time in which no server lived."""

    since: int
    until: int


class _Beat(Struct, frozen=True, array_like=True):
    now: int
    system: int


async def align(store: Store) -> tuple[int, bool]:
    """Sets the clock of a store that was just opened; when a server last lived (0: never), and whether one may live."""
    clock, system = store.clock, await store.system_ms()
    beats = [msgspec.json.decode(value, type=_Beat) for value in (await store.facts(ALIVE)).values()]
    stopped = int((await store.facts(STOPPED)).get(STOPPED, 0))
    alive = [beat for beat in beats if 0 <= system - beat.system <= ALIVE_MS]
    newest = max(alive, key=lambda beat: beat.system, default=None)
    clock.set(system if newest is None else system + newest.now - newest.system)
    stored = await store.latest_ms()
    lived = max([stopped, *(beat.now for beat in beats)]) or stored
    latest = max(lived, stored)
    if clock.now() < latest:
        clock.set(latest)
    return lived, bool(alive)


async def living(store: Store) -> int:
    """How many servers of this store have noted lately that they live."""
    system = await store.system_ms()
    beats = [msgspec.json.decode(value, type=_Beat) for value in (await store.facts(ALIVE)).values()]
    return sum(0 <= system - beat.system <= ALIVE_MS for beat in beats)


async def uptime_ms(store: Store) -> int:
    """How long servers of this store have lived, all in all."""
    return _uptime(await store.facts(UPTIME)).now


def _uptime(facts: Mapping[str, str]) -> _Beat:
    """How long, and up to when that is counted."""
    return msgspec.json.decode(facts.get(UPTIME, "[0,0]"), type=_Beat)


class Heartbeat:
    """Notes that this server lives, and knows the gaps in which none did."""

    def __init__(self, store: Store) -> None:
        self._store = store
        self.gaps: list[Gap] = []  # known to this process; it only ever grows
        self._past: list[Gap] = []  # those of former processes
        self.uptime_ms = 0  # how long servers of this store have lived, all in all
        self._beat_at = self._ticked_at = self._logged_difference = 0

    async def start(self) -> None:
        """Finds out what was missed. Whoever comes first after all servers were gone writes it down for the others."""
        store, clock = self._store, self._store.clock
        lived, others = await align(store)
        now, system = clock.now(), await store.system_ms()
        self._logged_difference = system - now
        if system < now - SET_MS:
            before = (now - system) / 1000
            logger.warning("the system's time is %.0f s before what is stored; going on from there", before)
        facts = await store.facts("")
        self.gaps = _read_gaps(facts.get(GAPS, "[]"))
        self._past = [gap for gap in _read_gaps(facts.get(PAST_GAPS, "[]")) if gap not in self.gaps]
        if lived and now - lived >= LEAST_GAP_MS and (store.embedded or not others):
            self.gaps.append(Gap(lived, now))
            logger.info("no server ran for %.0f s; nobody's clock is charged for it", (now - lived) / 1000)
        self.uptime_ms = _uptime(facts).now
        dead = [name for name in facts if name.startswith(ALIVE) and (store.embedded or not others)]
        self._beat_at = self._ticked_at = now
        await store.set_facts({GAPS: _written(self.gaps), **self._facts(now, system)}, delete=[STOPPED, *dead])

    def tick(self) -> bool:
        """Called every second. Whether this process stood still since (the machine slept), which is a gap as well."""
        now, before = self._store.clock.now(), self._ticked_at
        self._ticked_at = now
        if not self._store.embedded or now - before < STALL_MS or not before:
            return False
        self.gaps.append(Gap(before, now))
        logger.warning("the server stood still for %.0f s; nobody's clock is charged for it", (now - before) / 1000)
        return True

    async def beat(self) -> None:
        """Notes that this server lives, if it is time to."""
        store, clock = self._store, self._store.clock
        now = clock.now()
        if now - self._beat_at < BEAT_MS:
            return
        system, facts = await store.system_ms(), await store.facts("")
        self._tell_difference(system - now)
        counted = _uptime(facts)
        self.uptime_ms = counted.now + min(max(now - counted.system, 0), 2 * BEAT_MS)
        self._beat_at = now
        await store.set_facts(self._facts(now, system))
        others = [msgspec.json.decode(value, type=_Beat).now for name, value in facts.items() if name.startswith(ALIVE)]
        if others and max(others) > now + SET_MS:  # started when the database had another time: the later one counts
            logger.warning("another server is %.0f s ahead; following it", (max(others) - now) / 1000)
            self.gaps.append(Gap(now, max(others)))
            clock.set(max(others))

    def lived_ago(self, ms: int) -> int:
        """The date at which servers had lived for so much less than now: what did not happen since is that old.

        Gaps are left out, so that neither a long absence nor a wrong date makes anything old at once.
        """
        date = self._store.clock.now()
        for gap in reversed([*self._past, *self.gaps]):
            if date - gap.until >= ms:
                break
            ms -= max(0, date - gap.until)
            date = gap.since
        return date - ms

    async def noted(self, gaps: int) -> None:
        """All matches have heard of the first so many gaps."""
        await self._store.set_facts({GAPS: _written(self.gaps[gaps:])})

    async def stop(self) -> None:
        """The server goes down, in order."""
        now = self._store.clock.now()
        await self._store.set_facts({STOPPED: str(now)}, delete=[ALIVE + self._store.name])

    def _facts(self, now: int, system: int) -> dict[str, str]:
        return {
            ALIVE + self._store.name: msgspec.json.encode(_Beat(now, system)).decode(),
            UPTIME: msgspec.json.encode(_Beat(self.uptime_ms, now)).decode(),
            PAST_GAPS: _written([*self._past, *self.gaps][-MOST_PAST:]),
        }

    def _tell_difference(self, difference: int) -> None:
        if abs(difference - self._logged_difference) > SET_MS:
            change = (difference - self._logged_difference) / 1000
            logger.warning("the system's time was set by %+.0f s; matches go on by the server's own clock", change)
            self._logged_difference = difference


def _read_gaps(text: str) -> list[Gap]:
    return msgspec.json.decode(text, type=list[Gap])


def _written(gaps: list[Gap]) -> str:
    return msgspec.json.encode(gaps).decode()
