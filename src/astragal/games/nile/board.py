"""Boards of Nile: a grid of fields, its colours, and which field lies beyond each point of another (NI-1, NI-4)."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import lru_cache
from pathlib import Path
from typing import Annotated, Literal

from msgspec import Meta, Struct

from astragal.core.bounds import Title
from astragal.core.data import BadData, load_toml
from astragal.core.language import Text, say
from astragal.core.types import BadFile, whole
from astragal.games.nile.tiles import DATA, NE, NW, SE, SW, E, N, S, W

BoardName = Literal["nile", "small", "first"]
Colour = Literal["plain", "start", "green", "red", "group", "blue"]

COLUMNS = "ABCDEFGHIJKLMNOPQRSTUVWXY"  # 25 of them still fit a terminal of 80 columns
SMALLEST, MOST_ROWS = 3, 40
STEPS = {N: (0, 1), NE: (1, 1), E: (1, 0), SE: (1, -1), S: (0, -1), SW: (-1, -1), W: (-1, 0), NW: (-1, 1)}
"""Columns and rows to the neighbour at each point; at a corner that is the field diagonally opposite (NI-4)."""


class Group(Struct, frozen=True, forbid_unknown_fields=True):
    """What covering any fields of a U-shaped red group costs, once a turn."""

    letter: Annotated[str, Meta(pattern=whole("[A-Z]"))]
    penalty: Annotated[int, Meta(ge=1, le=99)]


class Board(Struct, frozen=True, forbid_unknown_fields=True):
    """A board as its data file has it: rows from the goal down to the start, each with its number in front."""

    name: Title
    rows: Annotated[tuple[Annotated[str, Meta(max_length=200)], ...], Meta(max_length=MOST_ROWS)]
    groups: Annotated[tuple[Group, ...], Meta(max_length=26)] = ()

    def __post_init__(self) -> None:
        """Checks everything the rules rely on; building the grid is the first half of the check."""
        if not SMALLEST <= len(self.rows) <= MOST_ROWS:
            raise BadData("rows", say("a board has 3 to 40 rows, this one has {n}", n=len(self.rows)))
        fields = _read(self)
        starts = [field for field in fields if field.colour == "start"]
        if len(starts) != 1:
            raise BadData("rows", say("a board has one start {sign!r}, this one has {n}", sign="*", n=len(starts)))
        for letter in sorted({field.letter for field in fields if field.letter}):
            for shape in _pieces({(field.column, field.row) for field in fields if field.letter == letter}):
                if not _is_u(shape):
                    column, row = min(shape)
                    raise _bad(row + 1, column, say("the group {letter} is not shaped like a U", letter=letter))

    @classmethod
    def load(cls, file: Path) -> Board:
        """A host's own board. Raises BadFile, with the line of the row that is wrong."""
        try:
            return load_toml(file, cls)
        except BadFile as error:
            row = error.text.holes.get("row")  # counted from below, and every row is a string on a line of its own
            lines = enumerate(file.read_text(encoding="utf-8").split("\n"), 1) if row is not None else ()
            rows = [number for number, line in lines if line.lstrip().startswith('"')]
            if row is None or len(rows) < row:
                raise
            raise BadFile(error.name, rows[-row], error.text) from None


class Field(Struct, frozen=True):
    """One field. `number` is what it earns or costs; for a blue field, what ending there earns."""

    column: int
    row: int  # from 0, at the start
    colour: Colour = "plain"
    number: int = 0
    letter: str = ""  # of its U-group

    @property
    def name(self) -> str:
        return f"{COLUMNS[self.column]}{self.row + 1}"


def _bad(row: int, column: int, text: Text) -> BadData:
    reason = say("row {row}, column {column}: {reason}", row=row, column=COLUMNS[column], reason=text)
    return BadData("rows", reason)


def _read(board: Board) -> list[Field]:
    """Every field of a board, row by row from the start. Raises BadData."""
    penalties = {group.letter: group.penalty for group in board.groups}
    if len(penalties) < len(board.groups):
        raise BadData("groups", say("a group is listed twice"))
    fields: list[Field] = []
    height, width = len(board.rows), len(board.rows[0].split()) - 1
    if not SMALLEST <= width <= len(COLUMNS):
        raise BadData("rows", say("a board has 3 to 25 columns, this one has {n}", n=width))
    for row, line in enumerate(reversed(board.rows)):
        label, *signs = line.split() or [""]
        if label != str(row + 1):
            text = say("row {row}: it should begin with its number, not with {label!r}", row=row + 1, label=label[:20])
            raise BadData("rows", text)
        if len(signs) != width:
            text = say("row {row}: {n} fields, but the top row has {width}", row=row + 1, n=len(signs), width=width)
            raise BadData("rows", text)
        for column, sign in enumerate(signs):
            fields.append(_field(sign, column, row, row == height - 1, penalties))
    for letter in penalties.keys() - {field.letter for field in fields}:
        raise BadData("groups", say("no field belongs to the group {letter}", letter=letter))
    return fields


def _field(sign: str, column: int, row: int, top: bool, penalties: dict[str, int]) -> Field:
    if top:
        if not re.fullmatch(r"[1-9]\d{0,2}", sign):
            raise _bad(
                row + 1, column, say("the top row is blue: a number from 1 to 999, not {sign!r}", sign=sign[:20])
            )
        return Field(column, row, "blue", int(sign))
    if sign == ".":
        return Field(column, row)
    if sign == "*":
        if row > 0:
            raise _bad(row + 1, column, say("the start is in row 1"))
        return Field(column, row, "start")
    if bonus := re.fullmatch(r"([+-])([1-9]\d?)", sign):
        return Field(column, row, "green" if bonus[1] == "+" else "red", int(bonus[2]))
    if re.fullmatch(r"[A-Z]#", sign):
        if sign[0] not in penalties:
            raise _bad(row + 1, column, say("the group {letter} has no penalty", letter=sign[0]))
        return Field(column, row, "group", penalties[sign[0]], sign[0])
    raise _bad(row + 1, column, say("{sign!r} is no field; write one such as {examples}", sign=sign[:20],
                                    examples=". +20 -20 A#"))  # fmt: skip


Spots = set[tuple[int, int]]


def _pieces(spots: Spots) -> Iterator[Spots]:
    """Spots that hang together side by side: the groups that share a letter."""
    left = set(spots)
    while left:
        piece, edge = set[tuple[int, int]](), {left.pop()}
        while edge:
            piece |= edge
            edge = {(x + dx, y + dy) for x, y in edge for dx, dy in ((1, 0), (-1, 0), (0, 1), (0, -1))} & left
            left -= edge
        yield piece


def _is_u(spots: Spots) -> bool:
    """Whether these are three sides of a rectangle that is open, and hollow, on the fourth."""
    columns, rows = {x for x, _ in spots}, {y for _, y in spots}
    left, right, low, high = min(columns), max(columns), min(rows), max(rows)
    legs = {(x, y) for x in (left, right) for y in range(low, high + 1)}
    beams = {(x, y) for y in (low, high) for x in range(left, right + 1)}
    upright = right - left >= 2 and high > low
    lying = high - low >= 2 and right > left
    return (upright and any(spots == legs | {spot for spot in beams if spot[1] == y} for y in (low, high))) or (
        lying and any(spots == beams | {spot for spot in legs if spot[0] == x} for x in (left, right))
    )


class Grid:
    """A board made ready for the rules.

    Fields are numbered row by row with one spare number after each row, so that a set of fields is an integer and
    moving the whole set one field over is a shift that never wraps round the edge. The corners of the grid are
    numbered likewise: the corner that begins a field (its lower left one) has the field's own number.
    """

    def __init__(self, board: Board) -> None:
        self.board = board
        self.columns = len(board.rows[0].split()) - 1
        self.rows = len(board.rows)
        self.stride = self.columns + 1
        self.fields = {field.row * self.stride + field.column: field for field in _read(board)}
        self.names = {number: field.name for number, field in self.fields.items()}
        self.number = {name: number for number, name in self.names.items()}
        self.start = next(number for number, field in self.fields.items() if field.colour == "start")
        self.blue = frozenset(number for number, field in self.fields.items() if field.colour == "blue")
        self.everywhere = sum(1 << number for number in self.fields)
        self.goal = sum(1 << number for number in self.blue)
        self.top_corners = frozenset({(min(self.blue), NW), (max(self.blue), NE)})  # of the board: never touched
        self.group = self._groups()
        # beyond[field][point]: the field the river reaches there, or -1 off the board
        self.beyond = {number: tuple(self._beyond(number, point) for point in range(8)) for number in self.fields}

    def _beyond(self, number: int, point: int) -> int:
        across, up = STEPS[point]
        field = self.fields[number]
        if 0 <= field.column + across < self.columns and 0 <= field.row + up < self.rows:
            return number + across + up * self.stride
        return -1

    def _groups(self) -> dict[int, int]:
        """For each field of a U-group, the lowest field of that group: two groups may share a letter."""
        groups = {}
        for letter in sorted({field.letter for field in self.fields.values() if field.letter}):
            spots = {(field.column, field.row) for field in self.fields.values() if field.letter == letter}
            for piece in _pieces(spots):
                numbers = [row * self.stride + column for column, row in piece]
                groups.update(dict.fromkeys(sorted(numbers), min(numbers)))
        return groups

    def corner(self, number: int, point: int) -> int:
        """The number of the grid's corner at this odd point of a field."""
        return number + {SW: 0, SE: 1, NE: self.stride + 1, NW: self.stride}[point]

    def spread(self, fields: int, free: int, corners: int) -> int:
        """A set of fields, and every free field one step from it; diagonal steps keep off the used corners."""
        row, open_ = self.stride, ~corners
        grown = fields | fields << 1 | fields >> 1 | fields << row | fields >> row
        grown |= fields << row + 1 & open_  # NE: through the corner that begins the field arrived at
        grown |= (fields & open_) >> row + 1  # SW: through the corner that begins the field left
        grown |= (fields << row & open_) >> 1  # NW
        grown |= (fields << 1 & open_) >> row  # SE
        return grown & free


@lru_cache(maxsize=64)  # others' boards come and go
def grid(board: BoardName | Board) -> Grid:
    """A shipped board by its name, or a host's own."""
    return Grid(load_toml(DATA / f"board-{board}.toml", Board) if isinstance(board, str) else board)
