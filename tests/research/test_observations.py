"""Observations: built from what the seat may know, in the shapes and ranges that they name."""

from __future__ import annotations

from random import Random
from typing import Any

import numpy as np
import pytest

import astragal
from astragal.core import tensor
from astragal.core.options import pairwise
from astragal.core.types import OVER
from astragal.core.walk import Walk
from astragal.games.ur_modern.fast import UrModernFast
from tests.games.ur_modern.test_position import fortresses

GAMES = ["ur", "ur-modern", "nile", "egar"]


def tables(id: str, seed: int, games: int) -> list[tuple[Any, Any]]:
    """Walks under many options, at tables of every size, with and without seats that answer themselves."""
    game = astragal.game(id)
    rng = Random(seed)
    found = []
    for number, chosen in enumerate(pairwise(game.rules, rng)):
        players = game.rules.spec.players[number % len(game.rules.spec.players)]
        if isinstance(chosen.begins, int) and chosen.begins >= players:
            continue
        options = game.rules.seated(chosen, [rng.random() < 0.5 for _ in range(players)])
        assert game.fast is not None
        found.append((Walk(game.rules, game.rules.initial(options, players), rng), game.fast(options, players)))
        if len(found) == games:
            break
    return found


@pytest.mark.parametrize("id", GAMES)
def test_states_that_look_alike_give_the_same_numbers(id: str) -> None:
    """Noninterference: whatever else is true behind a view, the seat that has it is told the same."""
    rules, rng, differ = astragal.rules(id), Random(7), 0
    for walk, fast in tables(id, 1, 12):
        while walk.turn != OVER and walk.ply < 260:
            if rng.random() < 0.15:
                state = walk.state
                for seat in range(fast.players):
                    view = rules.observe(state, seat)
                    other = rules.resample(view, rng)
                    assert rules.observe(other, seat) == view
                    packed, resampled = fast.pack(state), fast.pack(other)
                    differ += not np.array_equal(packed, resampled)
                    seen, as_well = fast.observe(packed, seat), fast.observe(resampled, seat)
                    assert np.array_equal(seen, as_well), names(fast, seen != as_well)
            walk.step()
    assert bool(differ) == rules.spec.hidden, "a test that never saw a secret proves nothing"


def names(fast: Any, where: Any) -> list[str]:
    return [part.name for part, place in tensor.places(fast.observation) if where[place].any()]


@pytest.mark.parametrize("id", GAMES)
def test_every_number_is_in_its_range_and_every_part_says_something(id: str) -> None:
    lows: dict[str, float] = {}
    highs: dict[str, float] = {}
    for walk, fast in tables(id, 2, 12):
        while walk.turn != OVER and walk.ply < 400:
            if walk.ply < 40 or walk.ply % 3 == 0:
                note(fast, walk.state, lows, highs)
            walk.step()
        note(fast, walk.state, lows, highs)
        for part in fast.observation:
            assert part.low <= lows.get(part.name, part.low)
            assert highs.get(part.name, part.high) <= part.high
    if id == "ur-modern":  # whose random games go on for thousands of plies
        rules = astragal.rules(id)
        options = rules.options_type(layout="royal")
        note(UrModernFast(options, 2), rules.from_position(f"3:{fortresses()} 6:b1 over", options, 2), lows, highs)
    never = {"drawn", "gone", "waited", "shut", "idle"}  # claims, and what is rare
    assert {name for name in highs if lows[name] == highs[name]} <= never


def note(fast: Any, state: Any, lows: dict[str, float], highs: dict[str, float]) -> None:
    for seat in range(fast.players):
        seen = fast.observe(fast.pack(state), seat)
        for part, place in tensor.places(fast.observation):
            if part.size:
                lows[part.name] = min(lows.get(part.name, 9e9), float(seen[place].min()))
                highs[part.name] = max(highs.get(part.name, -9e9), float(seen[place].max()))


def seen_by(id: str, options: Any, players: int, texts: list[str], seat: int) -> dict[str, Any]:
    """The parts of an observation after some actions in notation."""
    game = astragal.game(id)
    state = game.rules.initial(options, players)
    for text in texts:
        state = game.rules.apply(state, game.rules.decode(state, text))
    assert game.fast is not None
    fast = game.fast(options, players)
    return tensor.cut(fast.observation, fast.observe(fast.pack(state), seat))


def test_numbers_of_the_classic_game() -> None:
    options = astragal.rules("ur").options_type(begins=0)
    texts = ["throw-2", "in-a3", "throw-1"]
    mine, theirs = (seen_by("ur", options, 2, texts, seat) for seat in (0, 1))
    assert mine["own"].nonzero()[0].tolist() == theirs["other"].nonzero()[0].tolist() == [1]
    assert mine["pools"].tolist() == pytest.approx([6 / 7, 1])
    assert theirs["pools"].tolist() == pytest.approx([1, 6 / 7])
    assert mine["turn"].tolist() == [0, 1]
    assert mine["throw"].tolist() == [0, 1, 0, 0, 0]
    lots = seen_by("ur", astragal.rules("ur").options_type(), 2, ["throw-3"], 0)
    assert (lots["opening"].tolist(), lots["first throw"].tolist()) == ([1], [0, 0, 0, 1, 0])


def test_numbers_of_the_modern_game() -> None:
    options = astragal.rules("ur-modern").options_type(begins=1)
    seen = seen_by("ur-modern", options, 2, ["throw-one"], 1)
    assert (seen["side"].tolist(), seen["turn"].tolist()) == ([1], [1, 0])
    assert seen["throw"].tolist() == [0, 1, 0, 0, 0]
    assert seen["pools"].tolist() == [1, 1]


def test_a_rack_is_seen_by_its_owner_only() -> None:
    options = astragal.rules("nile").options_type(begins=0)
    draws = ["draw-straight"] * 5 + ["draw-curve"] * 4
    mine, theirs = (seen_by("nile", options, 2, draws, seat) for seat in (0, 1))
    assert mine["rack"].tolist()[0] == 1
    assert theirs["rack"].tolist()[0] == 0
    assert theirs["rack"].tolist()[1] == pytest.approx(0.8)
    total = mine["unseen"].sum() + mine["rack"].sum() / 2
    assert total == pytest.approx(theirs["unseen"].sum() + theirs["rack"].sum() / 2)
    assert mine["sizes"].tolist() == pytest.approx([1, 0.8, 0, 0])
    assert theirs["mover"].tolist() == [1, 0, 0, 0]


def test_the_right_answer_is_in_no_number() -> None:
    """Every order of the options gives the same tensor to everybody."""
    rules = astragal.rules("egar")
    game = astragal.game("egar")
    options = rules.options_type(begins=0)
    assert game.fast is not None
    fast = game.fast(options, 2)
    state = rules.initial(options, 2)
    for text in ("roll-1", "done"):
        state = rules.apply(state, rules.decode(state, text))
    while not any(str(action).startswith("order") for action, _ in rules.chance(state)):
        action = rules.chance(state)[0][0] if rules.turn(state) < 0 else rules.legal(state)[0]
        state = rules.apply(state, action)
    after = [rules.apply(state, order) for order, _ in rules.chance(state)]
    packed = [fast.pack(one) for one in after]
    assert len({one.tobytes() for one in packed}) == 4, "the place of the right option differs"
    for seat in range(2):
        assert len({fast.observe(one, seat).tobytes() for one in packed}) == 1
