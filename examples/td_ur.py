"""Learns the Royal Game of Ur from its own games alone, by temporal differences: TD(lambda) with NumPy or CuPy.

A small network guesses how likely the seat that just moved wins; every guess moves towards the later ones.

    python examples/td_ur.py --minutes 10 --against strong      (and --device cuda --at-once 8192 on a graphics card)
"""

import argparse
import time
from random import Random
from typing import Any

import numpy as np

from astragal import research
from astragal.core.types import CHANCE, OVER
from astragal.research.exact import bot_policy

STEPS, MOVES, LAMBDA, HIDDEN, CONTESTS, HOLD = 24, 7, 0.8, 80, 10, -2  # HOLD is the action that leaves a game as it is


def value(w: list[Any], seen: Any) -> Any:
    """How likely the seat that sees this wins, to a network with these weights."""
    return 1 / (1 + np.exp(-(np.maximum(seen @ w[0] + w[1], 0) @ w[2] + w[3])))


class Net:
    """One hidden layer, trained by Adam on the cross-entropy."""

    def __init__(self, inputs: int, rng: np.random.Generator, xp: Any) -> None:
        drawn = rng.normal(0, inputs**-0.5, (inputs, HIDDEN)), rng.normal(0, HIDDEN**-0.5, HIDDEN)
        self.w: list[Any] = [xp.asarray(w, "f4") for w in (drawn[0], np.zeros(HIDDEN), drawn[1], np.zeros(1))]
        self.mean, self.square, self.step = [0 * w for w in self.w], [0 * w for w in self.w], 0

    def learn(self, seen: Any, target: Any, rate: float) -> None:
        """One step towards these values."""
        hidden = np.maximum(seen @ self.w[0] + self.w[1], 0)
        wrong = (value(self.w, seen) - target).astype(np.float32) / len(seen)
        back, self.step = np.outer(wrong, self.w[2]) * (hidden > 0), self.step + 1
        for k, slope in enumerate((seen.T @ back, back.sum(0), wrong @ hidden, wrong.sum(keepdims=True))):
            self.mean[k] = 0.9 * self.mean[k] + 0.1 * slope
            self.square[k] = 0.999 * self.square[k] + 0.001 * slope**2
            size = np.sqrt(self.square[k] / (1 - 0.999**self.step)) + 1e-8
            self.w[k] = self.w[k] - rate * self.mean[k] / (1 - 0.9**self.step) / size


class School:
    """Many games that the network plays against itself, and as many positions to look one move ahead."""

    def __init__(self, seed: int, n: int, device: str) -> None:
        self.xp: Any = __import__("cupy") if device == "cuda" else np
        bare: dict[str, Any] = {"chance": "outside", "masks": False, "observations": False, "device": device}
        self.games = research.vector("ur", n, seed=seed, autoreset="SAME_STEP", **bare)
        self.ahead = research.vector("ur", n * MOVES, autoreset="DISABLED", **bare)
        self.rng, self.played, self.row = np.random.default_rng(seed), 0, self.xp.arange(n)
        self.net = Net(self.games.space.size, self.rng, self.xp)

    def play(self) -> tuple[Any, ...]:
        """Every game moves once: what the movers see then, who they are, seat 0's chance, which games end, its wins."""
        games, arrays, xp = self.games, self.games.arrays, self.xp
        while (throws := xp.asarray(games.seat) == CHANCE).any():
            games.step(xp.where(throws, CHANCE, HOLD))
        legal, counts, seats = (xp.array(part) for part in (arrays.legal, arrays.counts, games.seat))
        moves = xp.where(xp.arange(MOVES) < counts[:, None], legal[:, :MOVES], legal[:, :1])
        self.ahead.set_state(xp.repeat(xp.asarray(arrays.states), MOVES, axis=0))
        won = xp.asarray(self.ahead.step(moves.ravel()).terminated).reshape(moves.shape)
        seen = xp.array(self.ahead.observe()).reshape(*moves.shape, -1)  # by the seat that just moved
        chance = xp.where(won, 1, value(self.net.w, seen))
        best, top = chance.argmax(axis=1), chance.max(axis=1)
        told = games.step(moves[self.row, best])
        self.played += int((ended := xp.array(told.terminated)).sum())
        return seen[self.row, best], seats, xp.where(seats == 0, top, 1 - top), ended, xp.array(told.rewards)[:, 0]

    def lesson(self, rate: float) -> None:
        """Plays some steps, then learns from them."""
        seen, seats, values, ends, won = map(self.xp.stack, zip(*(self.play() for _ in range(STEPS)), strict=True))
        target = values.copy()
        for now, then in zip(reversed(range(STEPS - 1)), reversed(range(STEPS)), strict=False):
            target[now] = np.where(ends[now], won[now], values[then] + LAMBDA * (target[then] - values[then]))
        for step in self.rng.permutation(STEPS - 1):
            self.net.learn(seen[step], np.where(seats[step] == 0, target[step], 1 - target[step]), rate)


def share(net: list[Any], name: str, games: int) -> float:
    """The share of games that the network wins against a bot; it has each seat half of the time."""
    total, table, bot = 0.0, research.Table("ur"), bot_policy(name, research.Table("ur").game)
    for number in range(games):
        table.begin(Random(number))
        while (seat := table.seat) != OVER:
            if seat != number % 2:
                action = bot(table)
            else:
                after = [table.fast.step(table.packed, int(table.space.numbers[move])) for move in table.legal()]
                over = [table.fast.turn(one) == OVER for one in after]
                worth = value(net, np.stack([table.fast.observe(one, seat) for one in after]))
                action = table.legal()[int(np.where(over, 2, worth).argmax())]
            table.act(action)
        total += table.rewards()[number % 2]
    return total / games


def main(words: list[str] | None = None) -> None:
    """Learns, and tells how it goes."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    for name, default in {"minutes": 10.0, "against": "strong", "games": 500, "at-once": 256, "device": "cpu"}.items():
        parser.add_argument(f"--{name}", type=type(default), default=default)
    wanted, learned = parser.parse_args(words), 0.0
    school = School(1, wanted.at_once, wanted.device)
    for contest in range(CONTESTS + 1):
        while learned < 6 * wanted.minutes * contest:
            begin = time.perf_counter()
            school.lesson(1e-3 * (1 - 0.9 * learned / (60 * wanted.minutes)))
            learned += time.perf_counter() - begin
        won = share([np.array(w.tolist()) for w in school.net.w], wanted.against, wanted.games)
        print(f"{learned / 60:.1f} min, {school.played} games: {won:.1%} against {wanted.against}", flush=True)


if __name__ == "__main__":
    main()
