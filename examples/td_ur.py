"""Learns the Royal Game of Ur from its own games alone, by temporal differences: TD(lambda) with NumPy.

A small network guesses how likely the seat that just moved wins; every guess moves towards the later ones.

    python examples/td_ur.py --minutes 10 --against strong
"""

import argparse
import time
from random import Random
from typing import Any

import numpy as np

from astragal import research
from astragal.core.types import CHANCE, OVER
from astragal.research.exact import bot_policy

GAMES, STEPS, MOVES = 256, 24, 7  # games at once, steps between two lessons, moves of a position at most
LAMBDA, HIDDEN, CONTESTS, HOLD = 0.8, 80, 10, -2  # HOLD is the action that leaves a game as it is


class Net:
    """One hidden layer, trained by Adam on the cross-entropy."""

    def __init__(self, inputs: int, rng: np.random.Generator) -> None:
        first, second = rng.normal(0, inputs**-0.5, (inputs, HIDDEN)), rng.normal(0, HIDDEN**-0.5, HIDDEN)
        self.w: list[Any] = [w.astype(np.float32) for w in (first, np.zeros(HIDDEN), second, np.zeros(1))]
        self.mean, self.square, self.step = [0 * w for w in self.w], [0 * w for w in self.w], 0

    def value(self, seen: Any) -> Any:
        """How likely the seat that sees this wins."""
        return 1 / (1 + np.exp(-(np.maximum(seen @ self.w[0] + self.w[1], 0) @ self.w[2] + self.w[3])))

    def learn(self, seen: Any, target: Any, rate: float) -> None:
        """One step towards these values."""
        hidden = np.maximum(seen @ self.w[0] + self.w[1], 0)
        wrong = (self.value(seen) - target).astype(np.float32) / len(seen)
        back, self.step = np.outer(wrong, self.w[2]) * (hidden > 0), self.step + 1
        for k, slope in enumerate((seen.T @ back, back.sum(0), wrong @ hidden, wrong.sum(keepdims=True))):
            self.mean[k] = 0.9 * self.mean[k] + 0.1 * slope
            self.square[k] = 0.999 * self.square[k] + 0.001 * slope**2
            size = np.sqrt(self.square[k] / (1 - 0.999**self.step)) + 1e-8
            self.w[k] = self.w[k] - rate * self.mean[k] / (1 - 0.9**self.step) / size


class School:
    """Many games that the network plays against itself, and as many positions to look one move ahead."""

    def __init__(self, seed: int) -> None:
        bare: dict[str, Any] = {"chance": "outside", "masks": False, "observations": False}
        self.games = research.vector("ur", GAMES, seed=seed, autoreset="SAME_STEP", **bare)
        self.ahead = research.vector("ur", GAMES * MOVES, autoreset="DISABLED", **bare)
        self.rng, self.played = np.random.default_rng(seed), 0
        self.net = Net(self.games.space.size, self.rng)

    def play(self) -> tuple[Any, ...]:
        """Every game moves once: what the movers see then, who they are, seat 0's chance, which games end, its wins."""
        games, row = self.games, np.arange(GAMES)
        while (games.seat == CHANCE).any():
            games.step(np.where(games.seat == CHANCE, CHANCE, HOLD))
        legal, counts, seats = games.arrays.legal[:, :MOVES], games.arrays.counts[:, None], games.seat.copy()
        moves = np.where(np.arange(MOVES) < counts, legal, legal[:, :1])
        self.ahead.set_state(np.repeat(games.arrays.states, MOVES, axis=0))
        won = self.ahead.step(moves.ravel()).terminated
        seen = self.ahead.observe().reshape(GAMES, MOVES, -1)  # by the seat that just moved
        value = np.where(won.reshape(GAMES, MOVES), 1, self.net.value(seen))
        best, top = value.argmax(axis=1), value.max(axis=1)
        told = games.step(moves[row, best])
        self.played += int(told.terminated.sum())
        ended, paid = told.terminated.copy(), told.rewards[:, 0].copy()
        return seen[row, best], seats, np.where(seats == 0, top, 1 - top), ended, paid

    def lesson(self, rate: float) -> None:
        """Plays some steps, then learns from them."""
        seen, seats, values, ends, won = map(np.stack, zip(*(self.play() for _ in range(STEPS)), strict=True))
        target = values.copy()
        for step in reversed(range(STEPS - 1)):
            later = (1 - LAMBDA) * values[step + 1] + LAMBDA * target[step + 1]
            target[step] = np.where(ends[step], won[step], later)
        for step in self.rng.permutation(STEPS - 1):
            self.net.learn(seen[step], np.where(seats[step] == 0, target[step], 1 - target[step]), rate)


def share(net: Net, name: str, games: int) -> float:
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
                worth = net.value(np.stack([table.fast.observe(one, seat) for one in after]))
                action = table.legal()[int(np.where(over, 2, worth).argmax())]
            table.act(action)
        total += table.rewards()[number % 2]
    return total / games


def main(words: list[str] | None = None) -> None:
    """Learns, and tells how it goes."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    for name, default in (("--minutes", 10.0), ("--against", "strong"), ("--games", 500)):
        parser.add_argument(name, type=type(default), default=default)
    wanted, school, learned = parser.parse_args(words), School(1), 0.0
    for contest in range(CONTESTS + 1):
        while learned < 6 * wanted.minutes * contest:
            begin = time.perf_counter()
            school.lesson(1e-3 * (1 - 0.9 * learned / (60 * wanted.minutes)))
            learned += time.perf_counter() - begin
        won = share(school.net, wanted.against, wanted.games)
        print(f"{learned / 60:.1f} min, {school.played} games: {won:.1%} against {wanted.against}", flush=True)


if __name__ == "__main__":
    main()
