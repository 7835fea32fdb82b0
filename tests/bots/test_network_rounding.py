"""How far what a stored network says may be from what the network said that was trained: its rounding, added up."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from astragal.bots import network
from astragal.bots.network import Kind, Layer, Part, kinds
from tests.bots.networks import KINDS, ROUNDING, TINY, UR, expected, layers_of

MOST_BYTE, LEAST_SCALE = 127, 2**-14  # as the module's docstring says
SIZES = (160, 40, 24, 1)
MANY, WORST = 200, 10  # inputs of a network, and those that are given to it because they were rounded worst


def stored_layers(folder: Path, layers: Sequence[Layer], stored: Kind) -> tuple[Layer, ...]:
    """Layers after a file was written and read."""
    sizes: Any = (len(layers[0].weights), *(len(layer.bias) for layer in layers))
    part = Part(options={}, players=(2,), sizes=sizes, mover_at=-1, stored=stored, card={})
    network.write(folder / "a.net", UR, "test", [(part, layers)])
    (read,) = network.read(folder / "a.net")
    return read.layers


def rounding_of(weights: Any, kind: Kind) -> Any:
    """By how much each weight may be wrong: a part of itself, or half a scale of its column or row."""
    sizes = np.abs(weights).astype(np.float64)
    if kind == "halves":
        return ROUNDING * sizes + TINY
    scales = sizes.max(axis=0 if kind == "bytes" else 1, keepdims=True) / MOST_BYTE * (1 + ROUNDING)
    return np.broadcast_to(np.maximum(scales, LEAST_SCALE) / 2 * (1 + 1e-6), sizes.shape)


def furthest(layers: Sequence[Layer], stored: Kind, seen: Any) -> float:
    """The most by which the output for these inputs may be wrong.

    What goes into a layer counts by the rounding of each weight, and what is wrong with it already by the weight.
    """
    values, wrong = seen, np.zeros(len(seen))
    for number, (layer, kind) in enumerate(zip(layers, kinds(stored), strict=True)):
        weights, rounding = layer.weights.astype(np.float64), rounding_of(layer.weights, kind)
        wrong = wrong @ (np.abs(weights) + rounding) + np.abs(values) @ rounding + rounding_of(layer.bias, "halves")
        values = values @ weights + layer.bias
        if number < len(layers) - 1:  # what is below 0 becomes 0, which brings no two values further apart
            values = np.maximum(values, 0)
    return float(wrong[0])


@pytest.mark.parametrize("stored", KINDS)
def test_stored_and_trained_networks_agree_within_the_bound_of_their_rounding(tmp_path: Path, stored: Kind) -> None:
    """Also where some inputs, and some of what lies between the layers, weigh a thousand times as much as others."""
    rng = np.random.default_rng(3)
    layers = layers_of(SIZES)
    layers[0].weights[:] *= 10 ** rng.uniform(-2, 1, (SIZES[0], 1))
    layers[1].weights[:] *= 10 ** rng.uniform(-2, 1, SIZES[2])
    kept = stored_layers(tmp_path, layers, stored)
    for _ in range(50):
        seen = np.where(rng.random(SIZES[0]) < 0.2, rng.integers(1, 4, SIZES[0]), 0).astype(np.float64)
        assert 0 < abs(expected(kept, seen) - expected(layers, seen)) <= furthest(layers, stored, seen)


@pytest.mark.parametrize("column", range(3))
@pytest.mark.parametrize("sign", [-1, 1])
@pytest.mark.parametrize("stored", ["bytes", "rows"])
def test_the_bound_of_layers_in_bytes_is_no_wider_than_it_has_to_be(
    tmp_path: Path, stored: Kind, sign: int, column: int
) -> None:
    """Inputs whose weights were rounded worst, all to the same side, are wrong by nearly as much as may be.

    So scales twice as large, or numbers that were not rounded to the nearest, would be noticed. Only the layer in bytes
    does something; the others pass on what there is, and one of its outputs.
    """
    rng = np.random.default_rng(4)
    weights = rng.uniform(0, 0.25, (MANY, 4))  # no sum is below 0, where nothing would be passed on
    weights[0] = weights[:, 3] = 1  # the greatest of each column, and of each row
    weights *= 2.0 ** rng.integers(-4, 5, (MANY, 1) if stored == "rows" else 4)
    busy = Layer(weights.astype(np.float32), np.zeros(4, dtype=np.float32))
    chosen = Layer(np.eye(4, dtype=np.float32)[:, [column]], np.zeros(1, dtype=np.float32))
    if stored == "rows":
        layers, place = (busy, passing(4), chosen), 0
    else:
        layers, place = (passing(MANY), busy, chosen), 1
    kept = stored_layers(tmp_path, layers, stored)
    wrong = sign * (kept[place].weights - busy.weights) / rounding_of(busy.weights, stored)
    seen = np.zeros(MANY)
    seen[np.argsort(wrong[:, column])[-WORST:]] = 1
    most = furthest(layers, stored, seen)
    assert 0.8 * most < sign * (expected(kept, seen) - expected(layers, seen)) <= most


def passing(size: int) -> Layer:
    """A layer that passes on what it is given."""
    return Layer(np.eye(size, dtype=np.float32), np.zeros(size, dtype=np.float32))
