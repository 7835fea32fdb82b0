"""Matches for the tests of reviews."""

from __future__ import annotations

from random import Random
from typing import Any

import astragal
from astragal.core.record import Record, Seat
from astragal.games.ur.options import Options
from astragal.play.match import Match
from tests.core.matches import undo

UR = astragal.game("ur")
TWO = Options(pieces=2)
PEOPLE = (Seat("human", "Ann"), Seat("human", "Ben"))


def match_of(*bots: str, game: Any = UR, options: Any = TWO, seed: int = 1) -> Record:
    """A match between bots."""
    match = Match.start(game, options, [Seat(f"bot:{bot}") for bot in bots], seed=seed)
    while match.step() is not None:
        pass
    return match.record()


def with_take_backs(seed: int = 6) -> Match:
    """A match of two people who play at random and often think better of it."""
    match = Match.start(UR, UR.rules.options_type(pieces=2, begins=0), PEOPLE, seed=seed)
    rng = Random(1)
    while not match.over:
        if match.step() is None:
            match.act(match.turn, rng.choice(match.view(match.turn).legal))
            if rng.random() < 0.2 and not match.over:
                undo(match)
    return match
