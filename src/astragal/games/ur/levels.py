"""The four opponents of Ur."""

from __future__ import annotations

from collections.abc import Mapping

from astragal.core.language import noted
from astragal.core.levels import Level

OPPONENTS: Mapping[str, Level] = {
    "novice": Level(
        "Kubaba",
        noted("Keeps a tavern and plays while she pours; her mind is elsewhere."),
        "greedy:noise=0.18",
        "quick:noise=0.18",
        rating=1255,
    ),
    "casual": Level(
        "Puabi",
        noted("Plays for pleasure, takes what she sees, and lets the dice do the rest."),
        "greedy:noise=0.09",
        "quick:noise=0.09",
        rating=1500,
    ),
    "strong": Level(
        "Ludlul",
        noted("A clerk who weighs the next throw before he moves."),
        "greedy",
        "quick",
        rating=1675,
    ),
    "master": Level(
        "Itti-Marduk",
        noted("The scribe who wrote the rules down; he looks many throws ahead."),
        "expectimax:time=0.3",
        "expectimax:nodes=200",
        rating=1760,
    ),
}
