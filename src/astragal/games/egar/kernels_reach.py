"""Who gets where in a packed position (see `layout`): a raider to a flag, and those who can stop it.

Sets of squares are four words of 64 bits, the square's number being the place of its bit. A list of sets is one array,
four words a set: the soldiers of each seat, or the squares within 0, 1, 2, ... steps.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from astragal.core.compiled import kernel, scratch
from astragal.core.fast import Array
from astragal.games.egar import layout as at
from astragal.games.egar.combat import odds
from astragal.games.egar.kernels import apart, read

FAR = 24  # no two squares are further apart
LONGEST = 18  # steps of a way that is looked for: what two rolls and the points in hand reach
LAYERS = 4 * (LONGEST + 1)
PATH = LONGEST + 1
# How likely repeated attacks with at first so many soldiers remove one enemy, each failure costing a soldier.
_FAILURES = (1.0, *(1 - float(odds(soldiers)) for soldiers in range(1, 5)))
REMOVES = tuple(1 - float(np.prod(_FAILURES[: soldiers + 1])) for soldiers in range(5))

Bits = tuple[Any, Any, Any, Any]


@kernel
def within(steps: int) -> float:
    """The chance that one die shows at least so many."""
    return max(0, min(at.PIPS, at.PIPS + 1 - steps)) / at.PIPS


@kernel
def within_two(steps: int) -> float:
    """The chance that two dice together show at least so many."""
    if steps <= 7:
        fewer = max(0, steps - 1)  # pairs that show less: 0 + 1 + ... + (steps - 2)
        return 1 - fewer * (fewer - 1) / 2 / at.PIPS**2
    more = max(0, 2 * at.PIPS + 1 - steps)
    return more * (more + 1) / 2 / at.PIPS**2


@kernel
def mark(bits: Bits, square: int) -> Bits:
    """A set of squares with one more in it."""
    word, bit = square >> 6, 1 << (square & 63)
    return (
        bits[0] | (bit if word == 0 else 0),
        bits[1] | (bit if word == 1 else 0),
        bits[2] | (bit if word == 2 else 0),
        bits[3] | (bit if word == 3 else 0),
    )


@kernel
def has(sets: Array, index: int, square: int) -> bool:
    """Whether a square is in one of these sets."""
    return bool(sets[4 * index + (square >> 6)] >> (square & 63) & 1)


@kernel
def get(sets: Array, index: int) -> Bits:
    """One of these sets."""
    return sets[4 * index], sets[4 * index + 1], sets[4 * index + 2], sets[4 * index + 3]


@kernel
def write(sets: Array, index: int, bits: Bits) -> None:
    """Writes one of these sets."""
    for word in range(4):
        sets[4 * index + word] = bits[word]


@kernel
def minus(one: Bits, other: Bits) -> Bits:
    """The squares of the first set that are not in the second."""
    return one[0] & ~other[0], one[1] & ~other[1], one[2] & ~other[2], one[3] & ~other[3]


@kernel
def grown(bits: Bits, free: Bits) -> Bits:
    """These squares and the free ones next to them. The rim keeps rows apart, so that no bit runs into another row."""
    b0, b1, b2, b3 = bits
    return (
        b0 | ((b0 << 1 | b0 >> 1 | b0 << 16 | b0 >> 16 | b1 << 48) & free[0]),
        b1 | ((b1 << 1 | b1 >> 1 | b1 << 16 | b1 >> 16 | b2 << 48 | b0 >> 48) & free[1]),
        b2 | ((b2 << 1 | b2 >> 1 | b2 << 16 | b2 >> 16 | b3 << 48 | b1 >> 48) & free[2]),
        b3 | ((b3 << 1 | b3 >> 1 | b3 << 16 | b3 >> 16 | b2 >> 48) & free[3]),
    )


@kernel
def occupied(state: Array, tables: Array, fallen: int, armies: Array) -> None:
    """Fills in a set for each seat: the squares of its soldiers, without the one on `fallen`."""
    for seat in range(tables[at.PLAYERS]):
        army = (0, 0, 0, 0)
        begin = at.ARMY + at.MOST_SOLDIERS * seat
        for place in range(begin, begin + state[at.COUNT + seat]):
            if state[place] != fallen:
                army = mark(army, read(state, place))
        write(armies, seat, army)


@kernel
def stands(state: Array, tables: Array, seat: int) -> bool:
    """Whether the flag of this seat can still be taken."""
    return bool(state[at.COUNT + seat] > 0 or not tables[at.FLAGS_REMOVED])


@kernel
def free_for(tables: Array, armies: Array, seat: int) -> Bits:
    """The squares that soldiers of this seat may enter (EG-6, EG-8)."""
    free = (tables[at.BOARD], tables[at.BOARD + 1], tables[at.BOARD + 2], tables[at.BOARD + 3])
    for other in range(tables[at.PLAYERS]):
        free = minus(free, get(armies, other))
    if not tables[at.OWN_FLAG_OPEN]:
        free = minus(free, mark((0, 0, 0, 0), tables[at.FLAG + seat]))
    return free


@kernel
def goals_of(state: Array, tables: Array, seat: int) -> Bits:
    """The flags that this seat could take."""
    goals = (0, 0, 0, 0)
    for other in range(tables[at.PLAYERS]):
        if other != seat and stands(state, tables, other):
            goals = mark(goals, tables[at.FLAG + other])
    return goals


@kernel
def way(free: Bits, goals: Bits, mine: Bits, most: int, layers: Array) -> int:
    """Steps of the nearest of these soldiers to a goal, around everything in the way; FAR if more than `most`.

    Fills in which squares are within 0, 1, 2, ... steps of a goal, up to one step less than the answer.
    """
    reached = (goals[0] & free[0], goals[1] & free[1], goals[2] & free[2], goals[3] & free[3])
    for steps in range(1, most + 1):
        write(layers, steps - 1, reached)
        next_to = grown(reached, mine)
        if (next_to[0] & mine[0]) | (next_to[1] & mine[1]) | (next_to[2] & mine[2]) | (next_to[3] & mine[3]):
            return steps
        reached = grown(reached, free)
    return FAR


@kernel
def neighbour_in(layers: Array, index: int, square: int) -> int:
    """A square next to this one that is in the set; 0 if there is none."""
    for side in range(4):
        if has(layers, index, square + at.SIDES[side]):
            return square + at.SIDES[side]
    return 0


@kernel
def trace(state: Array, seat: int, fallen: int, layers: Array, steps: int, path: Array) -> None:
    """Fills in a shortest way as `way` has found it: the raider's square, then every square up to the flag."""
    begin = at.ARMY + at.MOST_SOLDIERS * seat
    for place in range(begin, begin + state[at.COUNT + seat]):
        square = read(state, place)
        if square != fallen and neighbour_in(layers, steps - 1, square):
            path[0] = square
    for done in range(steps):
        path[done + 1] = neighbour_in(layers, steps - 1 - done, path[done])


@kernel
def march(free: Bits, army: Bits, points: int, layers: Array) -> None:
    """Fills in which squares an army reaches with 0, 1, ... up to `points` steps of one soldier."""
    write(layers, 0, army)
    for steps in range(1, points + 1):
        army = grown(army, free)
        write(layers, steps, army)


@kernel
def cost(layers: Array, points: int, square: int) -> int:
    """With how many steps `march` reaches a square; one more than `points` if it does not."""
    steps = 0
    while steps <= points and not has(layers, steps, square):
        steps += 1
    return steps


@kernel
def dice_at(state: Array, seat: int, layers: Array, points: int, target: int) -> int:
    """With how many soldiers a seat can attack a square after so many steps, about: sides and soldiers both suffice.

    Which soldier goes to which side is not worked out; a soldier's steps to the target ignore what is in the way.
    """
    near = sides = soldiers = 0
    for side in range(4):
        near += has(layers, 0, target + at.SIDES[side])
    begin = at.ARMY + at.MOST_SOLDIERS * seat
    left_sides = left_soldiers = points
    for steps in range(1, points + 1):
        for side in range(4):
            if steps <= left_sides and cost(layers, points, target + at.SIDES[side]) == steps:
                left_sides -= steps
                sides += 1
        for place in range(begin, begin + state[at.COUNT + seat]):
            square = read(state, place)
            if steps <= left_soldiers and apart(square, target) == steps + 1 and has(layers, 0, square):
                left_soldiers -= steps
                soldiers += 1
    return near + min(sides, soldiers)


@kernel
def around_blocks(
    state: Array,
    fallen: int,
    enemy: int,
    answer: int,
    enters: Bits,
    free: Bits,
    goals: Bits,
    mine: Bits,
    path: Array,
    steps: int,
    most: int,
) -> int:
    """The longest that the way becomes when one soldier of an enemy goes up to `answer` steps; FAR if above `most`.

    Whoever stands in all shortest ways stands on this one, so that only its squares are tried, with every soldier that
    gets there. `enters` is what is free for the enemy; what the soldier leaves is free too.
    """
    layers, trial = scratch(LAYERS, np.int64), scratch(LAYERS, np.int64)
    begin = at.ARMY + at.MOST_SOLDIERS * enemy
    longest = steps
    for done in range(1, steps):
        block = path[done]
        march(enters, mark((0, 0, 0, 0), block), answer - 1, layers)
        without_block = minus(free, mark((0, 0, 0, 0), block))
        for place in range(begin, begin + state[at.COUNT + enemy]):
            soldier = read(state, place)
            if soldier == fallen or apart(soldier, block) > answer or not neighbour_in(layers, answer - 1, soldier):
                continue
            longest = max(longest, way(mark(without_block, soldier), goals, mine, most, trial))
    return longest


@kernel
def unstopped(
    state: Array,
    tables: Array,
    armies: Array,
    seat: int,
    fallen: int,
    layers: Array,
    steps: int,
    points: int,
    enemy: int,
    answer: int,
) -> float:
    """How likely the next roll leads this seat into a flag when an enemy has done its best against that before.

    `way` has found `steps` and filled in `layers`; the seat itself has `points` left to go. The enemy, or the owner of
    the flag if that is -1, has `answer` points to stand in the way with one soldier, or to bring up soldiers and
    attack the raider.
    """
    plain = within(steps - points)
    if plain == 0.0:
        return plain
    path, moves = scratch(PATH, np.int64), scratch(LAYERS, np.int64)
    trace(state, seat, fallen, layers, steps, path)
    for other in range(tables[at.PLAYERS]):
        if enemy < 0 and tables[at.FLAG + other] == path[steps]:
            enemy = other
    if enemy == seat or state[at.COUNT + enemy] == 0:
        return plain
    enters, free = free_for(tables, armies, enemy), free_for(tables, armies, seat)
    goals, mine = goals_of(state, tables, seat), get(armies, seat)
    most = at.PIPS + points
    least = plain
    if answer > 0:
        longest = around_blocks(state, fallen, enemy, answer, enters, free, goals, mine, path, steps, most)
        least = min(least, within(longest - points))
    march(enters, get(armies, enemy), answer, moves)
    removed = REMOVES[dice_at(state, enemy, moves, answer, path[0])]
    if removed > 0.0:
        others = minus(mine, mark((0, 0, 0, 0), path[0]))
        second = way(mark(free, path[0]), goals, others, most, layers)
        least = min(least, removed * within(second - points) + (1 - removed) * plain)
    return least
