"""Ratings over HTTP: leaderboards, profiles of players, and what a match changed. All of it is public."""

from __future__ import annotations

from typing import Annotated, Any

from litestar import Controller, Request, get
from litestar.params import FromPath, QueryParameter
from msgspec import Struct

from astragal.bots.levels import levels
from astragal.core import registry
from astragal.core.language import noted, say
from astragal.core.levels import level_name
from astragal.core.record import is_bot
from astragal.core.rules import Game
from astragal.core.types import check_players
from astragal.ratings.rules import MOST_A_DAY
from astragal.ratings.standing import PROVISIONAL, Standing, anchored
from astragal.server import players, rated_tables, standings
from astragal.server.access import MatchId, TheRooms, lang_of, watcher_of
from astragal.server.ratings import ENDED, Ratings
from astragal.server.room import Room
from astragal.server.standings import Changed, Ranked, Rated

AnyRequest = Request[Any, Any, Any]
MOST_RANKED = 100

REASONS = {
    "closed": noted("It was not counted: the table was closed before the end."),
    "handed over": noted("It was not counted: somebody else went on in a seat."),
    "helped": noted("It was not counted: somebody was helped."),
    "guest": noted("It was not counted: a guest played in it."),
    "no people": noted("It was not counted: nobody but bots played in it."),
    "unknown bot": noted("It was not counted: a bot without a rating played in it."),
    "same player": noted("It was not counted: one player had two seats."),
    "one address": noted("It was not counted: two players came from the same address."),
    "aborted": noted("It was not counted: it was given up before everybody had moved."),
    "too often": noted("It was not counted: the same players have met {most} times today."),
}


class Pool(Struct, frozen=True, kw_only=True):
    """A game with a number of players, in which people are rated apart from all others."""

    game: str
    title: str
    players: int
    rated: int  # how many players have a rating


class Pools(Struct, frozen=True, kw_only=True):
    """Where people are rated."""

    pools: tuple[Pool, ...]
    provisional: int = PROVISIONAL  # below so many matches a rating is provisional


class Anchor(Struct, frozen=True, kw_only=True):
    """A bot, whose rating is fixed."""

    bot: str
    name: str  # in the caller's language
    rating: float


class Leaderboard(Struct, frozen=True, kw_only=True):
    """The best of a pool, and its bots to compare with."""

    game: str
    players: int
    ranked: tuple[Ranked, ...]
    bots: tuple[Anchor, ...]


class Profile(Struct, frozen=True, kw_only=True):
    """A player as everybody may know it."""

    key: str
    name: str
    face: str
    ratings: tuple[Rated, ...]


class SeatRating(Struct, frozen=True, kw_only=True):
    """The rating of one seat's player: as it stands while the match goes on, and after it as the match left it."""

    seat: int
    key: str | None  # null for a bot, or a seat that is free
    rating: float | None = None
    deviation: float | None = None
    provisional: bool = False
    change: float | None = None  # what the match changed; null while it goes on, and where it was not counted


class MatchRating(Struct, frozen=True, kw_only=True):
    """What is at stake in a match, or what it changed."""

    rated: bool
    counted: bool = False
    reason: str = ""  # after the end: why it was not counted, as a sentence in the caller's language
    seats: tuple[SeatRating, ...] = ()


class RatingsApi(Controller):
    """Ratings."""

    path = "/api"
    tags = ("ratings",)

    @get("/ratings", summary="Where people are rated", operation_id="ratingPools")
    async def pools(self, request: AnyRequest, rooms: TheRooms) -> Pools:
        games, lang = registry.games(), lang_of(request)
        return Pools(
            pools=tuple(
                Pool(game=game, title=say(games[game].rules.spec.title).to(lang), players=number, rated=rated)
                for game, number, rated in await standings.pools(rooms.store)
                if game in games
            )
        )

    @get("/ratings/{game:str}", summary="The leaderboard of a game", operation_id="leaderboard")
    async def leaderboard(
        self,
        request: AnyRequest,
        rooms: TheRooms,
        game: FromPath[str],
        players: Annotated[int, QueryParameter(ge=1, le=8, description="With so many at the table")] = 2,
        limit: Annotated[int, QueryParameter(ge=1, le=MOST_RANKED)] = MOST_RANKED,
    ) -> Leaderboard:
        """Only players whose rating is not provisional."""
        found, lang = registry.game(game), lang_of(request)
        check_players(found.rules.spec, players)
        ranked = await standings.leaderboard(rooms.store, game, players, limit)
        return Leaderboard(game=game, players=players, ranked=ranked, bots=_anchors(found, lang))

    @get("/players/{key:str}", summary="A player's name, face and ratings", operation_id="profile")
    async def profile(self, rooms: TheRooms, key: FromPath[str]) -> Profile:
        player = await players.known(rooms.store, key)
        own = await standings.of_player(rooms.store, key)
        return Profile(key=player.key, name=player.name, face=player.face, ratings=own)

    @get("/matches/{id:str}/rating", summary="What a rated match changes", operation_id="matchRating")
    async def match(self, request: AnyRequest, rooms: TheRooms, id: MatchId) -> MatchRating:
        """While it goes on, where its players stand; after the end, what it changed or why it was not counted."""
        await watcher_of(request, rooms, id)
        room = await rooms.room(id)
        if not room.setup.rated:
            return MatchRating(rated=False)
        ratings: Ratings = request.app.state.ratings
        verdict, changes = await standings.of_match(rooms.store, id)
        if verdict is None and room.status in ENDED:
            await ratings.settle(id)
            verdict, changes = await standings.of_match(rooms.store, id)
        keys = [who.identity.player for who in room.lobby_seats if who.identity is not None]
        current = await standings.now(rooms.store, room.game.id, len(room.lobby_seats), keys)
        why = say(REASONS[verdict], most=MOST_A_DAY).to(lang_of(request)) if verdict in REASONS else ""
        seats = tuple(_seat(room, seat, current, changes.get(seat)) for seat in range(len(room.lobby_seats)))
        return MatchRating(rated=True, counted=verdict == "counted", reason=why, seats=seats)


def _anchors(game: Game, lang: str) -> tuple[Anchor, ...]:
    known = rated_tables.scale(game).anchors
    return tuple(
        Anchor(bot=f"bot:{id}", name=f"{level.name} ({level_name(id).to(lang)})", rating=known[f"bot:{id}"])
        for id, level in levels(game).items()
        if f"bot:{id}" in known
    )


def _seat(room: Room, seat: int, current: dict[str, Standing], changed: Changed | None) -> SeatRating:
    identity, who = room.lobby_seats[seat].identity, room.seats[seat]
    key = None if identity is None or identity.player.startswith(standings.GONE) else identity.player
    if changed is not None:
        return SeatRating(
            seat=seat,
            key=key,
            rating=changed.rating,
            deviation=changed.deviation,
            provisional=changed.games < PROVISIONAL,
            change=None if is_bot(who) else changed.rating - changed.before,
        )
    if identity is None:
        known = rated_tables.scale(room.game).anchors.get(who.player)
        return SeatRating(seat=seat, key=None) if known is None else _standing(seat, None, anchored(known))
    return _standing(seat, key, current.get(identity.player, Standing()))


def _standing(seat: int, key: str | None, now: Standing) -> SeatRating:
    return SeatRating(seat=seat, key=key, rating=now.rating, deviation=now.deviation, provisional=now.provisional)
