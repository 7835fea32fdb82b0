"""The kernels of networks say the same as plain Python and compiled, for every game at every table."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from random import Random
from typing import Any, ClassVar

import numpy as np
import pytest
from msgspec.structs import replace

import astragal
from astragal.bots.kernels_network import forward, liking, look
from astragal.bots.network import Layer, Network
from astragal.core import compiled
from astragal.core.compiled import cpu, lowest_bit, popcount, scratch
from astragal.core.types import OVER
from astragal.core.walk import Walk
from tests.bots.networks import layers_of, part_of

TABLES = [(id, players) for id, game in astragal.games().items() for players in game.rules.spec.players]


class Plain:
    """A target of kernels that compiles nothing: Python runs them as they stand, with a game's own in their slots."""

    scratch: Any = staticmethod(scratch)
    own: ClassVar[Any] = {popcount: popcount, lowest_bit: lowest_bit}

    def compile(self, function: Any, _digest: str) -> Any:
        return function


PLAIN = Plain()


def plain(function: Any, kernels: Any) -> Callable[..., Any]:
    return compiled._built(PLAIN, function, compiled._needed(function, kernels))


def positions(game: Any, players: int, count: int) -> Iterator[tuple[Any, Any, int]]:
    """Positions of random games, by turns of all presets, each with its options and a seat that looks at it."""
    rng, presets = Random(8), list(game.rules.presets.values())
    for number in range(count):
        options = game.rules.seated(presets[number % len(presets)], [True] * players)
        walk = Walk(game.rules, game.rules.initial(options, players), rng, claims=0.0)
        for _ in range(rng.randrange(200)):
            if walk.turn == OVER:
                break
            walk.step()
        yield options, walk.state, rng.randrange(players)


def by_matrices(layers: Sequence[Layer], seen: Any) -> tuple[float, float]:
    """The log-odds and what is liked beside them, in double precision."""
    first, second, last = layers
    values = np.maximum(seen.astype(np.float64) @ first.weights + first.bias, 0)
    odds, likes = np.maximum(values @ second.weights + second.bias, 0) @ last.weights
    return float(odds + last.bias[0]), float(likes)


@pytest.mark.parametrize(("id", "players"), TABLES)
def test_plain_and_compiled_networks_are_told_the_same(id: str, players: int) -> None:
    """Features may differ in the last digit: NumPy adds up numbers of 32 bits as such, Numba with 64."""
    game = astragal.game(id)
    features, told = len(game.heuristic.names), set()
    for options, state, seat in positions(game, players, 40):
        fast = game.fast(options, players)  # type: ignore[misc]
        size = part_of(game, options, players).sizes[0]
        one, other = (np.full(size, np.nan, dtype=np.float32) for _ in range(2))
        cpu(look, fast.source)(fast.pack(state), fast.tables, features, seat, one)
        plain(look, fast.source)(fast.words(state), fast.tables.tolist(), features, seat, other)
        assert not np.isnan(one).any()
        assert (one[:-features] == other[:-features]).all()
        assert other[-features:] == pytest.approx(one[-features:], rel=1e-5, abs=1e-6)
        told.add(one.tobytes())
    assert len(told) > 30


@pytest.mark.parametrize(("id", "players"), TABLES)
def test_plain_and_compiled_networks_like_the_same(id: str, players: int) -> None:
    """Of what they are told of positions. It is the second column of the last layer, without a bias."""
    game = astragal.game(id)
    told = set()
    for options, state, seat in positions(game, players, 12):
        fast = game.fast(options, players)  # type: ignore[misc]
        part = part_of(game, options, players)
        part = replace(part, sizes=(*part.sizes[:-1], 2))
        layers = layers_of(part.sizes)
        net = Network(part, "", layers).net()
        cpu(look, fast.source)(fast.pack(state), fast.tables, part.features, seat, net.seen)
        results = []
        for odds, likes in ((cpu(forward), cpu(liking)), (forward, liking)):
            results.append((odds(net), likes(net)))
            net.deeper[:] = 0
        assert results[0] == pytest.approx(results[1], abs=1e-4)
        assert results[0] == pytest.approx(by_matrices(layers, net.seen), abs=1e-4)
        told.add(results[0])
    assert len(told) > 6
