"""What a heuristic sees of a game, for all games: only what its seat may know, and the same compiled or not."""

from __future__ import annotations

import subprocess
import sys
from random import Random
from typing import Any

import msgspec
import pytest

import astragal
from astragal.core.conform import reachable
from astragal.core.heuristic import KernelHeuristic
from astragal.core.rules import Game
from astragal.core.types import CHANCE, OVER
from astragal.games.egar.options import Options as EgarOptions
from tests.games.egar.table import BLANK, TOY
from tests.games.nile.test_conform import TOYS

TABLES = [(id, players) for id, game in astragal.games().items() for players in game.rules.spec.players]


def states(game: Game, players: int, rng: Random, count: int) -> list[Any]:
    """Some states of random games under the first preset."""
    rules, met = game.rules, list[Any]()
    options = next(iter(rules.presets.values()))
    while len(met) < count:
        state = rules.initial(options, players)
        while (turn := rules.turn(state)) != OVER:
            if rng.random() < 0.05:
                met.append(state)
            outcomes = rules.chance(state) if turn == CHANCE else tuple((action, 1) for action in rules.legal(state))
            state = rules.apply(state, rng.choices([a for a, _ in outcomes], [weight for _, weight in outcomes])[0])
        met.append(state)
    return rng.sample(met, count)


@pytest.mark.parametrize(("id", "players"), TABLES)
def test_states_with_equal_views_have_equal_features(id: str, players: int) -> None:
    game, rng = astragal.game(id), Random(players)
    assert game.fast is not None
    names, differ = len(game.heuristic.names), 0
    for state in states(game, players, rng, 25):
        for seat in range(players):
            view = game.rules.observe(state, seat)
            fast = game.fast(view.options, players)
            guesses = [game.rules.resample(view, rng) for _ in range(4)]
            packed = [fast.pack(guess) for guess in guesses]
            differ += len({fast.key(one) for one in packed}) > 1
            seen = {fast.features(one, seat, names) for one in packed}
            assert len(seen) == 1, (view, seen)
            plain = game.heuristic.features(view, seat)
            assert list(plain.values()) == pytest.approx(list(seen.pop()), abs=1e-12)
    assert (differ > 0) == (id in ("nile", "egar")), "where something is hidden, guesses should differ"


@pytest.mark.parametrize(
    ("id", "options", "players"),
    [
        ("egar", EgarOptions(board=TOY, deck=BLANK, turn_limit=2, begins=0), 2),
        ("nile", *TOYS["encirclements and crossings"]),
        ("nile", *TOYS["three players"]),
    ],
    ids=["egar", "nile for two", "nile for three"],
)
def test_every_two_states_of_a_small_game_that_look_alike_have_equal_features(
    id: str, options: Any, players: int
) -> None:
    """Games so small that all states can be listed, grouped by what each seat sees."""
    game = astragal.game(id)
    assert game.fast is not None
    fast, names = game.fast(options, players), len(game.heuristic.names)
    reached = reachable(game.rules, options, players)
    alike = 0
    for seat in range(players):
        seen: dict[bytes, set[tuple[float, ...]]] = {}
        for state in reached:
            view = msgspec.msgpack.encode(game.rules.observe(state, seat))
            before = len(seen.setdefault(view, set()))
            seen[view].add(fast.features(fast.pack(state), seat, names))
            alike += before == len(seen[view])
        assert all(len(features) == 1 for features in seen.values())
    assert alike > 0


@pytest.mark.parametrize("id", astragal.games())
def test_a_hint_needs_no_compiler(id: str) -> None:
    """The greedy bot and its reasons run on the same kernels without Numba."""
    code = f"""
import sys
from random import Random
import astragal
from astragal.bots import make
game = astragal.game({id!r})
state = game.rules.initial(next(iter(game.rules.presets.values())), 2)
rng = Random(1)
while len(game.rules.legal(state)) < 2:
    outcomes = game.rules.chance(state)
    state = game.rules.apply(state, rng.choices([a for a, _ in outcomes], [w for _, w in outcomes])[0]
                             if outcomes else game.rules.legal(state)[0])
choice = make("greedy", game).choose(game.rules.observe(state, game.rules.turn(state)), rng)
assert choice.fault is None, choice.fault
assert choice.action in game.rules.legal(state)
sys.exit("numba" in sys.modules)
"""
    subprocess.run([sys.executable, "-c", code], check=True, timeout=120)


def test_every_feature_has_a_reason_and_a_weight() -> None:
    for game in astragal.games().values():
        assert isinstance(game.heuristic, KernelHeuristic)
        assert list(game.heuristic.names) == list(game.heuristic.weights)
