"""Every action of a position of the modern game, found by walking each piece square by square.

A position is seen from the side to act: `mine` and `theirs`. Two ways of doing the same are one action (UM-10): what
counts is who stands where afterwards and whether another turn follows, and of several ways the simplest is kept.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache

from msgspec import Struct

from astragal.games.ur_modern.actions import Action, Hop, Move, Pass, Place, Tips
from astragal.games.ur_modern.board import Ground, Layout, LayoutName, ground

Squares = frozenset[str]


class Scene(Struct, frozen=True):
    """All that decides what a side may do."""

    layout: LayoutName | Layout
    placing_captures: bool
    seat: int
    tips: Tips
    mine: Squares
    theirs: Squares
    pool: int


class After(Struct, frozen=True):
    """What an action leaves: who stands where, and whether the same side goes on (UM-16) or has won (UM-2)."""

    mine: Squares
    theirs: Squares
    again: bool
    won: bool


@lru_cache(maxsize=1024)
def actions(scene: Scene) -> dict[Action, After]:
    """What each legal action leads to, in a fixed order: placings, moves of one piece, moves of two."""
    chosen: dict[After, Action] = {}
    for action, after in (*_placings(scene), *_moves(scene)):
        chosen.setdefault(after, action)
    if not chosen:
        chosen[After(scene.mine, scene.theirs, again=False, won=False)] = Pass()
    return {action: after for after, action in chosen.items()}


def protected(land: Ground, square: str, owner: int, pieces: Squares) -> str | None:
    """The id of the rule that protects the owner's piece on a square, if one does."""
    if len(pieces) == 1 and square == land.entrance[owner]:
        return "UM-14"
    if square in land.fortresses and land.ishtar in pieces:
        return "UM-15"
    return None


def reach(land: Ground, tips: Tips, mine: Squares) -> int:
    """How far one piece may go (UM-6, UM-7, UM-18)."""
    if tips in ("silver", "gold") and land.heaven <= mine:
        return 3
    return {"blank": 0, "one": 1}.get(tips, 2)


def placing_squares(land: Ground, scene: Scene) -> dict[str, str]:
    """Where the throw lets a piece be placed, each with the rule that says so."""
    squares = {land.entrance[scene.seat]: "UM-5"}
    special = {"mixed": land.kingdom, "silver": (land.ishtar,), "gold": (land.marduk,)}
    for square in special.get(scene.tips, ()):
        squares.setdefault(square, "UM-8")
    if scene.tips == "blank":
        beside = {near for square in scene.mine for near in land.neighbours[square]}
        for square in sorted(beside - scene.mine - scene.theirs):
            squares.setdefault(square, "UM-9")
    return squares


def _placings(scene: Scene) -> Iterator[tuple[Action, After]]:
    land = ground(scene.layout)
    if not scene.pool:  # UM-21
        return
    for square, rule in placing_squares(land, scene).items():
        if square in scene.mine:
            continue
        if square in scene.theirs:
            if protected(land, square, 1 - scene.seat, scene.theirs):
                continue
            if rule == "UM-8" and not scene.placing_captures:  # UM-13
                continue
        mine = scene.mine | {square}
        yield Place(square), After(mine, scene.theirs - {square}, again=False, won=land.fortresses <= mine)


def _moves(scene: Scene) -> Iterator[tuple[Action, After]]:
    land = ground(scene.layout)
    furthest = reach(land, scene.tips, scene.mine)
    for start in sorted(scene.mine):
        for hop, theirs in walks(land, scene, scene.mine, scene.theirs, start, furthest):
            yield Move((hop,)), result(land, scene.mine - {start} | {hop.end}, theirs, hop)
    if furthest < 2:
        return
    for start in sorted(scene.mine):
        for first, theirs in walks(land, scene, scene.mine, scene.theirs, start, 1):
            mine = scene.mine - {start} | {first.end}
            if land.fortresses <= mine:  # UM-2: the rest lapses, so this is a move of one piece
                continue
            for other in sorted(scene.mine - {start}):
                for second, left in walks(land, scene, mine, theirs, other, 1):
                    yield Move((first, second)), result(land, mine - {other} | {second.end}, left, first, second)


def result(land: Ground, mine: Squares, theirs: Squares, *hops: Hop) -> After:
    """What these hops have led to."""
    won = land.fortresses <= mine
    return After(mine, theirs, again=not won and any(hop.end in land.fortresses for hop in hops), won=won)


def walks(
    land: Ground, scene: Scene, mine: Squares, theirs: Squares, start: str, furthest: int
) -> Iterator[tuple[Hop, Squares]]:
    """Every way one piece can go and stop, with the enemies that are left then."""
    goes_on = land.earth <= scene.mine  # UM-17, judged when the action begins
    others = mine - {start}

    def walk(
        square: str, path: tuple[str, ...], taken: tuple[str, ...], enemies: Squares
    ) -> Iterator[tuple[Hop, Squares]]:
        for near in land.neighbours[square]:
            if near in path:  # UM-10
                continue
            left, captured = enemies, taken
            if near in enemies:
                if protected(land, near, 1 - scene.seat, enemies):
                    continue
                left, captured = enemies - {near}, (*taken, near)
            if near not in others:  # UM-11: own pieces may be passed, not joined
                yield Hop(start, near, tuple(other for other in captured if other != near)), left
                if land.fortresses <= others | {near}:  # UM-2: won, the rest of the way lapses
                    continue
            stopped = near in enemies and not goes_on  # UM-12
            if len(path) < furthest and not stopped:
                yield from walk(near, (*path, near), captured, left)

    if furthest:
        yield from walk(start, (start,), (), theirs)
