"""The rules of EGAR over a packed state. The readable rules are in `rules`, `field`, `quiz` and `state`.

A packed state is an array of int16. Whatever does not matter in a phase is 0 there, so that equal positions are equal
arrays.

- 0 to 239: the board, 15 rows of 16 squares with a rim around it. Square A1 is 17, one row up is 16 more. -1 is no
  square, 0 a free one, seat + 1 a soldier of that seat. Squares have these numbers everywhere below.
- PHASE to SEALED: one number each, see there.
- COUNT: how many soldiers each of four seats has. ARMY: eight places a seat, its soldiers' squares in ascending order.
- LAID: how many cards of each level are laid aside. USED: which, eight of them in a number, level by level.

Actions and outcomes have these numbers:

- STEP + 4 * square + way: a soldier goes up, right, down or left.
- ATTACK + 4 * target + side: the soldier below, left, right or above the target is at risk.
- TAKE + square, DONE, BEGINS + seat, ROLL + 6 * (low - 1) + high - 1, ASK + level, ORDER + place in `actions.ORDERS`,
  CHOOSE + option, GIVE_UP, KNOW + 0 (right) or 1 (wrong), DRAW + card.

Tables are (info, kinds, wrong, wins); see `fast`, which makes them.
"""

from __future__ import annotations

from typing import Any

from astragal.core.compiled import kernel
from astragal.core.fast import Array
from astragal.core.types import CHANCE, OVER

ROW = 16
SQUARES = 15 * ROW
MOST_SOLDIERS = 8
SEATS = 4

# Places in a packed state.
PHASE = SQUARES
MOVER = PHASE + 1
POINTS = PHASE + 2
TURNS = PHASE + 3  # the lower 15 bits
TURNS_HIGH = PHASE + 4  # and those above
TARGET = PHASE + 5  # a fight, as in `state.Fight`
RISK = PHASE + 6
DICE = PHASE + 7
THROWN = PHASE + 8
BEST = PHASE + 9
ASKED = PHASE + 10  # a question, as in `state.Question`; this is the seat
LEVEL = PHASE + 11  # level + 1
CARD = PHASE + 12  # card + 1
SHOWN = PHASE + 13  # place in `actions.ORDERS` + 1, if an order was drawn
RIGHT = PHASE + 14  # the right option + 1, if there is one
WON = PHASE + 15  # a bit for each seat that shares the win
SEALED = PHASE + 16  # 1 where the deck has only blank cards
COUNT = PHASE + 17
ARMY = COUNT + SEATS
LAID = ARMY + SEATS * MOST_SOLDIERS
USED = LAID + 3

# Phases, in the order of `state.Phase`.
LOTS, ROLLING, MOVE, ATTACKING, FIGHT, LEVELLING, CARDS, ORDERING, ANSWER, PICK, ENDED = range(11)

# Numbers of actions and outcomes.
STEP = 0
ATTACK = STEP + 4 * 256
TAKE = ATTACK + 4 * 256
DONE = TAKE + 256
BEGINS = DONE + 1
ROLL = BEGINS + SEATS
ASK = ROLL + 36
ORDER = ASK + 3
CHOOSE = ORDER + 24
GIVE_UP = CHOOSE + 4
KNOW = GIVE_UP + 1
DRAW = KNOW + 2

WAYS = (ROW, 1, -ROW, -1)  # up, right, down, left: the order of `board.Ground.near`
SIDES = (-ROW, -1, 1, ROW)  # ascending, as attacks are ordered

# Places in the table `info`.
PLAYERS = 0
OWN_FLAG_OPEN = 1
FLAGS_REMOVED = 2
OPEN_ANSWERS = 3
TURN_LIMIT = 4
LEVELS = 5  # how many may be asked
FLAG = 6  # each seat's flag
ALLOWED = FLAG + SEATS  # the levels that may be asked
SIZE = ALLOWED + 3  # cards of each level
WORDS = SIZE + 3  # where each level begins in USED
KINDS = WORDS + 3  # where each level begins in the table `kinds`: the right option + 1 of numbers, else 0
SKILL = KINDS + 3  # percentages of right answers, three a seat; -1 where it answers itself
INFO = SKILL + 3 * SEATS

PIPS = 6
BLANK_ORDERS = (0, 6, 8, 9)  # those orders in which the wrong options keep their own
FIRST_OPTION = (
    0,
    0,
    0,
    0,
    0,
    0,
    1,
    1,
    2,
    3,
    2,
    3,
    1,
    1,
    2,
    3,
    2,
    3,
    1,
    1,
    2,
    3,
    2,
    3,
)  # where each order has the right one


@kernel
def by_chance(state: Array, tables: Any) -> bool:
    """Whether the open question is answered by a skill."""
    return bool(tables[0][SKILL + 3 * state[ASKED]] >= 0)


@kernel
def turn(state: Array, tables: Any) -> int:
    phase = state[PHASE]
    if phase == ENDED:
        return OVER
    if phase == MOVE or phase == ATTACKING or phase == LEVELLING or phase == PICK:
        return int(state[MOVER])
    if phase == ANSWER and not by_chance(state, tables):
        return int(state[ASKED])
    return CHANCE


# What can be done ----------------------------------------------------------------------------------------------


@kernel
def legal(state: Array, tables: Any, numbers: Array) -> int:
    info = tables[0]
    phase = state[PHASE]
    count = 0
    if phase == MOVE or phase == ATTACKING:
        if phase == MOVE:
            count = steps(state, info, numbers)
        count = attacks(state, numbers, count)
        numbers[count] = DONE
        return count + 1
    if phase == LEVELLING:
        for count in range(info[LEVELS]):
            numbers[count] = ASK + info[ALLOWED + count]
        return int(info[LEVELS])
    if phase == PICK:
        return picks(state, info, numbers)
    if phase != ANSWER or by_chance(state, tables):
        return 0
    if info[OPEN_ANSWERS]:
        numbers[0] = GIVE_UP
        return 1
    for count in range(4):
        numbers[count] = CHOOSE + count
    return 4


@kernel
def steps(state: Array, info: Array, numbers: Array) -> int:
    """The mover's steps; how many."""
    mover = state[MOVER]
    closed = 0 if info[OWN_FLAG_OPEN] else info[FLAG + mover]
    first = ARMY + MOST_SOLDIERS * mover
    count = 0
    for place in range(first, first + state[COUNT + mover]):
        start = state[place]
        for way in range(4):
            end = start + WAYS[way]
            if state[end] == 0 and end != closed:
                numbers[count] = STEP + 4 * start + way
                count += 1
    return count


@kernel
def attacks(state: Array, numbers: Array, count: int) -> int:
    """The mover's attacks behind `count` other actions, by target and then by the soldier at risk; how many in all."""
    mover = state[MOVER]
    first = ARMY + MOST_SOLDIERS * mover
    begin = count
    for place in range(first, first + state[COUNT + mover]):
        for side in range(4):
            target = state[place] - SIDES[side]
            if state[target] > 0 and state[target] != mover + 1:
                number = ATTACK + 4 * target + side
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
    mover = state[MOVER]
    first = ARMY + MOST_SOLDIERS * mover
    for place in range(first, first + state[COUNT + mover]):
        for side in range(4):
            there = state[state[place] + SIDES[side]]
            if there > 0 and there != mover + 1:
                return True
    return False


@kernel
def apart(one: int, other: int) -> int:
    """How many steps apart two squares are."""
    return abs((one >> 4) - (other >> 4)) + abs((one & 15) - (other & 15))


@kernel
def picks(state: Array, info: Array, numbers: Array) -> int:
    """The asked seat's soldiers nearest to its flag; how many."""
    asked = state[ASKED]
    flag = info[FLAG + asked]
    first = ARMY + MOST_SOLDIERS * asked
    least = SQUARES
    count = 0
    for place in range(first, first + state[COUNT + asked]):
        far = apart(flag, state[place])
        if far < least:
            least, count = far, 0
        if far == least:
            numbers[count] = TAKE + state[place]
            count += 1
    return count


@kernel
def chance(state: Array, tables: Any, numbers: Array, weights: Array) -> int:
    info = tables[0]
    phase = state[PHASE]
    count = 0
    if phase == LOTS:
        for seat in range(info[PLAYERS]):
            if state[COUNT + seat]:
                numbers[count], weights[count] = BEGINS + seat, 1
                count += 1
    elif phase == ROLLING:
        for count in range(PIPS):
            numbers[count], weights[count] = ROLL + 7 * count, 1
        count = PIPS
    elif phase == FIGHT:
        count = falls(state, numbers, weights)
    elif phase == CARDS:
        count = cards(state, info, numbers, weights)
    elif phase == ORDERING:
        count = orders(state, numbers, weights)
    elif phase == ANSWER:
        percent = info[SKILL + 3 * state[ASKED] + state[LEVEL] - 1]
        if percent > 0:
            numbers[0], weights[0] = KNOW, percent
            count = 1
        if 0 <= percent < 100:
            numbers[count], weights[count] = KNOW + 1, 100 - percent
            count += 1
    return count


@kernel
def falls(state: Array, numbers: Array, weights: Array) -> int:
    """How the next die of a fight can fall."""
    best = state[BEST]
    count = 0
    if state[THROWN] < state[DICE]:
        if best:
            numbers[0], weights[0] = ROLL + best - 1, best
            count = 1
        for pips in range(best, PIPS):
            numbers[count], weights[count] = ROLL + 7 * pips, 1
            count += 1
        return count
    if best > 1:
        numbers[0], weights[0] = ROLL + best - 2, best - 1
        count = 1
    numbers[count], weights[count] = ROLL + 7 * (best - 1), 1
    count += 1
    if best < PIPS:
        numbers[count], weights[count] = ROLL + PIPS * best + PIPS - 1, PIPS - best
        count += 1
    return count


@kernel
def cards(state: Array, info: Array, numbers: Array, weights: Array) -> int:
    """The cards of the level that can come up."""
    level = state[LEVEL] - 1
    size = info[SIZE + level]
    words = USED + info[WORDS + level]
    through = state[LAID + level] == size
    count = 0
    for card in range(size):
        if through or not (state[words + (card >> 3)] >> (card & 7)) & 1:
            numbers[count], weights[count] = DRAW + card, 1
            count += 1
    return count


@kernel
def orders(state: Array, numbers: Array, weights: Array) -> int:
    """How the options can be shuffled."""
    if state[SEALED]:
        for count in range(4):
            numbers[count], weights[count] = ORDER + BLANK_ORDERS[count], 6
        return 4
    for count in range(24):
        numbers[count], weights[count] = ORDER + count, 1
    return 24


@kernel
def returns(state: Array, tables: Any, shares: Array) -> None:
    won = state[WON]
    winners = (won & 1) + (won >> 1 & 1) + (won >> 2 & 1) + (won >> 3 & 1)
    for seat in range(tables[0][PLAYERS]):
        shares[seat] = 1 / winners if won >> seat & 1 else 0.0


# What it does --------------------------------------------------------------------------------------------------


@kernel
def step(state: Array, tables: Any, number: int) -> None:
    info = tables[0]
    if number < ATTACK:
        go(state, info, (number - STEP) >> 2, WAYS[number & 3])
    elif number < TAKE:
        attack(state, (number - ATTACK) >> 2, SIDES[number & 3])
    elif number < DONE:
        lose(state, info, number - TAKE)
    elif number == DONE:
        put(state, info)
    elif number < ROLL:
        state[PHASE], state[MOVER] = ROLLING, number - BEGINS
    elif number < ASK:
        roll(state, info, (number - ROLL) // PIPS + 1, (number - ROLL) % PIPS + 1)
    elif number < ORDER:
        state[PHASE], state[LEVEL] = CARDS, number - ASK + 1
    elif number < CHOOSE:
        state[PHASE], state[SHOWN] = ANSWER, number - ORDER + 1
        state[RIGHT] = FIRST_OPTION[number - ORDER] + 1
    elif number < DRAW:
        answered(state, info, number == KNOW or number - CHOOSE == state[RIGHT] - 1)
    else:
        draw(state, tables, number - DRAW)


@kernel
def go(state: Array, info: Array, start: int, way: int) -> None:
    """One soldier goes one square (EG-5 to EG-7)."""
    mover = state[MOVER]
    end = start + way
    first = ARMY + MOST_SOLDIERS * mover
    last = first + state[COUNT + mover] - 1
    place = first
    while state[place] != start:
        place += 1
    while place < last and state[place + 1] < end:  # the army stays in ascending order
        state[place] = state[place + 1]
        place += 1
    while place > first and state[place - 1] > end:
        state[place] = state[place - 1]
        place -= 1
    state[place] = end
    state[start], state[end] = 0, mover + 1
    for seat in range(info[PLAYERS]):
        standing = state[COUNT + seat] > 0 or not info[FLAGS_REMOVED]
        if end == info[FLAG + seat] and seat != mover and standing:
            win(state, 1 << mover)
            return
    state[POINTS] -= 1
    if state[POINTS] == 0:
        settle(state, info)


@kernel
def settle(state: Array, info: Array) -> None:
    """In the attack phase: on to the question when nobody is left to attack."""
    if can_attack(state):
        state[PHASE] = ATTACKING
    else:
        put(state, info)


@kernel
def attack(state: Array, target: int, side: int) -> None:
    """An attack is announced (EG-9)."""
    state[PHASE], state[POINTS] = FIGHT, 0
    state[TARGET], state[RISK] = target, target + side
    dice = 0
    for each in range(4):
        dice += state[target + SIDES[each]] == state[MOVER] + 1
    state[DICE], state[THROWN], state[BEST] = dice, 0, 0


@kernel
def roll(state: Array, info: Array, low: int, high: int) -> None:
    """A die falls: for moving (EG-5), or in a fight (EG-10, EG-11)."""
    if state[PHASE] == ROLLING:
        state[PHASE], state[POINTS] = MOVE, low
        return
    best = state[BEST]
    if state[THROWN] < state[DICE]:
        state[THROWN] += 1
        state[BEST] = max(best, high)
        return
    if low == high and low == best:
        state[THROWN], state[BEST] = 0, 0
        return
    mover = state[MOVER]
    fallen = state[TARGET] if high < best else state[RISK]
    end_fight(state)
    if without(state, info, fallen):
        return
    if state[COUNT + mover] == 0:
        next_turn(state, info, next_living(state, info, mover))
    else:
        settle(state, info)


@kernel
def put(state: Array, info: Array) -> None:
    """The turn's question goes to the next living seat (EG-13)."""
    state[POINTS] = 0
    state[ASKED] = next_living(state, info, state[MOVER])
    if info[LEVELS] == 1:
        state[PHASE], state[LEVEL] = CARDS, info[ALLOWED] + 1
    else:
        state[PHASE] = LEVELLING


@kernel
def draw(state: Array, tables: Any, card: int) -> None:
    """A card comes up (EG-19), and its options are in order, or chance has to put them so (EG-20)."""
    info, kinds = tables[0], tables[1]
    level = state[LEVEL] - 1
    words = USED + info[WORDS + level]
    if state[LAID + level] == info[SIZE + level]:
        state[words : words + ((info[SIZE + level] + 7) >> 3)] = 0
        state[LAID + level] = 0
    state[words + (card >> 3)] |= 1 << (card & 7)
    state[LAID + level] += 1
    state[CARD] = card + 1
    if by_chance(state, tables) or info[OPEN_ANSWERS]:
        state[PHASE] = ANSWER
    elif not state[SEALED] and kinds[info[KINDS + level] + card]:
        state[PHASE], state[RIGHT] = ANSWER, kinds[info[KINDS + level] + card]
    else:
        state[PHASE] = ORDERING


@kernel
def answered(state: Array, info: Array, right: bool) -> None:
    """What follows an answer (EG-14)."""
    asked = state[ASKED]
    if right:
        next_turn(state, info, asked)
        return
    flag = info[FLAG + asked]
    first = ARMY + MOST_SOLDIERS * asked
    least, nearest, many = SQUARES, 0, False
    for place in range(first, first + state[COUNT + asked]):
        far = apart(flag, state[place])
        if far < least:
            least, nearest, many = far, state[place], False
        elif far == least:
            many = True
    if many:
        state[PHASE] = PICK
    else:
        lose(state, info, nearest)


@kernel
def lose(state: Array, info: Array, square: int) -> None:
    """A soldier of the asked seat leaves, and the turn is over."""
    asked = state[ASKED]
    if not without(state, info, square):
        next_turn(state, info, asked)


# Who is left, and whose turn it is -----------------------------------------------------------------------------


@kernel
def next_living(state: Array, info: Array, seat: int) -> int:
    """The first living seat after this one."""
    for _ in range(info[PLAYERS]):
        seat = (seat + 1) % info[PLAYERS]
        if state[COUNT + seat]:
            break
    return seat


@kernel
def without(state: Array, info: Array, square: int) -> bool:
    """A soldier leaves the board; whether that ends the game (EG-18)."""
    seat = state[square] - 1
    state[square] = 0
    last = ARMY + MOST_SOLDIERS * seat + state[COUNT + seat] - 1
    place = ARMY + MOST_SOLDIERS * seat
    while state[place] != square:
        place += 1
    for place in range(place, last):
        state[place] = state[place + 1]
    state[last] = 0
    state[COUNT + seat] -= 1
    alive = 0
    for other in range(info[PLAYERS]):
        alive |= (state[COUNT + other] > 0) << other
    if alive & (alive - 1):
        return False
    win(state, alive)
    return True


@kernel
def win(state: Array, seats: int) -> None:
    """The end, for the seats with a bit here."""
    state[PHASE], state[WON], state[POINTS] = ENDED, seats, 0
    end_fight(state)
    end_question(state)


@kernel
def next_turn(state: Array, info: Array, seat: int) -> None:
    """The turn passes to this seat or the next living one, unless the turns are over (EG-22)."""
    if state[COUNT + seat] == 0:
        seat = next_living(state, info, seat)
    state[PHASE], state[MOVER], state[POINTS] = ROLLING, seat, 0
    end_question(state)
    turns = (state[TURNS_HIGH] << 15) + state[TURNS] + 1
    state[TURNS], state[TURNS_HIGH] = turns & 0x7FFF, turns >> 15
    if 0 < info[TURN_LIMIT] <= turns:
        most = max(state[COUNT], state[COUNT + 1], state[COUNT + 2], state[COUNT + 3])
        seats = 0
        for other in range(info[PLAYERS]):
            seats |= (state[COUNT + other] == most) << other
        win(state, seats)


@kernel
def end_fight(state: Array) -> None:
    state[TARGET : BEST + 1] = 0


@kernel
def end_question(state: Array) -> None:
    state[ASKED : RIGHT + 1] = 0
