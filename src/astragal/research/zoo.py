"""Games for PettingZoo: one agent a seat, who act in turns (AEC). Wants the extra `research`.

>>> from astragal.research import zoo
>>> env = zoo.env("nile", players=3)
>>> env.reset(seed=1)
>>> str(env), env.possible_agents
('nile_v2', ['player_0', 'player_1', 'player_2'])
"""

from __future__ import annotations

from random import Random
from typing import Any

import numpy as np
from gymnasium import spaces
from pettingzoo import AECEnv
from pettingzoo.utils import wrappers

from astragal.core.fast import MOST_PLIES
from astragal.core.rules import Game
from astragal.core.types import OVER
from astragal.research.batch import OnIllegal
from astragal.research.table import Table


def env(game: str | Game, **settings: Any) -> Any:
    """The environment, in the wrapper that notices when its methods are called in a wrong order."""
    return wrappers.OrderEnforcingWrapper(Env(game, **settings))


class Env(AECEnv):  # type: ignore[misc]
    """A game. An observation has the numbers (`observation`) and the legal actions (`action_mask`).

    Rewards are shares of the win, given when the game ends. An illegal action raises, or with on_illegal="forfeit"
    loses the game. `render` draws what a spectator sees, as text ("ansi") or as a picture ("svg").
    """

    def __init__(
        self, game: str | Game, *, options: Any = None, players: int | None = None, max_plies: int = MOST_PLIES,
        on_illegal: OnIllegal = "raise", render_mode: str | None = None,
    ) -> None:  # fmt: skip
        super().__init__()
        self.table = Table(game, options, players, max_plies=max_plies, on_illegal=on_illegal)
        spec, space = self.table.rules.spec, self.table.space
        self.metadata = {
            "name": f"{spec.id}_v{spec.version}",
            "render_modes": ["ansi", "svg"],
            "is_parallelizable": False,
            "render_fps": 1,
        }
        self.render_mode = render_mode
        self.possible_agents = [f"player_{seat}" for seat in range(self.table.players)]
        self._seats = {agent: seat for seat, agent in enumerate(self.possible_agents)}
        self.action_spaces = {agent: spaces.Discrete(space.actions) for agent in self.possible_agents}
        self.observation_spaces = {
            agent: spaces.Dict(
                {
                    "observation": spaces.Box(space.low, space.high, dtype=np.float32),
                    "action_mask": spaces.Box(0, 1, (space.actions,), np.int8),
                }
            )
            for agent in self.possible_agents
        }
        self._rng = Random()

    def observation_space(self, agent: str) -> Any:
        return self.observation_spaces[agent]

    def action_space(self, agent: str) -> Any:
        return self.action_spaces[agent]

    def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> None:
        if seed is not None:
            self._rng = Random(seed)
        self.table.begin(self._rng)
        self.agents = self.possible_agents[:]
        self.rewards = dict.fromkeys(self.agents, 0.0)
        self._cumulative_rewards = dict.fromkeys(self.agents, 0.0)
        self.terminations = dict.fromkeys(self.agents, False)
        self.truncations = dict.fromkeys(self.agents, False)
        self.infos: dict[str, dict[str, Any]] = {agent: {} for agent in self.agents}
        self.agent_selection = self.agents[self.table.seat]

    def observe(self, agent: str) -> dict[str, Any]:
        seat = self._seats[agent]
        return {"observation": self.table.observe(seat), "action_mask": self.table.mask(seat)}

    def step(self, action: int | None) -> None:
        agent = self.agent_selection
        if self.terminations[agent] or self.truncations[agent]:
            self._was_dead_step(action)
            return
        assert action is not None
        self.table.act(int(action))
        self._cumulative_rewards[agent] = 0.0
        table = self.table
        if table.seat == OVER:
            self.rewards = dict(zip(self.possible_agents, table.rewards(), strict=True))
            self.terminations = dict.fromkeys(self.agents, table.terminated)
            self.truncations = dict.fromkeys(self.agents, table.truncated)
            self.agent_selection = self.agents[(self._seats[agent] + 1) % len(self.agents)]
        else:
            self.rewards = dict.fromkeys(self.agents, 0.0)
            self.agent_selection = self.possible_agents[table.seat]
        self._accumulate_rewards()

    def render(self) -> str | None:
        shown = self.table.game.presentation
        if self.render_mode == "ansi":
            return shown.text(self.table.view(None))
        return shown.svg(self.table.view(None)) if self.render_mode == "svg" else None
