"""The modern game over arrays: how its structs become the numbers of `layout`. `kernels` has the rules themselves."""

from __future__ import annotations

from collections.abc import Iterable
from functools import lru_cache
from itertools import chain, combinations, product
from math import comb

import numpy as np

from astragal.core.fast import Array, Fast, Kernels
from astragal.games.ur_modern import kernels
from astragal.games.ur_modern import layout as at
from astragal.games.ur_modern.actions import LOTS, THROWS, Action, Hop, Move, Pass, Place
from astragal.games.ur_modern.board import SQUARES, Ground, ground
from astragal.games.ur_modern.kernels_features import features
from astragal.games.ur_modern.kernels_observe import OBSERVATION, observe
from astragal.games.ur_modern.options import Options
from astragal.games.ur_modern.state import State

INDEX = {square: index for index, square in enumerate(SQUARES)}
TIPS = tuple(throw.tips for throw, _ in THROWS)
FIELDS = (0, at.END, at.THIRD, at.FOURTH)
MOST_STEPS = 3  # of one piece (UM-18)


class UrModernFast(Fast[State, Action]):
    """The modern game under these options."""

    source = Kernels(kernels.turn, kernels.legal, kernels.chance, kernels.step, kernels.returns, features, observe)
    observation = OBSERVATION
    players = 2
    actions = at.ACTIONS
    outcomes = at.OUTCOMES

    def __init__(self, options: Options, players: int) -> None:
        assert players == self.players
        self.options = options
        self.tables = tables(options)
        self.most = int(self.tables[at.MOST])

    @property
    def room(self) -> int:
        return at.HEADS + 3 * self.most

    @property
    def decisions(self) -> Array:
        return decisions(ground(self.options.layout))

    def words(self, s: State) -> list[int]:
        seat, tips = -1 if s.seat is None else s.seat, -1 if s.tips is None else TIPS.index(s.tips)
        return [*(_mask(squares) for squares in s.squares), seat, tips, int(s.drawn)]

    def action(self, packed: Array, number: int) -> Action:
        if packed[at.TIPS] < 0:
            return THROWS[number - at.THROW][0] if number >= at.THROW else LOTS[number - at.LOTS][0]
        if number < at.MOVE:
            return Pass() if number == at.PASS else Place(SQUARES[number - at.PLACE])
        code = number - at.MOVE
        start, end, third, fourth = (code >> place & 31 for place in FIELDS)
        hop = SQUARES[start], SQUARES[end]
        if code >> at.TWO:
            return Move((Hop(*hop), Hop(SQUARES[third], SQUARES[fourth])))
        return Move((Hop(*hop, tuple(SQUARES[taken - 1] for taken in (third, fourth) if taken)),))


def _mask(squares: Iterable[str]) -> int:
    return sum(1 << INDEX[square] for square in squares)


@lru_cache(maxsize=64)
def tables(options: Options) -> Array:
    """What the kernels know of the options, by the places named in `layout`."""
    land = ground(options.layout)
    tables = np.zeros(at.TABLES, dtype=np.int64)
    tables[at.PIECES], tables[at.CAPTURES] = options.pieces, options.placing_captures
    tables[at.MOST] = _most(land, options.pieces)
    tables[at.EARTH], tables[at.HEAVEN], tables[at.FORTRESSES] = map(_mask, (land.earth, land.heaven, land.fortresses))
    tables[at.ISHTAR] = _mask([land.ishtar])
    tables[at.ENTRANCE : at.NEIGHBOURS] = [_mask([square]) for square in land.entrance]
    neighbours = np.array([_mask(land.neighbours[square]) for square in SQUARES])
    tables[at.NEIGHBOURS : at.SPECIALS] = neighbours
    specials = np.full((len(TIPS), 3), at.SQUARES)
    for row, squares in ((at.MIXED, land.kingdom), (at.SILVER, (land.ishtar,)), (at.GOLD, (land.marduk,))):
        specials[row, : len(squares)] = [INDEX[square] for square in squares]
    tables[at.SPECIALS : at.SPREAD] = specials.ravel()
    halves = neighbours.reshape(2, at.HALF)
    sets = (np.arange(1 << at.HALF)[:, None] >> np.arange(at.HALF)) & 1  # a row a set
    tables[at.SPREAD : at.RINGS] = np.bitwise_or.reduce(sets * halves[:, None, :], axis=2).ravel()
    tables[at.RINGS :] = [number for goal in sorted(land.fortresses) for number in _ring(land, goal)]
    return tables


def decisions(land: Ground) -> Array:
    """The numbers of all actions that this layout allows in some position, and of a few that it never does."""
    found = {at.PASS, *range(at.PLACE, at.MOVE)}
    hops = [(INDEX[start], INDEX[near]) for start in SQUARES for near in land.neighbours[start]]
    for (start, end), (other, stop) in product(hops, hops):
        if other not in (start, end) and stop != end:
            found.add(at.MOVE + (1 << at.TWO) + (start | end << at.END | other << at.THIRD | stop << at.FOURTH))
    paths: list[tuple[int, ...]] = [(start,) for start in range(len(SQUARES))]
    for _ in range(MOST_STEPS):
        paths = [(*path, near) for path in paths for begin, near in hops if begin == path[-1] and near not in path]
        for path in paths:
            start, between, end = path[0], path[1:-1], path[-1]
            for taken in chain.from_iterable(combinations(between, count) for count in range(len(between) + 1)):
                takes = sum(square + 1 << place for square, place in zip(taken, FIELDS[2:], strict=False))
                found.add(at.MOVE + (start | end << at.END | takes))
    return np.array(sorted(found))


def _ring(land: Ground, goal: str) -> list[int]:
    """A fortress: its mask, its steps from each side's pool, and what is within 1, 2, ... steps of it."""
    steps, edge, far = {goal: 0}, {goal}, 0
    while edge:
        far += 1
        edge = {near for square in edge for near in land.neighbours[square]} - steps.keys()
        steps |= dict.fromkeys(edge, far)
    within = [_mask(square for square in SQUARES if steps[square] <= far) for far in range(1, len(SQUARES) + 1)]
    return [_mask([goal]), *(steps[entrance] + 1 for entrance in land.entrance), *within]


def _most(land: Ground, pieces: int) -> int:
    """So many actions no position exceeds: counted are placings, and of moves the ways or the results, if fewer."""
    ways = {square: [0] * 4 for square in SQUARES}  # by steps
    for start in SQUARES:
        paths: list[tuple[str, ...]] = [(start,)]
        for steps in (1, 2, 3):
            paths = [(*path, near) for path in paths for near in land.neighbours[path[-1]] if near not in path]
            ways[start][steps] = len(paths)
    alone = sorted((sum(ends) for ends in ways.values()), reverse=True)[:pieces]
    together = sorted((ends[1] for ends in ways.values()), reverse=True)[:pieces]
    ends, taken = len(SQUARES) - 1, 1 + pieces + comb(pieces, 2)  # on the way at most two are taken
    results = comb(pieces, 2) * comb(len(SQUARES), 2)  # of two pieces
    results += 2 * pieces * ends  # where the second takes the place of the first, another turn may follow or not
    return len(SQUARES) + min(sum(alone), pieces * ends * taken) + min(sum(together) ** 2, results)
