"""Nile: one river, laid together by two to four players."""

from astragal.core.rules import Game
from astragal.games.nile.diagrams import diagrams
from astragal.games.nile.heuristic import NileHeuristic
from astragal.games.nile.rules import NileRules
from astragal.games.nile.speech import NilePresentation

GAME = Game(rules=NileRules(), presentation=NilePresentation(), heuristic=NileHeuristic(), diagrams=diagrams)
