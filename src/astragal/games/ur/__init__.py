"""The Royal Game of Ur, classic rules."""

from astragal.core.rules import Game
from astragal.games.ur.diagrams import diagrams
from astragal.games.ur.heuristic import UrHeuristic
from astragal.games.ur.lesson import LESSON
from astragal.games.ur.rules import UrRules
from astragal.games.ur.speech import UrPresentation

GAME = Game(rules=UrRules(), presentation=UrPresentation(), heuristic=UrHeuristic(), diagrams=diagrams, lesson=LESSON)
