"""Points, tie-breaks, games and results as they follow from a log that is written by hand."""

from __future__ import annotations

import pytest

from astragal.tournament.conduct import due, rounds
from astragal.tournament.events import (
    BadPlan,
    Began,
    Ended,
    Kept,
    Missed,
    Paired,
    Paused,
    Plan,
    Result,
    Resumed,
    Withdrew,
    read,
    write,
)
from astragal.tournament.standings import StandingsRow, standings
from astragal.tournament.state import BadLog, Tournament
from tests.tournament.simulated import Simulated


def rows(simulated: Simulated) -> dict[int, StandingsRow]:
    return {row.entrant: row for row in standings(simulated.state)}


def test_points_buchholz_and_sonneborn_berger() -> None:
    cup = Simulated(Plan(format="swiss", rounds=3), 4)
    cup.add(Began())
    for n, (tables, results) in enumerate(
        [
            (((0, 1), (2, 3)), ((1.0, 0.0), (0.5, 0.5))),
            (((0, 2), (3, 1)), ((1.0, 0.0), (1.0, 0.0))),
            (((0, 3), (1, 2)), ((0.0, 1.0), (0.0, 1.0))),
        ]
    ):
        cup.add(Paired(n, tables))
        for table, shares in enumerate(results):
            cup.add(Result(n, table, 0, shares))
    found = rows(cup)
    assert {number: row.points for number, row in found.items()} == {0: 2.0, 1: 0.0, 2: 1.5, 3: 2.5}
    assert [row.entrant for row in standings(cup.state)] == [3, 0, 2, 1]
    assert found[0].buchholz == 0.0 + 1.5 + 2.5
    assert found[0].berger == 0.0 + 1.5
    assert found[3].buchholz == 1.5 + 0.0 + 2.0
    assert found[3].berger == 0.5 * 1.5 + 0.0 + 2.0
    assert (found[2].won, found[2].level, found[2].lost) == (1, 1, 1)


def test_a_bye_is_a_point_in_swiss_and_a_rest_in_a_round_robin() -> None:
    for form, worth in (("swiss", 1.0), ("round-robin", 0.0)):
        cup = Simulated(Plan(format=form), 3)  # type: ignore[arg-type]
        cup.add(Began())
        cup.add(Paired(0, ((0, 1),), (2,)))
        cup.add(Result(0, 0, 0, (1.0, 0.0)))
        assert rows(cup)[2].points == worth
        assert rows(cup)[2].byes == 1


def test_who_is_equal_in_everything_shares_a_place() -> None:
    cup = Simulated(Plan(format="swiss"), 4)
    cup.add(Began())
    cup.add(Paired(0, ((0, 1), (2, 3))))
    for table in (0, 1):
        cup.add(Result(0, table, 0, (1.0, 0.0)))
    assert [row.place for row in standings(cup.state)] == [1, 1, 3, 3]


def test_a_match_of_three_games_is_one_point_and_sides_change() -> None:
    cup = Simulated(Plan(format="swiss", rounds=1, games=3), 2)
    assert cup.pair() is not None
    table = cup.state.rounds[0][0]
    a, b = table.entrants
    assert [table.seated(game) for game in range(3)] == [(a, b), (b, a), (a, b)]
    for game, shares in enumerate(((1.0, 0.0), (0.0, 1.0), (1.0, 0.0))):
        assert due(cup.state, 0) is None
        cup.add(Result(0, 0, game, shares))
    assert due(cup.state, 0) == Ended()
    assert (rows(cup)[a].points, rows(cup)[a].share) == (1.0, 2.0)
    assert (rows(cup)[b].points, rows(cup)[b].share) == (0.0, 1.0)


def test_a_corrected_result_replaces_the_first() -> None:
    cup = Simulated(Plan(format="swiss", rounds=1), 2)
    assert cup.pair() is not None
    cup.add(Result(0, 0, 0, (1.0, 0.0)))
    cup.add(Result(0, 0, 0, (0.0, 1.0), "corrected"))
    assert rows(cup)[cup.state.rounds[0][0].entrants[1]].points == 1.0


def test_who_does_not_come_loses_and_the_others_play_on() -> None:
    cup = Simulated(Plan(format="groups", size=4, sizes=(2, 3, 4), rounds=1), 4)
    assert cup.pair() is not None
    table = cup.state.rounds[0][0]
    first, *others = table.entrants
    cup.add(Missed(0, 0, 0, (first,)))
    assert due(cup.state, 0) is None  # three can play
    assert table.seated(0) == tuple(others)
    cup.add(Missed(0, 0, 0, tuple(others[:2])))
    decided = due(cup.state, 0)
    assert isinstance(decided, Result)
    cup.add(decided)
    assert rows(cup)[others[2]].points == 1.0
    assert rows(cup)[first].points == 0.0


def test_where_nobody_comes_nobody_has_the_point() -> None:
    cup = Simulated(Plan(format="swiss", rounds=1), 2)
    assert cup.pair() is not None
    cup.add(Missed(0, 0, 0, (0, 1)))
    decided = due(cup.state, 0)
    assert decided == Result(0, 0, 0, (0.0, 0.0), "no-show")
    cup.add(decided)
    assert [row.points for row in standings(cup.state)] == [0.0, 0.0]


def test_nothing_new_begins_while_it_is_paused() -> None:
    cup = Simulated(Plan(format="swiss", rounds=2), 4)
    cup.add(Began())
    cup.add(Paused())
    assert due(cup.state, 0) is None
    cup.add(Resumed())
    assert isinstance(due(cup.state, 0), Paired)


def test_a_tournament_without_players_ends() -> None:
    cup = Simulated(Plan(format="swiss", rounds=3), 2)
    cup.add(Began())
    for number in (0, 1):
        cup.add(Withdrew(number))
    assert due(cup.state, 0) == Ended("players")


def test_how_many_rounds_a_swiss_tournament_has() -> None:
    for entrants, expected in ((2, 1), (3, 2), (4, 3), (8, 4), (16, 5), (17, 6)):
        assert rounds(Simulated(Plan(format="swiss"), entrants).state) == expected


def test_events_are_read_as_they_were_written() -> None:
    cup = Simulated(Plan(format="swiss"), 4)
    cup.pair()
    for kept in cup.log:
        assert read(write(kept.body)) == kept.body


def test_what_cannot_have_happened_is_refused() -> None:
    cup = Simulated(Plan(format="swiss"), 2)
    for body in (Paired(3, ((0, 1),)), Paired(0, ((0, 0),)), Paired(0, ((0, 7),)), Result(0, 0, 0, (1.0, 0.0))):
        with pytest.raises(BadLog):
            Tournament([*cup.log, Kept(len(cup.log) + 1, 0, body)])
    with pytest.raises(BadLog):
        Tournament(cup.log[1:])


@pytest.mark.parametrize(
    "plan",
    [
        Plan(format="swiss", size=3, sizes=(2, 3)),
        Plan(format="groups"),
        Plan(format="groups", size=4, sizes=(2, 3)),
        Plan(format="arena"),
        Plan(format="swiss", minutes=5),
    ],
)
def test_conditions_that_do_not_go_together(plan: Plan) -> None:
    with pytest.raises(BadPlan):
        plan.check()
