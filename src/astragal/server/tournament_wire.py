"""What is said over the wire about tournaments: what one is made of, the organiser's orders, and how it stands."""

from __future__ import annotations

from typing import Annotated, Any, Literal

from msgspec import Meta, Struct

from astragal.core.fair import Hex
from astragal.core.types import whole
from astragal.server.journal import NO_NUL, Name
from astragal.server.wire import Id
from astragal.tournament.events import MOST_ENTRANTS, MOST_GAMES, MOST_ROUNDS, Format, How
from astragal.tournament.standings import StandingsRow

Kind = Literal["tournament", "class"]
Title = Annotated[str, Meta(min_length=1, max_length=80, pattern=NO_NUL)]
Number = Annotated[int, Meta(ge=0, le=100_000)]
Entrant = Annotated[int, Meta(ge=0, lt=MOST_ENTRANTS)]


class NewTournament(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A tournament to be made. Its matches are made by the server, all by the same rules."""

    title: Title
    kind: Kind = "tournament"  # of a class nothing but names is kept, and there is a report of its questions
    format: Format
    game: Annotated[str, Meta(max_length=60)]
    preset: Annotated[str, Meta(max_length=60)] | None = None
    options: Annotated[dict[str, Any], Meta(max_length=100)] = {}
    clock: Annotated[str, Meta(max_length=40)] = "none"
    size: Annotated[int, Meta(ge=2, le=4)] = 2  # players at a table
    rounds: Annotated[int, Meta(ge=0, le=MOST_ROUNDS)] = 0  # 0: as many as those who take part call for
    games: Annotated[int, Meta(ge=1, le=MOST_GAMES)] = 1  # that those at a table play in each round
    minutes: Annotated[int, Meta(ge=0, le=24 * 60)] = 0  # that an arena lasts
    no_show: Annotated[int, Meta(ge=30, le=86_400)] = 300  # seconds after which whoever is not there loses
    listed: bool = False  # shown to everybody, or found only by its link


class TournamentLinks(Struct, frozen=True, kw_only=True):
    """Addresses on this server. The organiser's secret stands behind the `#`, which browsers keep to themselves."""

    enter: str
    wall: str
    organiser: str | None = None


class MadeTournament(Struct, frozen=True, kw_only=True):
    """A tournament that was made, and the organiser's secret, for the header `Authorization: Bearer`."""

    tournament: str
    secret: str
    links: TournamentLinks


class TakePart(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Taking part. Whoever has signed in with a key takes part as that player; anybody else gets a secret.

    A guest may bring a secret of its own (192 random bits or more), so that a repeated request enters once.
    """

    name: Name = ""
    secret: Annotated[str, Meta(max_length=100, pattern=whole("([A-Za-z0-9_-]{32,100})?"))] = ""


class Taking(Struct, frozen=True, kw_only=True):
    """Somebody takes part; `secret` is for the header `Authorization: Bearer`, null for who has signed in."""

    tournament: str
    entrant: int
    secret: str | None


class OrganiserSecret(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The organiser's secret, to go on with a tournament in this browser."""

    secret: Annotated[str, Meta(max_length=100)]


class SitDown(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Sitting down at one's next match, with a promised seed or without one."""

    commitment: Hex | None = None


class BePresent(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Whether one is absent for the next rounds."""

    absent: bool


class _Order(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    id: Id = ""


class Begin(_Order, frozen=True, tag="begin"):
    """Begins: the first round is paired."""


class Pause(_Order, frozen=True, tag="pause"):
    """Lets nothing new begin; matches that were begun go on."""


class Resume(_Order, frozen=True, tag="resume"):
    """Goes on."""


class AddBot(_Order, frozen=True, tag="add bot"):
    """Lets one of the server's bots take part."""

    bot: Annotated[str, Meta(max_length=60)]
    name: Name = ""


class Rename(_Order, frozen=True, tag="rename"):
    """Gives somebody another name."""

    entrant: Entrant
    name: Name


class SetAbsent(_Order, frozen=True, tag="set absent"):
    """Somebody is not paired until they are back."""

    entrant: Entrant
    absent: bool = True


class Remove(_Order, frozen=True, tag="remove"):
    """Somebody takes part no more. What was played counts; a game they are in is lost."""

    entrant: Entrant


class Correct(_Order, frozen=True, tag="correct"):
    """Gives a game a result, or another one; a match that is still played for it is closed."""

    round: Number
    table: Number
    shares: Annotated[tuple[Annotated[float, Meta(ge=0, le=1)], ...], Meta(min_length=2, max_length=4)]
    game: Number = 0


class End(_Order, frozen=True, tag="end"):
    """Ends it now; matches that are still played are closed and count for nothing."""


Order = Begin | Pause | Resume | AddBot | Rename | SetAbsent | Remove | Correct | End


class GameSheet(Struct, frozen=True, kw_only=True):
    """A game of a table, as everybody may see it: nothing of it is told before it is over."""

    match: str | None
    seats: tuple[int, ...]  # entrants by seat
    shares: tuple[float, ...] | None = None  # in the order of the table's entrants
    how: How | None = None


class TableSheet(Struct, frozen=True, kw_only=True):
    """A table of a round."""

    round: int
    table: int
    entrants: tuple[int, ...]
    games: tuple[GameSheet, ...]
    points: tuple[float, ...] | None = None  # once it is over


class RoundSheet(Struct, frozen=True, kw_only=True):
    """A round: its tables and byes."""

    round: int
    tables: tuple[TableSheet, ...]
    byes: tuple[int, ...] = ()


class TournamentSheet(Struct, frozen=True, kw_only=True):
    """How a tournament stands, as everybody may see it."""

    tournament: str
    title: str
    kind: Kind
    game: str
    format: Format
    status: Literal["open", "running", "paused", "over"]
    n: int  # the number of its last event
    size: int
    games: int
    clock: str
    no_show: int
    rounds: int  # how many there will be; 0 in an arena
    round: int  # how many were paired
    began_at: int | None
    ends_at: int | None  # of an arena
    report: bool  # whether there is one of its questions
    standings: tuple[StandingsRow, ...]
    playing: tuple[TableSheet, ...]  # of the current round; in an arena those that are not over
    byes: tuple[int, ...] = ()


class ListedTournament(Struct, frozen=True, kw_only=True):
    """A tournament in a list."""

    tournament: str
    title: str
    game: str
    status: str
    created_at: int


class OwnPlace(Struct, frozen=True, kw_only=True):
    """What somebody who takes part has to know: where they stand, and the match that waits for them."""

    entrant: int
    name: str
    state: Literal["waiting", "play", "bye", "absent", "withdrawn", "over"]
    place: int
    points: float
    round: int = 0
    game: int = 0  # of the games of the table, from 1
    match: str | None = None
    seat: int | None = None
    seated: bool = False
    opponents: tuple[str, ...] = ()
    by: int | None = None  # until when one has to sit down, in milliseconds since 1970


class Asker(Struct, frozen=True, kw_only=True):
    """Who asks: somebody who takes part or not, and whether they lead it."""

    own: OwnPlace | None
    organiser: bool


class QuestionRow(Struct, frozen=True, kw_only=True):
    """A question of the report."""

    question: str
    level: str
    text: str
    answer: str
    asked: int
    right: int


class LevelRow(Struct, frozen=True, kw_only=True):
    """All questions of a level."""

    level: str
    asked: int
    right: int


class QuestionReport(Struct, frozen=True, kw_only=True):
    """Which questions were hard, of all matches that are over; the hardest first. It names nobody."""

    matches: int
    running: int  # matches that are not over, of which nothing is told yet
    levels: tuple[LevelRow, ...]
    questions: tuple[QuestionRow, ...]
