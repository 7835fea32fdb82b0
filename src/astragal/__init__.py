"""Astragal: old and new board games to play, to watch and to study.

>>> import astragal
>>> ur = astragal.rules("ur")
>>> start = ur.initial(ur.options_type(begins=0), players=2)
>>> ur.turn(start) == astragal.CHANCE
True
>>> [(ur.encode(throw), weight) for throw, weight in ur.chance(start)]
[('throw-0', 1), ('throw-1', 4), ('throw-2', 6), ('throw-3', 4), ('throw-4', 1)]
>>> thrown = ur.apply(start, ur.decode(start, "throw-4"))
>>> [ur.encode(move) for move in ur.legal(thrown)]
['in-a1']
"""

from typing import Any

from astragal.core.picture import Picture
from astragal.core.registry import game, games
from astragal.core.rules import AnyRules
from astragal.core.types import CHANCE, OVER

__version__ = "0.1.0"
__all__ = ["CHANCE", "OVER", "game", "games", "rules", "show"]


def rules(id: str) -> AnyRules:
    """The rules of a game: `astragal.rules("ur")`. Raises UnknownGame."""
    return game(id).rules


def show(id: str, view: Any, lang: str = "en") -> Picture:
    """A view of a game as a picture, which notebooks draw: `astragal.show("ur", ur.observe(state, None))`."""
    return Picture(game(id).presentation.svg(view, lang))
