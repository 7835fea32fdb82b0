"""Kernels as device functions of a GPU, by Numba. With NUMBA_ENABLE_CUDASIM=1 Numba runs them in its simulator."""

from __future__ import annotations

from collections.abc import Mapping
from types import FunctionType, MappingProxyType
from typing import Any

import numba.cuda
import numpy as np
from numba.core import cgutils, config, errors, types
from numba.np.arrayobj import populate_array

from astragal.core import compiled

cuda: Any = numba.cuda
SIMULATED: bool = vars(config)["ENABLE_CUDASIM"]


def _local_array() -> Any:
    """What makes an array in a thread's local memory. Numba's own, `cuda.local.array`, works under no other name."""
    if SIMULATED:  # where kernels are plain Python
        return np.empty
    from numba.cuda import extending

    def local_array(_typing: Any, size: Any, dtype: Any) -> Any:
        if not isinstance(size, types.IntegerLiteral):
            raise errors.TypingError("the length of a scratch array must be a constant of the kernel's own module")
        array_type = types.Array(dtype.dtype, 1, "C")

        def code(context: Any, builder: Any, _signature: Any, _args: Any) -> Any:
            item = context.get_data_type(array_type.dtype)
            width = context.get_constant(types.intp, context.get_abi_sizeof(item))
            length = context.get_constant(types.intp, size.literal_value)
            array = context.make_array(array_type)(context, builder)
            data = cgutils.alloca_once(builder, item, size=size.literal_value)  # type: ignore[no-untyped-call]
            parts = {"data": data, "shape": [length], "strides": [width], "itemsize": width, "meminfo": None}
            populate_array(array, **parts)  # type: ignore[no-untyped-call]
            return array._getvalue()

        return array_type(size, dtype), code

    # `extending.intrinsic` is this function with the target filled in, and takes no other setting
    return vars(extending)["_intrinsic"](prefer_literal=True, target="cuda")(local_array)


@cuda.jit(device=True)  # type: ignore[untyped-decorator]
def _popcount(mask: int) -> Any:
    return cuda.popc(mask)


@cuda.jit(device=True)  # type: ignore[untyped-decorator]
def _lowest_bit(mask: int) -> Any:
    return cuda.ffs(mask) - 1


class Cuda:
    """The target of `compiled.cuda`."""

    scratch: Any = _local_array()
    own: Mapping[Any, Any] = MappingProxyType({compiled.popcount: _popcount, compiled.lowest_bit: _lowest_bit})

    def compile(self, function: FunctionType, digest: str) -> Any:
        """Inlined, because otherwise records of arrays pass through memory at every call."""
        function.__qualname__ = f"{function.__name__}_{digest}"
        return cuda.jit(device=True, **({} if SIMULATED else {"forceinline": True}))(function)


CUDA = Cuda()
