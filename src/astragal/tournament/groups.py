"""Rotating groups: tables of three and four, made anew each round so that everybody meets as many others as possible.

There is no library for it: the number of tables is small, and a search by exchanges finds what matters, that nobody
meets somebody again while there are others to meet. It begins anew from several lots and keeps the best.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from itertools import combinations, permutations
from random import Random

from astragal.tournament.pairing import History, lots
from astragal.tournament.state import Tournament

STARTS = 12  # lots that the search begins from
SWEEPS = 30  # rounds of exchanges of one search; it nearly always ends sooner by itself


def groups(tournament: Tournament) -> tuple[tuple[tuple[int, ...], ...], tuple[int, ...]]:
    """The tables of the next round in the order of seats, and who has a bye."""
    present = [entrant.number for entrant in tournament.entrants if entrant.present]
    history, lot = History(tournament), lots(tournament, len(tournament.rounds))
    sizes = table_sizes(len(present), tournament.plan.size, tournament.plan.sizes)
    left_over = len(present) - sum(sizes)
    order = sorted(present, key=lambda number: (history.byes[number], lot.random()))
    byes = tuple(sorted(order[:left_over]))
    playing = [number for number in present if number not in byes]
    best = min((_search(playing, sizes, history, lot) for _ in range(STARTS)), key=lambda t: _cost_of_all(t, history))
    seats = _seats(tournament)
    return tuple(_seated(table, seats, lot) for table in best), byes


def table_sizes(count: int, size: int, allowed: Sequence[int]) -> list[int]:
    """How large the tables are for so many people: as many as possible of the wanted size, the fewest left over.

    Tables may be one smaller or larger where the game allows it, but not of two.
    """
    others = [n for n in (size - 1, size + 1) if n in allowed and n > 2]
    ways = []
    for many in range(count // size + 1):
        rest = count - many * size
        ways.append((rest, -many, [size] * many))
        for other in others:
            few = rest // other
            ways.append((rest - few * other, -many, [size] * many + [other] * few))
    return min(ways, key=lambda way: way[:2])[2]


def _search(playing: Sequence[int], sizes: Sequence[int], history: History, lot: Random) -> list[list[int]]:
    drawn = list(playing)
    lot.shuffle(drawn)
    tables, at = [], 0
    for size in sizes:
        tables.append(drawn[at : at + size])
        at += size
    for _ in range(SWEEPS):
        if not _exchange(tables, history):
            break
    return tables


def _exchange(tables: list[list[int]], history: History) -> bool:
    """Exchanges whatever two people make the tables better by it; whether there were any."""
    better = False
    for one, other in combinations(tables, 2):
        for i in range(len(one)):
            for j in range(len(other)):
                before = _cost(one, history) + _cost(other, history)
                one[i], other[j] = other[j], one[i]
                if _cost(one, history) + _cost(other, history) < before:
                    better = True
                else:
                    one[i], other[j] = other[j], one[i]
    return better


def _cost(table: Sequence[int], history: History) -> int:
    """Meeting twice more is worse than meeting two others once more."""
    return sum((history.met[frozenset(pair)] + 1) ** 2 for pair in combinations(table, 2))


def _cost_of_all(tables: Sequence[Sequence[int]], history: History) -> int:
    return sum(_cost(table, history) for table in tables)


def _seats(tournament: Tournament) -> Counter[tuple[int, int]]:
    """How often everybody had each seat."""
    return Counter(
        (entrant, seat)
        for table in tournament.tables
        for game in table.games
        for seat, entrant in enumerate(table.seated(game.number))
    )


def _seated(table: Sequence[int], seats: Counter[tuple[int, int]], lot: Random) -> tuple[int, ...]:
    """The table in the order of seats in which everybody has had their own least often."""
    drawn = list(table)
    lot.shuffle(drawn)
    return min(
        permutations(drawn), key=lambda order: sum(seats[entrant, seat] ** 2 for seat, entrant in enumerate(order))
    )
