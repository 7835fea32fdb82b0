"""What networks are told of Nile: the board around the head of the river, the own rack, and who is ahead.

A river at a head goes on in the same way wherever on the board that is, so the board is told as it lies around the
head: what is learned in one place then holds in others. What the place itself is good for, with all that lies further
ahead, is learned for each head by itself. A head in the right half is told as its mirror image in the left one, with
left and right forms of tiles exchanged. Seats are counted from the one that looks.
"""

from __future__ import annotations

from typing import Any

from astragal.core.compiled import kernel, popcount
from astragal.core.fast import Array
from astragal.core.tensor import Part
from astragal.games.nile import layout as at
from astragal.games.nile.kernels_features import ahead
from astragal.games.nile.kernels_river import column_of, row_of

BEHIND, BEFORE, BESIDE = 2, 6, 4  # rows and columns around the head that are told of
DEEP, WIDE = BEHIND + 1 + BEFORE, 2 * BESIDE + 1
WINDOW = DEEP * WIDE
CORNERS_DEEP, CORNERS_WIDE = 5, 6  # corners around the head, from one row behind and two columns before it
POINTS = 8
MOST_ROWS, MOST_COLUMNS = 22, 11  # told apart, columns from the edge to the middle; further ones as the furthest
MIRRORED = (0, 1, 3, 2, 4, 6, 5, 7, 8)  # the mirror image of each kind of tile
HELD = 3  # so many tiles of a kind on the own rack are told apart
LEADS = (-300, -150, -80, -40, -20, -5, 5, 20, 40, 80, 150, 300)
MOST_LAID = 5
TEN, HUNDRED = 10.0, 100.0
SEATS = "this seat, then the others to its left"
# Where what is told of tiles begins.
TILES = 3 * WINDOW + CORNERS_DEEP * CORNERS_WIDE + POINTS + MOST_ROWS + MOST_COLUMNS + MOST_ROWS * MOST_COLUMNS * POINTS

PARTS = (
    Part("free", (DEEP, WIDE), "1 for fields around the head that are there and free, rows from the start on"),
    Part("earns", (DEEP, WIDE), "what covering them earns, by 10", -100.0, 100.0),
    Part("goal", (DEEP, WIDE), "what ending the river there earns, by 100", 0.0, 100.0),
    Part("corners", (CORNERS_DEEP, CORNERS_WIDE), "1 for corners around the head that the river has used"),
    Part("entry", (POINTS,), "1 for the point at which the river enters the head, from N clockwise"),
    Part("rows", (MOST_ROWS,), "1 for how many rows the head is away from the last"),
    Part("columns", (MOST_COLUMNS,), "1 for how many columns it is away from the nearer edge"),
    Part("head", (MOST_ROWS, MOST_COLUMNS, POINTS), "1 for these two and the point of entry together"),
    Part("rack", (at.KINDS, HELD), "1 if this seat has one, two or three tiles of a kind, or more"),
    Part("unseen", (at.KINDS,), "tiles of each kind in the bag or on other racks, by 10", 0.0, 100.0),
    Part("sizes", (at.SEATS,), f"tiles on each rack, by the size of a full one: {SEATS}", 0.0, 100.0),
    Part("leads", (len(LEADS),), f"1 if this seat is ahead by more than {LEADS}"),
    Part("behind", (at.SEATS,), f"how far others are behind this seat, by 100: {SEATS}", -100.0, 100.0),
    Part("phase", (at.DONE + 1,), "1 for what is going on: lots, dealing, a turn, refilling, over"),
    Part("mover", (at.SEATS,), f"1 for whose turn or draw it is: {SEATS}"),
    Part("laid", (MOST_LAID + 1,), "1 for how many tiles this turn has laid"),
    Part("bag", (1,), "tiles in the bag, by all there are"),
    Part("idle", (1,), "turns in a row without a tile, by 10", 0.0, 100.0),
    Part("shut", (1,), "1 if the river is shut in"),
    Part("begun", (1,), "1 if the river has begun"),
    Part("players", (at.SEATS + 1,), "1 for how many play"),
)


@kernel
def inputs(state: Array, tables: Array, seat: int, numbers: Array) -> None:
    """The table as this seat sees it."""
    for place in range(len(numbers)):
        numbers[place] = 0.0
    head = state[at.HEAD]
    mirrored = False
    if head >= 0:
        mirrored = 2 * column_of(tables, head) >= popcount(tables[at.FULL_ROW])
        around(state, tables, head, mirrored, numbers)
        heads(state, tables, head, mirrored, numbers, 3 * WINDOW + CORNERS_DEEP * CORNERS_WIDE)
    place = tiles(state, tables, seat, mirrored, numbers, TILES)
    players = tables[at.PLAYERS]
    lead = ahead(state, tables, seat)
    for step in range(len(LEADS)):
        if lead > LEADS[step]:
            numbers[place + step] = 1.0
    place += len(LEADS)
    for other in range(1, players):
        behind = state[at.SCORES + seat] - state[at.SCORES + (seat + other) % players]
        numbers[place + other] = behind / HUNDRED
    place += at.SEATS
    numbers[place + state[at.PHASE]] = 1.0
    place += at.DONE + 1
    numbers[place + (state[at.SEAT] - seat) % players] = 1.0
    place += at.SEATS
    numbers[place + min(state[at.LAID], MOST_LAID)] = 1.0
    place += MOST_LAID + 1
    numbers[place] = state[at.IN_BAG] / tables[at.TOTAL]
    numbers[place + 1] = state[at.IDLE] / TEN
    numbers[place + 2] = state[at.SHUT]
    numbers[place + 3] = 1.0 if state[at.TOP] >= 0 else 0.0
    numbers[place + 4 + players] = 1.0


@kernel
def around(state: Array, tables: Array, head: int, mirrored: bool, numbers: Array) -> None:
    """The board around the head."""
    rows, columns = tables[at.ROWS], popcount(tables[at.FULL_ROW])
    row, column = row_of(tables, head), column_of(tables, head)
    for deep in range(DEEP):
        there = row + deep - BEHIND
        if there < 0 or there >= rows:
            continue
        occupied = state[at.OCCUPIED + there]
        for wide in range(WIDE):
            beside = column + wide - BESIDE
            if beside < 0 or beside >= columns or occupied >> beside & 1:
                continue
            ground = at.GROUND + (there * (columns + 1) + beside) * at.STRIDE
            place = deep * WIDE + (WIDE - 1 - wide if mirrored else wide)
            numbers[place] = 1.0
            group = tables[ground + at.GROUP]
            if group < 0 or state[tables[at.PAID] + group] == 0:
                numbers[WINDOW + place] = tables[ground + at.COLOUR] / TEN
            numbers[2 * WINDOW + place] = tables[ground + at.GOAL] / HUNDRED
    for deep in range(CORNERS_DEEP):
        there = row + deep - 1
        for wide in range(CORNERS_WIDE):
            beside = column + wide - 2
            if 0 <= there <= rows and beside >= 0 and state[at.CORNERS + there] >> beside & 1:
                place = CORNERS_WIDE - 1 - wide if mirrored else wide
                numbers[3 * WINDOW + deep * CORNERS_WIDE + place] = 1.0


@kernel
def heads(state: Array, tables: Array, head: int, mirrored: bool, numbers: Array, place: int) -> None:
    """Where the head is, and at which point the river enters it, from `place` on."""
    rows, columns = tables[at.ROWS], popcount(tables[at.FULL_ROW])
    entry, column = state[at.ENTRY], column_of(tables, head)
    if mirrored:
        entry, column = (8 - entry) & 7, columns - 1 - column
    column = min(column, MOST_COLUMNS - 1)
    row = min(rows - 1 - row_of(tables, head), MOST_ROWS - 1)
    numbers[place + entry] = 1.0
    place += POINTS
    numbers[place + row] = 1.0
    place += MOST_ROWS
    numbers[place + column] = 1.0
    place += MOST_COLUMNS
    numbers[place + (row * MOST_COLUMNS + column) * POINTS + entry] = 1.0


@kernel
def tiles(state: Array, tables: Array, seat: int, mirrored: bool, numbers: Array, place: int) -> Any:
    """The own rack, what is unseen, and how many others have; where that ends. In lots nobody has a rack yet."""
    players, lots = tables[at.PLAYERS], state[at.PHASE] == at.LOTS
    for kind in range(at.KINDS):
        told = MIRRORED[kind] if mirrored else kind
        held = 0 if lots else state[at.RACKS + seat * at.KINDS + kind]
        for step in range(HELD):
            if held > step:
                numbers[place + told * HELD + step] = 1.0
        unseen = state[at.BAG + kind]
        for other in range(players):
            if other != seat or lots:
                unseen += state[at.RACKS + other * at.KINDS + kind]
        numbers[place + at.KINDS * HELD + told] = unseen / TEN
    place += at.KINDS * (HELD + 1)
    for other in range(players):
        if not lots:
            numbers[place + other] = state[at.SIZES + (seat + other) % players] / tables[at.RACK]
    return place + at.SEATS
