"""What a table of exact values says of packed positions: it fills the slot `evaluate` of searches."""

from __future__ import annotations

from typing import Any, NamedTuple

from astragal.core.compiled import Slot, kernel
from astragal.core.fast import Array, returns, turn
from astragal.core.types import OVER

rank = Slot("rank")


class TableKnowledge(NamedTuple):
    """A table, ready to be asked."""

    arrays: Any  # of the index
    stored: Array  # values in the order of their ranks
    most: int  # the highest of them, which is a certain win
    mover_at: int  # where a packed state has the side to throw


@kernel
def by_table(state: Array, tables: Array, table: TableKnowledge, seat: int, values: Array) -> Any:
    """This seat's share of the win in a position before a throw, or at the end."""
    if turn(state, tables) == OVER:
        returns(state, tables, values)
        return values[seat]
    share = table.stored[rank(state, tables, table.arrays)] / table.most
    return share if state[table.mover_at] == seat else 1 - share
