"""What a table says about its game: how long perfect play is, how clear its choices are, what rules of thumb cost."""

from __future__ import annotations

import os
from concurrent.futures import ThreadPoolExecutor
from math import sqrt
from typing import Any

import numpy as np

from astragal.core.compiled import cpu
from astragal.core.fast import Array, SlotKernels
from astragal.core.rules import Game
from astragal.core.types import CHANCE, OVER
from astragal.solve import audit
from astragal.solve import kernels_study as k
from astragal.solve.positions import Positions
from astragal.solve.table import Table

LONGEST = 20_000  # plies of a game that need not end
LINES = 3  # throws in which a first decision is looked for


class Study:
    """A table, ready to be played by."""

    def __init__(self, table: Table, game: Game, *, cores: int = 0) -> None:
        self.table, self.game = table, game
        self.positions = audit.positions_of(table, game)
        self.values = np.asarray(table.values)
        self.cores = cores or os.cpu_count() or 1
        self._most = (1 << table.header.bits) - 1
        index = self.positions.index
        kernels = SlotKernels(*self.positions.fast.source, rank=index.kernels.rank, score=index.thumbs.score)
        self._games = cpu(k.games, kernels)

    def measure(self, games: int, seed: int = 1) -> dict[str, Any]:
        """All figures, each with its standard error where it comes from a sample."""
        index, header = self.positions.index, self.table.header
        perfect, gaps = self._play(games, seed)
        ended = perfect[:, k.ENDED] > 0
        rules = {name: self._thumb(rule, games, seed) for rule, name in enumerate(index.thumbs.names)}
        return {
            "positions": index.size,
            "value": header.value,
            "bounds": header.bounds,
            "games": len(perfect),
            "unfinished": int((~ended).sum()),
            "first_player": _mean(perfect[:, k.SHARE]),
            "throws": _mean(perfect[ended, k.THROWS]),
            "decisions": _mean(perfect[ended, k.DECISIONS]),
            "unique": _ratio(perfect[:, k.UNIQUE], perfect[:, k.DECISIONS]),
            "gap": _ratio(100 * perfect[:, k.GAP], perfect[:, k.DECISIONS]),
            "gaps": (gaps / max(gaps.sum(), 1)).round(5).tolist(),
            "thumbs": rules,
            "openings": openings(self.positions, self.table, self.game),
        }

    def _thumb(self, rule: int, games: int, seed: int) -> dict[str, Any]:
        """A rule of thumb against perfect play; where it leaves a choice it takes the best of what it likes.

        Its share of the wins is a half less what its decisions have cost, which is a mean with far less scatter than
        that of the games' results.
        """
        found, _ = self._play(games, seed, rule, 0)
        share, error = _mean(found[:, k.LOST])
        return {
            "applies": _ratio(found[:, k.APPLIES], found[:, k.DECISIONS]),
            "errs": _ratio(found[:, k.ERRS], found[:, k.DECISIONS]),
            "points": _ratio(100 * found[:, k.LOST], found[:, k.DECISIONS]),
            "wins": (0.5 - share, error),
            "won": _mean(found[:, k.SHARE]),
        }

    def _play(self, games: int, seed: int, rule: int = k.NOBODY, seat: int = k.NOBODY) -> tuple[Array, Array]:
        """A row of results for each game, and the histogram of gaps."""
        each = -(-games // self.cores)
        books = [self._book(seed * 1_000_003 + core) for core in range(self.cores)]
        found = [np.zeros((each, k.COLUMNS)) for _ in books]
        with ThreadPoolExecutor(self.cores) as pool:
            jobs = [
                pool.submit(self._games, self.positions.first, rule, seat, LONGEST, book, rows)
                for book, rows in zip(books, found, strict=True)
            ]
            for job in jobs:
                job.result()
        return np.concatenate(found), sum((book.gaps for book in books), np.zeros(k.BINS, dtype=np.int64))

    def _book(self, seed: int) -> k.Book:
        positions, index = self.positions, self.positions.index
        fast = positions.fast
        return k.Book(
            tables=fast.tables,
            arrays=index.arrays,
            values=self.values,
            most=self._most,
            seat_at=index.thumbs.seat,
            state=positions.first.copy(),
            after=positions.first.copy(),
            numbers=np.zeros(fast.room, dtype=np.int64),
            weights=np.zeros(fast.room, dtype=np.int64),
            shares=np.zeros(2),
            rng=np.array([seed], dtype=np.uint64),
            gaps=np.zeros(k.BINS, dtype=np.int64),
            near=int(self.table.header.near * self._most),
        )


def openings(positions: Positions, table: Table, game: Game) -> list[dict[str, Any]]:
    """The first decisions of a game: after which throws they come, what is best, and what each action is worth."""
    fast = positions.fast
    found: list[dict[str, Any]] = []
    queue: list[tuple[tuple[str, ...], Array]] = [((), positions.first)]
    while queue:
        throws, state = queue.pop(0)
        if len(throws) == LINES or fast.turn(state) != CHANCE:
            continue
        for outcome, _ in fast.chance(state):
            thrown = fast.step(state, outcome)
            line = (*throws, game.rules.encode(fast.action(state, outcome)))
            seat, numbers = fast.turn(thrown), fast.legal(thrown)
            if len(numbers) == 1:
                after = fast.step(thrown, numbers[0])
                if fast.turn(after) != OVER:
                    queue.append((line, after))
                continue
            moves = [
                (game.rules.encode(fast.action(thrown, number)),
                 round(positions.worth(fast.step(thrown, number), seat, table.value), 5))
                for number in numbers
            ]  # fmt: skip
            moves.sort(key=lambda move: -move[1])
            found.append({"throws": list(line), "moves": moves})
    return found


def _mean(values: Array) -> tuple[float, float]:
    """A mean and its standard error."""
    if len(values) < 2:
        return 0.0, 0.0
    return float(values.mean()), float(values.std(ddof=1)) / sqrt(len(values))


def _ratio(above: Array, below: Array) -> tuple[float, float]:
    """How much of the one there is for each of the other, over all games, and its standard error."""
    total = below.sum()
    if total == 0:
        return 0.0, 0.0
    ratio = float(above.sum() / total)
    scatter = float((above - ratio * below).std(ddof=1)) * sqrt(len(below))
    return ratio, scatter / float(total)
