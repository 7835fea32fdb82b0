"""What networks are told of Nile: the board around the head of the river, and what a seat knows of the tiles.

A head in the right half of the board is told as its mirror image.
"""

from __future__ import annotations

from random import Random
from typing import Any

import numpy as np
import pytest

import astragal
from astragal.core import tensor
from astragal.core.types import CHANCE, OVER
from astragal.games.nile import layout as at
from astragal.games.nile.board import Grid, grid
from astragal.games.nile.course import course
from astragal.games.nile.fast import earned
from astragal.games.nile.tiles import KINDS

GAME = astragal.game("nile")
RULES = GAME.rules


def positions(preset: str, count: int) -> Any:
    """Positions of random games of three, with the game in its compiled form."""
    options = RULES.presets[preset]
    assert GAME.fast is not None
    fast, rng, state = GAME.fast(options, 3), Random(2), RULES.initial(options, 3)
    for _ in range(count):
        if RULES.turn(state) == OVER:
            state = RULES.initial(options, 3)
        yield fast, state
        chances = RULES.chance(state) if RULES.turn(state) == CHANCE else [(one, 1) for one in RULES.legal(state)]
        actions, weights = zip(*chances, strict=True)
        state = RULES.apply(state, rng.choices(actions, weights)[0])


@pytest.mark.parametrize("preset", ["nile", "quick", "first"])
def test_the_board_lies_around_the_head(preset: str) -> None:
    met = 0
    for fast, state in positions(preset, 600):
        ground, river = grid(state.options.board), course(state.options.board, state.river)
        if river.head < 0 or state.laid:
            continue
        told = tensor.cut(fast.told, fast.inputs(fast.pack(state), 1))
        head = ground.fields[river.head]
        free, earns, goal = np.zeros((9, 9)), np.zeros((9, 9)), np.zeros((9, 9))
        for number, field in ground.fields.items():
            deep, wide = field.row - head.row + 2, field.column - head.column + 4
            if number not in river.tiles and 0 <= deep < 9 and 0 <= wide < 9:
                free[deep, wide] = 1
                earns[deep, wide] = earned(ground, number) / 10
                goal[deep, wide] = field.number / 100 if field.colour == "blue" else 0
        entry, column = river.entry, head.column
        if on_the_right(ground, head.column):
            free, earns, goal = (np.fliplr(one) for one in (free, earns, goal))
            entry, column = -river.entry % 8, ground.columns - 1 - head.column
        assert (told["free"] == free).all()
        assert told["earns"] == pytest.approx(earns)
        assert told["goal"] == pytest.approx(goal)
        assert told["entry"].tolist() == [float(point == entry) for point in range(8)]
        assert told["rows"].argmax() == ground.rows - 1 - head.row
        assert told["columns"].argmax() == column
        assert told["head"][ground.rows - 1 - head.row, column, entry] == told["head"].sum() == 1
        met += bool(state.river)
    assert met > 100


def on_the_right(ground: Grid, column: int) -> bool:
    return 2 * column > ground.columns - 1


def mirror_image(fast: Any, packed: Any) -> Any:
    """The same position on a board that is the same from both sides; what this turn has paid for is left out."""
    columns = grid(fast.options.board).columns
    image = packed.copy()
    for row in range(at.MOST_ROWS):
        occupied, corners = int(packed[at.OCCUPIED + row]), int(packed[at.CORNERS + row])
        image[at.OCCUPIED + row] = sum(1 << columns - 1 - bit for bit in range(columns) if occupied >> bit & 1)
        image[at.CORNERS + row] = sum(1 << columns - bit for bit in range(columns + 1) if corners >> bit & 1)
    row, column = divmod(int(packed[at.HEAD]), columns + 1)
    image[at.HEAD], image[at.ENTRY] = row * (columns + 1) + columns - 1 - column, -packed[at.ENTRY] % 8
    for begin in (at.BAG, *(at.RACKS + seat * at.KINDS for seat in range(3))):
        image[begin : begin + at.KINDS] = packed[[begin + mirrored(place) for place in range(at.KINDS)]]
    return image


def mirrored(place: int) -> int:
    """The place of the kind that a tile of this kind is in a mirror."""
    kind = KINDS[place]
    other = kind.replace("left", "right") if "left" in kind else kind.replace("right", "left")
    return [*KINDS].index(other)  # type: ignore[arg-type]


def test_both_halves_of_the_board_are_told_as_one() -> None:
    met = 0
    for fast, state in positions("nile", 2000):
        ground, packed = grid(state.options.board), fast.pack(state)
        head = packed[at.HEAD]
        if head < 0 or state.laid or 2 * ground.fields[int(head)].column == ground.columns - 1:
            continue
        for seat in range(3):
            assert (fast.inputs(packed, seat) == fast.inputs(mirror_image(fast, packed), seat)).all()
        met += bool(state.river)
    assert met > 200


def test_of_the_tiles_a_seat_is_told_its_own_and_how_many_are_unseen() -> None:
    for fast, state in positions("nile", 400):
        if state.phase == "lots":
            continue
        for seat in range(3):
            told = tensor.cut(fast.told, fast.inputs(fast.pack(state), seat))
            head = course(state.options.board, state.river).head
            ground = grid(state.options.board)
            turned = head >= 0 and on_the_right(ground, ground.fields[head].column)
            racks = [rack for other, rack in enumerate(state.racks) if other != seat]
            for place, kind in enumerate(KINDS):
                held = state.racks[seat].count(kind)
                here = mirrored(place) if turned else place
                assert told["rack"][here].tolist() == [float(held > step) for step in range(3)]
                unseen = state.bag[place] + sum(rack.count(kind) for rack in racks)
                assert told["unseen"][here] == pytest.approx(unseen / 10)
