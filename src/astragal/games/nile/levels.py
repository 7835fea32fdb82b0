"""The four opponents of Nile."""

from __future__ import annotations

from collections.abc import Mapping

from astragal.core.language import noted
from astragal.core.levels import Level

OPPONENTS: Mapping[str, Level] = {
    "novice": Level(
        "Ipi",
        noted("A boat boy who lays whatever fits."),
        "greedy:noise=0.8",
        "quick:noise=0.8",
        others=("Hapi", "Nebet", "Tjau"),
        rating=1265,
    ),
    "casual": Level(
        "Meryt",
        noted("Counts her own points well, and seldom yours."),
        "greedy:noise=0.35",
        "quick:noise=0.35",
        others=("Iset", "Paneb", "Rekhet"),
        rating=1500,
    ),
    "strong": Level(
        "Sennedjem",
        noted("A builder of tombs who knows where a river should turn."),
        "greedy:noise=0.1",
        "quick:noise=0.1",
        others=("Khonsu", "Tawi", "Amennakht"),
        rating=1615,
    ),
    "master": Level(
        "Ankhesen",
        noted("Reads the river to its end, and your rack in your face."),
        "ismcts:time=0.7",
        "ismcts:nodes=100",
        others=("Imhotep", "Henut", "Neferti"),
        rating=1835,
    ),
}
