"""Trains the networks that come with the package, from tables of exact values.

    .venv/bin/python tools/train.py learn --table tables/NAME.table --out finkel.npz --steps 20000 --device cuda
    .venv/bin/python tools/train.py test --table tables/NAME.table --net finkel.npz --games 20000
    .venv/bin/python tools/train.py pack --game ur --name 2026-11 finkel.npz blitz.npz

`pack` writes the file that comes with the package. What a network learns from is made as it goes on, by games that the
table plays (`tools.teaching`): nothing is learned twice. The last steps are taken with weights rounded to bytes, as
they are stored. With one seed and one device a run repeats itself. It needs NumPy, and CuPy on a graphics card.
"""

from __future__ import annotations

import argparse
import importlib
import math
import platform
import sys
import time
from itertools import pairwise
from pathlib import Path
from typing import Any

import msgspec
import numpy as np

ROOT = Path(__file__).parent.parent
sys.path.insert(0, str(ROOT / "src"))
sys.path.insert(0, str(ROOT))

from astragal.bots import network  # noqa: E402
from astragal.bots.network import FOLDER, STEPS, Layer, Network, Part  # noqa: E402
from astragal.solve.table import Table  # noqa: E402
from tools import teaching  # noqa: E402
from tools.solutions import game_of  # noqa: E402
from tools.teaching import Teacher  # noqa: E402

SIZES = (512, 384)  # of the two hidden layers
ROUNDED = 0.25  # the part of the steps, at the end, that is taken with weights rounded to bytes
RATE, LEAST_RATE = 2e-3, 2e-5
FIRST_MOMENT, SECOND_MOMENT, TINY = 0.9, 0.999, 1e-8
SAMPLES = 50  # batches by which the error is measured


class Learner:
    """Dense layers with rectifiers between them, trained by Adam on the cross-entropy. `xp` is NumPy or CuPy."""

    def __init__(self, sizes: tuple[int, ...], seed: int, xp: Any) -> None:
        rng = np.random.default_rng(seed)
        self.xp = xp
        self.weights = [
            xp.asarray(rng.normal(0, math.sqrt(2 / rows), (rows, columns)).astype(np.float32))
            for rows, columns in pairwise(sizes)
        ]
        self.biases = [xp.zeros(columns, dtype=np.float32) for columns in sizes[1:]]
        both = self.weights + self.biases
        self._mean, self._square = [xp.zeros_like(one) for one in both], [xp.zeros_like(one) for one in both]
        self._step = 0

    def learn(self, seen: Any, target: Any, rate: float, *, rounded: bool) -> Any:
        """One step; the mean cross-entropy before it."""
        xp = self.xp
        used = [self._rounded(weights) for weights in self.weights] if rounded else self.weights
        values = [seen]
        for weights, bias in zip(used[:-1], self.biases[:-1], strict=True):
            values.append(xp.maximum(values[-1] @ weights + bias, 0))
        odds = (values[-1] @ used[-1] + self.biases[-1])[:, 0]
        share = 1 / (1 + xp.exp(-odds))
        slope = ((share - target) / len(target))[:, None]
        weight_slopes, bias_slopes = [], []
        for layer in reversed(range(len(used))):
            weight_slopes.append(values[layer].T @ slope)
            bias_slopes.append(slope.sum(axis=0))
            if layer:
                slope = (slope @ used[layer].T) * (values[layer] > 0)
        self._follow([*reversed(weight_slopes), *reversed(bias_slopes)], rate)
        return xp.abs(share - target).mean()

    def _follow(self, slopes: list[Any], rate: float) -> None:
        self._step += 1
        first, second = 1 - FIRST_MOMENT**self._step, 1 - SECOND_MOMENT**self._step
        for place, (values, slope) in enumerate(zip(self.weights + self.biases, slopes, strict=True)):
            mean, square = self._mean[place], self._square[place]
            mean += (1 - FIRST_MOMENT) * (slope - mean)
            square += (1 - SECOND_MOMENT) * (slope * slope - square)
            values -= rate * (mean / first) / (self.xp.sqrt(square / second) + TINY)

    def _rounded(self, weights: Any) -> Any:
        factors = self.xp.maximum(self.xp.abs(weights).max(axis=0), 1e-12) / STEPS
        return self.xp.rint(weights / factors) * factors

    def layers(self) -> tuple[Layer, ...]:
        """The layers, in this computer's memory."""
        taken = (
            (self._taken(weights), self._taken(bias)) for weights, bias in zip(self.weights, self.biases, strict=True)
        )
        return tuple(Layer(weights, bias) for weights, bias in taken)

    def _taken(self, values: Any) -> Any:
        return np.array(values if self.xp is np else values.get())


def learned(
    teacher: Teacher, *, sizes: tuple[int, int], steps: int, seed: int, tell: Any = lambda _: None
) -> tuple[Part, tuple[Layer, ...]]:
    """A network from a teacher, and what there is to say of it."""
    xp = importlib.import_module("cupy") if teacher.device == "cuda" else np
    shape = (teacher.inputs, *sizes, 1)
    learner = Learner(shape, seed, xp)
    began = time.perf_counter()
    for step in range(steps):
        seen, target = teacher.batch()
        rate = LEAST_RATE + (RATE - LEAST_RATE) * (1 + math.cos(math.pi * step / steps)) / 2
        error = learner.learn(seen, target, rate, rounded=step >= (1 - ROUNDED) * steps)
        if step % max(1, steps // 40) == 0:
            tell(f"step {step} of {steps}, error {100 * float(error):.3f} points, {time.perf_counter() - began:.0f} s")
    seconds = time.perf_counter() - began
    error = sum(float(learner.learn(*teacher.batch(), 0.0, rounded=True)) for _ in range(SAMPLES)) / SAMPLES
    header = teacher.table.header
    card = {
        "data": f"{steps} batches of {teacher.count} positions from games played by the table {header.checksum[:12]}",
        "pieces": header.options["pieces"],
        "seed": seed,
        "seconds": round(seconds, 1),
        "machine": platform.machine() if teacher.device == "cpu" else "one graphics card",
        "error": error,
    }
    options = {name: value for name, value in header.options.items() if name != "pieces"}
    return Part(options=options, players=2, sizes=shape, mover_at=teacher.mover_at, card=card), learner.layers()


def learn(given: argparse.Namespace) -> None:
    """Trains one network."""
    table = Table(given.table)
    teacher = Teacher(table, game_of(table.header.game), given.batch, given.seed, given.device)
    part, layers = learned(teacher, sizes=tuple(given.sizes), steps=given.steps, seed=given.seed, tell=_say)
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
    figures = {}
    for name, form in (("float", layers), ("bytes", tuple(_as_stored(layer) for layer in layers))):
        told = teacher.contest(Network(part, "", form).net(), given.games, given.seed)
        figures[name] = {
            "games": len(told),
            "wins": 0.5 - float(told[:, teaching.LOST].mean()),
            "wins_error": float(told[:, teaching.LOST].std(ddof=1) / math.sqrt(len(told))),
            "lost_a_decision": float(told[:, teaching.LOST].sum() / told[:, teaching.DECISIONS].sum()),
            "errors_over_2_points": float(told[:, teaching.ERRORS].sum() / told[:, teaching.DECISIONS].sum()),
        }
    print(msgspec.json.encode(figures).decode())
    save(given.net, msgspec.structs.replace(part, card={**part.card, "against_perfect": figures["bytes"]}), layers)


def _as_stored(layer: Layer) -> Layer:
    rounded, factors = network.quantise(layer.weights)
    return Layer((rounded * factors).astype(np.float32), layer.bias)


def pack(given: argparse.Namespace) -> None:
    """Writes the file that comes with the package."""
    file = given.folder / f"{given.game}{network.ENDING}"
    network.write(file, game_of(given.game), given.name, [load(one) for one in given.files])
    print(f"{file}: {len(network.read(file))} networks, {file.stat().st_size:,} bytes")


def _say(line: str) -> None:
    print(line, flush=True)


def main() -> None:
    """Reads the command line."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    commands = parser.add_subparsers(required=True)
    learning = commands.add_parser("learn", help="train one network from a table")
    learning.add_argument("--table", type=Path, required=True)
    learning.add_argument("--out", type=Path, required=True)
    learning.add_argument("--steps", type=int, default=20_000)
    learning.add_argument("--batch", type=int, default=1 << 15)
    learning.add_argument("--sizes", type=int, nargs=2, default=SIZES)
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
    packing.add_argument("--folder", type=Path, default=FOLDER)
    packing.add_argument("files", type=Path, nargs="+")
    packing.set_defaults(run=pack)
    given = parser.parse_args()
    given.run(given)


if __name__ == "__main__":
    main()
