"""Puzzles from a table of exact values: games that the table plays, with some noise, and strong bots against it."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from pathlib import Path
from random import Random
from typing import Any

import numpy as np

from astragal.analysis.puzzle_maker import Candidate, is_puzzle
from astragal.bots.evaluate import Evaluator, by_table_file
from astragal.bots.kernels_evaluate import evaluate_actions
from astragal.core import options as option_values
from astragal.core.compiled import cpu
from astragal.core.fast import Array
from astragal.core.puzzle import PuzzleJudge
from astragal.core.rules import Game
from astragal.core.types import CHANCE, OVER
from astragal.solve.audit import positions_of
from astragal.solve.table import Table

NOISE = 0.008  # the temperature, as a share of the win, at which the table chooses among its actions
GREEDY = 0.3  # the part of the seats that a greedy player has
LONGEST = 600  # plies of a game
FIRST = 8  # plies before a puzzle may be found
A_GAME = 2  # puzzles of one game, at most


class TableGames:
    """Games played by one table."""

    def __init__(self, game: Game, file: Path) -> None:
        table = Table(file)
        self.game, self.table, self.players = game, table, 2
        self.plain = {**table.header.options, "begins": 0}
        self.options = option_values.convert(game.rules, self.plain)
        self.fast = positions_of(table, game).fast  # it refuses a table of another game
        self._evaluator: Evaluator = by_table_file(game, self.options, self.fast, table)
        self._greedy = cpu(evaluate_actions, self.fast.source)
        self._weights = np.array([game.heuristic.weights[name] for name in game.heuristic.names])
        self._room = np.zeros(max(len(self._weights), 2))

    def judge(self, _errors: Sequence[float]) -> PuzzleJudge:
        """Who judged."""
        return PuzzleJudge(source="table", version=self.table.header.checksum[:12], exact=True)

    def candidates(self, seed: int, margin: float) -> Iterator[Candidate]:
        """The puzzles of one game."""
        rng = Random(seed)
        greedy = [rng.random() < GREEDY for _ in range(2)]
        first = self.game.rules.initial(self.options, 2)
        state, left = self.fast.pack(first), A_GAME
        numbers: list[int] = []
        for ply in range(LONGEST):
            turn = self.fast.turn(state)
            if turn == OVER or not left:
                return
            if turn == CHANCE:
                outcomes = self.fast.chance(state)
                number = rng.choices([one for one, _ in outcomes], [weight for _, weight in outcomes])[0]
            else:
                legal = self.fast.legal(state)
                place = 0
                if len(legal) > 1:
                    values = self._evaluator.actions(state)
                    liked = self.liked(state, legal, turn)
                    best = values.index(max(values))
                    if ply >= FIRST and is_puzzle(values, best, liked, margin=margin):
                        left -= 1
                        yield self._candidate(first, numbers, values, liked)
                    place = liked if greedy[turn] else _noisy(values, rng)
                number = legal[place]
            state = self.fast.step(state, number)
            numbers.append(number)

    def liked(self, state: Array, legal: list[int], seat: int) -> int:
        """The place of what a greedy player does."""
        odds = np.zeros(len(legal))
        self._greedy(
            state, self.fast.tables, self._weights, seat, np.array(legal), self._room, np.empty_like(state), odds
        )
        return int(odds.argmax())

    def _candidate(self, first: Any, numbers: list[int], values: list[float], liked: int) -> Candidate:
        """The same position by the rules, reached by the same actions."""
        state, packed = first, self.fast.pack(first)
        for number in numbers:
            state = self.game.rules.apply(state, self.fast.action(packed, number))
            packed = self.fast.step(packed, number)
        position = self.game.rules.position(state)
        state = self.game.rules.from_position(position, self.options, 2)  # without history, as people will see it
        legal = self.game.rules.legal(state)
        pairs = sorted(zip(legal, values, strict=True), key=lambda pair: -pair[1])
        return Candidate(state=state, values=tuple(pairs), tempting=legal[liked])


def _noisy(values: list[float], rng: Random) -> int:
    """A good action: the better the likelier."""
    best = max(values)
    return rng.choices(range(len(values)), [math.exp((value - best) / NOISE) for value in values])[0]
