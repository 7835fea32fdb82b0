"""Compiled kernels: plain functions over integers and arrays that Numba turns into machine code.

Nothing is compiled at import. The first call of a kernel compiles it, which takes seconds and is told to
whoever asked `preparing`; later calls, also those of later processes, come from a cache on disk. The cache lies in a
folder of its own for every state of the sources, because Numba notices only changes in the file of a kernel itself and
not in those it calls.
"""

from __future__ import annotations

import hashlib
import os
import tempfile
from collections.abc import Callable
from functools import cache
from pathlib import Path
from types import FunctionType
from typing import Any, TypeVar, cast

import numba
from numba.core import config, event

from astragal.core import preparing

F = TypeVar("F", bound=Callable[..., Any])

SOURCES = ("kernels*.py", "compiled.py", "fast.py")  # where kernels and their templates are written


def kernel(function: F) -> F:
    """Marks a function to be compiled on its first call. It may use numbers, arrays and other kernels only.

    It must not call itself: from the cache such a kernel crashes the process (seen with Numba 0.68).
    """
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
        compiler: Any = numba.njit
        return cast("F", compiler(cache=True, nogil=True, error_model="numpy", _nrt=counted)(function))
    finally:
        vars(config)["CACHE_DIR"] = before


def specialise(template: F, owner: str, mark: Callable[[F], F] = kernel, **parts: Any) -> F:
    """A kernel made from a template: the same code, with the names in `parts` meaning these kernels or constants.

    `owner` keeps the results for different games apart; `mark` is `kernel` or `bare`.
    """
    names = {**cast("FunctionType", template).__globals__, **parts}
    body = FunctionType(cast("FunctionType", template).__code__, names, template.__name__)
    body.__qualname__ = f"{template.__name__}_{owner}".replace("-", "_")
    body.__module__ = template.__module__
    return mark(cast("F", body))


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


class _Compiling(event.Listener):
    """Reports the outermost of what is being compiled; one kernel has others compiled."""

    def __init__(self) -> None:
        self._depth = 0

    def on_start(self, event: Any) -> None:
        self._depth += 1
        if self._depth == 1:
            preparing.began()

    def on_end(self, event: Any) -> None:
        self._depth -= 1
        if self._depth == 0:
            preparing.ended()


event.register("numba:compile", _Compiling())  # type: ignore[no-untyped-call]
