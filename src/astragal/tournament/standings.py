"""Who is where: points, and what decides between equals.

Points: a table won is 1, level 0.5, at tables of three and four the share of the wins; a bye in a Swiss tournament and
in groups is 1 (somebody has to sit out), in a round robin it is a rest worth nothing, since everybody has one.

Between equals, in this order: in Swiss and groups Buchholz, then Sonneborn-Berger; in a round robin Sonneborn-Berger;
in an arena the points for each table played; then everywhere tables won, then the share of single games. Who is equal
in all of it shares a place.

- Buchholz is the sum of the opponents' points: it tells how strong the opposition was.
- Sonneborn-Berger is the sum of the points of opponents one has beaten, and half those of opponents one was level with.
- A bye, and a table to which the others did not come, count in both as an opponent with as many points as oneself.
"""

from __future__ import annotations

from msgspec import Struct
from msgspec.structs import replace

from astragal.tournament.state import Table, Tournament

DIGITS = 6  # shares of a third do not add up to one exactly


class StandingsRow(Struct, frozen=True, kw_only=True):
    """An entrant in the standings."""

    place: int
    entrant: int
    name: str
    bot: bool = False
    points: float = 0.0
    played: int = 0  # tables that are over, byes not counted
    won: int = 0
    level: int = 0
    lost: int = 0
    byes: int = 0
    share: float = 0.0  # of single games
    buchholz: float = 0.0
    berger: float = 0.0  # Sonneborn-Berger
    absent: bool = False
    withdrawn: bool = False


def standings(tournament: Tournament) -> list[StandingsRow]:
    """Everybody, the first first. Tables that are not over count for nothing yet."""
    over = [table for table in tournament.tables if table.over]
    points = {entrant.number: 0.0 for entrant in tournament.entrants}
    for byes in tournament.byes:
        for number in byes:
            points[number] += _worth_of_bye(tournament)
    for table in over:
        for number in table.entrants:
            points[number] += table.points(number)
    rows = [_row(tournament, number, over, points) for number in points]
    order = sorted(rows, key=lambda row: (_rank(tournament, row), row.entrant))
    placed: list[StandingsRow] = []
    for n, row in enumerate(order):
        same = n > 0 and _rank(tournament, order[n - 1]) == _rank(tournament, row)
        placed.append(replace(row, place=placed[-1].place if same else n + 1))
    return placed


def _worth_of_bye(tournament: Tournament) -> float:
    """The points for a bye."""
    return 0.0 if tournament.plan.format == "round-robin" else 1.0


def _row(tournament: Tournament, number: int, over: list[Table], points: dict[int, float]) -> StandingsRow:
    entrant = tournament.entrant(number)
    mine = [table for table in over if number in table.entrants]
    byes = sum(number in round for round in tournament.byes)
    own, buchholz = points[number], byes * points[number]
    berger = byes * _worth_of_bye(tournament) * own
    for table in mine:
        others = [each for each in table.entrants if each != number]
        met = [each for each in others if each not in table.missed] if number not in table.missed else []
        opposition = sum(points[each] for each in met) / len(met) if met else own
        buchholz += opposition
        berger += table.points(number) * opposition
    outcomes = [_outcome(table, number) for table in mine]
    won, level = outcomes.count("won"), outcomes.count("level")
    return StandingsRow(
        place=0,
        entrant=number,
        name=entrant.name,
        bot=bool(entrant.bot),
        points=round(own, DIGITS),
        played=len(mine),
        won=won,
        level=level,
        lost=len(mine) - won - level,
        byes=byes,
        share=round(sum(table.shares(number) for table in mine), DIGITS),
        buchholz=round(buchholz, DIGITS),
        berger=round(berger, DIGITS),
        absent=entrant.absent,
        withdrawn=entrant.withdrawn,
    )


def _outcome(table: Table, number: int) -> str:
    """Whether an entrant has more of a table than anybody else, as much as the best of the others, or less."""
    own = table.points(number)
    others = max(table.points(each) for each in table.entrants if each != number)
    if own == others:
        return "level" if own else "lost"
    return "won" if own > others else "lost"


def _rank(tournament: Tournament, row: StandingsRow) -> tuple[float, ...]:
    """What is compared, the better the smaller."""
    each = row.points / row.played if row.played else 0.0
    by_format = {
        "swiss": (row.buchholz, row.berger),
        "groups": (row.buchholz, row.berger),
        "round-robin": (row.berger,),
        "arena": (round(each, DIGITS),),
    }[tournament.plan.format]
    return tuple(-value for value in (row.points, *by_format, row.won, row.share))
