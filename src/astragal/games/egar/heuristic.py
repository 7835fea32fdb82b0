"""A guess at how an army of EGAR stands: soldiers, the road to a flag, the guard of the own one, and fights."""

from __future__ import annotations

from collections.abc import Mapping

from astragal.core.language import noted
from astragal.core.rules import Heuristic
from astragal.games.egar.board import Ground, ground
from astragal.games.egar.field import wins
from astragal.games.egar.view import View

# In units of one soldier.
WIN, STEP, REACH, GATE = 30.0, 0.06, 3.0, 3
DIE = 6


class EgarHeuristic(Heuristic[View]):
    """Terms compare this seat with the others, the strongest threat of whom counts."""

    names: Mapping[str, str] = {
        "won": noted("the game is won"),
        "soldiers": noted("more soldiers"),
        "road": noted("closer to an enemy flag"),
        "guard": noted("the own flag is out of reach"),
        "fight": noted("good odds in a fight"),
    }

    def terms(self, v: View, seat: int) -> Mapping[str, float]:
        if v.won:
            return {"won": WIN / len(v.won) if seat in v.won else -WIN}
        others = [other for other, army in enumerate(v.armies) if army and other != seat]
        if not v.armies[seat] or not others:
            return {"won": -WIN}
        here = ground(v.options.board)
        mine = _road(v, here, seat)
        danger = min(_way_to(v, here, other, v.flags[seat]) for other in others)
        return {
            "soldiers": len(v.armies[seat]) - sum(len(v.armies[other]) for other in others) / len(others),
            "road": _pull(mine, ahead=v.mover == seat and v.phase in ("move", "roll")),
            "guard": -_pull(danger, ahead=True),
            "fight": _fight(v, seat),
        }


def _pull(steps: int, *, ahead: bool) -> float:
    """What being so many steps from a flag is worth: each step a little, and within a die's reach much more."""
    near = max(0, DIE + 1 - steps) / DIE
    return (REACH if ahead else REACH / 2) * near - STEP * steps


def _road(v: View, here: Ground, seat: int) -> int:
    """Steps from this seat's best soldier to the nearest flag it may take."""
    goals = [flag for other, flag in enumerate(v.flags) if other != seat and flag]
    return min(_way_to(v, here, seat, flag) for flag in goals)


def _way_to(v: View, here: Ground, seat: int, flag: str) -> int:
    """Steps from a seat's soldiers to a flag's square; more where every side of it is held."""
    goal = here.number[flag]
    far = here.far[goal]
    steps = min(far[here.number[square]] for square in v.armies[seat])
    own = set(v.armies[seat])
    held = {square for army in v.armies for square in army} - own
    shut = all(here.names[side] in held for side in here.near[goal])
    return steps + (GATE if shut else 0)


def _fight(v: View, seat: int) -> float:
    """What a fight that is being fought promises: a soldier won or lost."""
    if v.clash is None:
        return 0.0
    chance = float(wins(v.clash.dice, v.clash.thrown, v.clash.best))
    gain = 1 / max(1, len(v.armies) - 1)  # with several enemies, one soldier less hurts only one of them
    expected = chance * gain - (1 - chance)
    if v.mover == seat:
        return expected
    return -expected if v.clash.target in v.armies[seat] else 0.0
