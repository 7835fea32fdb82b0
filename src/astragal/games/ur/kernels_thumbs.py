"""Rules of thumb of Ur: always capture, always take a rosette, always bring a piece in, always run with the leader."""

from __future__ import annotations

from astragal.core.compiled import kernel
from astragal.core.fast import Array
from astragal.core.solvable import Thumbs
from astragal.games.ur import layout as at

CAPTURE, ROSETTE, BRING_IN = range(3)


@kernel
def score(rule: int, before: Array, action: int, after: Array, tables: Array) -> int:
    """See `core.solvable.Thumbs`. Passing is never a choice."""
    seat = before[at.SEAT]
    if rule == CAPTURE:
        return int(before[at.ON + 1 - seat] != after[at.ON + 1 - seat])
    if rule == ROSETTE:
        return int(tables[at.AGAIN] >> (action + before[at.THROWN]) & 1)
    if rule == BRING_IN:
        return int(action == 0)
    return action + 1


THUMBS = Thumbs(("capture", "rosette", "bring in", "leader"), score, at.SEAT)
