"""Ur: Heaven and Earth, the modern interpretation of the Royal Game of Ur."""

from astragal.core.rules import Game
from astragal.games.ur_modern.diagrams import diagrams
from astragal.games.ur_modern.heuristic import UrModernHeuristic
from astragal.games.ur_modern.rules import UrModernRules
from astragal.games.ur_modern.speech import UrModernPresentation

GAME = Game(
    rules=UrModernRules(), presentation=UrModernPresentation(), heuristic=UrModernHeuristic(), diagrams=diagrams
)
