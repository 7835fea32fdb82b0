"""What a seat may know of Nile, as numbers: the table, its own rack, and how many hidden tiles of each kind there are.

Seats are counted from the one that looks: itself, then the others to its left; places of missing seats stay 0.
"""

from __future__ import annotations

from typing import Any

from astragal.core.compiled import kernel, popcount
from astragal.core.fast import Array
from astragal.core.tensor import Part
from astragal.games.nile import layout as at
from astragal.games.nile.board import grid
from astragal.games.nile.options import Options

POINTS = 8
UNIVERSAL, HEAD, EARNS, GOAL, PLANES = range(POINTS, POINTS + 5)
PHASES = at.DONE + 1
TEN, HUNDRED = 10.0, 100.0


def observation(tables: Array, options: Options) -> tuple[Part, ...]:
    """What `observe` fills in, in its order."""
    board = grid(options.board)
    seats = "this seat, then the others to its left"
    return (
        Part(
            "board",
            (PLANES, board.rows, board.columns),
            "eight planes with 1 where the river uses that point of a field (N, NE, E, SE, S, SW, W, NW), one with 1"
            " where a universal lies, one with 1 at the field it enters next, one with what a field earns, by 10, and"
            " one with what ending there earns, by 10; rows from the start on",
            -100.0,
            100.0,
        ),
        Part("phase", (PHASES,), "1 for what is going on: lots, dealing, a turn, refilling, over"),
        Part("mover", (at.SEATS,), f"1 for whose turn or draw it is: {seats}; none once the game is over"),
        Part("first", (at.SEATS,), f"1 for who opens the river: {seats}; none during lots and once it has begun"),
        Part("entry", (POINTS,), "1 for the point at which the river enters the next field, from N clockwise"),
        Part("rack", (at.KINDS,), "this seat's tiles of each kind, by the size of a rack", 0.0, 100.0),
        Part("unseen", (at.KINDS,), "tiles of each kind in the bag or on other racks, by 10", 0.0, 100.0),
        Part("lots", (at.SEATS, at.KINDS), f"tiles drawn openly in this round of lots, by 10: {seats}", 0.0, 100.0),
        Part("sizes", (at.SEATS,), f"tiles on each rack, by the size of a full one: {seats}", 0.0, 100.0),
        Part("scores", (at.SEATS,), f"points on the sheet, by 100: {seats}", -1000.0, 1000.0),
        Part("gone", (at.SEATS,), f"1 for seats that gave up: {seats}"),
        Part("rivals", (at.SEATS,), f"1 for seats that still draw lots: {seats}"),
        Part("waited", (at.SEATS,), f"1 for seats that could not open the river: {seats}"),
        Part("bag", (1,), "tiles in the bag, by all there are"),
        Part("turn", (2,), "tiles laid in this turn, by 10, and what they score, by 100", -1000.0, 1000.0),
        Part("idle", (1,), "turns in a row without a tile, by 10", 0.0, 100.0),
        Part("shut", (1,), "1 if the river is shut in"),
        Part("paid", (int(tables[at.GROUPS]),), "1 for each U-group that this turn has paid for"),
    )


@kernel
def observe(state: Array, tables: Array, seat: int, numbers: Array) -> None:
    """The table as this seat sees it."""
    for place in range(len(numbers)):
        numbers[place] = 0.0
    phase, players = state[at.PHASE], tables[at.PLAYERS]
    place = board(state, tables, numbers)
    numbers[place + phase] = 1.0
    place += PHASES
    if phase != at.DONE:
        numbers[place + (state[at.SEAT] - seat) % players] = 1.0
    place += at.SEATS
    if phase != at.LOTS and state[at.TOP] < 0:
        numbers[place + (state[at.FIRST] - seat) % players] = 1.0
    place += at.SEATS
    if state[at.HEAD] >= 0:
        numbers[place + state[at.ENTRY]] = 1.0
    place = hidden(state, tables, seat, numbers, place + POINTS)
    for other in range(players):
        who = (seat + other) % players
        if phase != at.LOTS:
            numbers[place + other] = state[at.SIZES + who] / tables[at.RACK]
        numbers[place + at.SEATS + other] = state[at.SCORES + who] / HUNDRED
        numbers[place + 2 * at.SEATS + other] = state[at.GONE] >> who & 1
        numbers[place + 3 * at.SEATS + other] = state[at.RIVALS] >> who & 1
        numbers[place + 4 * at.SEATS + other] = state[at.WAITED] >> who & 1
    place += 5 * at.SEATS
    numbers[place] = state[at.IN_BAG] / tables[at.TOTAL]
    numbers[place + 1] = state[at.LAID] / TEN
    numbers[place + 2] = state[at.PENDING] / HUNDRED
    numbers[place + 3] = state[at.IDLE] / TEN
    numbers[place + 4] = state[at.SHUT]
    for group in range(tables[at.GROUPS]):
        numbers[place + 5 + group] = state[tables[at.PAID] + group]


@kernel
def board(state: Array, tables: Array, numbers: Array) -> Any:
    """The planes; where they end."""
    rows, columns = tables[at.ROWS], popcount(tables[at.FULL_ROW])
    plane = rows * columns
    for row in range(rows):
        for column in range(columns):
            field, spot = row * (columns + 1) + column, row * columns + column
            lies = state[at.FIELDS + field]
            if lies:  # most fields are empty
                for point in range(POINTS):
                    numbers[point * plane + spot] = lies >> (4 + point) & 1
                numbers[UNIVERSAL * plane + spot] = 1.0 if (lies & 15) - 1 == at.UNI else 0.0
            numbers[HEAD * plane + spot] = 1.0 if state[at.HEAD] == field else 0.0
            ground = at.GROUND + field * at.STRIDE
            numbers[EARNS * plane + spot] = tables[ground + at.COLOUR] / TEN
            numbers[GOAL * plane + spot] = tables[ground + at.GOAL] / TEN
    return PLANES * plane


@kernel
def hidden(state: Array, tables: Array, seat: int, numbers: Array, place: int) -> Any:
    """Tiles: the own rack, those that are unseen, and those drawn openly for lots; where they end.

    Of the bag and the other racks only the sum is told, as a view has it. While lots are drawn all racks lie open.
    """
    players = tables[at.PLAYERS]
    for kind in range(at.KINDS):
        unseen = state[at.BAG + kind]
        for other in range(players):
            held = state[at.RACKS + (seat + other) % players * at.KINDS + kind]
            if state[at.PHASE] == at.LOTS:
                numbers[place + (2 + other) * at.KINDS + kind] = held / TEN
            elif other == 0:
                numbers[place + kind] = held / tables[at.RACK]
            else:
                unseen += held
        numbers[place + at.KINDS + kind] = unseen / TEN
    return place + (2 + at.SEATS) * at.KINDS
