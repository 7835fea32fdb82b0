"""The application: the parts put together, started and stopped."""

from __future__ import annotations

import asyncio
import contextlib
import gc
import signal
import sys
from collections.abc import AsyncIterator
from typing import Any

from litestar import Litestar, Request, Response, Router
from litestar.datastructures import State
from litestar.di import Provide
from litestar.exceptions import ClientException, HTTPException
from litestar.openapi import OpenAPIConfig
from litestar.openapi.plugins import JsonRenderPlugin
from litestar.routes import BaseRoute
from litestar.types import ControllerRouterHandler

import astragal
from astragal.core import registry
from astragal.core.language import say
from astragal.core.types import AstragalError
from astragal.server import auth, hall_socket, keys, live_socket, metrics, setup, store_file, wire
from astragal.server.access import lang_of
from astragal.server.api_explore import ExploreApi
from astragal.server.api_games import GamesApi
from astragal.server.api_hall import HallApi
from astragal.server.api_host import HostApi
from astragal.server.api_matches import MatchesApi
from astragal.server.api_meeting import MeetingApi
from astragal.server.api_players import PlayersApi
from astragal.server.api_puzzles import PuzzlesApi
from astragal.server.api_ratings import RatingsApi
from astragal.server.api_reminders import RemindersApi
from astragal.server.api_reviews import ReviewsApi
from astragal.server.api_server import ServerApi, documentation, web_pages
from astragal.server.api_stream import stream
from astragal.server.api_tournaments import TournamentsApi
from astragal.server.bot_pool import BotPool
from astragal.server.checks import Checks
from astragal.server.gate import Gate
from astragal.server.hall_feed import HallFeed
from astragal.server.hall_socket import Offers
from astragal.server.housekeeping import Housekeeper
from astragal.server.limits import Limits
from astragal.server.load import LoadMeter
from astragal.server.problems import Problem, document
from astragal.server.quotas import Quotas
from astragal.server.rate_limit import RateLimit, SeatLimit
from astragal.server.ratings import Ratings
from astragal.server.reminders import Reminders
from astragal.server.reviews import Reviews
from astragal.server.rooms import Rooms
from astragal.server.scheduler import Scheduler
from astragal.server.sessions import Sessions
from astragal.server.settings import Settings
from astragal.server.skills import Skills
from astragal.server.store import Store
from astragal.server.tournament_reports import Reports
from astragal.server.tournament_runner import TournamentRunner
from astragal.server.tournaments import Tournaments

AnyRequest = Request[Any, Any, Any]
HUNG_UP = "client disconnected prematurely"  # Litestar's text for it; nothing failed, and nobody reads an answer
DAY = 86_400  # seconds
SWITCH = 0.0003  # seconds that the event loop may keep the interpreter while the writer waits for it
HOST_TRIES = 20  # wrong secrets of the host's page a minute from one address
CONFIRMATIONS = 2  # mails a minute that one address may have sent to confirm another
FAREWELL = 0.3  # seconds between the farewell and the end


class _Request(Request[Any, Any, Any]):
    """A request whose body is refused (400) for every reason why it cannot be decoded."""

    async def json(self) -> Any:
        """What the body holds."""
        try:
            return await super().json()
        except (UnicodeDecodeError, RecursionError) as error:  # not UTF-8; nested too deeply
            raise ClientException(detail=type(error).__name__) from None


class _SchemaRouter(Router):
    """Litestar's router for the OpenAPI page, without its HTML for every other address under /api."""

    def register(self, value: ControllerRouterHandler) -> list[BaseRoute]:
        """Leaves out the router's own page for unknown addresses, so that ours answers."""
        paths = getattr(value, "paths", ())
        return [] if any("{" in path for path in paths) else super().register(value)


class _Application(Litestar):
    """The framework's application, and below it those of the sockets, of matches and of the hall."""

    async def __call__(self, scope: Any, receive: Any, send: Any) -> None:
        address = live_socket.ADDRESS.fullmatch(scope["path"]) if scope["type"] == "websocket" else None
        state = self.state
        if scope["type"] == "websocket" and scope["path"] == hall_socket.PATH:
            await hall_socket.serve(state.rooms, state.feed, state.offers, state.allow_seat, scope, send)
        elif address is None:
            await super().__call__(scope, receive, send)
        else:
            await live_socket.follow(state.rooms, state.allow_seat, address[1], scope, send)


def create(settings: Settings | None = None) -> Gate:
    """The whole server as an ASGI application; uvicorn's workers call it without settings."""
    chosen = settings or Settings.inherit()
    metrics.start_log()
    app = _Application(
        route_handlers=[
            GamesApi,
            MatchesApi,
            PlayersApi,
            RatingsApi,
            TournamentsApi,
            ExploreApi,
            PuzzlesApi,
            ReviewsApi,
            ServerApi,
            HallApi,
            HostApi,
            MeetingApi,
            RemindersApi,
            stream,
            *documentation(),
            *web_pages(),
        ],
        lifespan=[lambda app: _running(app, chosen)],
        dependencies={"rooms": Provide(_rooms, sync_to_thread=False)},
        exception_handlers={AstragalError: _explain, HTTPException: _explain, Exception: _explain},
        request_class=_Request,
        request_max_body_size=wire.MOST_BYTES,
        openapi_config=OpenAPIConfig(
            title="Astragal",
            version=astragal.__version__,
            description="Board games on a server. Errors are problem+json with a stable `code`; see /api/problems.",
            openapi_router=_SchemaRouter("/api", route_handlers=[], include_in_schema=False),
            render_plugins=[JsonRenderPlugin(path="/openapi.json")],
        ),
        logging_config=None,
        debug=False,
    )
    gate = Gate(app, chosen)
    app.state.gate = gate
    return gate


def _rooms(state: State) -> Rooms:
    rooms: Rooms = state.rooms
    return rooms


@contextlib.asynccontextmanager
async def _running(app: Litestar, settings: Settings) -> AsyncIterator[None]:
    """Everything that lives as long as the application: opens the store, starts all parts, stops them in order."""
    with contextlib.ExitStack() as stack:
        lock = store_file.lock(settings.url)
        if lock is not None:
            stack.callback(lock.close)
        store = await Store.open(settings.url)
        store.logs.group_size = metrics.group_size.observe
        await asyncio.to_thread(_warm)
        _tune_garbage_collector()
        sys.setswitchinterval(SWITCH)
        bot_pool = BotPool(settings.bot_processes, settings.think_seconds)
        checks = Checks(settings.check_queue, settings.check_seconds)
        gate: Gate = app.state.gate
        rooms = Rooms(store)
        app.state.ratings = ratings = Ratings(rooms)
        scheduler = Scheduler(rooms, bot_pool, ratings)
        await keys.load(store)  # makes one at the first start
        salt = await store.fact("salt", auth.new_secret())
        gate.door = await asyncio.to_thread(auth.Door, settings.password, salt.encode())
        app.state.rooms = rooms
        app.state.feed = feed = HallFeed(rooms)
        app.state.sessions = rooms.sessions = Sessions(await store.fact("player_sessions", auth.new_secret()))
        app.state.bot_pool = bot_pool
        app.state.checks = checks
        app.state.reviews = reviews = Reviews(bot_pool)
        skills = Skills(rooms, reviews)
        app.state.quotas = quotas = Quotas(gate.limits, salt, store.clock)
        app.state.one_address = settings.one_address
        app.state.tournaments = tournaments = Tournaments(rooms)
        app.state.tournament_reports = Reports(rooms)
        app.state.tournament_runner = tournament_runner = TournamentRunner(tournaments, quotas)
        app.state.uploads = RateLimit(settings.uploads)
        app.state.new_players = RateLimit(0, 2 * DAY)
        app.state.confirmations = RateLimit(CONFIRMATIONS)
        app.state.host_tries = RateLimit(HOST_TRIES)
        app.state.load_meter = load_meter = LoadMeter()
        app.state.allow_seat = SeatLimit(settings.seat_rate)
        gate.limits.follow(lambda limits: _set_limits(app.state, limits))
        app.state.reminders = reminders = await Reminders.load(rooms, settings)
        app.state.offers = Offers(push_key=reminders.push.public_key, mail=reminders.post is not None)
        more = (ratings.settle_open, skills.go_on)
        app.state.housekeeper = housekeeper = Housekeeper(rooms, scheduler, gate, feed, more, tournaments.held.clear)
        await housekeeper.start()
        feed.start()
        reminders.start()
        load_meter.start()
        tournament_runner.start()
        _say_farewell_on_signals(rooms, feed)
        metrics.logger.info("ready", extra={"database": settings.url.split("@")[-1], "version": astragal.__version__})
        try:
            yield
        finally:
            feed.farewell()
            rooms.farewell()
            await load_meter.stop()
            await tournament_runner.stop()
            await reminders.stop()
            await feed.stop()
            await housekeeper.stop()
            await skills.close()
            await rooms.drain()
            await reviews.close()
            bot_pool.close()
            checks.close()
            with contextlib.suppress(AstragalError):  # the log has it
                await rooms.heartbeat.stop()
            await store.close()
            metrics.logger.info("stopped")


def _set_limits(state: State, limits: Limits) -> None:
    """The limits that the gate does not see to; `Quotas` and the housekeeper ask each time."""
    state.uploads.set(limits.uploads)
    state.new_players.set(2 * limits.daily_players)  # in two days, so that all of a day's may come at once
    state.allow_seat.set(limits.seat_rate)
    state.checks.most = limits.check_queue


def _warm() -> None:
    """Games that prepare something at first use do it now, not when somebody waits."""
    for game in registry.games().values():
        for preset in game.rules.presets.values():
            game.rules.initial(preset, min(game.rules.spec.players))
    for lang in ("de", "es"):
        say(next(iter(setup.PHRASES.values()))).to(lang)


def _tune_garbage_collector() -> None:
    """Keeps pauses short: matches in memory are very many objects without cycles, and a full collection visits all.

    What exists now is never visited again; new objects are visited in small lots, old ones rarely.
    """
    gc.collect()
    gc.freeze()
    gc.set_threshold(5_000, 10, 500)


def _say_farewell_on_signals(rooms: Rooms, feed: HallFeed) -> None:
    """Clients hear that the server goes down, and a moment later uvicorn closes their sockets."""
    loop = asyncio.get_running_loop()

    def say_farewell(leave: Any, sig: int) -> None:
        feed.farewell()
        rooms.farewell()
        loop.call_later(FAREWELL, leave, sig, None)

    for number in (signal.SIGTERM, signal.SIGINT):
        before = signal.getsignal(number)

        def on_signal(sig: int, frame: Any, before: Any = before) -> None:
            if not rooms.closing and callable(before):
                loop.call_soon_threadsafe(say_farewell, before, sig)
            elif callable(before):  # a second signal: stop at once
                before(sig, frame)

        with contextlib.suppress(ValueError):  # not the main thread, as in tests
            signal.signal(number, on_signal)


_BY_STATUS = {401: "wrong_secret", 403: "forbidden", 404: "not_found", 405: "method", 413: "too_large", 429: "too_many"}


def _explain(request: AnyRequest, error: Exception) -> Response[Any]:
    """Any error as problem+json; what went wrong inside stays in the log."""
    lang = lang_of(request)
    if isinstance(error, AstragalError):
        known = error
    elif isinstance(error, HTTPException) and error.status_code < 500:
        known = _of_library(error)
    elif isinstance(error, HTTPException) and error.detail == HUNG_UP:
        known = Problem("malformed", say("the request ended before it was complete"))
    else:
        metrics.logger.error("a request failed", exc_info=error, extra={"path": request.url.path})
        known = Problem("internal", say("something went wrong here; it is in the log"))
    problem = document(known, lang)
    metrics.refusals.labels(problem["code"]).inc()
    headers = dict(error.headers or {}) if isinstance(error, HTTPException) else {}
    if isinstance(known, Problem) and known.retry_after is not None:
        headers["retry-after"] = str(known.retry_after)
    return Response(problem, status_code=problem["status"], media_type="application/problem+json", headers=headers)


def _of_library(error: HTTPException) -> Problem:
    """What Litestar refuses before we see it."""
    code = _BY_STATUS.get(error.status_code, "malformed")
    if code == "not_found":
        return Problem(code, say("there is nothing at this address"))
    if code == "method":
        return Problem(code, say("this cannot be done at this address"))
    if code == "too_large":
        return Problem(code, say("the request is too large"))
    extra = getattr(error, "extra", None)
    faults = extra if isinstance(extra, list) else []
    said = "; ".join(f"{fault.get('key', '')}: {fault.get('message', '')}".strip(": ") for fault in faults)
    return Problem(code, say("this request is not as it should be: {reason}", reason=said or error.detail))
