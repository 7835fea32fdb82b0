"""Ur as arrays: how its states, actions and boards become the numbers of `layout`."""

from __future__ import annotations

from collections.abc import Iterable
from functools import lru_cache

import numpy as np

from astragal.core.fast import Array, Fast, Kernels
from astragal.core.types import check_players
from astragal.games.ur import kernels
from astragal.games.ur import layout as at
from astragal.games.ur.actions import PASSES, THROWS, Action
from astragal.games.ur.board import LONGEST_THROW, track
from astragal.games.ur.kernels_features import features
from astragal.games.ur.kernels_observe import observation, observe
from astragal.games.ur.options import Options
from astragal.games.ur.rules import WEIGHTS, State, UrRules


class UrFast(Fast[State, Action]):
    """The classic game under these options."""

    source = Kernels(kernels.turn, kernels.legal, kernels.chance, kernels.step, kernels.returns, features, observe)
    playing = staticmethod(kernels.random_games)
    players = 2
    actions = at.ACTIONS
    outcomes = at.PIPS
    most = 7  # moves, one for each piece

    def __init__(self, options: Options, players: int) -> None:
        check_players(UrRules.spec, players)
        self.options = options
        self.tables = tables(options)
        self.observation = observation(options)

    @property
    def decisions(self) -> Array:
        return np.array([*range(track(self.options.path).home), at.PASS])

    def words(self, s: State) -> list[int]:
        masks = (_mask(side) for side in s.on)
        thrown, winner = (-1 if value is None else value for value in (s.throw, s.winner))
        return [*masks, *s.pools, s.seat, thrown, _opening(s), winner]

    def action(self, packed: Array, number: int) -> Action:
        thrown = int(packed[at.THROWN])
        if thrown < 0:
            return THROWS[number]
        return PASSES if number == at.PASS else track(self.options.path).moves[int(packed[at.SEAT])][number][thrown]


def _opening(s: State) -> int:
    """How far the throws for the right to begin are; once both have thrown it is a game like any other."""
    if s.opening is None or len(s.opening) == 2:
        return 0
    return 2 + s.opening[0] if s.opening else 1


@lru_cache(maxsize=256)
def tables(options: Options) -> Array:
    """What the kernels know of board and house rules, by the places named in `layout`."""
    ways = track(options.path)
    meets, rosette_at, home = ways.meets[0], ways.rosette_at[0], ways.home
    board = range(1, home)
    shared = [step for step in board if meets[step] > 0]
    dice = [0] * (LONGEST_THROW + 1)
    for throw, weight in WEIGHTS[options.dice]:
        dice[throw.pips] = weight
    array = np.zeros(at.MET + home + 1, dtype=np.int64)
    array[at.HOME] = home
    array[at.BOARD] = _mask(board)
    array[at.SHUT] = _mask([0, *range(home + 1, home + LONGEST_THROW + 1)])  # no move ends there
    array[at.AGAIN] = _mask(step for step in board if rosette_at[step] and options.rosette_throws)
    array[at.SAFE] = _mask(step for step in shared if rosette_at[step] and options.safe_rosettes)
    array[at.TAKING] = -int(options.capture_throws)
    array[at.PAST] = _mask(step for step in board if step > max(shared, default=0))
    array[at.FACES : at.DICE] = np.repeat(range(len(dice)), np.array(dice) * (at.FALLS // sum(dice)))
    array[at.DICE : at.MET] = dice
    array[at.MET :] = [_mask([meets[step]]) if meets[step] > 0 else 0 for step in range(home + 1)]
    return array


def _mask(steps: Iterable[int]) -> int:
    return sum(1 << step for step in steps)
