"""Tournaments over HTTP: to make one, to take part, to follow it, and to lead it.

Whoever made one leads it, by a secret; whoever takes part is known by a key or by a secret of their own. Browsers have
both as cookies for the paths of this tournament.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import AsyncIterator
from typing import Annotated, Any

import msgspec
from litestar import Controller, Request, Response, delete, get, post
from litestar.datastructures import Cookie
from litestar.openapi.spec import Example
from litestar.params import Body, FromPath, JSONBody, QueryParameter
from litestar.response import Stream

from astragal.core import registry
from astragal.core.language import say
from astragal.core.types import whole
from astragal.server import auth, creating, setup, tournament_orders, tournament_sheets, tournament_store, wire
from astragal.server.access import TheRooms, allow_upload, guest_or_player, household_of, lang_of, strict_cookie
from astragal.server.api_matches import MOST_MATCH_BYTES
from astragal.server.creating import YEAR
from astragal.server.problems import Problem
from astragal.server.quotas import MATCH_BYTES
from astragal.server.rooms import Rooms
from astragal.server.setup import cleaned
from astragal.server.tournament_reports import Reports
from astragal.server.tournament_runner import TournamentRunner
from astragal.server.tournament_store import TournamentRow
from astragal.server.tournament_wire import (
    Asker,
    BePresent,
    ListedTournament,
    MadeTournament,
    NewTournament,
    Order,
    OrganiserSecret,
    OwnPlace,
    QuestionReport,
    RoundSheet,
    SitDown,
    TakePart,
    Taking,
    TournamentLinks,
    TournamentSheet,
)
from astragal.server.tournaments import Held, Tournaments, seat_secret
from astragal.tournament.events import Kept, Made, Plan

AnyRequest = Request[Any, Any, Any]
TournamentId = FromPath[str]
Form = Annotated[str, QueryParameter(pattern=whole("json|csv"))]
ORGANISER, ENTRANT = "astragal-organiser", "astragal-entrant"
LOOK = 1.0  # seconds between two looks at a tournament that somebody follows
STILL_HERE = 10.0  # seconds after which a stream that has nothing to tell sends a comment

_SOME_GAME = next(game.rules.spec for game in registry.games().values() if 2 in game.rules.spec.players)
_NEW = NewTournament(title="Club evening", format="swiss", game=_SOME_GAME.id, rounds=4, clock="5m+3s")


class TournamentsApi(Controller):
    """Tournaments and classes."""

    path = "/api/tournaments"
    tags = ("tournaments",)

    @post(
        "/",
        summary="Make a tournament",
        operation_id="makeTournament",
        request_max_body_size=MOST_MATCH_BYTES,
        before_request=allow_upload,
    )
    async def make(
        self,
        request: AnyRequest,
        rooms: TheRooms,
        data: Annotated[NewTournament, Body(examples=[Example(value=msgspec.to_builtins(_NEW))])],
    ) -> Response[MadeTournament]:
        state, who = request.app.state, household_of(request)
        creator = state.quotas.creator(who)
        title = cleaned(data.title)
        if not title:
            raise Problem("malformed", say("a tournament needs a name"))
        sizes = registry.game(data.game).rules.spec.players
        plan = Plan(
            format=data.format,
            size=data.size,
            sizes=tuple(sorted(sizes)),
            rounds=data.rounds,
            games=data.games,
            minutes=data.minutes,
            no_show=data.no_show,
        ).check()
        await rooms.store.ask(lambda stored: state.quotas.check_tournament(stored, creator, 0))
        settled = await state.checks.settle(who, _match_of(data))
        text = msgspec.json.encode(settled.setup).decode()
        secret, now = auth.new_secret(), rooms.now()
        row = TournamentRow(
            id=auth.new_id(),
            title=title,
            kind=data.kind,
            game=data.game,
            setup=text,
            status="open",
            listed=data.listed,
            secret=auth.hashed(secret),
            seed=auth.new_secret(),
            creator=creator,
            created_ms=now,
            changed_ms=now,
            size=MATCH_BYTES + len(text),
            data=settled.data,
        )
        log = [Kept(1, now, Made(title, plan, auth.new_secret()))]
        await tournament_store.create(
            rooms.store, row, log, lambda stored, size: state.quotas.check_tournament(stored, creator, size)
        )
        made = MadeTournament(tournament=row.id, secret=secret, links=_links(row.id, secret))
        return Response(made, cookies=[_cookie(request, row.id, ORGANISER, secret)])

    @get("/", summary="Listed tournaments that are not over", operation_id="listTournaments")
    async def list(self, rooms: TheRooms) -> tuple[ListedTournament, ...]:
        return tuple(
            ListedTournament(
                tournament=row.id, title=row.title, game=row.game, status=row.status, created_at=row.created_ms
            )
            for row in await tournament_store.listed(rooms.store)
        )

    @get("/{id:str}", summary="How a tournament stands", operation_id="tournament")
    async def sheet(self, request: AnyRequest, id: TournamentId) -> TournamentSheet:
        return tournament_sheets.sheet(await _all(request).read(id))

    @get("/{id:str}/rounds", summary="All rounds of a tournament", operation_id="tournamentRounds")
    async def rounds(self, request: AnyRequest, id: TournamentId) -> tuple[RoundSheet, ...]:
        return tournament_sheets.round_sheets(await _all(request).read(id))

    @get(
        "/{id:str}/stream",
        summary="How a tournament stands, as server-sent events, told again whenever it changes",
        operation_id="followTournament",
        media_type="text/event-stream",
    )
    async def stream(self, request: AnyRequest, id: TournamentId) -> Stream:
        tournaments = _all(request)
        await tournaments.read(id)
        return Stream(_told(tournaments, id), media_type="text/event-stream")

    @get(
        "/{id:str}/export",
        summary="Standings or games of a tournament to take away",
        operation_id="exportTournament",
    )
    async def export(
        self,
        request: AnyRequest,
        id: TournamentId,
        form: Form = "json",
        what: Annotated[str, QueryParameter(pattern=whole("standings|games"))] = "standings",
    ) -> Response[Any]:
        """As JSON both of it; as CSV, which spreadsheets read, one of the two."""
        held = await _all(request).read(id)
        if form == "csv":
            games = what == "games"
            text = tournament_sheets.rounds_csv(held) if games else tournament_sheets.standings_csv(held)
            return _file(text, f"{id}-{what}.csv", "text/csv")
        both = {"tournament": tournament_sheets.sheet(held), "rounds": tournament_sheets.round_sheets(held)}
        return _file(msgspec.json.encode(both).decode(), f"{id}.json", "application/json")

    # Taking part ----------------------------------------------------------------------------------------------------

    @post("/{id:str}/entrants", summary="Take part", operation_id="enterTournament")
    async def enter(
        self, request: AnyRequest, rooms: TheRooms, id: TournamentId, data: JSONBody[TakePart]
    ) -> Response[Taking]:
        player = await guest_or_player(request, rooms)
        secret = data.secret or _shown(request, ENTRANT) or auth.new_secret()
        state = request.app.state
        house = None if state.one_address else state.quotas.house(id, household_of(request))
        held, entrant = await _all(request).enter(id, data.name, player, secret, house)
        known = next(each for each in held.entrants if each.entrant == entrant)
        guest = known.secret is not None
        taking = Taking(tournament=id, entrant=entrant, secret=secret if guest else None)
        return Response(taking, cookies=[_cookie(request, id, ENTRANT, secret)] if guest else [])

    @get("/{id:str}/me", summary="Where you stand, and your next match", operation_id="ownTournament")
    async def me(self, request: AnyRequest, rooms: TheRooms, id: TournamentId) -> Asker:
        """`own` is null for who does not take part."""
        held = await _all(request).read(id)
        entrant = await _entrant_or_none(request, rooms, held)
        own = None if entrant is None else await tournament_sheets.own(held, entrant, rooms)
        return Asker(own=own, organiser=auth.same(_shown(request, ORGANISER), held.row.secret))

    @post("/{id:str}/me/sit", summary="Sit down at your next match", operation_id="sitInTournament", status_code=200)
    async def sit(
        self, request: AnyRequest, rooms: TheRooms, id: TournamentId, data: JSONBody[SitDown]
    ) -> Response[wire.Seated]:
        """A repeated request does nothing: a guest gets the same secret again, a player with a key owns the seat."""
        held, entrant = await _entrant(request, rooms, id)
        table = held.state.table_of(entrant)
        game = None if table is None else table.current
        if table is None or game is None or game.match is None or held.state.ended is not None:
            raise Problem("not_possible", say("no match waits for you now"))
        seat, match = table.seated(game.number).index(entrant), game.match
        known = next(each for each in held.entrants if each.entrant == entrant)
        secret = auth.new_secret() if known.player else seat_secret(_shown(request, ENTRANT), match)
        room = await rooms.room(match)
        if not room.lobby_seats[seat].free:
            if not await _sits_there(rooms, match, seat, known.player, secret):
                raise Problem("seat_taken", say("seat {seat} is not free", seat=seat + 1))
            return creating.seated(request, room, seat, None if known.player else secret, None)
        name = held.state.entrant(entrant).name
        await rooms.change(
            match,
            lambda room: room.sit(seat, name, data.commitment, rooms.now()),
            lambda seat: {seat: auth.hashed(secret)},
            known.player,
        )
        return creating.seated(request, room, seat, secret, None)

    @post("/{id:str}/me/presence", summary="Be absent, or be back", operation_id="beAbsent", status_code=200)
    async def presence(
        self, request: AnyRequest, rooms: TheRooms, id: TournamentId, data: JSONBody[BePresent]
    ) -> OwnPlace:
        _, entrant = await _entrant(request, rooms, id)
        held = await _all(request).absent(id, entrant, data.absent)
        await _runner(request).advance(id)
        return await tournament_sheets.own(held, entrant, rooms)

    @post("/{id:str}/me/withdraw", summary="Take part no more", operation_id="withdraw", status_code=200)
    async def withdraw(self, request: AnyRequest, rooms: TheRooms, id: TournamentId) -> OwnPlace:
        _, entrant = await _entrant(request, rooms, id)
        held = await _all(request).withdraw(id, entrant)
        await _go_on(request, id)
        return await tournament_sheets.own(held, entrant, rooms)

    # Leading it -----------------------------------------------------------------------------------------------------

    @post("/{id:str}/organiser", summary="Lead it in this browser", operation_id="lead", status_code=200)
    async def lead(
        self, request: AnyRequest, id: TournamentId, data: JSONBody[OrganiserSecret]
    ) -> Response[TournamentLinks]:
        held = await _all(request).read(id)
        if not auth.same(data.secret, held.row.secret):
            raise _not_organiser()
        return Response(_links(id, data.secret), cookies=[_cookie(request, id, ORGANISER, data.secret)])

    @post("/{id:str}/orders", summary="What only the organiser can do", operation_id="order", status_code=200)
    async def order(
        self,
        request: AnyRequest,
        id: TournamentId,
        data: Annotated[Order, Body(examples=[Example(value={"type": "begin", "id": "1"})])],
    ) -> TournamentSheet:
        held = await _organised(request, id)
        await tournament_orders.carry_out(_all(request), held, data)
        await _go_on(request, id)
        return tournament_sheets.sheet(await _all(request).read(id))

    @get("/{id:str}/report", summary="Which questions were hard", operation_id="report")
    async def report(self, request: AnyRequest, id: TournamentId) -> QuestionReport:
        """For the organiser, and only of matches that are over: it tells the answers."""
        held = await _organised(request, id)
        return await _reports(request).report(held, lang_of(request))

    @get("/{id:str}/report.csv", summary="The same for a spreadsheet", operation_id="reportFile")
    async def report_csv(self, request: AnyRequest, id: TournamentId) -> Response[str]:
        held = await _organised(request, id)
        report = await _reports(request).report(held, lang_of(request))
        return _file(tournament_sheets.report_csv(report), f"{id}-questions.csv", "text/csv")

    @delete("/{id:str}", summary="Delete it with its matches and all names", operation_id="deleteTournament")
    async def remove(self, request: AnyRequest, rooms: TheRooms, id: TournamentId) -> None:
        await _organised(request, id)
        async with _runner(request).lock(id):  # else it could make a match that nobody would delete
            await tournament_orders.delete(_all(request), id)


def _match_of(data: NewTournament) -> wire.NewMatch:
    """A match as the tournament will make them, so that it is checked before anybody comes."""
    return wire.NewMatch(
        game=data.game,
        preset=data.preset,
        options=data.options,
        seats=(setup.OPEN,) * data.size,
        clock=data.clock,
        hints=False,
        absence=wire.Absence(seconds=data.no_show, then="forfeit"),
    )


def _links(id: str, secret: str | None = None) -> TournamentLinks:
    return TournamentLinks(
        enter=f"/tournament/{id}",
        wall=f"/wall/{id}",
        organiser=None if secret is None else f"/tournament/{id}#{secret}",
    )


def _cookie(request: AnyRequest, id: str, key: str, secret: str) -> Cookie:
    return strict_cookie(request, key, secret, f"/api/tournaments/{id}", YEAR)


def _file(text: str, name: str, kind: str) -> Response[str]:
    headers = {"content-disposition": f'attachment; filename="{name}"'}
    return Response(text, media_type=f"{kind}; charset=utf-8", headers=headers)


def _all(request: AnyRequest) -> Tournaments:
    tournaments: Tournaments = request.app.state.tournaments
    return tournaments


def _runner(request: AnyRequest) -> TournamentRunner:
    runner: TournamentRunner = request.app.state.tournament_runner
    return runner


def _reports(request: AnyRequest) -> Reports:
    reports: Reports = request.app.state.tournament_reports
    return reports


async def _go_on(request: AnyRequest, id: str) -> None:
    """What follows from something that was done: matches are closed, and rounds paired."""
    await _runner(request).close_decided(id)
    await _runner(request).advance(id)


def _shown(request: AnyRequest, cookie: str) -> str:
    """The secret that the caller shows: as a header, or as a cookie."""
    kind, _, secret = request.headers.get("authorization", "").partition(" ")
    return secret.strip() if kind.lower() == "bearer" else request.cookies.get(cookie, "")


def _not_organiser() -> Problem:
    return Problem("wrong_secret", say("this needs the secret of whoever made the tournament"))


async def _organised(request: AnyRequest, id: str) -> Held:
    """The tournament, for whoever leads it. Raises Problem."""
    held = await _all(request).read(id)
    if not auth.same(_shown(request, ORGANISER), held.row.secret):
        raise _not_organiser()
    return held


async def _entrant(request: AnyRequest, rooms: TheRooms, id: str) -> tuple[Held, int]:
    """The tournament, and who asks of those who take part. Raises Problem."""
    held = await _all(request).read(id)
    entrant = await _entrant_or_none(request, rooms, held)
    if entrant is None:
        raise Problem("wrong_secret", say("you do not take part in this tournament"))
    return held, entrant


async def _entrant_or_none(request: AnyRequest, rooms: TheRooms, held: Held) -> int | None:
    player = await guest_or_player(request, rooms)
    return _all(request).entrant_of(held, _shown(request, ENTRANT), None if player is None else player.key)


async def _sits_there(rooms: Rooms, match: str, seat: int, player: str | None, secret: str) -> bool:
    """Whether a seat that is taken is this player's, or for a guest whether this is its secret."""
    if player is not None:
        return (await rooms.store.seat_owners(match))[seat] == player
    return auth.same(secret, (await rooms.store.seat_secrets(match))[seat])


async def _told(tournaments: Tournaments, id: str) -> AsyncIterator[bytes]:
    """The sheet as server-sent events: at once, and again whenever it has changed."""
    last, told_at = -1, time.monotonic()
    while not tournaments.rooms.closing:
        try:
            held = await tournaments.read(id)
        except Problem:
            return  # it was deleted
        if held.message is None or held.message[0] != held.state.last:
            held.message = held.state.last, msgspec.json.encode(tournament_sheets.sheet(held))
        if held.message[0] != last:
            last, told_at = held.message[0], time.monotonic()
            yield b"data: " + held.message[1] + b"\n\n"
        elif time.monotonic() - told_at >= STILL_HERE:
            told_at = time.monotonic()
            yield b": still here\n\n"
        await asyncio.sleep(LOOK)
