"""Numbers for all positions of the modern game in which a throw is to come, and what such a position is worth.

A position is two masks of squares: those of the side to throw and those of the other side, both as light would see them
(for dark the board is mirrored). Sets of the first are numbered, and sets of the other among the squares that are left:

    rank = BASE[n, m] + CLASS[mine] * CHOICES[n, m] + set of theirs

where n and m are how many pieces each side has on the board. Where both sides enter on one square, a position and its
mirror image are the same: then only one of two mirrored sets of the first side has a class, and the other's is that one
with all bits changed, which is below 0.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from astragal.core.compiled import kernel, popcount, scratch
from astragal.core.fast import Array
from astragal.games.ur_modern import layout as at
from astragal.games.ur_modern.kernels import lowest, pairs, placings, walks, without, word

# Places in the tuple of an index.
RULES, BASE, CLASS, MASKS, FIRST, CHOICES, SETS, SETS_FIRST, ORDER = range(9)

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
def mirrored(mask: int) -> Any:
    """The same squares on the mirrored board."""
    return word((mask & ROW_A) << FAR | mask & ROW_B | mask >> FAR)


@kernel
def number(mine: int, theirs: int, index: Any) -> Any:
    """The rank of a position."""
    which = index[CLASS][mine]
    if which < 0:
        mine, theirs, which = mirrored(mine), mirrored(theirs), ~which
    return word(first_of_row(which, popcount(mine), popcount(theirs), index) + index[ORDER][squeezed(theirs, ~mine)])


@kernel
def first_of_row(which: int, n: int, m: int, index: Any) -> Any:
    """The first rank of positions in which the set of the side to throw, of n squares, is of this class."""
    group = word(n), word(m)
    return word(index[BASE][group] + which * index[CHOICES][group])


@kernel
def squeezed(chosen: int, free: int) -> Any:
    """Some squares as a set among those that are free."""
    among = word(0)
    while chosen:
        bit = lowest(chosen)
        chosen = word(chosen ^ bit)
        among = word(among | 1 << popcount(word(free & (bit - 1))))
    return among


@kernel
def rank(state: Array, tables: Any, index: Any) -> Any:  # noqa: ARG001
    """The rank of a packed state in which a throw is to come."""
    seat = state[at.SEAT]
    mine, theirs = word(state[seat]), word(state[1 - seat])
    if seat == 1:
        mine, theirs = mirrored(mine), mirrored(theirs)
    return number(mine, theirs, index)


@kernel
def position(place: int, n: int, m: int, index: Any) -> Any:
    """The two masks of a rank, of which it is known how many pieces each side has."""
    row = place - index[BASE][n, m]
    each = index[CHOICES][n, m]
    mine = index[MASKS][index[FIRST][n] + row // each]
    chosen = index[SETS][index[SETS_FIRST][m] + row % each]
    free, theirs = word(ALL & ~mine), word(0)
    while chosen:
        bit = lowest(free)
        free = word(free ^ bit)
        if chosen & 1:
            theirs = word(theirs | bit)
        chosen = word(chosen >> 1)
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


@kernel
def store(place: int, mine: int, theirs: int, index: Any, values: Array, value: int) -> None:
    """Writes the value of a position, and writes it where the side that has just acted looks it up.

    That is in the second half of the values, by its own set first. So all actions of a position lead to few places that
    lie near each other, and near those of the positions that are worked out at the same time.
    """
    values[place] = value
    size = len(values) // 2
    values[size + number(mirrored(theirs), mirrored(mine), index)] = value
    if theirs == mirrored(theirs) and index[RULES][at.ENTRANCE] == index[RULES][at.ENTRANCE + 1]:
        values[size + number(theirs, mine, index)] = value  # its mirror image has a rank of its own


class Book(NamedTuple):
    """What every action of a position is weighed by: see `core.solvable` for the first six."""

    arrays: Any  # of the index
    values: Array
    other: Array
    won: int
    add: int
    sign: int
    mine: int
    theirs: int
    among: int  # `theirs` squeezed
    among_turned: int  # the same on the mirrored board
    fortresses: int


@kernel
def worth(mine: int, theirs: int, again: bool, book: Book) -> Any:
    """What the position after an action is worth to the side that acted, and one more.

    An action changes little, so that the squeezed set follows from that before it: squares it left come in, squares it
    went to fall out.
    """
    if mine & book.fortresses == book.fortresses:
        return word(book.won + 1)
    index = book.arrays
    n, m = popcount(mine), popcount(theirs)
    before, enemies, among = book.mine, book.theirs, book.among
    which = index[CLASS][mine]
    if which < 0:
        before, enemies, among, which = mirrored(before), mirrored(enemies), book.among_turned, ~which
        mine, theirs = mirrored(mine), mirrored(theirs)
    free = word(ALL & ~before)
    taken = without(enemies, theirs | mine)  # on its way
    while taken:
        bit = lowest(taken)
        taken = without(taken, bit)
        among = word(among ^ 1 << popcount(word(free & (bit - 1))))
    reached = without(mine, before)
    while reached:
        bit = lowest(reached)
        reached = without(reached, bit)
        free = without(free, bit)
        below = popcount(word(free & (bit - 1)))
        among = word(among >> 1 >> below << below | among & (1 << below) - 1)
    left = without(before, mine)
    while left:
        bit = lowest(left)
        left = without(left, bit)
        below = popcount(word(free & (bit - 1)))
        free = word(free | bit)
        among = word(among + (among >> below << below))
    place = word(first_of_row(which, n, m, index) + index[ORDER][among])
    if again:
        return word(1 + book.values[place])
    return word(1 + book.add + book.sign * int(book.other[len(book.other) // 2 + place]))


@kernel
def consider(tables: Array, number: int, mine: int, theirs: int, again: bool, book: Book, best: int) -> Any:  # noqa: ARG001
    """Takes the place of `kernels.keep`: a move is not listed but weighed."""
    return max(best, worth(word(mine), word(theirs), again, book))


@kernel
def best_placing(tables: Array, tips: int, mine: int, theirs: int, entrance: int, book: Book) -> Any:
    """The best of all placings after this throw: what it is worth, and one more; 0 if there is none."""
    best = word(0)
    if popcount(mine) == tables[at.PIECES]:  # UM-21
        return best
    squares = scratch(ROOM, np.int64)
    for index in range(placings(tables, 0, tips, mine, theirs, entrance, squares)):
        bit = word(1 << (squares[index] - at.PLACE))
        best = max(best, worth(word(mine | bit), without(theirs, bit), False, book))
    return best


@kernel
def best_walk(tables: Array, furthest: int, mine: int, theirs: int, entrance: int, book: Book) -> Any:
    """The best way of one piece, in the same manner."""
    goes_on = mine & tables[at.EARTH] == tables[at.EARTH]  # UM-17
    best, left = word(0), mine
    while left:
        start = lowest(left)
        left = without(left, start)
        best = walks(tables, start, without(mine, start), theirs, entrance, goes_on, furthest, book, best)
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
    among, among_turned = squeezed(theirs, ~mine), squeezed(mirrored(theirs), ~mirrored(mine))
    book = Book(index, values, other, won, add, sign, mine, theirs, among, among_turned, fortresses)
    entrance = tables[at.ENTRANCE + 1]
    one = two = three = word(0)
    for furthest in range(1, 4 if mine & heaven == heaven else 3):
        best = best_walk(tables, furthest, mine, theirs, entrance, book)
        if furthest == 1:
            one = best
        elif furthest == 2:
            two = three = pairs(tables, mine, theirs, entrance, book, best)
        else:
            three = max(two, best)
    passed = word(0)
    total = 0
    for tips in range(at.GOLD + 1):
        best = best_placing(tables, tips, mine, theirs, entrance, book)
        if tips == at.ONE:
            best = max(best, one)
        elif tips == at.MIXED:
            best = max(best, two)
        elif tips > at.MIXED:
            best = max(best, three)
        if best == 0:  # UM-19
            if passed == 0:
                passed = worth(mine, theirs, False, book)
            best = passed
        total += at.TIPS_WEIGHTS[tips] * (int(best) - 1)
    return total
