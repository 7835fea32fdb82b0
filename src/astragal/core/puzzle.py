"""Puzzles: positions with one best action that is not the obvious one, and what every action is worth.

A game brings a file of them in its data folder, which `tools/puzzles.py` makes, and names the kinds (`PuzzleKinds`).
Nothing here needs more than the file.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Any, Literal

import msgspec
from msgspec import Struct

from astragal.core.language import noted, say
from astragal.core.levels import LEVELS
from astragal.core.types import AstragalError

FORMAT = "astragal puzzles 1"
Difficulty = Literal["easy", "medium", "hard"]
DIFFICULTIES: tuple[Difficulty, ...] = ("easy", "medium", "hard")
DIFFICULTY_NAMES: Mapping[Difficulty, str] = {
    "easy": noted("easy"),
    "medium": noted("medium"),
    "hard": noted("hard"),
}
MASTER = LEVELS.index("master")
OFTEN = 0.5


class BadPuzzles(AstragalError):
    """A file of puzzles that cannot be used."""


class PuzzleJudge(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Where the values of some puzzles come from."""

    source: Literal["table", "search"]
    version: str  # the table's checksum, or the search with its settings
    exact: bool
    error: float = 0.0  # the standard error of a value, as a share of the win, where it is an estimate


class PuzzleRules(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """What some puzzles of a file have in common."""

    options: dict[str, Any]
    players: int
    judge: PuzzleJudge


class Puzzle(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A position in which somebody has to choose. The one that is to act in it is the one that is asked."""

    id: str
    rules: int  # the place of its `PuzzleRules` in the set
    position: str  # as `Rules.position` writes it
    kind: str  # one of the game's `PuzzleKinds.names`
    values: tuple[tuple[str, float], ...]  # every legal action, the best first, with what it is worth to the seat
    tempting: str  # what a greedy player does
    fails: tuple[float, ...]  # how often each of LEVELS fails without a network, from 0 to 1

    @property
    def difficulty(self) -> Difficulty:
        """By how the master fares without its network, with little time and with much: fails never, seldom, often."""
        fails = self.fails[MASTER]
        return "easy" if fails == 0 else "medium" if fails < OFTEN else "hard"

    @property
    def best(self) -> str:
        return self.values[0][0]

    def value(self, action: str) -> float | None:
        """What an action is worth; None if it is not one of this position."""
        return next((value for one, value in self.values if one == action), None)


class PuzzleSet(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The puzzles of a game."""

    format: str = FORMAT
    game: str
    version: int  # of the game's rules
    rules: tuple[PuzzleRules, ...]
    puzzles: tuple[Puzzle, ...]


@dataclass(frozen=True)
class PuzzleKinds:
    """What a game says about its puzzles, and where they are."""

    names: Mapping[str, str]  # kind -> what it is about, in English, a key of the catalogue
    kind: Callable[[Any, Any, Any], str]  # kind(state, best action, tempting action)
    file: Path


def id_of(position: str, options: Mapping[str, Any]) -> str:
    """The id of a puzzle, the same for the same position under the same options."""
    plain = msgspec.json.encode([position, options], order="deterministic")
    return hashlib.blake2b(plain, digest_size=4).hexdigest()


def read(file: Path) -> PuzzleSet:
    """The puzzles of a file. Raises BadPuzzles."""
    try:
        puzzles = msgspec.json.decode(file.read_bytes(), type=PuzzleSet)
    except OSError as error:
        raise BadPuzzles(say("{file} cannot be read: {reason}", file=str(file), reason=error.strerror or "")) from None
    except msgspec.MsgspecError as error:
        raise BadPuzzles(say("{file} is no file of puzzles: {reason}", file=str(file), reason=str(error))) from None
    if puzzles.format != FORMAT:
        raise BadPuzzles(say("{file} is of a newer kind: {format}", file=str(file), format=puzzles.format))
    return puzzles


def write(file: Path, puzzles: PuzzleSet) -> None:
    """Writes a file of puzzles, one a line."""
    head = msgspec.json.encode(msgspec.structs.replace(puzzles, puzzles=()))
    lines = b",\n".join(msgspec.json.encode(puzzle) for puzzle in puzzles.puzzles)
    file.write_bytes(head.removesuffix(b"[]}") + b"[\n" + lines + b"\n]}\n")


@lru_cache(maxsize=16)
def kept(file: Path) -> PuzzleSet:
    """The same as `read`, read once."""
    return read(file)
