"""Networks for games that nobody can solve, learned from how games end.

    .venv/bin/python tools/selfplay.py learn --game egar --steps 60000 --device cuda --out egar.npz
    .venv/bin/python tools/selfplay.py learn --game nile --preset quick --bound board tiles --players 2 3 --steps 200 \
        --lanes 64 --batch 128 --out quick.npz
    .venv/bin/python tools/selfplay.py learn --game egar --steps 60000 --guided 0.25 --begin egar.npz --out again.npz
    .venv/bin/python tools/selfplay.py test --net egar.npz --games 2000
    .venv/bin/python tools/train.py pack --game egar --name 2026-11 egar.npz

Many games go on side by side. Each is played loosely up to some decision, with random actions now and then and one at
last, so that all kinds of positions are met; from there on everybody takes what looks best, to the heuristic or to a
network that has learned before. Of this second part some positions are kept, each as one of the seats sees it, and what
is learned is which share of the win that seat had in the end. So a network knows what a position is worth if play goes
on sensibly; who looks ahead with it plays better than that, and so do games by what it becomes while it learns. It is
told nothing but the rules, and what the heuristic looks at.

It learns from how inputs differ from those of the first position: the fields of a board are the same in every position,
and steps that change hundreds of weights by something that never changes would shake everything else.

Cores play, a graphics card only learns: games of which each does something else are slower there than on cores.
"""

from __future__ import annotations

import argparse
import importlib
import math
import os
import platform
import sys
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any, NamedTuple

import msgspec
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
NOISE = (0.0, 0.05, 0.15, 0.3)  # how often the loose part of a game is played at random, lanes in turn
KEPT = 12  # positions of a game that are learned from
USUAL = 64  # decisions of a game, until a lane has played one
SLABS = KEPT  # lessons that are mixed, so that positions of one game do not lie together
RENEWED = 4 * KEPT  # lessons after which games are played by what the network has become
TENTHS = 10


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
    noise: Array
    guided: Array  # of so many parts the heuristic plays, else the network
    lengths: Array  # decisions of the last game
    kept: Array  # what a seat saw
    keepers: Array  # which seat that was
    left: Array  # how many of them are still to be told
    seen: Array  # this and the next two are working space of the network
    hidden: Array
    deeper: Array


@kernel
def chosen(seat: int, lane: int, count: int, guided: bool, play: Play, net: Net) -> Any:
    """The action after which the seat likes the position best; of equals any."""
    state, trial, tables, values = play.states[lane], play.trials[lane], play.tables, play.values[lane]
    best, highest, equals = 0, -1.0, 0
    for place in range(count):
        copy(state, trial)
        step(trial, tables, play.numbers[lane, place])
        if guided:
            share = by_heuristic(trial, tables, play.heuristic, seat, values)
        else:
            share = by_network(trial, tables, net, seat, values)
        if share > highest:
            best, highest, equals = place, share, 1
        elif share == highest:
            equals += 1
            if below(play.rngs[lane], equals) == 0:
                best = place
    return best


@kernel
def keep(lane: int, met: int, mover: int, play: Play, net: Net) -> None:
    """Keeps the position, or not: all that are met are as likely to be kept. Half are seen by whoever moved."""
    rng = play.rngs[lane]
    place = met if met < KEPT else below(rng, met + 1)
    if place < KEPT:
        seat = mover if below(rng, 2) else below(rng, play.shares.shape[1])
        look(play.states[lane], play.tables, net.features, seat, play.kept[lane, place])
        play.keepers[lane, place] = seat


@kernel
def played(lane: int, first: Array, play: Play, net: Net) -> int:
    """Plays a game to its end; how many positions were met in its second part."""
    state, tables, numbers, rng = play.states[lane], play.tables, play.numbers[lane], play.rngs[lane]
    copy(first, state)
    loose, decisions, met = below(rng, play.lengths[lane]), 0, 0
    guided = below(rng, PARTS) < play.guided[lane]
    while decisions < LONGEST:
        seat = turn(state, tables)
        if seat == OVER:
            break
        if seat == CHANCE:
            count = chance(state, tables, numbers, play.odds[lane])
            step(state, tables, numbers[weighted(rng, play.odds[lane], count)])
            continue
        count = legal(state, tables, numbers)
        if count == 1:
            step(state, tables, numbers[0])
            continue
        decisions += 1
        if decisions == loose or (decisions < loose and below(rng, PARTS) < play.noise[lane]):
            place = below(rng, count)
        else:
            place = chosen(seat, lane, count, guided, play, net)
        step(state, tables, numbers[place])
        if decisions >= loose and turn(state, tables) != OVER:
            keep(lane, met, seat, play, net)
            met += 1
    play.lengths[lane] = max(decisions, 1)
    shares = play.shares[lane]
    if turn(state, tables) == OVER:
        returns(state, tables, shares)
    else:
        for one in range(len(shares)):
            shares[one] = 1 / len(shares)
    return met


@kernel
def mine(lane: int, play: Play, net: Net) -> Any:
    """The network with this lane's working space."""
    return Net(
        net.usual, net.first, net.first_sums, net.second, net.second_bias, net.last, net.last_bias, net.mover_at,
        net.features, play.seen[lane], play.hidden[lane], play.deeper[lane],
    )  # fmt: skip


@kernel
def lesson(lane: int, first: Array, play: Play, net: Net, seen: Array, targets: Array) -> None:
    """Tells one kept position and what came of it; if there is none left, a game is played first."""
    while play.left[lane] == 0:
        play.left[lane] = min(played(lane, first, play, mine(lane, play, net)), KEPT)
    play.left[lane] -= 1
    place = play.left[lane]
    for one in range(seen.shape[1]):
        seen[lane, one] = play.kept[lane, place, one]
    targets[lane] = play.shares[lane, play.keepers[lane, place]]


@kernel
def lessons(start: int, stop: int, first: Array, play: Play, net: Net, seen: Array, targets: Array) -> None:
    """A lesson in each of these lanes."""
    for lane in range(start, stop):
        lesson(lane, first, play, net, seen, targets)


@kernel
def contests(start: int, stop: int, first: Array, play: Play, net: Net, seen: Array, won: Array) -> None:  # noqa: ARG001
    """A game in each of these lanes, in which one seat plays by the network and the others by the heuristic."""
    tables = play.tables
    for lane in range(start, stop):
        state, numbers, own = play.states[lane], play.numbers[lane], mine(lane, play, net)
        mover = lane % play.shares.shape[1]
        copy(first, state)
        for _ in range(LONGEST):
            seat = turn(state, tables)
            if seat == OVER:
                break
            if seat == CHANCE:
                count = chance(state, tables, numbers, play.odds[lane])
                place = weighted(play.rngs[lane], play.odds[lane], count)
            else:
                count = legal(state, tables, numbers)
                place = chosen(seat, lane, count, seat != mover, play, own) if count > 1 else 0
            step(state, tables, numbers[place])
        won[lane] = 1 / play.shares.shape[1]
        if turn(state, tables) == OVER:
            returns(state, tables, play.shares[lane])
            won[lane] = play.shares[lane, mover]


def compiled(game: Game, options: Any, players: int) -> Fast[Any, Any]:
    """The game in its compiled form."""
    if game.fast is None:
        sys.exit(f"{game.id} has no compiled rules to learn from")
    return game.fast(options, players)


class SelfTeacher:
    """Lessons from games at one kind of table."""

    def __init__(
        self, game: Game, options: Any, players: int, lanes: int, seed: int, sizes: tuple[int, ...], guided: float
    ) -> None:
        """`sizes` are those of the network's layers; of the games the heuristic plays the part `guided`."""
        self._fast, self._features = compiled(game, options, players), len(game.heuristic.names)
        fast, rng = self._fast, np.random.default_rng(seed)
        self.count, self.inputs = lanes, sizes[0]
        self.first = fast.pack(game.rules.initial(options, players))
        self.usual = usual_inputs(fast, self.first, self._features)
        room = tuple(np.zeros((lanes, size), dtype=np.float32) for size in sizes[:3])
        self.play = Play(
            tables=fast.tables,
            heuristic=np.array([game.heuristic.weights[name] for name in game.heuristic.names]),
            states=np.repeat(self.first[None], lanes, axis=0),
            trials=np.repeat(self.first[None], lanes, axis=0),
            numbers=np.zeros((lanes, fast.room), dtype=np.int64),
            odds=np.zeros((lanes, fast.most), dtype=np.int64),
            shares=np.zeros((lanes, players)),
            values=np.zeros((lanes, max(players, self._features))),
            rngs=rng.integers(0, 1 << 63, (lanes, 1), dtype=np.uint64),
            noise=np.resize([int(PARTS * part) for part in NOISE], lanes),
            guided=np.full(lanes, int(PARTS * guided)),
            lengths=np.full(lanes, USUAL),
            kept=np.zeros((lanes, KEPT, self.inputs), dtype=np.float32),
            keepers=np.zeros((lanes, KEPT), dtype=np.int64),
            left=np.zeros(lanes, dtype=np.int64),
            seen=room[0],
            hidden=room[1],
            deeper=room[2],
        )
        self._lessons = CoreLessons(cpu(lessons, fast.source), self.play, self.first, self.inputs)

    def batch(self, layers: Sequence[Layer]) -> tuple[Array, Array]:
        """What seats saw, a row for each lane, and what came of it; games are played by this network."""
        return self._lessons(self._net(layers))

    def contest(self, layers: Sequence[Layer]) -> Array:
        """What one seat with this network wins against the heuristic on all others, a game for each lane."""
        return CoreLessons(cpu(contests, self._fast.source), self.play, self.first, 1)(self._net(layers))[1]

    def _net(self, layers: Sequence[Layer]) -> Net:
        return for_kernels(layers, -1, self._features, self.usual, centred=True)


class Ahead:
    """All tables at once: while a network learns from some lessons, the cores play for the next.

    What they play with is the network as it was some games ago, so that a run with one seed repeats itself.
    """

    def __init__(self, teachers: Sequence[SelfTeacher], learner: train.Learner) -> None:
        self.count, self.inputs = sum(teacher.count for teacher in teachers), teachers[0].inputs
        self._teachers, self._learner, self._xp = teachers, learner, (xp := learner.xp)
        self._layers, self._given = learner.layers(), 0
        self._usual = [xp.asarray(teacher.usual) for teacher in teachers]
        self._thread = ThreadPoolExecutor(1)
        self._next = self._thread.submit(self._play)

    def _play(self) -> list[tuple[Array, Array]]:
        return [teacher.batch(self._layers) for teacher in self._teachers]

    def batch(self) -> tuple[Any, Any]:
        """How what seats saw differed from the beginning, and what came of it."""
        told, xp = self._next.result(), self._xp
        differ = [xp.asarray(seen) - usual for (seen, _), usual in zip(told, self._usual, strict=True)]
        targets = xp.asarray(np.concatenate([targets for _, targets in told]))
        self._given += 1
        if self._given % RENEWED == 0:
            self._layers = self._learner.layers()
        self._next = self._thread.submit(self._play)
        return xp.concatenate(differ), targets


class Table(NamedTuple):
    """What is played at: options and a number of players."""

    options: Any
    players: int


def learned(
    game: Game, tables: Sequence[Table], bound: Sequence[str], *, sizes: tuple[int, int], steps: int, batch: int,
    lanes: int, seed: int, device: str = "cpu", uses: int = 4, seconds: float = math.inf, guided: float = 1.0,
    rate: float = 0.5, before: Sequence[Layer] | None = None, tell: Any = lambda _: None,
) -> tuple[Part, tuple[Layer, ...]]:  # fmt: skip
    """A network from games at all of these tables, and what there is to say of it.

    `bound` names the options without whose values it cannot be used, such as the board. `before` is a network that has
    learned before, as which this one begins.
    """
    if before is None and guided < 1:
        sys.exit("Games can be played by a network only if there is one to begin with: give --begin, or --guided 1.")
    xp = importlib.import_module("cupy") if device == "cuda" else np
    features = len(game.heuristic.names)
    shape = (tensor.size(compiled(game, *tables[0]).observation) + features, *sizes, 1)
    learner = train.Learner(shape, seed, xp)
    if before is not None:
        learner.begin_with(before)
    each = lanes // len(tables)
    teachers = [
        SelfTeacher(game, table.options, table.players, each, seed + place, shape, guided)
        for place, table in enumerate(tables)
    ]
    games = Ahead(teachers, learner)
    training = train.trained(
        learner, Pool([games], xp, seed, slabs=SLABS, uses=uses), steps, batch, tell, part=rate, seconds=seconds
    )
    card = {
        "data": f"{training.steps} batches of {batch} positions from games, {guided:.0%} of them by the heuristic",
        "tables": [{"players": table.players, "options": option_values.to_plain(table.options)} for table in tables],
        "seed": seed,
        "seconds": round(training.seconds, 1),
        "machine": platform.machine() if device == "cpu" else f"{os.cpu_count()} cores and a graphics card",
        "calibration": _calibration(learner, games),
    }
    players = tuple(sorted({table.players for table in tables}))
    plain = option_values.to_plain(tables[0].options)
    options = {name: plain[name] for name in bound}
    part = Part(
        options=options, players=players, sizes=shape, mover_at=-1, features=features, centred=True, card=card
    )  # fmt: skip
    return part, learner.layers()


def _calibration(learner: train.Learner, games: Ahead) -> float:
    """How far shares of the win that it says are from those that came of it, on average over tenths of new positions.

    Positions of one game end alike, so lanes are asked for one of each of some games.
    """
    said, came = [], []
    for _ in range(2 * KEPT):
        seen, targets = games.batch()
        said.append(np.asarray(learner.taken(learner.shares(seen))))
        came.append(np.asarray(learner.taken(targets)))
    order = np.argsort(np.concatenate(said))
    parts = zip(*(np.array_split(np.concatenate(values)[order], TENTHS) for values in (said, came)), strict=True)
    return float(np.mean([abs(one.mean() - other.mean()) for one, other in parts]))


def tables_of(game: Game, players: Sequence[int], preset: str | None = None) -> list[Table]:
    """A preset, or else the game as it is offered first, for each of these numbers of players."""
    presets = game.rules.presets
    if preset is not None and preset not in presets:
        sys.exit(f"{game.id} has no preset {preset!r}, only {', '.join(presets)}")
    options = presets[preset] if preset else next(iter(presets.values()))
    return [Table(game.rules.seated(options, [True] * count), count) for count in players]


def learn(given: argparse.Namespace) -> None:
    """Trains one network."""
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
        guided=given.guided,
        rate=given.rate,
        before=train.load(given.begin)[1] if given.begin else None,
        tell=lambda line: print(line, flush=True),
    )
    part = msgspec.structs.replace(part, card={"game": game.id, **part.card})
    train.save(given.out, part, layers)
    print(f"{given.out}: {part.card['seconds']} s, calibrated to {100 * part.card['calibration']:.2f} points")


def test(given: argparse.Namespace) -> None:
    """What a network wins against the heuristic, both without a search; the figures go into its card."""
    part, layers = train.load(given.net)
    game, figures = game_of(part.card["game"]), {}
    for table in part.card["tables"]:
        options, players = msgspec.convert(table["options"], game.rules.options_type), table["players"]
        teacher = SelfTeacher(game, options, players, given.games, given.seed, part.sizes, 1.0)
        won = teacher.contest(layers)
        figures[str(players)] = {
            "games": len(won), "wins": float(won.mean()), "wins_error": float(won.std(ddof=1) / math.sqrt(len(won)))
        }  # fmt: skip
    print(msgspec.json.encode(figures).decode())
    train.save(given.net, msgspec.structs.replace(part, card={**part.card, "against_heuristic": figures}), layers)


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
    learning.add_argument("--guided", type=float, default=1.0, help="part of the games that the heuristic plays")
    learning.add_argument("--out", type=Path, required=True)
    learning.add_argument("--steps", type=int, default=20_000)
    learning.add_argument("--seconds", type=float, default=math.inf, help="fewer steps, if they took longer than this")
    learning.add_argument("--batch", type=int, default=1 << 13, help="positions that a step learns from")
    learning.add_argument("--lanes", type=int, default=1 << 13, help="games that go on at once")
    learning.add_argument("--uses", type=int, default=4, help="how often a position is learned from")
    learning.add_argument("--rate", type=float, default=0.5, help="of learning, as a part of the usual one")
    learning.add_argument("--sizes", type=int, nargs=2, default=(96, 32))
    learning.add_argument("--seed", type=int, default=1)
    learning.add_argument("--device", choices=("cpu", "cuda"), default="cpu", help="where it learns; cores always play")
    learning.set_defaults(run=learn)
    testing = commands.add_parser("test", help="let it play against the heuristic")
    testing.add_argument("--net", type=Path, required=True)
    testing.add_argument("--games", type=int, default=2000)
    testing.add_argument("--seed", type=int, default=1)
    testing.set_defaults(run=test)
    given = parser.parse_args()
    given.run(given)


if __name__ == "__main__":
    main()
