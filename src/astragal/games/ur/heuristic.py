"""A guess at how a side of Ur stands: how far its pieces are, how safe, and what the next throws may do."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from math import sqrt
from typing import NamedTuple

from astragal.core.language import noted
from astragal.core.rules import Heuristic
from astragal.core.weights import load
from astragal.games.ur.board import DATA, Track, track
from astragal.games.ur.rules import WEIGHTS
from astragal.games.ur.view import View

NAMES = {
    "result": noted("winning the game"),
    "home": noted("more pieces home"),
    "progress": noted("pieces further along"),
    "entered": noted("more pieces brought in"),
    "past": noted("more pieces past all danger"),
    "rosette": noted("a safe rosette on the common way"),
    "lead": noted("a lead in the race"),
    "capture": noted("more to take, less to lose with the next throw"),
    "capture_later": noted("more to take, less to lose with the throw after"),
    "again": noted("a better chance of another throw"),
    "again_later": noted("a better chance of another throw later"),
    "free": noted("more throws that can be used"),
    "free_later": noted("more throws that can be used later"),
    "turn": noted("the next throw"),
}
SOON = 0.3  # ways left to walk are never fewer than this, where the next throw is weighed


class UrHeuristic(Heuristic[View]):
    """All features are differences, mine less the other side's, so that what one side gains the other loses.

    Of what throws may do, those of the side to throw stand apart from those of the side that waits (`_later`).
    """

    names: Mapping[str, str] = NAMES
    weights: Mapping[str, float] = load(DATA / "weights.toml", NAMES)

    def features(self, v: View, seat: int) -> Mapping[str, float]:
        found = dict.fromkeys(self.names, 0.0)
        if v.winner is not None:
            return found | {"result": 1.0 if v.winner == seat else -1.0}
        ways, other = track(v.options.path), 1 - seat
        mine, theirs = _standing(v, ways, seat), _standing(v, ways, other)
        left = mine.needed + theirs.needed
        found |= {
            "home": float(v.home(seat) - v.home(other)),
            "progress": mine.walked - theirs.walked,
            "entered": float(v.pools[other] - v.pools[seat]),
            "past": float(mine.past - theirs.past),
            "rosette": float(mine.safe - theirs.safe),
            "lead": (theirs.needed - mine.needed) / left,
        }
        if v.opening is not None and len(v.opening) < 2:  # nobody has the next throw yet
            return found
        sign = 1 if v.mover == seat else -1
        for suffix, side, sense in (("", v.mover, sign), ("_later", 1 - v.mover, -sign)):
            for name, value in zip(("capture", "again", "free"), _prospects(v, ways, side), strict=True):
                found[name + suffix] = sense * value
        return found | {"turn": sign / sqrt(left + SOON)}


class Standing(NamedTuple):
    """Where a side's pieces are; lengths are counted in whole ways."""

    walked: float  # by the pieces on the board
    needed: float  # until all are home
    past: int  # pieces beyond all squares on which they can be taken
    safe: int  # pieces on rosettes that the enemy would walk on too


def _standing(v: View, ways: Track, seat: int) -> Standing:
    steps = _steps(v, ways, seat)
    walked = sum(steps) / ways.home
    last = max((step for step, met in enumerate(ways.meets[seat]) if met > 0), default=0)
    safe = [step for step, _ in ways.shared_rosettes[seat]] if v.options.safe_rosettes else []
    return Standing(
        walked,
        v.pools[seat] + len(steps) - walked,
        sum(step > last for step in steps),
        sum(step in safe for step in steps),
    )


def _prospects(v: View, ways: Track, seat: int) -> tuple[float, float, float]:
    """What a side's next throw may do, or the one it has: way taken from the enemy, another throw, any move."""
    falls = taken = again = free = 0
    enemies = set(_steps(v, ways, 1 - seat))
    for pips, weight in _throws(v, seat):
        falls += weight
        ends = list(_ends(v, ways, seat, pips))
        hits = [ways.meets[seat][end] for end in ends if ways.meets[seat][end] in enemies]
        rosette = v.options.rosette_throws and any(ways.rosette_at[seat][end] for end in ends)
        free += weight * bool(ends)
        again += weight * (rosette or (v.options.capture_throws and bool(hits)))
        taken += weight * max(hits, default=0)
    return taken / (falls * ways.home), again / falls, free / falls


def _throws(v: View, seat: int) -> Iterator[tuple[int, int]]:
    """The throws this side may have next, with their weights."""
    if v.throw is not None and v.mover == seat:
        yield v.throw, 1
    else:
        yield from ((throw.pips, weight) for throw, weight in WEIGHTS[v.options.dice])


def _ends(v: View, ways: Track, seat: int, pips: int) -> Iterator[int]:
    """The steps on which a move of this side by this throw could end."""
    mine, enemies = _steps(v, ways, seat), _steps(v, ways, 1 - seat)
    safe = [step for step, met in ways.shared_rosettes[seat] if met in enemies and v.options.safe_rosettes]
    for start in [*([0] if v.pools[seat] else []), *mine]:
        end = start + pips
        if pips and end <= ways.home and end not in mine and end not in safe:
            yield end


def _steps(v: View, ways: Track, seat: int) -> list[int]:
    return [ways.step_of[seat][square] for square in v.squares[seat]]
