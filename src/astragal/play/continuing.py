"""Where a new match may begin that goes on from the middle of a finished one: "what if I had ..."."""

from __future__ import annotations

from astragal.core import line as lines
from astragal.core.language import say
from astragal.core.record import Record
from astragal.core.types import OVER
from astragal.play.offers import NotPossible


def position_at(record: Record, ply: int) -> str:
    """The position of a finished match after so many plies that stood in the end. It holds all secrets.

    Raises NotPossible while the match goes on, and where there is nothing left to play.
    """
    line = lines.replay(record)
    if line.result is None:
        raise NotPossible(say("the match is not over yet"))
    if not 0 <= ply <= line.ply:
        raise NotPossible(say("this match has {plies} plies, not {ply}", plies=line.ply, ply=ply))
    state = line.state if ply == line.ply else line.steps[ply].before
    if line.rules.turn(state) == OVER:
        raise NotPossible(say("after ply {ply} the game is over", ply=ply))
    return line.rules.position(state)
