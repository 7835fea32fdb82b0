"""Random games of other people's simulators: the same work as ours, or the nearest public relative's.

A peer that is not installed is left out, with a line that says so; `pip install -e '.[bench]'` brings them all.
"""

from __future__ import annotations

import random
from collections.abc import Callable
from functools import partial
from importlib.util import find_spec
from typing import Any

Play = Callable[[], tuple[int, int]]
"""Plays some random games: how many, and how many plies they took."""

BATCH = 256  # games that pgx plays at once
STEPS = 100


def royalur(rng: random.Random) -> Play:
    """The Royal Game of Ur with the rules of our default."""
    import royalur as peer

    def play() -> tuple[int, int]:
        game = peer.Game.create_finkel()
        plies = 0
        while not game.is_finished():
            if game.is_waiting_for_roll():
                game.roll_dice()
            else:
                moves = game.find_available_moves()
                game.make_move(moves[int(rng.random() * len(moves))])
            plies += 1
        return 1, plies

    return play


def open_spiel(rng: random.Random) -> Play:
    """OpenSpiel's backgammon: C++ behind Python, as its users have it."""
    import pyspiel

    game = pyspiel.load_game("backgammon")

    def play() -> tuple[int, int]:
        state = game.new_initial_state()
        plies = 0
        while not state.is_terminal():
            if state.is_chance_node():
                outcomes = state.chance_outcomes()
                action = rng.choices([a for a, _ in outcomes], [p for _, p in outcomes])[0]
            else:
                actions = state.legal_actions()
                action = actions[int(rng.random() * len(actions))]
            state.apply_action(action)
            plies += 1
        return 1, plies

    return play


def pgx(rng: random.Random) -> Play:
    """pgx's backgammon: many games at once, compiled by JAX, on whatever JAX finds. Its plies are single steps."""
    import jax
    import jax.numpy as jnp
    import pgx as peer
    from pgx.experimental import auto_reset

    env = peer.make("backgammon")
    step = jax.vmap(auto_reset(env.step, env.init))

    def one(state: Any, key: Any) -> tuple[Any, Any]:
        mine, theirs = jax.random.split(key)
        odds = jnp.where(state.legal_action_mask, 0.0, -1e9)
        state = step(state, jax.random.categorical(mine, odds, axis=-1), jax.random.split(theirs, BATCH))
        return state, state.terminated.sum()

    many = jax.jit(lambda state, key: jax.lax.scan(one, state, jax.random.split(key, STEPS)))
    states = jax.jit(jax.vmap(env.init))(jax.random.split(jax.random.PRNGKey(0), BATCH))

    def play() -> tuple[int, int]:
        nonlocal states
        states, ended = many(states, jax.random.PRNGKey(rng.getrandbits(31)))
        return int(ended.sum()), BATCH * STEPS

    return play


PEERS = {
    "royalur": ("royalur", royalur),
    "OpenSpiel backgammon": ("pyspiel", open_spiel),
    "pgx backgammon": ("pgx", pgx),
}


def installed(rng: random.Random) -> tuple[dict[str, Callable[[], Play]], list[str]]:
    """How to start each peer that is there, and the names of those that are not."""
    there: dict[str, Callable[[], Play]] = {
        name: partial(make, rng) for name, (module, make) in PEERS.items() if find_spec(module)
    }
    return there, [name for name in PEERS if name not in there]
