"""How players write actions of the modern game: `+b1`, `a1-b1`, `a1xb1-b2`, `a1-a2+c1-c2`, `pass`, `claim-draw`.

What is typed need not be the one form the program writes: `x` or `-` before the last square, two moves in the other
order, and a longer way to the same result all mean the same action.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from astragal.core.language import say
from astragal.core.types import PASS, BadNotation, IllegalAction
from astragal.games.ur_modern.actions import LOTS, THROWS, Action, ClaimDraw, Hop, Move, Pass, Place
from astragal.games.ur_modern.board import SQUARES, ground
from astragal.games.ur_modern.moves import After, Scene, actions, result, walks
from astragal.games.ur_modern.state import State, scene_of

if TYPE_CHECKING:
    from astragal.games.ur_modern.rules import UrModernRules

_SQUARE = "[abc][1-8]"
_HOP = re.compile(rf"({_SQUARE})((?:x{_SQUARE})*)[-x ]({_SQUARE})")
_FIXED: dict[str, Action] = {
    PASS: Pass(),
    "claim-draw": ClaimDraw(),
    **{str(lots): lots for lots, _ in LOTS},
    **{str(throw): throw for throw, _ in THROWS},
}


def decode(rules: UrModernRules, s: State, text: str) -> Action:
    """The action this text means here. Raises BadNotation or IllegalAction."""
    words = " ".join(text.lower().split())
    action = _read(words)
    if action is None:
        examples = "+b1, a1-b1, a1xb1-b2, a1-a2+c1-c2, pass"
        raise BadNotation(
            say("{text!r} is not a move; write one such as {examples}", text=text[:40], examples=examples)
        )
    if isinstance(action, Move):
        action = _as_written(s, action)
    rules.apply(s, action)
    return action


def _read(words: str) -> Action | None:
    if words in _FIXED:
        return _FIXED[words]
    if re.fullmatch(rf"\+{_SQUARE}", words):
        return Place(words[1:]) if words[1:] in SQUARES else None
    hops = []
    for part in re.split(r" ?\+ ?", words):
        parts = _HOP.fullmatch(part)
        if parts is None:
            return None
        hops.append(Hop(parts[1], parts[3], tuple(parts[2].split("x")[1:])))
    if not 1 <= len(hops) <= 2 or any(
        square not in SQUARES for hop in hops for square in (hop.start, hop.end, *hop.takes)
    ):
        return None
    return Move(tuple(hops))


def _as_written(s: State, typed: Move) -> Action:
    """The action with the same result in the form the program writes it; as typed if there is none."""
    scene = scene_of(s)
    if scene is None:
        raise IllegalAction("UM-4", say("nothing can be done before the dice are thrown"))
    known = actions(scene)
    if typed in known:
        return typed
    for hops in (typed.hops, typed.hops[::-1]):
        after = _play(scene, hops)
        for action, outcome in known.items():
            if after == outcome and isinstance(action, Move):
                return action
    return typed


def _play(scene: Scene, hops: tuple[Hop, ...]) -> After | None:
    """What these hops lead to if each can be walked, two of them one square each."""
    land = ground(scene.layout)
    mine, theirs = scene.mine, scene.theirs
    far = 3 if len(hops) == 1 else 1
    for n, hop in enumerate(hops):
        if hop.start not in mine or (n and hop.start == hops[0].end):
            return None
        for walked, left in walks(land, scene, mine, theirs, hop.start, far):
            if walked.end == hop.end and set(walked.takes) == set(hop.takes):
                mine, theirs = mine - {hop.start} | {hop.end}, left
                break
        else:
            return None
    return result(land, mine, theirs, *hops)
