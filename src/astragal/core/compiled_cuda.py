"""Kernels as device functions of a GPU, by Numba. With NUMBA_ENABLE_CUDASIM=1 Numba runs them in its simulator."""

from __future__ import annotations

from collections.abc import Mapping
from types import FunctionType, MappingProxyType
from typing import Any

import numpy as np

if not hasattr(np, "row_stack"):  # which some releases of numba.cuda still look for when they first compile
    vars(np)["row_stack"] = np.vstack

import numba.cuda
from numba.core import config

from astragal.core import compiled
from astragal.core.compiled_scratch import local_array

cuda: Any = numba.cuda
SIMULATED: bool = vars(config)["ENABLE_CUDASIM"]


def _local_array() -> Any:
    """What makes an array in a thread's local memory. Numba's own, `cuda.local.array`, works under no other name."""
    if SIMULATED:  # where kernels are plain Python
        return np.empty
    from numba.cuda import extending

    # `extending.intrinsic` is this function with the target filled in, and takes no other setting
    return vars(extending)["_intrinsic"](prefer_literal=True, target="cuda")(local_array)


@cuda.jit(device=True)  # type: ignore[untyped-decorator]
def _popcount(mask: int) -> Any:
    return cuda.popc(mask)


@cuda.jit(device=True)  # type: ignore[untyped-decorator]
def _lowest_bit(mask: int) -> Any:
    return cuda.ffs(mask) - 1


@cuda.jit(device=True)  # type: ignore[untyped-decorator]
def _larger(one: Any, other: Any) -> Any:
    return one if one > other else other


@cuda.jit(device=True)  # type: ignore[untyped-decorator]
def _smaller(one: Any, other: Any) -> Any:
    return one if one < other else other


class Cuda:
    """The target of `compiled.cuda`."""

    scratch: Any = _local_array()
    own: Mapping[Any, Any] = MappingProxyType({compiled.popcount: _popcount, compiled.lowest_bit: _lowest_bit})

    def compile(self, function: FunctionType, digest: str) -> Any:
        """Inlined, because otherwise records of arrays pass through memory at every call.

        Numba 0.68 has no `max` and `min` of two numbers on a card, where it takes one of them for a list.
        """
        if not SIMULATED:
            function.__globals__.update(max=_larger, min=_smaller)
        function.__qualname__ = f"{function.__name__}_{digest}"
        return cuda.jit(device=True, **({} if SIMULATED else {"forceinline": True}))(function)


CUDA = Cuda()
