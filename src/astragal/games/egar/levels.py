"""The four opponents of EGAR."""

from __future__ import annotations

from collections.abc import Mapping

from astragal.core.language import noted
from astragal.core.levels import Level

OPPONENTS: Mapping[str, Level] = {
    "novice": Level(
        "Toma",
        noted("A recruit who marches first and thinks later."),
        "greedy:mistakes=0.7",
        "quick:mistakes=0.7",
        others=("Milos", "Aiyana", "Senbi"),
        rating=1300,
    ),
    "casual": Level(
        "Inés",
        noted("A captain of many skirmishes, and of no great plans."),
        "greedy:mistakes=0.3",
        "quick:mistakes=0.3",
        others=("Rafael", "Tala", "Djedi"),
        rating=1500,
    ),
    "strong": Level(
        "Kenji",
        noted("Keeps his soldiers together and counts the odds."),
        "greedy",
        "quick",
        others=("Tomoe", "Wikvaya", "Khaba"),
        rating=1655,
    ),
    "master": Level(
        "Zenobia",
        noted("A queen who plans the campaign before the first die falls."),
        "ismcts:time=0.7",
        "ismcts:nodes=400",
        others=("Hojo", "Chayton", "Merneith"),
        rating=1735,
    ),
}
