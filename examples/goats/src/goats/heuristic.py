"""A guess at how a goat stands, for the bots and for hints."""

from __future__ import annotations

from collections.abc import Mapping

from astragal.core.language import noted
from astragal.core.rules import Heuristic
from goats.rules import SIDES, View


class GoatHeuristic(Heuristic[View]):
    """The names are what a hint says; the weights were set by hand."""

    names: Mapping[str, str] = {
        "result": noted("winning the game"),
        "lead": noted("a lead on the path"),
        "stones": noted("stones in hand"),
    }
    weights: Mapping[str, float] = {"result": 20.0, "lead": 0.3, "stones": 0.4}

    def features(self, v: View, seat: int) -> Mapping[str, float]:
        s, other = v.state, 1 - seat
        lead = float(s.goats[seat] - s.goats[other])
        if s.rolling and s.run:  # somebody throws again and risks the run
            lead += hope(s.run) if s.seat == seat else -hope(s.run)
        won = [goat >= s.options.steps for goat in s.goats]
        return {
            "result": float(won[seat] - won[other]),
            "lead": lead,
            "stones": float(s.stones[seat] - s.stones[other]),
        }


def hope(run: tuple[int, ...]) -> float:
    """How many steps a run is worth on average if the bone is thrown once more and then the goat walks."""
    good = {side: weight for side, weight in SIDES.items() if side not in run}
    return sum(weight * (sum(run) + side) for side, weight in good.items()) / sum(SIDES.values())
