"""A process of its own for work that must not hold up the event loop. It can be ended at any moment."""

from __future__ import annotations

import asyncio
import contextlib
import multiprocessing
import os
import signal
import threading
from collections.abc import Callable
from concurrent.futures import ProcessPoolExecutor
from typing import Any, TypeVar

from astragal.core import registry

T = TypeVar("T")


def _end_with_the_server() -> None:
    """Ends this process when the server that started it is gone: a killed server cannot stop its workers."""
    server = multiprocessing.parent_process()
    if server is not None:
        server.join()
        os._exit(1)


def _awake() -> int:
    """Loads the games, and says which process this is. A server that is told to stop stops its workers itself."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    threading.Thread(target=_end_with_the_server, daemon=True).start()
    registry.games()
    return os.getpid()


class WorkerProcess:
    """One process. It is started when it is first needed."""

    def __init__(self) -> None:
        self._pool: ProcessPoolExecutor | None = None
        self.pid: int | None = None

    async def run(self, work: Callable[..., T], *given: Any) -> T:
        """What `work` returns or raises there."""
        loop = asyncio.get_running_loop()
        if self._pool is None:
            self._pool = ProcessPoolExecutor(1, mp_context=multiprocessing.get_context("spawn"))
        if self.pid is None:
            self.pid = await loop.run_in_executor(self._pool, _awake)
        return await loop.run_in_executor(self._pool, work, *given)

    def kill(self) -> None:
        """Ends the process at once; the next job starts a new one."""
        if self.pid is not None:
            with contextlib.suppress(ProcessLookupError):
                os.kill(self.pid, getattr(signal, "SIGKILL", signal.SIGTERM))  # on Windows SIGTERM ends at once too
        if self._pool is not None:
            self._pool.shutdown(wait=False, cancel_futures=True)
        self._pool = self.pid = None
