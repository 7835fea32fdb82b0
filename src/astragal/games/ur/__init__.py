"""The Royal Game of Ur, classic rules."""

from __future__ import annotations

from typing import TYPE_CHECKING

from astragal.core.heuristic import KernelHeuristic
from astragal.core.puzzle import PuzzleKinds
from astragal.core.rules import Game
from astragal.games.ur.board import DATA
from astragal.games.ur.diagrams import diagrams
from astragal.games.ur.heuristic import FEATURES
from astragal.games.ur.lesson import LESSON
from astragal.games.ur.levels import OPPONENTS
from astragal.games.ur.options import Options
from astragal.games.ur.puzzles import KINDS, kind
from astragal.games.ur.rules import UrRules
from astragal.games.ur.speech import UrPresentation

if TYPE_CHECKING:
    from collections.abc import Mapping

    from astragal.core.solvable import TableFormat
    from astragal.games.ur.fast import UrFast
    from astragal.games.ur.index import UrIndex


def _fast(options: Options, players: int) -> UrFast:
    """The same rules over arrays. Imported on demand: NumPy takes its time."""
    from astragal.games.ur.fast import UrFast

    return UrFast(options, players)


def _index(options: Options) -> UrIndex:
    """All positions, numbered. Imported on demand, like `_fast`."""
    from astragal.games.ur.index import UrIndex

    return UrIndex(options)


def _table_formats() -> Mapping[str, TableFormat]:
    from astragal.games.ur.rgu import Rgu

    return {"rgu": Rgu()}


RULES = UrRules()
GAME = Game(
    rules=RULES,
    presentation=UrPresentation(),
    heuristic=KernelHeuristic(RULES, _fast, FEATURES, DATA / "weights.toml"),
    diagrams=diagrams,
    fast=_fast,
    index=_index,
    table_formats=_table_formats,
    lesson=LESSON,
    levels=OPPONENTS,
    first_advantage=11,
    accuracy_half=0.0063,
    puzzles=PuzzleKinds(KINDS, kind, DATA / "puzzles.json"),
)
