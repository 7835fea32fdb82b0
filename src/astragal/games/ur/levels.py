"""The four opponents of Ur."""

from __future__ import annotations

from collections.abc import Mapping

from astragal.core.language import noted
from astragal.core.levels import Level

OPPONENTS: Mapping[str, Level] = {
    "novice": Level(
        "Kubaba",
        noted("Keeps a tavern and plays while she pours; her mind is elsewhere."),
        "greedy:mistakes=0.7",
        "quick:mistakes=0.7",
    ),
    "casual": Level(
        "Puabi",
        noted("Plays for pleasure, takes what she sees, and lets the dice do the rest."),
        "greedy:mistakes=0.3",
        "quick:mistakes=0.3",
    ),
    "strong": Level(
        "Ludlul",
        noted("A clerk who weighs the next throw before he moves."),
        "expectimax:depth=1",
        "quick",
    ),
    "master": Level(
        "Itti-Marduk",
        noted("The scribe who wrote the rules down; he looks many throws ahead."),
        "expectimax:time=0.7",
        "expectimax:nodes=15000",
    ),
}
