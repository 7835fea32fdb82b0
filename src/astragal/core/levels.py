"""What a level of opponents is. A game names its own four in `Game.levels`; `bots.levels` has four for any other."""

from __future__ import annotations

from msgspec import Struct

from astragal.core.language import Text, noted, say

LEVELS = ("novice", "casual", "strong", "master")
PERFECT = "perfect"  # a level that is there only where there is a table of exact values (`bots.levels.offered`)
LEVEL_NAMES = {
    "novice": noted("novice"),
    "casual": noted("casual"),
    "strong": noted("strong"),
    "master": noted("master"),
    PERFECT: noted("perfect"),
}
GUEST = noted("guest")  # a bot of somebody's own


def level_name(id: str) -> Text:
    """What a level is called, or that somebody is a bot of somebody's own."""
    return say(LEVEL_NAMES.get(id, GUEST))


class Level(Struct, frozen=True):
    """One opponent: who it is, how it plays, and how it plays on the ladder, where a move has about 5 ms."""

    name: str  # the same in every language
    character: str  # one line about it; a key of the catalogue
    spec: str  # the bot and its settings: `greedy:mistakes=0.3`
    ladder: str = ""  # empty: as `spec`
    others: tuple[str, ...] = ()  # who else plays like that, for tables with several bots of one level
    rating: int | None = None  # where it stands, fixed, on the scale of ratings; None: no rated match with it
