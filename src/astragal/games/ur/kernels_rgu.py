"""Positions of Ur in the order of RoyalUr's keys (see `rgu`), and the rank that each has here."""

from __future__ import annotations

from typing import Any

from astragal.core.compiled import kernel, popcount
from astragal.core.fast import Array
from astragal.games.ur import layout as at
from astragal.games.ur.kernels_index import rank

OWN = 6  # squares of a side's own
PATTERNS = 1 << OWN
WON = -1  # in the place of a rank: light has all its pieces home


@kernel
def listed(
    upper: int, waiting: Array, pieces: int, own: int, squares: Array, lanes: Array, tables: Array, index: Any,
    state: Array, keys: Array, ranks: Array,
) -> int:  # fmt: skip
    """All positions with these pieces waiting (light's, dark's) and light's pieces on these own squares; how many.

    `upper` is what their keys have in common. `squares` are the masks of steps for each pattern of own squares, `lanes`
    those of light and dark for each number of the lane.
    """
    count = 0
    state[at.POOL], state[at.POOL + 1] = waiting[0], waiting[1]
    state[at.SEAT], state[at.THROWN], state[at.OPENING], state[at.WINNER] = 0, -1, 0, -1
    for lane in range(lanes.shape[0]):
        light = squares[own] | lanes[lane, 0]
        left = waiting[0] + popcount(light)
        if left > pieces:
            continue
        state[at.ON] = light
        for pattern in range(PATTERNS):
            dark = squares[pattern] | lanes[lane, 1]
            other = waiting[1] + popcount(dark)
            if other == 0 or other > pieces:
                continue
            state[at.ON + 1] = dark
            keys[count] = upper | lane << OWN | pattern
            ranks[count] = rank(state, tables, index) if left else WON
            count += 1
    return count
