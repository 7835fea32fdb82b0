"""How a position of the modern game is packed for the kernels, and what its actions are numbered.

A packed state is five int64: light's and dark's pieces as masks (bit n is `board.SQUARES[n]`), and what is named below.
What UM-20 remembers of each side limits only claims, which are not done by kernels, so it is left out.

Decisions have these numbers, the same under all options:

    PASS
    PLACE + square      a piece is placed
    MOVE + code         a move; the code has four fields of five bits and then the bit TWO. The first two fields are the
                        start and the end of a hop. Without TWO the others are the squares of what it takes on its way,
                        each plus one, 0 for none. With TWO they are the start and the end of the second hop.

Outcomes of chance: LOTS + seat, THROW + tips in the order of `actions.THROWS`.
"""

from __future__ import annotations

# A packed state, after the two masks
SEAT = 2  # whose throw or action it is; -1 while lots are still to be drawn
TIPS = 3  # -1 while the dice are still to fall
DRAWN = 4  # whether a draw was claimed

SQUARES = 20

# Decisions
PASS = 0
PLACE = 1
MOVE = PLACE + SQUARES
END, THIRD, FOURTH, TWO = 5, 10, 15, 20  # where the fields of a move's code begin
ACTIONS = MOVE + (2 << TWO)

# Outcomes
LOTS = 0
THROW = 2
OUTCOMES = 7

BLANK, ONE, MIXED, SILVER, GOLD = range(5)
TIPS_WEIGHTS = (4, 8, 2, 1, 1)  # UM-1

# The tables: masks of squares and numbers, then some lists.
PIECES = 0
CAPTURES = 1  # whether placing captures
MOST = 2  # no position has more actions
EARTH, HEAVEN, FORTRESSES, ISHTAR = 3, 4, 5, 6
ENTRANCE = 7  # one for each side
NEIGHBOURS = 9  # for each square a mask
SPECIALS = NEIGHBOURS + SQUARES  # for each throw three squares on which it may place (UM-8), SQUARES for nowhere
SPREAD = SPECIALS + 3 * 5  # for each set of squares in the lower half of the board, then in the upper, all neighbours
HALF = 10  # squares in a half
RINGS = SPREAD + (2 << HALF)  # for each fortress its mask, its steps from each side's pool, and what is within n steps
RING = 3 + SQUARES
TABLES = RINGS + 4 * RING

# The table of results in which `legal` notices what it has already: heads of chains, then two words for each action.
HEADS = 256
