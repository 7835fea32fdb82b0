"""What networks are told of Nile: the board around the head of the river, and what a seat knows of the tiles."""

from __future__ import annotations

from random import Random
from typing import Any

import numpy as np
import pytest

import astragal
from astragal.core import tensor
from astragal.core.types import CHANCE, OVER
from astragal.games.nile.board import grid
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
        assert (told["free"] == free).all()
        assert told["earns"] == pytest.approx(earns)
        assert told["goal"] == pytest.approx(goal)
        assert told["entry"].tolist() == [float(point == river.entry) for point in range(8)]
        assert told["rows"].argmax() == ground.rows - 1 - head.row
        met += bool(state.river)
    assert met > 100


def test_of_the_tiles_a_seat_is_told_its_own_and_how_many_are_unseen() -> None:
    for fast, state in positions("nile", 400):
        if state.phase == "lots":
            continue
        for seat in range(3):
            told = tensor.cut(fast.told, fast.inputs(fast.pack(state), seat))
            racks = [rack for other, rack in enumerate(state.racks) if other != seat]
            for place, kind in enumerate(KINDS):
                held = state.racks[seat].count(kind)
                assert told["rack"][place].tolist() == [float(held > step) for step in range(3)]
                unseen = state.bag[place] + sum(rack.count(kind) for rack in racks)
                assert told["unseen"][place] == pytest.approx(unseen / 10)
