"""What a network is worth without a search: games in which it plays against the heuristic or itself, as kernels, and
the command that goes by them; see `tools.selfplay`."""

from __future__ import annotations

import argparse
import math
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import Any, NamedTuple

import msgspec
import numpy as np

from astragal.bots.kernels_evaluate import by_heuristic, share_of
from astragal.bots.kernels_network import Net, forward, liking, look
from astragal.bots.network import Layer, as_stored, for_kernels, kinds, usual_inputs
from astragal.core.compiled import cpu, kernel
from astragal.core.fast import Array, below, chance, copy, legal, returns, step, turn, weighted
from astragal.core.rules import Game
from astragal.core.types import CHANCE, OVER
from tools import train
from tools.selfplay_games import drawn, odds_at_end, soften
from tools.selfplay_tables import Table, compiled
from tools.solutions import game_of

LONGEST = 4000  # decisions of a game, after which its win is shared
TENTHS = 10


class Job(NamedTuple):
    """The arrays in which one core plays games by a network, one after the other."""

    tables: Array
    heuristic: Array  # its weights
    state: Array
    trial: Array  # a position that is only tried
    numbers: Array
    odds: Array
    shares: Array
    values: Array
    rng: Array
    likely: Array


@kernel
def odds_after(seat: int, job: Job, net: Net) -> Any:
    """The log-odds of this seat in the position that is tried."""
    if turn(job.trial, job.tables) == OVER:
        return odds_at_end(job.trial, job.tables, seat, job.values)
    look(job.trial, job.tables, net.features, seat, net.seen)
    return float(forward(net))


@kernel
def next_decision(job: Job) -> Any:
    """Plays on to where a seat has a choice, and lists its actions; how many, and 0 once the game is over."""
    while turn(job.state, job.tables) != OVER:
        if turn(job.state, job.tables) == CHANCE:
            count = chance(job.state, job.tables, job.numbers, job.odds)
            step(job.state, job.tables, job.numbers[weighted(job.rng, job.odds, count)])
            continue
        count = legal(job.state, job.tables, job.numbers)
        if count > 1:
            return count
        step(job.state, job.tables, job.numbers[0])
    return 0


@kernel
def best(seat: int, count: int, guided: bool, job: Job, net: Net) -> Any:
    """The action that the seat likes best, by the heuristic if it is `guided`; of equals any."""
    chosen, highest, equals = 0, -math.inf, 0
    for place in range(count):
        copy(job.state, job.trial)
        step(job.trial, job.tables, job.numbers[place])
        if guided:
            worth = by_heuristic(job.trial, job.tables, job.heuristic, seat, job.values)
        else:
            worth = odds_after(seat, job, net)
            if turn(job.trial, job.tables) != OVER:
                worth += liking(net)
        if worth > highest:
            chosen, highest, equals = place, worth, 1
        elif worth == highest:
            equals += 1
            if below(job.rng, equals) == 0:
                chosen = place
    return chosen


@kernel
def contests(first: Array, job: Job, net: Net, longest: int, won: Array) -> None:
    """Games in which one seat plays by the network and the others by the heuristic, each taking what looks best.

    The win of one that takes more decisions than the longest may is shared.
    """
    for game in range(len(won)):
        mover = game % len(job.shares)
        copy(first, job.state)
        for _ in range(longest):
            count = next_decision(job)
            if count == 0:
                break
            seat = turn(job.state, job.tables)
            step(job.state, job.tables, job.numbers[best(seat, count, seat != mover, job, net)])
        shared_out(job)
        won[game] = job.shares[mover]


@kernel
def shared_out(job: Job) -> None:
    """Each seat's share of the win; equal ones if the game was broken off."""
    if turn(job.state, job.tables) == OVER:
        returns(job.state, job.tables, job.shares)
    else:
        for seat in range(len(job.shares)):
            job.shares[seat] = 1 / len(job.shares)


@kernel
def foretold(first: Array, job: Job, net: Net, longest: int, temperature: float, said: Array, came: Array) -> None:
    """Games by the network alone; of each, what it said after one of its decisions, and how it ended for that seat.

    Of all decisions of a game each is as likely to be that one.
    """
    for game in range(len(said)):
        copy(first, job.state)
        witness = 0
        for decision in range(longest):
            count = next_decision(job)
            if count == 0:
                break
            seat = turn(job.state, job.tables)
            chosen = drawn_by(seat, count, temperature, job, net)
            step(job.state, job.tables, job.numbers[chosen])
            if below(job.rng, decision + 1) == 0:
                copy(job.state, job.trial)
                said[game], witness = share_of(odds_after(seat, job, net)), seat
        shared_out(job)
        came[game] = job.shares[witness]


@kernel
def drawn_by(seat: int, count: int, temperature: float, job: Job, net: Net) -> Any:
    """An action by the softmax of what the network likes."""
    for place in range(count):
        copy(job.state, job.trial)
        step(job.trial, job.tables, job.numbers[place])
        job.likely[place] = odds_after(seat, job, net)
        if turn(job.trial, job.tables) != OVER:
            job.likely[place] += liking(net)
    soften(job.likely, count, temperature)
    return drawn(job.likely, count, job.rng)


class Trial:
    """One core that plays games by a network, to find out what it is worth."""

    def __init__(self, game: Game, table: Table, layers: Sequence[Layer], seed: int) -> None:
        fast, names = compiled(game, *table), game.heuristic.names
        self.first = fast.pack(game.rules.initial(table.options, table.players))
        usual = usual_inputs(fast, self.first, len(names))
        self.net = for_kernels(layers, -1, len(names), usual)
        self.job = Job(
            tables=fast.tables,
            heuristic=np.array([game.heuristic.weights[name] for name in names]),
            state=self.first.copy(),
            trial=self.first.copy(),
            numbers=np.zeros(fast.room, dtype=np.int64),
            odds=np.zeros(fast.most, dtype=np.int64),
            shares=np.zeros(table.players),
            values=np.zeros(max(table.players, len(names))),
            rng=np.random.default_rng(seed).integers(0, 1 << 63, 1, dtype=np.uint64),
            likely=np.zeros(fast.most),
        )
        self._contests, self._foretold = cpu(contests, fast.source), cpu(foretold, fast.source)

    def contest(self, games: int) -> Array:
        """What one seat with this network wins against the heuristic on all others, a game for each."""
        won = np.zeros(games)
        self._contests(self.first, self.job, self.net, LONGEST, won)
        return won

    def foretold(self, games: int, temperature: float) -> Array:
        """What it said once in each of so many games against itself, and what came of it."""
        said, came = np.zeros(games), np.zeros(games)
        self._foretold(self.first, self.job, self.net, LONGEST, temperature, said, came)
        return np.stack([said, came])


def test(given: argparse.Namespace) -> None:
    """What a network wins against the heuristic without a search, and how far it knows; that goes into its card."""
    part, layers = train.load(given.net)
    rounded = tuple(map(as_stored, layers, kinds(part.stored)))
    game, figures, told = game_of(part.card["game"]), {}, []
    tables = [
        Table(msgspec.convert(table["options"], game.rules.options_type), table["players"])
        for table in part.card["tables"]
    ]
    each = -(-given.games // given.cores)
    for number, table in enumerate(tables):
        trials = [Trial(game, table, rounded, given.seed * 1000 + core) for core in range(given.cores)]
        with ThreadPoolExecutor(given.cores) as pool:
            won = np.concatenate(list(pool.map(lambda trial: trial.contest(each), trials)))
            temperature = part.card["settings"]["temperature"]
            told += list(pool.map(lambda trial, by=temperature: trial.foretold(each, by), trials))
        figures[str(number)] = {
            "players": table.players,
            "games": len(won),
            "wins": float(won.mean()),
            "wins_error": float(won.std(ddof=1) / math.sqrt(len(won))),
        }
        print(msgspec.json.encode(figures[str(number)]).decode(), flush=True)
    calibration, games = calibrated(*np.concatenate(told, axis=1)), len(tables) * each * given.cores
    print(f"calibrated to {100 * calibration:.2f} points over {games} games")
    said = {"against_heuristic": figures, "calibration": calibration, "calibrated_by": f"{games} games against itself"}
    train.save(given.net, msgspec.structs.replace(part, card={**part.card, **said}), layers)


def calibrated(said: Array, came: Array) -> float:
    """How far shares of the win that it says are from those that came of it, on average over tenths of what it says."""
    order = np.argsort(said)
    parts = zip(np.array_split(said[order], TENTHS), np.array_split(came[order], TENTHS), strict=True)
    return float(np.mean([abs(one.mean() - other.mean()) for one, other in parts]))
