"""Ur: Heaven and Earth, the modern interpretation of the Royal Game of Ur."""

from __future__ import annotations

from typing import TYPE_CHECKING

from astragal.core.heuristic import KernelHeuristic
from astragal.core.puzzle import PuzzleKinds
from astragal.core.rules import Game
from astragal.games.ur_modern.board import DATA
from astragal.games.ur_modern.diagrams import diagrams
from astragal.games.ur_modern.heuristic import FEATURES
from astragal.games.ur_modern.lesson import LESSON
from astragal.games.ur_modern.levels import OPPONENTS
from astragal.games.ur_modern.options import Options
from astragal.games.ur_modern.puzzles import KINDS, kind
from astragal.games.ur_modern.rules import UrModernRules
from astragal.games.ur_modern.speech import UrModernPresentation

if TYPE_CHECKING:
    from astragal.games.ur_modern.fast import UrModernFast
    from astragal.games.ur_modern.index import UrModernIndex


def _fast(options: Options, players: int) -> UrModernFast:
    from astragal.games.ur_modern.fast import UrModernFast  # NumPy takes its time to import

    return UrModernFast(options, players)


def _index(options: Options) -> UrModernIndex:
    """All positions, numbered. Imported on demand, like `_fast`."""
    from astragal.games.ur_modern.index import UrModernIndex

    return UrModernIndex(options)


RULES = UrModernRules()
GAME = Game(
    rules=RULES,
    presentation=UrModernPresentation(),
    heuristic=KernelHeuristic(RULES, _fast, FEATURES, DATA / "weights.toml"),
    diagrams=diagrams,
    fast=_fast,
    index=_index,
    lesson=LESSON,
    levels=OPPONENTS,
    first_advantage=35,
    accuracy_half=0.0313,
    puzzles=PuzzleKinds(KINDS, kind, DATA / "puzzles.json"),
)
