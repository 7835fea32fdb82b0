"""How large input may be, and the sentence that refuses what is larger.

The bounds themselves stand in the types (`msgspec.Meta`), so that files, requests and records meet the same ones.
"""

from __future__ import annotations

import re
from typing import Annotated

from msgspec import Meta

from astragal.core.language import Text, noted, say

MOST_BYTES = 4_000_000  # of a data file, and of all options together; a thousand cards in three languages take a third
MOST_ECHOED = 200  # characters of what somebody sent that a refusal repeats

Title = Annotated[str, Meta(max_length=80)]
"""What a board, a layout, a set of tiles or a deck is called."""

_LENGTH = re.compile(r"Expected `(str|array)` of length <= (\d+)")
_BOUND = re.compile(r"Expected `(?:int|float)` (>=|<=) (-?[0-9.]+)")
_KIND = re.compile(r"Expected `([a-z | ]+)`, got `([a-z]+)`")
_KINDS = {
    "int": noted("a whole number"),
    "float": noted("a number"),
    "str": noted("a text"),
    "bool": noted("yes or no"),
    "array": noted("a list"),
    "object": noted("a table of values"),
    "null": noted("nothing"),
}


def explained(reason: str) -> Text:
    """Why msgspec refused something: in our own words where it is a matter of length, bounds or kind, else in the
    library's, cut to a length."""
    if long := _LENGTH.fullmatch(reason):
        most = int(long[2])
        return (
            say("at most {most} characters are allowed", most=most)
            if long[1] == "str"
            else say("at most {most} entries are allowed", most=most)
        )
    if bound := _BOUND.fullmatch(reason):
        least = bound[1] == ">="
        return say("at least {n} is needed", n=bound[2]) if least else say("at most {n} is allowed", n=bound[2])
    if kinds := _KIND.fullmatch(reason):
        wanted = [kind for kind in kinds[1].split(" | ") if kind != "null"]
        if {*wanted, kinds[2]} <= _KINDS.keys():
            kind = say(_KINDS[wanted[0]])
            for another in wanted[1:]:
                kind = say("{one} or {other}", one=kind, other=say(_KINDS[another]))
            if kinds[2] == "null":
                return say("{kind} is missing", kind=kind)
            return say("{kind} is needed, not {other}", kind=kind, other=say(_KINDS[kinds[2]]))
    return Text("{reason}", {"reason": shortened(reason)})


def shortened(text: str, most: int = MOST_ECHOED) -> str:
    """The beginning of a text that may be of any length."""
    return text if len(text) <= most else text[:most] + "…"
