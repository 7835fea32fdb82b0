"""The modern game over arrays: how its structs become numbers, and back. `kernels` has the rules themselves."""

from __future__ import annotations

from collections.abc import Iterable
from functools import lru_cache
from math import comb

import numpy as np

from astragal.core.fast import Array, Fast, Kernels
from astragal.games.ur_modern import kernels as k
from astragal.games.ur_modern import kernels_features as f
from astragal.games.ur_modern.actions import LOTS, THROWS, Action, ClaimDraw, Hop, Lots, Move, Pass, Place, Throw
from astragal.games.ur_modern.board import SQUARES, Ground, ground
from astragal.games.ur_modern.heuristic import distances
from astragal.games.ur_modern.options import Options
from astragal.games.ur_modern.state import State
from astragal.games.ur_modern.view import Habit, same_again

INDEX = {square: index for index, square in enumerate(SQUARES)}
TIPS = tuple(throw.tips for throw, _ in THROWS)
FIELDS = (0, k.END, k.THIRD, k.FOURTH)
Tables = tuple[Array, ...]


class UrModernFast(Fast[State, Action]):
    """See `kernels` for how a state and an action are packed."""

    owner = "ur-modern"
    kernels = Kernels(k.turn, k.legal, k.chance, k.step, k.returns, f.features)
    players = 2

    def __init__(self, options: Options, players: int) -> None:
        assert players == self.players
        self.options = options
        self.tables = _tables(options)
        self.most = int(self.tables[0][k.MOST])

    def pack(self, s: State) -> Array:
        return np.array(
            [
                *(_mask(squares) for squares in s.squares),
                -1 if s.seat is None else s.seat,
                -1 if s.tips is None else TIPS.index(s.tips),
                *(_habit_number(habit.last) for habit in s.habits),
                *(habit.times for habit in s.habits),
                s.claimable,
                s.drawn,
            ],
            dtype=np.int64,
        )

    def unpack(self, packed: Array) -> State:
        light, dark, seat, tips, *habits, claimable, drawn = packed.tolist()
        sides = _squares(light), _squares(dark)
        pieces = self.options.pieces
        return State(
            self.options,
            None if seat < 0 else seat,
            None if tips < 0 else TIPS[tips],
            (pieces - len(sides[0]), pieces - len(sides[1])),
            sides,
            (Habit(_habit_text(habits[0]), habits[2]), Habit(_habit_text(habits[1]), habits[3])),
            bool(claimable),
            bool(drawn),
        )

    def number(self, s: State, a: Action) -> int:
        return number(a)

    def action(self, number: int) -> Action:
        """The action or outcome of this number."""
        return action(number)


def number(a: Action) -> int:
    """The number of an action or outcome, the same in every position; a claim has one too."""
    match a:
        case Lots(seat):
            return k.LOTS + seat
        case Throw(tips):
            return k.THROW + TIPS.index(tips)
        case Pass():
            return k.PASS
        case ClaimDraw():
            return k.CLAIM
        case Place(square):
            return k.PLACE + INDEX[square]
        case Move((one,)):
            taken = (INDEX[square] + 1 for square in one.takes)
            return k.MOVE + _code(INDEX[one.start], INDEX[one.end], *taken)
        case Move((one, two)):
            return (
                k.MOVE + (1 << k.TWO) + _code(*(INDEX[square] for square in (one.start, one.end, two.start, two.end)))
            )
    raise AssertionError(a)


def _code(*fields: int) -> int:
    return sum(field << place for field, place in zip(fields, FIELDS, strict=False))


def action(number: int) -> Action:
    """The action or outcome of this number."""
    if number >= k.MOVE:
        return _move(number - k.MOVE)
    if number >= k.PLACE:
        return Place(SQUARES[number - k.PLACE])
    if number < k.PASS:
        return LOTS[number][0] if number < k.THROW else THROWS[number - k.THROW][0]
    return Pass() if number == k.PASS else ClaimDraw()


def _move(code: int) -> Move:
    start, end, third, fourth = (code >> place & 31 for place in FIELDS)
    if code >> k.TWO:
        return Move((Hop(SQUARES[start], SQUARES[end]), Hop(SQUARES[third], SQUARES[fourth])))
    return Move((Hop(SQUARES[start], SQUARES[end], tuple(SQUARES[taken - 1] for taken in (third, fourth) if taken)),))


@lru_cache(maxsize=4096)
def _habit_number(text: str) -> int:
    """The number that stands for a habit's text; 0 for none."""
    if not text:
        return 0
    if text[0] == "+":
        return k.PLACE + INDEX[text[1:]]
    hops = [INDEX[start] * k.SQUARES + INDEX[end] for start, end in (hop.split("-") for hop in text.split("+"))]
    return k.MOVE + (hops[0] if len(hops) == 1 else (hops[0] + 1) * k.SQUARES**2 + hops[1])


@lru_cache(maxsize=4096)
def _habit_text(number: int) -> str:
    """A habit's text again."""
    if number < k.MOVE:
        return same_again(Place(SQUARES[number - k.PLACE])) if number else ""
    pair, last = divmod(number - k.MOVE, k.SQUARES**2)
    hops = (divmod(hop, k.SQUARES) for hop in ((pair - 1, last) if pair else (last,)))
    return same_again(Move(tuple(Hop(SQUARES[one], SQUARES[other]) for one, other in hops)))


def _mask(squares: Iterable[str]) -> int:
    return sum(1 << INDEX[square] for square in squares)


def _squares(mask: int) -> tuple[str, ...]:
    return tuple(square for index, square in enumerate(SQUARES) if mask >> index & 1)


@lru_cache(maxsize=64)
def _tables(options: Options) -> Tables:
    """What the kernels know of the options."""
    land = ground(options.layout)
    masks = np.zeros(k.GROUND, dtype=np.int64)
    masks[k.PIECES], masks[k.CAPTURES] = options.pieces, options.placing_captures
    masks[k.MOST] = _most(land, options.pieces)
    masks[k.EARTH], masks[k.HEAVEN], masks[k.FORTRESSES] = map(_mask, (land.earth, land.heaven, land.fortresses))
    masks[k.ISHTAR] = _mask([land.ishtar])
    masks[k.ENTRANCE : k.ENTRANCE + 2] = [_mask([square]) for square in land.entrance]
    neighbours = np.array([_mask(land.neighbours[square]) for square in SQUARES])
    specials = np.full((len(TIPS), 3), -1)
    for row, squares in ((k.MIXED, land.kingdom), (k.SILVER, (land.ishtar,)), (k.GOLD, (land.marduk,))):
        specials[row, : len(squares)] = [INDEX[square] for square in squares]
    return masks, neighbours, specials, _spread(neighbours), _rings(options)


def _most(land: Ground, pieces: int) -> int:
    """So many actions no position exceeds: counted are placings, and of moves the ways or the results, if fewer."""
    ways = {square: [0] * 4 for square in SQUARES}  # by steps
    for start in SQUARES:
        paths: list[tuple[str, ...]] = [(start,)]
        for steps in (1, 2, 3):
            paths = [(*path, near) for path in paths for near in land.neighbours[path[-1]] if near not in path]
            ways[start][steps] = len(paths)
    alone = sorted((sum(found) for found in ways.values()), reverse=True)[:pieces]
    together = sorted((found[1] for found in ways.values()), reverse=True)[:pieces]
    ends, taken = len(SQUARES) - 1, 1 + pieces + comb(pieces, 2)  # on the way at most two are taken
    results = comb(pieces, 2) * comb(len(SQUARES), 2)  # of two pieces
    results += 2 * pieces * ends  # where the second takes the place of the first, another turn may follow or not
    return len(SQUARES) + min(sum(alone), pieces * ends * taken) + min(sum(together) ** 2, results)


def _spread(neighbours: Array) -> Array:
    """For each set of squares in the lower and the upper half of the board, all their neighbours."""
    halves = neighbours.reshape(2, f.HALF)
    sets = (np.arange(f.LOW + 1)[:, None] >> np.arange(f.HALF)) & 1  # a row a set
    return np.asarray(np.bitwise_or.reduce(sets * halves[:, None, :], axis=2))


def _rings(options: Options) -> Array:
    """A row a fortress: its mask, its steps from each side's pool, and from place 3 what is within 1, 2, ... steps."""
    land, steps = ground(options.layout), distances(options.layout)
    rows = []
    for goal in sorted(land.fortresses):
        within = [
            _mask(square for square in SQUARES if steps[goal][square] <= far) for far in range(1, len(SQUARES) + 1)
        ]
        rows.append([_mask([goal]), *(steps[goal][entrance] + 1 for entrance in land.entrance), *within])
    return np.array(rows)
