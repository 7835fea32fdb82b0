"""Telling people that something takes its time the first time: compiling, which `compiled` reports here.

This module knows nothing of Numba, so that whoever only wants to be told need not import it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager

_watchers: list[tuple[Callable[[], None], Callable[[], None]]] = []


@contextmanager
def watch(begin: Callable[[], None], end: Callable[[], None]) -> Iterator[None]:
    """While this lasts, calls `begin` whenever compiling begins and `end` when it is over."""
    watcher = begin, end
    _watchers.append(watcher)
    try:
        yield
    finally:
        _watchers.remove(watcher)


def began() -> None:
    """Something is being compiled."""
    for begin, _ in _watchers:
        begin()


def ended() -> None:
    """It is ready."""
    for _, end in _watchers:
        end()
