"""Games for Gymnasium: one seat learns, and the others are played by bots. Wants the extra `research`.

>>> from astragal.research import gym
>>> env = gym.make_vec("ur", 3, opponents="random")
>>> observation, info = env.reset(seed=1)
>>> observation.shape, info["action_mask"].shape
((3, 45), (3, 16))

`info["action_mask"]` has the legal actions. The reward is the share of the win, given when a game ends. An illegal
action loses the game, since much of what is written for Gymnasium knows of no masks; on_illegal="raise" raises instead.
"""

from __future__ import annotations

from collections.abc import Sequence
from random import Random
from typing import Any

import gymnasium
import numpy as np
from gymnasium import spaces
from gymnasium.vector import AutoresetMode, SyncVectorEnv
from gymnasium.vector.utils import batch_space

from astragal.bots import roster
from astragal.core import registry
from astragal.core.fast import MOST_PLIES, Array
from astragal.core.language import say
from astragal.core.rules import Game
from astragal.core.types import OVER, BadOptions
from astragal.research.batch import Mode, OnIllegal, vector
from astragal.research.kernels_vector import HOLD
from astragal.research.table import Table

RANDOM = "random"


def make_vec(game: str | Game, n: int, *, opponents: str | Sequence[str] = RANDOM, **settings: Any) -> Any:
    """So many games at once, as a `gymnasium.vector.VectorEnv`.

    `opponents` are names of bots (`strong`, `greedy`, `ismcts:nodes=200`), one for all other seats or one each. Against
    random opponents everything is compiled; other bots see views, so that each game is played by itself.
    """
    named = [opponents] if isinstance(opponents, str) else list(opponents)
    if all(name == RANDOM for name in named):
        return RandomVectorEnv(game, n, **settings)
    mode = AutoresetMode[settings.pop("autoreset", "NEXT_STEP")]
    return SyncVectorEnv([lambda: Env(game, opponents=opponents, **settings)] * n, autoreset_mode=mode)


def register() -> list[str]:
    """Makes every installed game known to `gymnasium.make`, as `astragal/ID-vVERSION`; the names."""
    names = []
    for game in registry.games().values():
        if game.fast is not None:
            name = f"astragal/{game.id}-v{game.rules.spec.version}"
            gymnasium.register(name, entry_point=f"{__name__}:Env", kwargs={"game": game.id})
            names.append(name)
    return names


class Env(gymnasium.Env[Array, np.int64]):
    """One game against bots."""

    def __init__(
        self, game: str | Game, *, opponents: str | Sequence[str] = RANDOM, seat: int = 0, options: Any = None,
        players: int | None = None, max_plies: int = MOST_PLIES, on_illegal: OnIllegal = "forfeit",
        render_mode: str | None = None,
    ) -> None:  # fmt: skip
        self.table = Table(game, options, players, max_plies=max_plies, on_illegal=on_illegal)
        self.seat = _seat(seat, self.table.players)
        names = [opponents] * (self.table.players - 1) if isinstance(opponents, str) else list(opponents)
        if len(names) != self.table.players - 1:
            wanted, given = self.table.players - 1, len(names)
            raise BadOptions("opponents", say("{wanted} opponents are wanted, not {given}", wanted=wanted, given=given))
        bots = iter([roster.make(name, self.table.game, claims=False) for name in names])
        self._bots = {other: next(bots) for other in range(self.table.players) if other != self.seat}
        space = self.table.space
        self.metadata = {"render_modes": ["ansi", "svg"], "render_fps": 1}
        self.render_mode = render_mode
        self.observation_space = spaces.Box(space.low, space.high, dtype=np.float32)
        self.action_space = spaces.Discrete(space.actions)
        self._rng = Random()

    def reset(self, *, seed: int | None = None, options: dict[str, Any] | None = None) -> tuple[Array, dict[str, Any]]:
        super().reset(seed=seed)
        if seed is not None:
            self._rng = Random(seed)
        while True:
            self.table.begin(self._rng)
            self._others()
            if self.table.seat == self.seat:  # a game can be over before the seat has had a turn
                return self._seen()

    def step(self, action: Any) -> tuple[Array, float, bool, bool, dict[str, Any]]:
        table = self.table
        table.act(int(action))
        self._others()
        seen, info = self._seen()
        return seen, float(table.rewards()[self.seat]), table.terminated, table.truncated, info

    def _others(self) -> None:
        """The bots play, until the learner is to act or the game is over."""
        table = self.table
        while table.seat not in (self.seat, OVER):
            choice = self._bots[table.seat].choose(table.view(table.seat), self._rng)
            table.act(table.number(choice.action))

    def _seen(self) -> tuple[Array, dict[str, Any]]:
        return self.table.observe(self.seat), {"action_mask": self.table.mask(self.seat)}

    def render(self) -> Any:
        shown, view = self.table.game.presentation, self.table.view(self.seat)
        if self.render_mode == "ansi":
            return shown.text(view)
        return shown.svg(view) if self.render_mode == "svg" else None


class RandomVectorEnv(gymnasium.vector.VectorEnv[Array, Array, Array]):
    """A batch of games against players who choose at random, compiled as a whole."""

    def __init__(
        self, game: str | Game, n: int, *, seat: int = 0, options: Any = None, players: int | None = None,
        max_plies: int = MOST_PLIES, on_illegal: OnIllegal = "forfeit", autoreset: Mode = "NEXT_STEP", seed: int = 0,
    ) -> None:  # fmt: skip
        self.games = vector(
            game, n, options=options, players=players, seed=seed, autoreset="DISABLED", on_illegal=on_illegal,
            max_plies=max_plies, observations=False,
        )  # fmt: skip
        self.num_envs, self.seat, self._mode = n, _seat(seat, self.games.players), AutoresetMode[autoreset]
        space = self.games.space
        self.metadata = {"autoreset_mode": self._mode}
        self.single_observation_space = spaces.Box(space.low, space.high, dtype=np.float32)
        self.single_action_space = spaces.Discrete(space.actions)
        self.observation_space = batch_space(self.single_observation_space, n)
        self.action_space = batch_space(self.single_action_space, n)

    def reset(
        self, *, seed: int | list[int | None] | None = None, options: dict[str, Any] | None = None
    ) -> tuple[Array, dict[str, Any]]:
        """Gymnasium's `reset`; one seed serves all games."""
        given = seed[0] if isinstance(seed, list) else seed
        super().reset(seed=given)
        mask = (options or {}).get("reset_mask")
        self.games.reset(seed=given, mask=mask)
        self._until_ready(np.ones(self.num_envs, dtype=bool) if mask is None else mask)
        return self._seen(), self._info()

    def step(self, actions: Any) -> tuple[Array, Array, Array, Array, dict[str, Any]]:
        over = self.games.seat == OVER
        if self._mode is AutoresetMode.NEXT_STEP and over.any():
            self.games.reset(mask=over)
            self._until_ready(over)
        held = np.where(over, HOLD, np.asarray(actions))
        step = self.games.step(held)
        rewards, ended, cut = (array.copy() for array in (step.rewards[:, self.seat], step.terminated, step.truncated))
        self._others(rewards, ended, cut)
        info = self._info()
        done = ended | cut
        if self._mode is AutoresetMode.SAME_STEP and done.any():
            final = np.full(self.num_envs, None, dtype=object)
            seen = self._seen()
            for game in done.nonzero()[0]:
                final[game] = seen[game]
            self.games.reset(mask=done)
            self._until_ready(done)
            info = self._info() | {"final_obs": final, "_final_obs": done}
        return self._seen(), rewards.astype(np.float64), ended, cut, info

    def _others(self, rewards: Array, ended: Array, cut: Array) -> None:
        """The opponents play, until the learner is to act or the game is over; adds up what happens."""
        while (waiting := (self.games.seat != self.seat) & (self.games.seat != OVER)).any():
            step = self.games.step(np.where(waiting, self.games.sample(), HOLD))
            rewards += step.rewards[:, self.seat]
            ended |= step.terminated
            cut |= step.truncated

    def _until_ready(self, which: Array) -> None:
        """Goes on to the learner's first turn; a game that is over before it begins anew."""
        while True:
            nothing = np.zeros(self.num_envs, dtype=bool)
            self._others(np.zeros(self.num_envs, dtype=np.float32), nothing.copy(), nothing.copy())
            over = which & (self.games.seat == OVER)
            if not over.any():
                return
            self.games.reset(mask=over)

    def _seen(self) -> Array:
        return np.array(self.games.observe(self.seat))

    def _info(self) -> dict[str, Any]:
        return {"action_mask": self.games.mask.copy(), "_action_mask": np.ones(self.num_envs, dtype=bool)}


def _seat(seat: int, players: int) -> int:
    if not 0 <= seat < players:
        raise BadOptions("seat", say("there is no seat {seat} at a table of {players}", seat=seat + 1, players=players))
    return seat
