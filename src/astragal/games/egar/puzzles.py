"""What puzzles of EGAR are about: march or strike, what to risk, and which question to ask.

A turn marches or strikes as a whole: points are stepped first, attacks come after them. So a step counts as part of a
strike if it brings a soldier up to an enemy, and as part of a march if it brings one nearer to an enemy's flag.
"""

from __future__ import annotations

from collections.abc import Mapping, Set

from astragal.core.language import noted
from astragal.games.egar.actions import Action, Ask, Attack, Done, Step, Take
from astragal.games.egar.state import State, flags

KINDS: Mapping[str, str] = {
    "level": noted("which question to ask"),
    "take": noted("which soldier leaves"),
    "march": noted("march, do not strike"),
    "strike": noted("strike, do not march"),
    "hold": noted("stay where you are"),
    "risk": noted("whom to attack, and with whom"),
    "guard": noted("back to the own flag"),
    "raid": noted("on to the enemy's flag"),
    "way": noted("who marches where"),
}


def kind(s: State, best: Action, tempting: Action) -> str:
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
            return _step_kind(s, best, tempting)
    raise AssertionError(f"{best} is nothing to choose")


def _step_kind(s: State, best: Step, tempting: Action) -> str:
    if isinstance(tempting, Attack):
        return "march"
    brings_up = _brings_up(s, best)
    if brings_up != _brings_up(s, tempting):
        return "strike" if brings_up else "march"
    own = {s.ground.flags[len(s.armies)][s.mover]}
    if _nears(s, best, own) and not _nears(s, tempting, own):
        return "guard"
    enemies = flags(s).keys() - own
    return "raid" if _nears(s, best, enemies) and not _nears(s, tempting, enemies) else "way"


def _brings_up(s: State, action: Action) -> bool:
    """Whether a step brings a soldier next to an enemy that it was not next to."""
    if not isinstance(action, Step):
        return False
    near, number = s.ground.near, s.ground.number
    enemies = {square for seat, army in enumerate(s.armies) if seat != s.mover for square in army}
    return bool(enemies & {*near[number[action.end]]} - {*near[number[action.start]]})


def _nears(s: State, action: Action, goals: Set[int]) -> bool:
    """Whether a step brings a soldier nearer to the nearest of these squares."""
    if not isinstance(action, Step) or not goals:
        return False
    far, number = s.ground.far, s.ground.number
    start, end = (min(far[number[square]][goal] for goal in goals) for square in (action.start, action.end))
    return end < start
