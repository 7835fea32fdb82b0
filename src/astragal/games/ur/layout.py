"""How a position of Ur is packed for the kernels, and what its actions are numbered.

A packed state is eight int64 at the places below. Steps are bits: bit s of a side's mask is a piece on step s of that
side's own way. What is on no mask and in no pool is home.

Decisions have the numbers 0 to 40, which move the piece on that step (0 brings one in; the throw says where to), and
PASS. Outcomes of chance are the pips of the throw.

The tables are one array for both sides, since boards are their own mirror image.
"""

from __future__ import annotations

# A packed state; masks and pools are followed by those of dark.
ON = 0  # light's mask
POOL = 2
SEAT = 4  # whose throw or move it is
THROWN = 5  # -1 before the throw
OPENING = 6  # throws for the right to begin: 1 nobody has thrown yet, 2 + pips after light's throw, 0 otherwise
WINNER = 7  # -1 before the end

PASS = 41
ACTIONS = 42
PIPS = 5  # a throw shows 0 to 4

# The tables. The masks are sets of steps.
HOME = 0  # the step beyond the board
BOARD = 1
SHUT = 2  # where no move can end
AGAIN = 3  # what gives another throw
SAFE = 4  # where pieces on squares of both sides are safe
TAKING = 5  # -1 if a capture gives another throw, else 0
PAST = 6  # what lies beyond all squares of both sides
FACES = 7  # sixteen equally likely falls of the dice
FALLS = 16
DICE = FACES + FALLS  # the weight of each throw
MET = DICE + PIPS  # for each step its square as a bit of the other side's way, 0 where only one side walks
