"""Table files of RoyalUr (`.rgu`), read and written for the classic way round the board.

All numbers are big-endian. A file has the letters RGU and a version byte, the length of a JSON text and that text, the
number of its maps and how many positions each has, then all keys in ascending order, then all values. Positions are
those with light to throw; those that light has just won are among them. From its highest bits down, a key has light's
pieces waiting, dark's, light's own squares, the lane as one number, and dark's own squares. How many bits the lane
takes depends on the number of pieces.
"""

from __future__ import annotations

import struct
from collections.abc import Callable, Iterator
from functools import lru_cache
from itertools import product
from pathlib import Path
from typing import Any, BinaryIO, Literal, NamedTuple

import msgspec
import numpy as np
from msgspec import Struct

from astragal.core.compiled import cpu
from astragal.core.fast import Array
from astragal.core.language import say
from astragal.core.solvable import BadTable, Index, TableFormat
from astragal.games.ur import kernels_rgu as k
from astragal.games.ur.fast import tables
from astragal.games.ur.options import Options

MAGIC = b"RGU\0"
WAITING = 3  # bits for the pieces that wait
OWN_STEPS = (4, 3, 2, 1, 14, 13)  # by the bit of an own square
LANE_STEPS = range(5, 13)
KINDS = {"percent16": ">u2", "float32": ">f4", "float64": ">f8"}
MOST_JSON = 1 << 20  # bytes
STATE = 8  # words of a packed state

DICE: dict[Literal["four", "three"], str] = {"four": "four_binary", "three": "three_binary_0eq4"}


class Settings(Struct, frozen=True):
    """The rules as RoyalUr names them."""

    board_shape: str
    paths: str
    dice: str
    start_pieces: int
    safe_rosettes: bool
    rosettes_grant_rolls: bool
    captures_grant_rolls: bool


class Metadata(Struct, frozen=True):
    """The JSON text of a file, as far as it is used here."""

    game_settings: Settings
    value_type: str = "percent16"
    author: str = ""


class Content(NamedTuple):
    """An opened file."""

    metadata: Metadata
    keys: Array
    values: Array


class Rgu(TableFormat):
    """RoyalUr's tables."""

    def write(self, file: Path, options: Any, index: Index, values: Callable[[Array], Array]) -> None:
        text = msgspec.json.encode(Metadata(_settings(options), "percent16", "Astragal"))
        unfinished = file.with_name(file.name + ".writing")
        with unfinished.open("wb") as opened:
            opened.write(MAGIC + struct.pack(">I", len(text)) + text)
            sizes = opened.tell()
            opened.write(struct.pack(">II", 1, 0))
            count = 0
            for keys, _ in _positions(options, index):
                opened.write(keys.astype(">u4").tobytes())
                count += len(keys)
            _write_values(opened, options, index, values)
            opened.seek(sizes)
            opened.write(struct.pack(">II", 1, count))
        unfinished.replace(file)

    def about(self, file: Path) -> tuple[Options, str]:
        content = _open(file)
        return _options(file, content.metadata.game_settings), content.metadata.author

    def read(self, file: Path, options: Any, index: Index) -> Iterator[tuple[Array, Array]]:
        content = _open(file)
        whole = 65535.0
        if content.metadata.value_type != "percent16":  # in percent, or as parts of one
            whole = 100.0 if float(content.values.max(initial=0)) > 1 else 1.0
        done = missing = first = 0
        for keys, ranks in _positions(options, index):
            theirs = _next_keys(content.keys, first, keys)
            places = np.searchsorted(theirs, keys)
            there = places < len(theirs)
            there[there] = theirs[places[there]] == keys[there]
            wanted = ranks != k.WON
            missing += int((wanted & ~there).sum())
            use = wanted & there
            values = content.values[first + places[use]].astype(np.float64) / whole
            if not (np.isfinite(values) & (values >= 0) & (values <= 1)).all():
                raise BadTable(say("{file} is damaged: a chance to win is not between 0 and 1", file=str(file)))
            done += int(use.sum())
            first += len(theirs)
            if not missing:
                yield ranks[use], values
        if missing:
            raise BadTable(
                say("{file} has only {n} of {size} positions; only whole tables can be used", file=str(file), n=done,
                    size=index.size)
            )  # fmt: skip


def _next_keys(theirs: Array, first: int, keys: Array) -> Array:
    """Their keys from a place on, up to the last of ours. Both lists ascend."""
    count = len(keys)
    while True:
        part = theirs[first : first + count].astype(np.int64)
        if len(part) < count or part[-1] > keys[-1]:
            return part[: np.searchsorted(part, keys[-1], "right")]
        count = 2 * count + 16


def _settings(options: Options) -> Settings:
    if options.path != "bell":
        raise BadTable(say("RoyalUr's tables are exchanged for the board and way bell only, not for {path}",
                           path=options.path if isinstance(options.path, str) else options.path.name))  # fmt: skip
    return Settings("standard", "bell", DICE[options.dice], options.pieces, options.safe_rosettes,
                    options.rosette_throws, options.capture_throws)  # fmt: skip


def _options(file: Path, settings: Settings) -> Options:
    dice = {name.lower(): ours for ours, name in DICE.items()}.get(settings.dice.lower())
    covered = settings.board_shape.lower() == "standard" and settings.paths.lower() == "bell"
    if not covered or dice is None or not 1 <= settings.start_pieces <= 7:
        raise BadTable(
            say("{file} is for rules that cannot be read here: {rules}", file=str(file),
                rules=f"{settings.board_shape}, {settings.paths}, {settings.dice}, {settings.start_pieces}")
        )  # fmt: skip
    return Options(
        pieces=settings.start_pieces,
        dice=dice,
        safe_rosettes=settings.safe_rosettes,
        rosette_throws=settings.rosettes_grant_rolls,
        capture_throws=settings.captures_grant_rolls,
    )


def _open(file: Path) -> Content:
    """The parts of a file, where they lie. Raises BadTable."""
    try:
        with file.open("rb") as opened:
            if opened.read(len(MAGIC)) != MAGIC:
                raise BadTable(say("{file} is not a table of RoyalUr, version 0", file=str(file)))
            metadata = _metadata(opened)
            (maps,) = struct.unpack(">I", opened.read(4))
            if maps != 1:
                raise BadTable(say("{file} has {n} maps; only those with one can be read", file=str(file), n=maps))
            (count,) = struct.unpack(">I", opened.read(4))
            begin = opened.tell()
    except OSError as error:
        raise BadTable(say("{file} cannot be read: {reason}", file=str(file), reason=error.strerror or "")) from None
    except (struct.error, msgspec.MsgspecError, UnicodeDecodeError):
        raise BadTable(say("{file} is damaged: its head cannot be read", file=str(file))) from None
    kind = np.dtype(KINDS.get(metadata.value_type, "V"))
    if kind.kind == "V":
        raise BadTable(say("{file} has values of a kind that cannot be read here: {kind}", file=str(file),
                           kind=metadata.value_type))  # fmt: skip
    wanted = begin + count * (4 + kind.itemsize)
    if file.stat().st_size != wanted or count == 0:
        raise BadTable(
            say("{file} is damaged: it should have {wanted} bytes and has {size}", file=str(file), wanted=wanted,
                size=file.stat().st_size)
        )  # fmt: skip
    keys = np.memmap(file, dtype=">u4", mode="r", offset=begin, shape=(count,))
    for start in range(0, count, 1 << 22):
        part = keys[start : start + (1 << 22) + 1].astype(np.int64)
        if (np.diff(part) <= 0).any():
            raise BadTable(say("{file} is damaged: its keys are not in order", file=str(file)))
    return Content(metadata, keys, np.memmap(file, dtype=kind, mode="r", offset=begin + 4 * count, shape=(count,)))


def _metadata(opened: BinaryIO) -> Metadata:
    (length,) = struct.unpack(">I", opened.read(4))
    if length > MOST_JSON:
        raise struct.error
    return msgspec.json.decode(opened.read(length), type=Metadata)


@lru_cache(maxsize=2)
def lane_patterns(pieces: int) -> Array:
    """The masks of light's and dark's steps for every number of the lane, in the order of these numbers."""
    made = [
        (_mask(LANE_STEPS, digits, 2), _mask(LANE_STEPS, digits, 1))
        for digits in product((0, 1, 2), repeat=len(LANE_STEPS))  # ascending, the first square highest
        if digits.count(1) <= pieces and digits.count(2) <= pieces
    ]
    return np.array(made, dtype=np.int64)


def _mask(steps: range, digits: tuple[int, ...], wanted: int) -> int:
    return sum(1 << step for step, digit in zip(steps, digits, strict=True) if digit == wanted)


def _positions(options: Options, index: Index) -> Iterator[tuple[Array, Array]]:
    """Keys in ascending order with the ranks that these positions have here (or WON), part by part."""
    lanes = lane_patterns(options.pieces)
    lane_bits = (len(lanes) - 1).bit_length()
    squares = np.array(
        [sum(1 << step for bit, step in enumerate(OWN_STEPS) if pattern >> bit & 1) for pattern in range(k.PATTERNS)]
    )
    listed = cpu(k.listed)
    state = np.zeros(STATE, dtype=np.int64)
    keys, ranks = (np.empty(len(lanes) * k.PATTERNS, dtype=np.int64) for _ in range(2))
    counts = range(options.pieces + 1)
    for light, dark, own in product(counts, counts, range(k.PATTERNS)):
        upper = ((light << WAITING | dark) << k.OWN | own) << (lane_bits + k.OWN)
        waiting = np.array([light, dark])
        count = listed(upper, waiting, options.pieces, own, squares, lanes, tables(options), index.arrays, state, keys,
                       ranks)  # fmt: skip
        if count:
            yield keys[:count].copy(), ranks[:count].copy()


def _write_values(opened: BinaryIO, options: Options, index: Index, values: Callable[[Array], Array]) -> None:
    for _, ranks in _positions(options, index):
        won = ranks == k.WON
        chances = np.where(won, 1.0, values(np.where(won, 0, ranks)))
        opened.write(np.rint(chances * 65535).astype(">u2").tobytes())
