"""The four opponents of Ur: Heaven and Earth."""

from __future__ import annotations

from collections.abc import Mapping

from astragal.core.language import noted
from astragal.core.levels import Level

OPPONENTS: Mapping[str, Level] = {
    "novice": Level(
        "Dudu",
        noted("An apprentice who is fond of every piece and forgets the one in danger."),
        "greedy:mistakes=0.5",
        "quick:mistakes=0.5",
    ),
    "casual": Level(
        "Baranamtara",
        noted("Runs an estate and plays as she trades: what is good today."),
        "greedy:mistakes=0.3",
        "quick:mistakes=0.3",
    ),
    "strong": Level(
        "Shulgi",
        noted("A king who boasts of his running, and does see a little way ahead."),
        "expectimax:depth=1",
        "quick",
    ),
    "master": Level(
        "Enheduanna",
        noted("Priestess and poet; she has thought of your answer already."),
        "expectimax:time=0.7",
        "expectimax:nodes=6000",
    ),
}
