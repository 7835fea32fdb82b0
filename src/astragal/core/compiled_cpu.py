"""Kernels as machine code for this computer, by Numba.

Nothing is compiled before its first call, which takes seconds and is told to whoever asked `preparing`; later calls,
also those of later processes, come from a cache on disk. There each kernel has a name with its digest in it, because
Numba itself notices only changes in a kernel's own file, and not in what it calls. Of several processes that want the
same kernel at the same time one compiles it and the others wait.
"""

from __future__ import annotations

import os
import tempfile
from collections.abc import Callable, Mapping
from functools import cache
from pathlib import Path
from threading import Lock
from types import FunctionType, MappingProxyType
from typing import Any
from weakref import finalize

import numba
from filelock import FileLock, Timeout
from numba.core import config, event
from numba.core.caching import FunctionCache
from numba.extending import intrinsic
from platformdirs import user_cache_path

from astragal.core import preparing
from astragal.core.compiled_scratch import local_array

LONGEST = 180  # seconds to wait for another process that compiles the same kernel
_lock = Lock()
_on_stack = intrinsic(prefer_literal=True)(local_array)


class Cpu:
    """The target of `compiled.cpu`."""

    scratch: Any = _on_stack
    own: Mapping[Any, Any] = MappingProxyType({})

    def __init__(self, *, inlined: bool = False) -> None:
        self._inlined = inlined

    def compile(self, function: FunctionType, digest: str) -> Any:
        """`_nrt` is Numba's memory manager and its counting of references, which kernels do without."""
        function.__qualname__ = f"{function.__name__}_{digest}{'_inlined' if self._inlined else ''}"
        with _lock:
            before: str = vars(config)["CACHE_DIR"]
            vars(config)["CACHE_DIR"] = str(cache_folder())  # read while the decorator runs
            try:
                compiler: Any = numba.njit
                dispatcher: Any = compiler(nogil=True, error_model="numpy", _nrt=False, forceinline=self._inlined)(
                    function
                )
                dispatcher._cache = _SharedCache(function)
                return dispatcher
            finally:
                vars(config)["CACHE_DIR"] = before


CPU = Cpu()
INLINED = Cpu(inlined=True)


class _SharedCache(FunctionCache):
    """Numba's cache of one kernel, with a lock on disk from when it is missed there until it is written.

    No two processes wait for each other, since a kernel never needs another one that needs it. There is a lock object
    only while it is held, and at the end of the process it is let go in time: filelock cannot do so any more when
    Python takes its modules apart, and complains to whoever sits at the terminal.
    """

    def __init__(self, function: FunctionType) -> None:
        super().__init__(function)  # type: ignore[no-untyped-call]
        self._let_go: Callable[[], object] = lambda: None  # of the lock, if it is held

    def load_overload(self, sig: Any, target_context: Any) -> Any:
        self._let_go()  # what was compiled before, and failed
        loaded = super().load_overload(sig, target_context)  # type: ignore[no-untyped-call]
        if loaded is None:
            self._wait_for_others()
            loaded = super().load_overload(sig, target_context)  # type: ignore[no-untyped-call]
            if loaded is not None:
                self._let_go()
        return loaded

    def save_overload(self, sig: Any, data: Any) -> None:
        super().save_overload(sig, data)  # type: ignore[no-untyped-call]
        self._let_go()

    def _wait_for_others(self) -> None:
        """Takes the lock; whoever holds it for too long is not waited for."""
        self._impl.locator.ensure_cache_path()
        lock = FileLock(Path(self._cache_path) / f"{self._impl.filename_base}.lock")
        try:
            lock.acquire(timeout=0)
        except Timeout:
            preparing.began()
            try:
                lock.acquire(timeout=LONGEST)
            except Timeout:
                return
            finally:
                preparing.ended()
        self._let_go = finalize(self, lock.release, force=True)


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
