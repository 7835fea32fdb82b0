"""Values that were checked before, known by their digest.

Some data of a host's own, such as a deck of cards, takes long to check. Whoever has checked a value once, or has it
from a store that keeps only checked ones, says so here, and it is not checked again by this process.
"""

from __future__ import annotations

import hashlib
from collections import OrderedDict
from typing import Any, TypeVar
from weakref import WeakValueDictionary

import msgspec

T = TypeVar("T")

MOST_KNOWN = 4096

_good: OrderedDict[str, None] = OrderedDict()
_shared: WeakValueDictionary[str, Any] = WeakValueDictionary()


def digest(value: Any) -> str:
    """The SHA-256 of a value's JSON; the same for a struct and for the plain data that it was written as."""
    return hashlib.sha256(msgspec.json.encode(value)).hexdigest()


def trust(digest: str) -> None:
    """Notes that the value of this digest is good."""
    _good[digest] = None
    _good.move_to_end(digest)
    if len(_good) > MOST_KNOWN:
        _good.popitem(last=False)


def trusted(digest: str) -> bool:
    """Whether the value of this digest is known to be good."""
    return digest in _good


def shared(value: T) -> T:
    """An equal value that is in memory already, or else this one; its type must allow weak references."""
    first: T = _shared.setdefault(digest(value), value)
    return first
