"""Games that a network plays against itself, as kernels, and what is kept of them; see `tools.selfplay`.

Games go on side by side, one in each lane, decision by decision: a network is then asked about the actions of all of
them at once, which is what a graphics card is good at. Every kernel here does its part for one lane, so that a core
runs it for one after the other (`tools.selfplay_cores`), and a card for all at a time (`tools.selfplay_cuda`).
"""

from __future__ import annotations

import math
from typing import Any, NamedTuple

from astragal.bots.kernels_evaluate import share_of
from astragal.bots.kernels_network import look
from astragal.core.compiled import kernel
from astragal.core.fast import Array, below, chance, copy, draw, legal, returns, step, turn, weighted
from astragal.core.types import CHANCE, OVER

UNIT = 2.0**-64
SURE = 8.0  # log-odds of a game that is won; of one that is lost, less that
EDGE = 1e-6

# Columns of what is kept of a decision, as whole numbers: the first of its rows, how many actions there were, and which
# was taken. A row for each action is followed by one for how another seat saw what came of it.
FIRST, COUNT, TAKEN, NUMBERS = range(4)
# And as others: how likely the action was (a logarithm), what the seat expected before it, what it came to, and what
# that was for the other seat (-1 if the game was over).
LIKELY, EXPECTED, CAME, OTHER, TOLD = range(5)
# Rows that are kept of a lane: what the mover sees after each of its actions, what another seat sees after the one that
# was taken, and what all seats see where a round is broken off.
AFTER, BESIDE, AT_LAST = range(3)


class Lanes(NamedTuple):
    """Games side by side. The first arrays have a row for each lane, the later ones a row for each decision of it."""

    tables: Array
    first: Array  # the position in which games begin
    states: Array
    rngs: Array
    numbers: Array  # the actions of the decision
    odds: Array
    counts: Array  # how many actions
    likely: Array  # how likely each of them is taken
    shares: Array  # room for a share of each seat
    movers: Array  # whose decision it is
    others: Array  # which other seat's view is kept beside it
    ended: Array  # whether a game ended just before it,
    results: Array  # and then each seat's share
    kept: Array
    told: Array


class Rows(NamedTuple):
    """Positions as a network is told of them: inputs that are not 0. The last one is repeated."""

    at: Array
    of: Array
    sure: Array  # log-odds of a position that needs no network


class Work(NamedTuple):
    """What one lane works in."""

    trial: Array  # a position that is only tried
    seen: Array
    values: Array


@kernel
def advance(lane: int, now: int, lanes: Lanes) -> None:
    """Plays on to where a seat has a choice, and lists its actions; a game that is over is followed by the next."""
    state, numbers, odds, rng = lanes.states[lane], lanes.numbers[lane], lanes.odds[lane], lanes.rngs[lane]
    lanes.ended[now, lane] = 0
    count = 0
    while count < 2:
        seat = turn(state, lanes.tables)
        if seat == OVER:
            returns(state, lanes.tables, lanes.shares[lane])
            for one in range(lanes.shares.shape[1]):
                lanes.results[now, lane, one] = lanes.shares[lane, one]
            lanes.ended[now, lane] = 1
            copy(lanes.first, state)
        elif seat == CHANCE:
            outcomes = chance(state, lanes.tables, numbers, odds)
            step(state, lanes.tables, numbers[weighted(rng, odds, outcomes)])
        else:
            count = legal(state, lanes.tables, numbers)
            if count == 1:
                step(state, lanes.tables, numbers[0])
    lanes.counts[lane] = count
    lanes.movers[now, lane] = turn(state, lanes.tables)


@kernel
def odds_at_end(state: Array, tables: Array, seat: int, values: Array) -> Any:
    """The log-odds that stand for this seat's share once the game is over: SURE for a win, less that for a loss."""
    returns(state, tables, values)
    share = values[seat]
    if share > 1 - EDGE:
        return SURE
    if share < EDGE:
        return -SURE
    return math.log(share / (1 - share))


@kernel
def keep_row(state: Array, tables: Array, seat: int, features: int, row: int, rows: Rows, work: Work) -> None:
    """Keeps what a seat sees in a position."""
    at, of = rows.at[row], rows.of[row]
    place = 0
    if turn(state, tables) == OVER:
        rows.sure[row] = odds_at_end(state, tables, seat, work.values)
        at[0], of[0] = 0, 0.0
        place = 1
    else:
        rows.sure[row] = math.nan
        look(state, tables, features, seat, work.seen)
        for number in range(len(work.seen)):
            if work.seen[number] != 0 and place < len(at):
                at[place], of[place] = number, work.seen[number]
                place += 1
    for spare in range(place, len(at)):
        at[spare], of[spare] = at[place - 1], of[place - 1]


@kernel
def look_around(
    lane: int, begin: int, stride: int, what: int, now: int, start: int, features: int, lanes: Lanes, rows: Rows,
    work: Work,
) -> None:  # fmt: skip
    """Keeps rows of a lane, from one of them on every so many-th; AFTER, BESIDE and AT_LAST say which.

    All of them are kept in one place, since that is most of what there is to compile.
    """
    players = lanes.shares.shape[1]
    many = lanes.counts[lane] if what == AFTER else 1 if what == BESIDE else players
    for place in range(begin, many, stride):
        copy(lanes.states[lane], work.trial)
        seat, row = place, start + place
        if what == AFTER:
            seat = lanes.movers[now, lane]
            step(work.trial, lanes.tables, lanes.numbers[lane, place])
        elif what == BESIDE:
            seat, row = lanes.others[now, lane], start + lanes.counts[lane]
        keep_row(work.trial, lanes.tables, seat, features, row, rows, work)


@kernel
def soften(likely: Array, count: int, temperature: float) -> None:
    """Makes of how much each action is liked how likely it is taken: the softmax, at this temperature.

    What the best of them is liked is subtracted first, so that no exponential grows too large.
    """
    most, total = -math.inf, 0.0
    for place in range(count):
        most = max(most, likely[place])
    for place in range(count):
        likely[place] = math.exp((likely[place] - most) / temperature)
        total += likely[place]
    for place in range(count):
        likely[place] /= total


@kernel
def drawn(likely: Array, count: int, rng: Array) -> Any:
    """One of so many actions, each as likely as it says."""
    left = draw(rng) * UNIT
    for place in range(count):
        left -= likely[place]
        if left < 0:
            return place
    return count - 1


@kernel
def decide(
    lane: int, now: int, start: int, used: int, odds: Array, likes: Array, temperature: float, lanes: Lanes
) -> None:
    """Takes an action by the softmax of what is liked, and notes what it takes to learn from it.

    `odds` are the log-odds of rows from `used` on, where those of this lane begin at `start`, and `likes` what is liked
    beside them.
    """
    seat, count, likely, rng = lanes.movers[now, lane], lanes.counts[lane], lanes.likely[lane], lanes.rngs[lane]
    row, expected = start - used, 0.0
    for place in range(count):
        likely[place] = odds[row + place] + likes[row + place]
    soften(likely, count, temperature)
    for place in range(count):
        expected += likely[place] * share_of(odds[row + place])
    chosen = drawn(likely, count, rng)
    step(lanes.states[lane], lanes.tables, lanes.numbers[lane, chosen])
    players = lanes.shares.shape[1]
    other = (seat + 1 + below(rng, players - 1)) % players
    kept, told = lanes.kept[now, lane], lanes.told[now, lane]
    kept[FIRST], kept[COUNT], kept[TAKEN] = start, count, chosen
    told[LIKELY], told[EXPECTED] = math.log(likely[chosen]), expected
    lanes.others[now, lane] = other


@kernel
def look_back(lane: int, steps: int, known: int, odds: Array, memory: float, lanes: Lanes, rows: Rows) -> None:
    """What each decision came to, from the last one back: how its seat's next decision looked, and how that came out.

    `memory` is the lambda of the lambda-return: 1 takes how the game ended, 0 what the seat expected next. `odds` are
    what each seat of each lane thought when the round was broken off. Before how many decisions it is known whether a
    game ended is `known`.
    """
    ahead = lanes.shares[lane]
    for seat in range(len(ahead)):
        ahead[seat] = share_of(odds[lane * len(ahead) + seat])
    for now in range(steps - 1, -1, -1):
        if now + 1 < known and lanes.ended[now + 1, lane]:
            for seat in range(len(ahead)):
                ahead[seat] = lanes.results[now + 1, lane, seat]
        seat, kept, told = lanes.movers[now, lane], lanes.kept[now, lane], lanes.told[now, lane]
        told[CAME] = ahead[seat]
        over = not math.isnan(rows.sure[kept[FIRST] + kept[COUNT]])
        told[OTHER] = -1.0 if over else ahead[lanes.others[now, lane]]
        ahead[seat] = (1 - memory) * told[EXPECTED] + memory * ahead[seat]
