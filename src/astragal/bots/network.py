"""Networks on disk: evaluators of positions that come with a game.

A network file is a line of JSON, its header, and then the arrays of every network in it, one after the other. Each
network is for some options of the game and has three layers. How they are stored is said in the header, by `stored`:

- `halves`, also where nothing is said: a layer is its weights, a row for each input, and then its biases, all as 16-bit
  floats, low byte first.
- `bytes`: the first and the last layer are as above. The second, which is by far the largest, is a scale for each
  column (output), then its weights as signed bytes from -127 to 127, a row for each input, and then its biases; scales
  and biases are 16-bit floats. A weight is its byte times the scale of its column, which a 32-bit float holds exactly.
  The scale is the greatest weight of the column, whatever its sign, by 127, and at least 2^-14; so a weight is wrong by
  half a scale at most, and rounding what was rounded changes nothing.
- `rows`: for networks that are told very many things, few of which are so at a time. The first layer is stored in bytes
  with a scale for each row (input), since some inputs weigh far more than others; all else is as in `halves`.

The last layer has one output, the log-odds of winning, or two. The second is then what is liked beside that where
actions are compared: a network can know better which action to take than how much better it is. Its bias is stored but
not used, since only differences count. Networks that know only the side to throw (`mover_at`) have no second output.

To round a good network to bytes after it has learned adds a quarter to its error; so let it learn with rounded weights
(`tools/train.py learn --stored bytes`), which adds a twentieth.
"""

from __future__ import annotations

import hashlib
import sys
from collections.abc import Iterator, Mapping, Sequence
from functools import cache
from itertools import pairwise
from pathlib import Path
from typing import Any, Literal, NamedTuple

import msgspec
import numpy as np
from msgspec import Struct

from astragal.bots.kernels_network import Net
from astragal.core import options as option_values
from astragal.core import tensor
from astragal.core.fast import Array, Fast
from astragal.core.language import say
from astragal.core.rules import Game
from astragal.core.types import AstragalError
from astragal.solve.positions import index_of

FORMAT = "astragal network 1"
NAME = "network.net"  # of a file, in the folder `data` of a game
HALVES = "<f2"  # how most numbers are stored
MOST = 127  # of a byte
LEAST_SCALE = 2**-14  # the least 16-bit float that has all of its digits

Kind = Literal["halves", "bytes", "rows"]  # of layers: 16-bit floats, or bytes with a scale for each column or row


class BadNetwork(AstragalError):
    """A network file that cannot be used."""


class Part(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """One network of a file."""

    options: dict[str, Any]  # what it is for (a list: any of these); an option not named may have any value
    between: dict[str, tuple[int, int]] = {}  # the least and the greatest that it knows of options that are numbers
    players: tuple[int, ...]  # how many there may be
    sizes: tuple[int, int, int, int]  # numbers that go in, and of each layer
    mover_at: int  # this and the next: see `kernels_network.Net`
    features: int = 0
    stored: Kind = "halves"  # how its numbers are stored; see above
    card: dict[str, Any]  # how it was made, and what was measured

    def __post_init__(self) -> None:
        if self.sizes[-1] not in (1, 2) or (self.mover_at >= 0 and self.sizes[-1] > 1):
            raise ValueError("a network has one output, or two if it knows all seats")


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
    version: str  # the edition of its file, and the beginning of that one's checksum
    layers: tuple[Layer, ...]

    def net(self, usual: Array | None = None) -> Net:
        """The same for kernels, with working space of its own; most inputs should be near the `usual` ones."""
        part = self.part
        if usual is None:
            usual = np.zeros(part.sizes[0], dtype=np.float32)
        return for_kernels(self.layers, part.mover_at, part.features, usual)


def for_kernels(layers: Sequence[Layer], mover_at: int, features: int, usual: Array) -> Net:
    """A network as kernels take it, with working space of its own; see `Net`."""
    first, second, last = layers
    sums = (first.bias + usual.astype(float) @ first.weights).astype(np.float32)
    room = (np.zeros(size, dtype=np.float32) for size in (len(usual), len(sums), len(second.bias), len(sums)))
    heads = last.weights.T.copy()
    likes = heads[1] if len(heads) > 1 else heads[0][:0]
    return Net(usual, first.weights, sums, *second, heads[0], last.bias, likes, mover_at, features, *room)


def usual_inputs(fast: Fast[Any, Any], first: Array, features: int, seat: int = 0) -> Array:
    """What a network is told of the first position, as this seat sees it; see `kernels_network.look`."""
    seen = fast.inputs(first, seat)
    if not features:
        return seen
    return np.concatenate([seen, np.array(fast.features(first, seat, features), dtype=np.float32)])


def kinds(stored: Kind) -> tuple[Kind, Kind, Kind]:
    """How each layer of a network is stored."""
    return ("rows", "halves", "halves") if stored == "rows" else ("halves", stored, "halves")


def as_stored(layer: Layer, kind: Kind = "halves", xp: Any = np) -> Layer:
    """A layer after it was written and read. `xp` is what its arrays are of, NumPy or CuPy."""
    weights, bias = layer
    if kind == "halves":
        return Layer(_halved(weights), _halved(bias))
    scales = scales_of(weights, kind, xp)
    return Layer(xp.rint(weights / scales) * scales, _halved(bias))


def scales_of(weights: Array, kind: Kind, xp: Any = np) -> Array:
    """What the bytes of each column, or each row, are multiples of, as 16-bit floats can say it."""
    most = xp.abs(weights).max(axis=0 if kind == "bytes" else 1, keepdims=True)
    scales: Array = xp.maximum(_halved(most / np.float32(MOST)), np.float32(LEAST_SCALE))
    return scales


def _halved(numbers: Array) -> Array:
    return numbers.astype(np.float16).astype(np.float32)


def write(file: Path, game: Game, name: str, parts: Sequence[tuple[Part, Sequence[Layer]]]) -> None:
    """Writes a network file; weights are rounded to what each network's part says."""
    body = b"".join(
        _written(layer, kind) for part, layers in parts for layer, kind in zip(layers, kinds(part.stored), strict=True)
    )
    header = NetworkHeader(
        game=game.id,
        version=game.rules.spec.version,
        name=name,
        parts=[part for part, _ in parts],
        checksum=_checksum(body),
    )
    file.write_bytes(msgspec.json.encode(header) + b"\n" + body)


def _written(layer: Layer, kind: Kind) -> bytes:
    if kind == "halves":
        return b"".join(array.astype(HALVES).tobytes() for array in layer)
    scales = scales_of(layer.weights, kind)
    numbers = np.rint(layer.weights / scales).astype(np.int8)
    return scales.astype(HALVES).tobytes() + numbers.tobytes() + layer.bias.astype(HALVES).tobytes()


def read(file: Path) -> list[Network]:
    """All networks of a file, whichever game they are for. Raises BadNetwork if it is damaged, or not one."""
    _, networks = _read(file)
    return networks


def _read(file: Path) -> tuple[NetworkHeader, list[Network]]:
    """What a file says of itself, and all its networks. Raises BadNetwork."""
    try:
        line, _, body = file.read_bytes().partition(b"\n")
        header = msgspec.json.decode(line, type=NetworkHeader)
    except OSError as error:
        raise BadNetwork(say("{file} cannot be read: {reason}", file=str(file), reason=error.strerror or "")) from None
    except (msgspec.MsgspecError, UnicodeDecodeError):
        raise BadNetwork(say("{file} is not a network file of Astragal", file=str(file))) from None
    if header.format != FORMAT:
        raise BadNetwork(say("{file} is of a newer kind: {format}", file=str(file), format=header.format))
    wanted = sum(_bytes(part) for part in header.parts)
    if len(body) != wanted or _checksum(body) != header.checksum:
        raise BadNetwork(say("{file} is damaged: its checksum is another one", file=str(file)))
    networks, place, version = [], 0, f"{header.name} {header.checksum[:8]}"
    for part in header.parts:
        layers = []
        for (rows, columns), kind in _shapes(part):
            layers.append(_read_layer(memoryview(body)[place:], rows, columns, kind))
            place += _layer_bytes(rows, columns, kind)
        networks.append(Network(part, version, tuple(layers)))
    return header, networks


def _read_layer(body: memoryview, rows: int, columns: int, kind: Kind) -> Layer:
    """The layer that these bytes begin with."""
    count = rows * columns
    if kind == "halves":
        numbers = np.frombuffer(body, HALVES, count + columns).astype(np.float32)
        return Layer(numbers[:count].reshape(rows, columns), numbers[count:])
    many = columns if kind == "bytes" else rows
    scales = np.frombuffer(body, HALVES, many).astype(np.float32)
    weights = np.frombuffer(body, np.int8, count, 2 * many).reshape(rows, columns)
    bias = np.frombuffer(body, HALVES, columns, 2 * many + count).astype(np.float32)
    return Layer(weights * (scales if kind == "bytes" else scales[:, None]), bias)


def file_of(game: Game) -> Path:
    """Where the networks of a game lie, if it has some: in its own folder, so that a game from elsewhere can too."""
    module = sys.modules[type(game.rules).__module__]
    return Path(getattr(module, "__file__", None) or "").parent / "data" / NAME  # typed in, it has no file


def has_some(game: Game) -> bool:
    """Whether the game came with networks for its rules as they are. Raises BadNetwork if their file is damaged."""
    return bool(_read_once(file_of(game), game.id, game.rules.spec.version))


def find(game: Game, options: Any, players: int) -> Network | None:
    """The network that came with the game for these options; None if there is none. See also `check_shape`.

    A file for another game, or for another version of its rules, counts as none: its networks are good for what they
    learned, and the game can be played without them. We ship no such file (`tests/bots/test_shipped_networks.py`); but
    two games of one package share a folder, and whoever changes the rules of a game may not have trained anew.

    Raises BadNetwork if the file is damaged, or names an option that the game does not have.
    """
    file, plain = file_of(game), option_values.to_plain(options)
    for network in _read_once(file, game.id, game.rules.spec.version):
        part = network.part
        unknown = sorted((part.options.keys() | part.between.keys()) - plain.keys())
        if unknown:
            raise BadNetwork(
                say("{file} does not fit: it names the option {name!r}, which {game} does not have",
                    file=str(file), name=unknown[0], game=game.id)
            )  # fmt: skip
        if players in part.players and _is_for(part, plain):
            return network
    return None


def _is_for(part: Part, plain: Mapping[str, Any]) -> bool:
    """Whether a network is for these options."""
    return all(_meets(plain[key], wanted) for key, wanted in part.options.items()) and all(
        isinstance(plain[key], int) and least <= plain[key] <= greatest
        for key, (least, greatest) in part.between.items()
    )


def _meets(value: Any, wanted: Any) -> bool:
    return bool(value == wanted) or (isinstance(wanted, list) and value in wanted)


def check_shape(part: Part, game: Game, options: Any, fast: Fast[Any, Any]) -> None:
    """Refuses a network of the game's file that takes other inputs than it would be told under these options.

    Kernels would read and write beyond their arrays. `fast` is the game under these options. Raises BadNetwork.
    """
    about = {"file": str(file_of(game)), "game": game.id}
    features = len(game.heuristic.names)
    if part.features not in (0, features):
        raise BadNetwork(
            say("{file} does not fit: its network takes {has} features, and the heuristic of {game} has {wanted}",
                has=part.features, wanted=features, **about)
        )  # fmt: skip
    inputs = tensor.size(fast.told) + part.features
    if part.sizes[0] != inputs:
        raise BadNetwork(
            say("{file} does not fit: its network takes {has} inputs, and {game} tells it {wanted}",
                has=part.sizes[0], wanted=inputs, **about)
        )  # fmt: skip
    if part.mover_at >= 0 and (game.index is None or part.mover_at != index_of(game, options).thumbs.seat):
        raise BadNetwork(
            say("{file} does not fit: it finds the side to throw at place {place}, and {game} keeps it elsewhere",
                place=part.mover_at, **about)
        )  # fmt: skip


@cache
def _read_once(file: Path, game: str, version: int) -> list[Network]:
    """The networks of a file, read when they are first asked for; none if the file is missing or for other rules."""
    if not file.exists():
        return []
    header, networks = _read(file)
    return networks if (header.game, header.version) == (game, version) else []


def _shapes(part: Part) -> Iterator[tuple[tuple[int, int], Kind]]:
    """Rows and columns of each layer, and how it is stored."""
    return zip(pairwise(part.sizes), kinds(part.stored), strict=True)


def _layer_bytes(rows: int, columns: int, kind: Kind) -> int:
    if kind == "halves":
        return 2 * (rows + 1) * columns
    return rows * columns + 2 * (columns if kind == "bytes" else rows) + 2 * columns


def _bytes(part: Part) -> int:
    return sum(_layer_bytes(rows, columns, kind) for (rows, columns), kind in _shapes(part))


def _checksum(body: bytes) -> str:
    return hashlib.blake2b(body, digest_size=32).hexdigest()
