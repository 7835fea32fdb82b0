"""What puzzles of Ur are about: what the best move gives up or gains beside the obvious one."""

from __future__ import annotations

from collections.abc import Mapping

from astragal.core.language import noted
from astragal.games.ur.actions import IN, OFF, Action, Move
from astragal.games.ur.board import Track, track
from astragal.games.ur.rules import State

KINDS: Mapping[str, str] = {
    "rosette": noted("a rosette passed by"),
    "spare": noted("a capture passed by"),
    "sacrifice": noted("a safe rosette given up"),
    "block": noted("a rosette held"),
    "strike": noted("an unexpected capture"),
    "foothold": noted("an unexpected rosette"),
    "rosettes": noted("which rosette"),
    "race": noted("the race home"),
    "reserve": noted("a new piece brought in"),
    "quiet": noted("the quiet move"),
}


def kind(s: State, best: Action, tempting: Action) -> str:
    """The first of KINDS that fits."""
    assert isinstance(best, Move)  # where there is a choice, it is between moves
    assert isinstance(tempting, Move)
    ways = track(s.options.path)
    one, other = _traits(s, ways, best), _traits(s, ways, tempting)
    if other["rosette"] and not one["rosette"]:
        return "rosette"
    if other["capture"] and not one["capture"]:
        return "spare"
    if one["leaves"] and not other["leaves"]:
        return "sacrifice"
    if other["leaves"] and not one["leaves"]:
        return "block"
    if one["capture"] and not other["capture"]:
        return "strike"
    if one["rosette"]:
        return "rosettes" if other["rosette"] else "foothold"
    if one["home"] or other["home"] or one["past"]:
        return "race"
    if one["enters"]:
        return "reserve"
    return "quiet"


def _traits(s: State, ways: Track, move: Move) -> dict[str, bool]:
    """What a move does."""
    step, target = ways.step_of[s.seat][move.start], ways.step_of[s.seat][move.end]
    common = any(met > 0 for met in ways.meets[s.seat][step:])
    return {
        "rosette": ways.rosette_at[s.seat][target],
        "capture": ways.meets[s.seat][target] in s.on[1 - s.seat],
        "leaves": ways.rosette_at[s.seat][step] and ways.meets[s.seat][step] > 0,
        "home": move.end == OFF,
        "past": not common,  # the piece stands beyond all squares that the enemy walks on
        "enters": move.start == IN,
    }
