"""A guess at how an army of EGAR stands: its soldiers, its road to a flag, its own flag, and whose turn it is.

Whoever enters any flag wins, so what others can do to each other counts as well: in `strike`, `threat` and `road` a
seat is compared with the best of the others, in everything else with their average.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache
from math import log

from msgspec import Struct

from astragal.core.language import noted
from astragal.core.rules import Heuristic
from astragal.core.weights import load
from astragal.games.egar.board import COLUMNS, DATA, Board, BoardName, ground, name
from astragal.games.egar.cards import LEVELS
from astragal.games.egar.combat import odds, wins
from astragal.games.egar.options import Options
from astragal.games.egar.quiz import levels_of
from astragal.games.egar.view import View

DIE = 6
FAR = 24  # no two squares are further apart
NEAR = 3  # steps from the own flag within which a soldier guards it
OWN_WRONG = (0.4, 0.5, 0.6)  # how often a seat that answers itself is thought to be wrong, by level

# Squares as places of bits, a rim around them: one row up is 16 more. So a set of squares is a number.
ROW = 16
PLACE = {name(column, row): ROW * (row + 1) + column + 1 for row in range(13) for column in range(len(COLUMNS))}
SIDES = (-ROW, -1, 1, ROW)
# What an attack with so many soldiers wins on average, in soldiers.
GAIN = (0.0, *(float(2 * odds(soldiers) - 1) for soldiers in range(1, 5)))


class EgarHeuristic(Heuristic[View]):
    """Features compare this seat with the others that are left."""

    names: Mapping[str, str] = {
        "result": noted("the game is won"),
        "rivals": noted("fewer rivals"),
        "soldiers": noted("more soldiers"),
        "balance": noted("the larger army"),
        "turn": noted("the next roll"),
        "question": noted("the next question goes to another"),
        "strike": noted("a flag within the next roll"),
        "threat": noted("a flag within a later roll"),
        "road": noted("closer to an enemy flag"),
        "second": noted("a second soldier on the way"),
        "invaders": noted("soldiers around an enemy flag"),
        "guards": noted("soldiers around the own flag"),
        "gates": noted("the sides of the own flag are held"),
        "closed": noted("the own flag is out of reach"),
        "assault": noted("enemies to attack with several soldiers now"),
        "flanks": noted("enemies between several soldiers"),
    }
    weights: Mapping[str, float] = load(DATA / "weights.toml", names)

    def features(self, v: View, seat: int) -> Mapping[str, float]:
        if v.won or not v.armies[seat]:
            share = 1 / len(v.won) if seat in v.won else 0.0
            return {**dict.fromkeys(self.names, 0.0), "result": 2 * share - 1}
        if v.clash is None:
            return _compare(v, seat, "")
        # A fight is worth the average of how it can end.
        chance = float(wins(v.clash.dice, v.clash.thrown, v.clash.best))
        good, bad = _compare(v, seat, v.clash.target), _compare(v, seat, v.clash.risk)
        return {feature: chance * good[feature] + (1 - chance) * bad[feature] for feature in self.names}


class Standing(Struct):
    """How one army stands, apart from the others."""

    soldiers: int
    first: int  # steps from the foremost soldier to a flag, and from the next
    second: int
    strike: float  # the chance to enter a flag with the next roll, where that is this seat's
    threat: float  # and with a later one
    invaders: float
    guards: int
    gates: float


class Field:
    """The table of a view in numbers, with one soldier left out, and who is next to do what."""

    def __init__(self, v: View, fallen: str) -> None:
        self.v = v
        self.armies = [[PLACE[square] for square in army if square != fallen] for army in v.armies]
        self.living = [seat for seat, army in enumerate(v.armies) if army]
        self.flags = [PLACE[flag] if flag else 0 for flag in v.flags]
        lots = v.phase == "lots"
        # Who is asked next, who rolls next, and who attacks next.
        self.asked = -1 if lots else self._after(v.mover)
        self.roller = v.mover if v.phase in ("roll", "move") else self.asked
        self.attacker = v.mover if v.phase in ("roll", "move", "attack", "fight") else self.asked

    def _after(self, seat: int) -> int:
        players = len(self.armies)
        return next((seat + n) % players for n in range(1, players + 1) if (seat + n) % players in self.living)

    def standing(self, seat: int) -> Standing:
        army, flag, v = self.armies[seat], self.flags[seat], self.v
        goals = [goal for other, goal in enumerate(self.flags) if goal and other != seat]
        far = [min(_apart(goal, square) for goal in goals) for square in army]
        first, second, *_ = sorted((*far, FAR, FAR))
        points = v.points if v.mover == seat else 0
        steps = self._way(seat, goals, DIE + points) if first <= DIE + points else FAR
        strike = threat = 0.0
        if seat != self.roller or points:
            threat = _within(steps - points)
        if seat == self.roller:
            strike = _within(steps) if not points else float(steps <= points)
        sides = [flag + side for side in SIDES if flag + side in _squares(v.options.board)]
        return Standing(
            soldiers=len(army),
            first=max(1, first - points),
            second=second,
            strike=strike,
            threat=threat if not strike else 0.0,
            invaders=sum(_within(steps) for steps in far),
            guards=sum(_apart(flag, square) <= NEAR for square in army),
            gates=sum(side in army for side in sides) / len(sides),
        )

    def _way(self, seat: int, goals: list[int], most: int) -> int:
        """Steps of a seat to the nearest of these flags, around everything in the way; FAR if more than `most`."""
        mine = _bits(self.armies[seat])
        free = _bits(_squares(self.v.options.board)) & ~_bits([square for army in self.armies for square in army])
        if not self.v.options.own_flag_open:
            free &= ~_bits([self.flags[seat]])
        reached = _bits(goals) & free
        for steps in range(1, most + 1):
            around = reached << 1 | reached >> 1 | reached << ROW | reached >> ROW
            if around & mine:
                return steps
            reached |= around & free
        return FAR

    def gain(self, seat: int, enemy: int) -> float:
        """What the attacks that a seat has on an enemy win, in soldiers."""
        mine = self.armies[seat]
        return sum(GAIN[sum(square + side in mine for side in SIDES)] for square in self.armies[enemy])


def _compare(v: View, seat: int, fallen: str) -> dict[str, float]:
    field = Field(v, fallen)
    others = [other for other in field.living if other != seat]
    many = len(others)
    mine, theirs = field.standing(seat), [field.standing(other) for other in others]
    soldiers = sum(their.soldiers for their in theirs) / many
    risk = _risk(field)
    gains = sum(field.gain(seat, other) for other in others)
    losses = {other: field.gain(other, seat) for other in others}
    attacks = seat == field.attacker
    later = sum(loss for other, loss in losses.items() if other != field.attacker)
    return {
        "result": 0.0,
        "rivals": -log(many),
        "soldiers": mine.soldiers - soldiers,
        "balance": (mine.soldiers - soldiers) / (mine.soldiers + soldiers),
        "turn": 0.0 if field.roller < 0 else 1.0 if field.roller == seat else -1 / many,
        "question": -risk if field.asked == seat else risk / many,
        "strike": mine.strike - max(their.strike for their in theirs),
        "threat": mine.threat - max(their.threat for their in theirs),
        "road": (min(their.first for their in theirs) - mine.first) / 10,
        "second": (sum(their.second for their in theirs) / many - mine.second) / 10,
        "invaders": mine.invaders - sum(their.invaders for their in theirs) / many,
        "guards": (mine.guards - sum(their.guards for their in theirs) / many) / 4,
        "gates": mine.gates - sum(their.gates for their in theirs) / many,
        "closed": (mine.gates == 1) - sum(their.gates == 1 for their in theirs) / many,
        "assault": gains if attacks else -losses.get(field.attacker, 0.0),
        "flanks": (0.0 if attacks else gains) - later,
    }


def _risk(field: Field) -> float:
    """How likely the seat that is asked next loses a soldier by it."""
    v = field.v
    if field.asked < 0:
        return 0.0
    if v.phase == "pick":
        return 1.0
    known = v.question.level if v.question else None
    levels = levels_of(v.options) if known is None else (known,)
    return max(wrong(v.options, field.asked)[LEVELS.index(level)] for level in levels)


def wrong(options: Options, seat: int) -> tuple[float, ...]:
    """How likely a seat answers wrong, for each level."""
    skill = options.skill_of(seat)
    return OWN_WRONG if skill == "own" else tuple(1 - percent / 100 for percent in skill)


def _within(steps: int) -> float:
    """The chance that one die shows at least so many."""
    return max(0, min(DIE, DIE + 1 - steps)) / DIE


def _apart(one: int, other: int) -> int:
    return abs(one // ROW - other // ROW) + abs(one % ROW - other % ROW)


def _bits(squares: list[int] | frozenset[int]) -> int:
    bits = 0
    for square in squares:
        bits |= 1 << square
    return bits


@lru_cache(maxsize=64)
def _squares(board: BoardName | Board) -> frozenset[int]:
    return frozenset(PLACE[square] for square in ground(board).names)
