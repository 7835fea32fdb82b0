"""What puzzles of EGAR are about: march or strike, what to risk, and which question to ask."""

from __future__ import annotations

from collections.abc import Mapping

from astragal.core.language import noted
from astragal.games.egar.actions import Action, Ask, Attack, Done, Step, Take
from astragal.games.egar.state import State

KINDS: Mapping[str, str] = {
    "level": noted("which question to ask"),
    "take": noted("which soldier leaves"),
    "march": noted("march, do not strike"),
    "strike": noted("strike, do not march"),
    "hold": noted("stay where you are"),
    "risk": noted("whom to attack, and with whom"),
    "way": noted("who marches where"),
}


def kind(_s: State, best: Action, tempting: Action) -> str:
    """The one of KINDS that fits."""
    match best:
        case Ask():
            return "level"
        case Take():
            return "take"
        case Done():
            return "hold"
        case Attack():
            return "risk" if isinstance(tempting, Attack) else "strike"
        case Step():
            return "march" if isinstance(tempting, Attack) else "way"
    raise AssertionError(f"{best} is nothing to choose")
