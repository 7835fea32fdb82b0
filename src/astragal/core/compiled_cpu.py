"""Kernels as machine code for this computer, by Numba.

Nothing is compiled before its first call, which takes seconds and is told to whoever asked `preparing`; later calls,
also those of later processes, come from a cache on disk. There each kernel has a name with its digest in it, because
Numba itself notices only changes in a kernel's own file, and not in what it calls.
"""

from __future__ import annotations

import os
import tempfile
from collections.abc import Mapping
from functools import cache
from pathlib import Path
from threading import Lock
from types import FunctionType, MappingProxyType
from typing import Any

import numba
from numba.core import config, event
from numba.extending import intrinsic
from platformdirs import user_cache_path

from astragal.core import preparing
from astragal.core.compiled_scratch import local_array

_lock = Lock()
_on_stack = intrinsic(prefer_literal=True)(local_array)


class Cpu:
    """The target of `compiled.cpu`."""

    scratch: Any = _on_stack
    own: Mapping[Any, Any] = MappingProxyType({})

    def compile(self, function: FunctionType, digest: str) -> Any:
        """`_nrt` is Numba's memory manager and its counting of references, which kernels do without."""
        function.__qualname__ = f"{function.__name__}_{digest}"
        with _lock:
            before: str = vars(config)["CACHE_DIR"]
            vars(config)["CACHE_DIR"] = str(cache_folder())  # read while the decorator runs
            try:
                compiler: Any = numba.njit
                return compiler(cache=True, nogil=True, error_model="numpy", _nrt=False)(function)
            finally:
                vars(config)["CACHE_DIR"] = before


CPU = Cpu()


@cache
def cache_folder() -> Path:
    """Where compiled kernels are kept: below ASTRAGAL_CACHE or the user's cache folder."""
    named = os.environ.get("ASTRAGAL_CACHE")
    base = Path(named) / "astragal" if named else user_cache_path("astragal", appauthor=False)
    folder = base / f"kernels-numba-{numba.__version__}"
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
