"""How large input may be, and the sentence that refuses what is larger.

The bounds themselves stand in the types (`msgspec.Meta`), so that files, requests and records meet the same ones.
"""

from __future__ import annotations

import re
from typing import Annotated

from msgspec import Meta

from astragal.core.language import Text, say

MOST_BYTES = 4_000_000  # of a data file, and of all options together; a thousand cards in three languages take a third
MOST_ECHOED = 200  # characters of what somebody sent that a refusal repeats

Title = Annotated[str, Meta(max_length=80)]
"""What a board, a layout, a set of tiles or a deck is called."""

_LENGTH = re.compile(r"Expected `(str|array)` of length <= (\d+)")


def explained(reason: str) -> Text:
    """Why msgspec refused something: in our own words if it was too long, else in the library's, cut to a length."""
    if long := _LENGTH.fullmatch(reason):
        most = int(long[2])
        return (
            say("at most {most} characters are allowed", most=most)
            if long[1] == "str"
            else say("at most {most} entries are allowed", most=most)
        )
    return Text("{reason}", {"reason": shortened(reason)})


def shortened(text: str, most: int = MOST_ECHOED) -> str:
    """The beginning of a text that may be of any length."""
    return text if len(text) <= most else text[:most] + "…"
