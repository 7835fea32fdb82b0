"""Networks for games that nobody can solve, learned from games against themselves.

    .venv/bin/python tools/selfplay.py learn --game egar --steps 60000 --device cuda --out egar.npz
    .venv/bin/python tools/selfplay.py learn --game nile --preset quick --bound board tiles --players 2 3 --steps 200 \
        --lanes 64 --batch 128 --out quick.npz
    .venv/bin/python tools/selfplay.py learn --game egar --steps 60000 --device cuda --begin egar.npz --out longer.npz
    .venv/bin/python tools/train.py pack --game egar --name 2026-11 egar.npz

Many games go on side by side. Where a seat has a choice, the network judges the position after each action by what the
seat may know then, and the best is played, or now and then any; in some lanes the heuristic chooses instead. What the
best is worth is what the position after the seat's last choice should have been worth (temporal differences), and at
last the result is. So the network is told nothing but the rules, and what the heuristic looks at. It learns from how
inputs differ from those of the first position: the fields of a board are the same in every position, and steps that
change hundreds of weights by something that never changes would shake everything else.

Cores play, a graphics card only learns: games of which each does something else are slower there than on cores.
"""

from __future__ import annotations

import argparse
import importlib
import math
import os
import platform
import sys
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

ROOT = Path(__file__).parent.parent
sys.path.insert(0, str(ROOT / "src"))
sys.path.insert(0, str(ROOT))

from astragal.bots.kernels_evaluate import by_heuristic  # noqa: E402
from astragal.bots.kernels_network import Net, by_network, look  # noqa: E402
from astragal.bots.network import Layer, Part, for_kernels, usual_inputs  # noqa: E402
from astragal.core import options as option_values  # noqa: E402
from astragal.core import tensor  # noqa: E402
from astragal.core.compiled import cpu, kernel  # noqa: E402
from astragal.core.fast import (  # noqa: E402
    Array,
    Fast,
    below,
    chance,
    copy,
    legal,
    returns,
    step,
    turn,
    weighted,
)
from astragal.core.rules import Game  # noqa: E402
from astragal.core.types import CHANCE, OVER  # noqa: E402
from tools import train  # noqa: E402
from tools.solutions import game_of  # noqa: E402
from tools.teaching import PARTS, CoreLessons, Pool  # noqa: E402

LONGEST = 3000  # decisions of a game, after which its win is shared
NOISE = (0.0, 0.02, 0.05, 0.15)  # how often a lane plays at random, in turn
GUIDED = 4  # one of so many lanes is played by the heuristic
WARM = 64  # lessons before the first that counts, so that lanes are not all at the beginning of a game


class Play(NamedTuple):
    """Games side by side: what all share, and arrays with a row for each lane."""

    tables: Array
    heuristic: Array  # its weights
    states: Array
    trials: Array  # a position that is only tried
    numbers: Array
    odds: Array
    shares: Array
    values: Array
    rngs: Array
    plies: Array
    noise: Array
    guided: Array  # 1 if the heuristic chooses
    waiting: Array  # by seats: what the seat saw after its last choice
    waits: Array  # whether there was one
    seen: Array  # this and the next two are working space of the network
    hidden: Array
    deeper: Array


@kernel
def tell(seat: int, lane: int, worth: float, play: Play, seen: Array, targets: Array) -> None:
    """Gives what a seat saw after its last choice, and what that turned out to be worth."""
    for place in range(seen.shape[1]):
        seen[lane, place] = play.waiting[lane, seat, place]
    targets[lane] = worth
    play.waits[lane, seat] = 0


@kernel
def chosen(seat: int, lane: int, count: int, play: Play, net: Net) -> Any:
    """Which action is taken, and what the best one is worth by the network; or that one, if the heuristic chooses."""
    state, trial, tables, values = play.states[lane], play.trials[lane], play.tables, play.values[lane]
    best, highest, liked, most, worth = 0, -1.0, 0, -1.0, 0.0
    for place in range(count):
        copy(state, trial)
        step(trial, tables, play.numbers[lane, place])
        share = by_network(trial, tables, net, seat, values)
        if share > highest:
            best, highest = place, share
        if play.guided[lane]:
            guess = by_heuristic(trial, tables, play.heuristic, seat, values)
            if guess > most:
                liked, most, worth = place, guess, share
    if below(play.rngs[lane], PARTS) < play.noise[lane]:
        return below(play.rngs[lane], count), highest
    if play.guided[lane]:
        return liked, worth
    return best, highest


@kernel
def lesson(lane: int, first: Array, play: Play, net: Net, seen: Array, targets: Array) -> None:
    """Goes on until one position has found its worth."""
    state, tables, numbers, shares = play.states[lane], play.tables, play.numbers[lane], play.shares[lane]
    mine = Net(
        net.usual, net.first, net.first_sums, net.second, net.second_bias, net.last, net.last_bias, net.mover_at,
        net.features, play.seen[lane], play.hidden[lane], play.deeper[lane],
    )  # fmt: skip
    while True:
        seat = turn(state, tables)
        if seat == OVER or play.plies[lane] >= LONGEST:
            if seat == OVER:
                returns(state, tables, shares)
            else:
                for one in range(len(shares)):
                    shares[one] = 1 / len(shares)
            for one in range(len(shares)):
                if play.waits[lane, one]:
                    tell(one, lane, shares[one], play, seen, targets)
                    return
            copy(first, state)
            play.plies[lane] = 0
        elif seat == CHANCE:
            count = chance(state, tables, numbers, play.odds[lane])
            step(state, tables, numbers[weighted(play.rngs[lane], play.odds[lane], count)])
        else:
            count = legal(state, tables, numbers)
            if count == 1:
                step(state, tables, numbers[0])
                continue
            place, worth = chosen(seat, lane, count, play, mine)
            step(state, tables, numbers[place])
            told = play.waits[lane, seat] > 0
            if told:
                tell(seat, lane, worth, play, seen, targets)
            look(state, tables, net.features, seat, play.waiting[lane, seat])
            play.waits[lane, seat] = 1
            play.plies[lane] += 1
            if told:
                return


@kernel
def lessons(start: int, stop: int, first: Array, play: Play, net: Net, seen: Array, targets: Array) -> None:
    """A lesson in each of these lanes."""
    for lane in range(start, stop):
        lesson(lane, first, play, net, seen, targets)


def compiled(game: Game, options: Any, players: int) -> Fast[Any, Any]:
    """The game in its compiled form."""
    if game.fast is None:
        sys.exit(f"{game.id} has no compiled rules to learn from")
    return game.fast(options, players)


class SelfTeacher:
    """Lessons from games of a network against itself, at one kind of table."""

    def __init__(self, game: Game, options: Any, players: int, lanes: int, seed: int, net: Net) -> None:
        fast = compiled(game, options, players)
        self.count, self.inputs = lanes, tensor.size(fast.observation) + net.features
        first, rng = fast.pack(game.rules.initial(options, players)), np.random.default_rng(seed)
        sizes = (net.first.shape[0], net.first.shape[1], net.second.shape[1])
        room = tuple(np.zeros((lanes, size), dtype=np.float32) for size in sizes)
        play = Play(
            tables=fast.tables,
            heuristic=np.array([game.heuristic.weights[name] for name in game.heuristic.names]),
            states=np.repeat(first[None], lanes, axis=0),
            trials=np.repeat(first[None], lanes, axis=0),
            numbers=np.zeros((lanes, fast.room), dtype=np.int64),
            odds=np.zeros((lanes, fast.most), dtype=np.int64),
            shares=np.zeros((lanes, players)),
            values=np.zeros((lanes, max(players, len(game.heuristic.names)))),
            rngs=rng.integers(0, 1 << 63, (lanes, 1), dtype=np.uint64),
            plies=np.zeros(lanes, dtype=np.int64),
            noise=np.resize([int(PARTS * part) for part in NOISE], lanes),
            guided=(np.arange(lanes) // len(NOISE) % GUIDED == 0).astype(np.int64),
            waiting=np.zeros((lanes, players, self.inputs), dtype=np.float32),
            waits=np.zeros((lanes, players), dtype=np.int64),
            seen=room[0],
            hidden=room[1],
            deeper=room[2],
        )
        self.batch = CoreLessons(cpu(lessons, fast.source), play, first, self.inputs)
        for _ in range(WARM):
            self.batch(net)


class Ahead:
    """All tables at once: while a network learns from some lessons, the cores play the next.

    They play with the network as it was when they began, so that a run with one seed repeats itself.
    """

    def __init__(self, teachers: Sequence[SelfTeacher], net: Callable[[], Net], usual: Array, xp: Any) -> None:
        self.count, self.inputs = sum(teacher.count for teacher in teachers), teachers[0].inputs
        self._teachers, self._net, self._usual, self._xp = teachers, net, usual, xp
        self._thread = ThreadPoolExecutor(1)
        self._next = self._thread.submit(self._play, net())

    def _play(self, net: Net) -> tuple[Array, Array]:
        seen, targets = zip(*(teacher.batch(net) for teacher in self._teachers), strict=True)
        return np.concatenate(seen) - self._usual, np.concatenate(targets)

    def batch(self) -> tuple[Any, Any]:
        """How what a seat saw after a choice differed from the beginning, and what that turned out to be worth."""
        seen, targets = self._next.result()
        self._next = self._thread.submit(self._play, self._net())
        return self._xp.asarray(seen), self._xp.asarray(targets)


class Table(NamedTuple):
    """What is played at: options and a number of players."""

    options: Any
    players: int


def learned(
    game: Game, tables: Sequence[Table], bound: Sequence[str], *, sizes: tuple[int, int], steps: int, batch: int,
    lanes: int, seed: int, device: str = "cpu", uses: int = 4, seconds: float = math.inf,
    before: Sequence[Layer] | None = None, tell: Any = lambda _: None,
) -> tuple[Part, tuple[Layer, ...]]:  # fmt: skip
    """A network from games against itself at all of these tables, and what there is to say of it.

    `bound` names the options without whose values it cannot be used, such as the board.
    """
    xp = importlib.import_module("cupy") if device == "cuda" else np
    features = len(game.heuristic.names)
    fast = compiled(game, *tables[0])
    usual = usual_inputs(fast, fast.pack(game.rules.initial(*tables[0])), features)
    shape = (len(usual), *sizes, 1)
    learner = train.Learner(shape, seed, xp)
    if before is not None:
        learner.begin_with(before)

    def net() -> Net:
        return for_kernels(learner.layers(), -1, features, usual, centred=True)

    each = lanes // len(tables)
    teachers = [
        SelfTeacher(game, table.options, table.players, each, seed + place, net()) for place, table in enumerate(tables)
    ]
    pool = Pool([Ahead(teachers, net, usual, xp)], xp, seed, slabs=4, uses=uses)
    training = train.trained(learner, pool, steps, batch, tell, part=0.5, seconds=seconds)
    card = {
        "data": f"{training.steps} batches of {batch} positions from games against itself",
        "tables": [{"players": table.players, "options": option_values.to_plain(table.options)} for table in tables],
        "seed": seed,
        "seconds": round(training.seconds, 1),
        "machine": platform.machine() if device == "cpu" else f"{os.cpu_count()} cores and a graphics card",
        "error": training.error,
    }
    players = tuple(sorted({table.players for table in tables}))
    plain = option_values.to_plain(tables[0].options)
    options = {name: plain[name] for name in bound}
    part = Part(
        options=options, players=players, sizes=shape, mover_at=-1, features=features, centred=True, card=card
    )  # fmt: skip
    return part, learner.layers()


def tables_of(game: Game, players: Sequence[int], preset: str | None = None) -> list[Table]:
    """A preset, or else the game as it is offered first, for each of these numbers of players."""
    presets = game.rules.presets
    if preset is not None and preset not in presets:
        sys.exit(f"{game.id} has no preset {preset!r}, only {', '.join(presets)}")
    options = presets[preset] if preset else next(iter(presets.values()))
    return [Table(game.rules.seated(options, [True] * count), count) for count in players]


def main() -> None:
    """Reads the command line."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    commands = parser.add_subparsers(required=True)
    learning = commands.add_parser("learn", help="train one network")
    learning.add_argument("--game", required=True)
    learning.add_argument("--players", type=int, nargs="+", help="at the tables (default: all numbers)")
    learning.add_argument("--preset", help="what is played (default: the game as it is offered first)")
    learning.add_argument("--bound", nargs="*", default=("board",), help="options that it is bound to (default: board)")
    learning.add_argument("--begin", type=Path, help="a network that has learned before, of the same sizes")
    learning.add_argument("--out", type=Path, required=True)
    learning.add_argument("--steps", type=int, default=20_000)
    learning.add_argument("--seconds", type=float, default=math.inf, help="fewer steps, if they took longer than this")
    learning.add_argument("--batch", type=int, default=1 << 13, help="positions that a step learns from")
    learning.add_argument("--lanes", type=int, default=1 << 14, help="games that go on at once")
    learning.add_argument("--uses", type=int, default=4, help="how often a position is learned from")
    learning.add_argument("--sizes", type=int, nargs=2, default=(96, 32))
    learning.add_argument("--seed", type=int, default=1)
    learning.add_argument("--device", choices=("cpu", "cuda"), default="cpu", help="where it learns; cores always play")
    given = parser.parse_args()
    game = game_of(given.game)
    part, layers = learned(
        game,
        tables_of(game, given.players or game.rules.spec.players, given.preset),
        given.bound,
        sizes=tuple(given.sizes),
        steps=given.steps,
        batch=given.batch,
        lanes=given.lanes,
        seed=given.seed,
        device=given.device,
        uses=given.uses,
        seconds=given.seconds,
        before=train.load(given.begin)[1] if given.begin else None,
        tell=lambda line: print(line, flush=True),
    )
    train.save(given.out, part, layers)
    print(f"{given.out}: {part.card['seconds']} s")


if __name__ == "__main__":
    main()
