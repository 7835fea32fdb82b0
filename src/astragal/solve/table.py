"""Tables of values on disk: made once, opened in milliseconds, read where they lie.

A table file is a line of JSON, padded with spaces to HEADER bytes, and then the values in the order of their ranks,
one or two bytes each, low byte first. 0 is a position lost for the side to throw, the highest number a position won.
"""

from __future__ import annotations

import hashlib
import os
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, Literal

import msgspec
import numpy as np
from msgspec import Struct

from astragal.core import options as option_values
from astragal.core.fast import Array
from astragal.core.language import say
from astragal.core.rules import Game
from astragal.core.solvable import BadTable as BadTable
from astragal.solve.kernels_sweep import ONE

FORMAT = "astragal table 1"
HEADER = 4096
PART = 1 << 22
Bits = Literal[8, 16]
ENDING = ".table"


class TableHeader(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """What a table says of itself."""

    format: str = FORMAT
    game: str
    version: int  # of the game's rules
    options: dict[str, Any]
    positions: int
    bits: int
    precision: float  # lower and upper bound of every value lie no further apart, before they were rounded to bits
    convention: str  # what an unfinished game counts: "ends" where there is none, "half" where it is half a win
    value: float  # of the first position, for whoever begins
    bounds: tuple[float, float] | None = None  # of the same, whatever an unfinished game counts; None: not proved
    sweeps: float | None = None  # how often a position was worked out, on average
    loss: float | None = None  # points of win chance that a decision costs because values are rounded to bits
    source: str = ""  # where the values come from, if not from a solution here
    checksum: str  # BLAKE2b of the values, 32 bytes in hex

    @property
    def near(self) -> float:
        """By how much the worth of two actions may differ if one is to be as good as the other.

        Where games need not end, values are known to the precision only, and whoever always took what seems best by
        less than that could wait for ever, although it is ahead.
        """
        return 0.0 if self.convention == "ends" else self.precision


class Table:
    """An opened table. Values are read from the file as they are asked for."""

    def __init__(self, file: Path) -> None:
        self.file = file
        self.header = read_header(file)
        kind = np.uint8 if self.header.bits == 8 else np.dtype("<u2")
        wanted = HEADER + self.header.positions * self.header.bits // 8
        if file.stat().st_size != wanted:
            raise BadTable(
                say("{file} is damaged: it should have {wanted} bytes and has {size}", file=str(file), wanted=wanted,
                    size=file.stat().st_size)
            )  # fmt: skip
        self.values: Array = np.memmap(file, dtype=kind, mode="r", offset=HEADER)
        self._most = (1 << self.header.bits) - 1

    def value(self, rank: int) -> float:
        """How likely the side to throw wins in the position of this rank."""
        return float(self.values[rank]) / self._most

    def intact(self) -> bool:
        """Whether the values are those that were written; reads them all."""
        return _checksum(self.values[start : start + PART] for start in range(0, len(self.values), PART)) == (
            self.header.checksum
        )

    def check_for(self, game: Game, options: Any) -> None:
        """Refuses a table of another game, version or other options. Who begins makes no difference."""
        if (self.header.game, self.header.version) != (game.id, game.rules.spec.version):
            raise BadTable(
                say("{file} is for {game}, version {version}", file=str(self.file), game=self.header.game,
                    version=self.header.version)
            )  # fmt: skip
        wanted = solved_options(options)
        for name, value in wanted.items():
            if self.header.options.get(name) != value:
                raise BadTable(
                    say("{file} is for another {option}: {value}", file=str(self.file), option=name,
                        value=str(self.header.options.get(name)))
                )  # fmt: skip


def solved_options(options: Any) -> dict[str, Any]:
    """The options that a table depends on, as plain values: all but who begins."""
    plain = option_values.to_plain(options)
    plain.pop("begins", None)
    return plain


def name_of(game: Game, options: Any) -> str:
    """The file name of the table for these options, the same for equal options."""
    plain = solved_options(options)
    digest = hashlib.blake2b(msgspec.json.encode(plain, order="deterministic"), digest_size=6).hexdigest()
    return f"{game.id}-{game.rules.spec.version}-{digest}{ENDING}"


def read_header(file: Path) -> TableHeader:
    """What a table says of itself. Raises BadTable."""
    try:
        with file.open("rb") as opened:
            header = msgspec.json.decode(opened.read(HEADER).rstrip(), type=TableHeader)
    except OSError as error:
        raise BadTable(say("{file} cannot be read: {reason}", file=str(file), reason=error.strerror or "")) from None
    except (msgspec.MsgspecError, UnicodeDecodeError):
        raise BadTable(say("{file} is not a table of Astragal", file=str(file))) from None
    if header.format != FORMAT or header.bits not in (8, 16):
        raise BadTable(say("{file} is of a newer kind: {format}", file=str(file), format=header.format))
    return header


def write(file: Path, header: Callable[[str], TableHeader], parts: Iterator[Array], bits: Bits) -> None:
    """Writes a table from values that are parts of ONE; `header` is made when the checksum is known.

    The file gets its name when it is whole, so that nobody opens half of one.
    """
    most = (1 << bits) - 1
    unfinished = file.with_suffix(".writing")
    hashed = hashlib.blake2b(digest_size=32)
    with unfinished.open("wb") as opened:
        opened.write(b" " * HEADER)
        for values in parts:
            rounded = (values.astype(np.int64) * most + ONE // 2) // ONE
            written = rounded.astype(np.uint8 if bits == 8 else "<u2").tobytes()
            hashed.update(written)
            opened.write(written)
        text = msgspec.json.encode(header(hashed.hexdigest()))
        if len(text) >= HEADER:
            raise BadTable(say("these options are too long for the header of a table"))
        opened.seek(0)
        opened.write(text)
        opened.flush()
        os.fsync(opened.fileno())
    unfinished.replace(file)


def _checksum(parts: Iterator[Array]) -> str:
    hashed = hashlib.blake2b(digest_size=32)
    for part in parts:
        hashed.update(part.tobytes())
    return hashed.hexdigest()
