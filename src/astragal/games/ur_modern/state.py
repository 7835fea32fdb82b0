"""A position of the modern game, and what follows from it at a glance."""

from __future__ import annotations

from msgspec import Struct

from astragal.games.ur_modern.actions import Tips
from astragal.games.ur_modern.board import ground
from astragal.games.ur_modern.moves import Scene
from astragal.games.ur_modern.options import Options
from astragal.games.ur_modern.view import Habit


class State(Struct, frozen=True):
    """A position. Squares are sorted, so that equal positions are equal states."""

    options: Options
    seat: int | None  # whose throw or action it is; None while lots are still to be drawn
    tips: Tips | None  # None: the dice are still to be thrown
    pools: tuple[int, int]
    squares: tuple[tuple[str, ...], tuple[str, ...]]
    habits: tuple[Habit, Habit] = (Habit(), Habit())
    claimable: bool = False  # a draw may be claimed until the next placing or move
    drawn: bool = False  # a draw was claimed


def scene_of(s: State) -> Scene | None:
    """What the side to act has before it, or None where nobody is to act."""
    if s.seat is None or s.tips is None or s.drawn:
        return None
    return Scene(
        s.options.layout,
        s.options.placing_captures,
        s.seat,
        s.tips,
        frozenset(s.squares[s.seat]),
        frozenset(s.squares[1 - s.seat]),
        s.pools[s.seat],
    )


def winner(s: State) -> int | None:
    """The side that holds all four fortresses (UM-2)."""
    fortresses = ground(s.options.layout).fortresses
    for seat in (0, 1):
        if fortresses.issubset(s.squares[seat]):
            return seat
    return None
