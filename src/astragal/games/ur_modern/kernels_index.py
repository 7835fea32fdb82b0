"""Numbers for all positions of the modern game in which a throw is to come, and what such a position is worth.

A position is two masks of squares: those of the side to throw and those of the other side, both as light would see them
(for dark the board is mirrored). Sets of the first are numbered, and sets of the other among the squares that are left:

    rank = BASE[group] + CLASS[mine] * CHOICES[group] + set of theirs

where the group is how many pieces each side has on the board. Where both sides enter on one square, a position and its
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

# The code of a run of positions: its first rank, and its group.
RUN_GROUP = 40
RUN_RANK = (1 << RUN_GROUP) - 1

SIDE = 3  # bits of a group for the other side's pieces; above them are those of the side to throw
GROUPS = 8 << SIDE  # that there can be, with up to seven pieces each

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
    row = first_of_row(which, popcount(mine) << SIDE | popcount(theirs), index)
    return word(row + index[ORDER][squeezed(theirs, ~mine)])


@kernel
def first_of_row(which: int, group: int, index: Any) -> Any:
    """The first rank of positions in which the set of the side to throw is of this class."""
    return word(index[BASE][word(group)] + which * index[CHOICES][word(group)])


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
def position(place: int, group: int, index: Any) -> Any:
    """The two masks of a rank in this group."""
    row = place - index[BASE][group]
    each = index[CHOICES][group]
    mine = index[MASKS][index[FIRST][group >> SIDE] + row // each]
    chosen = index[SETS][index[SETS_FIRST][group & (1 << SIDE) - 1] + row % each]
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
    mine, theirs = position(place, code >> RUN_GROUP, index)
    return place, mine, theirs


@kernel
def unrank(place: int, tables: Any, index: Any, state: Array) -> None:  # noqa: ARG001
    """The packed state of this rank, with light to throw."""
    base = index[BASE]
    group = 0
    for other in range(GROUPS):
        if base[group] < base[other] <= place:
            group = other
    mine, theirs = position(place, group, index)
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
def hopped(among: int, before: int, after: int) -> Any:
    """A squeezed set after its free squares have changed: at most one has come in, at most one has fallen out."""
    free, left, reached = without(ALL, before), without(before, after), without(after, before)
    below = popcount(word(free & (np.int64(reached) - 1)))  # all that are free, if none was reached
    among = among >> 1 >> below << below | among & (1 << below) - 1
    below = popcount(word(without(free, reached) & (np.int64(left) - 1)))
    return word((among + (among >> below << below)) & ALL)  # so limited it is a better index


@kernel
def less(among: int, mine: int, taken: int) -> Any:
    """A squeezed set less some of its squares."""
    free = without(ALL, mine)
    while taken:
        bit = lowest(taken)
        taken = without(taken, bit)
        among = word(among ^ 1 << popcount(word(free & (bit - 1))))
    return among


@kernel
def worth(mine: int, theirs: int, again: bool, passing: bool, pieces: int, book: Book) -> Any:
    """What the position after an action is worth to the side that acted, and one more.

    Since the book was made one of its pieces at most has left its square, and one square at most was reached, so that
    the squeezed set follows from that of the book. `passing` says that a piece may have taken others on its way, and
    `pieces` how many there are now.
    """
    if mine & book.fortresses == book.fortresses:
        return word(book.won + 1)
    index = book.arrays
    group = pieces << SIDE | popcount(theirs)
    before, among = book.mine, book.among
    which = index[CLASS][mine]
    taken = without(book.theirs, theirs | mine) if passing else word(0)
    if which < 0:
        before, mine, among, which = mirrored(before), mirrored(mine), book.among_turned, ~which
        taken = mirrored(taken)
    if passing:
        among = less(among, before, taken)
    place = word(first_of_row(which, group, index) + index[ORDER][hopped(among, before, mine)])
    if again:
        return word(1 + book.values[place])
    place = word(place + len(book.other) // 2)
    return word(1 + book.add + book.sign * int(book.other[place]))


@kernel
def consider(
    tables: Array,  # noqa: ARG001
    number: int,  # noqa: ARG001
    mine: int,
    theirs: int,
    again: bool,
    length: int,
    book: Book,
    best: Any,
) -> Any:
    """Takes the place of `kernels.keep`: a move is not listed but weighed, among those of the same length."""
    one, two, three = best
    found = worth(word(mine), word(theirs), again, length > 1, popcount(book.mine), book)
    if length == 1:
        one = max(one, found)
    elif length == 3:
        three = max(three, found)
    else:
        two = max(two, found)
    return one, two, three


@kernel
def went_on(mine: int, theirs: int, book: Book) -> Any:
    """Takes the place of `kernels.unchanged`: the book after the first of two pieces has moved."""
    among = hopped(book.among, book.mine, mine)
    turned = hopped(book.among_turned, mirrored(book.mine), mirrored(mine))
    return Book(
        book.arrays, book.values, book.other, book.won, book.add, book.sign, mine, theirs, among, turned,
        book.fortresses,
    )  # fmt: skip


@kernel
def best_placing(tables: Array, tips: int, mine: int, theirs: int, entrance: int, book: Book) -> Any:
    """The best of all placings after this throw: what it is worth, and one more; 0 if there is none."""
    best = word(0)
    pieces = popcount(mine)
    if pieces == tables[at.PIECES]:  # UM-21
        return best
    squares = scratch(ROOM, np.int64)
    for index in range(placings(tables, 0, tips, mine, theirs, entrance, squares)):
        bit = word(1 << (squares[index] - at.PLACE))
        best = max(best, worth(word(mine | bit), without(theirs, bit), False, False, pieces + 1, book))
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
    furthest = 3 if mine & heaven == heaven else 2
    goes_on = mine & tables[at.EARTH] == tables[at.EARTH]  # UM-17
    best, left = (word(0), word(0), word(0)), mine
    while left:
        start = lowest(left)
        left = without(left, start)
        best = walks(tables, start, without(mine, start), theirs, entrance, goes_on, furthest, book, best)
    one, two, three = pairs(tables, mine, theirs, entrance, book, best)
    two = max(one, two)
    three = max(two, three)
    passed = word(0)
    total = 0
    for tips in range(at.GOLD + 1):
        most = best_placing(tables, tips, mine, theirs, entrance, book)
        if tips == at.ONE:
            most = max(most, one)
        elif tips == at.MIXED:
            most = max(most, two)
        elif tips > at.MIXED:
            most = max(most, three)
        if most == 0:  # UM-19
            if passed == 0:
                passed = worth(mine, theirs, False, False, popcount(mine), book)
            most = passed
        total += at.TIPS_WEIGHTS[tips] * (int(most) - 1)
    return total
