"""A win that is there for the taking: a line of own decisions that ends the game, whatever is hidden."""

from __future__ import annotations

import numpy as np

from astragal.bots import kernels_proof as template
from astragal.bots.packed_view import PackedView
from astragal.core.compiled import cpu

EXPANSIONS = 60  # positions that are looked into
POSITIONS = 1200  # that are kept
LONGEST = 12  # decisions in a row
DETERMINIZATIONS = 12  # in which a line has to win where something is hidden


def winning_line(packed: PackedView) -> list[int]:
    """The numbers of the decisions that win at once, as few as were found; empty if none were."""
    fast, values = packed.fast, packed.values()
    work = template.room(packed.first, POSITIONS, fast.room, values)
    line = np.zeros(LONGEST, dtype=np.int64)
    search = cpu(template.find_win, fast.source)
    length = search(work, packed.first, fast.tables, packed.weights, packed.seat, EXPANSIONS, line)
    found = line[:length]
    if length and packed.game.rules.spec.hidden:
        again = cpu(template.wins, fast.source)
        for _ in range(DETERMINIZATIONS):
            state = packed.determinization()
            if not again(state, fast.tables, packed.seat, found, work.trial, values):
                return []
    numbers: list[int] = found.tolist()
    return numbers
