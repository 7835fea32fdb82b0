"""The same rules over compact arrays, for bots, arenas and research.

A packed state is a one-dimensional array of integers that holds what the rules need from here on and nothing of the
past, so that equal positions are equal arrays. Decisions and outcomes of chance are numbers, each counted from 0, that
stay the same within a version of the game; whether a number is the one or the other follows from whose turn it is.
Claims (`Rules.claims`) have no numbers: whoever wants one applies it by the rules and packs the result.

A game writes six kernels (see `Kernels`; others are for research and for networks) and says how its structs become
numbers; everything else here follows from them and is the same for every game. Conform's law 7 holds both versions of
the rules against each other. Importing this does not import Numba: only `Fast.kernels` and what uses it do.
"""

from __future__ import annotations

import os
from abc import ABC, abstractmethod
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from functools import cached_property
from random import Random
from typing import Any, ClassVar, Generic, NamedTuple, TypeVar

import numpy as np
import numpy.typing as npt

from astragal.core import tensor
from astragal.core.compiled import Slot, cpu, kernel
from astragal.core.tensor import Part
from astragal.core.types import CHANCE, OVER

S = TypeVar("S")
A = TypeVar("A")

Array = npt.NDArray[Any]
Dealer = Callable[[Array], None]  # fills rows with packed positions
MOST_PLIES = 20_000  # after which a random game that does not end is broken off, and its win shared


class Kernels(NamedTuple):
    """What a game must bring as kernels. `tables` is what it keeps about options and board: one array of integers.

    None of them may read beyond what it is given.
    """

    turn: Callable[[Array, Array], int]
    """turn(state, tables): the seat to act, CHANCE or OVER."""
    legal: Callable[[Array, Array, Array], int]
    """legal(state, tables, numbers): fills in the legal actions in the order of the rules; how many (0 at CHANCE).

    `numbers` has `Fast.room` places; those that hold no action in the end may be used to work in."""
    chance: Callable[[Array, Array, Array, Array], int]
    """chance(state, tables, numbers, weights): fills in the outcomes in the order of the rules; how many."""
    step: Callable[[Array, Array, int], None]
    """step(state, tables, number): changes the state by an action or, at CHANCE, an outcome that is possible."""
    returns: Callable[[Array, Array, Array], None]
    """returns(state, tables, shares): fills in each seat's share of the win; zeros before the end."""
    features: Callable[[Array, Array, int, Array], None]
    """features(state, tables, seat, values): fills in what the heuristic looks at, by what this seat may know.

    This one also runs uncompiled, where all four arguments but the seat are lists: it must not slice them."""
    observe: Callable[[Array, Array, int, Array], None] | None = None
    """observe(state, tables, seat, numbers): fills in every number of `Fast.observation`, by what this seat may know.

    A game without it can be played in `astragal.research`, but is not observed there."""
    inputs: Callable[[Array, Array, int, Array], None] | None = None
    """inputs(state, tables, seat, numbers): fills in what networks of this game are told, by what this seat may know.

    Networks of a game without it are told what `observe` fills in. A game has one where another way to say the same
    is easier to learn from: the board as it lies around what matters, say."""
    redeal: Callable[[Array, Array, int, Array], None] | None = None
    """redeal(state, tables, seat, rng): draws anew what this seat, whose turn it is, cannot know.

    It goes by nothing but what the packed state holds, so not by what the past gives away, as `Fast.dealer` does: it is
    for searches by which networks learn. A game needs one where seats have secrets from each other."""


class SlotKernels(NamedTuple):
    """A game's kernels, as in `Kernels`, and what fills further slots of templates; None where a template has none."""

    turn: Any
    legal: Any
    chance: Any
    step: Any
    returns: Any
    features: Any
    observe: Any
    inputs: Any = None
    redeal: Any = None
    evaluate: Any = None  # this and the next: see `bots.evaluate`
    liked: Any = None
    rank: Any = None  # these are of the game's index, see `solvable`
    unrank: Any = None
    score: Any = None


class Work(NamedTuple):
    """The arrays in which random games are played."""

    state: Array
    rng: Array  # one uint64
    numbers: Array
    weights: Array


class Fast(ABC, Generic[S, A]):
    """One game under given options at a table of given size, over arrays."""

    source: ClassVar[Kernels]  # as written; `kernels` has them compiled
    tables: Array
    dtype: ClassVar[Any] = np.int64  # of packed states
    players: int
    actions: int  # how many numbers decisions have
    outcomes: int  # how many numbers outcomes of chance have
    most: int  # no position has more legal actions or outcomes than this
    observation: tuple[Part, ...] = ()  # what the kernel `observe` fills in, under these options
    input_parts: tuple[Part, ...] = ()  # the same of the kernel `inputs`, if there is one
    playing: ClassVar[Callable[..., None]]  # the kernel or template behind `playouts`

    @abstractmethod
    def words(self, s: S) -> list[int]:
        """The state as a list of integers, which is what the plain kernels take."""

    def pack(self, s: S) -> Array:
        """The state as an array."""
        return np.array(self.words(s), dtype=self.dtype)

    @abstractmethod
    def action(self, packed: Array, number: int) -> A:
        """The legal action, or at CHANCE the outcome, that has this number in this position."""

    def dealer(self, view: Any, rng: Random) -> Dealer | None:
        """What fills rows with other determinizations of a view, if there is a quicker way than `Rules.resample`.

        Each row is a packed position of the view already, with what is hidden dealt in some way. Afterwards it must be
        one still, and the same positions must be as likely as there.
        """
        return None

    @property
    def room(self) -> int:
        """How many places the array must have that `legal` fills in."""
        return self.most

    @property
    def decisions(self) -> Array:
        """The numbers that decisions can have under these options, in ascending order.

        Their places in this list are the actions of `astragal.research`, whose spaces are as small as they can be.
        """
        return np.arange(self.actions)

    @cached_property
    def kernels(self) -> Kernels:
        """The kernels as machine code."""
        compiled: tuple[Any, ...] = tuple(one and cpu(one) for one in self.source)
        return Kernels(*compiled)

    def key(self, packed: Array) -> bytes:
        """The position for dictionaries and tables: equal for equal positions, whatever happened before.

        Two states have the same key if and only if the rules go on in the same way from both (claims left aside).
        """
        return packed.tobytes()

    def turn(self, packed: Array) -> int:
        """The seat to act, CHANCE or OVER."""
        return int(self.kernels.turn(packed, self.tables))

    def legal(self, packed: Array) -> list[int]:
        """The numbers of the legal actions in the order of the rules."""
        numbers = self._numbers()
        count = self.kernels.legal(packed, self.tables, numbers)
        listed: list[int] = numbers[:count].tolist()
        return listed

    def chance(self, packed: Array) -> list[tuple[int, int]]:
        """The numbers of the outcomes with their weights, in the order of the rules."""
        numbers, weights = self._numbers(), self._numbers()
        count = self.kernels.chance(packed, self.tables, numbers, weights)
        return list(zip(numbers[:count].tolist(), weights[:count].tolist(), strict=True))

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

    def plain_features(self, s: S, seat: int, count: int) -> list[float]:
        """The same of a state, by the uncompiled kernel: for those who ask too seldom to have anything compiled."""
        values = [0.0] * count
        features: Callable[..., None] = self.source.features
        features(self.words(s), self._listed_tables, seat, values)
        return values

    def observe(self, packed: Array, seat: int) -> Array:
        """What this seat may know, as `observation` describes it."""
        if self.kernels.observe is None:
            raise TypeError(f"{type(self).__name__} has no kernel `observe`")
        numbers = np.zeros(tensor.size(self.observation), dtype=np.float32)
        self.kernels.observe(packed, self.tables, seat, numbers)
        return numbers

    @property
    def told(self) -> tuple[Part, ...]:
        """What networks are told of a position, in this order."""
        return self.input_parts or self.observation

    def inputs(self, packed: Array, seat: int) -> Array:
        """What a network is told for this seat, as `told` describes it."""
        if self.kernels.inputs is None:
            return self.observe(packed, seat)
        numbers = np.zeros(tensor.size(self.told), dtype=np.float32)
        self.kernels.inputs(packed, self.tables, seat, numbers)
        return numbers

    @cached_property
    def _listed_tables(self) -> list[int]:
        listed: list[int] = self.tables.tolist()
        return listed

    def playouts(self, packed: Array, seeds: Sequence[int] | Array, *, cores: int = 1) -> tuple[Array, Array]:
        """A random game from here for each seed: the returns (a row a game) and the plies it took.

        The same seed gives the same game, on however many cores. 0 cores means all there are.
        """
        seeds = np.asarray(seeds, dtype=np.uint64)
        shares = np.zeros((len(seeds), self.players))
        plies = np.zeros(len(seeds), dtype=np.int64)
        play = cpu(self.playing, self.source)
        cores = min(cores or os.cpu_count() or 1, max(1, len(seeds)))

        def some(games: Array) -> None:
            first = games[0]
            play(packed, self.tables, seeds[games], MOST_PLIES, self.work(packed), shares[first:], plies[first:])

        parts = [games for games in np.array_split(np.arange(len(seeds)), cores) if len(games)]
        if len(parts) == 1:
            some(parts[0])
        else:
            with ThreadPoolExecutor(cores) as pool:  # the kernels let go of the interpreter's lock
                list(pool.map(some, parts))
        return shares, plies

    def work(self, packed: Array) -> Work:
        """Arrays for random games from such a position."""
        return Work(np.empty_like(packed), np.empty(1, dtype=np.uint64), self._numbers(), self._numbers())

    def _numbers(self) -> Array:
        return np.zeros(self.room, dtype=np.int64)


# The game's own kernels in a template.
turn, legal, chance, step, returns, features, observe = map(Slot, Kernels._fields[:7])


@kernel
def as_observed(state: Array, tables: Array, seat: int, numbers: Array) -> None:
    """What networks are told of a game that has no kernel `inputs` of its own."""
    observe(state, tables, seat, numbers)


inputs = Slot("inputs", as_observed)


@kernel
def as_dealt(state: Array, tables: Array, seat: int, rng: Array) -> None:
    """Where a game has nothing to draw anew, positions stay as they are."""


redeal = Slot("redeal", as_dealt)


@kernel
def copy(source: Array, target: Array) -> None:
    """Makes one position equal another. (An assignment of slices would first look whether the two overlap.)"""
    for place in range(len(source)):
        target[place] = source[place]


@kernel
def draw(rng: Array) -> Any:
    """The next 64 random bits (splitmix64); `rng` is an array of one uint64."""
    rng[0] += np.uint64(0x9E3779B97F4A7C15)
    bits = rng[0]
    bits = (bits ^ (bits >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    bits = (bits ^ (bits >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    return bits ^ (bits >> np.uint64(31))


@kernel
def below(rng: Array, limit: int) -> Any:
    """A random number from 0 to limit - 1. The bias is below limit / 2**32."""
    return np.int64(((draw(rng) >> np.uint64(32)) * np.uint64(limit)) >> np.uint64(32))


@kernel
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


@kernel
def random_game(state: Array, tables: Array, most_plies: int, work: Work, shares: Array) -> int:
    """Plays `state` on to its end, every legal action as likely as the next; the number of plies."""
    for ply in range(most_plies):
        seat = turn(state, tables)
        if seat == OVER:
            returns(state, tables, shares)
            return ply
        if seat == CHANCE:
            count = chance(state, tables, work.numbers, work.weights)
            number = work.numbers[weighted(work.rng, work.weights, count)]
        else:
            count = legal(state, tables, work.numbers)
            number = work.numbers[below(work.rng, count)]
        step(state, tables, number)
    for seat in range(len(shares)):
        shares[seat] = 1 / len(shares)
    return most_plies


@kernel
def random_games(
    packed: Array, tables: Array, seeds: Array, most_plies: int, work: Work, shares: Array, plies: Array
) -> None:
    """A random game for each seed."""
    for game in range(len(seeds)):
        copy(packed, work.state)
        work.rng[0] = seeds[game]
        plies[game] = random_game(work.state, tables, most_plies, work, shares[game])


Fast.playing = staticmethod(random_games)  # a game may bring a quicker one with the same arguments and results in law
