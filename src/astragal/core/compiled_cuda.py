"""Kernels as device functions of a GPU, by Numba. With NUMBA_ENABLE_CUDASIM=1 Numba runs them in its simulator."""

from __future__ import annotations

from types import FunctionType
from typing import Any

import numba.cuda
import numpy as np
from numba.core import config, types

cuda: Any = numba.cuda


def _local_array() -> Any:
    """What makes an array in a thread's local memory, so that kernels can call it by a name of their own."""
    if vars(config)["ENABLE_CUDASIM"]:  # where kernels are plain Python
        return np.empty
    from numba.cuda.cudadecl import Cuda_local_array, registry

    # Numba knows it only as `cuda.local.array`, an attribute of the module.
    registry.register_global(cuda.local.array, types.Function(Cuda_local_array))  # type: ignore[no-untyped-call]
    return cuda.local.array


class Cuda:
    """The target of `compiled.cuda`."""

    scratch: Any = _local_array()

    def compile(self, function: FunctionType, digest: str) -> Any:
        function.__qualname__ = f"{function.__name__}_{digest}"
        return cuda.jit(device=True)(function)


CUDA = Cuda()
