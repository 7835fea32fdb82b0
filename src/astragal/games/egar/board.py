"""Boards of EGAR: their size, and where each army's camp lies (EG-2)."""

from __future__ import annotations

import re
from functools import lru_cache
from pathlib import Path
from typing import Annotated, Literal

from msgspec import Meta, Struct

from astragal.core.bounds import Title
from astragal.core.data import BadData, load_toml
from astragal.core.language import say
from astragal.games.egar.actions import Step

DATA = Path(__file__).parent / "data"
BoardName = Literal["standard", "quick"]

COLUMNS = "ABCDEFGHIJKLM"
MOST_SOLDIERS = 8
Size = Annotated[int, Meta(ge=2, le=len(COLUMNS))]
Camp = Annotated[tuple[Annotated[str, Meta(max_length=len(COLUMNS))], ...], Meta(max_length=len(COLUMNS))]
Flags = Annotated[tuple[Annotated[str, Meta(max_length=3)], ...], Meta(max_length=4)]


class Board(Struct, frozen=True, forbid_unknown_fields=True):
    """A board as its data file has it: its size, a picture of a camp, and the flags for 2, 3 and 4 players."""

    name: Title
    columns: Size
    rows: Size
    camp: Camp  # rows from the top: F the flag, s a soldier, . nothing
    two: Flags = ()  # flags in the order of turns; empty: not a board for so many
    three: Flags = ()
    four: Flags = ()

    def __post_init__(self) -> None:
        drawn = "".join(self.camp)
        if not re.fullmatch(r"[Fs.]*", drawn) or drawn.count("F") != 1:
            raise BadData("camp", say("a camp is drawn with one F for the flag, s for soldiers and . for free squares"))
        if not 1 <= drawn.count("s") <= MOST_SOLDIERS:
            raise BadData("camp", say("a camp has 1 to {most} soldiers", most=MOST_SOLDIERS))
        if not (self.two or self.three or self.four):
            raise BadData("two", say("there are flags for no number of players"))
        for key, flags, players in (("two", self.two, 2), ("three", self.three, 3), ("four", self.four, 4)):
            if flags:
                self._check_camps(key, flags, players)

    def _check_camps(self, key: str, flags: tuple[str, ...], players: int) -> None:
        if len(flags) != players:
            raise BadData(key, say("{players} players need as many flags, here are {n}", players=players, n=len(flags)))
        taken: dict[str, str] = {}
        for flag in flags:
            if not re.fullmatch(r"[A-M][1-9][0-9]?", flag) or not self.has(*place(flag)):
                raise BadData(key, say("{square!r} is not a square of this board", square=flag))
            for square in (flag, *self.soldiers(flag)):
                if not self.has(*place(square)):
                    raise BadData(key, say("the camp of the flag {flag} reaches over the edge", flag=flag))
                if square in taken:
                    raise BadData(
                        key,
                        say(
                            "the camps of {flag} and {other} share the square {square}",
                            flag=flag,
                            other=taken[square],
                            square=square,
                        ),
                    )
                taken[square] = flag

    def has(self, column: int, row: int) -> bool:
        """Whether there is such a square."""
        return 0 <= column < self.columns and 0 <= row < self.rows

    def flags(self, players: int) -> tuple[str, ...]:
        """The flags' squares for so many players, none if the board is not made for them."""
        return {2: self.two, 3: self.three, 4: self.four}.get(players, ())

    def soldiers(self, flag: str) -> list[str]:
        """Where the soldiers of the camp round this flag stand, on the board or beyond its edge."""
        spots = [(x, y, sign) for y, line in enumerate(self.camp) for x, sign in enumerate(line)]
        fx, fy = next((x, y) for x, y, sign in spots if sign == "F")
        column, row = place(flag)
        return [name(column + x - fx, row + fy - y) for x, y, sign in spots if sign == "s"]

    @classmethod
    def load(cls, file: Path) -> Board:
        """A host's own board. Raises BadFile."""
        return load_toml(file, cls)


def name(column: int, row: int) -> str:
    """A square as players write it; beyond the edge a name that no board has."""
    return f"{COLUMNS[column]}{row + 1}" if 0 <= column < len(COLUMNS) else f"?{row + 1}"


def place(square: str) -> tuple[int, int]:
    """Column and row of a square, from 0; the opposite of `name`."""
    return COLUMNS.find(square[0]), int(square[1:]) - 1


class Ground:
    """A board made ready for the rules. Squares are numbered from 0, row by row from A1."""

    def __init__(self, board: Board) -> None:
        self.board = board
        spots = [(column, row) for row in range(board.rows) for column in range(board.columns)]
        self.names = tuple(name(*spot) for spot in spots)
        self.number = {square: n for n, square in enumerate(self.names)}
        # near[square]: the squares a step away
        self.near = tuple(
            tuple(
                self.number[name(column + dx, row + dy)]
                for dx, dy in ((0, 1), (1, 0), (0, -1), (-1, 0))
                if board.has(column + dx, row + dy)
            )
            for column, row in spots
        )
        # steps[square]: where each step leads, and the action that makes it
        self.steps = tuple(
            tuple((end, Step(self.names[start], self.names[end])) for end in ends)
            for start, ends in enumerate(self.near)
        )
        # far[one][other]: how many steps apart two squares are, obstacles ignored
        self.far = tuple(tuple(abs(c - x) + abs(r - y) for x, y in spots) for c, r in spots)
        # flags[players], camps[players]: by seat
        self.flags = {
            players: tuple(self.number[flag] for flag in board.flags(players))
            for players in (2, 3, 4)
            if board.flags(players)
        }
        self.camps = {
            players: tuple(
                tuple(sorted(self.number[square] for square in board.soldiers(self.names[flag]))) for flag in flags
            )
            for players, flags in self.flags.items()
        }

    def quarters(self, players: int) -> tuple[int, ...]:
        """By how many quarters, clockwise, each seat turns the board to have its camp where the first seat's is.

        All are -1 where the seats do not sit so around the board that all others then have their places too.
        """
        board, flags = self.board, [place(self.names[flag]) for flag in self.flags[players]]
        turned, (column, row) = [], flags[0]
        if board.columns != board.rows or 4 % players:
            return (-1,) * players
        for seat in range(players):
            if flags[seat] != (column, row):
                return (-1,) * players
            turned.append(4 // players * seat)
            for _ in range(4 // players):  # to where the next seat sits, counter-clockwise
                column, row = board.columns - 1 - row, column
        return tuple(turned)


@lru_cache(maxsize=64)  # others' boards come and go
def ground(board: BoardName | Board) -> Ground:
    """The ground of a shipped board by its name, or of a host's own."""
    return Ground(load_toml(DATA / f"{board}.toml", Board) if isinstance(board, str) else board)
