"""Games played by a table, as a template: both sides perfectly, or one of them by a rule of thumb."""

from __future__ import annotations

from typing import Any, NamedTuple

from astragal.core.compiled import Slot, kernel
from astragal.core.fast import Array, below, chance, copy, legal, returns, step, turn, weighted
from astragal.core.types import CHANCE, OVER

rank, score = Slot("rank"), Slot("score")

NOBODY = -1
BINS = 64  # of the histogram of gaps, each so many parts of `most`
LIKED = 20  # where the bits begin that say how much a rule of thumb likes an action, above those of its worth


class Book(NamedTuple):
    """What a game is played by, and where it is worked in."""

    tables: Array  # of the game
    arrays: Any  # of the index
    values: Array
    most: int  # the highest value
    seat_at: int  # where a state has its seat
    state: Array
    after: Array
    numbers: Array
    weights: Array
    shares: Array
    rng: Array
    gaps: Array  # how many decisions had this gap between the best and the second-best action, in 1 / BINS of 10 points
    near: int  # actions that are worth no less than this below the best are equal to it: one of them is drawn


# Columns of the results of a game.
THROWS, DECISIONS, UNIQUE, GAP, APPLIES, ERRS, LOST, SHARE, ENDED = range(9)
COLUMNS = 9


@kernel
def worth_of(after: Array, seat: int, book: Book) -> int:
    """What a position is worth to a seat, as a part of `most`."""
    if turn(after, book.tables) == OVER:
        returns(after, book.tables, book.shares)
        return int(book.shares[seat] * book.most + 0.5)
    value = int(book.values[rank(after, book.tables, book.arrays)])
    return value if after[book.seat_at] == seat else book.most - value


@kernel
def drawn(count: int, top: int, book: Book) -> int:
    """The place of one of the actions that are as good as the best, by what was noted of each in `weights`."""
    equal = chosen = 0
    for place in range(count):
        if book.weights[place] >= top - book.near:
            equal += 1
            if below(book.rng, equal) == 0:
                chosen = place
    return chosen


@kernel
def decide(seat: int, rule: int, count: int, book: Book, found: Array) -> int:
    """The action that is taken; `rule` is NOBODY for the best one, and else that of a rule of thumb."""
    best = second = top = -1
    for place in range(count):
        copy(book.state, book.after)
        step(book.after, book.tables, book.numbers[place])
        worth = worth_of(book.after, seat, book)
        if worth > best:
            best, second = worth, best
        elif worth > second:
            second = worth
        liked = 0
        if rule >= 0:
            liked = score(rule, book.state, int(book.numbers[place]), book.after, book.tables)
        book.weights[place] = liked << LIKED | worth
        top = max(top, int(book.weights[place]))
    chosen = drawn(count, top, book)
    wanted = book.weights[chosen] & (1 << LIKED) - 1
    found[DECISIONS] += 1
    gap = best - second
    found[UNIQUE] += gap > 1  # one is rounding
    found[GAP] += gap / book.most
    book.gaps[min(BINS - 1, gap * 10 * BINS // book.most)] += 1
    found[APPLIES] += top >> LIKED > 0
    found[ERRS] += best - wanted > max(1, book.near)
    found[LOST] += (best - wanted) / book.most
    return chosen


@kernel
def game(first: Array, rule: int, thumb_seat: int, most_plies: int, book: Book, found: Array) -> None:
    """Plays one game. What is found of decisions is of all of them, or of the seat with the rule of thumb."""
    copy(first, book.state)
    state, tables = book.state, book.tables
    for _ in range(most_plies):
        seat = turn(state, tables)
        if seat == OVER:
            returns(state, tables, book.shares)
            found[SHARE] = book.shares[max(thumb_seat, 0)]
            found[ENDED] = 1
            return
        if seat == CHANCE:
            count = chance(state, tables, book.numbers, book.weights)
            number = book.numbers[weighted(book.rng, book.weights, count)]
            found[THROWS] += 1
        else:
            count = legal(state, tables, book.numbers)
            place = 0
            if count > 1:
                if seat == thumb_seat:
                    place = decide(seat, rule, count, book, found)
                elif thumb_seat >= 0:
                    place = best_of(seat, count, book)
                else:
                    place = decide(seat, NOBODY, count, book, found)
            number = book.numbers[place]
        step(state, tables, number)
    found[SHARE] = 0.5


@kernel
def best_of(seat: int, count: int, book: Book) -> int:
    """The place of the best action, or of one of those."""
    top = -1
    for place in range(count):
        copy(book.state, book.after)
        step(book.after, book.tables, book.numbers[place])
        book.weights[place] = worth_of(book.after, seat, book)
        top = max(top, int(book.weights[place]))
    return drawn(count, top, book)


@kernel
def games(first: Array, rule: int, thumb_seat: int, most_plies: int, book: Book, found: Array) -> None:
    """One game for each row of `found`. If a seat has the rule of thumb, it changes sides after every game."""
    for row in range(found.shape[0]):
        seat = thumb_seat if thumb_seat < 0 else (thumb_seat + row) % 2
        game(first, rule, seat, most_plies, book, found[row])
