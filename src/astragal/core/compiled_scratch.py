"""How `scratch` becomes an array inside machine code: the same for a CPU and for a GPU."""

from __future__ import annotations

from typing import Any

from numba import types
from numba.core import errors
from numba.core.cgutils import alloca_once
from numba.np.arrayobj import populate_array


def local_array(_typing: Any, size: Any, dtype: Any) -> Any:
    """An intrinsic of Numba: an array of constant length on the stack, which needs no memory manager.

    On a GPU the stack is the thread's local memory. Each target registers this function for itself.
    """
    if not isinstance(size, types.IntegerLiteral):
        raise errors.TypingError("the length of a scratch array must be a constant of the kernel's own module")
    array_type = types.Array(dtype.dtype, 1, "C")

    def code(context: Any, builder: Any, _signature: Any, _args: Any) -> Any:
        item = context.get_data_type(array_type.dtype)
        width = context.get_constant(types.intp, context.get_abi_sizeof(item))
        length = context.get_constant(types.intp, size.literal_value)
        array = context.make_array(array_type)(context, builder)
        data = alloca_once(builder, item, size=size.literal_value)  # type: ignore[no-untyped-call]
        populate_array(  # type: ignore[no-untyped-call]
            array, data=data, shape=[length], strides=[width], itemsize=width, meminfo=None
        )
        return array._getvalue()

    return array_type(size, dtype), code
