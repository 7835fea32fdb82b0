"""The laws of pairing: everybody is paired, nobody twice while that is possible, sides and byes are shared fairly."""

from __future__ import annotations

from collections import Counter
from itertools import combinations
from random import Random

import pytest
import rustworkx
from hypothesis import given, settings
from hypothesis import strategies as st

from astragal.tournament import conduct, pairing
from astragal.tournament.conduct import due
from astragal.tournament.events import MOST_ENTRANTS, Absent, Ended, Paired, Plan, Result
from astragal.tournament.groups import table_sizes
from astragal.tournament.state import Tournament
from tests.tournament.simulated import Simulated

SWISS = Plan(format="swiss", rounds=7)


def everybody_once(simulated: Simulated, paired: Paired, present: set[int]) -> None:
    named = [entrant for table in paired.tables for entrant in table] + list(paired.byes)
    assert sorted(named) == sorted(present)


def could_avoid_meeting(state: Tournament, present: list[int]) -> bool:
    """Whether those present can be paired without anybody meeting again, byes going to those with the fewest."""
    history = pairing.History(state)
    graph: rustworkx.PyGraph[int, int] = rustworkx.PyGraph()
    graph.add_nodes_from(present)
    for i, j in combinations(range(len(present)), 2):
        if not history.met[frozenset((present[i], present[j]))]:
            graph.add_edge(i, j, 1)
    if len(present) % 2:
        graph.add_node(-1)
        fewest = min(history.byes[number] for number in present)
        for i, number in enumerate(present):
            if history.byes[number] == fewest:
                graph.add_edge(i, len(present), 1)
    return len(rustworkx.max_weight_matching(graph, True)) == (len(present) + 1) // 2


@settings(deadline=None, max_examples=40)
@given(st.integers(2, 13), st.integers(0, 10**6))
def test_swiss_keeps_its_laws_whoever_comes_and_goes(entrants: int, seed: int) -> None:
    simulated, rng = Simulated(SWISS, entrants, str(seed)), Random(seed)
    for _ in range(7):
        state = Tournament(simulated.log)
        history = pairing.History(state)
        present = [entrant.number for entrant in state.entrants if entrant.present]
        paired = simulated.pair()
        if paired is None:
            break
        everybody_once(simulated, paired, set(present))
        assert len(paired.byes) == len(present) % 2
        for number in paired.byes:
            assert history.byes[number] == min(history.byes[each] for each in present)
        again = [pair for pair in paired.tables if history.met[frozenset(pair)]]
        assert not again or not could_avoid_meeting(state, present)
        for first, second in paired.tables:
            assert history.sides[first] <= history.sides[second]
        simulated.decide(rng)
        simulated.stir(rng)


@settings(deadline=None, max_examples=40)
@given(st.integers(4, 24), st.integers(0, 10**6))
def test_in_a_swiss_tournament_sides_stay_balanced(entrants: int, seed: int) -> None:
    simulated = Simulated(Plan(format="swiss", rounds=min(6, entrants // 2)), entrants, str(seed))
    simulated.run(Random(seed))
    assert all(abs(sides) <= 2 for sides in pairing.History(simulated.state).sides.values())


@settings(deadline=None, max_examples=30)
@given(st.integers(2, 12), st.integers(0, 10**6), st.sampled_from(["swiss", "round-robin", "groups", "arena"]))
def test_the_same_log_and_seed_give_the_same_pairs(entrants: int, seed: int, form: str) -> None:
    size, minutes = (3 if form == "groups" else 2), (1 if form == "arena" else 0)
    plan = Plan(format=form, size=size, sizes=(2, 3, 4), minutes=minutes, rounds=0 if form == "arena" else 4)  # type: ignore[arg-type]
    simulated, rng = Simulated(plan, entrants, str(seed)), Random(seed)
    while len(simulated.state.rounds) < 4:
        simulated.now += 10_000
        before = list(simulated.log)
        if simulated.pair() is None:
            break
        if Tournament(before).began_at is not None:
            assert due(Tournament(before), simulated.now) == simulated.log[len(before)].body
        simulated.decide(rng)
        simulated.stir(rng)


def test_those_with_equal_points_meet() -> None:
    simulated = Simulated(Plan(format="swiss", rounds=3), 8)
    assert simulated.pair() is not None
    for table in simulated.state.open_tables:
        simulated.add(Result(table.round, table.number, 0, (1.0, 0.0)))
    paired = simulated.pair()
    assert paired is not None
    winners = {table.entrants[0] for table in simulated.state.rounds[0]}
    for pair in paired.tables:
        assert len(winners & set(pair)) in (0, 2)


@pytest.mark.parametrize("count", range(2, 21))
def test_the_circle_brings_everybody_together_once_with_balanced_sides(count: int) -> None:
    rounds = pairing.circle(range(count))
    assert len(rounds) == count - 1 + count % 2
    met = Counter(frozenset(pair) for pairs, _ in rounds for pair in pairs)
    assert met == Counter({frozenset(pair): 1 for pair in combinations(range(count), 2)})
    assert Counter(number for _, byes in rounds for number in byes) == Counter(range(count) if count % 2 else ())
    for pairs, byes in rounds:
        assert sorted([number for pair in pairs for number in pair] + list(byes)) == list(range(count))
    first = Counter(pair[0] for pairs, _ in rounds for pair in pairs)
    second = Counter(pair[1] for pairs, _ in rounds for pair in pairs)
    assert all(abs(first[number] - second[number]) <= 1 for number in range(count))


@settings(deadline=None, max_examples=40)
@given(st.integers(2, 9), st.integers(0, 10**6))
def test_a_round_robin_ends_when_all_who_stayed_have_met(entrants: int, seed: int) -> None:
    simulated, rng = Simulated(Plan(format="round-robin"), entrants, str(seed)), Random(seed)
    for n in range(60):
        if simulated.pair() is None:
            break
        simulated.decide(rng)
        if n < 3:
            simulated.stir(rng)
    state = simulated.state
    assert state.ended == Ended()
    history = pairing.History(state)
    assert max(history.met.values(), default=0) <= 1
    present = [entrant.number for entrant in state.entrants if entrant.present]
    assert all(history.met[frozenset(pair)] for pair in combinations(present, 2))


@settings(deadline=None, max_examples=25)
@given(st.integers(3, 20), st.sampled_from([3, 4]), st.integers(0, 10**6))
def test_groups_seat_everybody_and_share_byes(entrants: int, size: int, seed: int) -> None:
    plan = Plan(format="groups", size=size, sizes=(2, 3, 4), rounds=4)
    simulated, rng = Simulated(plan, entrants, str(seed)), Random(seed)
    while (paired := simulated.pair()) is not None:
        everybody_once(simulated, paired, set(range(entrants)))
        assert {len(table) for table in paired.tables} <= {3, 4}
        simulated.decide(rng)
    byes = pairing.History(simulated.state).byes
    assert max(byes.values(), default=0) - min(byes[number] for number in range(entrants)) <= 1
    assert len(simulated.state.rounds) == (4 if entrants >= size or entrants >= 3 else 0)


def test_groups_of_nine_meet_nobody_again_for_three_rounds() -> None:
    for seed in range(5):
        simulated = Simulated(Plan(format="groups", size=3, sizes=(2, 3, 4), rounds=3), 9, str(seed))
        simulated.run(Random(seed))
        assert set(pairing.History(simulated.state).met.values()) == {1}


@pytest.mark.parametrize(
    ("count", "size", "allowed", "sizes"),
    [
        (12, 4, (2, 3, 4), [4, 4, 4]),
        (11, 4, (2, 3, 4), [4, 4, 3]),
        (6, 4, (2, 3, 4), [3, 3]),
        (5, 4, (2, 3, 4), [4]),
        (7, 3, (2, 3, 4), [3, 4]),
        (7, 3, (3,), [3, 3]),
        (2, 3, (2, 3, 4), []),
    ],
)
def test_sizes_of_tables(count: int, size: int, allowed: tuple[int, ...], sizes: list[int]) -> None:
    assert table_sizes(count, size, allowed) == sizes


def test_an_arena_pairs_whoever_waits_until_its_end() -> None:
    simulated, rng = Simulated(Plan(format="arena", minutes=10), 5), Random(3)
    seen: Counter[int] = Counter()
    while (paired := simulated.pair()) is not None or simulated.state.ended is None:
        if paired is not None:
            for pair in paired.tables:
                assert len(pair) == 2
                seen.update(pair)
        simulated.now += 20_000
        simulated.decide(rng)
        assert simulated.now <= 20 * 60_000
    assert simulated.state.ended == Ended("time")
    assert max(seen.values()) - min(seen.values()) <= 1


def test_an_arena_ends_before_its_log_grows_without_end(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(conduct, "MOST_GAMES_IN_ALL", 12)
    simulated, rng = Simulated(Plan(format="arena", minutes=600, games=3), 4), Random(3)
    while simulated.pair() is not None:
        simulated.now += 20_000
        simulated.decide(rng)
    assert simulated.state.ended == Ended("time")
    assert sum(len(table.games) for table in simulated.state.tables) == 12


def test_in_an_arena_nobody_meets_the_same_twice_in_a_row_while_others_wait() -> None:
    simulated, rng = Simulated(Plan(format="arena", minutes=30), 6), Random(4)
    last: dict[int, int] = {}
    for _ in range(20):
        paired = simulated.pair()
        assert paired is not None
        for a, b in paired.tables:
            assert last.get(a) != b
            last[a], last[b] = b, a
        simulated.now += 20_000
        simulated.decide(rng)


def test_the_largest_tournament_is_paired() -> None:
    simulated, rng = Simulated(Plan(format="swiss", rounds=9), MOST_ENTRANTS, "many"), Random(1)
    simulated.run(rng)
    history = pairing.History(simulated.state)
    assert len(simulated.state.rounds) == 9
    assert set(history.met.values()) == {1}


def test_whoever_is_absent_is_not_paired_and_comes_back() -> None:
    simulated, rng = Simulated(Plan(format="swiss", rounds=3), 5), Random(1)
    simulated.add(Absent(2))
    paired = simulated.pair()
    assert paired is not None
    assert 2 not in [number for table in paired.tables for number in table]
    simulated.decide(rng)
    simulated.add(Absent(2, on=False))
    paired = simulated.pair()
    assert paired is not None
    assert 2 in [number for table in paired.tables for number in (*table, *paired.byes)]
