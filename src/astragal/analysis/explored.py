"""What the explorer says of a position, as data. It needs nothing of what weighs positions."""

from __future__ import annotations

from msgspec import Struct

from astragal.core.language import Text, say
from astragal.core.rules import Game
from astragal.core.types import AstragalError


class NotExplorable(AstragalError):
    """A game or a position in which there is nothing to be weighed."""


class TriedAction(Struct, frozen=True, kw_only=True):
    """A legal action, and where it leads."""

    action: str
    value: float  # to the seat that acts
    position: str


class ExploredThrow(Struct, frozen=True, kw_only=True):
    """What can be done with one throw, the best first."""

    outcome: str  # empty where the position has its throw already
    weight: int
    position: str  # after the throw
    actions: tuple[TriedAction, ...]


class JudgedBy(Struct, frozen=True, kw_only=True):
    """Where values come from."""

    source: str  # table, network or heuristic: see `bots.evaluate`
    version: str
    exact: bool
    trust: Text  # how far they can be trusted


class Explored(Struct, frozen=True, kw_only=True):
    """A position, and all that can happen next."""

    position: str
    seat: int  # whose throw or move it is; OVER if the game is over
    value: float  # to this seat
    throws: tuple[ExploredThrow, ...]
    judge: JudgedBy


def can_explore(game: Game) -> bool:
    """Whether positions of a game can be explored: it is for two, without secrets, and decisions follow throws."""
    return game.index is not None


def check_explorable(game: Game) -> None:
    """Refuses a game whose positions cannot be explored. Raises NotExplorable."""
    if not can_explore(game):
        raise NotExplorable(say("positions of {game} cannot be explored", game=game.id))
