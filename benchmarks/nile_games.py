"""Games of Nile between copies of one bot, wholly compiled, and what each of them was like.

The bot is the greedy one (no simulations), or searches as `ismcts` does. Only its guesses at hidden tiles are simpler:
all tiles that it does not see are equally likely to be anywhere, whatever was shown before.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from astragal.arena.kernels_selfplay import SelfplayWork, choose, work_for
from astragal.arena.learn import vector
from astragal.bots import ismcts
from astragal.bots.kernels_ismcts import LINKS, VISITS, WORTHS, IsmctsWork, SearchSettings, child_of, simulate
from astragal.core.compiled import cpu, kernel
from astragal.core.fast import Array, below, chance, copy, legal, returns, step, turn, weighted
from astragal.core.types import CHANCE, OVER
from astragal.games.nile import GAME
from astragal.games.nile import layout as at
from astragal.games.nile.options import Options

DETERMINIZATIONS = 4
MOST_PLIES = 5000

# Columns of a game: how it ended (0 goal, 1 all tiles laid, 2 idle), the seat that opened, turns with a tile, those of
# at least five, passes, the number of the goal, the highest row with a tile, tiles in the bag, whether the river was
# shut in at the end, plies, the seat that laid last, green fields and red ones that were covered, and how often the
# lead in points changed.
(ENDING, OPENED, TURNS, FIVES, PASSES, GOAL, TOP, LEFT, SHUT, PLIES, LAST, GREEN, RED, LEADS, COLUMNS) = range(15)
GOAL_REACHED, ALL_LAID, IDLE = range(3)


class SearchRoom(NamedTuple):
    """The arrays of a search, besides its tree."""

    tree: IsmctsWork
    determinizations: Array


@kernel
def determinize(state: Array, tables: Array, seat: int, other: Array, rng: Array) -> None:
    """A state that looks the same to this seat: all tiles it does not see are dealt again."""
    copy(state, other)
    for rack in range(tables[at.PLAYERS]):
        if rack == seat:
            continue
        for kind in range(at.KINDS):
            other[at.BAG + kind] += other[at.RACKS + rack * at.KINDS + kind]
            other[at.RACKS + rack * at.KINDS + kind] = 0
        other[at.IN_BAG] += other[at.SIZES + rack]
    for rack in range(tables[at.PLAYERS]):
        if rack == seat:
            continue
        for _ in range(other[at.SIZES + rack]):
            kind, left = 0, below(rng, other[at.IN_BAG]) - other[at.BAG]
            while left >= 0:
                kind += 1
                left -= other[at.BAG + kind]
            other[at.BAG + kind] -= 1
            other[at.IN_BAG] -= 1
            other[at.RACKS + rack * at.KINDS + kind] += 1


@kernel
def search(
    room: SearchRoom, state: Array, tables: Array, seat: int, nodes: int, weights: Array, settings: SearchSettings
) -> int:
    """The action that was visited most."""
    tree = room.tree
    for number in range(len(room.determinizations)):
        determinize(state, tables, seat, room.determinizations[number], tree.rng)
    tree.size[0] = 1
    for column in range(4):
        tree.links[0, column] = -1
    tree.links[0, 4] = tree.links[0, 5] = 0
    simulate(tree, room.determinizations, nodes, tables, weights, settings)
    count = legal(state, tables, tree.numbers)
    best, most = 0, -1
    for index in range(count):
        child = child_of(tree.links, 0, tree.numbers[index], seat)
        visits = tree.links[child, VISITS] if child >= 0 else 0
        if visits > most:
            best, most = index, visits
    return int(tree.numbers[best])


@kernel
def leader(state: Array, tables: Array) -> int:
    """The seat with the most points, or -1 if some share them."""
    best = 0
    for seat in range(1, tables[at.PLAYERS]):
        if state[at.SCORES + seat] > state[at.SCORES + best]:
            best = seat
    for seat in range(tables[at.PLAYERS]):
        if seat != best and state[at.SCORES + seat] == state[at.SCORES + best]:
            return -1
    return best


@kernel
def note(state: Array, tables: Array, number: int, line: Array) -> None:
    """Counts an action of a seat before it happens."""
    if number == at.PASS:
        line[PASSES] += state[at.TOP] >= 0
        return
    laid = state[at.LAID]
    if number == at.STOP:
        line[TURNS] += 1
        line[FIVES] += laid >= tables[at.RACK]
        return
    if line[OPENED] < 0:
        line[OPENED] = state[at.SEAT]
    line[LAST] = state[at.SEAT]
    exit, crossing = (number >> 1) & 7, number & 1
    ground = at.GROUND + state[at.HEAD] * at.STRIDE
    line[GREEN] += tables[ground + at.COLOUR] > 0
    line[RED] += tables[ground + at.COLOUR] < 0
    if tables[ground + at.GOAL] > 0 and exit != at.E and exit != at.W:
        line[TURNS] += 1
        line[FIVES] += laid + 1 + crossing >= tables[at.RACK]
        line[GOAL] = tables[ground + at.GOAL]


@kernel
def games(
    packed: Array,
    tables: Array,
    seeds: Array,
    nodes: int,
    weights: Array,
    settings: SearchSettings,
    work: SelfplayWork,
    room: SearchRoom,
    lines: Array,
    shares: Array,
    scores: Array,
) -> None:
    """A game for each seed, by so many simulations at every decision."""
    state, rng, numbers = work.state, work.rng, work.numbers
    for game in range(len(seeds)):
        copy(packed, state)
        rng[0] = seeds[game]
        room.tree.rng[0] = seeds[game] + np.uint64(1)
        line, leads = lines[game], -1
        line[OPENED] = -1
        ply = 0
        while True:
            seat = turn(state, tables)
            if seat == OVER or ply == MOST_PLIES:
                break
            ply += 1
            if seat == CHANCE:
                count = chance(state, tables, numbers, work.odds)
                number = numbers[weighted(rng, work.odds, count)]
            else:
                count = legal(state, tables, numbers)
                number = numbers[0]
                if count > 1 and nodes > 0:
                    number = search(room, state, tables, seat, nodes, weights[seat], settings)
                elif count > 1:
                    number = choose(work, state, tables, seat, count, weights[seat], 0.0)
                note(state, tables, number, line)
                if number == at.PASS or number == at.STOP:
                    ahead = leader(state, tables)
                    if ahead >= 0 and leads >= 0 and ahead != leads:
                        line[LEADS] += 1
                    leads = ahead if ahead >= 0 else leads
            step(state, tables, number)
        returns(state, tables, shares[game])
        line[PLIES], line[TOP], line[LEFT], line[SHUT] = ply, state[at.TOP], state[at.IN_BAG], state[at.SHUT]
        held = state[at.IN_BAG]
        for seat in range(tables[at.PLAYERS]):
            held += state[at.SIZES + seat]
            scores[game, seat] = state[at.SCORES + seat]
        line[ENDING] = GOAL_REACHED if line[GOAL] > 0 else ALL_LAID if held == 0 else IDLE


class Played(NamedTuple):
    """A row for each game: the columns above, each seat's share of the win, and each seat's points."""

    lines: Array
    shares: Array
    scores: Array


def play(options: Options, players: int, count: int, nodes: int, seed: int, rows: Array | None = None) -> Played:
    """So many games. The same arguments give the same games."""
    table: Any = GAME.fast(options, players)  # type: ignore[misc]
    start = table.pack(GAME.rules.initial(options, players))
    weights = np.tile(vector(GAME), (players, 1)) if rows is None else rows
    work = work_for(table, start, weights.shape[1])
    rows_of_tree = max(64, nodes * 64)
    links, worths = np.zeros((rows_of_tree, LINKS), dtype=np.int32), np.zeros((rows_of_tree, WORTHS))
    tree = ismcts.work_for(table, start, links, worths, np.zeros(max(weights.shape[1], players)), 0)
    room = SearchRoom(tree, np.zeros((DETERMINIZATIONS, len(start)), dtype=start.dtype))
    played = Played(
        np.zeros((count, COLUMNS), dtype=np.int64), np.zeros((count, players)), np.zeros((count, players), np.int64)
    )
    seeds = np.random.default_rng(seed).integers(0, 2**63, count).astype(np.uint64)
    run = cpu(games, table.source)
    settings = SearchSettings(0.5, 0.1, 0, 0.8)
    run(start, table.tables, seeds, nodes, weights, settings, work, room, *played)
    return played
