"""Kernels: plain functions over integers and arrays, written once and compiled on demand.

A kernel is an ordinary Python function with the mark `@kernel`. As it stands it runs uncompiled, on lists of Python
integers as well as on arrays; hints and the greedy bot use it so, and nothing has to be compiled for them. `cpu` gives
the same function as machine code for search and arenas, `cuda` as a device function. All three share one source, so
that there is nothing to keep in step. This module itself imports neither Numba nor NumPy.

A kernel may use numbers, arrays, the functions of `math` and NumPy that Numba knows, constants of its module or of an
imported `layout` module, and other kernels, which it must import by name. It makes no arrays: small working space of a
constant size comes from `scratch`, everything else is passed in. So it needs no memory manager, which a GPU does not
have and which on a CPU takes longer than most small kernels do. It must not call itself: from Numba's cache such a
kernel crashes the process (seen with Numba 0.68).

What bots, arena and random games need is written once for all games as a *template*: a kernel that calls a game's
kernels through `Slot`s. `cpu(template, kernels)` copies the template, and every kernel on the way to a slot, with the
game's own kernels in the place of the slots. They are copied and not passed in as arguments, for two reasons. Numba
can inline a function that it knows while it compiles; one that arrives as an argument is called through a pointer,
which costs more than most steps of a game. And Numba keeps no kernel in its cache that takes functions as arguments.
"""

from __future__ import annotations

import dis
import hashlib
from collections.abc import Callable, Iterator, Mapping
from functools import cache
from types import CodeType, FunctionType, ModuleType
from typing import Any, NamedTuple, Protocol, TypeVar, cast

from astragal.core.language import Text, say

F = TypeVar("F", bound=Callable[..., Any])


def kernel(function: F) -> F:
    """Marks a function as a kernel. The function itself is not changed."""
    vars(function)["__kernel__"] = function
    return function


class Slot:
    """The place of a kernel in a template, by its name in the kernels that fill it; some have a default."""

    def __init__(self, name: str, default: Callable[..., Any] | None = None) -> None:
        self.name, self.default = name, default

    def __call__(self, *args: Any) -> Any:
        if self.default is not None:
            return self.default(*args)
        raise TypeError(
            f"{self.name} is a slot of a template, which runs only after `cpu` has put a game's kernel there"
        )


def scratch(size: int, dtype: Any) -> Any:  # noqa: ARG001
    """Working space inside a kernel: an array of this length, with anything in it.

    The length must be a constant that the kernel's module has under a name of its own (Numba takes an attribute of
    another module for a variable). Compiled for a CPU it lies on the stack, on a GPU in the thread's local memory.
    """
    return [0] * size


def _popcount_loop(mask: int) -> int:
    count = 0
    while mask:
        mask &= mask - 1
        count += 1
    return count


def popcount(mask: int) -> int:
    """How many bits of a number from 0 on are set. Compiled it is a loop of which LLVM makes one instruction."""
    return int(mask).bit_count()


vars(popcount)["__kernel__"] = _popcount_loop


def _lowest_bit_loop(mask: int) -> int:
    return popcount((mask & -mask) - 1)


def lowest_bit(mask: int) -> int:
    """The place of the lowest bit that is set in a number above 0, from 0."""
    return int(mask & -mask).bit_length() - 1


vars(lowest_bit)["__kernel__"] = _lowest_bit_loop


class Target(Protocol):
    """What kernels are compiled for."""

    __hash__: Any

    scratch: Any  # what stands for `scratch` there
    own: Mapping[Any, Any]  # what stands for kernels of which the target has a better form

    def compile(self, function: FunctionType, digest: str) -> Any:
        """A function whose globals are compiled already; the digest tells it from all others of its name."""
        ...


def cpu(function: F, kernels: NamedTuple | None = None, *, inlined: bool = False) -> F:
    """The kernel as machine code, compiled on its first call or read from the cache; a template needs `kernels`.

    Without `inlined` the compiler decides what is called and what is copied to where it is called. To copy everything
    pays where small kernels pass on records of many arrays, which goes through memory: solving is up to twice as quick
    with it. Searches are not, and take twice as long to compile.
    """
    from astragal.core.compiled_cpu import CPU, INLINED  # brings Numba

    return cast("F", _built(INLINED if inlined else CPU, function, _needed(function, kernels)))


def no_card(error: Exception) -> Text:
    """Why no graphics card can be used, in one sentence. Numba has many ways to say it, some of many lines."""
    return say("no NVIDIA graphics card can be used: {reason}", reason=str(error).strip().split("\n")[0])


def cuda(function: F, kernels: NamedTuple | None = None) -> F:
    """The kernel as a device function, to be called from a kernel of `numba.cuda`; a template needs `kernels`."""
    from astragal.core.compiled_cuda import CUDA  # brings Numba

    return cast("F", _built(CUDA, function, _needed(function, kernels)))


_unfinished: set[Any] = set()  # kernels whose digest is being made


@cache
def digest(function: Callable[..., Any], kernels: NamedTuple | None = None) -> str:
    """What the machine code of a kernel depends on: its code, constants, and the kernels it calls, in one short text.

    The cache knows a kernel by this. So it covers whatever file a kernel, a constant or a called kernel stands in, also
    one of a foreign game, and a change in one place leaves everything in the cache that does not depend on it.
    """
    if function in _unfinished:
        raise TypeError(f"the kernel {function.__qualname__} calls itself, which Numba's cache does not survive")
    hashed = hashlib.sha256()
    for code in _codes(_source(function).__code__):
        constants = [constant for constant in code.co_consts if not isinstance(constant, CodeType)]
        hashed.update(repr((code.co_code, code.co_names, code.co_varnames, constants)).encode())
    _unfinished.add(function)
    try:
        for name, value in _used(function).items():
            hashed.update(f"{name}={_described(function, value, kernels)};".encode())
    finally:
        _unfinished.remove(function)
    return hashed.hexdigest()[:16]


def _described(function: Callable[..., Any], value: Any, kernels: NamedTuple | None) -> str:
    """A global of a function, as far as its code depends on it."""
    value = _filled(function, value, kernels)
    if _is_kernel(value):
        return digest(value, _needed(value, kernels))
    if isinstance(value, ModuleType):
        names = {name for code in _codes(_source(function).__code__) for name in code.co_names}
        constants = {name: _constant(vars(value)[name]) for name in sorted(names & vars(value).keys())}
        return f"{value.__name__}{constants}"
    if isinstance(value, FunctionType) and value is not scratch and value.__module__.partition(".")[0] != "numpy":
        raise TypeError(
            f"the kernel {function.__qualname__} calls {value.__qualname__}, which is not marked as a kernel"
        )
    return _constant(value)


def _constant(value: Any) -> str:
    if hasattr(value, "tobytes") and not isinstance(value, type):  # an array, or a number of NumPy
        return f"{value.dtype}{value.shape}{value.tobytes().hex()}"
    if isinstance(value, int | float | str | tuple | None):
        return repr(value)
    return f"{getattr(value, '__module__', '')}.{getattr(value, '__qualname__', type(value).__qualname__)}"


def _codes(code: CodeType) -> Iterator[CodeType]:
    yield code
    for constant in code.co_consts:
        if isinstance(constant, CodeType):
            yield from _codes(constant)


@cache
def _used(function: Callable[..., Any]) -> dict[str, Any]:
    """The globals that a function names."""
    written = _source(function)
    steps = (step for code in _codes(written.__code__) for step in dis.get_instructions(code))
    names = {str(step.argval) for step in steps if step.opname == "LOAD_GLOBAL"}
    return {name: written.__globals__[name] for name in sorted(names & written.__globals__.keys())}


def _source(function: Callable[..., Any]) -> FunctionType:
    """What is compiled for a function: itself, but for the few that Python has built in."""
    source: FunctionType = vars(function).get("__kernel__", function)
    return source


def _is_kernel(value: Any) -> bool:
    return isinstance(value, FunctionType) and hasattr(value, "__kernel__")


def _filled(function: Callable[..., Any], value: Any, kernels: NamedTuple | None) -> Any:
    """A global, or what comes in its place if it is a slot."""
    if not isinstance(value, Slot):
        return value
    filling = getattr(kernels, value.name, None) or value.default
    if filling is None:
        raise TypeError(f"{function.__qualname__} is a template with a slot for {value.name}: say for which game")
    return filling


@cache
def _has_slots(function: Callable[..., Any]) -> bool:
    reached, queue = {function}, [function]
    while queue:
        for value in _used(queue.pop()).values():
            if isinstance(value, Slot):
                return True
            if _is_kernel(value) and value not in reached:
                reached.add(value)
                queue.append(value)
    return False


def _needed(function: Callable[..., Any], kernels: NamedTuple | None) -> NamedTuple | None:
    """The kernels that make a difference to this function: what has no slots is compiled once for all games."""
    return kernels if _has_slots(function) else None


@cache
def _built(target: Target, function: Callable[..., Any], kernels: NamedTuple | None) -> Callable[..., Any]:
    name = digest(function, kernels)
    written = _source(function)
    names = dict(written.__globals__)
    for global_name, value in _used(function).items():
        callee = _filled(function, value, kernels)
        if _is_kernel(callee) and callee in target.own:
            names[global_name] = target.own[callee]
        elif _is_kernel(callee):
            names[global_name] = _built(target, callee, _needed(callee, kernels))
        elif callee is scratch:
            names[global_name] = target.scratch
    body = FunctionType(written.__code__, names, written.__name__, written.__defaults__)
    body.__module__ = written.__module__
    return cast("Callable[..., Any]", target.compile(body, name))
