"""The limits of a server, and how its host changes them while it runs.

What the host changes is kept in the store: it holds for all servers on it, also after a restart and whatever they were
started with, until the host sets it back. Servers hear of a change within a second.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING

import msgspec
from msgspec import Struct

from astragal.core.language import Text, say
from astragal.core.types import AstragalError

if TYPE_CHECKING:
    from astragal.server.store import Store

MOST = 1_000_000_000
_FACT = "limit "  # facts of this name say what the host has changed


class Limits(Struct, frozen=True, kw_only=True):
    """The limits that can change while a server runs, with the defaults of `astragal serve`; 0 is any number."""

    rate: int = 600
    seat_rate: int = 240
    sockets: int = 200
    hourly_matches: int = 60
    open_matches: int = 40
    tournaments: int = 10
    bots_only: int = 3
    all_bots_only: int = 20
    stored_megabytes: int = 20
    uploads: int = 20
    daily_players: int = 100
    check_queue: int = 8
    abandoned_hours: int = 24


class Limit(Struct, frozen=True, kw_only=True):
    """What is known about a limit: its flag, what it means, and its default in a hall."""

    flag: str
    text: Text
    home: int
    least: int = 0

    def check(self, value: int) -> int:
        """The value. Raises AstragalError for one that makes no sense."""
        if not self.least <= value <= MOST:
            raise AstragalError(
                say("{flag} is a number from {least} to {most}", flag=self.flag, least=self.least, most=MOST)
            )
        return value


LIMITS: Mapping[str, Limit] = {
    "rate": Limit(flag="--rate", home=0, text=say("Requests a minute from one address; 0: any")),
    "seat_rate": Limit(flag="--seat-rate", home=0, text=say("Messages a minute from one seat; 0: any")),
    "sockets": Limit(flag="--sockets", home=200, text=say("Open connections from one address; 0: any")),
    "hourly_matches": Limit(
        flag="--matches-per-hour", home=600, text=say("Matches an hour that one address may create; 0: any")
    ),
    "open_matches": Limit(
        flag="--open-matches", home=400, text=say("Matches that one address may have open at once; 0: any")
    ),
    "tournaments": Limit(
        flag="--tournaments", home=100, text=say("Tournaments that one address may have open at once; 0: any")
    ),
    "bots_only": Limit(
        flag="--bots-only", home=10, text=say("Matches of bots alone that one address may have at once; 0: any")
    ),
    "all_bots_only": Limit(
        flag="--all-bots-only", home=20, text=say("Matches of bots alone that may be played at once; 0: any")
    ),
    "stored_megabytes": Limit(
        flag="--stored-megabytes",
        home=200,
        text=say("Megabytes that one address may fill in 30 days, own decks included; 0: any"),
    ),
    "uploads": Limit(
        flag="--uploads", home=60, text=say("Large requests a minute from one address, such as decks; 0: any")
    ),
    "daily_players": Limit(
        flag="--new-players",
        home=0,
        text=say("Players a day that one address may sign in with for the first time; 0: any"),
    ),
    "check_queue": Limit(
        flag="--check-queue", home=8, least=1, text=say("Own boards and decks that may wait to be checked")
    ),
    "abandoned_hours": Limit(
        flag="--abandoned-hours",
        home=0,
        text=say("Hours after which lobbies nobody joined and matches of bots alone are removed; 0: never"),
    ),
}


class LiveLimits:
    """The limits that hold now: those the server was started with, and what the host has changed since."""

    def __init__(self, started: Limits) -> None:
        self.started = Limits(**{name: getattr(started, name) for name in LIMITS})
        self.now = self.started
        self._told: list[Callable[[Limits], None]] = []

    def follow(self, tell: Callable[[Limits], None]) -> None:
        """Tells the limits now, and again whenever they change."""
        self._told.append(tell)
        tell(self.now)

    def change(self, changed: Mapping[str, int]) -> bool:
        """These differ from what the server was started with, and no others; whether that is news."""
        limits = msgspec.structs.replace(self.started, **changed)
        if limits == self.now:
            return False
        self.now = limits
        for tell in self._told:
            tell(limits)
        return True


def named(name: str) -> str:
    """The name of a limit, also given as its flag with or without dashes. Raises AstragalError."""
    plain = name.lstrip("-")
    for known, limit in LIMITS.items():
        if plain in (known, limit.flag.lstrip("-")):
            return known
    names = ", ".join(limit.flag.lstrip("-") for limit in LIMITS.values())
    raise AstragalError(say("there is no limit {name!r}; there are {names}", name=name, names=names))


async def changed(store: Store) -> dict[str, int]:
    """The limits that the host has changed. What an older or newer version stored and this one lacks is left out."""
    facts = await store.facts(_FACT)
    stored = {name.removeprefix(_FACT): value for name, value in facts.items()}
    return {name: int(value) for name, value in stored.items() if name in LIMITS}


async def set_limit(store: Store, name: str, value: int | None) -> None:
    """Changes a limit for all servers of this store; None sets it back to what they were started with."""
    fact = f"{_FACT}{name}"
    if value is None:
        await store.set_facts({}, delete=[fact])
    else:
        await store.set_fact(fact, str(LIMITS[name].check(value)))
