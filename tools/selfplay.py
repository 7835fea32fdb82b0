"""Networks for games that nobody can solve, learned by playing against themselves.

    .venv/bin/python tools/selfplay.py learn --game egar --players 2 --seconds 500 --device cuda --out egar.npz
    .venv/bin/python tools/selfplay.py learn --game nile --players 2 3 --rounds 20 --stored rows --out small.npz
    .venv/bin/python tools/selfplay.py learn --game egar --players 2 --begin egar.npz --seconds 500 --out again.npz
    .venv/bin/python tools/selfplay.py test --net egar.npz --games 2000
    .venv/bin/python tools/train.py pack --game egar --name 2026-11 egar.npz

A network says how likely a seat wins after each of its actions, and plays by that: the better an action looks, the more
likely it is taken. It begins as the heuristic, and learns two things from every game (PPO, an actor-critic method):

- *what positions are worth*: what a seat thought of its chances at its next decisions, and in the end its share of the
  win, is what it should have thought before (the lambda-return);
- *which actions are better*: one after which a seat did better than it had expected becomes likelier.

The second is what makes it play well. Most actions of a turn differ by less than any network errs about positions, so
one that only foretells results orders actions badly; here they are compared with each other.

Cores play, whole games in rounds, while what was played in the round before is learned from, on a graphics card if
there is one. It is told nothing but the rules, and what the heuristic looks at. With one seed, a number of rounds and
one device a run repeats itself.
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
from tools.selfplay_games import FIRST, NUMBERS, PARTS, TOLD, Job, contests, rounds  # noqa: E402
from tools.selfplay_learner import Batch, Learning, PolicyLearner  # noqa: E402
from tools.solutions import game_of  # noqa: E402

LONGEST = 4000  # decisions of a game, after which its win is shared
TENTHS = 10
SELDOM = 0.02  # how likely a decision is kept where many games say more than many positions
WIDEST = 320  # inputs of a position that are not 0, at most, in any game
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
    last[0], last[1] = 1, -1
    return tuple(layers)


class Seat:
    """Room for one core to play in at one table."""

    def __init__(self, game: Game, table: Table, given: Learning, seed: int) -> None:
        self.fast, players = compiled(game, *table), table.players
        fast, features = self.fast, len(game.heuristic.names)
        self.first = fast.pack(game.rules.initial(table.options, players))
        self.usual, self.features = usual_inputs(fast, self.first, features), features
        rows = given.kept * (given.actions + 1)
        self.job = Job(
            tables=fast.tables,
            heuristic=np.array([game.heuristic.weights[name] for name in game.heuristic.names]),
            state=self.first.copy(),
            trial=self.first.copy(),
            numbers=np.zeros(fast.room, dtype=np.int64),
            odds=np.zeros(fast.most, dtype=np.int64),
            shares=np.zeros(players),
            values=np.zeros(max(players, features)),
            rng=np.random.default_rng(seed).integers(0, 1 << 63, 1, dtype=np.uint64),
            logits=np.zeros(fast.most),
            likely=np.zeros(fast.most),
            returns=np.zeros(players),
            movers=np.zeros(LONGEST, dtype=np.int64),
            baselines=np.zeros(LONGEST),
            places=np.zeros(LONGEST, dtype=np.int64),
            others=np.zeros(LONGEST, dtype=np.int64),
            rows_at=np.zeros((rows, given.width), dtype=np.uint16),
            rows_of=np.zeros((rows, given.width), dtype=np.float32),
            sure=np.full(rows, np.nan, dtype=np.float32),
            kept=np.zeros((given.kept, NUMBERS), dtype=np.int64),
            told=np.zeros((given.kept, TOLD), dtype=np.float32),
            used=np.zeros(2, dtype=np.int64),
        )
        self._rounds, self._contests = cpu(rounds, fast.source), cpu(contests, fast.source)
        self._settings = int(PARTS * given.keep), given.temperature, given.memory

    def play(self, layers: Sequence[Layer]) -> int:
        """Plays games by this network until enough decisions are kept; how many games."""
        return int(self._rounds(self.first, self.job, self._net(layers), *self._settings))

    def contest(self, layers: Sequence[Layer], games: int) -> Array:
        """What one seat with this network wins against the heuristic on all others, a game for each."""
        won = np.zeros(games)
        self._contests(self.first, self.job, self._net(layers), won)
        return won

    def _net(self, layers: Sequence[Layer]) -> Any:
        return for_kernels(layers, -1, self.features, self.usual, centred=False)


class Seats:
    """All cores at once, each at one of the tables by turns."""

    def __init__(self, game: Game, tables: Sequence[Table], given: Learning, seed: int, cores: int) -> None:
        self.seats = [Seat(game, tables[job % len(tables)], given, seed * 1000 + job) for job in range(given.jobs)]
        self._pool = ThreadPoolExecutor(cores)

    def play(self, layers: Sequence[Layer]) -> int:
        """A round; how many games."""
        return sum(self._pool.map(lambda seat: seat.play(layers), self.seats))

    def batch(self) -> Batch:
        """What the round has kept."""
        parts, row = [], 0
        for seat in self.seats:
            job, (kept, rows) = seat.job, seat.job.used
            numbers = job.kept[:kept].copy()
            numbers[:, FIRST] += row
            parts.append((job.rows_at[:rows], job.rows_of[:rows], job.sure[:rows], numbers, job.told[:kept]))
            row += int(rows)
        return Batch(*(np.concatenate(arrays) for arrays in zip(*parts, strict=True)))


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
    shape = (inputs_of(game, tables[0]), *sizes, 1)
    learner = PolicyLearner(shape, seed, xp)
    learner.begin_with(as_heuristic(game, shape, seed) if before is None else before[1])
    seats = Seats(game, tables, given, seed, cores)
    rng, thread = np.random.default_rng(seed), ThreadPoolExecutor(1)
    began, done, number, games, decisions = time.perf_counter(), 0.0, 0, 0, 0
    playing = thread.submit(seats.play, learner.layers())
    while done < 1:
        games += playing.result()
        batch = seats.batch()
        decisions += len(batch.kept)
        playing = thread.submit(seats.play, learner.layers())  # by what was learned before this batch
        rate = given.rate * (LEAST_RATE + (1 - LEAST_RATE) * (1 + math.cos(math.pi * done)) / 2)
        figures = learner.learn_round(batch, given, rate, rng)
        number += 1
        passed = time.perf_counter() - began
        done = max(number / given.rounds, passed / given.seconds)
        tell(f"round {number}, {games} games, {decisions} decisions, {passed:.0f} s: {figures}")
    playing.result()
    calibration = _calibration(learner, seats.batch(), given)
    seconds = time.perf_counter() - began
    card: dict[str, Any] = {
        "data": f"{games} games against itself in {number} rounds, {decisions} decisions learned from",
        "tables": [{"players": table.players, "options": option_values.to_plain(table.options)} for table in tables],
        "settings": msgspec.to_builtins(given),
        "seed": seed,
        "seconds": round(seconds, 1),
        "machine": platform.machine() if device == "cpu" else f"{cores} cores and a graphics card",
        "calibration": calibration,
    }
    if before is not None:
        card["before"] = {key: before[0].card[key] for key in ("data", "settings", "seconds")}
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


def _calibration(learner: PolicyLearner, batch: Batch, given: Learning) -> float:
    """How far shares of the win that it says are from those that came of it, on average over tenths of new positions.

    What came of them is how their games ended, so many positions of one game say little more than one.
    """
    said, came = learner.foretold(batch, given)
    order = np.argsort(said)
    parts = zip(np.array_split(said[order], TENTHS), np.array_split(came[order], TENTHS), strict=True)
    return float(np.mean([abs(one.mean() - other.mean()) for one, other in parts]))


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
    print(f"{given.out}: {part.card['seconds']} s, calibrated to {100 * part.card['calibration']:.2f} points")


def test(given: argparse.Namespace) -> None:
    """What a network wins against the heuristic without a search, and how far it knows; that goes into its card."""
    part, layers = train.load(given.net)
    rounded = tuple(map(as_stored, layers, kinds(part.stored)))
    game, figures = game_of(part.card["game"]), {}
    few = Learning(kept=1, actions=1)
    tables = [
        Table(msgspec.convert(table["options"], game.rules.options_type), table["players"])
        for table in part.card["tables"]
    ]
    for number, at in enumerate(tables):
        seats = [Seat(game, at, few, given.seed * 1000 + core) for core in range(given.cores)]
        with ThreadPoolExecutor(given.cores) as pool:
            each = -(-given.games // given.cores)
            won = np.concatenate(list(pool.map(lambda seat, each=each: seat.contest(rounded, each), seats)))
        figures[str(number)] = {
            "players": at.players,
            "games": len(won),
            "wins": float(won.mean()),
            "wins_error": float(won.std(ddof=1) / math.sqrt(len(won))),
        }
        print(msgspec.json.encode(figures[str(number)]).decode(), flush=True)
    calibration, games = calibrated(game, tables, part, rounded, given)
    print(f"calibrated to {100 * calibration:.2f} points over {games} games")
    told = {"against_heuristic": figures, "calibration": calibration, "calibrated_by": f"{games} games against itself"}
    train.save(given.net, msgspec.structs.replace(part, card={**part.card, **told}), layers)


def calibrated(
    game: Game, tables: Sequence[Table], part: Part, layers: Sequence[Layer], given: argparse.Namespace
) -> tuple[float, int]:
    """How far what it says is from what comes of it, by few positions each of about as many games as are asked for."""
    learner = PolicyLearner(part.sizes, given.seed, np)
    learner.begin_with(layers)
    settings = part.card["settings"]
    jobs = max(given.cores, len(tables))
    once = Learning(
        jobs=jobs, kept=-(-given.games // jobs), keep=SELDOM, width=WIDEST, temperature=settings["temperature"]
    )
    seats = Seats(game, tables, once, given.seed, given.cores)
    games = seats.play(layers)
    return _calibration(learner, seats.batch(), once), games


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
    learning.add_argument("--rounds", type=int, help="of games, each learned from while the next is played")
    learning.add_argument("--seconds", type=float, help="fewer rounds, if they took longer than this")
    learning.add_argument("--jobs", type=int, help="tables at which games go on at once")
    learning.add_argument("--kept", type=int, help="decisions that a round keeps of each table")
    for name in ("keep", "temperature", "memory", "rate", "clip", "entropy", "worth"):
        learning.add_argument(f"--{name}", type=float, help="see `tools/selfplay_learner.py`")
    for name in ("batch", "uses", "actions", "width"):
        learning.add_argument(f"--{name}", type=int, help="see `tools/selfplay_learner.py`")
    learning.add_argument("--sizes", type=int, nargs=2, default=(128, 32))
    learning.add_argument("--stored", choices=("halves", "rows"), default="halves", help="its numbers, in the end")
    learning.add_argument("--seed", type=int, default=1)
    learning.add_argument("--cores", type=int, default=os.cpu_count() or 1, help="that play")
    learning.add_argument("--device", choices=("cpu", "cuda"), default="cpu", help="where it learns; cores always play")
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
