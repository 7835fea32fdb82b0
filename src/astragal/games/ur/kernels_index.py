"""Numbers for all positions of Ur in which a throw is to come, and what such a position is worth.

A position is two masks of steps, one for the side to throw and one for the other, and how many pieces each side has
left (not home). Squares that both sides walk are the lane; all others are private. With `left` pieces each, a block of
positions is cut into groups by how many pieces of each side are on the lane (i, j), then by the private squares of the
one side (a) and of the other (b), and within a group the lane patterns are numbered:

    rank = BASE[left, other, i, j] + (a * FITS[other - j] + b) * LANES[i, j] + lane pattern

Private squares are sorted by the number of pieces on them, so that those that fit are the first FITS of them.

A side's squares are kept as a `word` besides its mask: 16 bits for the private squares, 16 for the lane as that side
numbers it, 16 for the lane as the other side does. A move exchanges two bits in each, see WORDS.
"""

from __future__ import annotations

from typing import Any

from astragal.core.compiled import kernel, lowest_bit, popcount
from astragal.core.fast import Array
from astragal.games.ur import layout as at
from astragal.games.ur.kernels import across, movable

FIELD = 0xFFFF  # a field of a word
OWN_LANE, SEEN_LANE = 16, 32  # where the fields for the lane begin

# Places in the tuple of an index.
RULES, WORDS, BASE, FITS, PRIVATE, LANES, CHOICES, ORDER, SQUEEZE, HALF, WALK, CLASSES, SQUARES = range(13)

# The code of a run of positions, see `index.waves`: fields of 16 bits.
RUN_B, RUN_CLASS, RUN_LEFT, RUN_OTHER = 16, 32, 48, 52


@kernel
def word_of(mask: int, words: Array) -> int:
    """The word of a side's squares."""
    word = 0
    while mask:
        word ^= words[lowest_bit(mask)]
        mask &= mask - 1
    return int(word)


@kernel
def number(word: int, other: int, left: int, left_other: int, index: Any) -> Any:
    """The rank of a position, from the words of the side to throw and the other side."""
    x, y = word >> OWN_LANE & FIELD, other >> SEEN_LANE & FIELD
    i, j = popcount(x), popcount(y)
    half = index[HALF][0]
    low = (1 << half) - 1
    nearer = x & low
    pressed = index[SQUEEZE][nearer << half | y & low] | (
        index[SQUEEZE][(x >> half) << half | y >> half] << (half - popcount(nearer))
    )
    pattern = index[ORDER][x] * index[CHOICES][i, j] + index[ORDER][pressed]
    row = index[PRIVATE][word & FIELD] * index[FITS][left_other - j] + index[PRIVATE][other & FIELD]
    return index[BASE][left, left_other, i, j] + row * index[LANES][i, j] + pattern


@kernel
def rank(state: Array, tables: Any, index: Any) -> Any:  # noqa: ARG001
    """The rank of a packed state in which a throw is to come."""
    seat = state[at.SEAT]
    mine, theirs = state[at.ON + seat], state[at.ON + 1 - seat]
    left, other = popcount(mine) + state[at.POOL + seat], popcount(theirs) + state[at.POOL + 1 - seat]
    words = index[WORDS]
    return number(word_of(mine, words), word_of(theirs, words), left, other, index)


@kernel
def visit(code: int, k: int, index: Any) -> Any:
    """The k-th position of a run: its rank and its two masks."""
    a, b = code & FIELD, code >> RUN_B & FIELD
    classes = index[CLASSES]
    which = code >> RUN_CLASS & FIELD
    left, other = code >> RUN_LEFT & 15, code >> RUN_OTHER & 15
    first, i, j = classes[which, 0], classes[which, 2], classes[which, 3]
    pattern, mine, theirs = index[WALK][first + k, 0], index[WALK][first + k, 1], index[WALK][first + k, 2]
    row = a * index[FITS][other - j] + b
    place = index[BASE][left, other, i, j] + row * index[LANES][i, j] + pattern
    return place, mine | index[SQUARES][a], theirs | index[SQUARES][b]


@kernel
def backup(
    code: int, mine: int, theirs: int, index: Any, values: Array, other: Array, won: int, add: int, sign: int
) -> Any:
    """The sum over all throws of their weights by what the best move after them is worth.

    A win is worth `won`; where the same side throws again the next position is worth `values`, where the other side
    throws `add + sign * other`.
    """
    rules, words = index[RULES], index[WORDS]
    left, left_other = code >> RUN_LEFT & 15, code >> RUN_OTHER & 15
    word, word_other = word_of(mine, words), word_of(theirs, words)
    seen = across(theirs, rules)
    home = rules[at.HOME]
    pieces = mine | (popcount(mine) < left)  # bit 0: the pool
    safe = seen & rules[at.SAFE]
    total = 0
    passing = 0
    for pips in range(at.PIPS):
        weight = rules[at.DICE + pips]
        if weight == 0:
            continue
        starts = movable(pieces, safe, rules[at.SHUT], pips)
        if starts == 0:
            passing += weight
            continue
        best = -1
        while starts:
            start = lowest_bit(starts)
            starts &= starts - 1
            end = start + pips
            target = 1 << end
            moved = word ^ words[start] ^ words[end]
            if end == home:
                if left == 1:
                    worth = won
                else:
                    worth = add + sign * int(other[number(word_other, moved, left_other, left - 1, index)])
            else:
                taken = seen & target
                beaten = word_other ^ words[lowest_bit(rules[at.MET + end])] if taken else word_other
                if target & rules[at.AGAIN] or taken & rules[at.TAKING]:
                    worth = int(values[number(moved, beaten, left, left_other, index)])
                else:
                    worth = add + sign * int(other[number(beaten, moved, left_other, left, index)])
            best = max(best, worth)
        total += weight * best
    if passing:
        total += passing * (add + sign * int(other[number(word_other, word, left_other, left, index)]))
    return total


@kernel
def unrank(place: int, tables: Any, index: Any, state: Array) -> None:  # noqa: ARG001
    """The packed state of this rank, with light to throw."""
    base, fits, lanes = index[BASE], index[FITS], index[LANES]
    most = base.shape[0] - 1
    found = -1
    left = other = i = j = 0
    for one in range(1, most + 1):  # the group with the highest base that is not above the rank
        for two in range(1, most + 1):
            for own in range(base.shape[2]):
                for foe in range(base.shape[3]):
                    if found < base[one, two, own, foe] <= place:
                        found = base[one, two, own, foe]
                        left, other, i, j = one, two, own, foe
    row = (place - found) // lanes[i, j]
    pattern = (place - found) % lanes[i, j]
    a, b = row // fits[other - j], row % fits[other - j]
    mine = theirs = 0
    for which in range(len(index[CLASSES])):
        if index[CLASSES][which, 2] == i and index[CLASSES][which, 3] == j:
            first = index[CLASSES][which, 0]
            for k in range(index[CLASSES][which, 1]):
                if index[WALK][first + k, 0] == pattern:
                    mine, theirs = index[WALK][first + k, 1], index[WALK][first + k, 2]
    mine |= index[SQUARES][a]
    theirs |= index[SQUARES][b]
    state[at.ON], state[at.ON + 1] = mine, theirs
    state[at.POOL], state[at.POOL + 1] = left - popcount(mine), other - popcount(theirs)
    state[at.SEAT], state[at.THROWN], state[at.OPENING], state[at.WINNER] = 0, -1, 0, -1
