"""What puzzles of Nile are about: what the best lay with a rack does that the obvious one does not."""

from __future__ import annotations

from collections.abc import Mapping

from astragal.core.language import noted
from astragal.games.nile.actions import Action, Lay, Stop
from astragal.games.nile.state import State
from astragal.games.nile.tiles import UNIVERSAL

KINDS: Mapping[str, str] = {
    "stop": noted("the turn ended early"),
    "on": noted("one more tile"),
    "universal": noted("the moment for a universal"),
    "keep": noted("a universal kept in hand"),
    "river": noted("where the river should turn"),
}


def kind(_s: State, best: Action, tempting: Action) -> str:
    """The first of KINDS that fits."""
    if isinstance(best, Stop):
        return "stop"
    if isinstance(tempting, Stop):
        return "on"
    if _universal(best) != _universal(tempting):
        return "universal" if _universal(best) else "keep"
    return "river"


def _universal(action: Action) -> bool:
    return isinstance(action, Lay) and (action.tile == UNIVERSAL or action.crossing)
