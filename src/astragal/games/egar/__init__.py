"""EGAR, the historical combat game with questions."""

from __future__ import annotations

from typing import TYPE_CHECKING

from astragal.core.heuristic import KernelHeuristic
from astragal.core.language import noted
from astragal.core.puzzle import PuzzleKinds
from astragal.core.rules import Game, GameCommand
from astragal.games.egar.answered import answered
from astragal.games.egar.board import DATA
from astragal.games.egar.diagrams import diagrams
from astragal.games.egar.heuristic import FEATURES
from astragal.games.egar.lesson import LESSON
from astragal.games.egar.levels import OPPONENTS
from astragal.games.egar.options import Options
from astragal.games.egar.puzzles import KINDS, kind
from astragal.games.egar.rules import EgarRules
from astragal.games.egar.speech import EgarPresentation

if TYPE_CHECKING:
    import click

    from astragal.games.egar.fast import EgarFast


def _fast(options: Options, players: int) -> EgarFast:
    from astragal.games.egar.fast import fast  # NumPy takes its time to import

    return fast(options, players)


CARDS = noted("The question cards of EGAR: check them, count them, read one, or be quizzed.")


def _cards(lang: str) -> click.Group:
    from astragal.games.egar.commands import group

    return group(lang)


RULES = EgarRules()
GAME = Game(
    rules=RULES,
    presentation=EgarPresentation(),
    # A step of one soldier changes little, so that a search has to mind small differences.
    heuristic=KernelHeuristic(RULES, _fast, FEATURES, DATA / "weights.toml", prior_temperature=0.03),
    diagrams=diagrams,
    fast=_fast,
    lesson=LESSON,
    levels=OPPONENTS,
    accuracy_half=0.0348,
    puzzles=PuzzleKinds(KINDS, kind, DATA / "puzzles.json"),
    commands=(GameCommand("cards", CARDS, _cards),),
    answered=answered,
)
