"""Puzzles over HTTP. What is best is told only in answer to a try."""

from __future__ import annotations

from datetime import UTC, date, datetime
from typing import Annotated, Any

from litestar import Controller, Request, get, post
from litestar.params import FromPath, FromQuery, JSONBody
from msgspec import Meta, Struct

from astragal.analysis import puzzles
from astragal.analysis.puzzle_sheet import PuzzleAnswer, PuzzleTask, answer, task
from astragal.core import registry
from astragal.core.puzzle import Difficulty
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


class PuzzleTry(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """What somebody would do."""

    action: wire.Text


class PuzzleAhead(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """What somebody thinks of doing, one action after the other."""

    actions: Annotated[tuple[wire.Text, ...], Meta(max_length=50)]


class PuzzleSight(Struct, frozen=True, kw_only=True):
    """What the seat would see then."""

    view: Any


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
