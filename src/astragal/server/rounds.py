"""Work that a server does in the background, again and again: guarded against faults, and stopped at the end."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Iterable

from astragal.core.types import AstragalError
from astragal.server import metrics
from astragal.server.health import StoreFailed

Step = Callable[[], Awaitable[None]]


async def each(*steps: Step) -> None:
    """Runs the steps one after the other. One that fails is logged and does not stop the next."""
    for step in steps:
        try:
            await step()
        except StoreFailed:
            continue  # the store tells the log itself
        except AstragalError as error:
            metrics.logger.warning("a round was cut short: %s", error)
        except Exception:
            metrics.logger.exception("a round failed")


async def repeat(seconds: float, *steps: Step) -> None:
    """Runs the steps for ever, with this pause after each round."""
    while True:
        await each(*steps)
        await asyncio.sleep(seconds)


class Shared:
    """A job that many ask for: it is done once at a time, and once for all who asked before it began."""

    def __init__(self, job: Step) -> None:
        self._job, self._alone = job, asyncio.Lock()
        self._asked = self._done = 0

    async def __call__(self) -> None:
        """Returns when the job was done after this call. Raises what it raises, to whoever it was done for first."""
        self._asked += 1
        number = self._asked
        async with self._alone:
            if self._done < number:
                asked = self._asked
                await self._job()
                self._done = asked


async def stop(tasks: Iterable[asyncio.Task[None]]) -> None:
    """Cancels these tasks, and waits until they have ended."""
    tasks = list(tasks)
    for task in tasks:
        task.cancel()
    await asyncio.gather(*tasks, return_exceptions=True)
