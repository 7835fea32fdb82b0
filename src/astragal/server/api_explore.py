"""The explorer over HTTP, and matches that begin in the middle: at a position, or where another match once stood."""

from __future__ import annotations

from typing import Any

import msgspec
from litestar import Controller, Request, Response, get, post
from litestar.params import FromPath, FromQuery, JSONBody
from msgspec import Struct

from astragal.analysis.explored import Explored, ExploredThrow, check_explorable
from astragal.core import options as option_values
from astragal.core import registry
from astragal.core.language import say
from astragal.core.rules import Game
from astragal.play.continuing import position_at
from astragal.server import creating, setup, wire
from astragal.server.access import MatchId, TheRooms, household_of, lang_of, watcher_of
from astragal.server.api_matches import finished
from astragal.server.checks import Settled
from astragal.server.problems import Problem
from astragal.server.setup import OPEN

AnyRequest = Request[Any, Any, Any]
PATIENCE = 60.0  # seconds for one position; the first may have to compile


class Exploring(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A position to be explored, in the notation of the game; null is the first one, with seat 0 to begin."""

    preset: wire.Text | None = None
    options: dict[str, Any] = {}
    position: wire.Position | None = None


class WeighedAction(Struct, frozen=True, kw_only=True):
    """An action, what it is worth to the seat that acts, and where it leads."""

    text: str
    label: str
    value: float
    position: str


class WeighedThrow(Struct, frozen=True, kw_only=True):
    """A throw, and what can be done with it, the best first."""

    text: str  # empty where the position has its throw already
    label: str
    chance: float
    view: Any  # as the seat sees it that is to act then
    position: str
    choices: tuple[wire.Choice, ...]  # in the order of the view's legal actions
    actions: tuple[WeighedAction, ...]


class Exploration(Struct, frozen=True, kw_only=True):
    """A position with everything that can happen next."""

    position: str
    options: dict[str, Any]
    view: Any  # as a spectator sees it
    plain: str
    seat: int  # whose throw or move it is; -2 if the game is over
    seats: tuple[str, ...]
    value: float  # to this seat
    throws: tuple[WeighedThrow, ...]
    source: str  # table, network or heuristic
    version: str  # of the table, the network, or the weights of the heuristic
    exact: bool
    trust: str  # how far the values can be trusted, in words


class Standing(Struct, frozen=True, kw_only=True):
    """Where a finished match of a game without secrets once stood."""

    game: str
    options: dict[str, Any]
    position: str


class ExploreApi(Controller):
    """The explorer."""

    path = "/api"
    tags = ("explorer",)

    @post(
        "/games/{id:str}/explore",
        summary="What every move of a position is worth, for every throw",
        operation_id="explore",
        status_code=200,
    )
    async def explore(self, request: AnyRequest, id: FromPath[str], data: JSONBody[Exploring]) -> Exploration:
        """For games that can be solved. By a table of exact values where there is one, else by a network or a search:
        `source` and `trust` say which."""
        game, who = registry.game(id), household_of(request)
        check_explorable(game)
        request.app.state.allow_seat("explore", who)
        chosen = msgspec.structs.replace(option_values.build(game.rules, data.preset, data.options), begins=0)
        state = _state(game, data.position, chosen)
        plain = option_values.to_plain(chosen)
        found = await request.app.state.bot_pool.work(
            _explore, game.id, plain, game.rules.position(state), match=f"explore {who}", seconds=PATIENCE
        )
        return _told(game, state, plain, found, lang_of(request))

    @get(
        "/matches/{id:str}/position",
        summary="Where a finished match of a game without secrets once stood",
        operation_id="position",
    )
    async def position(self, request: AnyRequest, rooms: TheRooms, id: MatchId, ply: FromQuery[int]) -> Standing:
        await watcher_of(request, rooms, id)
        record = finished(await rooms.room(id)).record()
        game = registry.game(record.header.game)
        check_explorable(game)
        options = option_values.convert(game.rules, record.header.options, record.header.version)
        return Standing(game=game.id, options=option_values.to_plain(options), position=position_at(record, ply))

    @post(
        "/matches/{id:str}/continue",
        summary="Go on from the middle of a finished match, against bots",
        operation_id="continueMatch",
    )
    async def go_on(
        self, request: AnyRequest, rooms: TheRooms, id: MatchId, data: JSONBody[wire.Continuation]
    ) -> Response[wire.Seated]:
        """A new match with dice of its own, that begins where the other one stood after `ply`. Its record says so."""
        await watcher_of(request, rooms, id)
        before = await rooms.room(id)
        record = finished(before).record()
        if data.seat >= len(record.header.seats):
            raise Problem("not_found", say("there is no seat {seat}", seat=data.seat + 1))
        options = option_values.convert(before.game.rules, record.header.options, record.header.version)
        setup.check_bot(data.bot, before.game, options)
        prepared = msgspec.structs.replace(
            before.setup,
            seats=tuple(OPEN if seat == data.seat else f"bot:{data.bot}" for seat in range(len(record.header.seats))),
            clock="none",
            absence=None,
            more_time=False,
            hints=None,
            pace=data.pace,
            position=position_at(record, data.ply),
        )
        view = setup.first_view(before.game, before.whole(prepared))
        settled = Settled(prepared, before.row.data, view)
        return await creating.open_table(
            request, rooms, settled, listed=False, sit=data.seat, name=data.name, commitment=data.commitment
        )


def _state(game: Game, position: str | None, chosen: Any) -> Any:
    if position is None:
        return game.rules.initial(chosen, 2)
    return game.rules.from_position(position, chosen, 2)


def _explore(id: str, plain: dict[str, Any], position: str) -> Explored:
    """Runs in a thinking process."""
    from astragal.analysis.explore import explore  # brings NumPy and Numba

    game = registry.game(id)
    return explore(game, game.rules.from_position(position, option_values.convert(game.rules, plain), 2))


def _told(game: Game, state: Any, plain: dict[str, Any], found: Explored, lang: str) -> Exploration:
    look, view = game.presentation, game.rules.observe(state, None)
    total = sum(throw.weight for throw in found.throws)
    return Exploration(
        position=found.position,
        options=plain,
        view=view,
        plain=look.plain(view, lang),
        seat=found.seat,
        seats=tuple(look.seat_name(seat, lang, view) for seat in range(2)),
        value=found.value,
        throws=tuple(_throw(game, state, throw, total, lang) for throw in found.throws),
        source=found.judge.source,
        version=found.judge.version,
        exact=found.judge.exact,
        trust=found.judge.trust.to(lang),
    )


def _throw(game: Game, state: Any, found: ExploredThrow, total: int, lang: str) -> WeighedThrow:
    rules, look, label = game.rules, game.presentation, ""
    if found.outcome:
        outcome = rules.decode(state, found.outcome)
        label = look.say(rules.event(state, outcome, None), lang)
        state = rules.apply(state, outcome)
    view = rules.observe(state, rules.turn(state))
    labels = {rules.encode(action): look.label(view, action, lang) for action in view.legal}
    return WeighedThrow(
        text=found.outcome,
        label=label,
        chance=found.weight / total,
        view=view,
        position=found.position,
        choices=tuple(wire.Choice(text, label) for text, label in labels.items()),
        actions=tuple(
            WeighedAction(text=one.action, label=labels[one.action], value=one.value, position=one.position)
            for one in found.actions
        ),
    )
