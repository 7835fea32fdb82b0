"""A guess at how a side of the modern game stands: fortresses held and near, their guard, and what is in danger."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache

from astragal.core.language import noted
from astragal.core.rules import Heuristic
from astragal.games.ur_modern.board import Ground, Layout, LayoutName, ground
from astragal.games.ur_modern.moves import protected
from astragal.games.ur_modern.view import View

# The weights say how many pieces on the board each thing is worth.
FORTRESS = (0.0, 1.0, 2.4, 4.5, 50.0)  # by how many are held
ISHTAR, PIECE, NEAR, DANGER, MOVE = 0.8, 0.35, 0.25, 0.35, 0.4


class UrModernHeuristic(Heuristic[View]):
    """Terms are differences: mine less the other side's."""

    names: Mapping[str, str] = {
        "fortresses": noted("more fortresses held"),
        "near": noted("pieces nearer to free fortresses"),
        "ishtar": noted("the Field of Ishtar, which guards your fortresses"),
        "pieces": noted("more pieces on the board"),
        "safety": noted("fewer pieces next to an enemy"),
        "turn": noted("the next throw"),
    }

    def terms(self, v: View, seat: int) -> Mapping[str, float]:
        mine, theirs = _side(v, seat), _side(v, 1 - seat)
        moves = 0.0 if v.mover is None or v.winner is not None else MOVE if v.mover == seat else -MOVE
        return {**{term: mine[term] - theirs[term] for term in mine}, "turn": moves}


def _side(v: View, seat: int) -> dict[str, float]:
    land, pieces = ground(v.options.layout), frozenset(v.squares[seat])
    steps = distances(v.options.layout)
    wanted = land.fortresses - pieces
    near = sum(max((1 / steps[square][goal] for square in pieces - land.fortresses), default=0.0) for goal in wanted)
    return {
        "fortresses": FORTRESS[len(land.fortresses & pieces)],
        "near": NEAR * near,
        "ishtar": ISHTAR if land.ishtar in pieces else 0.0,
        "pieces": PIECE * len(pieces),
        "safety": -DANGER * _exposed(v, land, seat, pieces) * (0.4 if v.mover == seat else 1),
    }


def _exposed(v: View, land: Ground, seat: int, pieces: frozenset[str]) -> float:
    """How much of this side stands where the enemy needs one step; fortresses count more."""
    enemies = set(v.squares[1 - seat])
    lost = 0.0
    for square in pieces:
        if protected(land, square, seat, pieces) is None and not enemies.isdisjoint(land.neighbours[square]):
            lost += 3 if square in land.fortresses else 1
    return lost


@cache
def distances(layout: LayoutName | Layout) -> dict[str, dict[str, int]]:
    """How many steps lead from each square to each other one."""
    land = ground(layout)
    table: dict[str, dict[str, int]] = {}
    for start in land.neighbours:
        found, edge = {start: 0}, [start]
        while edge:
            edge = [near for square in edge for near in land.neighbours[square] if found.setdefault(near, 99) == 99]
            found.update(dict.fromkeys(edge, max(value for value in found.values() if value != 99) + 1))
        table[start] = found
    return table
