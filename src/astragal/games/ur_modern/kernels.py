"""The modern game as kernels: squares are bits, actions are numbers (`fast` says how both become structs and back).

A packed state is ten int64, see the constants below: who stands where (bit n is `board.SQUARES[n]`), whose throw or
action it is, the throw, and what UM-20 remembers of each side. The first four alone decide what can be done.

Actions and outcomes have these numbers, the same under all options; every number is below ACTIONS:

    LOTS + seat         lots fell
    THROW + tips        the dice fell, in the order of `actions.THROWS`
    PASS, CLAIM         pass, claim a draw
    PLACE + square      a piece is placed
    MOVE + code         a move; the code has four fields of five bits and then the bit TWO. The first two fields are the
                        start and the end of a hop. Without TWO the others are the squares of what it takes on its way,
                        each plus one, 0 for none. With TWO they are the start and the end of the second hop.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from astragal.core.compiled import kernel
from astragal.core.fast import Array
from astragal.core.types import CHANCE, OVER

# Places in a packed state: light's and dark's pieces, then
SEAT, TIPS = 2, 3  # -1: lots or dice are still to fall
HABIT, TIMES = 4, 6  # for each side: what it did last, see `habit_of`, and how often in a row
CLAIMABLE, DRAWN = 8, 9
SIZE = 10

LOTS, THROW, PASS, CLAIM, PLACE, MOVE = 0, 2, 7, 8, 32, 64
END, THIRD, FOURTH, TWO = 5, 10, 15, 20  # where the fields of a move's code begin
ACTIONS = MOVE + (2 << TWO)

BLANK, ONE, MIXED, SILVER, GOLD = range(5)
WEIGHTS = np.array([4, 8, 2, 1, 1])  # UM-1
REPEATS = 5  # UM-20

# The tables: `ground`, masks of squares and numbers at these places; `neighbours`, a mask for each square;
# `specials`, where each throw may place (UM-8), -1 for nowhere; and two more for the features.
PIECES, CAPTURES, MOST, EARTH, HEAVEN, FORTRESSES, ISHTAR, ENTRANCE = range(8)  # an entrance for each side
GROUND = 9

HEADS = 256  # chains in the table of results, see `keep`
SCATTER = 0x2545F4914F6CDD1D  # an odd number whose multiples scatter well

SQUARES = 20
ALL = (1 << SQUARES) - 1
PRIME = 37  # modulo which all powers of two up to 2**35 differ
WHERE = np.zeros(PRIME, dtype=np.int64)
WHERE[[(1 << square) % PRIME for square in range(SQUARES)]] = np.arange(SQUARES)


@kernel
def turn(state: Array, tables: Any) -> int:
    """Whose turn it is, or CHANCE, or OVER."""
    fortresses = tables[0][FORTRESSES]
    if state[DRAWN] or state[0] & fortresses == fortresses or state[1] & fortresses == fortresses:
        return OVER
    return CHANCE if state[TIPS] < 0 else int(state[SEAT])


@kernel
def chance(state: Array, tables: Any, numbers: Array, weights: Array) -> int:
    """How lots or dice can fall."""
    if turn(state, tables) != CHANCE:
        return 0
    if state[SEAT] < 0:
        for seat in range(2):
            numbers[seat], weights[seat] = LOTS + seat, 1
        return 2
    for tips in range(len(WEIGHTS)):
        numbers[tips], weights[tips] = THROW + tips, WEIGHTS[tips]
    return len(WEIGHTS)


@kernel
def returns(state: Array, tables: Any, shares: Array) -> None:
    """The win goes to whoever holds the four fortresses (UM-2)."""
    fortresses = tables[0][FORTRESSES]
    for seat in range(2):
        shares[seat] = 1.0 if state[seat] & fortresses == fortresses else 0.5 if state[DRAWN] else 0.0


@kernel
def guarded(pieces: int, entrance: int, ground: Array) -> int:
    """Those of a side's pieces that cannot be captured (UM-14, UM-15); `entrance` is that side's."""
    if pieces == entrance:
        return pieces
    return int(pieces & ground[FORTRESSES]) if pieces & ground[ISHTAR] else 0


@kernel
def legal(state: Array, tables: Any, numbers: Array) -> int:
    """All actions, in the order of the rules: placings, moves of one piece, moves of two."""
    if turn(state, tables) < 0:
        return 0
    ground = tables[0]
    seat, tips = int(state[SEAT]), int(state[TIPS])
    mine, theirs = int(state[seat]), int(state[1 - seat])
    entrance = int(ground[ENTRANCE + 1 - seat])
    pieces = bits(mine)
    count = 0
    if pieces < ground[PIECES]:  # UM-21
        count = placings(tables, seat, tips, mine, theirs, entrance, numbers)
    if tips == ONE:
        count = steps(tables, mine, theirs, entrance, numbers, count)
    elif tips != BLANK and mine:
        count = moves(tables, tips, mine, theirs, entrance, numbers, count)
    if count == 0:  # UM-19
        numbers[0] = PASS
        count = 1
    return count


@kernel
def bits(mask: int) -> int:
    """How many squares a mask has."""
    count = 0
    while mask:
        mask &= mask - 1
        count += 1
    return count


@kernel
def placings(tables: Any, seat: int, tips: int, mine: int, theirs: int, entrance: int, numbers: Array) -> int:
    """Where a piece may be placed (UM-5, UM-8, UM-9)."""
    ground, neighbours, specials = tables[0], tables[1], tables[2]
    safe = guarded(theirs, entrance, ground)
    count = 0
    home = int(ground[ENTRANCE + seat])
    if not home & (mine | safe):
        numbers[0] = PLACE + WHERE[home % PRIME]
        count = 1
    if tips == BLANK:
        beside, left = 0, mine
        while left:
            bit = left & -left
            left ^= bit
            beside |= neighbours[WHERE[bit % PRIME]]
        beside &= ~(mine | theirs | home)
        while beside:
            bit = beside & -beside
            beside ^= bit
            numbers[count] = PLACE + WHERE[bit % PRIME]
            count += 1
        return count
    taken = mine | (safe if ground[CAPTURES] else theirs)  # UM-13
    for index in range(3):
        square = specials[tips, index]
        if square >= 0 and not taken >> square & 1:
            numbers[count] = PLACE + square
            count += 1
    return count


@kernel
def steps(tables: Any, mine: int, theirs: int, entrance: int, numbers: Array, count: int) -> int:
    """One piece, one square (UM-6). No two such moves have the same result."""
    ground, neighbours = tables[0], tables[1]
    blocked = mine | guarded(theirs, entrance, ground)
    left = mine
    while left:
        start = left & -left
        left ^= start
        origin = WHERE[start % PRIME]
        nears = neighbours[origin] & ~blocked
        while nears:
            near = nears & -nears
            nears ^= near
            numbers[count] = MOVE + (origin | WHERE[near % PRIME] << END)
            count += 1
    return count


@kernel
def moves(tables: Any, tips: int, mine: int, theirs: int, entrance: int, numbers: Array, count: int) -> int:
    """One piece up to two or three squares (UM-7, UM-18), then two pieces one square each."""
    ground = tables[0]
    seen = np.empty(HEADS + 2 * ground[MOST], dtype=np.int64)
    seen[:HEADS] = 0
    furthest = 3 if tips >= SILVER and mine & ground[HEAVEN] == ground[HEAVEN] else 2
    goes_on = mine & ground[EARTH] == ground[EARTH]  # UM-17
    trail = np.empty((furthest, 4), dtype=np.int64)
    left = mine
    while left:
        start = left & -left
        left ^= start
        count = walks(tables, start, mine ^ start, theirs, entrance, goes_on, trail, seen, numbers, count)
    return pairs(tables, mine, theirs, entrance, seen, numbers, count)


@kernel
def walks(
    tables: Any,
    start: int,
    others: int,
    theirs: int,
    entrance: int,
    goes_on: bool,
    trail: Array,
    seen: Array,
    numbers: Array,
    count: int,
) -> int:
    """Every way one piece can go and stop. `trail` has a row a step, see the names beside it.

    Not by recursion: Numba may crash when it reads such a kernel from its cache.
    """
    ground, neighbours = tables[0], tables[1]
    fortresses = ground[FORTRESSES]
    origin = WHERE[start % PRIME]
    nexts, path, enemies, takes = 0, 1, 2, 3  # squares to try yet, squares left, enemies left, code of what was taken
    trail[0, nexts] = neighbours[origin] & ~start & ~guarded(theirs, entrance, ground)
    trail[0, path], trail[0, enemies], trail[0, takes] = start, theirs, 0
    depth = 0
    while depth >= 0:
        nears = trail[depth, nexts]
        if nears == 0:
            depth -= 1
            continue
        bit = nears & -nears
        trail[depth, nexts] = nears ^ bit
        near = WHERE[bit % PRIME]
        foes, taken = trail[depth, enemies], trail[depth, takes]
        left = foes & ~bit
        if not bit & others:  # UM-11
            after = others | bit
            won = after & fortresses == fortresses
            again = bit & fortresses != 0 and not won
            count = keep(MOVE + (origin | near << END | taken), after, left, again, seen, numbers, count)
            if won:  # UM-2
                continue
        if depth + 1 < len(trail) and (goes_on or not bit & foes):  # UM-12
            if bit & foes:
                taken |= (near + 1) << (FOURTH if taken else THIRD)
            left_behind = trail[depth, path] | bit
            depth += 1
            trail[depth, nexts] = neighbours[near] & ~left_behind & ~guarded(left, entrance, ground)
            trail[depth, path], trail[depth, enemies], trail[depth, takes] = left_behind, left, taken
    return count


@kernel
def pairs(tables: Any, mine: int, theirs: int, entrance: int, seen: Array, numbers: Array, count: int) -> int:
    """Two different pieces, one square each, one after the other."""
    ground, neighbours = tables[0], tables[1]
    fortresses = ground[FORTRESSES]
    firsts = mine
    safe = guarded(theirs, entrance, ground)
    calm = bits(mine & fortresses) < 3  # one step alone cannot win
    while firsts:
        first = firsts & -firsts
        firsts ^= first
        origin = WHERE[first % PRIME]
        nears = neighbours[origin] & ~(mine | safe)
        while nears:
            end = nears & -nears
            nears ^= end
            middle = mine ^ first | end
            if middle & fortresses == fortresses:  # UM-2: the rest lapses, so this is a move of one piece
                continue
            left = theirs & ~end
            free = ~(middle | guarded(left, entrance, ground))
            code = MOVE + (1 << TWO) + (origin | WHERE[end % PRIME] << END)
            seconds = mine ^ first
            if calm and not end & theirs:  # a lower piece was first before, unless it fills the place of this one
                seconds &= neighbours[origin] | -first
            while seconds:
                second = seconds & -seconds
                seconds ^= second
                other = WHERE[second % PRIME]
                ends = neighbours[other] & free
                if second < first and calm and not end & theirs:
                    ends &= first
                while ends:
                    stop = ends & -ends
                    ends ^= stop
                    after = middle ^ second | stop
                    again = (end | stop) & fortresses != 0 and after & fortresses != fortresses
                    number = code + (other << THIRD | WHERE[stop % PRIME] << FOURTH)
                    count = keep(number, after, left & ~stop, again, seen, numbers, count)
    return count


@kernel
def keep(number: int, mine: int, theirs: int, again: bool, seen: Array, numbers: Array, count: int) -> int:
    """Adds an action unless one with the same result is there already (UM-10).

    `seen` begins with the heads of chains; each link is a result and the place of the next link, 0 at the end.
    """
    result = mine | theirs << SQUARES | again << 2 * SQUARES
    head = (result * SCATTER >> 40) & (HEADS - 1)
    link = seen[head]
    while link:
        if seen[link] == result:
            return count
        link = seen[link + 1]
    link = HEADS + 2 * count
    seen[link], seen[link + 1] = result, seen[head]
    seen[head] = link
    numbers[count] = number
    return count + 1


@kernel
def step(state: Array, tables: Any, number: int) -> None:
    """Does what a number says."""
    if number < THROW:
        state[SEAT] = number - LOTS
    elif number < PASS:
        state[TIPS] = number - THROW
    elif number == CLAIM:
        state[DRAWN] = 1
    else:
        act(state, tables, number)


@kernel
def act(state: Array, tables: Any, number: int) -> None:
    """A side acts, and the dice pass on unless a piece moved onto a fortress (UM-16)."""
    seat = int(state[SEAT])
    state[TIPS] = -1
    state[SEAT] = 1 - seat
    if number == PASS:
        state[HABIT + seat] = state[TIMES + seat] = 0
        return
    fortresses = tables[0][FORTRESSES]
    code = number - MOVE
    start, end, third, fourth = code & 31, code >> END & 31, code >> THIRD & 31, code >> FOURTH & 31
    mine, gone, ends = int(state[seat]), 0, 0
    if number < MOVE:
        mine |= 1 << (number - PLACE)
    elif code >> TWO:
        ends = 1 << end | 1 << fourth
        mine = (mine & ~(1 << start) | 1 << end) & ~(1 << third) | 1 << fourth
    else:
        ends = 1 << end
        mine = mine & ~(1 << start) | ends
        gone = (1 << third | 1 << fourth) >> 1
    state[seat] = mine
    state[1 - seat] &= ~(mine | gone)
    if ends & fortresses and mine & fortresses != fortresses:
        state[SEAT] = seat
    habit = habit_of(number)
    state[TIMES + seat] = state[TIMES + seat] + 1 if state[HABIT + seat] == habit else 1
    state[HABIT + seat] = habit
    state[CLAIMABLE] = state[TIMES + seat] >= REPEATS


@kernel
def habit_of(number: int) -> int:
    """What UM-20 remembers of an action, never 0: a move and the move back are the same, so are two in either order."""
    if number < MOVE:
        return number
    code = number - MOVE
    start, end, third, fourth = code & 31, code >> END & 31, code >> THIRD & 31, code >> FOURTH & 31
    one = min(start, end) * SQUARES + max(start, end)
    if not code >> TWO:
        return MOVE + one
    other = min(third, fourth) * SQUARES + max(third, fourth)
    return MOVE + (min(one, other) + 1) * SQUARES * SQUARES + max(one, other)
