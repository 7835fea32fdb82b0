"""How a network learns from its own games: PPO on what `tools.selfplay_games` keeps; see `tools.selfplay`."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from msgspec import Struct

from astragal.core.fast import Array
from tools.selfplay_games import CAME, COUNT, ENDED, EXPECTED, FIRST, LIKELY, OTHER, TAKEN
from tools.train import Learner


class Learning(Struct, frozen=True, kw_only=True):
    """How games are played and learned from."""

    rounds: int = 1 << 30
    seconds: float = 1e9
    jobs: int = 16  # tables at which a round is played
    kept: int = 2048  # decisions that a round keeps of each
    keep: float = 0.5  # how likely a decision is kept
    actions: int = 24  # on average at most, for which there is room
    width: int = 200  # inputs of a position that are not 0, at most
    temperature: float = 0.1  # of the softmax over log-odds by which actions are taken
    memory: float = 0.9  # lambda: how far ahead a decision looks for what it came to
    rate: float = 5e-4  # of learning, at first
    batch: int = 4096  # decisions that a step learns from
    uses: int = 1  # how often each is learned from
    clip: float = 0.2  # by how much an action may become likelier in one round
    entropy: float = 0.0  # what it is worth to keep several actions open
    worth: float = 10.0  # how much foretelling results counts, beside choosing well


class Batch(NamedTuple):
    """What one round has kept, of all tables; see `selfplay_games.Job`."""

    rows_at: Array
    rows_of: Array
    sure: Array
    kept: Array
    told: Array


class PolicyLearner(Learner):
    """A network that learns which actions are better, and what positions are worth."""

    def learn_round(self, batch: Batch, given: Learning, rate: float, rng: np.random.Generator) -> str:
        """Learns from all that was kept; a line of figures."""
        xp = self.xp
        held = Batch(*(xp.asarray(array) for array in batch))
        gains = batch.told[:, CAME] - batch.told[:, EXPECTED]
        scale = float(gains.std()) + 1e-6
        told = []
        for _ in range(given.uses):
            order = rng.permutation(len(gains))
            cuts = range(0, max(1, len(order) - given.batch // 2), given.batch)  # a last half batch is left out
            parts = (xp.asarray(order[start : start + given.batch]) for start in cuts)
            told += [self._learn_some(held, part, given, scale, rate) for part in parts]
        means = np.mean([[float(one) for one in figures] for figures in told], axis=0)
        return "error {:.4f}, entropy {:.3f}, changed {:.4f}, gains {:.4f}".format(*means, scale)

    def foretold(self, batch: Batch, given: Learning) -> tuple[Array, Array]:
        """What it says of positions after the actions that were taken, and how their games ended."""
        xp, said = self.xp, []
        held = Batch(*(xp.asarray(array) for array in batch))
        for start in range(0, len(batch.kept), given.batch):
            kept = held.kept[start : start + given.batch]
            said.append(self.taken(self.shares(self._seen(held, kept[:, FIRST] + kept[:, TAKEN]))))
        return np.concatenate(said), batch.told[:, ENDED]

    def _seen(self, held: Batch, rows: Any) -> Any:
        """These rows with all their inputs."""
        seen = self.xp.zeros((len(rows), self._sizes[0]), dtype=np.float32)
        seen[self.xp.arange(len(rows))[:, None], held.rows_at[rows].astype(np.int64)] = held.rows_of[rows]
        return seen

    def _learn_some(self, held: Batch, chosen: Any, given: Learning, scale: float, rate: float) -> tuple[Any, ...]:
        """One step; how wrong it was about results, how open its choices are, and how much they have changed."""
        xp, kept, told = self.xp, held.kept[chosen], held.told[chosen]
        count, many = kept[:, COUNT], len(chosen)
        most = int(count.max()) + 1  # the last row of a decision is that of the other seat
        columns = xp.arange(most)[None]
        there = xp.nonzero((columns <= count[:, None]).ravel())[0]
        rows = (kept[:, FIRST][:, None] + columns).ravel()[there]
        values, logits = self._logits(self._seen(held, rows))
        sure = held.sure[rows]
        free = xp.isnan(sure)
        grid = xp.full((many, most), -np.inf, dtype=np.float32)
        grid.ravel()[there] = xp.where(free, logits, sure)
        each = xp.arange(many)
        other = grid[each, count].copy()
        grid[each, count] = -np.inf
        likely = xp.exp((grid - grid.max(axis=1, keepdims=True)) / given.temperature)
        likely /= likely.sum(axis=1, keepdims=True)
        logs = xp.log(xp.maximum(likely, 1e-30))
        entropy = -(likely * logs).sum(axis=1)
        taken = kept[:, TAKEN]
        gain = (told[:, CAME] - told[:, EXPECTED]) / scale
        ratio = xp.exp(logs[each, taken] - told[:, LIKELY])
        held_back = xp.where(gain > 0, ratio > 1 + given.clip, ratio < 1 - given.clip)
        push = xp.where(held_back, 0, gain * ratio) / given.temperature
        slope = push[:, None] * likely + given.entropy / given.temperature * likely * (logs + entropy[:, None])
        slope[each, taken] -= push
        share = 1 / (1 + xp.exp(-grid[each, taken]))
        slope[each, taken] += given.worth * (share - told[:, CAME])
        foreseen = 1 / (1 + xp.exp(-other))
        slope[each, count] = xp.where(told[:, OTHER] >= 0, given.worth * (foreseen - told[:, OTHER]), 0)
        self._back(values, (xp.where(free, slope.ravel()[there], 0) / many)[:, None].astype(np.float32))
        self._follow(rate)
        return xp.abs(share - told[:, CAME]).mean(), entropy.mean(), xp.abs(ratio - 1).mean()
