"""What can happen in a tournament, and the conditions it is played under. Their list is the tournament."""

from __future__ import annotations

from typing import Annotated, Any, Literal

import msgspec
from msgspec import Meta, Struct

from astragal.core.language import say
from astragal.core.types import AstragalError

Format = Literal["swiss", "round-robin", "arena", "groups"]
How = Literal["played", "no-show", "withdrawn", "closed", "corrected"]

MOST_ENTRANTS = 128
MOST_ROUNDS = 30
MOST_GAMES = 9


class BadPlan(AstragalError):
    """Conditions that no tournament can be played under."""


class Plan(Struct, frozen=True, kw_only=True):
    """The conditions of a tournament."""

    format: Format
    size: Annotated[int, Meta(ge=2, le=4)] = 2  # players at a table
    sizes: tuple[int, ...] = (2,)  # how many players the game allows, in ascending order
    rounds: Annotated[int, Meta(ge=0, le=MOST_ROUNDS)] = 0  # of swiss and groups; 0: as many as the entrants call for
    games: Annotated[int, Meta(ge=1, le=MOST_GAMES)] = 1  # that those at a table play in each round
    minutes: Annotated[int, Meta(ge=0, le=24 * 60)] = 0  # that an arena lasts
    no_show: Annotated[int, Meta(ge=30, le=86_400)] = 300  # seconds after which whoever is not at the table loses

    def check(self) -> Plan:
        """The same. Raises BadPlan for what does not go together."""
        if self.size not in self.sizes:
            raise BadPlan(say("this game is not played by {players} at a table", players=self.size))
        if self.format == "groups" and self.size < 3:
            raise BadPlan(say("rotating groups are for tables of three or four; for two there are the other formats"))
        if self.format != "groups" and self.size != 2:
            raise BadPlan(say("tables of three and four are played in rotating groups"))
        if (self.format == "arena") != bool(self.minutes):
            raise BadPlan(say("an arena, and nothing else, lasts for a number of minutes"))
        return self


class Made(Struct, frozen=True, tag="made"):
    """The first event. The seed decides every lot that is drawn for pairings."""

    title: str
    plan: Plan
    seed: str


class Entered(Struct, frozen=True, tag="entered"):
    """Somebody takes part; `bot` is the name of one of the server's bots. After the beginning it is a late entry."""

    entrant: int
    name: str
    bot: str = ""


class Renamed(Struct, frozen=True, tag="renamed"):
    """The organiser gave an entrant another name."""

    entrant: int
    name: str


class Withdrew(Struct, frozen=True, tag="withdrew"):
    """An entrant takes part no more; what was played counts."""

    entrant: int
    by: Literal["self", "organiser"] = "self"


class Absent(Struct, frozen=True, tag="absent"):
    """An entrant is not paired until it is back (`on` is false)."""

    entrant: int
    on: bool = True
    by: Literal["self", "organiser", "no-show"] = "self"


class Began(Struct, frozen=True, tag="began"):
    """From now on rounds are paired."""


class Paired(Struct, frozen=True, tag="paired"):
    """A round: who sits at which table, in the order of seats of its first game, and who has a bye.

    In an arena this is a wave: those who were waiting then. Waves are numbered as rounds are, but do not wait for
    each other.
    """

    round: int
    tables: tuple[tuple[int, ...], ...]
    byes: tuple[int, ...] = ()


class Opened(Struct, frozen=True, tag="opened"):
    """A match was made for a game of a table."""

    round: int
    table: int
    game: int
    match: str


class Missed(Struct, frozen=True, tag="missed"):
    """Entrants were not at their table in time. Those who were play without them, if there are enough of them."""

    round: int
    table: int
    game: int
    entrants: tuple[int, ...]


class Result(Struct, frozen=True, tag="result"):
    """What each entrant of a table has of the win of a game, in the order of `Paired`. A later one replaces it."""

    round: int
    table: int
    game: int
    shares: tuple[float, ...]
    how: How = "played"


class Paused(Struct, frozen=True, tag="paused"):
    """The organiser lets nothing new begin."""


class Resumed(Struct, frozen=True, tag="resumed"):
    """It goes on."""


class Ended(Struct, frozen=True, tag="ended"):
    """The tournament is over."""

    # players: too few of them are left; idle: nothing has happened for days
    by: Literal["rounds", "time", "organiser", "players", "idle"] = "rounds"


Body = (
    Made | Entered | Renamed | Withdrew | Absent | Began | Paired | Opened | Missed | Result | Paused | Resumed | Ended
)


class Kept(Struct, frozen=True):
    """An event as it is stored: its number from 1, and when it happened in milliseconds since 1970."""

    n: int
    at: int
    body: Body


_decoder: msgspec.json.Decoder[Any] = msgspec.json.Decoder(Body)


def read(text: str | bytes) -> Body:
    """An event as it was stored."""
    body: Body = _decoder.decode(text)
    return body


def write(body: Body) -> str:
    """An event as it is stored."""
    return msgspec.json.encode(body).decode()
