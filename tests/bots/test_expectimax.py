"""Expectimax finds what a search on the readable rules finds, and keeps its limits."""

from __future__ import annotations

from random import Random
from typing import Any

import numpy as np
import pytest

import astragal
from astragal.bots.choice import Limit
from astragal.bots.expectimax import ExpectimaxBot, ExpectimaxSettings
from astragal.bots.kernels_expectimax import position_hash
from astragal.bots.reasons import share
from astragal.core.compiled import cpu
from astragal.core.rules import Game
from astragal.core.types import CHANCE, OVER
from tests.bots.positions import decisions

GAMES = ("ur", "ur-modern")


def readable(game: Game, state: Any, seat: int, depth: int) -> float:
    """The same search in the plainest words."""
    rules = game.rules
    turn = rules.turn(state)
    if turn == OVER:
        return rules.returns(state)[seat]
    if depth == 0:
        return share(sum(game.heuristic.terms(rules.observe(state, seat), seat).values()))
    if turn == CHANCE:
        outcomes = rules.chance(state)
        total = sum(weight for _, weight in outcomes)
        return sum(readable(game, rules.apply(state, o), seat, depth) * weight / total for o, weight in outcomes)
    worths = [readable(game, rules.apply(state, action), seat, depth - 1) for action in rules.legal(state)]
    return max(worths) if turn == seat else min(worths)


@pytest.mark.parametrize(
    ("id", "depth", "count"), [("ur", 1, 60), ("ur", 2, 30), ("ur", 3, 4), ("ur-modern", 1, 20), ("ur-modern", 2, 4)]
)
def test_every_value_is_that_of_the_readable_search(id: str, depth: int, count: int) -> None:
    game = astragal.game(id)
    for state in decisions(game, count, seed=depth):
        seat = game.rules.turn(state)
        bot = ExpectimaxBot(game, Limit(depth=depth), ExpectimaxSettings(by="heuristic"))
        choice = bot.choose(game.rules.observe(state, seat), Random(0))
        if choice.value == 1 and choice.depth < depth:  # a win ends the search: test_sure_results.py
            continue
        expected = {
            action: readable(game, game.rules.apply(state, action), seat, depth - 1)
            for action in game.rules.legal(state)
        }
        assert choice.depth == depth
        assert choice.value == pytest.approx(max(expected.values()), abs=1e-9)
        for action, worth in choice.alternatives:
            assert worth == pytest.approx(expected[action], abs=1e-9)
        assert choice.alternatives[0] == (choice.action, choice.value)


def test_no_position_is_taken_for_another_one_at_another_depth() -> None:
    """In the first word seats differ as depths do: light with one decision to come is not dark with two."""
    hashed = cpu(position_hash)
    cases = [(depth, first, last) for depth in range(12) for first in range(-1, 20) for last in range(20)]
    assert len({int(hashed(np.array([first, 7, last]), depth)) for depth, first, last in cases}) == len(cases)


@pytest.mark.parametrize("id", GAMES)
@pytest.mark.parametrize("nodes", [1, 2, 17, 500, 20_000])
def test_a_limit_of_nodes_is_kept_exactly(id: str, nodes: int) -> None:
    game = astragal.game(id)
    for state in decisions(game, 8, seed=nodes):
        view = game.rules.observe(state, game.rules.turn(state))
        first = ExpectimaxBot(game, Limit(nodes=nodes)).choose(view, Random(1))
        assert first.nodes == nodes
        again, other = (ExpectimaxBot(game, Limit(nodes=nodes)).choose(view, Random(luck)) for luck in (1, 2))
        assert first == again
        assert dict(first.alternatives) == dict(other.alternatives), "only which of two equals comes first is luck"


def test_one_bot_gives_the_same_answer_whatever_it_was_asked_before() -> None:
    game = astragal.game("ur")
    bot = ExpectimaxBot(game, Limit(nodes=3000))
    views = [game.rules.observe(state, game.rules.turn(state)) for state in decisions(game, 12)]
    forwards = [bot.choose(view, Random(0)) for view in views]
    backwards = [bot.choose(view, Random(0)) for view in reversed(views)]
    assert forwards == backwards[::-1]


def test_it_takes_a_win_that_is_there() -> None:
    """In classic Ur nobody ever has a choice between winning and not: the last piece home is the only one left."""
    game = astragal.game("ur-modern")
    rules = game.rules
    wins = 0
    for state in decisions(game, 40, seed=1, late=True):
        seat = rules.turn(state)
        winning = [action for action in rules.legal(state) if rules.returns(rules.apply(state, action))[seat] == 1]
        if winning:
            choice = ExpectimaxBot(game, Limit(nodes=2000)).choose(rules.observe(state, seat), Random(0))
            assert choice.action in winning
            assert choice.value == 1
            wins += 1
    assert wins >= 3


def test_it_thinks_within_its_time_and_says_why_it_chose() -> None:
    game = astragal.game("ur")
    state = decisions(game, 1, seed=9)[0]
    view = game.rules.observe(state, game.rules.turn(state))
    bot = ExpectimaxBot(game, Limit(time=0.05))
    bot.prepare(view)
    choice = bot.choose(view, Random(0))
    assert choice.depth >= 1
    assert choice.nodes > 0
    assert choice.value is not None
    assert 0 <= choice.value <= 1
    assert set(choice.reasons) <= set(game.heuristic.names.values())
