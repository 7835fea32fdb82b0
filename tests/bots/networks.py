"""Networks with random weights, and their files, for the tests."""

from __future__ import annotations

from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np
from msgspec.structs import replace

import astragal
from astragal.bots import network
from astragal.bots.network import Kind, Layer, Part
from astragal.core import tensor

UR = astragal.game("ur")
TWO = UR.rules.options_type(pieces=2)
KINDS: tuple[Kind, ...] = ("halves", "bytes", "rows")
ROUNDING, TINY = 2**-11, 2**-24  # of 16-bit floats: relative, and near 0


def layers_of(sizes: tuple[int, ...], seed: int = 1) -> tuple[Layer, ...]:
    rng = np.random.default_rng(seed)
    return tuple(
        Layer(
            rng.normal(0, rows**-0.5, (rows, columns)).astype(np.float32),
            rng.normal(0, 0.5, columns).astype(np.float32),
        )
        for rows, columns in pairwise(sizes)
    )


def part_of(game: Any, options: Any, players: int, mover_at: int = -1) -> Part:
    inputs = tensor.size(game.fast(options, players).told)
    features = len(game.heuristic.names) if mover_at < 0 else 0
    return Part(
        options={},
        players=(players,),
        sizes=(inputs + features, 12, 6, 1),
        mover_at=mover_at,
        features=features,
        card={"error": 0.5},
    )


def a_file(folder: Path, stored: Kind = "halves") -> tuple[Path, Part, tuple[Layer, ...]]:
    part = replace(part_of(UR, TWO, 2), stored=stored)
    layers = layers_of(part.sizes)
    file = folder / "ur.net"
    network.write(file, UR, "test", [(part, layers)])
    return file, part, layers


def expected(layers: tuple[Layer, ...], seen: Any) -> float:
    """The log-odds by matrices, in double precision."""
    for number, layer in enumerate(layers):
        seen = seen @ layer.weights.astype(np.float64) + layer.bias
        if number < len(layers) - 1:
            seen = np.maximum(seen, 0)
    return float(seen[0])
