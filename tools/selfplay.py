"""Networks for games that nobody can solve, learned by playing against themselves.

    .venv/bin/python tools/selfplay.py learn --game egar --players 2 --seconds 500 --device cuda --out egar.npz
    .venv/bin/python tools/selfplay.py learn --game nile --players 2 3 --rounds 20 --stored rows --out small.npz
    .venv/bin/python tools/selfplay.py learn --game egar --players 2 --begin egar.npz --seconds 500 --out again.npz
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

Thousands of games go on side by side (`tools.selfplay_games`), on the cores of this computer or on a graphics card,
which learns from some ten times as many decisions in the same time (docs/results.md). A round is some decisions in each
of them, and then all of these are learned from (`tools.selfplay_learner`). A network is told nothing but the rules, and
what the heuristic looks at. With one seed, a number of rounds and one device a run repeats itself.
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
from concurrent.futures import ThreadPoolExecutor
from itertools import pairwise
from pathlib import Path
from typing import Any, NamedTuple

import msgspec
import numpy as np

ROOT = Path(__file__).parent.parent
sys.path.insert(0, str(ROOT / "src"))
sys.path.insert(0, str(ROOT))

from astragal.bots.network import Kind, Layer, Part, as_stored, for_kernels, kinds, usual_inputs  # noqa: E402
from astragal.core import options as option_values  # noqa: E402
from astragal.core import tensor  # noqa: E402
from astragal.core.compiled import cpu  # noqa: E402
from astragal.core.fast import Array, Fast  # noqa: E402
from astragal.core.rules import Game  # noqa: E402
from tools import train  # noqa: E402
from tools.selfplay_games import (  # noqa: E402
    AFTER,
    AT_LAST,
    BESIDE,
    EACH,
    FIRST,
    NUMBERS,
    TOLD,
    Job,
    Lanes,
    Room,
    Rows,
    contests,
    foretold,
)
from tools.selfplay_learner import Batch, Learning, PolicyLearner  # noqa: E402
from tools.solutions import game_of  # noqa: E402

LONGEST = 4000  # decisions of a game, after which its win is shared
TENTHS = 10
OUTPUTS = 2  # of a network: what a position is worth, and what is liked beside that
LEAST_RATE = 0.02  # of learning at the end, as a part of the rate at the beginning


class Table(NamedTuple):
    """What is played at: options and a number of players."""

    options: Any
    players: int


def compiled(game: Game, options: Any, players: int) -> Fast[Any, Any]:
    """The game in its compiled form."""
    if game.fast is None:
        sys.exit(f"{game.id} has no compiled rules to learn from")
    return game.fast(options, players)


def inputs_of(game: Game, table: Table) -> int:
    """How many numbers a network is told at this table."""
    return tensor.size(compiled(game, *table).told) + len(game.heuristic.names)


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


class Deck:
    """Lanes on the cores of this computer; `tools.selfplay_cuda` has the same for a graphics card."""

    def __init__(self, source: Any, lanes: Lanes, rows: Rows, inputs: int, values: int, cores: int = 1) -> None:
        self.lanes, self.rows = lanes, rows
        self._kernels = {each.__name__: cpu(each, source) for each in EACH}
        many = len(lanes.states)
        edges = np.linspace(0, many, cores + 1).astype(int).tolist()
        self._parts = [part for part in pairwise(edges) if part[0] < part[1]]
        self._rooms = [
            Room(lanes.first.copy(), np.zeros(inputs, dtype=np.float32), np.zeros(values)) for _ in self._parts
        ]
        self._pool = ThreadPoolExecutor(cores)

    def _run(self, name: str, *args: Any, room: bool = True) -> None:
        """A kernel for all lanes, some on each core."""
        kernel = self._kernels[name]
        jobs = [
            (*part, *args, one) if room else (*part, *args) for part, one in zip(self._parts, self._rooms, strict=True)
        ]
        list(self._pool.map(lambda job: kernel(*job), jobs))

    def advance(self, now: int) -> None:
        """See `selfplay_games.advance`; the others are named as they are there, too."""
        self._run("advance_all", now, self.lanes, room=False)

    def look_around(self, what: int, now: int, starts: Any, features: int) -> None:
        """Keeps rows."""
        self._run("look_around_all", what, now, starts, features, self.lanes, self.rows)

    def decide(self, now: int, starts: Any, used: int, odds: Any, likes: Any, temperature: float) -> None:
        """Takes actions."""
        self._run("decide_all", now, starts, used, odds, likes, temperature, self.lanes, room=False)

    def look_back(self, steps: int, known: int, odds: Any, memory: float) -> None:
        """Works out what decisions came to."""
        self._run("look_back_all", steps, known, odds, memory, self.lanes, self.rows, room=False)


class Hall:
    """Games at one table that go on side by side, round after round."""

    def __init__(self, game: Game, table: Table, given: Learning, seed: int, device: str, cores: int) -> None:
        fast, players = compiled(game, *table), table.players
        self.features, self.given, self.players = len(game.heuristic.names), given, players
        self.games = 0
        self.came: Any = None  # the share of the win of each seat in the games that ended in the last round
        inputs = inputs_of(game, table)
        first = fast.pack(game.rules.initial(table.options, players))
        many, steps = given.lanes, given.steps
        room = many * (steps * (given.actions + 1) + players)
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
            np.zeros((room, given.width), dtype=np.uint16),
            np.zeros((room, given.width), dtype=np.float32),
            np.zeros(room, dtype=np.float32),
        )
        values = max(players, self.features)
        if device == "cuda":
            cards = importlib.import_module("tools.selfplay_cuda")
            self.deck = cards.CudaDeck(fast.source, lanes, rows, inputs, values)
        else:
            self.deck = Deck(fast.source, lanes, rows, inputs, values, cores)

    def play(self, learner: PolicyLearner) -> Batch:
        """A round of decisions in all games, by what was learned so far; fewer where they have too many actions."""
        deck, rows, given, xp = self.deck, self.deck.rows, self.given, learner.xp
        used, done, known = 0, 0, 0
        last = len(rows.sure) - given.lanes * self.players  # how many rows decisions may take
        for now in range(given.steps):
            deck.advance(now)
            known += 1
            each = deck.lanes.counts + 1
            ends = xp.cumsum(each)
            taken = int(ends[-1])
            if used + taken > last:
                if not done:
                    sys.exit(f"{taken} actions at once are more than there is room for; give --actions or --steps more")
                break
            starts = used + ends - each
            deck.look_around(AFTER, now, starts, self.features)
            odds, likes = self._outputs(learner, used, taken)
            deck.decide(now, starts, used, odds, likes, given.temperature)
            deck.look_around(BESIDE, now, starts, self.features)
            used, done = used + taken, now + 1
        deck.look_around(AT_LAST, 0, used + self.players * xp.arange(given.lanes), self.features)
        odds, _ = self._outputs(learner, used, given.lanes * self.players)
        deck.look_back(done, known, odds, given.memory)
        ended = deck.lanes.ended[:known] == 1
        self.games += int(ended.sum())
        self.came = deck.lanes.results[:known][ended]
        kept, told = (array[:done].reshape(done * given.lanes, -1) for array in (deck.lanes.kept, deck.lanes.told))
        return Batch(rows.at[:used], rows.of[:used], rows.sure[:used], kept, told)

    def _outputs(self, learner: PolicyLearner, start: int, many: int) -> tuple[Any, Any]:
        """What the network says of these rows."""
        part = slice(start, start + many)
        return learner.outputs(*(array[part] for array in self.deck.rows))


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
    xp = importlib.import_module("cupy") if device == "cuda" else np
    shape = (inputs_of(game, tables[0]), *sizes, OUTPUTS)
    layers = as_heuristic(game, shape, seed) if before is None else with_likes(before[1])
    begun = (len(layers[0].weights), *(len(layer.bias) for layer in layers))
    if begun != shape:
        sys.exit(f"the network to begin with has the sizes {begun}; here they are {shape}")
    learner = PolicyLearner(shape, seed, xp)
    learner.begin_with(layers)
    halls = [Hall(game, table, given, seed * 1000 + place, device, cores) for place, table in enumerate(tables)]
    rng = np.random.default_rng(seed)
    began, done, number, decisions, playing = time.perf_counter(), 0.0, 0, 0, 0.0
    while done < 1:
        start = time.perf_counter()
        batch = together([hall.play(learner) for hall in halls], xp)
        decisions += len(batch.kept)
        playing += time.perf_counter() - start
        slowed = LEAST_RATE + (1 - LEAST_RATE) * (1 + math.cos(math.pi * done)) / 2
        figures = learner.learn_round(batch, given, slowed, rng)
        for hall in halls:
            if len(hall.came):
                learner.learn_start(xp.asarray(hall.start), hall.came.mean(axis=0), given, slowed)
        number += 1
        passed, games = time.perf_counter() - began, sum(hall.games for hall in halls)
        done = max(number / given.rounds, passed / given.seconds)
        spent = f"{passed:.0f} s, {playing:.0f} of them for playing"
        tell(f"round {number}, {games} games, {decisions} decisions, {spent}: {figures}")
    card: dict[str, Any] = {
        "data": f"{games} games against itself in {number} rounds, {decisions} decisions learned from",
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


def tables_of(game: Game, players: Sequence[int], presets: Sequence[str] = ()) -> list[Table]:
    """Presets, or else the game as it is offered first, for each of these numbers of players; bots have all seats."""
    known = game.rules.presets
    for preset in presets:
        if preset not in known:
            sys.exit(f"{game.id} has no preset {preset!r}, only {', '.join(known)}")
    chosen = [known[preset] for preset in presets] or [next(iter(known.values()))]
    return [Table(game.rules.seated(options, [True] * count), count) for options in chosen for count in players]


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


class Trial:
    """One core that plays games by a network, to find out what it is worth."""

    def __init__(self, game: Game, table: Table, layers: Sequence[Layer], seed: int) -> None:
        fast, names = compiled(game, *table), game.heuristic.names
        self.first = fast.pack(game.rules.initial(table.options, table.players))
        usual = usual_inputs(fast, self.first, len(names))
        self.net = for_kernels(layers, -1, len(names), usual, centred=False)
        self.job = Job(
            tables=fast.tables,
            heuristic=np.array([game.heuristic.weights[name] for name in names]),
            state=self.first.copy(),
            trial=self.first.copy(),
            numbers=np.zeros(fast.room, dtype=np.int64),
            odds=np.zeros(fast.most, dtype=np.int64),
            shares=np.zeros(table.players),
            values=np.zeros(max(table.players, len(names))),
            rng=np.random.default_rng(seed).integers(0, 1 << 63, 1, dtype=np.uint64),
            likely=np.zeros(fast.most),
        )
        self._contests, self._foretold = cpu(contests, fast.source), cpu(foretold, fast.source)

    def contest(self, games: int) -> Array:
        """What one seat with this network wins against the heuristic on all others, a game for each."""
        won = np.zeros(games)
        self._contests(self.first, self.job, self.net, LONGEST, won)
        return won

    def foretold(self, games: int, temperature: float) -> Array:
        """What it said once in each of so many games against itself, and what came of it."""
        said, came = np.zeros(games), np.zeros(games)
        self._foretold(self.first, self.job, self.net, LONGEST, temperature, said, came)
        return np.stack([said, came])


def test(given: argparse.Namespace) -> None:
    """What a network wins against the heuristic without a search, and how far it knows; that goes into its card."""
    part, layers = train.load(given.net)
    rounded = tuple(map(as_stored, layers, kinds(part.stored)))
    game, figures, told = game_of(part.card["game"]), {}, []
    tables = [
        Table(msgspec.convert(table["options"], game.rules.options_type), table["players"])
        for table in part.card["tables"]
    ]
    each = -(-given.games // given.cores)
    for number, table in enumerate(tables):
        trials = [Trial(game, table, rounded, given.seed * 1000 + core) for core in range(given.cores)]
        with ThreadPoolExecutor(given.cores) as pool:
            won = np.concatenate(list(pool.map(lambda trial: trial.contest(each), trials)))
            temperature = part.card["settings"]["temperature"]
            told += list(pool.map(lambda trial, by=temperature: trial.foretold(each, by), trials))
        figures[str(number)] = {
            "players": table.players,
            "games": len(won),
            "wins": float(won.mean()),
            "wins_error": float(won.std(ddof=1) / math.sqrt(len(won))),
        }
        print(msgspec.json.encode(figures[str(number)]).decode(), flush=True)
    calibration, games = calibrated(*np.concatenate(told, axis=1)), len(tables) * each * given.cores
    print(f"calibrated to {100 * calibration:.2f} points over {games} games")
    said = {"against_heuristic": figures, "calibration": calibration, "calibrated_by": f"{games} games against itself"}
    train.save(given.net, msgspec.structs.replace(part, card={**part.card, **said}), layers)


def calibrated(said: Array, came: Array) -> float:
    """How far shares of the win that it says are from those that came of it, on average over tenths of what it says."""
    order = np.argsort(said)
    parts = zip(np.array_split(said[order], TENTHS), np.array_split(came[order], TENTHS), strict=True)
    return float(np.mean([abs(one.mean() - other.mean()) for one, other in parts]))


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
    for name in ("temperature", "memory", "rate", "clip", "entropy", "worth"):
        learning.add_argument(f"--{name}", type=float, help="see `tools/selfplay_learner.py`")
    for name in ("batch", "uses", "actions", "width"):
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
