"""Boards, layouts and decks of a host's own, which are whole values inside a match's options.

The store keeps each of them once, by its digest, and a setup or a log only names it. Viewers get it once, and then
views name it by the digest of what they may know of it: of a deck, how many cards it has.
"""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from typing import Any
from weakref import WeakValueDictionary

import msgspec
from msgspec import Struct

from astragal.core import checked
from astragal.core.language import say
from astragal.server.problems import Problem
from astragal.server.wire import OwnData

KEY = "$data"  # no option has a field of this name, so a reference is never taken for a value


class _Shared(dict[str, Any]):
    """Plain data that matches with the same deck have together."""

    __slots__ = ("__weakref__",)


_shared: WeakValueDictionary[str, _Shared] = WeakValueDictionary()


def brings_own(options: Mapping[str, Any]) -> bool:
    """Whether some option is a whole value and not the name of something shipped."""
    return any(isinstance(value, dict) for value in options.values())


def split(options: Mapping[str, Any]) -> tuple[dict[str, Any], dict[str, str]]:
    """The options with references in the place of own data, and the data as JSON by its digest."""
    named, data = dict(options), dict[str, str]()
    for field, value in options.items():
        if isinstance(value, dict) and KEY not in value:
            text = msgspec.json.encode(value)
            digest = hashlib.sha256(text).hexdigest()
            named[field], data[digest] = {KEY: digest}, text.decode()
    return named, data


def whole(options: Mapping[str, Any], data: Mapping[str, str]) -> dict[str, Any]:
    """The options with the data itself, which is known to be good: it was checked before it was stored."""
    filled = dict(options)
    for field, value in options.items():
        if not isinstance(value, dict):
            continue
        if KEY in value:
            digest = value[KEY]
            if digest not in data:
                raise Problem("storage", say("the data {digest} of this match is missing", digest=digest))
            filled[field] = _read(digest, data[digest])
        else:  # a match stored by a version that kept data inside its options
            digest = checked.digest(value)
        checked.trust(digest)
    return filled


def _read(digest: str, text: str) -> _Shared:
    known = _shared.get(digest)
    if known is None:
        known = _shared[digest] = _Shared(msgspec.json.decode(text))
    return known


class Carried:
    """What views of a match name instead of carrying it, and what a viewer gets once."""

    def __init__(self, options: Mapping[str, Any], shown: Any) -> None:
        """`options` are those of the setup, `shown` those that everybody may see."""
        self._names: dict[str, OwnData] = {}
        self.data: dict[str, Any] = {}  # by digest
        for field, value in options.items():
            if isinstance(value, dict):
                seen = getattr(shown, field)
                digest = checked.digest(seen)
                self._names[field] = OwnData(data=digest, name=getattr(seen, "name", ""))
                self.data[digest] = seen

    def options(self, shown: Any) -> Any:
        """Options as they are sent."""
        return msgspec.structs.replace(shown, **self._names) if self._names else shown

    def view(self, view: Struct | None) -> Any:
        """A view as it is sent."""
        if view is None or not self._names:
            return view
        return msgspec.structs.replace(view, options=self.options(view.options))  # type: ignore[attr-defined]
