"""The same rules over compact arrays, for bots, arenas and research.

A packed state is a one-dimensional array of integers; actions and chance outcomes are numbers that stay the same
within a version of the game. A game writes six kernels (see `Kernels`) and says how its structs become numbers;
everything else here follows from them and is the same for every game. Conform's law 7 holds both versions of the
rules against each other.
"""

from __future__ import annotations

import os
from abc import ABC, abstractmethod
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from functools import cache
from typing import Any, Generic, NamedTuple, TypeVar, cast

import numpy as np
import numpy.typing as npt

from astragal.core.compiled import bare, specialise
from astragal.core.types import CHANCE, OVER

S = TypeVar("S")
A = TypeVar("A")

Array = npt.NDArray[Any]
MOST_PLIES = 20_000  # after which a random game that does not end is broken off, and its win shared


class Kernels(NamedTuple):
    """What a game must compile. `tables` is whatever the game keeps about options and board: a tuple of arrays.

    None of them may allocate, except for small scratch arrays; none may read beyond what it is given.
    """

    turn: Callable[[Array, Any], int]
    """turn(state, tables): the seat to act, CHANCE or OVER."""
    legal: Callable[[Array, Any, Array], int]
    """legal(state, tables, numbers): fills in the legal actions in the order of the rules; how many (0 at CHANCE)."""
    chance: Callable[[Array, Any, Array, Array], int]
    """chance(state, tables, numbers, weights): fills in the outcomes in the order of the rules; how many."""
    step: Callable[[Array, Any, int], None]
    """step(state, tables, number): changes the state by an action or outcome that is possible."""
    returns: Callable[[Array, Any, Array], None]
    """returns(state, tables, shares): fills in each seat's share of the win; zeros before the end."""
    features: Callable[[Array, Any, int, Array], None]
    """features(state, tables, seat, values): what `Heuristic.features` says of that seat's view, in its order."""


class Fast(ABC, Generic[S, A]):
    """One game under given options at a table of given size, over arrays."""

    owner: str  # the game's id
    kernels: Kernels
    tables: Any
    players: int
    most: int  # no position has more actions or outcomes than this

    @abstractmethod
    def pack(self, s: S) -> Array:
        """The state as an array."""

    @abstractmethod
    def unpack(self, packed: Array) -> S:
        """The state again."""

    @abstractmethod
    def number(self, s: S, a: A) -> int:
        """The number of a legal action or an outcome."""

    def turn(self, packed: Array) -> int:
        """The seat to act, CHANCE or OVER."""
        return int(self.kernels.turn(packed, self.tables))

    def legal(self, packed: Array) -> list[int]:
        """The numbers of the legal actions in the order of the rules."""
        numbers = self._numbers()
        return [int(number) for number in numbers[: self.kernels.legal(packed, self.tables, numbers)]]

    def chance(self, packed: Array) -> list[tuple[int, int]]:
        """The numbers of the outcomes with their weights, in the order of the rules."""
        numbers, weights = self._numbers(), self._numbers()
        count = self.kernels.chance(packed, self.tables, numbers, weights)
        return [(int(number), int(weight)) for number, weight in zip(numbers[:count], weights[:count], strict=True)]

    def step(self, packed: Array, number: int) -> Array:
        """The position after an action or outcome; the argument stays as it was."""
        after = packed.copy()
        self.kernels.step(after, self.tables, number)
        return after

    def returns(self, packed: Array) -> tuple[float, ...]:
        """Each seat's share of the win."""
        shares = np.zeros(self.players)
        self.kernels.returns(packed, self.tables, shares)
        return tuple(shares.tolist())

    def features(self, packed: Array, seat: int, count: int) -> tuple[float, ...]:
        """What the heuristic looks at, for this seat."""
        values = np.zeros(count)
        self.kernels.features(packed, self.tables, seat, values)
        return tuple(values.tolist())

    def playouts(self, packed: Array, seeds: Sequence[int] | Array, *, cores: int = 1) -> tuple[Array, Array]:
        """A random game from here for each seed: the returns (a row a game) and the plies it took.

        The same seed gives the same game, on however many cores. 0 cores means all there are.
        """
        seeds = np.asarray(seeds, dtype=np.uint64)
        shares = np.zeros((len(seeds), self.players))
        plies = np.zeros(len(seeds), dtype=np.int64)
        play = self._playouts()
        cores = min(cores or os.cpu_count() or 1, max(1, len(seeds)))
        parts = np.array_split(np.arange(len(seeds)), cores)
        with ThreadPoolExecutor(cores) as pool:  # the kernels let go of the interpreter's lock
            for done in [
                pool.submit(play, packed, self.tables, seeds[p], self.most, MOST_PLIES, shares[p[0] :], plies[p[0] :])
                for p in parts
                if len(p)
            ]:
                done.result()
        return shares, plies

    def _playouts(self) -> Callable[..., None]:
        """The kernel behind `playouts`. A game may bring a quicker one with the same arguments and results in law."""
        return random_games(self.owner, self.kernels)

    def _numbers(self) -> Array:
        return np.zeros(self.most, dtype=np.int64)


# What a template calls; `specialise` puts a game's own kernels in the place of these names.
turn = legal = chance = step = returns = cast("Callable[..., Any]", None)


@bare
def copy(source: Array, target: Array) -> None:
    """Makes one position equal another. (An assignment of slices would first look whether the two overlap.)"""
    for place in range(len(source)):
        target[place] = source[place]


@bare
def draw(rng: Array) -> Any:
    """The next 64 random bits (splitmix64); `rng` is an array of one uint64."""
    rng[0] += np.uint64(0x9E3779B97F4A7C15)
    bits = rng[0]
    bits = (bits ^ (bits >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    bits = (bits ^ (bits >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    return bits ^ (bits >> np.uint64(31))


@bare
def below(rng: Array, limit: int) -> Any:
    """A random number from 0 to limit - 1. The bias is below limit / 2**32."""
    return np.int64(((draw(rng) >> np.uint64(32)) * np.uint64(limit)) >> np.uint64(32))


@bare
def weighted(rng: Array, weights: Array, count: int) -> int:
    """A random index, each as likely as its weight says."""
    total = 0
    for index in range(count):
        total += weights[index]
    left = below(rng, total)
    for index in range(count):
        left -= weights[index]
        if left < 0:
            return index
    return count - 1


def _random_game(
    state: Array, tables: Any, rng: Array, numbers: Array, weights: Array, most_plies: int, shares: Array
) -> int:
    """Plays `state` on to its end, every legal action as likely as the next; the number of plies."""
    for ply in range(most_plies):
        seat = turn(state, tables)
        if seat == OVER:
            returns(state, tables, shares)
            return ply
        if seat == CHANCE:
            count = chance(state, tables, numbers, weights)
            number = numbers[weighted(rng, weights, count)]
        else:
            count = legal(state, tables, numbers)
            number = numbers[below(rng, count)]
        step(state, tables, number)
    shares[:] = 1 / len(shares)
    return most_plies


def _random_games(
    packed: Array, tables: Any, seeds: Array, most: int, most_plies: int, shares: Array, plies: Array
) -> None:
    """A random game for each seed."""
    state = np.empty_like(packed)
    rng = np.empty(1, dtype=np.uint64)
    numbers, weights = np.zeros(most, dtype=np.int64), np.zeros(most, dtype=np.int64)
    for game in range(len(seeds)):
        state[:] = packed
        rng[0] = seeds[game]
        plies[game] = _random_game(state, tables, rng, numbers, weights, most_plies, shares[game])


@cache
def random_games(owner: str, kernels: Kernels) -> Callable[..., None]:
    """The kernel that plays random games of this game."""
    parts = {"turn": kernels.turn, "legal": kernels.legal, "chance": kernels.chance, "step": kernels.step}
    one = specialise(_random_game, owner, bare, returns=kernels.returns, **parts)
    return specialise(_random_games, owner, _random_game=one)
