"""How a position of Nile is packed for the kernels, and what its actions are numbered.

A packed state is an array of int64: the header, the racks, the rows of the board, its fields, and the U-groups.

- The header has one word for each name below. While lots are drawn, a rack is what its seat drew in this round.
- OCCUPIED: for each row a set of columns (bit 0 is A) that lie under a tile. CORNERS: likewise the used corners, of
  which row r holds those that begin the fields of row r.
- FIELDS: for each field of `board.Grid` 0, or the kind that lies there + 1 with the points its lines use from bit 4.
- Then a word for each U-group: whether this turn has paid for it. They begin at the place that the tables have at PAID.

How the river and the scores came about is left out, and so is who began, once the river has.

Decisions have these numbers: from LAY on a tile is laid (16 for each kind: twice the exit, and 1 more for a crossing),
then STOP and PASS. Outcomes of chance are the kinds of the tile that is drawn.

The tables are one array of int64 too, since taking one out of a tuple costs as much as the work: a word for each
name of the setup below; from VALUES and COUNTS on a word for each kind; from WAYS for each entry the seven exits in the
order of the kinds that lead there, and from JOINS for each entry and exit the kind that joins them; from GROUND 16
words for each field: what lies beyond its eight points, then those named below.
"""

from __future__ import annotations

KINDS = 9
UNI = 8  # the universal's place among the kinds
SEATS = 4
MOST_ROWS = 40

LAY = 0
STOP = LAY + KINDS * 16
PASS = STOP + 1
ACTIONS = PASS + 1
MOST = 30  # 7 exits with their kinds and 7 with a universal, each also as a crossing, and a stop

# The header
PHASE = 0
SEAT = 1  # whose turn it is, or who draws
FIRST = 2  # who opens, or tries to; 0 once the river has begun
LAID = 3  # tiles that this turn has laid
PENDING = 4  # what they score, without the bonus
IDLE = 5  # turns in a row without a tile
GONE = 6  # a bit for each seat that gave up
RIVALS = 7  # a bit for each seat that still draws lots
WAITED = 8  # a bit for each seat that could not open the river; 0 once it has begun
HEAD = 9  # the field that the river enters next, -1 at its end
ENTRY = 10  # the point at which it does
TOP = 11  # the highest row with a tile, -1 for none
SHUT = 12  # whether the river is shut in
IN_BAG = 13
BAG = 14
SCORES = BAG + KINDS
SIZES = SCORES + SEATS
RACKS = SIZES + SEATS
OCCUPIED = RACKS + SEATS * KINDS
CORNERS = OCCUPIED + MOST_ROWS
FIELDS = CORNERS + MOST_ROWS + 1

LOTS, DEAL, TURN, REFILL, DONE = range(5)  # phases

# The setup
PLAYERS, ROWS, FULL_ROW, START, RACK, BONUS, ENCIRCLE, SAME_TURN, PAID, GROUPS, TOTAL = range(11)

# A field
STRIDE = 16
ROW, COLUMN, COLOUR, GROUP, GOAL, REACH, LIKELY = range(8, 15)
# COLOUR: what the field earns. GOAL: what ending there earns, 0 off the blue row. REACH, LIKELY: see `fast.reach`

EXITS = 7
VALUES = 16
COUNTS = VALUES + KINDS
WAYS = COUNTS + KINDS
JOINS = WAYS + 64
GROUND = JOINS + 64

N, NE, E, SE, S, SW, W, NW = range(8)
