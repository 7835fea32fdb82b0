"""Puzzles as people meet them: the puzzle of a day, one of a wanted difficulty, and the grade of a try.

It needs only what is stored with a puzzle, so nothing here searches or imports NumPy.
"""

from __future__ import annotations

import hashlib
from collections.abc import Collection, Sequence
from datetime import date
from random import Random
from typing import Any, Literal

from msgspec import Struct

from astragal.core import options as option_values
from astragal.core import puzzle as files
from astragal.core.language import say
from astragal.core.puzzle import Difficulty, Puzzle, PuzzleKinds, PuzzleSet
from astragal.core.rules import Game
from astragal.core.types import AstragalError

NEAR, BLUNDER = 0.04, 0.1  # a try that loses less is near, one that loses as much is a blunder
Grade = Literal["solved", "near", "mistake", "blunder"]


class NoPuzzles(AstragalError):
    """A game without puzzles, or without the one that was asked for."""


class Graded(Struct, frozen=True, kw_only=True):
    """What a try was worth. Values are shares of the win."""

    grade: Grade
    value: float
    loss: float  # less than the best action, by so much


def kinds_of(game: Game) -> PuzzleKinds:
    """What a game says about its puzzles. Raises NoPuzzles."""
    if game.puzzles is None or not has_puzzles(game):
        raise NoPuzzles(say("there are no puzzles of {game}", game=game.id))
    return game.puzzles


def has_puzzles(game: Game) -> bool:
    """Whether a game brings puzzles."""
    return game.puzzles is not None and game.puzzles.file.exists()


def set_of(game: Game) -> PuzzleSet:
    """All puzzles of a game. Raises NoPuzzles, and BadPuzzles if the file is damaged."""
    found = files.kept(kinds_of(game).file)
    if (found.game, found.version) != (game.id, game.rules.spec.version):
        raise NoPuzzles(say("the puzzles of {game} are for version {version} of its rules", game=game.id,
                            version=found.version))  # fmt: skip
    return found


def named(game: Game, id: str) -> Puzzle:
    """The puzzle of this id. Raises NoPuzzles."""
    for puzzle in set_of(game).puzzles:
        if puzzle.id == id:
            return puzzle
    raise NoPuzzles(say("there is no puzzle {id!r} of {game}", id=id, game=game.id))


def of_the_day(game: Game, day: date) -> Puzzle:
    """The same for everybody on one day: all puzzles in turn, in an order that looks random."""
    shuffled = sorted(set_of(game).puzzles, key=lambda puzzle: hashlib.blake2b(puzzle.id.encode()).digest())
    return shuffled[day.toordinal() % len(shuffled)]


def next_of(game: Game, difficulty: Difficulty | None, seen: Collection[str], *, start: int = 0) -> Puzzle:
    """A puzzle of this difficulty that was not seen yet; once all were, any. `start` is drawn by the caller."""
    fitting = [puzzle for puzzle in set_of(game).puzzles if difficulty in (None, puzzle.difficulty)]
    if not fitting:
        raise NoPuzzles(say("there are no puzzles of {game}", game=game.id))
    unseen = [puzzle for puzzle in fitting if puzzle.id not in seen] or fitting
    return unseen[start % len(unseen)]


def state_of(game: Game, puzzle: Puzzle) -> Any:
    """The position of a puzzle."""
    rules = set_of(game).rules[puzzle.rules]
    options = option_values.convert(game.rules, rules.options)
    return game.rules.from_position(puzzle.position, options, rules.players)


def foresee(game: Game, puzzle: Puzzle, texts: Sequence[str]) -> Any:
    """What the seat that is asked would see after these actions of its own, as far as it can know that.

    Raises what the rules object to, and NoPuzzles where something happens in between.
    """
    rules, state = game.rules, state_of(game, puzzle)
    seat = rules.turn(state)
    state = rules.resample(rules.observe(state, seat), Random(0))  # noqa: S311  any will do that looks the same
    for text in texts:
        if rules.turn(state) != seat:
            raise NoPuzzles(say("before {text!r} something happens that nobody can foresee", text=text))
        state = rules.apply(state, rules.decode(state, text))
    return rules.observe(state, seat)


def grade(puzzle: Puzzle, action: str) -> Graded:
    """What a try is worth. Raises NoPuzzles for what is no action of the puzzle."""
    value = puzzle.value(action)
    if value is None:
        raise NoPuzzles(say("{action} is not possible in this puzzle", action=action))
    loss = max(0.0, puzzle.values[0][1] - value)
    if action == puzzle.best:
        return Graded(grade="solved", value=value, loss=0.0)
    given: Grade = "near" if loss < NEAR else "mistake" if loss < BLUNDER else "blunder"
    return Graded(grade=given, value=value, loss=loss)


def difficulties(puzzles: Sequence[Puzzle]) -> dict[Difficulty, int]:
    """How many puzzles there are of each difficulty."""
    return {one: sum(puzzle.difficulty == one for puzzle in puzzles) for one in files.DIFFICULTIES}
