"""A guess at how an army of EGAR stands: its soldiers, its road to a flag, and how safe its own flag is."""

from __future__ import annotations

from collections.abc import Mapping

from msgspec.structs import replace

from astragal.core.language import noted
from astragal.core.rules import Heuristic
from astragal.games.egar.board import Ground, ground
from astragal.games.egar.field import wins
from astragal.games.egar.view import View

# In units of one soldier: a win; a step on the way; a flag within one roll; and how far behind the first runner the
# second one counts.
WIN, STEP, REACH, SECOND = 30.0, 0.08, 3.0, 0.4
GATE = 3  # how many steps it is worth to hold every side of a flag
DIE = 6


class EgarHeuristic(Heuristic[View]):
    """Terms compare this seat with the others, the nearest threat of whom counts."""

    names: Mapping[str, str] = {
        "won": noted("the game is won"),
        "soldiers": noted("more soldiers"),
        "road": noted("closer to an enemy flag"),
        "guard": noted("the own flag is out of reach"),
    }

    def terms(self, v: View, seat: int) -> Mapping[str, float]:
        if v.clash is None:
            return _terms(v, seat)
        # A fight is worth the average of how it can end.
        chance = float(wins(v.clash.dice, v.clash.thrown, v.clash.best))
        good, bad = _terms(_without(v, v.clash.target), seat), _terms(_without(v, v.clash.risk), seat)
        return {
            term: chance * good.get(term, 0.0) + (1 - chance) * bad.get(term, 0.0)
            for term in self.names
            if term in good | bad
        }


def _without(v: View, fallen: str) -> View:
    armies = tuple(tuple([square for square in army if square != fallen]) for army in v.armies)
    return replace(v, armies=armies, clash=None)


def _terms(v: View, seat: int) -> dict[str, float]:
    if v.won:
        return {"won": WIN / len(v.won) if seat in v.won else -WIN}
    others = [other for other, army in enumerate(v.armies) if army and other != seat]
    if not v.armies[seat]:
        return {"won": -WIN}
    if not others:
        return {"won": WIN}
    here = ground(v.options.board)
    goals = [flag for other, flag in enumerate(v.flags) if other != seat and flag]
    first, second = min(_ways_to(v, here, seat, flag) for flag in goals)
    danger = min(_ways_to(v, here, other, v.flags[seat])[0] for other in others)
    mine = v.mover == seat and v.phase in ("move", "roll")
    return {
        "soldiers": len(v.armies[seat]) - sum(len(v.armies[other]) for other in others) / len(others),
        "road": _pull(first, soon=mine) - SECOND * STEP * second,
        "guard": -_pull(danger, soon=not mine),
    }


def _pull(steps: int, *, soon: bool) -> float:
    """What being so many steps from a flag is worth: each step a little, and within a die's reach much more."""
    near = max(0, DIE + 1 - steps) / DIE
    return (REACH if soon else REACH / 2) * near - STEP * steps


def _ways_to(v: View, here: Ground, seat: int, flag: str) -> tuple[int, int]:
    """Steps from a seat's two foremost soldiers to a flag's square; more where every side of it is held."""
    goal = here.number[flag]
    far = here.far[goal]
    first, *more = sorted([far[here.number[square]] for square in v.armies[seat]])
    held = {square for other, army in enumerate(v.armies) if other != seat for square in army}
    gate = GATE if all(here.names[side] in held for side in here.near[goal]) else 0
    return first + gate, (more[0] if more else 2 * max(far)) + gate
