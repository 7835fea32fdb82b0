"""A guess at how a side of Ur stands: how far its pieces are, how safe, and what they threaten."""

from __future__ import annotations

from collections.abc import Mapping

from astragal.core.language import noted
from astragal.core.rules import Heuristic
from astragal.games.ur.board import Track, track
from astragal.games.ur.rules import WEIGHTS
from astragal.games.ur.view import View

# The weights say how many pieces brought home each thing is worth.
STEP, HOME, DANGER, ROSETTE, MOVE = 1 / 15, 0.25, 0.9, 0.12, 0.15


class UrHeuristic(Heuristic[View]):
    """Terms are differences: mine less the other side's."""

    names: Mapping[str, str] = {
        "home": noted("more pieces home"),
        "progress": noted("pieces further along"),
        "safety": noted("fewer pieces in danger"),
        "rosettes": noted("pieces on rosettes"),
        "turn": noted("the next throw"),
    }

    def terms(self, v: View, seat: int) -> Mapping[str, float]:
        ways = track(v.options.path)
        other = 1 - seat
        mover = 0.0 if v.winner is not None else (MOVE if v.mover == seat else -MOVE)
        return {
            "home": (1 + HOME) * (v.home(seat) - v.home(other)),
            "progress": STEP * (_walked(v, ways, seat) - _walked(v, ways, other)),
            "safety": _danger(v, ways, other) - _danger(v, ways, seat),
            "rosettes": ROSETTE * (_rosettes(v, ways, seat) - _rosettes(v, ways, other)),
            "turn": mover,
        }


def _walked(v: View, ways: Track, seat: int) -> int:
    return sum(ways.step_of[seat][square] for square in v.squares[seat])


def _rosettes(v: View, ways: Track, seat: int) -> int:
    return sum(square in ways.rosettes for square in v.squares[seat])


def _danger(v: View, ways: Track, seat: int) -> float:
    """What this side expects to lose to the enemy's next throw, in steps walked; less if it throws first."""
    chances = {throw.pips: weight for throw, weight in WEIGHTS[v.options.dice]}
    total = sum(chances.values())
    hunters = [ways.step_of[1 - seat][square] for square in v.squares[1 - seat]]
    if v.pools[1 - seat]:
        hunters.append(0)
    lost = 0.0
    for square in v.squares[seat]:
        step = ways.step_of[seat][square]
        enemy = ways.meets[seat][step]
        if enemy < 0 or (v.options.safe_rosettes and square in ways.rosettes):
            continue
        hits = {enemy - hunter for hunter in hunters} & chances.keys()
        lost += STEP * step * sum(chances[pips] for pips in hits) / total
    return DANGER * lost * (0.4 if v.mover == seat else 1)
