"""How a position of EGAR is packed for the kernels, and what its actions are numbered.

A packed state is an array of int16. Whatever does not matter in a phase is 0 there, so that equal positions are equal
arrays. What is seen of an open card is left out: which option is right is all that the rules need.

- 0 to 239: the board, 15 rows of 16 squares with a rim around it. Square A1 is 17, one row up is 16 more. -1 is no
  square, 0 a free one, seat + 1 a soldier of that seat. Squares have these numbers everywhere below.
- PHASE to SEALED: one number each, see there.
- COUNT: how many soldiers each of four seats has. ARMY: eight places a seat, its soldiers' squares in ascending order.
- LAID: how many cards of each level are laid aside. USED: which, eight of them in a number, level by level.

Decisions have these numbers:

- STEP + 4 * square + way: a soldier goes up, right, down or left.
- ATTACK + 4 * target + side: the soldier below, left, right or above the target is at risk.
- TAKE + square, DONE, ASK + level, CHOOSE + option, GIVE_UP.

Outcomes of chance:

- BEGINS + seat, ROLL + 6 * (low - 1) + high - 1, ORDER + place in `actions.ORDERS`, KNOW + 0 (right) or 1 (wrong),
  DRAW + card.

The tables are one array of int64, see PLAYERS and below; `fast` makes it.
"""

from __future__ import annotations

ROW = 16
SQUARES = 15 * ROW
MOST_SOLDIERS = 8
SEATS = 4

# Places in a packed state.
PHASE = SQUARES
MOVER = PHASE + 1
POINTS = PHASE + 2
TURNS = PHASE + 3  # the lower 15 bits, where turns are limited
TURNS_HIGH = PHASE + 4  # and those above
TARGET = PHASE + 5  # a fight, as in `state.Fight`
RISK = PHASE + 6
DICE = PHASE + 7
THROWN = PHASE + 8
BEST = PHASE + 9
ASKED = PHASE + 10  # a question, as in `state.Question`; this is the seat
LEVEL = PHASE + 11  # level + 1
RIGHT = PHASE + 12  # the right option + 1, if there is one
WON = PHASE + 13  # a bit for each seat that shares the win
SEALED = PHASE + 14  # 1 where the deck has only blank cards
COUNT = PHASE + 15
ARMY = COUNT + SEATS
LAID = ARMY + SEATS * MOST_SOLDIERS
USED = LAID + 3

# Phases, in the order of `state.Phase`.
LOTS, ROLLING, MOVE, ATTACKING, FIGHT, LEVELLING, CARDS, ORDERING, ANSWER, PICK, ENDED = range(11)

# Decisions
STEP = 0
ATTACK = STEP + 4 * 256
TAKE = ATTACK + 4 * 256
DONE = TAKE + 256
ASK = DONE + 1
CHOOSE = ASK + 3
GIVE_UP = CHOOSE + 4
ACTIONS = GIVE_UP + 1

# Outcomes
BEGINS = 0
ROLL = BEGINS + SEATS
ORDER = ROLL + 36
KNOW = ORDER + 24
DRAW = KNOW + 2

WAYS = (ROW, 1, -ROW, -1)  # up, right, down, left: the order of `board.Ground.near`
SIDES = (-ROW, -1, 1, ROW)  # ascending, as attacks are ordered

# Places in the tables.
PLAYERS = 0
OWN_FLAG_OPEN = 1
FLAGS_REMOVED = 2
OPEN_ANSWERS = 3
TURN_LIMIT = 4
LEVELS = 5  # how many may be asked
FLAG = 6  # each seat's flag
ALLOWED = FLAG + SEATS  # the levels that may be asked
SIZE = ALLOWED + 3  # cards of each level
WORDS = SIZE + 3  # where each level begins in USED
KINDS = WORDS + 3  # where each level begins in CARDS_FROM
SKILL = KINDS + 3  # percentages of right answers, three a seat; -1 where it answers itself
WRONG = SKILL + 3 * SEATS  # how likely wrong answers are held to be, three a seat; in units of PART
WINS = WRONG + 3 * SEATS  # the attackers' chance by dice, thrown and best, 5 by 5 by 7; in units of PART
BOARD = WINS + 5 * 5 * 7  # a bit for every square there is, in four words
SIDE = BOARD + 4  # of the board, in squares
TURNED = SIDE + 1  # by how many quarters each seat turns the board to sit where the first does; -1 where none fits
CARDS_FROM = TURNED + SEATS  # for every card the right option + 1 if its options are numbers, else 0
PART = 2.0**-50  # so that 1, 0.5 and the like are exact

PIPS = 6
BLANK_ORDERS = (0, 6, 8, 9)  # those orders in which the wrong options keep their own
# Where each order has the right one.
FIRST_OPTION = (0, 0, 0, 0, 0, 0, 1, 1, 2, 3, 2, 3, 1, 1, 2, 3, 2, 3, 1, 1, 2, 3, 2, 3)
