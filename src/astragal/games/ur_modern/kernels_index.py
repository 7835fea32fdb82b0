"""Numbers for all positions of the modern game in which a throw is to come, and what such a position is worth.

A position is two masks of squares: those of the side to throw and those of the other side, both as light would see them
(for dark the board is mirrored). Sets of the first are numbered, and sets of the other among the squares that are left:

    rank = BASE[n, m] + CLASS[mine] * COMB[20 - n, m] + set of theirs

where n and m are how many pieces each side has on the board. Where both sides enter on one square, a position and its
mirror image are the same: then only one of two mirrored sets of the first side has a class, and the other's is -1.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from astragal.core.compiled import kernel, popcount, scratch
from astragal.core.fast import Array
from astragal.games.ur_modern import layout as at
from astragal.games.ur_modern.kernels import pairs, placings, steps, walks

# Places in the tuple of an index.
RULES, BASE, CLASS, MASKS, FIRST, COMB, SETS, SETS_FIRST, ORDER = range(9)

WING = 6  # squares of row a, and of row c, which are the lowest and the highest bits
ROW_A = (1 << WING) - 1
FAR = at.SQUARES - WING
ROW_B = (1 << FAR) - 1 - ROW_A
ALL = (1 << at.SQUARES) - 1

# The code of a run of positions: its first rank, and how many pieces each side has.
RUN_MINE, RUN_THEIRS = 40, 44
RUN_RANK = (1 << RUN_MINE) - 1

ROOM = 64  # no throw has more placings or steps of one piece than this


@kernel
def mirrored(mask: int) -> int:
    """The same squares on the mirrored board."""
    return int((mask & ROW_A) << FAR | mask & ROW_B | mask >> FAR)


@kernel
def number(mine: int, theirs: int, index: Any) -> Any:
    """The rank of a position."""
    if index[CLASS][mine] < 0:
        mine, theirs = mirrored(mine), mirrored(theirs)
    n = popcount(mine)
    m = order = 0
    while theirs:
        bit = theirs & -theirs
        theirs ^= bit
        m += 1
        order += index[COMB][popcount(~mine & (bit - 1)), m]
    return index[BASE][n, m] + index[CLASS][mine] * index[COMB][at.SQUARES - n, m] + order


@kernel
def rank(state: Array, tables: Any, index: Any) -> Any:  # noqa: ARG001
    """The rank of a packed state in which a throw is to come."""
    seat = state[at.SEAT]
    mine, theirs = int(state[seat]), int(state[1 - seat])
    if seat == 1:
        mine, theirs = mirrored(mine), mirrored(theirs)
    return number(mine, theirs, index)


@kernel
def position(place: int, n: int, m: int, index: Any) -> Any:
    """The two masks of a rank, of which it is known how many pieces each side has."""
    row = place - index[BASE][n, m]
    each = index[COMB][at.SQUARES - n, m]
    mine = int(index[MASKS][index[FIRST][n] + row // each])
    chosen = int(index[SETS][index[SETS_FIRST][m] + row % each])
    free, theirs = ALL & ~mine, 0
    while chosen:
        bit = free & -free
        free ^= bit
        if chosen & 1:
            theirs |= bit
        chosen >>= 1
    return mine, theirs


@kernel
def visit(code: int, k: int, index: Any) -> Any:
    """The k-th position of a run: its rank and its two masks."""
    place = (code & RUN_RANK) + k
    mine, theirs = position(place, code >> RUN_MINE & 15, code >> RUN_THEIRS & 15, index)
    return place, mine, theirs


@kernel
def unrank(place: int, tables: Any, index: Any, state: Array) -> None:  # noqa: ARG001
    """The packed state of this rank, with light to throw."""
    base = index[BASE]
    n = m = 0
    for one in range(base.shape[0]):
        for two in range(base.shape[1]):
            if base[n, m] < base[one, two] <= place:
                n, m = one, two
    mine, theirs = position(place, n, m, index)
    state[0], state[1] = mine, theirs
    state[at.SEAT], state[at.TIPS], state[at.DRAWN] = 0, -1, 0


class Book(NamedTuple):
    """What every action of a position is weighed by: see `core.solvable` for the first six.

    After most actions the other side throws, and its pieces stand where they stood. The ranks of such positions begin
    alike, and the order of the acting side's set follows from that before the action by exchanging a few bits.
    """

    arrays: Any  # of the index
    values: Array
    other: Array
    won: int
    add: int
    sign: int
    theirs: int  # before the action
    turned: bool  # whether the next position is looked up mirrored
    seen: int  # the acting side's pieces as they are looked up
    free: int  # the squares without pieces of the other side, as they are looked up
    squeezed: int  # `seen` with those squares left out that the other side holds
    base: int  # the first rank of positions with these pieces of the other side
    base_placed: int  # the same with one more piece of the acting side


@kernel
def opened(mine: int, theirs: int, index: Any, values: Array, other: Array, won: int, add: int, sign: int) -> Any:
    """The book of a position."""
    holder = mirrored(theirs)  # the other side sees the board mirrored
    turned = index[CLASS][holder] >= 0
    if not turned:  # its mirror image stands for it, and that is how we see it
        holder = theirs
    seen = mirrored(mine) if turned else mine
    free = ALL & ~holder
    squeezed, left = 0, seen
    while left:
        bit = left & -left
        left ^= bit
        squeezed |= 1 << popcount(free & (bit - 1))
    n, m = popcount(mine), popcount(theirs)
    which = index[CLASS][holder]
    base = index[BASE][m, n] + which * index[COMB][at.SQUARES - m, n]
    base_placed = 0
    if n + 1 < index[BASE].shape[1]:
        base_placed = index[BASE][m, n + 1] + which * index[COMB][at.SQUARES - m, n + 1]
    return Book(index, values, other, won, add, sign, theirs, turned, seen, free, squeezed, int(base), int(base_placed))


@kernel
def worth(mine: int, theirs: int, again: bool, placed: bool, fortresses: int, book: Book) -> int:
    """What the position after an action is worth to the side that acted."""
    if mine & fortresses == fortresses:
        return int(book.won)
    if again:
        return int(book.values[number(mine, theirs, book.arrays)])
    if theirs != book.theirs:
        place = number(mirrored(theirs), mirrored(mine), book.arrays)
    else:
        changed = (mirrored(mine) if book.turned else mine) ^ book.seen
        squeezed = book.squeezed
        while changed:
            bit = changed & -changed
            changed ^= bit
            squeezed ^= 1 << popcount(book.free & (bit - 1))
        place = (book.base_placed if placed else book.base) + book.arrays[ORDER][squeezed]
    return int(book.add + book.sign * int(book.other[place]))


@kernel
def consider(tables: Array, number: int, mine: int, theirs: int, again: bool, book: Book, best: int) -> int:  # noqa: ARG001
    """Takes the place of `kernels.keep`: a move is not listed but weighed."""
    return max(best, worth(mine, theirs, again, False, tables[at.FORTRESSES], book))


@kernel
def best_placing(tables: Array, tips: int, mine: int, theirs: int, entrance: int, book: Book, best: int) -> int:
    """The best of all placings after this throw, and of what was found before."""
    if popcount(mine) == tables[at.PIECES]:  # UM-21
        return best
    squares = scratch(ROOM, np.int64)
    for index in range(placings(tables, 0, tips, mine, theirs, entrance, squares)):
        bit = 1 << (squares[index] - at.PLACE)
        best = max(best, worth(mine | bit, theirs & ~bit, False, True, tables[at.FORTRESSES], book))
    return best


@kernel
def best_step(tables: Array, mine: int, theirs: int, entrance: int, book: Book) -> int:
    """The best step of one piece by one square, -1 if there is none."""
    codes = scratch(ROOM, np.int64)
    best = -1
    for index in range(steps(tables, mine, theirs, entrance, codes, 0)):
        code = codes[index] - at.MOVE
        start, end = 1 << (code & 31), 1 << (code >> at.END & 31)
        after = mine ^ start | end
        fortresses = tables[at.FORTRESSES]
        best = max(best, worth(after, theirs & ~end, end & fortresses != 0, False, fortresses, book))
    return best


@kernel
def best_walk(tables: Array, furthest: int, mine: int, theirs: int, entrance: int, book: Book) -> int:
    """The best way of one piece, -1 if there is none."""
    goes_on = mine & tables[at.EARTH] == tables[at.EARTH]  # UM-17
    best, left = -1, mine
    while left:
        start = left & -left
        left ^= start
        best = walks(tables, start, mine ^ start, theirs, entrance, goes_on, furthest, book, best)
    return best


@kernel
def backup(
    code: int,  # noqa: ARG001
    mine: int,
    theirs: int,
    index: Any,
    values: Array,
    other: Array,
    won: int,
    add: int,
    sign: int,
) -> Any:
    """The sum over all throws of their weights by what the best action after them is worth, see `core.solvable`."""
    tables = index[RULES]
    fortresses, heaven = tables[at.FORTRESSES], tables[at.HEAVEN]
    if mine & fortresses == fortresses:
        return 16 * won
    if theirs & fortresses == fortresses:
        return 16 * (add + sign * won)
    book = opened(mine, theirs, index, values, other, won, add, sign)
    entrance = int(tables[at.ENTRANCE + 1])
    passed = -1
    total = 0
    two = three = -1
    if mine:
        two = pairs(tables, mine, theirs, entrance, book, best_walk(tables, 2, mine, theirs, entrance, book))
        three = max(two, best_walk(tables, 3, mine, theirs, entrance, book)) if mine & heaven == heaven else two
    for tips in range(at.GOLD + 1):
        best = -1
        if tips == at.ONE:
            best = best_step(tables, mine, theirs, entrance, book)
        elif tips == at.MIXED:
            best = two
        elif tips > at.MIXED:
            best = three
        best = best_placing(tables, tips, mine, theirs, entrance, book, best)
        if best < 0:  # UM-19
            if passed < 0:
                passed = worth(mine, theirs, False, False, fortresses, book)
            best = passed
        total += at.TIPS_WEIGHTS[tips] * best
    return total
