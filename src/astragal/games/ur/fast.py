"""Ur as arrays: how its states, actions and boards become the numbers of `kernels`."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from functools import lru_cache

import numpy as np

from astragal.core.fast import Array, Fast, Kernels
from astragal.core.types import check_players
from astragal.games.ur import kernels
from astragal.games.ur.actions import PASSES, THROWS, Action, Move, Pass, Throw
from astragal.games.ur.board import LONGEST_THROW, track
from astragal.games.ur.kernels import PASS, THROW
from astragal.games.ur.kernels_features import features
from astragal.games.ur.options import Options
from astragal.games.ur.rules import WEIGHTS, State, UrRules

FALLS = 16  # how often each throw comes up in so many falls of the dice is a whole number


class UrFast(Fast[State, Action]):
    """The layout of a packed state and the numbers of actions are described in `kernels`."""

    owner = "ur"
    kernels = Kernels(kernels.turn, kernels.legal, kernels.chance, kernels.step, kernels.returns, features)
    players = 2
    most = 7  # moves, one for each piece

    def __init__(self, options: Options, players: int) -> None:
        check_players(UrRules.spec, players)
        self.options = options
        self.tables = tables(options)

    def pack(self, s: State) -> Array:
        masks = (_mask(side) for side in s.on)
        thrown, winner = (-1 if value is None else value for value in (s.throw, s.winner))
        return np.array([*masks, *s.pools, s.seat, thrown, _OPENINGS[s.opening], winner])

    def unpack(self, packed: Array) -> State:
        light, dark, waiting, other, seat, thrown, opening, winner = packed.tolist()
        return State(
            self.options,
            seat,
            None if thrown < 0 else thrown,
            (waiting, other),
            (_steps(light), _steps(dark)),
            _THROWN[opening],
            None if winner < 0 else winner,
        )

    def number(self, s: State, a: Action) -> int:
        if isinstance(a, Throw):
            return THROW + a.pips
        return PASS if isinstance(a, Pass) else track(s.options.path).step_of[s.seat][a.start]

    def action(self, s: State, number: int) -> Action:
        """The legal action or outcome of this number."""
        if number >= THROW:
            return THROWS[number - THROW]
        return PASSES if number == PASS else self._move(s, number)

    def _move(self, s: State, step: int) -> Move:
        assert s.throw is not None
        return track(s.options.path).moves[s.seat][step][s.throw]

    def _playouts(self) -> Callable[..., None]:
        return kernels.random_games


def _openings() -> dict[tuple[int, ...] | None, int]:
    pips = range(LONGEST_THROW + 1)
    return {None: 0, (): 1} | {(a,): 2 + a for a in pips} | {(a, b): 7 + 5 * a + b for a in pips for b in pips}


_OPENINGS = _openings()
_THROWN = {code: opening for opening, code in _OPENINGS.items()}


def _steps(mask: int) -> tuple[int, ...]:
    return tuple([step for step in range(1, mask.bit_length()) if mask >> step & 1])


@lru_cache(maxsize=256)
def tables(options: Options) -> Array:
    """What the kernels know of board and house rules, by the places named at the top of `kernels`.

    HOME is a step, TAKING -1 if a capture gives another throw and else 0, the others up to PAST are masks of steps:
    the board, where no move can end, what gives another throw, where pieces on squares of both sides are safe, and
    what lies beyond all such squares. From FACES on come sixteen equally likely falls of the dice, from DICE on the
    weights of the throws, and from MET on for each step its square as a bit of the other side's way (0 where only one
    side walks).
    """
    ways = track(options.path)
    meets, rosette_at, home = ways.meets[0], ways.rosette_at[0], ways.home
    board = range(1, home)
    shared = [step for step in board if meets[step] > 0]
    dice = [0] * (LONGEST_THROW + 1)
    for throw, weight in WEIGHTS[options.dice]:
        dice[throw.pips] = weight
    made = np.zeros(kernels.MET + home + 1, dtype=np.int64)
    made[kernels.HOME] = home
    made[kernels.BOARD] = _mask(board)
    made[kernels.SHUT] = _mask([0, *range(home + 1, home + LONGEST_THROW + 1)])  # no move ends there
    made[kernels.AGAIN] = _mask(step for step in board if rosette_at[step] and options.rosette_throws)
    made[kernels.SAFE] = _mask(step for step in shared if rosette_at[step] and options.safe_rosettes)
    made[kernels.TAKING] = -int(options.capture_throws)
    made[kernels.PAST] = _mask(step for step in board if step > max(shared, default=0))
    made[kernels.FACES : kernels.DICE] = np.repeat(range(len(dice)), np.array(dice) * (FALLS // sum(dice)))
    made[kernels.DICE : kernels.MET] = dice
    made[kernels.MET :] = [_mask([meets[step]]) if meets[step] > 0 else 0 for step in range(home + 1)]
    return made


def _mask(steps: Iterable[int]) -> int:
    return sum(1 << step for step in steps)
