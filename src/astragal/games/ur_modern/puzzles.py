"""What puzzles of the modern game are about: what the best action gives up or gains beside the obvious one."""

from __future__ import annotations

from collections.abc import Mapping

from astragal.core.language import noted
from astragal.games.ur_modern.actions import Action, Place
from astragal.games.ur_modern.board import ground
from astragal.games.ur_modern.moves import After, actions
from astragal.games.ur_modern.state import State, scene_of

KINDS: Mapping[str, str] = {
    "sacrifice": noted("a fortress given up"),
    "delay": noted("a fortress passed by"),
    "spare": noted("a capture passed by"),
    "ishtar": noted("the Field of Ishtar"),
    "strike": noted("an unexpected capture"),
    "storm": noted("an unexpected fortress"),
    "reserve": noted("a new piece placed"),
    "quiet": noted("the quiet move"),
}


def kind(s: State, best: Action, tempting: Action) -> str:
    """The first of KINDS that fits."""
    scene = scene_of(s)
    assert scene is not None  # somebody has to choose
    land = ground(s.options.layout)
    after = actions(scene)
    one, other = after[best], after[tempting]

    def held(left: After) -> int:
        return len(left.mine & land.fortresses)

    if held(one) < len(scene.mine & land.fortresses):
        return "sacrifice"
    if held(one) < held(other):
        return "delay"
    if len(one.theirs) > len(other.theirs):
        return "spare"
    if land.ishtar in one.mine and land.ishtar not in other.mine:
        return "ishtar"
    if len(one.theirs) < len(other.theirs):
        return "strike"
    if held(one) > held(other):
        return "storm"
    if isinstance(best, Place) and not isinstance(tempting, Place):
        return "reserve"
    return "quiet"
