"""Expert iteration: decisions of self-play by a search, and how a network learns from them; see `tools.selfplay`.

A search with the network plays better than the network alone. So where a round is played by searches, the network
learns to like what they tried most, and to think of positions what they came to; the next searches, with the better
network, are better again.
"""

from __future__ import annotations

import math
from collections import deque
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import Any, NamedTuple

import numpy as np

from astragal.bots import kernels_ismcts as template
from astragal.bots.ismcts import EXPLORING, PRIOR_TEMPERATURE, work_for
from astragal.bots.kernels_ismcts import (
    GUESS_EDGE,
    LINKS,
    VISITS,
    WORTHS,
    IsmctsWork,
    SearchSettings,
    child_of,
    simulate,
)
from astragal.bots.kernels_network import by_network, liked_by_network
from astragal.bots.network import Layer, for_kernels
from astragal.core.compiled import cpu, kernel
from astragal.core.fast import Array, Fast, SlotKernels, below, copy, draw, redeal, step
from tools.selfplay_cores import parts_of
from tools.selfplay_games import CAME, COUNT, EXPECTED, FIRST, LIKELY, OTHER, TAKEN, Lanes, drawn
from tools.selfplay_learner import Batch, Learning, PolicyLearner

DEALS = 32  # determinizations that a search goes through before it makes new ones


class Searching(NamedTuple):
    """What one core searches with."""

    work: IsmctsWork
    deals: Array
    net: Any  # a `Net`, which searches take as `weights`
    settings: SearchSettings


class Found(NamedTuple):
    """What searches found out, a place for each row that is kept (see `selfplay_games.Rows`)."""

    tried: Array  # which part of the simulations went to this action
    worth: Array  # the mover's share of the win after it, as far as it was tried


@kernel
def search(lane: int, lanes: Lanes, seat: int, simulations: int, searching: Searching) -> None:
    """Grows a new tree from a decision of this seat, whose determinizations are dealt as it goes on."""
    work, deals, done = searching.work, searching.deals, 0
    work.rng[0] = draw(lanes.rngs[lane])
    for column in range(LINKS):
        work.links[0, column] = -1 if column < VISITS else 0
    work.size[0] = 1
    while done < simulations:
        count = min(len(deals), simulations - done)
        for row in range(count):
            copy(lanes.states[lane], deals[row])
            redeal(deals[row], lanes.tables, seat, work.rng)
        simulate(work, deals, count, lanes.tables, searching.net, searching.settings)
        done += count


@kernel
def decide_by_search(
    lane: int, now: int, start: int, simulations: int, power: float, lanes: Lanes, found: Found, searching: Searching
) -> None:
    """Takes an action by how often a search tried it, to this power, and notes what it takes to learn from it."""
    seat, count, likely, rng = lanes.movers[now, lane], lanes.counts[lane], lanes.likely[lane], lanes.rngs[lane]
    state, work = lanes.states[lane], searching.work
    search(lane, lanes, seat, simulations, searching)
    total, expected = 0.0, 0.0
    for place in range(count):
        child = child_of(work.links, 0, lanes.numbers[lane, place], seat)
        tried = work.links[child, VISITS] / simulations
        mean = (work.worths[child, template.SUM] + work.worths[child, template.FIRST]) / (work.links[child, VISITS] + 1)
        worth = min(max((mean - GUESS_EDGE) / (1 - 2 * GUESS_EDGE), 0.0), 1.0)
        found.tried[start + place], found.worth[start + place] = tried, worth
        expected += tried * worth
        likely[place] = tried**power
        total += likely[place]
    for place in range(count):
        likely[place] /= total
    chosen = drawn(likely, count, rng)
    players = lanes.shares.shape[1]
    kept, told = lanes.kept[now, lane], lanes.told[now, lane]
    kept[FIRST], kept[COUNT], kept[TAKEN] = start, count, chosen
    told[LIKELY], told[EXPECTED] = math.log(max(likely[chosen], 1e-30)), expected
    lanes.others[now, lane] = (seat + 1 + below(rng, players - 1)) % players
    step(state, lanes.tables, lanes.numbers[lane, chosen])


@kernel
def decide_all_by_search(
    begin: int, end: int, now: int, starts: Array, simulations: int, power: float, lanes: Lanes, found: Found,
    searching: Searching,
) -> None:  # fmt: skip
    """`decide_by_search` for these lanes."""
    for lane in range(begin, end):
        decide_by_search(lane, now, starts[lane], simulations, power, lanes, found, searching)


class Searches:
    """The searches of one table, on the cores of this computer."""

    def __init__(self, fast: Fast[Any, Any], lanes: Lanes, rows: int, given: Learning, values: int, cores: int) -> None:
        self.found = Found(np.zeros(rows, dtype=np.float32), np.zeros(rows, dtype=np.float32))
        self._fast, self._lanes, self._given, self._values = fast, lanes, given, values
        self._parts = parts_of(lanes, cores)
        self._works = [self._work() for _ in self._parts]
        self._settings = SearchSettings(EXPLORING["network"], PRIOR_TEMPERATURE, 0, 0.0, False)
        self._searching: list[Searching] = []
        self._decide = cpu(decide_all_by_search, SlotKernels(*fast.source, evaluate=by_network, liked=liked_by_network))
        self._pool = ThreadPoolExecutor(cores)

    def _work(self) -> IsmctsWork:
        room = 1 + self._given.simulations * self._fast.most
        links, worths = np.zeros((room, LINKS), dtype=np.int32), np.zeros((room, WORTHS))
        return work_for(self._fast, self._lanes.first, links, worths, np.zeros(self._values), 0)

    def go_by(self, layers: Sequence[Layer], features: int, usual: Array) -> None:
        """Searches with this network from now on, a copy of it on each core."""
        deals = np.tile(self._lanes.first, (DEALS, 1))
        self._searching = [
            Searching(work, deals.copy(), for_kernels(layers, -1, features, usual), self._settings)
            for work in self._works
        ]

    def decide(self, now: int, starts: Array) -> None:
        """Takes an action in all lanes."""
        given, lanes = self._given, self._lanes

        def some(part: tuple[int, int], searching: Searching) -> None:
            self._decide(*part, now, starts, given.simulations, given.power, lanes, self.found, searching)

        list(self._pool.map(some, self._parts, self._searching))


def all_found(founds: Sequence[Found], rows: Sequence[int]) -> Found:
    """What was found out at several tables, each of which has kept so many rows."""
    cut = [Found(*(array[:count] for array in found)) for found, count in zip(founds, rows, strict=True)]
    return Found(*(np.concatenate(arrays) for arrays in zip(*cut, strict=True)))


class Searched(NamedTuple):
    """A round that searches have played."""

    batch: Batch
    found: Found


class SearchLearner(PolicyLearner):
    """A network that learns from searches: to like what they tried, and to think what they came to.

    What it has learned from is held for some rounds, since searches take long, and learned from again.
    """

    def __init__(self, sizes: tuple[int, ...], seed: int, xp: Any, held: int) -> None:
        super().__init__(sizes, seed, xp)
        self._held: deque[Searched] = deque(maxlen=held)

    def learn_searched(self, fresh: Searched, given: Learning, part: float, rng: np.random.Generator) -> str:
        """Learns from what is held, as many decisions as are new, `uses` times; a line of figures."""
        copies = Batch(*(array.copy() for array in fresh.batch))  # the next round is kept in the same place
        self._held.append(Searched(copies, fresh.found))
        steps = max(1, round(given.uses * len(fresh.batch.kept) / given.batch))
        told = []
        for _ in range(steps):
            one = self._held[int(rng.integers(len(self._held)))]
            chosen = rng.integers(len(one.batch.kept), size=given.batch)
            told.append(self._learn_from(one, chosen, given, part))
        means = np.mean([[float(each) for each in figures] for figures in told], axis=0)
        return "error {:.4f}, to searches {:.4f}, choices {:.4f} over {:.4f}".format(*means)

    def _learn_from(self, held: Searched, chosen: Any, given: Learning, part: float) -> tuple[Any, ...]:
        """One step; how wrong it was about results, about what searches came to, and about what they tried.

        The last is the cross-entropy, beside what it would be at best.
        """
        xp, (batch, found) = self.xp, held
        kept, told = batch.kept[chosen], batch.told[chosen]
        count, many = kept[:, COUNT], len(chosen)
        most, there, rows = self._places(kept)
        sure = batch.sure[rows]
        values, odds, likes = self._both(batch.rows_at[rows], batch.rows_of[rows], sure)
        grid, worths = (xp.full((many, most), -np.inf, dtype=np.float32) for _ in range(2))
        tried, found_worth = (xp.zeros((many, most), dtype=np.float32) for _ in range(2))
        worths.ravel()[there] = odds
        said = GUESS_EDGE + (1 - 2 * GUESS_EDGE) / (1 + xp.exp(-odds))  # as searches make priors of it
        grid.ravel()[there] = liked = 1 / (1 + (1 - said) / said * xp.exp(-likes))
        tried.ravel()[there], found_worth.ravel()[there] = found.tried[rows], found.worth[rows]
        each, taken = xp.arange(many), kept[:, TAKEN]
        grid[each, count] = -np.inf
        tried[each, count] = 0
        likely = xp.exp((grid - grid.max(axis=1, keepdims=True)) / PRIOR_TEMPERATURE)
        likely /= likely.sum(axis=1, keepdims=True)
        liking = (likely - tried).ravel()[there] / PRIOR_TEMPERATURE * liked * (1 - liked)
        shares = 1 / (1 + xp.exp(-worths))
        off = xp.where(tried > 0, shares - found_worth, 0)
        worth = given.worth * given.trust * tried * off
        gap = shares[each, taken] - told[:, CAME]
        worth[each, taken] += given.worth * (1 - given.trust) * gap
        worth[each, count] = xp.where(told[:, OTHER] >= 0, given.worth * (shares[each, count] - told[:, OTHER]), 0)
        slopes = xp.stack([worth.ravel()[there], liking], axis=1) / many
        self._back(values, xp.where(xp.isnan(sure)[:, None], slopes, 0).astype(np.float32))
        self._layer_slopes[-1].bias[1] = 0  # what is liked has no bias, since only differences count
        self._follow(part * given.rate)
        crossed = -(tried * xp.log(xp.maximum(likely, 1e-30))).sum(axis=1).mean()
        least = -(tried * xp.log(xp.maximum(tried, 1e-30))).sum(axis=1).mean()
        return xp.abs(gap).mean(), (tried * xp.abs(off)).sum(axis=1).mean(), crossed, least
