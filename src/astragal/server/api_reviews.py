"""Reviews over HTTP."""

from __future__ import annotations

from litestar import Controller, get
from litestar.datastructures import State

from astragal.server.access import MatchId, TheRooms
from astragal.server.api_matches import finished
from astragal.server.reviews import Reviews, ReviewState


class ReviewsApi(Controller):
    """What decided a match."""

    path = "/api/matches"
    tags = ("matches",)

    @get(
        "/{id:str}/review",
        summary="What was luck and what was skill in a finished match",
        operation_id="review",
    )
    async def review(self, state: State, rooms: TheRooms, id: MatchId) -> ReviewState:
        """The first to ask has the review begun: until it is there, `share` says how far it is and `review` is null.
        Refused while the match goes on, since values would tell what is hidden."""
        match = finished(await rooms.room(id))
        reviews: Reviews = state.reviews
        return reviews.ask(id, match.record)
