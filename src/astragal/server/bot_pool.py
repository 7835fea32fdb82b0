"""Bots that think in processes of their own, so that no socket ever waits for them.

A bot that crashes or hangs costs its process, never the match: the process is replaced, and for that move somebody
plays at random among what is legal.
"""

from __future__ import annotations

import asyncio
import contextlib
import multiprocessing
import os
import signal
import threading
from concurrent.futures import ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from random import Random
from typing import Any

from astragal import bots
from astragal.core import registry
from astragal.server import metrics

_bots: dict[tuple[str, str], bots.Bot] = {}  # of a thinking process


def _choose(game: str, bot: str, view: Any, luck: Random) -> bots.Choice:
    """What the bot would do. Runs in a thinking process."""
    key = (game, bot)
    if key not in _bots:
        _bots[key] = bots.make(bot, registry.game(game))
    return _bots[key].choose(view, luck)


def _end_with_the_server() -> None:
    """A server that was killed could not stop its thinkers."""
    server = multiprocessing.parent_process()
    if server is not None:
        server.join()
        os._exit(1)


def _awake() -> int:
    """Loads the games, and says which process this is. A server that is told to stop stops its thinkers itself."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    threading.Thread(target=_end_with_the_server, daemon=True).start()
    registry.games()
    return os.getpid()


class _BotProcess:
    """One process. It is started when it is first needed."""

    def __init__(self) -> None:
        self._pool: ProcessPoolExecutor | None = None
        self._pid: int | None = None

    async def choose(self, *job: Any) -> bots.Choice:
        loop = asyncio.get_running_loop()
        if self._pool is None:
            self._pool = ProcessPoolExecutor(1, mp_context=multiprocessing.get_context("spawn"))
        if self._pid is None:
            self._pid = await loop.run_in_executor(self._pool, _awake)
        return await loop.run_in_executor(self._pool, _choose, *job)

    def kill(self) -> None:
        """Ends the process at once; the next job starts a new one."""
        if self._pid is not None:
            with contextlib.suppress(ProcessLookupError):
                os.kill(self._pid, signal.SIGKILL)
        if self._pool is not None:
            self._pool.shutdown(wait=False, cancel_futures=True)
        self._pool = self._pid = None


class BotPool:
    """A few thinking processes, and a queue for them."""

    def __init__(self, count: int, seconds: float) -> None:
        self._seconds = seconds
        self._all = [_BotProcess() for _ in range(max(1, count))]
        self._free: asyncio.Queue[_BotProcess] = asyncio.Queue()
        for process in self._all:
            self._free.put_nowait(process)

    async def choose(self, game: str, bot: str, view: Any, luck: Random) -> bots.Choice:
        """What the bot would do, or something legal if it crashes or takes too long."""
        with metrics.waiting_for_bots.track_inprogress():
            process = await self._free.get()
        try:
            with metrics.bot_seconds.time():
                choice = await asyncio.wait_for(process.choose(game, bot, view, luck), self._seconds)
            if choice.fault is None:
                return choice
            metrics.logger.warning("%s", choice.fault, extra={"game": game, "bot": bot})
            metrics.bots_replaced.inc()
            process.kill()  # a thread of it may still be at it
            return choice
        except (TimeoutError, BrokenProcessPool):
            process.kill()
        except asyncio.CancelledError:
            process.kill()  # it may still be busy with what nobody wants any more
            raise
        except Exception:  # a bot's own fault; its process is as good as before
            metrics.logger.exception("a bot failed", extra={"game": game, "bot": bot})
        finally:
            self._free.put_nowait(process)
        metrics.bots_replaced.inc()
        return bots.Choice(luck.choice(view.legal))

    def close(self) -> None:
        """Ends all of them."""
        for process in self._all:
            process.kill()
