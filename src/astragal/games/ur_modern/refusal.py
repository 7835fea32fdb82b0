"""Why an action of the modern game is refused: the rule it breaks, and a sentence that says how.

`moves` decides what is legal. This module is only asked about what is not, to explain it.
"""

from __future__ import annotations

from astragal.core.language import say
from astragal.core.types import IllegalAction
from astragal.games.ur_modern.actions import Action, Hop, Move, Place
from astragal.games.ur_modern.board import SQUARES, Ground, ground
from astragal.games.ur_modern.moves import Scene, placing_squares, protected, reach


def why_not(scene: Scene, a: Action) -> IllegalAction:
    """The reason why `a` is not among the actions of this scene."""
    land = ground(scene.layout)
    if isinstance(a, Place):
        return _placing(land, scene, a)
    if isinstance(a, Move):
        return _move(land, scene, a)
    return IllegalAction("UM-19", say("something can be done, so passing is not allowed"))


def _placing(land: Ground, scene: Scene, a: Place) -> IllegalAction:
    square = a.square
    if not scene.pool:
        return IllegalAction("UM-21", say("no piece is left in the pool"))
    allowed = placing_squares(land, scene)
    if square not in allowed:
        if scene.tips == "blank":
            return IllegalAction("UM-9", say("{square} is not an empty square next to your pieces", square=square))
        return IllegalAction("UM-8", say("this throw does not let you place on {square}", square=square))
    if square in scene.mine:
        return IllegalAction(allowed[square], say("your own piece is on {square}", square=square))
    rule = protected(land, square, 1 - scene.seat, scene.theirs)
    if rule:
        return IllegalAction(rule, say("the piece on {square} is protected", square=square))
    return IllegalAction("UM-13", say("placing does not take pieces here: {square} is held", square=square))


def _move(land: Ground, scene: Scene, a: Move) -> IllegalAction:
    far = reach(land, scene.tips, scene.mine)
    if far == 0:
        return IllegalAction("UM-9", say("with two blanks no piece moves"))
    if len(a.hops) > 1 and (far < 2 or len(a.hops) > 2):
        return IllegalAction("UM-6" if far < 2 else "UM-7", say("this throw does not move so many pieces"))
    for hop in a.hops:
        refusal = _hop(land, scene, hop, far if len(a.hops) == 1 else 1)
        if refusal:
            return refusal
    if len(a.hops) == 2 and a.hops[0].start == a.hops[1].start:
        return IllegalAction("UM-7", say("the two moves must be made by different pieces"))
    return IllegalAction(
        "UM-10", say("{move} is not possible here in this order, or is another move written differently", move=str(a))
    )


def _hop(land: Ground, scene: Scene, hop: Hop, far: int) -> IllegalAction | None:
    if hop.start not in scene.mine:
        return IllegalAction("UM-6", say("you have no piece on {square}", square=hop.start))
    if hop.end not in SQUARES:
        return IllegalAction("UM-10", say("{square!r} is not a square of the board", square=hop.end))
    if hop.end == hop.start:
        return IllegalAction("UM-19", say("a move of no squares is not a move"))
    if _distance(land, hop, frozenset(), far) is None:
        limit = "UM-6" if far == 1 else "UM-7"
        return IllegalAction(limit, say("{end} is too far from {start} for this throw", start=hop.start, end=hop.end))
    if hop.end in scene.mine:
        return IllegalAction("UM-11", say("your own piece is on {square}", square=hop.end))
    rule = protected(land, hop.end, 1 - scene.seat, scene.theirs) if hop.end in scene.theirs else None
    if rule:
        return IllegalAction(rule, say("the piece on {square} is protected", square=hop.end))
    if _distance(land, hop, scene.theirs - {hop.end}, far) is None:
        if any(square in scene.theirs for square in hop.takes):
            return IllegalAction("UM-12", say("a capture ends the movement unless you rule the Earth"))
        return IllegalAction("UM-11", say("an enemy piece stands in the way to {square}", square=hop.end))
    return None


def _distance(land: Ground, hop: Hop, blocked: frozenset[str], far: int) -> int | None:
    """How many steps lead from start to end round the blocked squares, if `far` are enough."""
    edge, seen = {hop.start}, {hop.start}
    for steps in range(1, far + 1):
        edge = {near for square in edge for near in land.neighbours[square]} - seen - blocked
        if hop.end in edge:
            return steps
        seen |= edge
    return None
