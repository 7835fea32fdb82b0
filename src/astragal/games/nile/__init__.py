"""Nile: one river, laid together by two to four players."""

from __future__ import annotations

from typing import TYPE_CHECKING

from astragal.core.rules import Game
from astragal.games.nile.diagrams import diagrams
from astragal.games.nile.heuristic import NileHeuristic
from astragal.games.nile.lesson import LESSON
from astragal.games.nile.levels import OPPONENTS
from astragal.games.nile.options import Options
from astragal.games.nile.rules import NileRules
from astragal.games.nile.speech import NilePresentation

if TYPE_CHECKING:
    from astragal.games.nile.fast import NileFast


def fast(options: Options, players: int) -> NileFast:
    """The same rules over arrays. It brings Numba, which takes its time to import."""
    from astragal.games.nile.fast import NileFast

    return NileFast(options, players)


GAME = Game(
    rules=NileRules(),
    presentation=NilePresentation(),
    heuristic=NileHeuristic(),
    diagrams=diagrams,
    fast=fast,
    lesson=LESSON,
    levels=OPPONENTS,
)
