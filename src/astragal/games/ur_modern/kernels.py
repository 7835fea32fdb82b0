"""The modern game over integers, rule by rule as in `rules`; `layout` says how a position is packed."""

from __future__ import annotations

from typing import Any

import numpy as np

from astragal.core.compiled import Slot, kernel, lowest_bit, popcount, scratch
from astragal.core.fast import Array
from astragal.core.types import CHANCE, OVER
from astragal.games.ur_modern import layout as at

SCATTER = 0x2545F4914F6CDD1D  # an odd number whose multiples scatter well
NEXTS, PATH, ENEMIES, TAKES, WIDTH = range(
    5
)  # of a step in `walks`: squares to try, left, enemies left, what was taken
TRAIL = 3 * WIDTH  # for as many steps as a piece can go


@kernel
def turn(state: Array, tables: Array) -> int:
    """Whose turn it is, or CHANCE, or OVER."""
    fortresses = tables[at.FORTRESSES]
    if state[at.DRAWN] or state[0] & fortresses == fortresses or state[1] & fortresses == fortresses:
        return OVER
    return CHANCE if state[at.TIPS] < 0 else int(state[at.SEAT])


@kernel
def chance(state: Array, tables: Array, numbers: Array, weights: Array) -> int:
    """How lots or dice can fall."""
    if turn(state, tables) != CHANCE:
        return 0
    if state[at.SEAT] < 0:
        for seat in range(2):
            numbers[seat], weights[seat] = at.LOTS + seat, 1
        return 2
    for tips in range(at.GOLD + 1):
        numbers[tips], weights[tips] = at.THROW + tips, at.TIPS_WEIGHTS[tips]
    return at.GOLD + 1


@kernel
def returns(state: Array, tables: Array, shares: Array) -> None:
    """The win goes to whoever holds the four fortresses (UM-2)."""
    fortresses = tables[at.FORTRESSES]
    for seat in range(2):
        shares[seat] = 1.0 if state[seat] & fortresses == fortresses else 0.5 if state[at.DRAWN] else 0.0


@kernel
def guarded(pieces: int, entrance: int, tables: Array) -> int:
    """Those of a side's pieces that cannot be captured (UM-14, UM-15); `entrance` is that side's."""
    if pieces == entrance:
        return pieces
    return int(pieces & tables[at.FORTRESSES]) if pieces & tables[at.ISHTAR] else 0


@kernel
def legal(state: Array, tables: Array, numbers: Array) -> int:
    """All actions, in the order of the rules: placings, moves of one piece, moves of two."""
    if turn(state, tables) < 0:
        return 0
    seat, tips = int(state[at.SEAT]), int(state[at.TIPS])
    mine, theirs = int(state[seat]), int(state[1 - seat])
    entrance = int(tables[at.ENTRANCE + 1 - seat])
    pieces = popcount(mine)
    count = 0
    if pieces < tables[at.PIECES]:  # UM-21
        count = placings(tables, seat, tips, mine, theirs, entrance, numbers)
    if tips == at.ONE:
        count = steps(tables, mine, theirs, entrance, numbers, count)
    elif tips != at.BLANK and mine:
        count = moves(tables, tips, mine, theirs, entrance, numbers, count)
    if count == 0:  # UM-19
        numbers[0] = at.PASS
        count = 1
    return count


@kernel
def placings(tables: Array, seat: int, tips: int, mine: int, theirs: int, entrance: int, numbers: Array) -> int:
    """Where a piece may be placed (UM-5, UM-8, UM-9)."""
    safe = guarded(theirs, entrance, tables)
    count = 0
    home = int(tables[at.ENTRANCE + seat])
    if not home & (mine | safe):
        numbers[0] = at.PLACE + lowest_bit(home)
        count = 1
    if tips == at.BLANK:
        beside, left = 0, mine
        while left:
            bit = left & -left
            left ^= bit
            beside |= tables[at.NEIGHBOURS + lowest_bit(bit)]
        beside &= ~(mine | theirs | home)
        while beside:
            bit = beside & -beside
            beside ^= bit
            numbers[count] = at.PLACE + lowest_bit(bit)
            count += 1
        return count
    taken = mine | (safe if tables[at.CAPTURES] else theirs)  # UM-13
    for index in range(3):
        square = tables[at.SPECIALS + 3 * tips + index]
        if square >= 0 and not taken >> square & 1:
            numbers[count] = at.PLACE + square
            count += 1
    return count


@kernel
def steps(tables: Array, mine: int, theirs: int, entrance: int, numbers: Array, count: int) -> int:
    """One piece, one square (UM-6). No two such moves have the same result."""
    blocked = mine | guarded(theirs, entrance, tables)
    left = mine
    while left:
        start = left & -left
        left ^= start
        origin = lowest_bit(start)
        nears = tables[at.NEIGHBOURS + origin] & ~blocked
        while nears:
            near = nears & -nears
            nears ^= near
            numbers[count] = at.MOVE + (origin | lowest_bit(near) << at.END)
            count += 1
    return count


@kernel
def moves(tables: Array, tips: int, mine: int, theirs: int, entrance: int, numbers: Array, count: int) -> int:
    """One piece up to two or three squares (UM-7, UM-18), then two pieces one square each."""
    for head in range(at.HEADS):
        numbers[tables[at.MOST] + head] = 0
    furthest = 3 if tips >= at.SILVER and mine & tables[at.HEAVEN] == tables[at.HEAVEN] else 2
    goes_on = mine & tables[at.EARTH] == tables[at.EARTH]  # UM-17
    left = mine
    while left:
        start = left & -left
        left ^= start
        count = walks(tables, start, mine ^ start, theirs, entrance, goes_on, furthest, numbers, count)
    return pairs(tables, mine, theirs, entrance, numbers, count)


@kernel
def keep(tables: Array, number: int, mine: int, theirs: int, again: bool, numbers: Array, count: int) -> int:
    """Adds an action unless one with the same result is there already (UM-10).

    Behind the actions `numbers` has the heads of chains; each link is a result and the place of the next link, 0 at the
    end.
    """
    begin = tables[at.MOST]
    result = mine | theirs << at.SQUARES | again << 2 * at.SQUARES
    head = begin + ((result * SCATTER >> 40) & (at.HEADS - 1))
    link = numbers[head]
    while link:
        if numbers[link] == result:
            return count
        link = numbers[link + 1]
    link = begin + at.HEADS + 2 * count
    numbers[link], numbers[link + 1] = result, numbers[head]
    numbers[head] = link
    numbers[count] = number
    return count + 1


on_move = Slot("on_move", keep)  # what is done with a move that `walks` and `pairs` have found


@kernel
def walks(
    tables: Array,
    start: int,
    others: int,
    theirs: int,
    entrance: int,
    goes_on: bool,
    furthest: int,
    numbers: Any,
    count: int,
) -> int:
    """Every way one piece can go and stop, `furthest` steps at most. `trail` has a row a step."""
    fortresses = tables[at.FORTRESSES]
    origin = lowest_bit(start)
    trail = scratch(TRAIL, np.int64)
    trail[NEXTS] = tables[at.NEIGHBOURS + origin] & ~start & ~guarded(theirs, entrance, tables)
    trail[PATH], trail[ENEMIES], trail[TAKES] = start, theirs, 0
    depth = 0
    while depth >= 0:
        row = depth * WIDTH
        nears = trail[row + NEXTS]
        if nears == 0:
            depth -= 1
            continue
        bit = nears & -nears
        trail[row + NEXTS] = nears ^ bit
        near = lowest_bit(bit)
        foes, taken = trail[row + ENEMIES], trail[row + TAKES]
        left = foes & ~bit
        if not bit & others:  # UM-11
            after = others | bit
            won = after & fortresses == fortresses
            again = bit & fortresses != 0 and not won
            number = at.MOVE + (origin | near << at.END | taken)
            count = on_move(tables, number, after, left, again, numbers, count)
            if won:  # UM-2
                continue
        if depth + 1 < furthest and (goes_on or not bit & foes):  # UM-12
            if bit & foes:
                taken |= (near + 1) << (at.FOURTH if taken else at.THIRD)
            left_behind = trail[row + PATH] | bit
            depth += 1
            row += WIDTH
            trail[row + NEXTS] = tables[at.NEIGHBOURS + near] & ~left_behind & ~guarded(left, entrance, tables)
            trail[row + PATH], trail[row + ENEMIES], trail[row + TAKES] = left_behind, left, taken
    return count


@kernel
def pairs(tables: Array, mine: int, theirs: int, entrance: int, numbers: Any, count: int) -> int:
    """Two different pieces, one square each, one after the other."""
    fortresses = tables[at.FORTRESSES]
    firsts = mine
    safe = guarded(theirs, entrance, tables)
    calm = popcount(mine & fortresses) < 3  # one step alone cannot win
    while firsts:
        first = firsts & -firsts
        firsts ^= first
        origin = lowest_bit(first)
        nears = tables[at.NEIGHBOURS + origin] & ~(mine | safe)
        while nears:
            end = nears & -nears
            nears ^= end
            middle = mine ^ first | end
            if middle & fortresses == fortresses:  # UM-2: the rest lapses, so this is a move of one piece
                continue
            left = theirs & ~end
            free = ~(middle | guarded(left, entrance, tables))
            code = at.MOVE + (1 << at.TWO) + (origin | lowest_bit(end) << at.END)
            seconds = mine ^ first
            if calm and not end & theirs:  # a lower piece was first before, unless it fills the place of this one
                seconds &= tables[at.NEIGHBOURS + origin] | -first
            while seconds:
                second = seconds & -seconds
                seconds ^= second
                other = lowest_bit(second)
                ends = tables[at.NEIGHBOURS + other] & free
                if second < first and calm and not end & theirs:
                    ends &= first
                while ends:
                    stop = ends & -ends
                    ends ^= stop
                    after = middle ^ second | stop
                    again = (end | stop) & fortresses != 0 and after & fortresses != fortresses
                    number = code + (other << at.THIRD | lowest_bit(stop) << at.FOURTH)
                    count = on_move(tables, number, after, left & ~stop, again, numbers, count)
    return count


@kernel
def step(state: Array, tables: Array, number: int) -> None:
    """Lots or dice fall, or a side acts."""
    if state[at.TIPS] >= 0:
        act(state, tables, number)
    elif number < at.THROW:
        state[at.SEAT] = number - at.LOTS
    else:
        state[at.TIPS] = number - at.THROW


@kernel
def act(state: Array, tables: Array, number: int) -> None:
    """A side acts, and the dice pass on unless a piece moved onto a fortress (UM-16)."""
    seat = int(state[at.SEAT])
    state[at.TIPS] = -1
    state[at.SEAT] = 1 - seat
    if number == at.PASS:
        return
    fortresses = tables[at.FORTRESSES]
    code = number - at.MOVE
    start, end, third, fourth = code & 31, code >> at.END & 31, code >> at.THIRD & 31, code >> at.FOURTH & 31
    mine, gone, ends = int(state[seat]), 0, 0
    if number < at.MOVE:
        mine |= 1 << (number - at.PLACE)
    elif code >> at.TWO:
        ends = 1 << end | 1 << fourth
        mine = (mine & ~(1 << start) | 1 << end) & ~(1 << third) | 1 << fourth
    else:
        ends = 1 << end
        mine = mine & ~(1 << start) | ends
        gone = (1 << third | 1 << fourth) >> 1
    state[seat] = mine
    state[1 - seat] &= ~(mine | gone)
    if ends & fortresses and mine & fortresses != fortresses:
        state[at.SEAT] = seat
