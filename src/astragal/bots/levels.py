"""The four opponents of a game, from one that a beginner beats to the best there is: its own, or else these."""

from __future__ import annotations

from collections.abc import Mapping

from astragal.core.language import noted
from astragal.core.levels import LEVELS, Level
from astragal.core.rules import Game

_RANDOM = Level("Nin", noted("Mostly guesses, and is glad to have company."), "random")
_NOVICE = Level("Nin", noted("Mostly guesses, and is glad to have company."), "greedy:mistakes=0.6")
_CASUAL = Level("Ilu", noted("Plays what looks good, and sometimes looks away."), "greedy:mistakes=0.2")
_STRONG = Level("Bel", noted("Always takes what looks best."), "greedy")
_THINKS_AHEAD = noted("Thinks ahead before every move.")


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


def spec_of(game: Game, level: str, *, ladder: bool = False) -> str:
    """How a level of this game is made; `ladder` at the speed of the ladder."""
    opponent = levels(game)[level]
    return (ladder and opponent.ladder) or opponent.spec
