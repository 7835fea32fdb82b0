"""Batches of games: the same games as one by one, and what a batch adds to them."""

from __future__ import annotations

import os
import subprocess
import sys
from typing import Any

import numpy as np
import pytest

import astragal
from astragal import research
from astragal.core.types import CHANCE, OVER, AstragalError, BadOptions
from astragal.research import Vector, vector
from astragal.research.batch import IllegalBatch, Mode

TABLES = [("ur", 2), ("ur-modern", 2), ("nile", 3), ("egar", 4)]


def over(games: Vector) -> Any:
    return games.seat == OVER


@pytest.mark.parametrize(("id", "players"), TABLES)
def test_every_step_is_that_of_the_compiled_rules(id: str, players: int) -> None:
    """Chance outside, so that both are given the same outcomes."""
    n, rng = 6, np.random.default_rng(1)
    games = vector(id, n, players=players, chance="outside", autoreset="DISABLED")
    fast = games.fast
    start = fast.pack(games.game.rules.initial(games.options, players))
    mine = [start] * n
    for _ in range(250):
        told = games.outcomes()
        actions = np.zeros(n, dtype=int)
        for game, packed in enumerate(mine):
            assert (games.arrays.states[game] == packed).all()
            assert games.seat[game] == fast.turn(packed)
            numbers = fast.legal(packed)
            assert games.space.numbers[games.legal(game)].tolist() == numbers or games.seat[game] == CHANCE
            assert games.space.numbers[games.mask[game].nonzero()[0]].tolist() == sorted(numbers)
            if games.seat[game] == CHANCE:
                outcomes = fast.chance(packed)
                count = told.counts[game]
                assert list(zip(told.numbers[game, :count], told.weights[game, :count], strict=True)) == outcomes
                total = sum(weight for _, weight in outcomes)
                wanted = [weight / total for _, weight in outcomes]
                assert told.probabilities()[game, :count].tolist() == wanted
                number = int(rng.choice([number for number, _ in outcomes], p=wanted))
                actions[game] = number
            elif games.seat[game] >= 0:
                assert told.counts[game] == 0
                actions[game] = rng.choice(games.legal(game))
                number = int(games.space.numbers[actions[game]])
                name = games.game.rules.encode(fast.action(packed, number))
                assert games.name(game, int(actions[game])) == name
            else:
                continue
            mine[game] = fast.step(packed, number)
        step = games.step(actions)
        for game, packed in enumerate(mine):
            if step.terminated[game]:
                assert step.rewards[game].tolist() == pytest.approx(fast.returns(packed))
                assert over(games)[game]


@pytest.mark.parametrize("id", [id for id, _ in TABLES])
def test_the_action_space_is_small_and_holds_everything_that_is_ever_legal(id: str) -> None:
    game = astragal.game(id)
    for players in game.rules.spec.players:
        for preset in game.rules.presets:
            games = vector(id, 40, options=preset, players=players, autoreset="SAME_STEP", observations=False)
            assert games.space.actions < 4000
            assert (np.diff(games.space.numbers) > 0).all()
            for _ in range(60):
                games.step(games.sample())
                assert (games.arrays.legal[games.arrays.counts > 0, 0] >= 0).all()


def played(n: int, cores: int, steps: int = 60, seed: int = 5) -> Vector:
    games = vector("ur", n, seed=seed, cores=cores, autoreset="SAME_STEP")
    for _ in range(steps):
        games.step(games.sample())
    return games


def test_a_seed_gives_the_same_games_on_one_core_and_on_two() -> None:
    one, two = played(1100, 1), played(1100, 2)
    assert all((a == b).all() for a, b in zip(one.get_state(), two.get_state(), strict=True))
    assert (one.observe() == two.observe()).all()
    other = played(1100, 1, seed=6)
    assert not (one.arrays.states == other.arrays.states).all()


def test_rewards_are_shares_of_one_win_and_fair_between_equals() -> None:
    games = vector("egar", 300, players=3, autoreset="NEXT_STEP", observations=False)
    total, ends = np.zeros(3), 0
    while ends < 600:
        step = games.step(games.sample())
        done = step.terminated
        assert np.allclose(step.rewards[done].sum(axis=1), 1)
        assert (step.rewards[~done & ~step.truncated] == 0).all()
        total += step.rewards.sum(axis=0)
        ends += int(done.sum())
    assert (abs(total / ends - 1 / 3) < 0.12).all()


@pytest.mark.parametrize("mode", ["NEXT_STEP", "SAME_STEP", "DISABLED"])
def test_games_begin_anew_as_the_mode_says(mode: Mode) -> None:
    games = vector("ur", 50, autoreset=mode, options={"pieces": 1})
    ended = np.zeros(50, dtype=bool)
    while not ended.any():
        before = games.arrays.states.copy()
        step = games.step(games.sample())
        ended = step.terminated.copy()
    at_start = games.plies < 12
    if mode == "SAME_STEP":
        assert (games.seat[ended] >= 0).all()
        assert at_start[ended].all()
        won = games.space.cut(games.observe(0, final=True))["won"]
        assert (won[ended].sum(axis=1) == 1).all()
        return
    assert (games.seat[ended] == OVER).all()
    assert not at_start[ended].all()
    assert (games.mask[ended] == 0).all()
    assert (games.sample()[ended] == -1).all()
    before = games.arrays.states.copy()
    step = games.step(games.sample())
    again = ~step.terminated & ended
    assert (again == ended).all(), "nothing ends twice"
    assert (step.rewards[ended] == 0).all()
    if mode == "DISABLED":
        assert (games.arrays.states[ended] == before[ended]).all()
        games.reset(mask=ended)
        assert (games.seat[ended] >= 0).all()
        assert (games.arrays.states[~ended] != before[~ended]).any()
    else:
        assert (games.seat[ended] >= 0).all()


def test_an_illegal_action_is_refused_with_all_there_is_to_say_and_nothing_is_played() -> None:
    games = vector("ur", 5, seed=3)
    actions = games.sample().copy()
    before = games.get_state()
    actions[2] = 14
    with pytest.raises(IllegalBatch) as caught:
        games.step(actions)
    error = caught.value
    seat, legal = int(games.seat[2]), tuple(games.legal(2).tolist())
    assert (error.index, error.seat, error.action, error.legal) == (2, seat, 14, legal)
    assert str(error).startswith(f"game 2: action 14 is not legal for seat {seat}; legal are {legal[0]} (")
    assert all((a == b).all() for a, b in zip(before, games.get_state(), strict=True))
    with pytest.raises(IllegalBatch):
        games.step(np.full(5, -1))
    with pytest.raises(IllegalBatch):
        games.step(np.full(5, 10**12))


def test_an_illegal_action_can_cost_the_game_instead() -> None:
    games = vector("nile", 4, players=3, on_illegal="forfeit", autoreset="DISABLED")
    actions = games.sample().copy()
    actions[1] = 10**6
    loser = int(games.seat[1])
    step = games.step(actions)
    assert step.terminated.tolist() == [False, True, False, False]
    assert step.rewards[1].tolist() == [0.0 if seat == loser else 0.5 for seat in range(3)]
    assert games.seat[1] == OVER
    assert games.mask[1].sum() == 0


def test_outcomes_that_cannot_be_are_refused_too_and_the_dice_can_be_asked() -> None:
    games = vector("ur", 3, options={"begins": 0}, chance="outside")
    assert (games.seat == CHANCE).all()
    with pytest.raises(IllegalBatch, match=r"game 0: action 5 is not legal for seat -1; legal are 0 \(throw-0\)"):
        games.step(np.array([5, 0, 0]))
    games.step(np.array([3, -1, -1]))
    assert (games.seat == 0).all()
    thrown = games.space.cut(games.observe(0))["throw"]
    assert thrown[0].tolist() == [0, 0, 0, 1, 0]
    assert (thrown.sum(axis=1) == 1).all()


def test_a_clone_goes_its_own_way_and_a_state_can_be_gone_back_to() -> None:
    games = vector("egar", 20, players=2, seed=2, autoreset="SAME_STEP")
    for _ in range(10):
        games.step(games.sample())
    saved, twin = games.get_state(), games.clone()
    first = [games.step(games.sample()).seat.copy() for _ in range(20)]
    assert (twin.arrays.states == saved.states).all()
    second = [twin.step(twin.sample()).seat.copy() for _ in range(20)]
    games.set_state(saved)
    third = [games.step(games.sample()).seat.copy() for _ in range(20)]
    assert np.array_equal(first, second)
    assert np.array_equal(first, third)


def test_positions_can_be_put_in() -> None:
    rules = astragal.rules("ur")
    games = vector("ur", 2, chance="outside", options={"begins": 0})
    states = [rules.initial(games.options, 2)]
    for text in ("throw-2", "in-a3"):
        states.append(rules.apply(states[-1], rules.decode(states[-1], text)))
    games.set_state(np.stack([games.fast.pack(state) for state in states[1:]]))
    assert games.seat.tolist() == [0, CHANCE]
    assert games.space.cut(games.observe(0))["own"][1].tolist()[:3] == [0, 1, 0]
    assert games.name(0, int(games.legal(0)[0])) == "in-a3"


def test_a_game_that_takes_too_long_is_cut_off_and_shared() -> None:
    games = vector("ur", 3, max_plies=40, autoreset="DISABLED")
    while not over(games).all():
        step = games.step(games.sample())
        assert (step.rewards[step.truncated] == 0.5).all()
        assert not (step.truncated & step.terminated).any()
    assert (games.plies == 40).all()


def test_arrays_are_shared_by_dlpack_without_a_copy() -> None:
    games = vector("ur", 3)
    mask = np.from_dlpack(games.mask)
    for _ in range(3):
        games.step(games.sample())
    assert (mask == games.mask).all()


@pytest.mark.parametrize(
    ("given", "said"),
    [
        ({"device": "tpu"}, "there is no device 'tpu'; the devices are: cpu, cuda"),
        ({"n": 0}, "option n: must be 1 or more, not 0"),
        ({"players": 3}, "option players: ur is for 2 players, not 3"),
        ({"options": "none"}, "option preset: 'none' is not one of"),
        ({"options": {"piece": 2}}, "option piece: ur has no such option"),
        ({"autoreset": "LATER"}, "option autoreset: 'LATER' is not one of NEXT_STEP, SAME_STEP, DISABLED"),
        ({"chance": "above"}, "option chance: 'above' is not one of inside, outside"),
        ({"on_illegal": "shrug"}, "option on_illegal: 'shrug' is not one of raise, forfeit"),
        ({"game": "chess"}, "there is no game 'chess'"),
    ],
)
def test_what_cannot_be_had_is_said_in_one_sentence(given: dict[str, Any], said: str) -> None:
    with pytest.raises(AstragalError) as caught:
        vector(**{"game": "ur", "n": 2, **given})
    assert str(caught.value).startswith(said)
    assert "\n" not in str(caught.value)


def test_wrong_arrays_are_refused() -> None:
    games = vector("ur", 2)
    with pytest.raises(AstragalError, match=r"actions must have the shape \(2,\), not \(3,\)"):
        games.step(np.zeros(3, dtype=int))
    with pytest.raises(AstragalError, match="actions are whole numbers, not float64"):
        games.step(np.zeros(2))
    with pytest.raises(AstragalError, match=r"packed positions have the shape \(2, 8\), not \(2, 3\)"):
        games.set_state(np.zeros((2, 3), dtype=int))
    with pytest.raises(AstragalError, match="outcomes are told only with chance"):
        games.outcomes()
    with pytest.raises(BadOptions):
        vector("ur", 2, max_plies=0)


def test_the_package_names_what_it_has() -> None:
    assert research.vector is vector


# CUDA ------------------------------------------------------------------------------------------------------------

ON_DEVICE = """
import sys
import numpy as np
from astragal.research import vector

id, players, outside = sys.argv[1], int(sys.argv[2]), sys.argv[3]
made = {"players": players, "seed": 3, "autoreset": "SAME_STEP", "chance": outside, "max_plies": 60}
here, there = (vector(id, 3, device=device, **made) for device in ("cpu", "cuda"))
for step in range(25):
    for name, mine, theirs in zip(here.arrays._fields, here.get_state(), there.get_state(), strict=True):
        assert (mine == theirs).all(), (step, name, mine, theirs)
    assert (here.observe() == there.observe()).all()
    actions = here.sample().copy()
    assert (actions == there.sample()).all()
    one, other = here.step(actions), there.step(actions)
"""


@pytest.mark.parametrize(("id", "players"), TABLES)
def test_the_simulated_graphics_card_plays_the_same_games(id: str, players: int) -> None:
    environment = {**os.environ, "NUMBA_ENABLE_CUDASIM": "1"}
    code = [sys.executable, "-c", ON_DEVICE, id, str(players), "outside" if id == "egar" else "inside"]
    done = subprocess.run(code, env=environment, capture_output=True, text=True, check=False, timeout=300)
    assert done.returncode == 0, done.stderr


def test_without_a_graphics_card_that_is_said() -> None:
    code = "from astragal.research import vector\nvector('ur', 2, device='cuda')"
    environment = {**os.environ, "CUDA_VISIBLE_DEVICES": ""}
    done = subprocess.run(
        [sys.executable, "-c", code], env=environment, capture_output=True, text=True, check=False, timeout=300
    )
    last = done.stderr.strip().split("\n")[-1]
    assert last.startswith("astragal.research.device.BadDevice: no NVIDIA graphics card can be used: ")
