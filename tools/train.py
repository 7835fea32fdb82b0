"""Trains the networks that come with games, from tables of exact values.

    .venv/bin/python tools/train.py learn --table tables/NAME.table --out finkel.npz --fewest 1 --device cuda
    .venv/bin/python tools/train.py learn --table tables/SEVEN.table tables/SIX.table --out royal.npz --stored bytes
    .venv/bin/python tools/train.py test --table tables/NAME.table --net finkel.npz --games 20000
    .venv/bin/python tools/train.py pack --game ur --name 2026-11 finkel.npz blitz.npz
    .venv/bin/python tools/train.py unpack --game ur --out parts

`pack` writes the file that comes with a game, and `unpack` takes it apart: each network is then a file by itself, to
learn on from it (`--begin`) or to pack it again. What a network learns from is made as it goes on, by games that the
table plays (`tools.teaching`). A network that is to be stored in bytes learns with rounded weights towards the end, so
that it makes up for the rounding. With one seed and one device a run repeats itself, unless --seconds ends it. It needs
NumPy, and CuPy on a graphics card, where CUPY_TF32=1 makes it about twice as fast.
"""

from __future__ import annotations

import argparse
import importlib
import math
import platform
import sys
import time
from collections.abc import Mapping, Sequence
from itertools import pairwise
from pathlib import Path
from typing import Any, NamedTuple

import msgspec
import numpy as np

ROOT = Path(__file__).parent.parent
sys.path.insert(0, str(ROOT / "src"))
sys.path.insert(0, str(ROOT))

from astragal.bots import network  # noqa: E402
from astragal.bots.network import Kind, Layer, Network, Part, as_stored, kinds  # noqa: E402
from astragal.solve.table import Table  # noqa: E402
from tools import teaching  # noqa: E402
from tools.solutions import game_of  # noqa: E402
from tools.teaching import Pool, Teacher  # noqa: E402

SIZES = (512, 384)  # of the two hidden layers
RATE, LEAST_RATE = 2e-3, 2e-6
WAIT = 16  # steps after which the card is waited for
TESTED = {"error", "calibration"}  # what cards say of how far a network can be trusted: one of these
SAMPLES = 50  # batches by which the error is measured
ROUNDED = 0.3  # the part of the steps, the last ones, in which a network learns as it will be stored in bytes


class Learner:
    """Dense layers with rectifiers between them, trained by Adam on the cross-entropy. `xp` is NumPy or CuPy.

    All weights and biases lie in one array, so that a step of Adam is one pass and not one for each layer. From
    `round_off` on, what it says comes from rounded ones, and the slopes at these move those that are not rounded.
    """

    def __init__(self, sizes: tuple[int, ...], seed: int, xp: Any) -> None:
        rng = np.random.default_rng(seed)
        self.xp, self._sizes, self._step = xp, sizes, 0
        parts = []
        for rows, columns in pairwise(sizes):
            parts += [rng.normal(0, math.sqrt(2 / rows), rows * columns), np.zeros(columns)]
        self._all = xp.asarray(np.concatenate(parts).astype(np.float32))
        self._slopes, self._mean, self._square = (xp.zeros_like(self._all) for _ in range(3))
        self._exact, self._layer_slopes = self._cut(self._all), self._cut(self._slopes)
        self._layers = self._exact
        self._kinds: tuple[Kind, ...] = ()
        self._passes: Any = importlib.import_module("tools.passes" if xp is np else "tools.passes_cuda")

    def _cut(self, numbers: Any) -> list[Layer]:
        layers, place = [], 0
        for rows, columns in pairwise(self._sizes):
            bias = place + rows * columns
            layers.append(Layer(numbers[place:bias].reshape(rows, columns), numbers[bias : bias + columns]))
            place = bias + columns
        return layers

    def learn(self, seen: Any, target: Any, rate: float) -> Any:
        """One step; by how much the network erred before it, on average."""
        values, logits = self._logits(seen)
        gap = 1 / (1 + self.xp.exp(-logits)) - target
        self._back(values, (gap / len(target))[:, None])
        self._follow(rate)
        return self.xp.abs(gap).mean()

    def shares(self, seen: Any) -> Any:
        """What it says of these positions."""
        return 1 / (1 + self.xp.exp(-self._logits(seen)[1]))

    def _logits(self, seen: Any) -> tuple[list[Any], Any]:
        """What goes into each layer, and the log-odds that come out."""
        values = [seen]
        for layer in self._layers[:-1]:
            sums = values[-1] @ layer.weights
            self._passes.rectify(layer.bias, sums)
            values.append(sums)
        last = self._layers[-1]
        return values, values[-1] @ last.weights[:, 0] + last.bias[0]

    def _back(self, values: list[Any], slope: Any) -> None:
        """The slopes of all weights and biases, from those of the log-odds."""
        ones = self.xp.ones((1, len(slope)), dtype=np.float32)
        for number in reversed(range(len(self._layers))):
            self.xp.matmul(values[number].T, slope, out=self._layer_slopes[number].weights)
            self.xp.matmul(ones, slope, out=self._layer_slopes[number].bias[None])
            if number:
                slope = slope @ self._layers[number].weights.T
                self._passes.hold_back(values[number], slope)

    def _follow(self, rate: float) -> None:
        self._step += 1
        self._passes.follow(self._slopes, rate, self._step, self._mean, self._square, self._all)
        self._round()

    def round_off(self, stored: Kind) -> None:
        """From now on it learns as the network that a file with this kind of numbers would hold."""
        self._kinds = kinds(stored)
        self._round()

    def _round(self) -> None:
        if self._kinds:
            self._layers = [
                as_stored(layer, kind, self.xp) for layer, kind in zip(self._exact, self._kinds, strict=True)
            ]

    def begin_with(self, layers: Sequence[Layer]) -> None:
        """Takes the weights and biases of a network that has learned before."""
        self._all[:] = self.xp.asarray(np.concatenate([array.ravel() for layer in layers for array in layer]))
        self._round()

    def layers(self) -> tuple[Layer, ...]:
        """The layers, in this computer's memory."""
        return tuple(Layer(*map(self.taken, layer)) for layer in self._layers)

    def taken(self, values: Any) -> Any:
        """The same values, in this computer's memory."""
        return np.array(values if self.xp is np else values.get())


class Trained(NamedTuple):
    """How training went."""

    steps: int
    seconds: float
    error: float  # before the last step, on average


def trained(
    learner: Learner, pool: Pool, steps: int, batch: int, tell: Any, *, part: float = 1.0, seconds: float = math.inf,
    stored: Kind = "halves", rounded: float = ROUNDED,
) -> Trained:  # fmt: skip
    """So many steps, or as many as there is time for, each a little shorter than the one before.

    `part` is of the usual rate of learning, for targets that change while it learns. A network that is to be `stored`
    in bytes is rounded in the last steps, this part of all; 16-bit floats are so near that it makes no difference.
    """
    began, shown, step, done = time.perf_counter(), 0.0, 0, 0.0
    due = stored == "bytes"
    while done < 1:
        if due and done >= 1 - rounded:
            learner.round_off(stored)
            due = False
        rate = LEAST_RATE + (RATE - LEAST_RATE) * (1 + math.cos(math.pi * done)) / 2
        error = learner.learn(*pool.some(batch), part * rate)
        if done >= shown:
            shown += 1 / 40
            tell(f"step {step} of {steps}, error {100 * float(error):.3f} points, {time.perf_counter() - began:.0f} s")
        step += 1
        if step % WAIT == 0:
            float(error)  # waits for the card, which would else be told of more steps than it can take in time
        done = max(step / steps, (time.perf_counter() - began) / seconds)
    return Trained(step, time.perf_counter() - began, float(error))


def learned(
    teachers: Sequence[Teacher], *, sizes: tuple[int, int], steps: int, batch: int, seed: int,
    fewest: int | None = None, stored: Kind = "halves", rounded: float = ROUNDED, seconds: float = math.inf,
    rate: float = 1.0, before: tuple[Part, Sequence[Layer]] | None = None, tell: Any = lambda _: None,
) -> tuple[Part, tuple[Layer, ...]]:  # fmt: skip
    """A network from teachers of one game with different numbers of pieces, and what there is to say of it.

    `before` is one that has learned before, as which this one begins.
    """
    teacher = teachers[0]
    xp = importlib.import_module("cupy") if teacher.device == "cuda" else np
    shape = (teacher.inputs, *sizes, 1)
    learner, pool = Learner(shape, seed, xp), Pool(teachers, xp, seed)
    if before is not None:
        learner.begin_with(before[1])
    training = trained(learner, pool, steps, batch, tell, part=rate, seconds=seconds, stored=stored, rounded=rounded)
    learner.round_off(stored)
    fresh = Pool(teachers, xp, seed + 1)
    error = sum(float(learner.learn(*fresh.some(batch), 0.0)) for _ in range(SAMPLES)) / SAMPLES
    headers = [one.table.header for one in teachers]
    names = ", ".join(header.checksum[:12] for header in headers)
    card: dict[str, Any] = {
        "data": f"{training.steps} batches of {batch} positions from games played by tables: {names}",
        "pieces": [header.options["pieces"] for header in headers],
        "seed": seed,
        "seconds": round(training.seconds, 1),
        "machine": platform.machine() if teacher.device == "cpu" else "one graphics card",
        "error": error,
    }
    if before is not None:
        card["before"] = history(before[0].card)
    options = {name: value for name, value in headers[0].options.items() if name != "pieces"}
    pieces = min(card["pieces"]) if fewest is None else fewest, max(card["pieces"])
    part = Part(
        options=options, between={"pieces": pieces}, players=(2,), sizes=shape, mover_at=teacher.mover_at,
        stored=stored, card=card,
    )  # fmt: skip
    return part, learner.layers()


def history(card: Mapping[str, Any]) -> list[dict[str, Any]]:
    """How a network has learned until now, the last time first: for the card of one that begins as it."""
    last = {key: card[key] for key in ("data", "settings", "seconds") if key in card}
    earlier = card.get("before", [])
    return [last, *([earlier] if isinstance(earlier, dict) else earlier)]  # there was one of them only, once


def learn(given: argparse.Namespace) -> None:
    """Trains one network; of several tables the first gives half of the positions, the others the rest."""
    tables = [Table(file) for file in given.table]
    game, others = game_of(tables[0].header.game), len(tables) - 1
    lanes = [given.lanes // 2, *[given.lanes // 2 // others] * others] if others else [given.lanes]
    teachers = [
        Teacher(table, game, count, given.seed + place, given.device)
        for place, (table, count) in enumerate(zip(tables, lanes, strict=True))
    ]
    part, layers = learned(
        teachers,
        sizes=tuple(given.sizes),
        steps=given.steps,
        batch=given.batch,
        seed=given.seed,
        fewest=given.fewest,
        stored=given.stored,
        rounded=given.rounded,
        seconds=given.seconds,
        rate=given.rate,
        before=load(given.begin) if given.begin else None,
        tell=_say,
    )
    save(given.out, part, layers)
    print(f"{given.out}: error {100 * part.card['error']:.3f} points on average, {part.card['seconds']} s")


def save(file: Path, part: Part, layers: tuple[Layer, ...]) -> None:
    """One network by itself, with weights as floats, until it is packed."""
    arrays: dict[str, Any] = {f"weights{n}": layer.weights for n, layer in enumerate(layers)}
    arrays |= {f"bias{n}": layer.bias for n, layer in enumerate(layers)}
    np.savez(file, part=np.frombuffer(msgspec.json.encode(part), dtype=np.uint8), **arrays)


def load(file: Path) -> tuple[Part, tuple[Layer, ...]]:
    """The same back again."""
    with np.load(file) as arrays:
        part = msgspec.json.decode(arrays["part"].tobytes(), type=Part)
        layers = tuple(Layer(arrays[f"weights{n}"], arrays[f"bias{n}"]) for n in range(len(part.sizes) - 1))
    return part, layers


def test(given: argparse.Namespace) -> None:
    """What a network is worth against perfect play, without a search; the figures go into its card."""
    table = Table(given.table)
    part, layers = load(given.net)
    teacher = Teacher(table, game_of(table.header.game), 2, 1)
    net = Network(part, "", tuple(map(as_stored, layers, kinds(part.stored)))).net()
    told = teacher.contest(net, given.games, given.seed)
    decisions = told[:, teaching.DECISIONS].sum()
    figures = {
        "games": len(told),
        "wins": 0.5 + float(told[:, teaching.GAINED].mean()),
        "wins_error": float(told[:, teaching.GAINED].std(ddof=1) / math.sqrt(len(told))),
        "decisions_a_game": float(decisions / len(told)),
        "lost_a_decision": float(told[:, teaching.LOST].sum() / decisions),
        "errors_over_2_points": float(told[:, teaching.ERRORS].sum() / decisions),
    }
    print(msgspec.json.encode(figures).decode())
    save(given.net, msgspec.structs.replace(part, card={**part.card, "against_perfect": figures}), layers)


def pack(given: argparse.Namespace) -> None:
    """Writes the file that comes with a game."""
    game = game_of(given.game)
    file = given.out or network.file_of(game)
    loaded = [load(one) for one in given.files]
    for one, (part, _) in zip(given.files, loaded, strict=True):
        if not TESTED & part.card.keys():
            sys.exit(f"how far {one} can be trusted is not known yet: tools/selfplay.py test --net {one}")
    network.write(file, game, given.name, loaded)
    print(f"{file}: {len(network.read(file))} networks, {file.stat().st_size:,} bytes")


def unpack(given: argparse.Namespace) -> None:
    """Writes each network of the file that comes with a game by itself, to learn on from it or to pack it again."""
    given.out.mkdir(parents=True, exist_ok=True)
    for number, one in enumerate(network.read(network.file_of(game_of(given.game)))):
        file = given.out / f"{number}.npz"
        save(file, one.part, one.layers)
        print(f"{file}: {one.part.options}, players {one.part.players}, sizes {one.part.sizes}")


def _say(line: str) -> None:
    print(line, flush=True)


def main() -> None:
    """Reads the command line."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    commands = parser.add_subparsers(required=True)
    learning = commands.add_parser("learn", help="train one network from a table")
    learning.add_argument("--table", type=Path, nargs="+", required=True)
    learning.add_argument("--out", type=Path, required=True)
    learning.add_argument("--steps", type=int, default=20_000)
    learning.add_argument("--seconds", type=float, default=math.inf, help="be done with fewer steps after this time")
    learning.add_argument("--batch", type=int, default=1 << 15, help="positions that a step learns from")
    learning.add_argument("--lanes", type=int, default=1 << 18, help="games that go on at once")
    learning.add_argument("--fewest", type=int, help="pieces that it knows, where games with fewer are parts of these")
    learning.add_argument("--sizes", type=int, nargs=2, default=SIZES)
    learning.add_argument("--begin", type=Path, help="a network that has learned before, of the same sizes")
    learning.add_argument("--rate", type=float, default=1.0, help="of learning, as a part of the usual one")
    learning.add_argument("--stored", choices=("halves", "bytes"), default="halves", help="its numbers, in the end")
    learning.add_argument("--rounded", type=float, default=ROUNDED, help="the part of the steps with rounded weights")
    learning.add_argument("--seed", type=int, default=1)
    learning.add_argument("--device", choices=("cpu", "cuda"), default="cpu")
    learning.set_defaults(run=learn)
    testing = commands.add_parser("test", help="let it play against the table")
    testing.add_argument("--table", type=Path, required=True)
    testing.add_argument("--net", type=Path, required=True)
    testing.add_argument("--games", type=int, default=10_000)
    testing.add_argument("--seed", type=int, default=1)
    testing.set_defaults(run=test)
    packing = commands.add_parser("pack", help="networks into the file of a game")
    packing.add_argument("--game", required=True)
    packing.add_argument("--name", required=True, help="of this edition")
    packing.add_argument("--out", type=Path, help="another file than the one that comes with the game")
    packing.add_argument("files", type=Path, nargs="+")
    packing.set_defaults(run=pack)
    unpacking = commands.add_parser("unpack", help="the networks of a game's file, one by one")
    unpacking.add_argument("--game", required=True)
    unpacking.add_argument("--out", type=Path, required=True, help="a folder")
    unpacking.set_defaults(run=unpack)
    given = parser.parse_args()
    given.run(given)


if __name__ == "__main__":
    main()
