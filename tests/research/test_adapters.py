"""The adapters, held to the test suites of those whose interfaces they have."""

from __future__ import annotations

import warnings
from typing import Any

import gymnasium
import numpy as np
import pyspiel
import pytest
from gymnasium.utils.env_checker import check_env

import astragal
from astragal.core.types import OVER, BadOptions
from astragal.research import IllegalBatch, gym, spiel, zoo
from astragal.research.table import Table

with warnings.catch_warnings():  # it loads an old game of its own, where pygame is installed
    warnings.simplefilter("ignore", DeprecationWarning)
    from pettingzoo.test import api_test, seed_test

TABLES = [
    (id, players)
    for id in ("ur", "ur-modern", "nile", "egar")
    for players in astragal.game(id).rules.spec.players
]  # fmt: skip


# PettingZoo ------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("id", "players"), TABLES)
def test_the_suite_of_pettingzoo(id: str, players: int) -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", UserWarning)  # it thinks that observations should be pictures
        api_test(zoo.env(id, players=players, max_plies=200), num_cycles=60)
    seed_test(lambda: zoo.env(id, players=players, max_plies=200), num_cycles=30)


def test_a_whole_game_at_pettingzoo_pays_one_win() -> None:
    env = zoo.env("nile", players=3, render_mode="ansi")
    env.reset(seed=4)
    paid = dict.fromkeys(env.possible_agents, 0.0)
    for agent in env.agent_iter():
        seen, reward, terminated, truncated, _ = env.last()
        paid[agent] += reward
        mask = seen["action_mask"]
        env.step(None if terminated or truncated else int(mask.nonzero()[0][0]))
    assert sum(paid.values()) == pytest.approx(1)
    assert "A" in env.render()


def test_an_illegal_action_at_pettingzoo() -> None:
    env = zoo.env("ur")
    env.reset(seed=1)
    with pytest.raises(IllegalBatch, match="is not legal for seat"):
        env.step(14)
    env = zoo.env("ur", on_illegal="forfeit")
    env.reset(seed=1)
    loser = env.agent_selection
    env.step(14)
    assert env.rewards[loser] == 0
    assert sum(env.rewards.values()) == 1
    assert all(env.terminations.values())


# Gymnasium -------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("id", ["ur", "ur-modern", "nile", "egar"])
def test_the_checker_of_gymnasium(id: str) -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", UserWarning)  # about spaces that are not between -1 and 1
        check_env(gym.Env(id), skip_render_check=True)


def test_games_are_registered_by_their_versions() -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", UserWarning)
        names = gym.register()
        assert "astragal/ur-v1" in names
        env = gymnasium.make("astragal/ur-v1", opponents="greedy")
    observation, info = env.reset(seed=2)
    assert env.observation_space.contains(observation)
    assert info["action_mask"].any()


@pytest.mark.parametrize(
    ("id", "opponents", "players"),
    [("nile", "random", 3), ("ur", "greedy", 2), ("egar", ["greedy", "random"], 3)],
)
@pytest.mark.parametrize("mode", ["NEXT_STEP", "SAME_STEP"])
def test_batches_against_bots(id: str, opponents: Any, players: int, mode: str) -> None:
    options = {"pieces": 2} if id == "ur" else None
    most = 90 if id == "egar" else 150  # some games of EGAR are broken off, and all seats share them
    env = gym.make_vec(
        id, 4, opponents=opponents, options=options, players=players, seat=1, autoreset=mode, max_plies=most
    )
    observation, info = env.reset(seed=3)
    rng, ended, paid = np.random.default_rng(1), 0, 0.0
    again = np.zeros(4, dtype=bool)
    for _ in range(80):
        assert env.observation_space.contains(observation)
        masks = info["action_mask"]
        actions = np.array([rng.choice(mask.nonzero()[0]) if mask.any() else 0 for mask in masks])
        observation, rewards, terminated, truncated, info = env.step(actions)
        done = terminated | truncated
        assert (rewards[~done] == 0).all()
        assert not (again & done).any() or mode == "SAME_STEP"
        if mode == "SAME_STEP" and done.any():
            assert all(final is not None for final in info["final_obs"][done])
        again = done
        ended, paid = ended + int(done.sum()), paid + float(rewards.sum())
    assert ended > 1
    assert 0 < paid < ended


def test_the_same_seed_gives_the_same_batch() -> None:
    def first(seed: int) -> Any:
        env = gym.make_vec("ur", 5)
        env.reset(seed=seed)
        return [env.step(np.zeros(5, dtype=int))[0] for _ in range(5)]

    assert np.array_equal(first(1), first(1))
    assert not np.array_equal(first(1), first(2))


def test_seats_and_opponents_that_cannot_be() -> None:
    with pytest.raises(BadOptions, match="there is no seat 3 at a table of 2"):
        gym.Env("ur", seat=2)
    with pytest.raises(BadOptions, match="1 opponents are wanted, not 2"):
        gym.Env("ur", opponents=["random", "random"])


def test_a_table_shares_a_game_that_takes_too_long() -> None:
    table = Table("ur", max_plies=9)
    while table.seat != OVER:
        table.act(table.legal()[0])
    assert (table.truncated, table.terminated, table.rewards()) == (True, False, (0.5, 0.5))


# OpenSpiel -------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", ["ur_v1", "ur_modern_v1", "nile_v2(players=3,", "egar_v1(players=4,"])
def test_the_suite_of_openspiel(name: str, capfd: pytest.CaptureFixture[str]) -> None:
    assert len(spiel.register()) >= 4
    text = f"astragal_{name}{'' if '(' in name else '('}max_plies=120)"
    pyspiel.random_sim_test(pyspiel.load_game(text), num_sims=2, serialize=False, verbose=False)
    capfd.readouterr()


def test_chance_and_values_at_openspiel() -> None:
    spiel.register()
    game = pyspiel.load_game("astragal_ur_v1(max_plies=2000)")
    state = game.new_initial_state()
    assert state.chance_outcomes() == [(0, 1 / 16), (1, 4 / 16), (2, 6 / 16), (3, 4 / 16), (4, 1 / 16)]
    assert state.action_to_string(pyspiel.PlayerId.CHANCE, 3) == "throw-3"
    rng = np.random.default_rng(1)
    while not state.is_terminal():
        actions = [action for action, _ in state.chance_outcomes()] if state.is_chance_node() else state.legal_actions()
        state.apply_action(int(rng.choice(actions)))
    assert sorted(state.returns()) == [0, 1]
    observer = game.make_py_observer()
    observer.set_from(state, 0)
    assert observer.dict["won"].sum() == 1
    assert "won: " in observer.string_from(state, 0)
    assert game.utility_sum() == 1
    assert game.max_game_length() == 2000
