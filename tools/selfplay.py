"""Networks for games that nobody can solve, learned by playing against themselves.

    .venv/bin/python tools/selfplay.py learn --game egar --players 2 3 --rounds 20 --cores 2 --out egar.npz
    .venv/bin/python tools/selfplay.py learn --game nile --players 2 --seconds 500 --stored rows --out nile.npz \\
        --device cuda --lanes 16384 --actions 8
    .venv/bin/python tools/selfplay.py learn --game egar --players 2 3 --begin egar.npz --seconds 500 --out again.npz
    .venv/bin/python tools/selfplay.py learn --game nile --players 2 --begin nile.npz --simulations 200 --seconds 900 \\
        --lanes 128 --batch 1024 --uses 4 --rate 1e-4 --sizes 256 32 --stored rows --out better.npz
    .venv/bin/python tools/train.py unpack --game egar --out parts   # those of today, to begin with or to pack again
    .venv/bin/python tools/selfplay.py test --net egar.npz --games 2000
    .venv/bin/python tools/train.py pack --game egar --name 2026-11 egar.npz

A network says how likely a seat wins after each of its actions, and plays by that: the better an action looks, the more
likely it is taken. It begins as the heuristic, and learns two things from every game (PPO, an actor-critic method):

- *what positions are worth*: what a seat thought of its chances at its next decisions, and in the end its share of the
  win, is what it should have thought before (the lambda-return);
- *which actions are better*: one after which a seat did better than it had expected becomes likelier.

The second is what makes it play well. Most actions of a turn differ by less than any network errs about positions, so
one that only foretells results orders actions badly; here they are compared with each other.

With `--simulations` a search of so many takes each decision instead, and the network learns what searches found out
(expert iteration, `tools.selfplay_search`): for a network that plays well already, on cores.

Games go on side by side (`tools.selfplay_games`), some hundreds on the cores of this computer, or thousands on a
graphics card (`--lanes`), which has learned from ten times as many decisions a second as three cores together with the
card (docs/results.md). A round is some decisions in each of them, and then all of these are learned from
(`tools.selfplay_learner`). A network is told nothing but the rules, and what the heuristic looks at. With one seed, a
number of rounds and one device a run repeats itself. `test` plays games by the network alone (`tools.selfplay_trial`).
"""

from __future__ import annotations

import argparse
import importlib
import math
import os
import platform
import sys
import time
from collections.abc import Sequence
from itertools import pairwise
from pathlib import Path
from typing import Any

import msgspec
import numpy as np

ROOT = Path(__file__).parent.parent
sys.path.insert(0, str(ROOT / "src"))
sys.path.insert(0, str(ROOT))

from astragal.bots.network import Kind, Layer, Part, usual_inputs  # noqa: E402
from astragal.core import options as option_values  # noqa: E402
from astragal.core.rules import Game  # noqa: E402
from tools import train  # noqa: E402
from tools.selfplay_cores import OnCores  # noqa: E402
from tools.selfplay_games import AFTER, AT_LAST, BESIDE, FIRST, NUMBERS, TOLD, Lanes, Rows  # noqa: E402
from tools.selfplay_learner import Batch, Learning, PolicyLearner  # noqa: E402
from tools.selfplay_search import Searched, Searches, SearchLearner, all_found  # noqa: E402
from tools.selfplay_tables import Table, compiled, inputs_of, tables_of  # noqa: E402
from tools.selfplay_trial import test  # noqa: E402
from tools.solutions import game_of  # noqa: E402

OUTPUTS = 2  # of a network: what a position is worth, and what is liked beside that
LEAST_RATE = 0.02  # of learning at the end, as a part of the rate at the beginning


def as_heuristic(game: Game, sizes: tuple[int, ...], seed: int) -> tuple[Layer, ...]:
    """A network that says what the heuristic does, with weights for everything else still to be found.

    Two values of each hidden layer carry the heuristic's sum, where it is above 0 and where it is below; what the
    others come to is not heard at first.
    """
    rng = np.random.default_rng(seed)
    layers = [
        Layer(rng.normal(0, math.sqrt(2 / rows), (rows, columns)).astype(np.float32), np.zeros(columns, np.float32))
        for rows, columns in pairwise(sizes)
    ]
    weights = np.array([game.heuristic.weights[name] for name in game.heuristic.names])
    first, second, last = (layer.weights for layer in layers)
    first[:, :2] = 0
    first[len(first) - len(weights) :, 0], first[len(first) - len(weights) :, 1] = weights, -weights
    second[:, :2] = 0
    second[0, 0] = second[1, 1] = 1
    last[:] = 0
    last[0, 0], last[1, 0] = 1, -1
    return tuple(layers)


def with_likes(layers: Sequence[Layer]) -> tuple[Layer, ...]:
    """The same network with both outputs; one that had only the first likes nothing beside what positions are worth."""
    *others, (weights, bias) = layers
    more = OUTPUTS - len(bias)
    return (*others, Layer(np.pad(weights, ((0, 0), (0, more))), np.pad(bias, (0, more))))


class Games:
    """Games at one table that go on side by side, round after round."""

    def __init__(self, game: Game, table: Table, given: Learning, seed: int, device: str, cores: int) -> None:
        fast, players = compiled(game, *table), table.players
        self.features, self.given, self.players = len(game.heuristic.names), given, players
        self.finished = 0
        self.came: Any = None  # the share of the win of each seat in the games that ended in the last round
        inputs = inputs_of(game, table)
        first = fast.pack(game.rules.initial(table.options, players))
        many, steps = given.lanes, given.steps
        most = many * (steps * (given.actions + 1) + players)  # rows that are kept of a round
        self.start = np.stack([usual_inputs(fast, first, self.features, seat) for seat in range(players)])
        lanes = Lanes(
            tables=fast.tables,
            first=first,
            states=np.tile(first, (many, 1)),
            rngs=np.random.default_rng(seed).integers(0, 1 << 63, (many, 1), dtype=np.uint64),
            numbers=np.zeros((many, fast.room), dtype=np.int64),
            odds=np.zeros((many, fast.most), dtype=np.int64),
            counts=np.zeros(many, dtype=np.int64),
            likely=np.zeros((many, fast.most)),
            shares=np.zeros((many, players)),
            movers=np.zeros((steps, many), dtype=np.int64),
            others=np.zeros((steps, many), dtype=np.int64),
            ended=np.zeros((steps, many), dtype=np.int64),
            results=np.zeros((steps, many, players)),
            kept=np.zeros((steps, many, NUMBERS), dtype=np.int64),
            told=np.zeros((steps, many, TOLD), dtype=np.float32),
        )
        rows = Rows(
            np.zeros((most, given.width), dtype=np.uint16),
            np.zeros((most, given.width), dtype=np.float32),
            np.zeros(most, dtype=np.float32),
        )
        values = max(players, self.features)
        if device == "cuda":
            cards = importlib.import_module("tools.selfplay_cuda")  # brings CuPy
            self.runner = cards.OnCard(fast.source, lanes, rows, inputs, values)
        else:
            self.runner = OnCores(fast.source, lanes, rows, inputs, values, cores)
        self.searches = Searches(fast, lanes, most, given, values, cores) if given.simulations else None

    def play(self, learner: PolicyLearner) -> Batch:
        """A round of decisions in all games, by what was learned so far; fewer where they have too many actions."""
        runner, rows, given, xp = self.runner, self.runner.rows, self.given, learner.xp
        used, done, known = 0, 0, 0
        last = len(rows.sure) - given.lanes * self.players  # how many rows decisions may take
        if self.searches is not None:
            self.searches.go_by(learner.layers(), self.features, self.start[0])
        for now in range(given.steps):
            runner.advance(now)
            known += 1
            each = runner.lanes.counts + 1
            ends = xp.cumsum(each)
            taken = int(ends[-1])
            if used + taken > last:
                if not done:
                    sys.exit(f"{taken} actions at once are more than there is room for; give --actions or --steps more")
                break
            starts = used + ends - each
            runner.look_around(AFTER, now, starts, self.features)
            if self.searches is not None:
                self.searches.decide(now, starts)
            else:
                odds, likes = self._outputs(learner, used, taken)
                runner.decide(now, starts, used, odds, likes, given.temperature)
            runner.look_around(BESIDE, now, starts, self.features)
            used, done = used + taken, now + 1
        runner.look_around(AT_LAST, 0, used + self.players * xp.arange(given.lanes), self.features)
        odds, _ = self._outputs(learner, used, given.lanes * self.players)
        runner.look_back(done, known, odds, given.memory)
        ended = runner.lanes.ended[:known] == 1
        self.finished += int(ended.sum())
        self.came = runner.lanes.results[:known][ended]
        kept, told = (array[:done].reshape(done * given.lanes, -1) for array in (runner.lanes.kept, runner.lanes.told))
        return Batch(rows.at[:used], rows.of[:used], rows.sure[:used], kept, told)

    def _outputs(self, learner: PolicyLearner, start: int, many: int) -> tuple[Any, Any]:
        """What the network says of these rows."""
        part = slice(start, start + many)
        return learner.outputs(*(array[part] for array in self.runner.rows))


def together(batches: Sequence[Batch], xp: Any) -> Batch:
    """What was kept at several tables, as one."""
    if len(batches) == 1:
        return batches[0]
    moved, row = [], 0
    for batch in batches:
        kept = batch.kept.copy()
        kept[:, FIRST] += row
        moved.append(batch._replace(kept=kept))
        row += len(batch.sure)
    return Batch(*(xp.concatenate(arrays) for arrays in zip(*moved, strict=True)))


def learned(
    game: Game, tables: Sequence[Table], bound: Sequence[str], given: Learning, *, sizes: tuple[int, int], seed: int,
    device: str = "cpu", cores: int = 1, before: tuple[Part, Sequence[Layer]] | None = None, stored: Kind = "halves",
    tell: Any = lambda _: None,
) -> tuple[Part, tuple[Layer, ...]]:  # fmt: skip
    """A network from games at all of these tables, and what there is to say of it.

    `bound` names the options without whose values it cannot be used, such as the board; a value that differs between
    the tables may be any of them. `before` is a network that has learned before, as which this one begins.
    """
    if given.simulations and device == "cuda":
        sys.exit("searches are made on cores, not on a graphics card; leave out --device cuda or --simulations")
    if given.simulations and game.rules.spec.private and compiled(game, *tables[0]).source.redeal is None:
        sys.exit(f"{game.id} has no kernel redeal, so searches would see what others hold")
    xp = importlib.import_module("cupy") if device == "cuda" else np
    shape = (inputs_of(game, tables[0]), *sizes, OUTPUTS)
    layers = as_heuristic(game, shape, seed) if before is None else with_likes(before[1])
    begun = (len(layers[0].weights), *(len(layer.bias) for layer in layers))
    if begun != shape:
        sys.exit(f"the network to begin with has the sizes {begun}; here they are {shape}")
    searched = SearchLearner(shape, seed, xp, given.held) if given.simulations else None
    learner = searched or PolicyLearner(shape, seed, xp)
    learner.begin_with(layers)
    at_tables = [Games(game, table, given, seed * 1000 + place, device, cores) for place, table in enumerate(tables)]
    rng = np.random.default_rng(seed)
    began, done, number, decisions, playing = time.perf_counter(), 0.0, 0, 0, 0.0
    while done < 1:
        start = time.perf_counter()
        batches = [games.play(learner) for games in at_tables]
        batch = together(batches, xp)
        decisions += len(batch.kept)
        playing += time.perf_counter() - start
        slowed = LEAST_RATE + (1 - LEAST_RATE) * (1 + math.cos(math.pi * done)) / 2
        if searched is None:
            figures = learner.learn_round(batch, given, slowed, rng)
        else:
            rows = [len(one.sure) for one in batches]
            found = all_found([games.searches.found for games in at_tables if games.searches is not None], rows)
            figures = searched.learn_searched(Searched(batch, found), given, slowed, rng)
        for games in at_tables:
            if len(games.came):
                learner.learn_start(xp.asarray(games.start), games.came.mean(axis=0), given, slowed)
        number += 1
        passed, finished = time.perf_counter() - began, sum(games.finished for games in at_tables)
        done = max(number / given.rounds, passed / given.seconds)
        spent = f"{passed:.0f} s, {playing:.0f} of them for playing"
        tell(f"round {number}, {finished} games, {decisions} decisions, {spent}: {figures}")
    card: dict[str, Any] = {
        "data": f"{finished} games against itself in {number} rounds, {decisions} decisions learned from",
        "tables": [{"players": table.players, "options": option_values.to_plain(table.options)} for table in tables],
        "settings": msgspec.to_builtins(given),
        "seed": seed,
        "seconds": round(passed, 1),
        "machine": platform.machine() if device == "cpu" else "one graphics card",
    }
    if before is not None:
        card["before"] = train.history(before[0].card)
    plain = [option_values.to_plain(table.options) for table in tables]
    part = Part(
        options={name: _values([one[name] for one in plain]) for name in bound},
        players=tuple(sorted({table.players for table in tables})),
        sizes=shape,
        mover_at=-1,
        features=len(game.heuristic.names),
        stored=stored,
        card=card,
    )
    return part, learner.layers()


def _values(values: Sequence[Any]) -> Any:
    """The value that all have, or a list of all different ones."""
    different = [value for place, value in enumerate(values) if value not in values[:place]]
    return different[0] if len(different) == 1 else different


def learn(given: argparse.Namespace) -> None:
    """Trains one network."""
    game = game_of(given.game)
    names = Learning.__struct_fields__
    settings = Learning(**{name: getattr(given, name) for name in names if getattr(given, name, None) is not None})
    part, layers = learned(
        game,
        tables_of(game, given.players or game.rules.spec.players, given.preset),
        given.bound,
        settings,
        sizes=tuple(given.sizes),
        seed=given.seed,
        device=given.device,
        cores=given.cores,
        before=train.load(given.begin) if given.begin else None,
        stored=given.stored,
        tell=lambda line: print(line, flush=True),
    )
    part = msgspec.structs.replace(part, card={"game": game.id, **part.card})
    train.save(given.out, part, layers)
    print(f"{given.out}: {part.card['seconds']} s; to find out what it is worth: selfplay.py test --net {given.out}")


def main() -> None:
    """Reads the command line."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    commands = parser.add_subparsers(required=True)
    learning = commands.add_parser("learn", help="train one network")
    learning.add_argument("--game", required=True)
    learning.add_argument("--players", type=int, nargs="+", help="at the tables (default: all numbers)")
    learning.add_argument("--preset", nargs="*", default=(), help="what is played (default: as it is offered first)")
    learning.add_argument("--bound", nargs="*", default=("board",), help="options that it is bound to (default: board)")
    learning.add_argument("--begin", type=Path, help="a network that has learned before, of the same sizes")
    learning.add_argument("--out", type=Path, required=True)
    learning.add_argument("--rounds", type=int, help="of decisions in all games, each learned from before the next")
    learning.add_argument("--seconds", type=float, help="fewer rounds, if they took longer than this")
    learning.add_argument("--lanes", type=int, help="games that go on at once at each table")
    learning.add_argument("--steps", type=int, help="decisions of each of them in a round")
    for name in ("temperature", "memory", "rate", "clip", "entropy", "worth", "power", "trust"):
        learning.add_argument(f"--{name}", type=float, help="see `tools/selfplay_learner.py`")
    for name in ("batch", "uses", "actions", "width", "simulations", "held"):
        learning.add_argument(f"--{name}", type=int, help="see `tools/selfplay_learner.py`")
    learning.add_argument("--sizes", type=int, nargs=2, default=(128, 32))
    learning.add_argument("--stored", choices=("halves", "rows"), default="halves", help="its numbers, in the end")
    learning.add_argument("--seed", type=int, default=1)
    learning.add_argument("--cores", type=int, default=os.cpu_count() or 1, help="that play, or that test")
    learning.add_argument("--device", choices=("cpu", "cuda"), default="cpu", help="where it plays and learns")
    learning.set_defaults(run=learn)
    testing = commands.add_parser("test", help="let it play against the heuristic")
    testing.add_argument("--net", type=Path, required=True)
    testing.add_argument("--games", type=int, default=2000)
    testing.add_argument("--cores", type=int, default=os.cpu_count() or 1)
    testing.add_argument("--seed", type=int, default=1)
    testing.set_defaults(run=test)
    given = parser.parse_args()
    given.run(given)


if __name__ == "__main__":
    main()
