"""The modern game over integers, rule by rule as in `rules`; `layout` says how a position is packed."""

from __future__ import annotations

from typing import Any

import numpy as np

from astragal.core.compiled import Slot, kernel, lowest_bit, popcount
from astragal.core.fast import Array
from astragal.core.types import CHANCE, OVER
from astragal.games.ur_modern import layout as at

word: Any = np.uint32  # sets of squares have 32 bits, so that a GPU need not work with 64
SCATTER = 0x2545F4914F6CDD1D  # an odd number whose multiples scatter well


@kernel
def lowest(squares: int) -> Any:
    """The first square of a set, as a set."""
    mask = word(squares)
    return word(mask & (word(~mask) + 1))


@kernel
def without(squares: int, gone: int) -> Any:
    """A set of squares less some of them."""
    return word(word(squares) & ~word(gone))


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
def guarded(pieces: int, entrance: int, tables: Array) -> Any:
    """Those of a side's pieces that cannot be captured (UM-14, UM-15); `entrance` is that side's."""
    if pieces == entrance:
        return word(pieces)
    if pieces & tables[at.ISHTAR]:
        return word(pieces & tables[at.FORTRESSES])
    return word(0)


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
        beside, left = word(0), word(mine)
        while left:
            bit = lowest(left)
            left = without(left, bit)
            beside = word(beside | tables[at.NEIGHBOURS + lowest_bit(bit)])
        beside = without(beside, mine | theirs | home)
        while beside:
            bit = lowest(beside)
            beside = without(beside, bit)
            numbers[count] = at.PLACE + lowest_bit(bit)
            count += 1
        return count
    taken = mine | (safe if tables[at.CAPTURES] else theirs)  # UM-13
    for index in range(3):
        square = tables[at.SPECIALS + 3 * tips + index]
        if square < at.SQUARES and not taken >> square & 1:
            numbers[count] = at.PLACE + square
            count += 1
    return count


@kernel
def steps(tables: Array, mine: int, theirs: int, entrance: int, numbers: Array, count: int) -> int:
    """One piece, one square (UM-6). No two such moves have the same result."""
    blocked = mine | guarded(theirs, entrance, tables)
    left = mine
    while left:
        start = lowest(left)
        left = without(left, start)
        origin = lowest_bit(start)
        nears = without(tables[at.NEIGHBOURS + origin], blocked)
        while nears:
            near = lowest(nears)
            nears = without(nears, near)
            numbers[count] = at.MOVE + (origin | lowest_bit(near) << at.END)
            count += 1
    return count


@kernel
def moves(tables: Array, tips: int, mine: int, theirs: int, entrance: int, numbers: Array, count: int) -> Any:
    """One piece up to two or three squares (UM-7, UM-18), then two pieces one square each."""
    for head in range(at.HEADS):
        numbers[tables[at.MOST] + head] = 0
    furthest = 3 if tips >= at.SILVER and mine & tables[at.HEAVEN] == tables[at.HEAVEN] else 2
    goes_on = mine & tables[at.EARTH] == tables[at.EARTH]  # UM-17
    left = mine
    while left:
        start = lowest(left)
        left = without(left, start)
        count = walks(tables, start, mine ^ start, theirs, entrance, goes_on, furthest, numbers, count)
    return pairs(tables, mine, theirs, entrance, numbers, count)


@kernel
def keep(
    tables: Array,
    number: int,
    mine: int,
    theirs: int,
    again: bool,
    length: int,  # noqa: ARG001
    numbers: Array,
    count: int,
) -> int:
    """Adds an action unless one with the same result is there already (UM-10).

    Behind the actions `numbers` has the heads of chains; each link is a result and the place of the next link, 0 at the
    end.
    """
    begin = tables[at.MOST]
    result = np.int64(mine) | np.int64(theirs) << at.SQUARES | again << 2 * at.SQUARES
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


@kernel
def unchanged(mine: int, theirs: int, numbers: Any) -> Any:  # noqa: ARG001
    """What moves are collected in, whatever the first of two pieces has done."""
    return numbers


PAIR = 0  # the length of a move of two pieces
on_move = Slot("on_move", keep)  # what is done with a move that `walks` or `pairs` has found, given its length
on_first = Slot("on_first", unchanged)  # what moves of a second piece are collected in, after that of the first


@kernel
def stop(
    tables: Array,
    origin: int,
    near: int,
    taken: int,
    others: int,
    theirs: int,
    length: int,
    numbers: Any,
    count: Any,
) -> Any:
    """A piece ends its way on a square, unless one of its own side stands there (UM-11)."""
    if near & others:
        return count
    fortresses = tables[at.FORTRESSES]
    after = word(others | near)
    again = near & fortresses != 0 and after & fortresses != fortresses
    number = at.MOVE + (origin | lowest_bit(near) << at.END | taken)
    return on_move(tables, number, after, without(theirs, near), again, length, numbers, count)


@kernel
def passes(tables: Array, near: int, others: int, theirs: int, goes_on: bool) -> bool:
    """Whether a piece may go on from a square: not after a capture (UM-12, UM-17), nor where it would win (UM-2)."""
    fortresses = tables[at.FORTRESSES]
    if near & theirs and not goes_on:
        return False
    return bool(near & others or (others | near) & fortresses != fortresses)


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
    count: Any,
) -> Any:
    """Every way one piece can go and stop, `furthest` steps at most, which is two or three."""
    origin = lowest_bit(start)
    nears = without(tables[at.NEIGHBOURS + origin], start | guarded(theirs, entrance, tables))
    while nears:
        near = lowest(nears)
        nears = without(nears, near)
        count = stop(tables, origin, near, 0, others, theirs, 1, numbers, count)
        if not passes(tables, near, others, theirs, goes_on):
            continue
        taken = (lowest_bit(near) + 1) << at.THIRD if near & theirs else 0
        enemies, behind = without(theirs, near), start | near
        seconds = without(tables[at.NEIGHBOURS + lowest_bit(near)], behind | guarded(enemies, entrance, tables))
        while seconds:
            second = lowest(seconds)
            seconds = without(seconds, second)
            count = stop(tables, origin, second, taken, others, enemies, 2, numbers, count)
            if furthest == 2 or not passes(tables, second, others, enemies, goes_on):
                continue
            also = (lowest_bit(second) + 1) << (at.FOURTH if taken else at.THIRD) if second & enemies else 0
            left = without(enemies, second)
            behind_both = behind | second | guarded(left, entrance, tables)
            thirds = without(tables[at.NEIGHBOURS + lowest_bit(second)], behind_both)
            while thirds:
                third = lowest(thirds)
                thirds = without(thirds, third)
                count = stop(tables, origin, third, taken | also, others, left, 3, numbers, count)
    return count


@kernel
def pairs(tables: Array, mine: int, theirs: int, entrance: int, numbers: Any, count: Any) -> Any:
    """Two different pieces, one square each, one after the other."""
    fortresses = tables[at.FORTRESSES]
    firsts = word(mine)
    safe = guarded(theirs, entrance, tables)
    calm = popcount(word(mine & fortresses)) < 3  # one step alone cannot win
    while firsts:
        first = lowest(firsts)
        firsts = without(firsts, first)
        origin = lowest_bit(first)
        nears = without(tables[at.NEIGHBOURS + origin], mine | safe)
        while nears:
            end = lowest(nears)
            nears = without(nears, end)
            middle = word(without(mine, first) | end)
            if middle & fortresses == fortresses:  # UM-2: the rest lapses, so this is a move of one piece
                continue
            left = without(theirs, end)
            taken = word(middle | guarded(left, entrance, tables))
            code = at.MOVE + (1 << at.TWO) + (origin | lowest_bit(end) << at.END)
            after_first = on_first(middle, left, numbers)
            seconds = without(mine, first)
            in_order = calm and not end & theirs
            if in_order:  # a lower piece was first before, unless it fills the place of this one
                seconds = without(seconds, (first - 1) & ~tables[at.NEIGHBOURS + origin])
            while seconds:
                second = lowest(seconds)
                seconds = without(seconds, second)
                other = lowest_bit(second)
                ends = without(tables[at.NEIGHBOURS + other], taken)
                if in_order and second < first:
                    ends = word(ends & first)
                while ends:
                    target = lowest(ends)
                    ends = without(ends, target)
                    after = word(without(middle, second) | target)
                    again = (end | target) & fortresses != 0 and after & fortresses != fortresses
                    number = code + (other << at.THIRD | lowest_bit(target) << at.FOURTH)
                    count = on_move(tables, number, after, without(left, target), again, PAIR, after_first, count)
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
