"""The rules against a second, naive generator of actions that knows nothing of them (see brute.py)."""

from __future__ import annotations

from random import Random
from typing import Any, get_args

import pytest

from astragal.core.types import CHANCE, OVER
from astragal.games.ur_modern.board import LayoutName, ground
from astragal.games.ur_modern.options import Options
from astragal.games.ur_modern.state import State, winner
from tests.games.ur_modern.brute import Outcome, Position, outcomes
from tests.games.ur_modern.positions import RULES

LAYOUTS = get_args(LayoutName)
GAMES, PLIES = 100, 60


def plain_layout(name: LayoutName) -> dict[str, Any]:
    land = ground(name)
    return {
        "earth_fortresses": sorted(land.earth),
        "heaven_fortresses": sorted(land.heaven),
        "entrance": list(land.entrance),
        "kingdom": list(land.kingdom),
        "marduk": land.marduk,
        "ishtar": land.ishtar,
        "route": land.neighbours,
    }


def position(s: State, seat: int) -> Position:
    return Position(frozenset(s.squares[seat]), frozenset(s.squares[1 - seat]), s.pools[seat], s.pools[1 - seat])


def random_start(name: LayoutName, rng: Random) -> State:
    """Games from the empty board rarely reach crowded fortresses, so every second game begins among them."""
    options = Options(layout=name, begins=0, placing_captures=rng.random() < 0.8, pieces=rng.choice((4, 7)))
    if rng.random() < 0.5:
        return RULES.initial(options, 2)
    while True:
        board = rng.sample(sorted(ground(name).neighbours), rng.randint(2, 2 * options.pieces))
        light, dark = board[: len(board) // 2], board[len(board) // 2 :]
        fortresses = sorted(ground(name).fortresses)
        light = sorted({*light[:-2], *rng.sample(fortresses, 2)} - set(dark))[: options.pieces]
        pools = (options.pieces - len(light), options.pieces - len(dark))
        state = State(options, 0, None, pools, (tuple(light), tuple(sorted(dark))))
        if winner(state) is None:
            return state


@pytest.mark.rule("UM-2", "UM-5", "UM-6", "UM-7", "UM-8", "UM-9", "UM-10", "UM-11", "UM-12", "UM-13")
@pytest.mark.rule("UM-14", "UM-15", "UM-16", "UM-17", "UM-18", "UM-19", "UM-21")
@pytest.mark.parametrize("name", LAYOUTS)
def test_the_rules_and_the_naive_generator_agree_on_every_state(name: LayoutName) -> None:
    layout, rng = plain_layout(name), Random(7)
    seen = 0
    for _ in range(GAMES):
        state = random_start(name, rng)
        for _ in range(PLIES):
            turn = RULES.turn(state)
            if turn == OVER:
                break
            if turn == CHANCE:
                # the rare throws decide most, so all are made equally likely here
                state = RULES.apply(state, rng.choice(RULES.chance(state))[0])
                continue
            assert state.tips is not None
            legal = RULES.legal(state)
            listed = set()
            for action in legal:
                after = RULES.apply(state, action)
                won = winner(after) == turn
                listed.add(Outcome(position(after, turn), again=after.seat == turn and not won, won=won))
            naive = outcomes(layout, position(state, turn), turn, state.tips, state.options.placing_captures)
            assert listed == naive, (state, listed ^ naive)
            assert len(listed) == len(legal)
            seen += 1
            state = RULES.apply(state, rng.choice(legal))
    assert seen > GAMES * 10
