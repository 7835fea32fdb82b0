"""What there is to play: the games, their options, and their rules pages."""

from __future__ import annotations

from typing import Annotated, Any

import msgspec
from litestar import Controller, Request, Response, get, post
from litestar.exceptions import NotFoundException
from litestar.openapi.spec import Example
from litestar.params import Body, FromPath, FromQuery, JSONBody
from msgspec import Meta, Struct

from astragal.analysis.puzzles import has_puzzles
from astragal.bots import own
from astragal.bots.levels import PERFECT_LEVEL, levels, offered, unfamiliar
from astragal.core import lesson as lessons
from astragal.core import options, pages, registry
from astragal.core.bounds import MOST_BYTES
from astragal.core.language import say
from astragal.core.levels import PERFECT, Level, level_name
from astragal.core.rules import Game
from astragal.core.types import BadOptions, check_players
from astragal.server import rules_pages, wire
from astragal.server.access import allow_upload, household_of, lang_of
from astragal.server.api_hall import of_host
from astragal.server.setup import PHRASES
from astragal.server.table_maker import TableOffer


class OptionField(Struct, frozen=True, kw_only=True):
    """One house rule, as a form needs it."""

    name: str
    label: str
    default: Any
    shape: str  # what may be written for it: `1-7`, `royal|lanes|FILE`, `on|off`
    switch: bool
    words: tuple[Any, ...]
    low: int | None
    high: int | None
    numbers: int
    file: bool  # whether a whole struct may be given, as from a file
    each: OptionField | None


class BotInfo(Struct, frozen=True, kw_only=True):
    """An opponent; its seat is written `bot:` and its id."""

    id: str
    level: str
    name: str
    character: str
    others: tuple[str, ...]  # who else plays like that, for tables with several bots of one level
    rating: int | None  # fixed; null: no rated match with it


class GameInfo(Struct, frozen=True, kw_only=True):
    """A game, for choosing and setting it up."""

    id: str
    title: str
    summary: str
    version: int
    players: tuple[int, ...]
    hidden: bool
    private: bool
    open_actions: bool
    presets: dict[str, Any]
    options: tuple[OptionField, ...]
    bots: tuple[BotInfo, ...]
    perfect: BotInfo | None  # plays from a table of exact values, if there is one: see `opponents`
    seats: tuple[str, ...]  # what the seats are called
    questions: tuple[tuple[str, str], ...]  # what may be asked about the table, and what each tells
    puzzles: bool  # whether there are any
    explorable: bool  # whether positions can be set up and weighed


class Rules(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The rules of a match that somebody thinks of, as a new match takes them."""

    preset: wire.Text | None = None
    options: dict[str, Any] = {}
    players: Annotated[int, Meta(ge=1, le=wire.MOST)] | None = None  # as few as the game allows


class Opponents(Struct, frozen=True, kw_only=True):
    """Who plays by these rules. `table` is for the host of a hall: what the perfect bot would need to play too."""

    bots: tuple[BotInfo, ...]
    table: TableOffer | None = None
    unfamiliar: str | None = None  # a sentence, where no network knows these rules and bots go by something else


class LessonPreview(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A step of a lesson, and what its learner thinks of doing there."""

    page: Annotated[int, Meta(ge=0, le=wire.MOST)]  # from 0
    step: Annotated[int, Meta(ge=0, le=wire.MOST)] = 0  # from 0
    actions: Annotated[tuple[wire.Text, ...], Meta(max_length=50)]


class Ahead(Struct, frozen=True, kw_only=True):
    """What the learner would see then."""

    view: Any


class OwnFile(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A file of a host's own: a board, a layout, a deck of cards."""

    name: Annotated[str, Meta(min_length=1, max_length=120)]
    content: Annotated[str, Meta(max_length=MOST_BYTES)]


class ReadFile(Struct, frozen=True, kw_only=True):
    """What the file holds, as an option of a new match takes it."""

    title: str
    value: Any


_OWN = OwnFile(name="plain.toml", content='name = "plain"\ncolumns = 5\nrows = 5\ncamp = ["sFs"]\ntwo = ["C1", "C5"]\n')


class GamesApi(Controller):
    """The games."""

    path = "/api"
    tags = ("games",)

    @get("/games", summary="Every game with its options, presets and bots", operation_id="games")
    async def games(self, request: Request[Any, Any, Any]) -> list[GameInfo]:
        lang = lang_of(request)
        return [_info(game, lang) for game in registry.games().values()]

    @get("/games/{id:str}", summary="One game", operation_id="game")
    async def game(self, request: Request[Any, Any, Any], id: FromPath[str]) -> GameInfo:
        return _info(registry.game(id), lang_of(request))

    @post(
        "/games/{id:str}/opponents",
        summary="Which bots play by some rules: the perfect one only where its table is there",
        operation_id="opponents",
        status_code=200,
    )
    async def opponents(self, request: Request[Any, Any, Any], id: FromPath[str], data: JSONBody[Rules]) -> Opponents:
        game, lang = registry.game(id), lang_of(request)
        request.app.state.allow_seat("opponents", household_of(request))
        chosen = options.build(game.rules, data.preset, data.options)
        count = data.players or min(game.rules.spec.players)
        check_players(game.rules.spec, count)
        hall = of_host(request)
        table = None if hall is None or game.index is None else await hall.tables.offer(game, chosen, lang)
        note = unfamiliar(game, chosen, count)
        return Opponents(
            bots=tuple(_bot(level, bot, lang) for level, bot in offered(game, chosen).items()),
            table=table,
            unfamiliar=None if note is None else note.to(lang),
        )

    @get(
        "/games/{id:str}/rules", summary="The rules page as HTML, or as Markdown (?form=markdown)", operation_id="rules"
    )
    async def rules(
        self, request: Request[Any, Any, Any], id: FromPath[str], form: FromQuery[str] = "html"
    ) -> Response[str]:
        game, lang = registry.game(id), lang_of(request)
        page = pages.page(game, lang)
        if form == "markdown":
            return Response(page, media_type="text/markdown; charset=utf-8")
        return Response(rules_pages.html(game, page, lang), media_type="text/html; charset=utf-8")

    @get("/games/{id:str}/lesson", summary="The lesson of a game, page by page", operation_id="lesson")
    async def lesson(self, request: Request[Any, Any, Any], id: FromPath[str]) -> tuple[lessons.Page, ...]:
        return lessons.pages(registry.game(id), lang_of(request))

    @post(
        "/games/{id:str}/lesson/preview",
        summary="What a learner would see after some actions at a step of the lesson",
        operation_id="lessonPreview",
        status_code=200,
    )
    async def lesson_preview(self, id: FromPath[str], data: JSONBody[LessonPreview]) -> Ahead:
        try:
            return Ahead(view=lessons.foresee(registry.game(id), data.page, data.step, data.actions))
        except IndexError:
            raise NotFoundException from None

    @get("/games/{id:str}/diagrams/{name:str}", summary="A diagram of a rules page as SVG", operation_id="diagram")
    async def diagram(self, request: Request[Any, Any, Any], id: FromPath[str], name: FromPath[str]) -> Response[str]:
        drawn = registry.game(id).diagrams(lang_of(request))
        chosen = drawn.get(name.removesuffix(".svg"))
        if chosen is None:
            raise NotFoundException
        return Response(chosen.svg, media_type="image/svg+xml")

    @post(
        "/games/{id:str}/options/{option:str}/file",
        summary="Read a file for an option: whether it is good, and what to send with a new match",
        operation_id="ownFile",
        status_code=200,
        request_max_body_size=MOST_BYTES * 5 // 4,  # quotes and line breaks take two letters in JSON
        before_request=allow_upload,
    )
    async def own_file(
        self,
        request: Request[Any, Any, Any],
        id: FromPath[str],
        option: FromPath[str],
        data: Annotated[OwnFile, Body(examples=[Example(value=msgspec.to_builtins(_OWN))])],
    ) -> ReadFile:
        known = {field.name: field for field in options.fields(registry.game(id).rules)}
        if option not in known:
            raise BadOptions(
                option, say("{game} has no such option; it has {options}", game=id, options=", ".join(known))
            )
        checks = request.app.state.checks
        title, value = await checks.read_file(household_of(request), id, option, data.content, data.name)
        return ReadFile(title=title, value=value)

    @get("/phrases", summary="What can be said without typing", operation_id="phrases")
    async def phrases(self, request: Request[Any, Any, Any]) -> dict[str, str]:
        lang = lang_of(request)
        return {key: say(phrase).to(lang) for key, phrase in PHRASES.items()}


def _info(game: Game, lang: str) -> GameInfo:
    rules, spec = game.rules, game.rules.spec
    return GameInfo(
        id=spec.id,
        title=say(spec.title).to(lang),
        summary=say(spec.summary).to(lang),
        version=spec.version,
        players=spec.players,
        hidden=spec.hidden,
        private=spec.private,
        open_actions=spec.open_actions,
        presets={name: msgspec.to_builtins(preset) for name, preset in rules.presets.items()},
        options=tuple(_field(field, lang) for field in options.fields(rules)),
        bots=tuple(_bot(id, bot, lang) for id, bot in {**levels(game), **own.levels(game)}.items()),
        perfect=None if game.index is None else _bot(PERFECT, PERFECT_LEVEL, lang),
        seats=tuple(game.presentation.seat_name(seat, lang) for seat in range(max(spec.players))),
        questions=game.presentation.questions(lang),
        puzzles=has_puzzles(game),
        explorable=game.index is not None,
    )


def _bot(id: str, level: Level, lang: str) -> BotInfo:
    return BotInfo(
        id=id,
        level=level_name(id).to(lang),
        name=level.name,
        character=say(level.character).to(lang),
        others=level.others,
        rating=level.rating,
    )


def _field(field: options.Field, lang: str) -> OptionField:
    return OptionField(
        name=field.name,
        label=say(field.help).to(lang) if field.help else field.name,
        default=msgspec.to_builtins(field.default),
        shape=field.shape,
        switch=isinstance(field.default, bool),
        words=field.words,
        low=field.low,
        high=field.high,
        numbers=field.numbers,
        file=field.file_type is not None,
        each=None if field.each is None else _field(field.each, lang),
    )
