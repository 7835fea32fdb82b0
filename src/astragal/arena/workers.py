"""Who plays the rounds: this process, several, or a Ray cluster. All give the same rounds in the same order."""

from __future__ import annotations

import logging
import multiprocessing
import os
import signal
import socket
import threading
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import Future, ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from contextlib import contextmanager
from functools import cache
from multiprocessing.connection import wait
from typing import Any

import msgspec

from astragal.arena.job import BadContest, Job
from astragal.arena.rounds import PlayedRound, RoundPlayer
from astragal.bots import own
from astragal.core.language import say

Play = Callable[[Iterable[int]], Iterator[PlayedRound]]
"""Plays the rounds with these numbers, one after the other or at once, and gives them back in their order."""

AHEAD = 4  # rounds waiting for each core: enough to keep it busy, few enough to lose
LOCAL: dict[str, Any] = {"address": "local", "include_dashboard": False, "_node_ip_address": "127.0.0.1"}
PATIENCE = 10.0  # seconds for a cluster to answer


@contextmanager
def on_cores(job: Job, cores: int, *, recording: bool = False) -> Iterator[Play]:
    """So many processes; 0 for one on every core."""
    count = cores or os.cpu_count() or 1
    context = multiprocessing.get_context("spawn")
    told = (msgspec.json.encode(job), recording)
    pool = ProcessPoolExecutor(count, mp_context=context, initializer=_sit_down, initargs=told)

    def submit(number: int) -> Future[PlayedRound]:
        with _ctrl_c_later():  # a process that is just being started would die of it
            return pool.submit(_play_round, number)

    try:
        yield lambda numbers: _in_order(submit, numbers, AHEAD * count)
    except BrokenProcessPool:
        raise BadContest(say("a process of the arena died; with fewer cores there is more memory for each")) from None
    finally:
        pool.shutdown(cancel_futures=True)


@contextmanager
def _ctrl_c_later() -> Iterator[None]:
    """Holds Ctrl-C back; whatever is started meanwhile never gets it."""
    if not hasattr(signal, "pthread_sigmask"):  # as on Windows
        yield
        return
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


def _in_order(
    submit: Callable[[int], Future[PlayedRound]], numbers: Iterable[int], ahead: int
) -> Iterator[PlayedRound]:
    waiting: deque[Future[PlayedRound]] = deque()
    for number in numbers:
        waiting.append(submit(number))
        if len(waiting) >= ahead:
            yield waiting.popleft().result()
    while waiting:
        yield waiting.popleft().result()


_table: RoundPlayer  # of a process that `on_cores` started


def _sit_down(job: bytes, recording: bool) -> None:
    """Prepares a worker process: it ignores Ctrl-C, and ends when the process that started it does."""
    global _table
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    parent = multiprocessing.parent_process()
    assert parent is not None

    def leave() -> None:
        wait([parent.sentinel])
        os._exit(1)

    threading.Thread(target=leave, daemon=True).start()
    _table = RoundPlayer(msgspec.json.decode(job, type=Job), recording=recording)


def _play_round(number: int) -> PlayedRound:
    return _table.round(number)


# Ray ------------------------------------------------------------------------------------------------------------


@contextmanager
def on_ray(job: Job, address: str | None, *, recording: bool = False) -> Iterator[Play]:
    """A Ray cluster at this address, or one on this machine alone. Its machines need Astragal too."""
    try:
        import ray
    except ImportError:
        raise BadContest(say("Ray is missing; install it with: pip install 'astragal[ray]'")) from None
    how = {"address": address} if address else LOCAL
    try:
        ray.init(**how, log_to_driver=False, logging_level=logging.ERROR)
    except Exception as error:  # whatever Ray finds wrong, the contest cannot be held there
        raise _unreachable(address or "local", str(error)) from None
    encoded = msgspec.json.encode(job)
    cluster: Any = ray  # whose functions are not all typed
    remote = cluster.remote(num_cpus=1)(_play_anywhere)
    resources: dict[str, float] = cluster.cluster_resources()
    count = max(1, int(resources.get("CPU", 1)))
    try:
        yield lambda numbers: _in_order(lambda n: remote.remote(encoded, recording, n).future(), numbers, AHEAD * count)
    except ray.exceptions.RayError as error:
        raise BadContest(say("the Ray cluster gave up: {reason}", reason=_first_line(str(error)))) from None
    finally:
        ray.shutdown()


def reach(address: str) -> None:
    """Refuses an address where nobody answers: Ray itself would try for minutes."""
    host, _, port = address.removeprefix("ray://").rpartition(":")
    if not host or not port.isdecimal() or int(port) > 65535:
        raise BadContest(say("{address!r} is no address of a Ray cluster, such as 10.0.0.1:6379", address=address))
    try:
        socket.create_connection((host.strip("[]"), int(port)), PATIENCE).close()
    except OSError as error:
        raise _unreachable(address, error.strerror or str(error)) from None


def _unreachable(address: str, reason: str) -> BadContest:
    return BadContest(
        say("the Ray cluster {address} cannot be reached: {reason}", address=address, reason=_first_line(reason))
    )


def _first_line(text: str) -> str:
    return next((line.strip() for line in text.splitlines() if line.strip()), "")


@cache
def _sat_down(job: bytes, recording: bool) -> RoundPlayer:
    wanted = msgspec.json.decode(job, type=Job)
    for bot in wanted.bots:  # whoever holds the contest has named them
        own.admit(bot)
    return RoundPlayer(wanted, recording=recording)


def _play_anywhere(job: bytes, recording: bool, number: int) -> PlayedRound:
    """A round, in whatever process of a cluster; one that has played before has its bots still."""
    return _sat_down(job, recording).round(number)
