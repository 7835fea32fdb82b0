"""Bots that think in processes of their own, so that no socket ever waits for them.

A bot that crashes or hangs costs its process, never the match: the process is replaced, and for that move somebody
plays at random among what is legal.

Where more bots want to think than there are processes, matches with people come first, then those of bots alone; among
equals each match has its turn, however many moves one of them waits for.
"""

from __future__ import annotations

import asyncio
from collections import OrderedDict, deque
from collections.abc import Callable
from concurrent.futures.process import BrokenProcessPool
from random import Random
from typing import Any, TypeVar

from astragal import bots
from astragal.bots.simple import RandomBot
from astragal.core import registry
from astragal.core.language import say
from astragal.server import metrics
from astragal.server.problems import Problem
from astragal.server.worker_process import WorkerProcess

T = TypeVar("T")

MOST_WAITING = 4  # jobs of one match that may wait: its next move, and a hint for each of a few seats

_bots: dict[tuple[str, str], bots.Bot] = {}  # of a thinking process


def _choose(game: str, bot: str, view: Any, luck: Random) -> bots.Choice:
    """What the bot would do. Runs in a thinking process."""
    key = (game, bot)
    if key not in _bots:
        _bots[key] = bots.make(bot, registry.game(game), at_once=True)
    return _bots[key].choose(view, luck)


class ThinkingQueue:
    """Who thinks next. A turn is handed on by `done`."""

    def __init__(self, processes: list[WorkerProcess]) -> None:
        self._free = list(processes)
        # for people and then for bots alone: matches in the order of their turns, each with its jobs
        self._waiting: tuple[OrderedDict[str, deque[asyncio.Future[WorkerProcess]]], ...] = (
            OrderedDict(),
            OrderedDict(),
        )

    async def turn(self, match: str, *, people: bool) -> WorkerProcess:
        """A process, as soon as it is this match's turn. Raises Problem if too many of its jobs wait already."""
        if self._free:
            return self._free.pop()
        line = self._waiting[0 if people else 1]
        jobs = line.setdefault(match, deque())
        if len(jobs) >= MOST_WAITING:
            raise Problem("busy", say("this match waits for too many bots already"), retry_after=5)
        job: asyncio.Future[WorkerProcess] = asyncio.get_running_loop().create_future()
        jobs.append(job)
        try:
            return await job
        except asyncio.CancelledError:
            if job.done() and not job.cancelled():
                self.done(job.result())
            elif job in jobs:
                jobs.remove(job)
                if not jobs and line.get(match) is jobs:
                    del line[match]
            raise

    def done(self, process: WorkerProcess) -> None:
        """Gives the process to whose turn it is, or keeps it for whoever comes."""
        for line in self._waiting:
            while line:
                match, jobs = line.popitem(last=False)
                job = jobs.popleft()
                if jobs:
                    line[match] = jobs  # at the end of the line
                if not job.done():
                    job.set_result(process)
                    return
        self._free.append(process)


class BotPool:
    """A few thinking processes, and a queue for them."""

    def __init__(self, count: int, seconds: float) -> None:
        self._seconds = seconds
        self._all = [WorkerProcess() for _ in range(max(1, count))]
        self._queue = ThinkingQueue(self._all)

    async def choose(
        self, game: str, bot: str, view: Any, luck: Random, *, match: str = "", people: bool = True
    ) -> bots.Choice:
        """What the bot would do, or something legal if it crashes or takes too long.

        `people` says whether a human sits at the table of this match.
        """
        with metrics.waiting_for_bots.track_inprogress():
            process = await self._queue.turn(match, people=people)
        try:
            with metrics.bot_seconds.time():
                choice = await asyncio.wait_for(process.run(_choose, game, bot, view, luck), self._seconds)
            if choice.fault is None:
                return choice
            metrics.logger.warning("%s", choice.fault, extra={"game": game, "bot": bot})
            metrics.bots_replaced.inc()
            process.kill()  # a thread of it may still be searching
            return choice
        except (TimeoutError, BrokenProcessPool):
            process.kill()
        except asyncio.CancelledError:
            process.kill()  # it may still be busy with what nobody wants any more
            raise
        except Exception:  # a bot's own fault; its process is as good as before
            metrics.logger.exception("a bot failed", extra={"game": game, "bot": bot})
        finally:
            self._queue.done(process)
        metrics.bots_replaced.inc()
        return bots.Choice(
            luck.choice(view.legal), by=RandomBot.name, fault=say("the bot {name} gave no answer", name=bot)
        )

    async def work(self, job: Callable[..., T], *given: Any, match: str, seconds: float) -> T:
        """What some other work of a match comes to, when no person waits for a bot. Raises what the work raises, and
        TimeoutError if it takes longer than this."""
        process = await self._queue.turn(match, people=False)
        try:
            return await asyncio.wait_for(process.run(job, *given), seconds)
        except (TimeoutError, BrokenProcessPool, asyncio.CancelledError):
            process.kill()
            raise
        finally:
            self._queue.done(process)

    def close(self) -> None:
        """Ends all of them."""
        for process in self._all:
            process.kill()
