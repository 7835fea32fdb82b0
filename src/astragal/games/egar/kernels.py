"""What can happen in a packed position of EGAR (see `layout`). The readable rules: `rules`, `combat`, `quiz`.

Numbers that go from a packed state into a call are read with `read`: other types would be compiled by themselves.
"""

from __future__ import annotations

from astragal.core.compiled import kernel
from astragal.core.fast import Array
from astragal.core.types import CHANCE, OVER
from astragal.games.egar import layout as at


@kernel
def read(state: Array, place: int) -> int:
    """The number at a place of a packed state, made as wide as all others by the sum."""
    return int(state[place] + 0)


@kernel
def by_chance(state: Array, tables: Array) -> bool:
    """Whether the open question is answered by a skill."""
    return bool(tables[at.SKILL + 3 * state[at.ASKED]] >= 0)


@kernel
def turn(state: Array, tables: Array) -> int:
    """The seat to act, CHANCE or OVER."""
    phase = state[at.PHASE]
    if phase == at.ENDED:
        return OVER
    if phase == at.MOVE or phase == at.ATTACKING or phase == at.LEVELLING or phase == at.PICK:
        return int(state[at.MOVER])
    if phase == at.ANSWER and not by_chance(state, tables):
        return int(state[at.ASKED])
    return CHANCE


# What can be done ----------------------------------------------------------------------------------------------


@kernel
def legal(state: Array, tables: Array, numbers: Array) -> int:
    """The legal actions; how many."""
    phase = state[at.PHASE]
    count = 0
    if phase == at.MOVE or phase == at.ATTACKING:
        if phase == at.MOVE:
            count = steps(state, tables, numbers)
        count = attacks(state, numbers, count)
        numbers[count] = at.DONE
        return count + 1
    if phase == at.LEVELLING:
        for count in range(tables[at.LEVELS]):
            numbers[count] = at.ASK + tables[at.ALLOWED + count]
        return int(tables[at.LEVELS])
    if phase == at.PICK:
        return picks(state, tables, numbers)
    if phase != at.ANSWER or by_chance(state, tables):
        return 0
    if tables[at.OPEN_ANSWERS]:
        numbers[0] = at.GIVE_UP
        return 1
    for count in range(4):
        numbers[count] = at.CHOOSE + count
    return 4


@kernel
def steps(state: Array, tables: Array, numbers: Array) -> int:
    """The mover's steps; how many."""
    mover = state[at.MOVER]
    closed = 0 if tables[at.OWN_FLAG_OPEN] else tables[at.FLAG + mover]
    first = at.ARMY + at.MOST_SOLDIERS * mover
    count = 0
    for place in range(first, first + state[at.COUNT + mover]):
        start = state[place]
        for way in range(4):
            end = start + at.WAYS[way]
            if state[end] == 0 and end != closed:
                numbers[count] = at.STEP + 4 * start + way
                count += 1
    return count


@kernel
def attacks(state: Array, numbers: Array, count: int) -> int:
    """The mover's attacks behind `count` other actions, by target and then by the soldier at risk; how many in all."""
    mover = state[at.MOVER]
    first = at.ARMY + at.MOST_SOLDIERS * mover
    begin = count
    for place in range(first, first + state[at.COUNT + mover]):
        for side in range(4):
            target = state[place] - at.SIDES[side]
            if state[target] > 0 and state[target] != mover + 1:
                number = at.ATTACK + 4 * target + side
                spot = count
                while spot > begin and numbers[spot - 1] > number:
                    numbers[spot] = numbers[spot - 1]
                    spot -= 1
                numbers[spot] = number
                count += 1
    return count


@kernel
def can_attack(state: Array) -> bool:
    """Whether the mover has any attack."""
    mover = state[at.MOVER]
    first = at.ARMY + at.MOST_SOLDIERS * mover
    for place in range(first, first + state[at.COUNT + mover]):
        for side in range(4):
            there = state[state[place] + at.SIDES[side]]
            if there > 0 and there != mover + 1:
                return True
    return False


@kernel
def apart(one: int, other: int) -> int:
    """How many steps apart two squares are."""
    return abs((one >> 4) - (other >> 4)) + abs((one & 15) - (other & 15))


@kernel
def picks(state: Array, tables: Array, numbers: Array) -> int:
    """The asked seat's soldiers nearest to its flag; how many."""
    asked = state[at.ASKED]
    flag = tables[at.FLAG + asked]
    first = at.ARMY + at.MOST_SOLDIERS * asked
    least = at.SQUARES
    count = 0
    for place in range(first, first + state[at.COUNT + asked]):
        far = apart(flag, read(state, place))
        if far < least:
            least, count = far, 0
        if far == least:
            numbers[count] = at.TAKE + state[place]
            count += 1
    return count


@kernel
def chance(state: Array, tables: Array, numbers: Array, weights: Array) -> int:
    """The outcomes with their weights; how many."""
    phase = state[at.PHASE]
    count = 0
    if phase == at.LOTS:
        for seat in range(tables[at.PLAYERS]):
            if state[at.COUNT + seat]:
                numbers[count], weights[count] = at.BEGINS + seat, 1
                count += 1
    elif phase == at.ROLLING:
        for count in range(at.PIPS):
            numbers[count], weights[count] = at.ROLL + 7 * count, 1
        count = at.PIPS
    elif phase == at.FIGHT:
        count = falls(state, numbers, weights)
    elif phase == at.CARDS:
        count = cards(state, tables, numbers, weights)
    elif phase == at.ORDERING:
        count = orders(state, numbers, weights)
    elif phase == at.ANSWER:
        percent = tables[at.SKILL + 3 * state[at.ASKED] + state[at.LEVEL] - 1]
        if percent > 0:
            numbers[0], weights[0] = at.KNOW, percent
            count = 1
        if 0 <= percent < 100:
            numbers[count], weights[count] = at.KNOW + 1, 100 - percent
            count += 1
    return count


@kernel
def falls(state: Array, numbers: Array, weights: Array) -> int:
    """How the next die of a fight can fall."""
    best = state[at.BEST]
    count = 0
    if state[at.THROWN] < state[at.DICE]:
        if best:
            numbers[0], weights[0] = at.ROLL + best - 1, best
            count = 1
        for pips in range(best, at.PIPS):
            numbers[count], weights[count] = at.ROLL + 7 * pips, 1
            count += 1
        return count
    if best > 1:
        numbers[0], weights[0] = at.ROLL + best - 2, best - 1
        count = 1
    numbers[count], weights[count] = at.ROLL + 7 * (best - 1), 1
    count += 1
    if best < at.PIPS:
        numbers[count], weights[count] = at.ROLL + at.PIPS * best + at.PIPS - 1, at.PIPS - best
        count += 1
    return count


@kernel
def cards(state: Array, tables: Array, numbers: Array, weights: Array) -> int:
    """The cards of the level that can come up."""
    level = state[at.LEVEL] - 1
    size = tables[at.SIZE + level]
    words = at.USED + tables[at.WORDS + level]
    through = state[at.LAID + level] == size
    count = 0
    for card in range(size):
        if through or not (state[words + (card >> 3)] >> (card & 7)) & 1:
            numbers[count], weights[count] = at.DRAW + card, 1
            count += 1
    return count


@kernel
def orders(state: Array, numbers: Array, weights: Array) -> int:
    """How the options can be shuffled."""
    if state[at.SEALED]:
        for count in range(4):
            numbers[count], weights[count] = at.ORDER + at.BLANK_ORDERS[count], 6
        return 4
    for count in range(24):
        numbers[count], weights[count] = at.ORDER + count, 1
    return 24


@kernel
def returns(state: Array, tables: Array, shares: Array) -> None:
    """Each seat's share of the win."""
    won = state[at.WON]
    winners = (won & 1) + (won >> 1 & 1) + (won >> 2 & 1) + (won >> 3 & 1)
    for seat in range(tables[at.PLAYERS]):
        shares[seat] = 1 / winners if won >> seat & 1 else 0.0


@kernel
def next_living(state: Array, tables: Array, seat: int) -> int:
    """The first living seat after this one."""
    for _ in range(tables[at.PLAYERS]):
        seat = (seat + 1) % tables[at.PLAYERS]
        if state[at.COUNT + seat]:
            break
    return seat
