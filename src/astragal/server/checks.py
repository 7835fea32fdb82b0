"""What takes long to check, such as a large deck of cards, in a process of its own and one after the other.

The queue is short, and one caller may have only a few places in it; who finds it full is asked to come back.
"""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import Callable
from concurrent.futures.process import BrokenProcessPool
from typing import Any, TypeVar

import msgspec

from astragal.core import options, registry
from astragal.core.language import say
from astragal.server import metrics, own_data, setup
from astragal.server.problems import Problem
from astragal.server.wire import NewMatch
from astragal.server.worker_process import WorkerProcess

T = TypeVar("T")

MOST_OF_ONE = 2  # places of one caller
COME_BACK = 10  # seconds


class Settled(msgspec.Struct, frozen=True):
    """A new match that can be played: its setup with references, the data they name, and its first view."""

    setup: setup.Setup
    data: dict[str, str]
    view: Any


def settle(wanted: NewMatch) -> Settled:
    """Looks whether a match can be played as it is wanted. Raises AstragalError."""
    prepared, view = setup.settle(wanted)
    named, data = own_data.split(prepared.options)
    return Settled(msgspec.structs.replace(prepared, options=named), data, view)


def _settle_sent(wanted: bytes) -> Settled:
    return settle(msgspec.json.decode(wanted, type=NewMatch))


def _read_file(game: str, option: str, content: str, name: str) -> tuple[str, bytes]:
    """What a file holds: its title, and its value as JSON."""
    field = next(field for field in options.fields(registry.game(game).rules) if field.name == option)
    value = field.read_file(content, name)
    return getattr(value, "name", name), msgspec.json.encode(value)


class Checks:
    """The process, and the queue before it."""

    def __init__(self, most: int, seconds: float) -> None:
        self.most, self._seconds = most, seconds  # how many may wait, and for how long one may take
        self.process = WorkerProcess()
        self._turn = asyncio.Lock()
        self._places: Counter[str] = Counter()

    async def settle(self, who: str, wanted: NewMatch) -> Settled:
        """Like the function above; there if the match brings data of its own, which may be a large deck."""
        if not own_data.brings_own(wanted.options):
            return settle(wanted)
        return await self._run(who, _settle_sent, msgspec.json.encode(wanted))

    async def read_file(self, who: str, game: str, option: str, content: str, name: str) -> tuple[str, Any]:
        """The title and the value in a file that somebody sent. Raises BadFile or BadOptions."""
        title, value = await self._run(who, _read_file, game, option, content, name)
        return title, msgspec.Raw(value)

    async def _run(self, who: str, work: Callable[..., T], *given: Any) -> T:
        if self._places.total() >= self.most or self._places[who] >= MOST_OF_ONE:
            raise Problem("busy", say("too many boards and decks wait to be checked; try again later"), COME_BACK)
        self._places[who] += 1
        try:
            async with self._turn:
                metrics.checks.inc()
                return await asyncio.wait_for(self.process.run(work, *given), self._seconds)
        except (TimeoutError, BrokenProcessPool):
            self.process.kill()
            raise Problem("too_large", say("this takes too long to check; use a smaller file")) from None
        except asyncio.CancelledError:
            self.process.kill()  # it may still be busy with what nobody wants any more
            raise
        finally:
            self._places[who] -= 1
            if not self._places[who]:
                del self._places[who]

    def close(self) -> None:
        """Ends the process."""
        self.process.kill()
