"""Puzzles over HTTP. What is best is told only in answer to a try."""

from __future__ import annotations

from datetime import UTC, date, datetime
from typing import Annotated, Any

from litestar import Controller, Request, get, post
from litestar.params import FromPath, FromQuery, JSONBody
from msgspec import Meta, Struct

from astragal.analysis import puzzles
from astragal.analysis.explored import can_explore
from astragal.analysis.puzzle_words import explained
from astragal.core import registry
from astragal.core.language import say
from astragal.core.levels import LEVELS, level_name
from astragal.core.puzzle import Difficulty, Puzzle
from astragal.core.rules import Game
from astragal.server import wire
from astragal.server.access import lang_of

AnyRequest = Request[Any, Any, Any]


class PuzzleEntry(Struct, frozen=True, kw_only=True):
    """A puzzle in the list of a game."""

    id: str
    difficulty: Difficulty


class PuzzleList(Struct, frozen=True, kw_only=True):
    """All puzzles of a game, and the one of the day."""

    puzzles: tuple[PuzzleEntry, ...]
    today: str
    day: str


class PuzzleTask(Struct, frozen=True, kw_only=True):
    """A puzzle without its answer, as the seat that is asked sees it."""

    id: str
    game: str
    difficulty: Difficulty
    seat: int
    seats: tuple[str, ...]  # what the seats are called
    view: Any
    plain: str  # the same in whole sentences
    actions: tuple[wire.Choice, ...]


class PuzzleTry(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """What somebody would do."""

    action: wire.Text


class PuzzleAhead(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """What somebody thinks of doing, one action after the other."""

    actions: Annotated[tuple[wire.Text, ...], Meta(max_length=50)]


class PuzzleSight(Struct, frozen=True, kw_only=True):
    """What the seat would see then."""

    view: Any


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


class PuzzlesApi(Controller):
    """Puzzles."""

    path = "/api/games/{id:str}/puzzles"
    tags = ("puzzles",)

    @get("/", summary="Every puzzle of a game, and the one of the day", operation_id="puzzles")
    async def list(self, id: FromPath[str], day: FromQuery[date | None] = None) -> PuzzleList:
        """`day` is the caller's own date; without it the date is that of UTC."""
        game, today = registry.game(id), day or datetime.now(UTC).date()
        entries = (PuzzleEntry(id=one.id, difficulty=one.difficulty) for one in puzzles.set_of(game).puzzles)
        return PuzzleList(puzzles=tuple(entries), today=puzzles.of_the_day(game, today).id, day=today.isoformat())

    @get("/{puzzle:str}", summary="One puzzle, without its answer", operation_id="puzzle")
    async def puzzle(self, request: AnyRequest, id: FromPath[str], puzzle: FromPath[str]) -> PuzzleTask:
        game = registry.game(id)
        found = puzzles.named(game, puzzle)
        return task(game, found, lang_of(request))

    @post("/{puzzle:str}/try", summary="Try an action, and get the answer", operation_id="tryPuzzle", status_code=200)
    async def attempt(
        self, request: AnyRequest, id: FromPath[str], puzzle: FromPath[str], data: JSONBody[PuzzleTry]
    ) -> PuzzleAnswer:
        game = registry.game(id)
        return answer(game, puzzles.named(game, puzzle), data.action, lang_of(request))

    @post(
        "/{puzzle:str}/preview",
        summary="What the seat would see after some actions in a puzzle",
        operation_id="puzzlePreview",
        status_code=200,
    )
    async def preview(self, id: FromPath[str], puzzle: FromPath[str], data: JSONBody[PuzzleAhead]) -> PuzzleSight:
        game = registry.game(id)
        return PuzzleSight(view=puzzles.foresee(game, puzzles.named(game, puzzle), data.actions))


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
        actions=tuple(wire.Choice(rules.encode(action), look.label(view, action, lang)) for action in view.legal),
    )


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
