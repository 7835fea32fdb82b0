"""Games that a network plays against itself, as kernels, and what is kept of them; see `tools.selfplay`."""

from __future__ import annotations

import math
from typing import Any, NamedTuple

from astragal.bots.kernels_evaluate import by_heuristic
from astragal.bots.kernels_network import Net, forward, look
from astragal.core.compiled import kernel
from astragal.core.fast import Array, below, chance, copy, draw, legal, returns, step, turn, weighted
from astragal.core.types import CHANCE, OVER

PARTS = 1 << 16  # how often a decision is kept is a number of these
UNIT = 2.0**-64
SURE = 8.0  # log-odds of a game that is won; of one that is lost, less that
EDGE = 1e-6
NOT_KEPT = -1

# Columns of what is kept of a decision, as whole numbers: the first of its rows, how many actions there were, and which
# was taken. A row for each action is followed by one for how another seat saw what came of it.
FIRST, COUNT, TAKEN, NUMBERS = range(4)
# And as others: how likely the action was (a logarithm), what the seat expected before it, what it came to, what that
# was for the other seat (-1 if the game was over), and how the game ended for the seat.
LIKELY, EXPECTED, CAME, OTHER, ENDED, TOLD = range(6)


class Job(NamedTuple):
    """The arrays in which one core plays."""

    tables: Array
    heuristic: Array  # its weights
    state: Array
    trial: Array  # a position that is only tried
    numbers: Array
    odds: Array
    shares: Array
    values: Array
    rng: Array
    logits: Array  # the log-odds after each action of a decision
    likely: Array  # how likely each is taken
    returns: Array  # for each seat, what its next decision says that the one before came to
    movers: Array  # this and the next three are for every decision of a game: whose it was,
    baselines: Array  # what it expected,
    places: Array  # where it is kept,
    others: Array  # and which other seat's view is kept beside it
    rows_at: Array  # inputs that are not 0, and in the next what they are; the last one is repeated
    rows_of: Array
    sure: Array  # log-odds of a row that needs no network
    kept: Array
    told: Array
    used: Array  # how many decisions and rows are kept


@kernel
def odds_after(seat: int, job: Job, net: Net) -> Any:
    """The log-odds of this seat in the position that is tried; what it sees there stays in `net.seen`."""
    if turn(job.trial, job.tables) == OVER:
        returns(job.trial, job.tables, job.values)
        share = job.values[seat]
        return SURE if share > 1 - EDGE else -SURE if share < EDGE else math.log(share / (1 - share))
    look(job.trial, job.tables, net.features, seat, net.seen)
    return float(forward(net))


@kernel
def keep_row(row: int, odds: float, job: Job, net: Net) -> None:
    """Keeps what is seen in the position that is tried."""
    at, of = job.rows_at[row], job.rows_of[row]
    place = 0
    if turn(job.trial, job.tables) == OVER:
        job.sure[row] = odds
        at[0], of[0] = 0, 0.0
        place = 1
    else:
        job.sure[row] = math.nan
        for number in range(len(net.seen)):
            if net.seen[number] != 0 and place < len(at):
                at[place], of[place] = number, net.seen[number]
                place += 1
    for spare in range(place, len(at)):
        at[spare], of[spare] = at[place - 1], of[place - 1]


@kernel
def drawn(count: int, temperature: float, job: Job) -> Any:
    """An action by the softmax of the log-odds."""
    most, total = -math.inf, 0.0
    for place in range(count):
        most = max(most, job.logits[place])
    for place in range(count):
        job.likely[place] = math.exp((job.logits[place] - most) / temperature)
        total += job.likely[place]
    for place in range(count):
        job.likely[place] /= total
    left = draw(job.rng) * UNIT
    for place in range(count):
        left -= job.likely[place]
        if left < 0:
            return place
    return count - 1


@kernel
def decide(seat: int, count: int, keep: int, decision: int, job: Job, net: Net, temperature: float) -> None:
    """Takes an action; what the seat expected is noted, and now and then all that it takes to learn from it is kept."""
    kept, row = job.used[0], job.used[1]
    wanted = kept < len(job.kept) and row + count < len(job.rows_at) and below(job.rng, PARTS) < keep
    for place in range(count):
        copy(job.state, job.trial)
        step(job.trial, job.tables, job.numbers[place])
        job.logits[place] = odds_after(seat, job, net)
        if wanted:
            keep_row(row + place, job.logits[place], job, net)
    chosen = drawn(count, temperature, job)
    expected = 0.0
    for place in range(count):
        expected += job.likely[place] / (1 + math.exp(-job.logits[place]))
    job.movers[decision], job.baselines[decision], job.places[decision] = seat, expected, NOT_KEPT
    step(job.state, job.tables, job.numbers[chosen])
    if not wanted:
        return
    players = len(job.shares)
    other = (seat + 1 + below(job.rng, players - 1)) % players
    copy(job.state, job.trial)
    keep_row(row + count, odds_after(other, job, net), job, net)
    job.kept[kept, FIRST], job.kept[kept, COUNT], job.kept[kept, TAKEN] = row, count, chosen
    job.told[kept, LIKELY] = math.log(job.likely[chosen])
    job.told[kept, EXPECTED] = expected
    job.places[decision], job.others[decision] = kept, other
    job.used[0] += 1
    job.used[1] += count + 1


@kernel
def look_back(decisions: int, job: Job, memory: float) -> None:
    """What each decision came to, from the last one back: how its seat's next decision looked, and how that came out.

    `memory` is the lambda of the lambda-return: 1 takes how the game ended, 0 what the seat expected next.
    """
    for seat in range(len(job.shares)):
        job.returns[seat] = job.shares[seat]
    for decision in range(decisions - 1, -1, -1):
        seat, kept = job.movers[decision], job.places[decision]
        if kept != NOT_KEPT:
            job.told[kept, CAME] = job.returns[seat]
            over = not math.isnan(job.sure[job.kept[kept, FIRST] + job.kept[kept, COUNT]])
            job.told[kept, OTHER] = -1.0 if over else job.returns[job.others[decision]]
            job.told[kept, ENDED] = job.shares[seat]
        job.returns[seat] = (1 - memory) * job.baselines[decision] + memory * job.returns[seat]


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
def shared_out(job: Job) -> None:
    """Each seat's share of the win; equal ones if the game was broken off."""
    if turn(job.state, job.tables) == OVER:
        returns(job.state, job.tables, job.shares)
    else:
        for seat in range(len(job.shares)):
            job.shares[seat] = 1 / len(job.shares)


@kernel
def rounds(first: Array, job: Job, net: Net, keep: int, temperature: float, memory: float) -> int:
    """Plays games until enough decisions are kept; how many games."""
    games = 0
    job.used[0] = job.used[1] = 0
    while job.used[0] < len(job.kept) and job.used[1] + len(job.likely) < len(job.rows_at):
        copy(first, job.state)
        decisions = 0
        while decisions < len(job.movers):
            count = next_decision(job)
            if count == 0:
                break
            decide(turn(job.state, job.tables), count, keep, decisions, job, net, temperature)
            decisions += 1
        shared_out(job)
        look_back(decisions, job, memory)
        games += 1
    return games


@kernel
def best(seat: int, count: int, guided: bool, job: Job, net: Net) -> Any:
    """The action after which the seat likes the position best; of equals any."""
    chosen, highest, equals = 0, -math.inf, 0
    for place in range(count):
        copy(job.state, job.trial)
        step(job.trial, job.tables, job.numbers[place])
        if guided:
            worth = by_heuristic(job.trial, job.tables, job.heuristic, seat, job.values)
        else:
            worth = odds_after(seat, job, net)
        if worth > highest:
            chosen, highest, equals = place, worth, 1
        elif worth == highest:
            equals += 1
            if below(job.rng, equals) == 0:
                chosen = place
    return chosen


@kernel
def contests(first: Array, job: Job, net: Net, won: Array) -> None:
    """Games in which one seat plays by the network and the others by the heuristic, each taking what looks best."""
    for game in range(len(won)):
        mover = game % len(job.shares)
        copy(first, job.state)
        for _ in range(len(job.movers)):
            count = next_decision(job)
            if count == 0:
                break
            seat = turn(job.state, job.tables)
            step(job.state, job.tables, job.numbers[best(seat, count, seat != mover, job, net)])
        shared_out(job)
        won[game] = job.shares[mover]
