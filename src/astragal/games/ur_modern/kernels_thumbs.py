"""Rules of thumb of the modern game: always capture, always take a fortress, always bring a piece in, always hold what
fortresses one has. (There is no leader to run with: pieces walk both ways.)"""

from __future__ import annotations

from astragal.core.compiled import kernel, popcount
from astragal.core.fast import Array
from astragal.core.solvable import Thumbs
from astragal.games.ur_modern import layout as at

CAPTURE, FORTRESS, BRING_IN = range(3)


@kernel
def score(rule: int, before: Array, action: int, after: Array, tables: Array) -> int:  # noqa: ARG001
    """See `core.solvable.Thumbs`."""
    seat = before[at.SEAT]
    mine, then = int(before[seat]), int(after[seat])
    if rule == CAPTURE:
        return max(0, popcount(int(before[1 - seat])) - popcount(int(after[1 - seat])))
    if rule == FORTRESS:
        return max(0, popcount(then & tables[at.FORTRESSES]) - popcount(mine & tables[at.FORTRESSES]))
    if rule == BRING_IN:
        return int(popcount(then) > popcount(mine))
    return 1 + popcount(then & mine & tables[at.FORTRESSES])


THUMBS = Thumbs(("capture", "fortress", "bring in", "hold fortresses"), score, at.SEAT)
