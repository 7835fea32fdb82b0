"""The four opponents of EGAR."""

from __future__ import annotations

from collections.abc import Mapping

from astragal.core.language import noted
from astragal.core.levels import Level

# Features without which nobody sees a raid coming, be it on the own flag or on another's.
_RAIDS = "overlooks=strike+threat+breakthrough+approach+invaders"

OPPONENTS: Mapping[str, Level] = {
    "novice": Level(
        "Toma",
        noted("A recruit who marches first and thinks later."),
        f"greedy:noise=0.8,{_RAIDS}",
        f"quick:noise=0.8,{_RAIDS}",
        others=("Milos", "Aiyana", "Senbi"),
        rating=1250,
    ),
    "casual": Level(
        "Inés",
        noted("A captain of many skirmishes, and of no great plans."),
        f"greedy:{_RAIDS}",
        f"quick:{_RAIDS}",
        others=("Rafael", "Tala", "Djedi"),
        rating=1500,
    ),
    "strong": Level(
        "Kenji",
        noted("Keeps his soldiers together and counts the odds."),
        "greedy",
        "quick",
        others=("Tomoe", "Wikvaya", "Khaba"),
        rating=1660,
    ),
    "master": Level(
        "Zenobia",
        noted("A queen who plans the campaign before the first die falls."),
        "ismcts:time=0.7",
        "ismcts:nodes=400",
        others=("Hojo", "Chayton", "Merneith"),
        rating=1760,
    ),
}
