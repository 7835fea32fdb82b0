"""A guess at how a side of the modern game stands: fortresses held and near, and what the next throw may bring."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache, lru_cache

from astragal.core.language import noted
from astragal.core.rules import Heuristic
from astragal.core.weights import load
from astragal.games.ur_modern.actions import THROWS
from astragal.games.ur_modern.board import DATA, Ground, Layout, LayoutName, ground
from astragal.games.ur_modern.moves import Squares, protected
from astragal.games.ur_modern.view import View

# The throws that place beside a piece, that move a piece one square, and that move it two (UM-6, UM-7, UM-9).
BLANK, ONE, TWO = ("blank",), ("one", "mixed", "silver", "gold"), ("mixed", "silver", "gold")


class UrModernHeuristic(Heuristic[View]):
    """Features are differences: mine less the other side's.

    Those that end in `_later` are about the side that does not throw next, the ones of the same name about the other.
    """

    names: Mapping[str, str] = {
        "result": noted("the game is won or lost"),
        "turn": noted("the next throw"),
        "fortresses": noted("more fortresses held"),
        "two": noted("two fortresses at once"),
        "three": noted("three fortresses, one short of the win"),
        "earth": noted("both fortresses of the Earth"),
        "heaven": noted("both fortresses of Heaven"),
        "ishtar": noted("the Field of Ishtar, which guards your fortresses"),
        "guarded": noted("fortresses guarded from the Field of Ishtar"),
        "pieces": noted("more pieces on the board"),
        "near": noted("pieces nearer to fortresses you do not hold"),
        "win": noted("better chances to win with the next throw"),
        "win_later": noted("better chances to win with the throw after it"),
        "grab": noted("better chances to take a fortress with the next throw"),
        "grab_later": noted("better chances to take a fortress with the throw after it"),
        "storm": noted("better chances to capture in a fortress with the next throw"),
        "storm_later": noted("better chances to capture in a fortress with the throw after it"),
        "hunt": noted("better chances to capture on the way with the next throw"),
        "hunt_later": noted("better chances to capture on the way with the throw after it"),
    }
    weights: Mapping[str, float] = load(DATA / "weights.toml", names)

    def features(self, v: View, seat: int) -> Mapping[str, float]:
        found = dict.fromkeys(self.names, 0.0)
        if v.winner is not None or v.drawn:
            found["result"] = 0.0 if v.winner is None else 1.0 if v.winner == seat else -1.0
            return found
        if v.mover is not None:
            found["turn"] = 1.0 if v.mover == seat else -1.0
        for side, sign in ((seat, 1), (1 - seat, -1)):
            later = "" if side == v.mover else "_later"
            for name, value in _stand(v, side).items():
                found[name] += sign * value
            for name, value in _chances(v, side).items():
                found[name + later] += sign * value
        return found


def _stand(v: View, seat: int) -> dict[str, float]:
    """How a side stands, whoever is to throw."""
    land, mine = ground(v.options.layout), frozenset(v.squares[seat])
    held = len(land.fortresses & mine)
    watched = land.ishtar in mine
    return {
        "fortresses": held,
        "two": held >= 2,
        "three": held >= 3,
        "earth": land.earth <= mine,
        "heaven": land.heaven <= mine,
        "ishtar": watched,
        "guarded": held * watched,
        "pieces": len(mine),
        "near": sum(1 / steps for goal in sorted(land.fortresses - mine) if (steps := _steps(v, seat, goal))),
    }


def _steps(v: View, seat: int, goal: str) -> int:
    """How many steps away the nearest piece is that leaves no fortress to come here, from the pool too; 0 for none."""
    land, steps = ground(v.options.layout), distances(v.options.layout)[goal]
    pool = [steps[land.entrance[seat]] + 1] if v.pools[seat] else []
    return min([*pool, *(steps[square] for square in v.squares[seat] if square not in land.fortresses)], default=0)


def _chances(v: View, seat: int) -> dict[str, float]:
    """What the next throw of a side may bring: a fortress or the win, and how many captures are within reach."""
    land, mine, theirs = ground(v.options.layout), frozenset(v.squares[seat]), frozenset(v.squares[1 - seat])
    prey = frozenset(square for square in theirs if protected(land, square, 1 - seat, theirs) is None)
    tips = v.tips if v.mover == seat else None
    wanted = land.fortresses - mine - (theirs - prey)
    near, far = _within(land, mine - land.fortresses, theirs)
    taking = _likely(tips, ONE) if wanted & near else _likely(tips, TWO) if wanted & far else 0.0
    if v.pools[seat] and not beside(land, mine).isdisjoint(wanted - theirs):
        taking += _likely(tips, BLANK)
    near, far = _within(land, mine, theirs)
    at_once = {land.entrance[seat]} & prey if v.pools[seat] else set()  # by placing there
    storm, hunt = (
        _likely(tips, ONE) * len(targets & near) + _likely(tips, TWO) * len(targets & far)
        for targets in (prey & land.fortresses, prey - land.fortresses - at_once)
    )
    takes = "win" if len(land.fortresses & mine) == 3 else "grab"
    return {takes: taking, "storm": storm, "hunt": hunt + len(at_once)}


@cache
def _likely(tips: str | None, wanted: tuple[str, ...]) -> float:
    """How likely the next throw is one of these; a throw that lies there already is sure."""
    if tips is not None:
        return float(tips in wanted)
    return sum(weight for throw, weight in THROWS if throw.tips in wanted) / sum(weight for _, weight in THROWS)


def _within(land: Ground, pieces: Squares, enemies: Squares) -> tuple[Squares, Squares]:
    """What these pieces reach with one step, and what only with two; enemies cannot be passed."""
    near = beside(land, pieces)
    return near, beside(land, near - enemies) - near


def beside(land: Ground, squares: Squares) -> Squares:
    """All neighbours of these squares."""
    return frozenset(near for square in squares for near in land.neighbours[square])


@lru_cache(maxsize=64)
def distances(layout: LayoutName | Layout) -> dict[str, dict[str, int]]:
    """How many steps lead from each square to each other one."""
    land = ground(layout)
    table: dict[str, dict[str, int]] = {}
    for start in land.neighbours:
        found, edge, steps = {start: 0}, frozenset({start}), 0
        while edge:
            steps += 1
            edge = beside(land, edge) - found.keys()
            found.update(dict.fromkeys(edge, steps))
        table[start] = found
    return table
