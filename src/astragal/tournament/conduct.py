"""What happens next in a tournament by itself: rounds are paired, tables decided that nobody came to, the end.

It follows from the log, the seed and the time alone; whoever asks twice gets the same answer.
"""

from __future__ import annotations

from math import ceil, log2

from astragal.tournament import groups, pairing
from astragal.tournament.events import Body, Ended, Paired, Result
from astragal.tournament.state import Table, Tournament

WAIT_MS = 5_000  # how long one waits in an arena, so that it is not always the same two who are free at the same time

MOST_GAMES_IN_ALL = 20_000  # of one tournament; an arena ends there, and a round robin that needs more does not begin


def rounds(tournament: Tournament) -> int:
    """How many rounds there will be; in a round robin by those who are in it now, in an arena 0."""
    playing = sum(not entrant.withdrawn for entrant in tournament.entrants)
    match tournament.plan.format:
        case "arena":
            return 0
        case "round-robin":
            return max(len(tournament.rounds), playing - 1 + playing % 2)
        case "swiss":
            return tournament.plan.rounds or max(1, min(ceil(log2(max(playing, 2))) + 1, playing - 1))
        case "groups":
            return tournament.plan.rounds or 4


def games_of_round_robin(tournament: Tournament, entering: int = 0) -> int:
    """How many games a round robin has if all who are in it, and so many more, meet."""
    count = sum(not entrant.withdrawn for entrant in tournament.entrants) + entering
    return count * (count - 1) // 2 * tournament.plan.games


def due(tournament: Tournament, now: int) -> Body | None:
    """The next event that nobody has to bring about; None: there is nothing to do now."""
    if tournament.status != "running":
        return None
    if (decided := _decided(tournament)) is not None:
        return decided
    if tournament.plan.format == "arena":
        return _arena(tournament, now)
    if tournament.open_tables:
        return None
    return _next_round(tournament)


def _decided(tournament: Tournament) -> Result | None:
    """A game that cannot be played since too few came."""
    for table in tournament.open_tables:
        game = table.current
        if table.missed and game is not None and len(table.seated(0)) not in tournament.plan.sizes:
            return Result(table.round, table.number, game.number, _without(table), "no-show")
    return None


def _without(table: Table) -> tuple[float, ...]:
    """The result of a game for which too few came: it is not played, and the win is shared among those who came."""
    came = [entrant for entrant in table.entrants if entrant not in table.missed]
    return tuple(1 / len(came) if entrant in came else 0.0 for entrant in table.entrants)


def _arena(tournament: Tournament, now: int) -> Body | None:
    played = sum(len(tables) for tables in tournament.rounds) * tournament.plan.games
    if now >= (tournament.ends_at or 0) or played >= MOST_GAMES_IN_ALL:
        return None if tournament.open_tables else Ended("time")
    free = pairing.waiting(tournament)
    since = max(tournament.paired_at, tournament.began_at or 0)
    everybody = sum(entrant.present for entrant in tournament.entrants)
    if len(free) < 2 or (len(free) < everybody and now < since + WAIT_MS):
        return None
    pairs = pairing.arena(tournament)
    return Paired(len(tournament.rounds), pairs) if pairs else None


def _next_round(tournament: Tournament) -> Body:
    number = len(tournament.rounds)
    if tournament.plan.format == "round-robin":
        following = pairing.round_robin(tournament)
        return Ended() if following is None else Paired(number, *following)
    if number >= rounds(tournament):
        return Ended()
    tables: tuple[tuple[int, ...], ...]
    tables, byes = groups.groups(tournament) if tournament.plan.format == "groups" else pairing.swiss(tournament)
    return Paired(number, tables, byes) if tables else Ended("players")
