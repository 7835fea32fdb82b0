"""How a network learns from its own games: PPO on what `tools.selfplay_games` keeps; see `tools.selfplay`."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from msgspec import Struct

from tools.selfplay_games import CAME, COUNT, EXPECTED, FIRST, LIKELY, OTHER, TAKEN
from tools.train import Learner

AT_ONCE = 1 << 18  # positions that are looked at together


class Learning(Struct, frozen=True, kw_only=True):
    """How games are played and learned from."""

    rounds: int = 1 << 30
    seconds: float = 1e9
    lanes: int = 256  # games that go on at once at each table
    steps: int = 32  # decisions of each in a round
    actions: int = 24  # on average at most, for which there is room
    width: int = 200  # inputs of a position that are not 0; the last of any more are left out
    temperature: float = 0.03  # of the softmax over log-odds by which actions are taken
    memory: float = 0.9  # lambda: how far ahead a decision looks for what it came to
    rate: float = 5e-4  # of learning, at first
    batch: int = 4096  # decisions that a step learns from
    uses: int = 1  # how often each is learned from
    clip: float = 0.2  # by how much an action may become likelier in one round
    entropy: float = 0.0  # what it is worth to keep several actions open, at first
    worth: float = 5.0  # how much foretelling results counts, beside choosing well
    simulations: int = 0  # of the search by which each decision is taken; 0 where the network alone takes it
    power: float = 2.0  # then: how often an action was tried, to this power, is how likely it is taken
    trust: float = 0.5  # how much what searches came to counts, beside results
    held: int = 20  # rounds that are held to learn from


class Batch(NamedTuple):
    """What a round has kept, of all tables; see `selfplay_games.Rows` and `Lanes`."""

    rows_at: Any
    rows_of: Any
    sure: Any
    kept: Any
    told: Any


class PolicyLearner(Learner):
    """A network with two outputs: what positions are worth, and what is liked beside that where actions are compared.

    The first learns what became of positions and nothing else. What is learned about choosing goes to the second, so
    that values stay true; but actions are chosen by both together, so that whatever is learned about positions helps at
    once.
    """

    def outputs(self, rows_at: Any, rows_of: Any, sure: Any) -> tuple[Any, Any]:
        """The log-odds of these positions, and what is liked beside them."""
        odds, likes = self.xp.empty_like(sure), self.xp.empty_like(sure)
        for start in range(0, len(sure), AT_ONCE):
            part = slice(start, start + AT_ONCE)
            _, odds[part], likes[part] = self._both(rows_at[part], rows_of[part], sure[part])
        return odds, likes

    def learn_round(self, held: Batch, given: Learning, part: float, rng: np.random.Generator) -> str:
        """Learns from all that was kept; a line of figures. `part` is of the rate and of the worth of open choices."""
        xp = self.xp
        scale = float((held.told[:, CAME] - held.told[:, EXPECTED]).std()) + 1e-6
        told = []
        for _ in range(given.uses):
            order = xp.asarray(rng.permutation(len(held.kept)))
            cuts = range(0, max(1, len(order) - given.batch // 2), given.batch)  # a last half batch is left out
            told += [self._learn_some(held, order[start : start + given.batch], given, scale, part) for start in cuts]
        means = np.mean([[float(one) for one in figures] for figures in told], axis=0)
        return "error {:.4f}, entropy {:.3f}, changed {:.4f}, gains {:.4f}".format(*means, scale)

    def learn_start(self, seen: Any, came: Any, given: Learning, part: float) -> None:
        """One step on what each seat sees before anything has happened, and wins on average.

        No decision leads there, so nothing else would tell.
        """
        values, odds = self._logits(seen)
        gaps = given.worth / len(came) * (1 / (1 + self.xp.exp(-odds)) - came)
        self._back(values, self.xp.stack([gaps, self.xp.zeros_like(gaps)], axis=1).astype(np.float32))
        self._follow(part * given.rate)

    def _both(self, rows_at: Any, rows_of: Any, sure: Any) -> tuple[list[Any], Any, Any]:
        """What goes into each layer, and both outputs; where a game is over, how it ended."""
        seen = self.xp.zeros((len(rows_at), self._sizes[0]), dtype=np.float32)
        self._passes.spread(rows_at, rows_of, seen)
        values, odds = self._logits(seen)
        over = ~self.xp.isnan(sure)
        likes = values[-1] @ self._layers[-1].weights[:, 1]
        return values, self.xp.where(over, sure, odds), self.xp.where(over, np.float32(0), likes)

    def _places(self, kept: Any) -> tuple[int, Any, Any]:
        """Decisions as a grid, a line each: how wide it is, and which of its places are of which rows.

        The last row of a decision is that of the other seat.
        """
        most = int(kept[:, COUNT].max()) + 1
        columns = self.xp.arange(most)[None]
        there = self.xp.nonzero((columns <= kept[:, COUNT][:, None]).ravel())[0]
        return most, there, (kept[:, FIRST][:, None] + columns).ravel()[there]

    def _learn_some(self, held: Batch, chosen: Any, given: Learning, scale: float, part: float) -> tuple[Any, ...]:
        """One step; how wrong it was about results, how open its choices are, and how much they have changed."""
        xp, kept, told = self.xp, held.kept[chosen], held.told[chosen]
        count, many = kept[:, COUNT], len(chosen)
        most, there, rows = self._places(kept)
        sure = held.sure[rows]
        values, odds, likes = self._both(held.rows_at[rows], held.rows_of[rows], sure)
        grid, worths = (xp.full((many, most), -np.inf, dtype=np.float32) for _ in range(2))
        worths.ravel()[there], grid.ravel()[there] = odds, odds + likes
        each, taken = xp.arange(many), kept[:, TAKEN]
        grid[each, count] = -np.inf
        likely = xp.exp((grid - grid.max(axis=1, keepdims=True)) / given.temperature)
        likely /= likely.sum(axis=1, keepdims=True)
        logs = xp.log(xp.maximum(likely, 1e-30))
        entropy = -(likely * logs).sum(axis=1)
        gain = (told[:, CAME] - told[:, EXPECTED]) / scale
        ratio = xp.exp(logs[each, taken] - told[:, LIKELY])
        held_back = xp.where(gain > 0, ratio > 1 + given.clip, ratio < 1 - given.clip)
        push = xp.where(held_back, 0, gain * ratio) / given.temperature
        liking = push[:, None] * likely + part * given.entropy / given.temperature * likely * (logs + entropy[:, None])
        liking[each, taken] -= push
        worth = xp.zeros_like(worths)
        share = 1 / (1 + xp.exp(-worths[each, taken]))
        worth[each, taken] = given.worth * (share - told[:, CAME])
        foreseen = 1 / (1 + xp.exp(-worths[each, count]))
        worth[each, count] = xp.where(told[:, OTHER] >= 0, given.worth * (foreseen - told[:, OTHER]), 0)
        slopes = xp.stack([worth.ravel()[there], liking.ravel()[there]], axis=1) / many
        self._back(values, xp.where(xp.isnan(sure)[:, None], slopes, 0).astype(np.float32))
        self._layer_slopes[-1].bias[1] = 0  # what is liked has no bias, since only differences count
        self._follow(part * given.rate)
        return xp.abs(share - told[:, CAME]).mean(), entropy.mean(), xp.abs(ratio - 1).mean()
