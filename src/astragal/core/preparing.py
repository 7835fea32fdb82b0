"""Lets a client show that kernels are being compiled, which takes seconds the first time.

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
    """Called when compiling begins."""
    for begin, _ in _watchers:
        begin()


def ended() -> None:
    """Called when compiling is over."""
    for _, end in _watchers:
        end()
