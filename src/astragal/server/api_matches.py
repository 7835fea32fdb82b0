"""Matches over HTTP: to create, join, list and look at them, and to do in them what a socket could do as well."""

from __future__ import annotations

import asyncio
from random import Random, SystemRandom
from typing import Annotated, Any

import msgspec
from litestar import Controller, Request, Response, get, post
from litestar.openapi.spec import Example
from litestar.params import Body, FromPath, FromQuery, JSONBody, QueryParameter
from msgspec import Meta, Struct

from astragal.bots.levels import adviser
from astragal.core import recordjson, recordtext, registry
from astragal.core.bounds import MOST_BYTES
from astragal.core.language import say
from astragal.core.proofs import report
from astragal.core.types import whole
from astragal.play import hints
from astragal.server import auth, creating, keys, own_data, preview, render, setup, wire
from astragal.server.access import (
    MatchId,
    TheRooms,
    allow_upload,
    guest_or_player,
    household_of,
    lang_of,
    name_at_table,
    seat_of,
    session_of,
    watcher_of,
)
from astragal.server.problems import Problem
from astragal.server.quotas import MATCH_BYTES
from astragal.server.room import Room

AnyRequest = Request[Any, Any, Any]
After = Annotated[
    int | None, QueryParameter(ge=0, description="As it was after the event of this number, instead of now")
]
MOST_MATCH_BYTES = MOST_BYTES + wire.MOST_BYTES  # a new match may bring a deck of its own
MOST_TOLD = 1000  # events in an answer
MOST_LISTED = 100  # matches on a page of the list

_SOME_GAME = next(iter(registry.games().values())).rules.spec
_NEW = wire.NewMatch(
    game=_SOME_GAME.id,
    seats=("open", *["bot:greedy"] * (min(_SOME_GAME.players) - 1)),
    sit=0,
    name="Anna",
    options={"begins": 0},
)


class Judged(Struct, frozen=True, kw_only=True):
    """An action a bot looked at, and how good it thinks it is."""

    text: str
    label: str
    value: float  # the share of the win it expects


class Hint(Struct, frozen=True, kw_only=True):
    """What a bot would do, and why; or, where a seat has to know something, the help that is fair."""

    ply: int
    sentence: str  # all of it, for people
    text: str | None = None  # null: no bot guesses at what the seat has to know
    label: str = ""
    value: float | None = None  # the share of the win it expects; null where it cannot tell
    alternatives: tuple[Judged, ...] = ()  # every legal action, the best first; none where it cannot tell
    reasons: tuple[str, ...] = ()
    by: str = ""  # the bot that gives it: while the one that was asked is being compiled, a simple one
    away: tuple[str, ...] = ()  # actions that are surely wrong


class Preview(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Actions of the seat to act, one after the other."""

    actions: Annotated[tuple[wire.Text, ...], Meta(max_length=50)]


class Foreseen(Struct, frozen=True, kw_only=True):
    """What the seat would see after them; nothing is stored."""

    view: Any
    plain: str


class Onward(Struct, frozen=True, kw_only=True):
    """The match that followed, and the seats that this browser has in it."""

    match: str
    seats: tuple[int, ...]


class Verification(Struct, frozen=True, kw_only=True):
    """Whether anybody chose the dice."""

    good: bool
    verdicts: tuple[dict[str, Any], ...]


class MatchesApi(Controller):
    """Matches."""

    path = "/api/matches"
    tags = ("matches",)

    @post(
        "/",
        summary="Create a match",
        operation_id="createMatch",
        request_max_body_size=MOST_MATCH_BYTES,
        before_request=allow_upload,
    )
    async def create(
        self,
        request: AnyRequest,
        rooms: TheRooms,
        data: Annotated[wire.NewMatch, Body(examples=[Example(value=msgspec.to_builtins(_NEW))])],
    ) -> Response[wire.Seated]:
        state, who = request.app.state, household_of(request)
        creator, bots_only = state.quotas.creator(who), setup.OPEN not in data.seats
        if own_data.brings_own(data.options):  # before anything is checked that would be refused afterwards
            await rooms.store.ask(lambda stored: state.quotas.check(stored, creator, bots_only, MATCH_BYTES))
        settled = await state.checks.settle(who, data)
        return await creating.open_table(
            request, rooms, settled, listed=data.listed, sit=data.sit, name=data.name, commitment=data.commitment
        )

    @get("/", summary="Listed matches: open ones, running ones, or both", operation_id="listMatches")
    async def list(
        self,
        request: AnyRequest,
        rooms: TheRooms,
        status: Annotated[
            str, QueryParameter(pattern=whole("(lobby|running|over)(,(lobby|running|over))*"))
        ] = "lobby,running",
        limit: Annotated[int, QueryParameter(ge=1, le=MOST_LISTED, description="How many a page has")] = 50,
        after: Annotated[
            str,
            QueryParameter(
                pattern=whole("([0-9]{1,15}-[A-Za-z0-9_-]{1,60})?"), description="`after` of the page before"
            ),
        ] = "",
    ) -> wire.MatchList:
        lang = lang_of(request)
        at, _, id = after.partition("-")
        rows = await rooms.store.list_matches(status.split(","), most=limit, after=(int(at), id) if after else None)
        return wire.MatchList(
            matches=tuple(render.summary(room, lang) for room in await rooms.readable(rows)),
            after=f"{rows[-1].changed_ms}-{rows[-1].id}" if len(rows) == limit else None,
        )

    @get("/{id:str}", summary="One match, as everybody may see it", operation_id="match")
    async def match(self, request: AnyRequest, rooms: TheRooms, id: MatchId) -> wire.Summary:
        return render.summary(await rooms.room(id), lang_of(request))

    @get(
        "/{id:str}/data/{digest:str}",
        summary="A board, layout or deck of a host's own, as everybody may know it",
        operation_id="ownData",
    )
    async def data(self, rooms: TheRooms, id: MatchId, digest: FromPath[str]) -> Any:
        known = (await rooms.room(id)).carried.data
        if digest not in known:
            raise Problem("not_found", say("there is nothing at this address"))
        return known[digest]

    @post("/{id:str}/seats", summary="Take a seat", operation_id="join")
    async def join(
        self, request: AnyRequest, rooms: TheRooms, id: MatchId, data: JSONBody[wire.Join]
    ) -> Response[wire.Seated]:
        room = await rooms.room(id)
        if room.row.invite is not None and not auth.same(data.invite, room.row.invite):
            raise Problem("forbidden", say("this match can only be joined by its link"))
        secret, player = auth.new_secret(), await guest_or_player(request, rooms)
        alone = player is None or player.key not in await rooms.store.seat_owners(id)
        name, face = name_at_table(player, data.name, alone=alone), player.face if player and alone else ""
        identity = creating.identity(request, id, player)
        seat = await rooms.change(
            id,
            lambda room: room.sit(data.seat, name, data.commitment, rooms.now(), face, identity),
            lambda seat: {seat: auth.hashed(secret)},
            player.key if player else None,
        )
        return creating.seated(request, room, seat, secret, data.invite or None)

    @post(
        "/{id:str}/enter",
        summary="Go on with a seat in this browser, by its secret",
        operation_id="enter",
        status_code=200,
    )
    async def enter(
        self, request: AnyRequest, rooms: TheRooms, id: MatchId, data: JSONBody[wire.Enter]
    ) -> Response[wire.Seated]:
        room = await rooms.room(id)
        stored = await rooms.store.seat_secrets(id)
        owned = [seat for seat, known in enumerate(stored) if auth.same(data.secret, known)]
        if not owned:
            raise Problem("wrong_secret", say("this is not the secret of a seat of this match"))
        return creating.seated(request, room, owned[0], data.secret, None)

    @post(
        "/{id:str}/onward",
        summary="Go on to the next match of the same players, with the seats of this browser",
        operation_id="onward",
        status_code=200,
    )
    async def onward(self, request: AnyRequest, rooms: TheRooms, id: MatchId) -> Response[Onward]:
        following = (await rooms.room(id)).next_match
        if following is None:
            raise Problem("not_possible", say("the players have not agreed on another match yet"))
        stored = await rooms.store.seat_secrets(following)
        shown = [(seat, request.cookies.get(auth.seat_cookie(seat), "")) for seat in range(len(stored))]
        owned = [(seat, secret) for seat, secret in shown if secret and auth.same(secret, stored[seat])]
        cookies = [creating.cookie(request, following, seat, secret) for seat, secret in owned]
        seats = {seat for seat, _ in owned}
        if (key := session_of(request, rooms)) is not None:
            seats |= {seat for seat, owner in enumerate(await rooms.store.seat_owners(following)) if owner == key}
        return Response(Onward(match=following, seats=tuple(sorted(seats))), cookies=cookies)

    @get("/{id:str}/table", summary="How the match stands, as your seat sees it", operation_id="table")
    async def table(
        self,
        request: AnyRequest,
        rooms: TheRooms,
        id: MatchId,
        since: Annotated[int, QueryParameter(ge=0, le=wire.MOST)] = 0,
        views: Annotated[
            bool, QueryParameter(description="With the view after every event, as a replay needs it")
        ] = False,
    ) -> wire.News:
        """Up to a thousand events; the rest follows with `since=1000` and so on, while that is less than `table.n`."""
        viewer, lang = await watcher_of(request, rooms, id), lang_of(request)
        views_since = since if views else None
        return render.news(await rooms.room(id), viewer, lang, since, views_since, rooms.now(), most=MOST_TOLD)

    @post(
        "/{id:str}/commands",
        summary="Do something at the table: the same commands as over the socket",
        operation_id="command",
        status_code=200,
        request_max_body_size=wire.MOST_BYTES,
    )
    async def command(
        self,
        request: AnyRequest,
        rooms: TheRooms,
        id: MatchId,
        data: Annotated[
            wire.Command, Body(examples=[Example(value={"type": "act", "ply": 3, "text": "in-a1", "id": "1"})])
        ],
    ) -> wire.Done:
        seat = await seat_of(request, rooms, id)
        request.app.state.allow_seat(id, seat)
        return await rooms.do(id, seat, data)

    @get("/{id:str}/plain", summary="The table in whole sentences", operation_id="plain", media_type="text/plain")
    async def plain(self, request: AnyRequest, rooms: TheRooms, id: MatchId, n: After = None) -> str:
        viewer = await watcher_of(request, rooms, id)
        room = await rooms.room(id)
        view, _ = _seen(room, viewer, n)
        return room.game.presentation.plain(view, lang_of(request))

    @get("/{id:str}/picture.svg", summary="The table as a picture", operation_id="picture")
    async def picture(self, request: AnyRequest, rooms: TheRooms, id: MatchId, n: After = None) -> Response[str]:
        viewer = await watcher_of(request, rooms, id)
        room = await rooms.room(id)
        view, last = _seen(room, viewer, n)
        svg = room.game.presentation.svg(view, lang_of(request), last=last)
        return Response(svg, media_type="image/svg+xml")

    @get("/{id:str}/answer", summary="The answer to a question about the table", operation_id="ask")
    async def ask(
        self,
        request: AnyRequest,
        rooms: TheRooms,
        id: MatchId,
        question: Annotated[str, QueryParameter(max_length=200)],
    ) -> dict[str, str | None]:
        viewer = await watcher_of(request, rooms, id)
        room = await rooms.room(id)
        return {"answer": room.game.presentation.ask(room.view(viewer), question, lang_of(request))}

    @post("/{id:str}/hint", summary="What to do in your place, and why", operation_id="hint", status_code=200)
    async def hint(self, request: AnyRequest, rooms: TheRooms, id: MatchId, bot: FromQuery[str] = "") -> Hint:
        """Where the table allows it, and everybody is told. Nobody guesses at what you have to know yourself: there
        `away` names what is taken away from your choice, and `text` is null."""
        seat, lang = await seat_of(request, rooms, id), lang_of(request)
        request.app.state.allow_seat(id, seat)
        room = await rooms.room(id)
        if bot:
            setup.check_bot(bot, room.game, room.view(seat).options)
        luck = Random()  # noqa: S311  a bot's own luck
        away = await rooms.change(id, lambda room: room.hint(seat, SystemRandom(), rooms.now()))
        room = await rooms.room(id)
        view, ply = room.view(seat), room.playing().ply
        if away is not None:
            return Hint(ply=ply, sentence=hints.knowledge(away).to(lang), away=away)
        bot = bot or adviser(room.game, view.options)
        choice = await request.app.state.bot_pool.choose(room.game.id, bot, view, luck, match=id)
        encode, label = room.game.rules.encode, room.game.presentation.label
        advised, why = label(view, choice.action, lang), [say(reason).to(lang) for reason in choice.reasons]
        told = (hints.advice(advised, why, len(view.legal)), hints.stand_in(choice, bot, room.game))
        return Hint(
            ply=ply,
            text=encode(choice.action),
            label=advised,
            sentence=" ".join(text.to(lang) for text in told if text is not None),
            value=choice.value,
            alternatives=tuple(
                Judged(text=encode(action), label=label(view, action, lang), value=value)
                for action, value in choice.alternatives
            ),
            reasons=tuple(why),
            by=choice.by or bot,
        )

    @post("/{id:str}/preview", summary="What you would see after some actions", operation_id="preview", status_code=200)
    async def preview(self, request: AnyRequest, rooms: TheRooms, id: MatchId, data: JSONBody[Preview]) -> Foreseen:
        seat = await seat_of(request, rooms, id)
        request.app.state.allow_seat(id, seat)
        room = await rooms.room(id)
        view = preview.preview(room.playing(), seat, data.actions, Random())  # noqa: S311  any state will do
        return Foreseen(view=room.carried.view(view), plain=room.game.presentation.plain(view, lang_of(request)))

    @get("/{id:str}/record", summary="The signed record of a finished match (?form=json|text)", operation_id="record")
    async def record(
        self, request: AnyRequest, rooms: TheRooms, id: MatchId, form: FromQuery[str] = "json"
    ) -> Response[str]:
        await watcher_of(request, rooms, id)
        kept = await keys.signed(rooms.store, finished(await rooms.room(id)).record())
        text = recordtext.to_text(kept) if form == "text" else recordjson.to_json(kept)
        kind, suffix = ("text/plain", "txt") if form == "text" else ("application/json", "json")
        name = f"{kept.header.game}-{id}.{suffix}"
        return Response(
            text,
            media_type=f"{kind}; charset=utf-8",
            headers={"content-disposition": f'attachment; filename="{name}"'},
        )

    @get("/{id:str}/verification", summary="Whether anybody chose the dice of a finished match", operation_id="verify")
    async def verification(self, request: AnyRequest, rooms: TheRooms, id: MatchId) -> Verification:
        await watcher_of(request, rooms, id)
        kept, lang = await keys.signed(rooms.store, finished(await rooms.room(id)).record()), lang_of(request)
        public = await keys.published(rooms.store)
        verified = await asyncio.to_thread(report, kept, [public.key])
        return Verification(
            good=verified.good,
            verdicts=tuple({"what": verdict.what.to(lang), "good": verdict.good} for verdict in verified.verdicts),
        )


def _seen(room: Room, viewer: int | None, n: int | None) -> tuple[Any, Any]:
    """What this viewer sees of the table after event number `n`, or now, and the last move before that."""
    happened = [happening for happening in room.happenings[:n] if happening is not None]
    moved = next((happening for happening in reversed(happened) if happening.seat is None or happening.seat >= 0), None)
    last = None if moved is None else moved.event(viewer)
    if n is None or n >= room.last:
        return room.view(viewer), last
    shown = next((happening for happening in reversed(happened) if happening.seat is not None), None)
    return room.first_view if shown is None else shown.view(viewer), last


def finished(room: Room) -> Any:
    """The match, if its record may be seen: before the end it would tell what is hidden."""
    if room.status != "over" or room.match is None:
        raise Problem("not_possible", say("the match is not over yet"))
    return room.match
