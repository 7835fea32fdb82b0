"""Compiled kernels: plain functions over integers and arrays that Numba turns into machine code.

Nothing is compiled at import. The first call of a kernel compiles it, which takes seconds and is announced to whoever
asked with `announce`; later calls, also those of later processes, come from a cache on disk. The cache lies in a
folder of its own for every state of the sources, because Numba notices only changes in the file of a kernel itself and
not in those it calls.
"""

from __future__ import annotations

import hashlib
import os
import tempfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import cache
from pathlib import Path
from types import FunctionType
from typing import Any, TypeVar, cast

import numba
from numba.core import config, event

F = TypeVar("F", bound=Callable[..., Any])

SOURCES = ("kernels*.py", "compiled.py", "fast.py")  # where kernels and their templates are written


def kernel(function: F) -> F:
    """Marks a function to be compiled on its first call. It may use numbers, arrays and other kernels only."""
    return _compiled(function, counted=True)


def bare(function: F) -> F:
    """Marks a kernel that makes no arrays and returns none.

    Numba then leaves out its counting of references, which takes longer than most small kernels themselves do.
    """
    return _compiled(function, counted=False)


def _compiled(function: F, *, counted: bool) -> F:
    before: str = vars(config)["CACHE_DIR"]
    vars(config)["CACHE_DIR"] = str(cache_folder())  # read while the decorator runs
    try:
        return cast("F", numba.njit(cache=True, nogil=True, error_model="numpy", _nrt=counted)(function))
    finally:
        vars(config)["CACHE_DIR"] = before


def specialise(template: F, owner: str, mark: Callable[[F], F] = kernel, **parts: Any) -> F:
    """A kernel made from a template: the same code, with the names in `parts` meaning these kernels or constants.

    `owner` keeps the results for different games apart; `mark` is `kernel` or `bare`. A template may call itself by
    its own name.
    """
    names = {**cast("FunctionType", template).__globals__, **parts}
    body = FunctionType(cast("FunctionType", template).__code__, names, template.__name__)
    body.__qualname__ = f"{template.__name__}_{owner}".replace("-", "_")
    body.__module__ = template.__module__
    made = mark(cast("F", body))
    names[template.__name__] = made
    return made


@cache
def cache_folder() -> Path:
    """Where compiled kernels of just these sources are kept: below ASTRAGAL_CACHE or the user's cache folder."""
    package = Path(__file__).parent.parent
    digest = hashlib.sha256(numba.__version__.encode())
    for pattern in SOURCES:
        for file in sorted(package.rglob(pattern)):
            digest.update(file.read_bytes())
    base = os.environ.get("ASTRAGAL_CACHE") or os.environ.get("XDG_CACHE_HOME") or str(Path.home() / ".cache")
    folder = Path(base) / "astragal" / f"kernels-{digest.hexdigest()[:16]}"
    try:
        folder.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryFile(dir=folder):
            pass
    except OSError:  # a home that cannot be written to: compile anew in every process
        return Path(tempfile.mkdtemp(prefix="astragal-kernels-"))
    return folder


@contextmanager
def announce(begin: Callable[[], None], end: Callable[[], None]) -> Iterator[None]:
    """Calls `begin` when something has to be compiled while this lasts, and `end` when that is over."""
    listener = _Compiling(begin, end)
    event.register("numba:compile", listener)  # type: ignore[no-untyped-call]
    try:
        yield
    finally:
        event.unregister("numba:compile", listener)  # type: ignore[no-untyped-call]
        listener.close()


class _Compiling(event.Listener):
    """Tells of the first kernel that is compiled, and when no more is being compiled."""

    def __init__(self, begin: Callable[[], None], end: Callable[[], None]) -> None:
        self._begin, self._end = begin, end
        self._began = False

    def on_start(self, event: Any) -> None:
        if not self._began:
            self._began = True
            self._begin()

    def on_end(self, event: Any) -> None:
        pass  # one kernel compiles the next; `close` says when all is over

    def close(self) -> None:
        if self._began:
            self._end()
