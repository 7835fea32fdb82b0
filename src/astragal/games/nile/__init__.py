"""Nile: one river, laid together by two to four players."""

from __future__ import annotations

from typing import TYPE_CHECKING

from astragal.core.heuristic import KernelHeuristic
from astragal.core.puzzle import PuzzleKinds
from astragal.core.rules import Game
from astragal.games.nile.diagrams import diagrams
from astragal.games.nile.heuristic import FEATURES
from astragal.games.nile.lesson import LESSON
from astragal.games.nile.levels import OPPONENTS
from astragal.games.nile.options import Options
from astragal.games.nile.puzzles import KINDS, kind
from astragal.games.nile.rules import NileRules
from astragal.games.nile.speech import NilePresentation
from astragal.games.nile.tiles import DATA

if TYPE_CHECKING:
    from astragal.games.nile.fast import NileFast


def fast(options: Options, players: int) -> NileFast:
    """The same rules over arrays. Imported on demand: NumPy takes its time."""
    from astragal.games.nile.fast import NileFast

    return NileFast(options, players)


RULES = NileRules()
GAME = Game(
    rules=RULES,
    presentation=NilePresentation(),
    heuristic=KernelHeuristic(RULES, fast, FEATURES, DATA / "weights.toml"),
    diagrams=diagrams,
    fast=fast,
    lesson=LESSON,
    levels=OPPONENTS,
    first_advantage=14,
    accuracy_half=0.0142,
    puzzles=PuzzleKinds(KINDS, kind, DATA / "puzzles.json"),
)
