"""A tournament as its events make it: who takes part, which tables there are, and what they came to."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Literal

from astragal.core.language import say
from astragal.core.types import AstragalError
from astragal.tournament.events import (
    Absent,
    Began,
    Body,
    Ended,
    Entered,
    How,
    Kept,
    Made,
    Missed,
    Opened,
    Paired,
    Paused,
    Plan,
    Renamed,
    Result,
    Resumed,
    Withdrew,
)


class BadLog(AstragalError):
    """An event that cannot have happened where it stands."""


class Entrant:
    """Somebody who takes part."""

    def __init__(self, number: int, name: str, bot: str, late: bool) -> None:
        self.number, self.name, self.bot, self.late = number, name, bot, late
        self.absent = self.withdrawn = False
        self.absences = 0  # how often they said so of themselves

    @property
    def present(self) -> bool:
        """Whether it can be paired."""
        return not (self.absent or self.withdrawn)


class Game:
    """One of the games of a table."""

    def __init__(self, number: int) -> None:
        self.number = number
        self.match: str | None = None  # that is played for it; none yet, or it was closed since somebody did not come
        self.matches: list[str] = []  # all that were ever made for it
        self.attempt = 0
        self.opened_at = 0
        self.shares: tuple[float, ...] | None = None
        self.how: How = "played"


class Table:
    """Those who meet in a round, in the order of their seats in the first game."""

    def __init__(self, round: int, number: int, entrants: tuple[int, ...], games: int) -> None:
        self.round, self.number, self.entrants = round, number, entrants
        self.missed: set[int] = set()  # who was not there in time
        self.games = [Game(n) for n in range(games)]

    @property
    def current(self) -> Game | None:
        """The first game without a result; None: all are played."""
        return next((game for game in self.games if game.shares is None), None)

    @property
    def over(self) -> bool:
        """Whether all its games have results."""
        return self.current is None

    def seated(self, game: int) -> tuple[int, ...]:
        """Who plays a game, by seat: each time everybody moves on by one, so that sides change."""
        there = [entrant for entrant in self.entrants if entrant not in self.missed]
        turn = game % len(there) if there else 0
        return tuple(there[turn:] + there[:turn])

    def shares(self, entrant: int) -> float:
        """What an entrant has of all its games so far."""
        place = self.entrants.index(entrant)
        return sum(game.shares[place] for game in self.games if game.shares is not None)

    def points(self, entrant: int) -> float:
        """What the table is worth to an entrant once it is over.

        Of two, whoever has more of the games has the point, and both have a half where they are level. At larger tables
        it is the share of the wins. Where nobody came nobody has anything.
        """
        if len(self.entrants) > 2:
            return self.shares(entrant) / len(self.games)
        own = self.shares(entrant)
        other = self.shares(next(each for each in self.entrants if each != entrant))
        if own == other:
            return 0.5 if own else 0.0
        return 1.0 if own > other else 0.0


class Tournament:
    """The fold over a tournament's log. `add` is the only way to change it."""

    def __init__(self, log: Iterable[Kept] = ()) -> None:
        self.title = ""
        self.plan = Plan(format="swiss")
        self.seed = ""
        self.last = 0  # the number of the last event
        self.entrants: list[Entrant] = []
        self.rounds: list[list[Table]] = []
        self.byes: list[tuple[int, ...]] = []  # of each round
        self.began_at: int | None = None
        self.paired_at = 0  # when the last round was
        self.resumed_at = 0
        self.paused = False
        self.ended: Ended | None = None
        self.ended_at: int | None = None
        for kept in log:
            self.add(kept)

    @property
    def status(self) -> Literal["open", "running", "paused", "over"]:
        """open, running, paused or over."""
        if self.ended is not None:
            return "over"
        if self.began_at is None:
            return "open"
        return "paused" if self.paused else "running"

    @property
    def tables(self) -> Iterator[Table]:
        """All tables so far, in order."""
        return (table for tables in self.rounds for table in tables)

    @property
    def open_tables(self) -> list[Table]:
        """Those that have games to play."""
        return [table for table in self.tables if not table.over]

    @property
    def ends_at(self) -> int | None:
        """When an arena ends."""
        if self.began_at is None or not self.plan.minutes:
            return None
        return self.began_at + self.plan.minutes * 60_000

    def entrant(self, number: int) -> Entrant:
        """One of them. Raises BadLog."""
        if not 0 <= number < len(self.entrants):
            raise BadLog(say("there is no entrant {number}", number=number))
        return self.entrants[number]

    def table(self, round: int, number: int) -> Table:
        """One of them; rounds and tables are numbered from 0. Raises BadLog."""
        if not 0 <= round < len(self.rounds) or not 0 <= number < len(self.rounds[round]):
            raise BadLog(say("there is no table {table} in round {round}", table=number + 1, round=round + 1))
        return self.rounds[round][number]

    def game(self, round: int, table: int, number: int) -> Game:
        """One of them. Raises BadLog."""
        games = self.table(round, table).games
        if not 0 <= number < len(games):
            raise BadLog(say("there is no game {game} at this table", game=number + 1))
        return games[number]

    def table_of(self, entrant: int) -> Table | None:
        """The table at which an entrant has games to play."""
        return next((t for t in self.open_tables if entrant in t.entrants and entrant not in t.missed), None)

    def add(self, kept: Kept) -> None:
        """Lets an event happen. Raises BadLog."""
        if kept.n != self.last + 1:
            raise BadLog(say("event {n} does not follow event {last}", n=kept.n, last=self.last))
        self._apply(kept.body, kept.at)
        self.last = kept.n

    def _apply(self, body: Body, at: int) -> None:
        match body:
            case Made():
                self.title, self.plan, self.seed = body.title, body.plan, body.seed
            case Entered():
                if body.entrant != len(self.entrants):
                    raise BadLog(say("entrants are numbered in their order"))
                self.entrants.append(Entrant(body.entrant, body.name, body.bot, bool(self.rounds)))
            case Renamed(number, name):
                self.entrant(number).name = name
            case Withdrew(number):
                self.entrant(number).withdrawn = True
            case Absent(number, on, by):
                self.entrant(number).absent = on
                self.entrant(number).absences += on and by == "self"
            case Began():
                self.began_at = at
            case Paired():
                self._pair(body)
                self.paired_at = at
            case Opened(round, table, number, match):
                game = self.game(round, table, number)
                game.match, game.opened_at = match, at
                game.matches.append(match)
            case Missed(round, table, number, entrants):
                game = self.game(round, table, number)
                self.table(round, table).missed.update(entrants)
                game.match, game.attempt = None, game.attempt + 1
            case Result(round, table, number, shares, how):
                if len(shares) != len(self.table(round, table).entrants):
                    raise BadLog(say("a result has a share for everybody at the table"))
                game = self.game(round, table, number)
                game.shares, game.how = shares, how
            case Paused():
                self.paused = True
            case Resumed():
                self.paused, self.resumed_at = False, at
            case Ended():
                self.ended, self.ended_at = body, at

    def _pair(self, body: Paired) -> None:
        if body.round != len(self.rounds):
            raise BadLog(say("round {round} does not follow round {last}", round=body.round + 1, last=len(self.rounds)))
        named = [entrant for table in body.tables for entrant in table] + list(body.byes)
        if len(set(named)) != len(named):
            raise BadLog(say("somebody is paired twice in one round"))
        for entrant in named:
            self.entrant(entrant)
        self.rounds.append([Table(body.round, n, entrants, self.plan.games) for n, entrants in enumerate(body.tables)])
        self.byes.append(body.byes)
