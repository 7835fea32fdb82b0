"""Positions with their exact values, from games played by a table: what networks learn from and are tested on.

Many games go on side by side, a lane each, on this computer's cores or on a graphics card. Most actions are the best
ones, some are random, so that positions after mistakes are met too; some games begin in the middle.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from itertools import pairwise
from typing import Any, NamedTuple, Protocol

import numpy as np

from astragal.bots.kernels_evaluate import evaluate
from astragal.bots.kernels_network import Net, by_network
from astragal.core import tensor
from astragal.core.compiled import Slot, cpu, kernel
from astragal.core.fast import Array, SlotKernels, below, chance, copy, legal, observe, returns, step, turn, weighted
from astragal.core.rules import Game
from astragal.core.types import CHANCE, OVER
from astragal.solve.audit import positions_of
from astragal.solve.kernels_study import Book, best_of, rank, worth_of
from astragal.solve.table import Table

unrank = Slot("unrank")

PARTS = 1 << 16  # how often an action is random is a number of these
NOISE = (0.0, 0.02, 0.1, 0.3)  # of the lanes, in turn
MIDDLE = 4  # one of so many games begins anywhere
LONGEST = 4000  # plies of a game
DECISIONS, LOST, ERRORS, SHARE, GAINED, COLUMNS = range(6)  # of what a contest tells; for the last `research.exact`
ERROR = 0.02  # a mistake is worth mentioning from here on


class Lanes(NamedTuple):
    """Games side by side: arrays that all share, and arrays with a row for each."""

    tables: Array
    arrays: Any
    values: Array
    most: int
    seat_at: int
    size: int  # positions that there are
    states: Array
    afters: Array
    numbers: Array
    weights: Array
    shares: Array
    rngs: Array
    gaps: Array
    noise: Array


@kernel
def book_of(lane: int, lanes: Lanes) -> Any:
    """What one lane is played by."""
    return Book(
        lanes.tables, lanes.arrays, lanes.values, lanes.most, lanes.seat_at, lanes.states[lane], lanes.afters[lane],
        lanes.numbers[lane], lanes.weights[lane], lanes.shares[lane], lanes.rngs[lane], lanes.gaps, 0,
    )  # fmt: skip


@kernel
def begin(first: Array, size: int, book: Any) -> None:
    """A new game: most from the first position, some from any."""
    copy(first, book.state)
    if below(book.rng, MIDDLE) == 0:
        unrank(below(book.rng, size), book.tables, book.arrays, book.state)


@kernel
def lesson(lane: int, first: Array, lanes: Lanes, seen: Array, targets: Array) -> None:
    """Goes on to the next position before a throw; what the side to throw sees there, and how likely it wins."""
    book = book_of(lane, lanes)
    state, tables = book.state, book.tables
    count = chance(state, tables, book.numbers, book.weights)
    step(state, tables, book.numbers[weighted(book.rng, book.weights, count)])
    seat = turn(state, tables)
    while seat != CHANCE and seat != OVER:
        count = legal(state, tables, book.numbers)
        noisy = below(book.rng, PARTS) < lanes.noise[lane]
        place = below(book.rng, count) if noisy else best_of(seat, count, book)
        step(state, tables, book.numbers[place])
        seat = turn(state, tables)
    while seat == OVER:  # a position picked at random may be over already
        begin(first, lanes.size, book)
        seat = turn(state, tables)
    observe(state, tables, int(state[book.seat_at]), seen[lane])
    targets[lane] = book.values[rank(state, tables, book.arrays)] / book.most


@kernel
def lessons(start: int, stop: int, first: Array, lanes: Lanes, seen: Array, targets: Array) -> None:
    """A lesson in each of these lanes."""
    for lane in range(start, stop):
        lesson(lane, first, lanes, seen, targets)


class Throws(NamedTuple):
    """Where the throws of a moment are looked at, one after the other."""

    state: Array
    numbers: Array
    odds: Array


@kernel
def contest(seat: int, first: Array, book: Book, throws: Throws, net: Net, values: Array, told: Array) -> None:
    """A game of the evaluator, on this seat and without a search, against the table."""
    state, tables = book.state, book.tables
    copy(first, state)
    told[SHARE] = 0.5
    told[GAINED] = -expected(seat, throws, book)
    for _ in range(LONGEST):
        mover = turn(state, tables)
        if mover == OVER:
            returns(state, tables, book.shares)
            told[SHARE] = book.shares[seat]
            break
        if mover == CHANCE:
            mean = expected(seat, throws, book)
            count = chance(state, tables, book.numbers, book.weights)
            number = book.numbers[weighted(book.rng, book.weights, count)]
            step(state, tables, number)
            told[GAINED] -= best_after(seat, state, book) - mean
        else:
            count = legal(state, tables, book.numbers)
            place = best_of(mover, count, book)
            if mover == seat and count > 1:
                place = chosen_by(seat, count, book, net, values, told)
            step(state, tables, book.numbers[place])
    told[GAINED] += told[SHARE]


@kernel
def expected(seat: int, throws: Throws, book: Book) -> float:
    """What the position of a game, in which a throw is to come, is worth to a seat over all throws."""
    summed = total = 0.0
    for place in range(chance(book.state, book.tables, throws.numbers, throws.odds)):
        copy(book.state, throws.state)
        step(throws.state, book.tables, throws.numbers[place])
        summed += throws.odds[place] * best_after(seat, throws.state, book)
        total += throws.odds[place]
    return summed / total


@kernel
def best_after(seat: int, thrown: Array, book: Book) -> float:
    """What a position is worth to a seat after a throw, if the best action follows."""
    mover, best = turn(thrown, book.tables), 0
    for place in range(legal(thrown, book.tables, book.numbers)):
        copy(thrown, book.after)
        step(book.after, book.tables, book.numbers[place])
        best = max(best, worth_of(book.after, mover, book))
    share = best / book.most
    return share if mover == seat else 1 - share


@kernel
def chosen_by(seat: int, count: int, book: Book, net: Net, values: Array, told: Array) -> int:
    """The action that the evaluator likes best; what it costs beside the one that the table likes best is noted."""
    highest, chosen, best, worth = -1.0, 0, 0, 0
    for place in range(count):
        copy(book.state, book.after)
        step(book.after, book.tables, book.numbers[place])
        by_table = worth_of(book.after, seat, book)
        best = max(best, by_table)
        share = evaluate(book.after, book.tables, net, seat, values)
        if share > highest:
            highest, chosen, worth = share, place, by_table
    cost = (best - worth) / book.most
    told[DECISIONS] += 1
    told[LOST] += cost
    told[ERRORS] += cost > ERROR
    return chosen


@kernel
def contests(first: Array, book: Book, throws: Throws, net: Net, values: Array, told: Array) -> None:
    """A game for each row; the evaluator has each seat by turns."""
    for row in range(len(told)):
        contest(row % 2, first, book, throws, net, values, told[row])


class Teacher:
    """Lessons from one table."""

    def __init__(self, table: Table, game: Game, lanes: int, seed: int, device: str = "cpu") -> None:
        self.table, self.game, self.count, self.device = table, game, lanes, device
        self.positions = positions_of(table, game)
        index, fast = self.positions.index, self.positions.fast
        self.inputs = tensor.size(fast.observation)
        self.mover_at = index.thumbs.seat
        self.kernels = SlotKernels(
            *fast.source, evaluate=by_network, rank=index.kernels.rank, unrank=index.kernels.unrank
        )
        self.cores = os.cpu_count() or 1
        rng = np.random.default_rng(seed)
        words = len(self.positions.first)
        self._host = Lanes(
            tables=fast.tables,
            arrays=index.arrays,
            values=np.asarray(table.values),
            most=(1 << table.header.bits) - 1,
            seat_at=self.mover_at,
            size=index.size,
            states=np.repeat(self.positions.first[None], lanes, axis=0),
            afters=np.zeros((lanes, words), dtype=self.positions.first.dtype),
            numbers=np.zeros((lanes, fast.room), dtype=np.int64),
            weights=np.zeros((lanes, fast.room), dtype=np.int64),
            shares=np.zeros((lanes, 2)),
            rngs=rng.integers(0, 1 << 63, (lanes, 1), dtype=np.uint64),
            gaps=np.zeros(1, dtype=np.int64),
            noise=np.resize([int(PARTS * part) for part in NOISE], lanes),
        )
        given = self._host, self.positions.first, self.inputs
        if device == "cuda":
            from tools import teaching_cuda

            self._give: Callable[[], tuple[Any, Any]] = teaching_cuda.CudaLessons(self.kernels, *given)
        else:
            self._give = CoreLessons(cpu(lessons, self.kernels), *given)
        for _ in range(64):  # so that lanes are not all at the beginning of a game
            self._give()

    def batch(self) -> tuple[Any, Any]:
        """What the side to throw sees in each lane, and how likely it wins; arrays of the device, filled anew."""
        return self._give()

    def contest(self, net: Net, games: int, seed: int) -> Array:
        """Rows of what games of a network against the table tell."""
        each = -(-games // self.cores)
        told = [np.zeros((each, COLUMNS)) for _ in range(self.cores)]
        play = cpu(contests, self.kernels)
        lanes = self._host

        def some(core: int) -> None:
            fresh = lanes._replace(rngs=np.array([[seed * 1_000_003 + core]], dtype=np.uint64))
            rows = (fresh.states[0].copy(), fresh.afters[0].copy(), fresh.numbers[0].copy(), fresh.weights[0].copy(),
                    fresh.shares[0].copy(), fresh.rngs[0])  # fmt: skip
            near = int(self.table.header.near * lanes.most)
            book = Book(lanes.tables, lanes.arrays, lanes.values, lanes.most, lanes.seat_at, *rows, lanes.gaps, near)
            mine = net._replace(seen=net.seen.copy(), hidden=net.hidden.copy(), deeper=net.deeper.copy())
            throws = Throws(rows[0].copy(), rows[2].copy(), rows[3].copy())
            play(self.positions.first, book, throws, mine, np.zeros(8), told[core])

        with ThreadPoolExecutor(self.cores) as pool:
            list(pool.map(some, range(self.cores)))
        return np.concatenate(told)


class Gives(Protocol):
    """Whoever gives lessons: a row for each lane."""

    count: int
    inputs: int

    def batch(self) -> tuple[Any, Any]:
        """What was seen, and what it was worth."""
        ...


class Pool:
    """Positions of some teachers, mixed. Each is learned from a few times, then newer ones take its place."""

    def __init__(self, teachers: Sequence[Gives], xp: Any, seed: int, *, slabs: int = 8, uses: int = 16) -> None:
        """`slabs` is how many lessons are kept, `uses` how often a position is learned from on average."""
        self._teachers, self._xp, self._rng = teachers, xp, np.random.default_rng(seed)
        self._slabs, self._uses = slabs, uses
        self._slab = sum(teacher.count for teacher in teachers)
        size = self._slabs * self._slab
        self._seen = xp.zeros((size, teachers[0].inputs), dtype=np.float32)
        self._targets = xp.zeros(size, dtype=np.float32)
        self._next = self._used = 0
        for _ in range(self._slabs):
            self._renew()

    def _renew(self) -> None:
        seen, targets = zip(*(teacher.batch() for teacher in self._teachers), strict=True)
        order = self._xp.asarray(self._rng.permutation(self._slab))
        start = self._next * self._slab
        self._seen[start : start + self._slab] = self._xp.concatenate(seen)[order]
        self._targets[start : start + self._slab] = self._xp.concatenate(targets)[order]
        self._next = (self._next + 1) % self._slabs

    def some(self, count: int) -> tuple[Any, Any]:
        """So many positions, as they lie; they are not to be changed."""
        start = int(self._rng.integers(0, len(self._targets) - count + 1))
        self._used += count
        if self._used >= self._uses * self._slab:
            self._used -= self._uses * self._slab
            self._renew()
        return self._seen[start : start + count], self._targets[start : start + count]


class CoreLessons:
    """Lessons on this computer's cores: `lessons` is compiled, and called as the kernel above is."""

    def __init__(self, lessons: Callable[..., None], lanes: Any, first: Array, inputs: int) -> None:
        self._lessons, self._lanes, self._first = lessons, lanes, first
        count, cores = len(lanes.states), os.cpu_count() or 1
        self._cuts = [count * core // cores for core in range(cores + 1)]
        self._seen, self._targets = np.zeros((count, inputs), dtype=np.float32), np.zeros(count, dtype=np.float32)
        self._pool = ThreadPoolExecutor(cores)

    def __call__(self, *more: Any) -> tuple[Array, Array]:
        """A lesson in each lane; `more` is what the kernel takes after the lanes."""
        told = (*more, self._seen, self._targets)
        jobs = [
            self._pool.submit(self._lessons, start, stop, self._first, self._lanes, *told)
            for start, stop in pairwise(self._cuts)
        ]
        for job in jobs:
            job.result()
        return self._seen, self._targets
