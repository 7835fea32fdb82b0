"""The greedy bot, plain and compiled."""

from __future__ import annotations

from random import Random

import pytest

import astragal
from astragal.bots.quick import QuickBot
from astragal.bots.reasons import share
from astragal.bots.simple import GreedyBot, GreedySettings, RandomBot
from tests.bots.positions import decisions

TABLES = [(id, players) for id, game in astragal.games().items() for players in game.rules.spec.players]


@pytest.mark.parametrize(("id", "players"), TABLES)
def test_the_compiled_greedy_bot_chooses_as_the_plain_one(id: str, players: int) -> None:
    game = astragal.game(id)
    for state in decisions(game, 25, players=players, seed=players):
        view = game.rules.observe(state, game.rules.turn(state))
        plain, quick = GreedyBot(game).choose(view, Random(7)), QuickBot(game).choose(view, Random(7))
        assert plain.value == pytest.approx(quick.value, abs=1e-6)
        worth = dict(quick.alternatives)
        for action, value in plain.alternatives:
            assert worth.get(action, value) == pytest.approx(value, abs=1e-6)


def test_what_a_bot_overlooks_makes_no_difference_to_it() -> None:
    """The plain and the compiled one have no eye for the same things, and judge by everything else as before."""
    game = astragal.game("egar")
    rules, settings = game.rules, GreedySettings(overlooks="road+strike")
    changed = 0
    for state in decisions(game, 25, players=2, seed=4):
        seat = rules.turn(state)
        view = rules.observe(state, seat)
        bots = GreedyBot(game, settings), QuickBot(game, settings), GreedyBot(game)
        plain, compiled, usual = (dict(bot.choose(view, Random(7)).alternatives) for bot in bots)
        changed += plain != usual
        guess = rules.resample(view, Random(0))
        for action, value in plain.items():
            assert compiled.get(action, value) == pytest.approx(value, abs=1e-6)
            terms = game.heuristic.terms_in(rules, rules.apply(guess, action), seat)
            seen = sum(term for name, term in terms.items() if name not in ("road", "strike"))
            assert value == pytest.approx(share(seen))
    assert changed > 10, "it tells what it overlooks from nothing"


def test_mistakes_are_random_moves_as_often_as_said() -> None:
    game = astragal.game("ur")
    views = [game.rules.observe(state, game.rules.turn(state)) for state in decisions(game, 60)]
    rng = Random(3)
    for mistakes, low, high in ((0.0, 0, 0), (0.5, 200, 280), (1.0, 480, 480)):
        bot = GreedyBot(game, GreedySettings(mistakes))
        unjudged = sum(bot.choose(view, rng).nodes == 0 for view in views for _ in range(8))
        assert low <= unjudged <= high


def test_the_random_bot_tries_everything() -> None:
    game = astragal.game("ur")
    view = next(
        view
        for view in (game.rules.observe(state, game.rules.turn(state)) for state in decisions(game, 30))
        if len(view.legal) > 2
    )
    rng = Random(1)
    assert {RandomBot(game).choose(view, rng).action for _ in range(100)} == set(view.legal)
