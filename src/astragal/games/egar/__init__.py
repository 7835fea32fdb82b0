"""EGAR, the historical combat game with questions."""

from astragal.core.rules import Game
from astragal.games.egar.diagrams import diagrams
from astragal.games.egar.heuristic import EgarHeuristic
from astragal.games.egar.rules import EgarRules
from astragal.games.egar.speech import EgarPresentation

GAME = Game(rules=EgarRules(), presentation=EgarPresentation(), heuristic=EgarHeuristic(), diagrams=diagrams)
