"""Goat Path: two goats, one knucklebone, and stones to throw. A complete game for Astragal, small enough to copy."""

from pathlib import Path

from astragal.core.language import add_folder
from astragal.core.rules import Game
from goats.heuristic import GoatHeuristic
from goats.look import GoatPresentation
from goats.rules import RULES

_FOLDER = Path(__file__).parent
add_folder(_FOLDER / "locale")

GAME = Game(
    rules=RULES,
    presentation=GoatPresentation(RULES),
    heuristic=GoatHeuristic(),
    pages=_FOLDER / "rules.md",
)
