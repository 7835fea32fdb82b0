"""Many games at once, as templates: one thread of a CPU or GPU goes through some of the games.

Those that a `Device` runs take the same arguments: the number of the thread, the games that are its part as
`range(first, last, stride)`, the batch, what its games have in common, working space, and a tuple with whatever else
that template needs. On a CPU a part is a piece of the batch, on a GPU every so manyth game.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from astragal.core.compiled import kernel
from astragal.core.fast import Array, below, chance, copy, draw, legal, observe, returns, step, turn, weighted
from astragal.core.types import CHANCE, OVER

DISABLED, NEXT_STEP, SAME_STEP = range(3)  # when a game that ended begins anew, by Gymnasium's names
MODE, OUTSIDE, MOST_PLIES, KEEP_FINAL, SETTINGS = range(5)  # places in the settings
DRAW = -1  # the action that lets the dice decide, where chance is outside the step
HOLD = -2  # the action that leaves a game as it is


class Batch(NamedTuple):
    """The games, a row or a number each."""

    states: Array  # packed positions
    final: Array  # with KEEP_FINAL: the last position of the game that ended in this step
    dice: Array  # one uint64 each
    choices: Array  # likewise, for actions chosen at random
    plies: Array  # how many the game has had
    over: Array  # 1 once it has ended
    seat: Array  # to act, CHANCE or OVER
    actor: Array  # the seat that acted last; 0 before
    legal: Array  # what may be done, as many as `counts` says; at CHANCE the outcomes
    weights: Array  # of these outcomes; no columns where chance is inside the step
    counts: Array
    mask: Array  # 1 for every action that is legal; no columns where nobody wants masks
    rewards: Array  # of the last step, a number a seat
    terminated: Array  # by the rules, in the last step
    truncated: Array  # because it took too long, in the last step


class Setup(NamedTuple):
    """What all games of a batch have in common."""

    start: Array  # the packed position in which they begin
    tables: Array
    actions: Array  # for each action, the number that the game's kernels have for it
    places: Array  # for each such number, the action
    settings: Array


class Rooms(NamedTuple):
    """Working space, a row a thread."""

    numbers: Array
    weights: Array


@kernel
def seed(lane: int, first: int, last: int, stride: int, batch: Batch, setup: Setup, rooms: Rooms, more: Any) -> None:
    """Gives every game dice of its own: (key,)."""
    (key,) = more
    for game in range(first, last, stride):
        dice = batch.dice[game]
        dice[0] = key + np.uint64(game)
        dice[0] = draw(dice)
        batch.choices[game, 0] = draw(dice)
        dice[0] = draw(dice)


@kernel
def begin(lane: int, first: int, last: int, stride: int, batch: Batch, setup: Setup, rooms: Rooms, more: Any) -> None:
    """Begins those games anew that are wanted: (wanted,)."""
    (wanted,) = more
    for game in range(first, last, stride):
        if wanted[game]:
            quiet(game, batch)
            renew(game, batch, setup, rooms.numbers[lane], rooms.weights[lane])


@kernel
def play(lane: int, first: int, last: int, stride: int, batch: Batch, setup: Setup, rooms: Rooms, more: Any) -> None:
    """One step of every game: (actions,)."""
    (actions,) = more
    numbers, weights = rooms.numbers[lane], rooms.weights[lane]
    for game in range(first, last, stride):
        quiet(game, batch)
        if actions[game] == HOLD:
            continue
        if not batch.over[game]:
            act(game, actions[game], batch, setup, numbers, weights)
            if batch.over[game] and setup.settings[MODE] == SAME_STEP:
                if setup.settings[KEEP_FINAL]:
                    copy(batch.states[game], batch.final[game])
                renew(game, batch, setup, numbers, weights)
        elif setup.settings[MODE] == NEXT_STEP:
            renew(game, batch, setup, numbers, weights)


@kernel
def place(lane: int, first: int, last: int, stride: int, batch: Batch, setup: Setup, rooms: Rooms, more: Any) -> None:
    """Puts positions in from outside, and works out who may do what in them: (positions,)."""
    (positions,) = more
    for game in range(first, last, stride):
        copy(positions[game], batch.states[game])
        batch.plies[game] = 0
        quiet(game, batch)
        forward(game, batch, setup, rooms.numbers[lane], rooms.weights[lane])


@kernel
def quiet(game: int, batch: Batch) -> None:
    """Nothing has happened in this step so far."""
    for seat in range(batch.rewards.shape[1]):
        batch.rewards[game, seat] = 0.0
    batch.terminated[game] = batch.truncated[game] = False


@kernel
def renew(game: int, batch: Batch, setup: Setup, numbers: Array, weights: Array) -> None:
    """The first position again."""
    copy(setup.start, batch.states[game])
    batch.plies[game] = batch.actor[game] = 0
    forward(game, batch, setup, numbers, weights)


@kernel
def act(game: int, action: int, batch: Batch, setup: Setup, numbers: Array, weights: Array) -> None:
    """What the seat to act decided, or chance did. Who does what is not legal loses."""
    seat, state = batch.seat[game], batch.states[game]
    if seat == CHANCE and action == DRAW:
        count = batch.counts[game]
        number = batch.legal[game, weighted(batch.dice[game], batch.weights[game], count)]
    elif possible(game, action, batch):
        number = action if seat == CHANCE else setup.actions[action]
    else:
        forfeit(game, batch)
        return
    if seat != CHANCE:
        batch.actor[game] = seat
    step(state, setup.tables, int(number))
    batch.plies[game] += 1
    forward(game, batch, setup, numbers, weights)


@kernel
def possible(game: int, action: int, batch: Batch) -> bool:
    """Whether an action is legal, or at CHANCE an outcome possible."""
    for place in range(batch.counts[game]):  # noqa: SIM110  a kernel has no generators
        if batch.legal[game, place] == action:
            return True
    return False


@kernel
def forfeit(game: int, batch: Batch) -> None:
    """The seat to act loses, and the others share the win."""
    players = batch.rewards.shape[1]
    loser = batch.seat[game]
    for seat in range(players):
        batch.rewards[game, seat] = 0.0 if seat == loser else 1 / (players - 1 if loser >= 0 else players)
    batch.terminated[game] = True
    stop(game, batch)


@kernel
def stop(game: int, batch: Batch) -> None:
    """The game is over, and nothing may be done in it."""
    clear(game, batch)
    batch.over[game], batch.seat[game] = 1, OVER


@kernel
def clear(game: int, batch: Batch) -> None:
    """Takes the legal actions off the mask. They are listed, so that the rest of a large mask is left alone."""
    if batch.mask.shape[1] and batch.seat[game] >= 0:
        for place in range(batch.counts[game]):
            batch.mask[game, batch.legal[game, place]] = 0
    batch.counts[game] = 0


@kernel
def forward(game: int, batch: Batch, setup: Setup, numbers: Array, weights: Array) -> None:
    """Lets chance happen where it is inside the step; then says who is to act, and what may be done."""
    clear(game, batch)
    state, tables, most = batch.states[game], setup.tables, setup.settings[MOST_PLIES]
    seat = turn(state, tables)
    while seat == CHANCE and not setup.settings[OUTSIDE] and batch.plies[game] < most:
        count = chance(state, tables, numbers, weights)
        step(state, tables, int(numbers[weighted(batch.dice[game], weights, count)]))
        batch.plies[game] += 1
        seat = turn(state, tables)
    if seat == OVER:
        returns(state, tables, batch.rewards[game])
        batch.terminated[game] = True
        stop(game, batch)
        return
    if batch.plies[game] >= most:
        players = batch.rewards.shape[1]
        for other in range(players):
            batch.rewards[game, other] = 1 / players
        batch.truncated[game] = True
        stop(game, batch)
        return
    batch.over[game], batch.seat[game] = 0, seat
    if seat == CHANCE:
        count = chance(state, tables, numbers, weights)
        for place in range(count):
            batch.legal[game, place] = numbers[place]
            batch.weights[game, place] = weights[place]
    else:
        count = legal(state, tables, numbers)
        for place in range(count):
            action = setup.places[numbers[place]]
            batch.legal[game, place] = action
            if batch.mask.shape[1]:
                batch.mask[game, action] = 1
    batch.counts[game] = count


@kernel
def look(lane: int, first: int, last: int, stride: int, batch: Batch, setup: Setup, rooms: Rooms, more: Any) -> None:
    """What a seat sees of every game; with -1 the seat to act, or who acted last: (states, viewer, seen)."""
    states, viewer, seen = more
    for game in range(first, last, stride):
        seat = viewer
        if viewer < 0:
            seat = batch.seat[game] if batch.seat[game] >= 0 else batch.actor[game]
        observe(states[game], setup.tables, int(seat), seen[game])


@kernel
def choose(lane: int, first: int, last: int, stride: int, batch: Batch, setup: Setup, rooms: Rooms, more: Any) -> None:
    """Any of the legal actions, each as likely as the next, and DRAW where nobody is to act: (actions,)."""
    (actions,) = more
    for game in range(first, last, stride):
        actions[game] = DRAW
        if batch.seat[game] >= 0:
            actions[game] = batch.legal[game, below(batch.choices[game], batch.counts[game])]


@kernel
def check(lane: int, first: int, last: int, stride: int, batch: Batch, setup: Setup, rooms: Rooms, more: Any) -> None:
    """Notes for each thread its first game whose action is not legal, or their number for none: (actions, faults)."""
    actions, faults = more
    faults[lane] = len(actions)
    for game in range(first, last, stride):
        if batch.over[game] or actions[game] == HOLD or (batch.seat[game] == CHANCE and actions[game] == DRAW):
            continue
        if not possible(game, actions[game], batch):
            faults[lane] = game
            return
