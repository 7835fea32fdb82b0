"""Who meets whom in rounds of two: round robin by the circle method, everything else by a matching of least cost.

A matching weighs every possible pair and finds the pairs whose cost is least in all. Costs are compared one after the
other, each deciding only between what is equal so far: byes of those who had one, pairs that have met, sides that
cannot be balanced any more, the difference of points, sides, and last a lot. They are digits of one whole number, so
that the order holds exactly, and the lots make the best matching the only one: the same log and the same seed give the
same pairs, by any version of the library.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from itertools import combinations
from random import Random

import rustworkx

from astragal.tournament.standings import standings
from astragal.tournament.state import Tournament

Pair = tuple[int, int]

# How many bits each cost has, from the least important on; sums over a round of `MOST_ENTRANTS` fit.
LOT_BITS, SIDE_BITS, POINTS_BITS, UNBALANCED_BITS, MET_BITS, BYE_BITS = 40, 10, 20, 10, 13, 12
SIDE_SHIFT = LOT_BITS + 7
POINTS_SHIFT = SIDE_SHIFT + SIDE_BITS
UNBALANCED_SHIFT = POINTS_SHIFT + POINTS_BITS
MET_SHIFT = UNBALANCED_SHIFT + UNBALANCED_BITS
BYE_SHIFT = MET_SHIFT + MET_BITS
HEAVIEST = 1 << (BYE_SHIFT + BYE_BITS)
UNBALANCED = 2  # whoever was so much more often on one side than on the other should change


class History:
    """What pairings look at: who met whom how often, who sat where, and who had byes."""

    def __init__(self, tournament: Tournament) -> None:
        self.met: Counter[frozenset[int]] = Counter()
        self.sides: Counter[int] = Counter()  # how much more often somebody had the first seat than another
        self.last_side: dict[int, int] = {}
        self.last_met: dict[int, frozenset[int]] = {}
        self.byes = Counter(entrant for byes in tournament.byes for entrant in byes)
        for table in tournament.tables:
            for pair in combinations(table.entrants, 2):
                self.met[frozenset(pair)] += 1
            for entrant in table.entrants:
                self.last_met[entrant] = frozenset(table.entrants)
            for game in table.games:
                for seat, entrant in enumerate(table.seated(game.number)[:2]):
                    self.sides[entrant] += 1 if seat == 0 else -1
                    self.last_side[entrant] = seat

    def sided(self, a: int, b: int, lot: Random) -> Pair:
        """The two in the order of their seats: the first seat is for whom it is more due."""
        due = (self.sides[a], -self.last_side.get(a, 0)), (self.sides[b], -self.last_side.get(b, 0))
        if due[0] == due[1]:
            return (a, b) if lot.random() < 0.5 else (b, a)
        return (a, b) if due[0] < due[1] else (b, a)


def lots(tournament: Tournament, round: int) -> Random:
    """The lots of a round."""
    return Random(f"{tournament.seed}/{round}")


# Matchings -----------------------------------------------------------------------------------------------------------


def swiss(tournament: Tournament) -> tuple[tuple[Pair, ...], tuple[int, ...]]:
    """The next round of a Swiss tournament: those with equal points meet, nobody twice while that is possible."""
    present = [entrant.number for entrant in tournament.entrants if entrant.present]
    history, lot = History(tournament), lots(tournament, len(tournament.rounds))
    points = {row.entrant: round(2 * row.points) for row in standings(tournament)}
    bye = {number: history.byes[number] for number in present}
    return _matched(present, history, points, bye, history.met, lot)


def waiting(tournament: Tournament) -> list[int]:
    """Who could be paired in an arena, whoever has waited longest first."""
    busy = {entrant for table in tournament.open_tables for entrant in table.entrants if entrant not in table.missed}
    free = [entrant.number for entrant in tournament.entrants if entrant.present and entrant.number not in busy]
    latest = {entrant: table.round for table in tournament.tables for entrant in table.entrants}
    played = Counter(entrant for table in tournament.tables for entrant in table.entrants)
    return sorted(free, key=lambda number: (latest.get(number, -1), played[number], number))


def arena(tournament: Tournament) -> tuple[Pair, ...]:
    """Pairs of those who wait in an arena: equals in points, not those who have just met. One may be left over."""
    free = waiting(tournament)
    history, lot = History(tournament), lots(tournament, len(tournament.rounds))
    points = {row.entrant: round(2 * row.points) for row in standings(tournament)}
    just_met = Counter(pair for pair in map(frozenset, combinations(free, 2)) if _just_met(history, pair))
    left_over = {number: len(free) - place for place, number in enumerate(free)}  # the longer the wait, the costlier
    return _matched(free, history, points, left_over, just_met, lot)[0]


def _just_met(history: History, pair: frozenset[int]) -> bool:
    return any(pair <= history.last_met.get(entrant, frozenset()) for entrant in pair)


def _matched(
    present: Sequence[int],
    history: History,
    points: dict[int, int],
    bye: dict[int, int],
    met: Counter[frozenset[int]],
    lot: Random,
) -> tuple[tuple[Pair, ...], tuple[int, ...]]:
    """The pairs of least cost, the best by points first; with an odd number somebody has a bye."""
    graph: rustworkx.PyGraph[int, int] = rustworkx.PyGraph()
    graph.add_nodes_from(list(present))
    lowest = min((points[number] for number in present), default=0)
    for i, j in combinations(range(len(present)), 2):
        a, b = present[i], present[j]
        cost = _cost(history, points, met[frozenset((a, b))], a, b) + lot.getrandbits(LOT_BITS)
        graph.add_edge(i, j, HEAVIEST - cost)
    nobody = len(present)
    if len(present) % 2:
        graph.add_node(-1)
        for i, number in enumerate(present):
            cost = _capped(bye[number], BYE_BITS) << BYE_SHIFT
            cost += _capped((points[number] - lowest) ** 2, POINTS_BITS - 7) << POINTS_SHIFT
            graph.add_edge(i, nobody, HEAVIEST - cost - lot.getrandbits(LOT_BITS))
    matched = rustworkx.max_weight_matching(graph, max_cardinality=True, weight_fn=int)
    pairs, byes = [], []
    for i, j in sorted(tuple(sorted(pair)) for pair in matched):
        if j == nobody:
            byes.append(present[i])
        else:
            pairs.append(history.sided(present[i], present[j], lot))
    pairs.sort(key=lambda pair: (-max(points[n] for n in pair), -min(points[n] for n in pair), pair))
    return tuple(pairs), tuple(byes)


def _cost(history: History, points: dict[int, int], met: int, a: int, b: int) -> int:
    same_side = history.sides[a] * history.sides[b] > 0
    lesser = min(abs(history.sides[a]), abs(history.sides[b])) if same_side else 0
    return (
        (_capped(met, 6) << MET_SHIFT)
        + (int(lesser >= UNBALANCED) << UNBALANCED_SHIFT)
        + (_capped((points[a] - points[b]) ** 2, POINTS_BITS - 7) << POINTS_SHIFT)
        + (_capped(lesser, 3) << SIDE_SHIFT)
    )


def _capped(value: int, bits: int) -> int:
    return min(value, (1 << bits) - 1)


# Round robin ---------------------------------------------------------------------------------------------------------


def circle(entrants: Sequence[int]) -> list[tuple[tuple[Pair, ...], tuple[int, ...]]]:
    """All rounds in which everybody meets everybody once: one stays, the others go round in a circle.

    With an odd number whoever would meet the one that stays has a bye. Both seats come equally often to everybody, or
    one of them once more.
    """
    count = len(entrants) + len(entrants) % 2
    ring = count - 1
    rounds = []
    for n in range(ring):
        pairs: list[Pair] = []
        byes: tuple[int, ...] = ()
        for i in range(count // 2):
            a, b = ((n + i) % ring, (n - i) % ring) if i else (n, ring)
            first, second = (a, b) if (i % 2 if i else n % 2 == 0) else (b, a)
            if max(a, b) >= len(entrants):
                byes = (entrants[min(a, b)],)
            else:
                pairs.append((entrants[first], entrants[second]))
        rounds.append((tuple(pairs), byes))
    return rounds


def round_robin(tournament: Tournament) -> tuple[tuple[Pair, ...], tuple[int, ...]] | None:
    """The next round of a round robin; None if everybody who is there has met everybody.

    While everybody is there from the beginning on, it is the circle method. After a late entry, an absence or a
    withdrawal as many as possible of those who have not met yet meet, round after round.
    """
    everybody = [entrant.number for entrant in tournament.entrants if not entrant.withdrawn]
    present = [entrant.number for entrant in tournament.entrants if entrant.present]
    drawn = list(present)
    lots(tournament, 0).shuffle(drawn)
    if present == everybody and len(everybody) == len(tournament.entrants) > 1:
        plan = circle(drawn)
        so_far = [{frozenset(table.entrants) for table in tables} for tables in tournament.rounds]
        if so_far == [{frozenset(pair) for pair in pairs} for pairs, _ in plan[: len(so_far)]]:
            return plan[len(so_far)] if len(so_far) < len(plan) else None
    history, lot = History(tournament), lots(tournament, len(tournament.rounds))
    graph: rustworkx.PyGraph[int, int] = rustworkx.PyGraph()
    graph.add_nodes_from(present)
    for i, j in combinations(range(len(present)), 2):
        if not history.met[frozenset((present[i], present[j]))]:
            rests = history.byes[present[i]] + history.byes[present[j]]  # whoever rested before should play now
            graph.add_edge(i, j, (1 << 60) + (rests << 50) + lot.getrandbits(LOT_BITS))
    matched = sorted(tuple(sorted(pair)) for pair in rustworkx.max_weight_matching(graph, True, weight_fn=int))
    if not matched:
        return None
    pairs = tuple(history.sided(present[i], present[j], lot) for i, j in matched)
    paired = {number for pair in pairs for number in pair}
    return pairs, tuple(number for number in present if number not in paired)
