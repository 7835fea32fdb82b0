"""The opponents of a game, from one that a beginner beats to the best there is: its own four, or else these; and where
there is a table of exact values, one that plays by it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from astragal.bots import own
from astragal.core.language import Text, noted, say
from astragal.core.levels import LEVELS, PERFECT, Level
from astragal.core.rules import Game

_RANDOM = Level("Nin", noted("Mostly guesses, and is glad to have company."), "random")
_NOVICE = Level("Nin", noted("Mostly guesses, and is glad to have company."), "greedy:noise=1")
_CASUAL = Level("Ilu", noted("Plays what looks good, and sometimes looks away."), "greedy:noise=0.4")
_STRONG = Level("Bel", noted("Always takes what looks best."), "greedy")
PERFECT_LEVEL = Level(
    "Nabu", noted("Has every position on a tablet and never errs; only better dice can beat it."), PERFECT
)
_THINKS_AHEAD = noted("Thinks ahead before every move.")
_RULES_OF_THUMB = say(
    "Bots have not practised these rules: those that think ahead go by rules of thumb and are weaker than usual."
)


def levels(game: Game) -> Mapping[str, Level]:
    """The opponents of this game by their level, the weakest first."""
    if game.levels is not None:
        return game.levels
    if not game.heuristic.names:
        return dict.fromkeys(LEVELS, _RANDOM)
    if game.fast is None:  # only compiled rules can be searched
        master = Level("Ea", noted("Always takes what looks best."), "greedy")
    elif game.rules.spec.hidden or max(game.rules.spec.players) > 2:
        master = Level("Ea", _THINKS_AHEAD, "ismcts:time=0.7", "ismcts:nodes=100")
    else:
        master = Level("Ea", _THINKS_AHEAD, "expectimax:time=0.7", "expectimax:nodes=6000")
    return {"novice": _NOVICE, "casual": _CASUAL, "strong": _STRONG, "master": master}


def offered(game: Game, options: Any) -> Mapping[str, Level]:
    """The opponents under these options: the four levels, the perfect one where its table is there, and guests."""
    perfect = {PERFECT: PERFECT_LEVEL} if has_table(game, options) else {}
    return {**levels(game), **perfect, **own.levels(game)}


def named(game: Game, level: str) -> Level | None:
    """The opponent of this level, whether or not its table is there, or a guest; None if there is neither."""
    if level == PERFECT:
        return PERFECT_LEVEL
    return levels(game).get(level) or own.levels(game).get(level)


def has_table(game: Game, options: Any) -> bool:
    """Whether there is a table of exact values for these options."""
    if game.index is None:
        return False
    from astragal.solve import shelf  # brings NumPy

    return shelf.find(game, options) is not None


def unfamiliar(game: Game, options: Any, players: int) -> Text | None:
    """What to know of bots where no network that came with the game knows its rules: by what they look ahead instead.

    None where one does, and for a game that came without any. Where their file is damaged nobody knows the rules: that
    is no reason not to play, and whatever needs a network says itself what is wrong with it.
    """
    from astragal.bots import network  # brings NumPy

    try:
        if not network.has_some(game) or network.find(game, options, players) is not None:
            return None
    except network.BadNetwork:
        return _RULES_OF_THUMB
    if has_table(game, options):
        return say("Bots have not practised these rules: those that think ahead go by the table of exact values.")
    return _RULES_OF_THUMB


def adviser(game: Game, options: Any) -> str:
    """Who gives hints: the table, where there is one, or else the master. Weaker levels err on purpose."""
    return PERFECT if has_table(game, options) else LEVELS[-1]


def spec_of(game: Game, level: str, *, ladder: bool = False) -> str:
    """How a level of this game is made; `ladder` at the speed of the ladder."""
    opponent = levels(game)[level]
    return (ladder and opponent.ladder) or opponent.spec
