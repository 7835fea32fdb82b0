"""Reviews over HTTP."""

from __future__ import annotations

from typing import Annotated, Any

from litestar import Controller, Request, Response, get
from litestar.params import PathParameter
from msgspec import Struct

from astragal.core.language import say
from astragal.server import render, wire
from astragal.server.access import MatchId, TheRooms, lang_of, watcher_of
from astragal.server.api_matches import finished
from astragal.server.problems import Problem
from astragal.server.reviews import Reviews, ReviewState, seconds_used

AnyRequest = Request[Any, Any, Any]
PlyNumber = Annotated[int, PathParameter(ge=1, le=wire.MOST, description="The number of the ply, from 1")]


class Decision(Struct, frozen=True, kw_only=True):
    """A decision of a finished match before it was made: what the seat saw, and everything it could do."""

    ply: int
    seat: int
    view: Any
    choices: tuple[wire.Choice, ...]  # in the order of the view's legal actions


class ReviewsApi(Controller):
    """What decided a match."""

    path = "/api/matches"
    tags = ("matches",)

    @get(
        "/{id:str}/review",
        summary="What was luck and what was skill in a finished match",
        operation_id="review",
    )
    async def review(self, request: AnyRequest, rooms: TheRooms, id: MatchId) -> ReviewState:
        """The first to ask has the review begun: until it is there, `share` says how far it is and `review` is null.
        Refused while the match goes on, since values would tell what is hidden."""
        await watcher_of(request, rooms, id)
        room = await rooms.room(id)
        match = finished(room)
        if room.game.fast is None:
            reason = say("this game has no compiled rules, and a review needs them to judge by")
            return ReviewState(share=0.0, reason=reason.to(lang_of(request)))
        reviews: Reviews = request.app.state.reviews
        return reviews.ask(id, match.record, lambda: seconds_used(room.log, match.seats), lang_of(request))

    @get(
        "/{id:str}/review/picture.svg",
        summary="Luck against skill in a finished match, as one picture with the board",
        operation_id="reviewPicture",
    )
    async def picture(self, request: AnyRequest, rooms: TheRooms, id: MatchId) -> Response[str]:
        """Of a review that is there; ask for that first."""
        await watcher_of(request, rooms, id)
        room, lang = await rooms.room(id), lang_of(request)
        finished(room)
        reviews: Reviews = request.app.state.reviews
        board = room.game.presentation.svg(room.view(None), lang)
        return Response(reviews.picture(id, board, lang), media_type="image/svg+xml")

    @get(
        "/{id:str}/decisions/{ply:int}",
        summary="One decision of a finished match, as its seat saw it before",
        operation_id="decision",
    )
    async def decision(self, request: AnyRequest, rooms: TheRooms, id: MatchId, ply: PlyNumber) -> Decision:
        await watcher_of(request, rooms, id)
        room, lang = await rooms.room(id), lang_of(request)
        steps = finished(room).plies
        if ply > len(steps) or steps[ply - 1].seat < 0:
            raise Problem("not_found", say("ply {ply} of this match is not a decision", ply=ply))
        step = steps[ply - 1]
        view = room.game.rules.observe(step.before, step.seat)
        choices = render.choices(room, view, view.legal, lang)
        return Decision(ply=ply, seat=step.seat, view=room.carried.view(view), choices=choices)
