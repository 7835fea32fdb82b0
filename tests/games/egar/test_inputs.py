"""What networks are told of EGAR: the board as the seat that looks has it before it."""

from __future__ import annotations

from random import Random
from typing import Any

import numpy as np
import pytest

import astragal
from astragal.core import tensor
from astragal.core.types import CHANCE, OVER
from astragal.games.egar.board import ground, place

GAME = astragal.game("egar")
RULES = GAME.rules


def positions(board: str, players: int, count: int) -> Any:
    """Positions of random games, with the game in its compiled form."""
    options = RULES.seated(RULES.options_type(board=board), [True] * players)
    assert GAME.fast is not None
    fast, rng, state = GAME.fast(options, players), Random(1), RULES.initial(options, players)
    for _ in range(count):
        if RULES.turn(state) == OVER:
            state = RULES.initial(options, players)
        yield fast, state
        chances = RULES.chance(state) if RULES.turn(state) == CHANCE else [(one, 1) for one in RULES.legal(state)]
        actions, weights = zip(*chances, strict=True)
        state = RULES.apply(state, rng.choices(actions, weights)[0])


@pytest.mark.parametrize("board", ["standard", "quick"])
@pytest.mark.parametrize("players", [2, 3, 4])
def test_the_board_is_turned_until_a_seat_sits_where_the_first_does(board: str, players: int) -> None:
    here = ground(board)
    last = here.board.columns - 1
    flags = [place(here.names[flag]) for flag in here.flags[players]]
    for fast, state in positions(board, players, 300):
        for seat in range(players):
            told = tensor.cut(fast.told, fast.inputs(fast.pack(state), seat))
            (column, row), turns = flags[seat], 0
            while players != 3 and (column, row) != flags[0]:
                column, row, turns = row, last - column, turns + 1
            for other in range(players):
                wanted = np.zeros((13, 13))
                for square in state.armies[(seat + other) % players]:
                    column, row = place(here.names[square])
                    for _ in range(turns):
                        column, row = row, last - column
                    wanted[row, column] = 1
                assert (told["soldiers"][other] == wanted).all()
            assert told["side"].sum() == (players == 3)


def test_steps_to_flags_are_counted() -> None:
    for fast, state in positions("standard", 4, 200):
        here = ground(state.options.board)
        flags, told = here.flags[4], tensor.cut(fast.told, fast.inputs(fast.pack(state), 1))
        mine = state.armies[1]
        assert told["to its flag"][0].tolist() == counted(here.far[square][flags[1]] for square in mine)
        nearest = [min(here.far[square][flags[other]] for other in (0, 2, 3)) for square in mine]
        assert told["to a goal"][0].tolist() == counted(nearest)
        assert told["to a goal"][2].tolist() == counted(here.far[square][flags[1]] for square in state.armies[3])


@pytest.mark.parametrize(("board", "armies"), [
    ("standard", "A1,D5,D6,E6,F9/D7,E5,F8,L11"), ("quick", "C3,C4,D4/C5,D5,H7/E4,F4,C9"),
])  # fmt: skip
def test_soldiers_are_told_by_their_way_and_their_company(board: str, armies: str) -> None:
    players = armies.count("/") + 1
    options = RULES.seated(RULES.options_type(board=board, begins=1), [True] * players)
    state = RULES.from_position(f"armies={armies} phase=move:1 points=3 turns=7", options, players)
    assert GAME.fast is not None
    fast, here = GAME.fast(options, players), ground(board)
    flags = here.flags[players]
    for seat in range(players):
        wanted = np.zeros((2, 14, 4, 3))
        for who, army in enumerate(state.armies):
            others = [square for other, one in enumerate(state.armies) if other != who for square in one]
            for square in army:
                goals = [flags[other] for other in range(players) if other != seat] if who == seat else [flags[seat]]
                steps = min(here.far[square][goal] for goal in goals)
                mates = sum(0 < here.far[square][one] <= 2 for one in army)
                rivals = sum(here.far[square][one] <= 2 for one in others)
                wanted[int(who != seat), min(steps, 13), min(mates, 3), min(rivals, 2)] += 1
        told = tensor.cut(fast.told, fast.inputs(fast.pack(state), seat))
        assert (told["company"] == wanted).all()
        assert wanted[:, :, :, 2].sum() > 0
        assert wanted[:, :, 2:].sum() > 0


def counted(steps: Any) -> list[int]:
    counts = [0] * 25
    for step in steps:
        counts[step] += 1
    return counts


def test_seats_that_do_not_sit_alike_see_the_board_as_it_lies() -> None:
    assert ground("standard").quarters(2) == (0, 2)
    assert ground("standard").quarters(4) == (0, 1, 2, 3)
    assert ground("standard").quarters(3) == (-1, -1, -1)
