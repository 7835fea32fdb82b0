"""Known numbers about Ur, reproduced from the rules alone (the table is in docs/rules/*/ur.md)."""

from __future__ import annotations

from fractions import Fraction
from functools import cache
from math import sqrt
from random import Random
from typing import NamedTuple

import msgspec
import pytest

from astragal.core.types import CHANCE, OVER
from astragal.games.ur.options import Options
from astragal.games.ur.rules import State
from tests.games.ur.positions import LIGHT, RULES, at


class Change(NamedTuple):
    """Where a move leads: a position, and whether the same side throws there."""

    to: State
    stays: bool


Graph = dict[State, list[tuple[int, list[Change]]]]  # per position: the weight of each throw, and its moves


def turned(s: State) -> State:
    """The position with the sides exchanged where needed, so that light is to throw."""
    if s.seat == LIGHT:
        return s
    return msgspec.structs.replace(s, seat=LIGHT, pools=(s.pools[1], s.pools[0]), on=(s.on[1], s.on[0]))


def explore(*starts: State) -> tuple[Graph, set[State]]:
    """Every position before a throw that play can reach, and every one that has just been won."""
    graph: Graph = {}
    won: set[State] = set()
    queue = list(starts)
    while queue:
        state = queue.pop()
        if state in graph:
            continue
        graph[state] = throws = []
        for outcome, weight in RULES.chance(state):
            thrown = RULES.apply(state, outcome)
            changes = []
            for action in RULES.legal(thrown):
                after = RULES.apply(thrown, action)
                to = turned(after)
                changes.append(Change(to, after.seat == state.seat))
                if RULES.turn(after) == OVER:
                    won.add(to)
                elif to not in graph:
                    queue.append(to)
            throws.append((weight, changes))
    return graph, won


@cache
def whole(pieces: int) -> tuple[Graph, set[State], State]:
    start = RULES.initial(Options(pieces=pieces, begins=LIGHT), 2)
    return *explore(start), start


def best_play(graph: Graph, won: set[State], precise: float = 1e-12) -> dict[State, float]:
    """How often the side to throw wins when both play perfectly: sweeps of value iteration until nothing moves.

    A position that has just been won is seen by the loser, who is to throw in it: its value is 0.
    """
    order = sorted(graph, key=lambda s: -(sum(s.on[0]) + sum(s.on[1]) - 15 * sum(s.pools)))
    number = {state: k for k, state in enumerate(order)} | dict.fromkeys(won, len(order))
    table = [
        [(weight / 16, [(number[to], stays) for to, stays in changes]) for weight, changes in graph[state]]
        for state in order
    ]
    value = [0.5] * len(order) + [0.0]
    moved = 1.0
    while moved > precise:
        moved = 0.0
        for k, throws in enumerate(table):
            new = 0.0
            for weight, changes in throws:
                new += weight * max([value[to] if stays else 1 - value[to] for to, stays in changes])
            moved = max(moved, abs(new - value[k]))
            value[k] = new
    return {state: value[k] for k, state in enumerate(order)}


@pytest.mark.parametrize(("pieces", "open_positions", "won_positions"), [(1, 217, 15), (2, 12_869, 121)])
def test_number_of_positions(pieces: int, open_positions: int, won_positions: int) -> None:
    graph, won, _ = whole(pieces)
    assert len(graph) == open_positions
    assert len(won) == won_positions


@pytest.mark.parametrize(("pieces", "wins"), [(1, 0.53004983952), (2, 0.51857290750)])
def test_first_players_wins_under_perfect_play(pieces: int, wins: float) -> None:
    graph, won, start = whole(pieces)
    assert best_play(graph, won)[start] == pytest.approx(wins, abs=6e-12)


def exactly(start: State) -> Fraction:
    """The chance of the side to throw where nobody has a choice, solved as linear equations without rounding."""
    graph, won = explore(start)
    index = {state: k for k, state in enumerate(graph)}
    size = len(index)
    rows = [[Fraction(int(r == c)) for c in range(size)] + [Fraction(0)] for r in range(size)]
    for state, row in zip(graph, rows, strict=True):
        for weight, changes in graph[state]:
            (change,) = changes  # with one piece each, every throw leaves one thing to do
            share = Fraction(weight, 16)
            if change.to in won:
                row[size] += share
            elif change.stays:
                row[index[change.to]] -= share
            else:  # the other side's chance is what is left of one
                row[size] += share
                row[index[change.to]] += share
    for pivot in range(size):
        best = next(r for r in range(pivot, size) if rows[r][pivot])
        rows[pivot], rows[best] = rows[best], rows[pivot]
        rows[pivot] = [entry / rows[pivot][pivot] for entry in rows[pivot]]
        for r in range(size):
            if r != pivot and (factor := rows[r][pivot]):
                rows[r] = [entry - factor * lead for entry, lead in zip(rows[r], rows[pivot], strict=True)]
    return rows[index[start]][size]


@pytest.mark.parametrize(
    ("mine", "theirs", "wins"),
    [("a7", "c7", Fraction(4, 7)), ("a8", "c7", Fraction(116, 161)), ("a7", "c8", Fraction(74, 161))],
)
def test_exact_chances_at_the_end_of_the_way(mine: str, theirs: str, wins: Fraction) -> None:
    """One piece each, on steps 13 (a8, c8) and 14 (a7, c7)."""
    assert exactly(at(mine, theirs, pieces=1)) == wins


def throws_of_a_random_game(rng: Random) -> int:
    state = RULES.initial(Options(begins=LIGHT), 2)
    throws = 0
    while (turn := RULES.turn(state)) != OVER:
        if turn == CHANCE:
            throws += 1
            outcomes, weights = zip(*RULES.chance(state), strict=True)
            state = RULES.apply(state, rng.choices(outcomes, weights)[0])
        else:
            state = RULES.apply(state, rng.choice(RULES.legal(state)))
    return throws


def test_random_games_last_156_throws_on_average() -> None:
    """Within four standard errors; with that many games the error is about 1 throw."""
    rng = Random(20_240_607)
    lengths = [throws_of_a_random_game(rng) for _ in range(1500)]
    mean = sum(lengths) / len(lengths)
    error = sqrt(sum((length - mean) ** 2 for length in lengths) / (len(lengths) - 1) / len(lengths))
    assert error < 1.5
    assert abs(mean - 156.5) < 4 * error
