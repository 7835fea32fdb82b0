"""Networks on disk: evaluators of positions that come with the package.

A network file is a line of JSON, its header, and then the arrays of every network in it, one after the other. Each
network is for some options of the game and has three layers. The weights of a layer are signed bytes, a row for each
input; every column has a factor by which they are multiplied. Factors and biases are 32-bit floats, low byte first. So
a network is: for each of the three layers the weights, the factors, the biases.
"""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from functools import cache
from itertools import pairwise
from pathlib import Path
from typing import Any, NamedTuple

import msgspec
import numpy as np
from msgspec import Struct

from astragal.bots.kernels_network import Net
from astragal.core import options as option_values
from astragal.core.fast import Array
from astragal.core.language import say
from astragal.core.rules import Game
from astragal.core.types import AstragalError

FORMAT = "astragal network 1"
ENDING = ".net"
FOLDER = Path(__file__).parent / "nets"
STEPS = 127  # the largest weight of a column, as a byte


class BadNetwork(AstragalError):
    """A network file that cannot be used."""


class Part(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """One network of a file."""

    options: dict[str, Any]  # that it is for; those that are not named make no difference to it
    players: int
    sizes: tuple[int, int, int, int]  # numbers that go in, and of each layer
    mover_at: int  # see `kernels_network.Net`
    card: dict[str, Any]  # how it was made, and what was measured


class NetworkHeader(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """What a network file says of itself."""

    format: str = FORMAT
    game: str
    version: int  # of the game's rules
    name: str  # of this edition of the networks
    parts: list[Part]
    checksum: str  # BLAKE2b of all arrays, 32 bytes in hex


class Layer(NamedTuple):
    """A dense layer, with weights as floats."""

    weights: Array
    bias: Array


class Network(NamedTuple):
    """One network, as read."""

    part: Part
    name: str
    layers: tuple[Layer, ...]

    def net(self) -> Net:
        """The same for kernels, with working space of its own."""
        inputs, hidden, deeper, _ = self.part.sizes
        first, second, last = self.layers
        room = (np.zeros(size, dtype=np.float32) for size in (inputs, hidden, deeper))
        return Net(*first, *second, last.weights[:, 0].copy(), last.bias, self.part.mover_at, *room)


def quantise(weights: Array) -> tuple[Array, Array]:
    """Weights as signed bytes, and the factor of each column."""
    factors = np.maximum(np.abs(weights).max(axis=0), 1e-12) / STEPS
    return np.rint(weights / factors).astype(np.int8), factors.astype("<f4")


def write(file: Path, game: Game, name: str, parts: Sequence[tuple[Part, Sequence[Layer]]]) -> None:
    """Writes a network file; weights are rounded to bytes."""
    body = b""
    for _, layers in parts:
        for layer in layers:
            rounded, factors = quantise(layer.weights)
            body += rounded.tobytes() + factors.tobytes() + layer.bias.astype("<f4").tobytes()
    header = NetworkHeader(
        game=game.id,
        version=game.rules.spec.version,
        name=name,
        parts=[part for part, _ in parts],
        checksum=_checksum(body),
    )
    file.write_bytes(msgspec.json.encode(header) + b"\n" + body)


def read(file: Path) -> list[Network]:
    """All networks of a file. Raises BadNetwork if it is damaged, or not one."""
    try:
        line, _, body = file.read_bytes().partition(b"\n")
        header = msgspec.json.decode(line, type=NetworkHeader)
    except OSError as error:
        raise BadNetwork(say("{file} cannot be read: {reason}", file=str(file), reason=error.strerror or "")) from None
    except (msgspec.MsgspecError, UnicodeDecodeError):
        raise BadNetwork(say("{file} is not a network file of Astragal", file=str(file))) from None
    if header.format != FORMAT:
        raise BadNetwork(say("{file} is of a newer kind: {format}", file=str(file), format=header.format))
    wanted = sum(_bytes(part.sizes) for part in header.parts)
    if len(body) != wanted or _checksum(body) != header.checksum:
        raise BadNetwork(say("{file} is damaged: its checksum is another one", file=str(file)))
    networks, place = [], 0
    for part in header.parts:
        layers = []
        for rows, columns in pairwise(part.sizes):
            weights = np.frombuffer(body, np.int8, rows * columns, place).reshape(rows, columns)
            place += rows * columns
            factors, bias = (np.frombuffer(body, "<f4", columns, place + 4 * columns * n) for n in range(2))
            place += 8 * columns
            layers.append(Layer((weights * factors).astype(np.float32), bias.astype(np.float32)))
        networks.append(Network(part, header.name, tuple(layers)))
    return networks


def find(game: Game, options: Any, players: int) -> Network | None:
    """The network that came with the package for these options; None if there is none. Raises BadNetwork."""
    plain = option_values.to_plain(options)
    for network in _shipped(game.id, game.rules.spec.version):
        part = network.part
        if part.players == players and all(plain.get(key) == value for key, value in part.options.items()):
            return network
    return None


@cache
def _shipped(game: str, version: int) -> list[Network]:
    file = FOLDER / f"{game}{ENDING}"
    if not file.exists():
        return []
    header = msgspec.json.decode(file.read_bytes().partition(b"\n")[0], type=NetworkHeader)
    return read(file) if (header.game, header.version) == (game, version) else []


def _bytes(sizes: tuple[int, ...]) -> int:
    return sum((rows + 8) * columns for rows, columns in pairwise(sizes))


def _checksum(body: bytes) -> str:
    return hashlib.blake2b(body, digest_size=32).hexdigest()
