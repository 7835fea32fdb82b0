"""A puzzle as it is put to somebody, and the answer to a try: what the terminal and the browser show of it."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from msgspec import Struct

from astragal.analysis import puzzles
from astragal.analysis.explored import can_explore
from astragal.analysis.puzzle_words import explained
from astragal.core import options as option_values
from astragal.core.language import say
from astragal.core.levels import LEVELS, level_name
from astragal.core.puzzle import Difficulty, Puzzle
from astragal.core.rules import Game


class PuzzleAction(Struct, frozen=True):
    """Something that can be done in a puzzle: its notation, and what it means."""

    text: str
    label: str


class PuzzleTask(Struct, frozen=True, kw_only=True):
    """A puzzle without its answer, as the seat that is asked sees it."""

    id: str
    game: str
    difficulty: Difficulty
    seat: int
    seats: tuple[str, ...]  # what the seats are called
    view: Any
    plain: str  # the same in whole sentences
    actions: tuple[PuzzleAction, ...]
    rules: tuple[str, ...]  # house rules that are not the usual ones, in words


class PuzzleValue(Struct, frozen=True, kw_only=True):
    """An action, and the share of the win that it is worth."""

    text: str
    label: str
    value: float


class PuzzleFails(Struct, frozen=True, kw_only=True):
    """How often a level of bots fails at a puzzle."""

    level: str
    share: float


class PuzzleAnswer(Struct, frozen=True, kw_only=True):
    """The grade of a try, and the answer."""

    grade: puzzles.Grade
    loss: float  # share of the win that the try gives away
    sentences: tuple[str, ...]  # the answer explained
    kind: str
    values: tuple[PuzzleValue, ...]  # every legal action, the best first
    fails: tuple[PuzzleFails, ...]
    exact: bool
    position: str | None  # for the explorer; null where it cannot show it
    options: dict[str, Any]


def task(game: Game, puzzle: Puzzle, lang: str) -> PuzzleTask:
    """A puzzle as it is put to somebody."""
    rules, look, state = game.rules, game.presentation, puzzles.state_of(game, puzzle)
    seat = rules.turn(state)
    view = rules.observe(state, seat)
    return PuzzleTask(
        id=puzzle.id,
        game=game.id,
        difficulty=puzzle.difficulty,
        seat=seat,
        seats=tuple(look.seat_name(one, lang, view) for one in range(rules.players(state))),
        view=view,
        plain=look.plain(view, lang),
        actions=tuple(PuzzleAction(rules.encode(action), look.label(view, action, lang)) for action in view.legal),
        rules=tuple(_house_rules(game, state.options, lang)),
    )


def _house_rules(game: Game, options: Any, lang: str) -> Iterator[str]:
    """What differs from the game's usual rules; who begins makes no difference in the middle of a game."""
    for field in option_values.fields(game.rules):
        value = getattr(options, field.name)
        if field.name != "begins" and value != field.default and field.written(value):
            yield say("{option}: {value}", option=say(field.help), value=field.written(value)).to(lang)


def answer(game: Game, puzzle: Puzzle, action: str, lang: str) -> PuzzleAnswer:
    """The answer to a try. Raises what the rules or the puzzle object to."""
    rules, state = game.rules, puzzles.state_of(game, puzzle)
    tried = rules.encode(rules.decode(state, action))
    graded = puzzles.grade(puzzle, tried)
    view = rules.observe(state, rules.turn(state))
    labels = {rules.encode(one): game.presentation.label(view, one, lang) for one in view.legal}
    told, shared = explained(game, puzzle, tried, lang), puzzles.set_of(game).rules[puzzle.rules]
    return PuzzleAnswer(
        grade=graded.grade,
        loss=graded.loss,
        sentences=tuple(sentence.to(lang) for sentence in told),
        kind=say(puzzles.kinds_of(game).names[puzzle.kind]).to(lang),
        values=tuple(PuzzleValue(text=text, label=labels[text], value=value) for text, value in puzzle.values),
        fails=tuple(
            PuzzleFails(level=level_name(level).to(lang), share=share)
            for level, share in zip(LEVELS, puzzle.fails, strict=True)
        ),
        exact=shared.judge.exact,
        position=puzzle.position if can_explore(game) else None,
        options=shared.options,
    )
