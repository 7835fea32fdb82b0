"""The four opponents of Ur: Heaven and Earth."""

from __future__ import annotations

from collections.abc import Mapping

from astragal.core.language import noted
from astragal.core.levels import Level

OPPONENTS: Mapping[str, Level] = {
    "novice": Level(
        "Dudu",
        noted("An apprentice who is fond of every piece and forgets the one in danger."),
        "expectimax:nodes=1,noise=0.95",
        rating=1245,
    ),
    "casual": Level(
        "Baranamtara",
        noted("Runs an estate and plays as she trades: what is good today."),
        "expectimax:nodes=1,noise=0.55",
        rating=1500,
    ),
    "strong": Level(
        "Shulgi",
        noted("A king who boasts of his running, and does see a little way ahead."),
        "expectimax:nodes=1,noise=0.27",
        rating=1775,
    ),
    "master": Level(
        "Enheduanna",
        noted("Priestess and poet; she has thought of your answer already."),
        "expectimax:time=0.3",
        "expectimax:nodes=200",
        rating=2040,
    ),
}
