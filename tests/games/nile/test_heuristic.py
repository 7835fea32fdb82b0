"""The greedy bot plays sensible turns: it goes on while that pays, stops before red, and takes the goal."""

from __future__ import annotations

from random import Random

import pytest
from msgspec.structs import replace

import astragal
from astragal.bots.simple import GreedyBot, RandomBot
from astragal.core.types import CHANCE, OVER
from astragal.games.nile.options import Options
from astragal.games.nile.state import State
from tests.games.nile.positions import OPTIONS, RULES, dealt, do, filled, random_game, seen

GAME = astragal.game("nile")
GREEDY, RANDOM = GreedyBot(GAME), RandomBot(GAME)
SMALL = Options(board="small", begins=0)


def choice(state: State) -> str:
    return RULES.encode(GREEDY.choose(seen(state, state.seat), Random(1)).action)


BOWS = "bow bow bow bow bow"


def test_it_lays_a_whole_rack_where_nothing_is_in_the_way() -> None:
    state = dealt(
        "straight straight curve straight curve", BOWS, options=Options(board="first", tiles="first", begins=0)
    )
    played = []
    while state.phase == "turn" and state.seat == 0:
        played.append(choice(state))
        state = do(state, played[-1])
    assert len(played) == 6
    assert played[-1] == "stop"


def test_it_stops_before_red() -> None:
    state = do(dealt("straight straight straight straight bow", BOWS, options=SMALL), "N", "N", "N")
    assert seen(state, 0).head == ("F4", 4)  # which costs 10, and a straight is all that fits
    assert choice(state) == "stop"


def test_it_takes_a_green_field_rather_than_leave_it() -> None:
    state = do(dealt("straight far-right far-left bow bow", BOWS, options=SMALL), "N", "NE")
    assert seen(state, 0).head == ("G3", 5)  # which earns 10
    assert choice(state).startswith("G3:")


def test_it_ends_the_river_if_that_wins_and_not_if_it_loses() -> None:
    may_stop = replace(OPTIONS, blue_finish="anyone")
    state = dealt("straight straight straight straight straight", "straight bow bow bow bow", options=may_stop)
    state = filled(do(state, "N", "N", "N", "N", "N", "stop"), "straight", "curve", "bow", "bow", "diagonal")
    state = filled(do(state, "N", "stop"))
    assert seen(state, 0).head == ("D7", 4)
    assert choice(state) == "D7:straight-N"
    theirs = replace(state.sheet[1], total=500)
    behind = replace(state, sheet=(state.sheet[0], theirs))
    assert choice(behind) in ("D7:curve-E", "D7:curve-W")


def test_reasons_have_names() -> None:
    picked = GREEDY.choose(seen(dealt("straight straight curve bow bow", BOWS, options=SMALL), 0), Random(1))
    names = set(GAME.heuristic.names.values())
    assert set(picked.reasons) <= names


def test_terms_are_named_and_see_nothing_hidden() -> None:
    rng = Random(2)
    for state, _ in random_game(5, SMALL, 3):
        if rng.random() < 0.1:
            for seat in range(3):
                view = seen(state, seat)
                terms = GAME.heuristic.terms(view, seat)
                assert set(terms) <= set(GAME.heuristic.names)
                assert terms == GAME.heuristic.terms(seen(RULES.resample(view, rng), seat), seat)


@pytest.mark.parametrize("players", [2, 3])
def test_greedy_beats_random(players: int) -> None:
    won = 0.0
    for seed in range(12):
        rng, state = Random(seed), RULES.initial(SMALL, players)
        while (turn := RULES.turn(state)) != OVER:
            if turn == CHANCE:
                outcomes = RULES.chance(state)
                action = rng.choices([a for a, _ in outcomes], [w for _, w in outcomes])[0]
            else:
                bot = GREEDY if turn == seed % players else RANDOM
                action = bot.choose(seen(state, turn), rng).action
            state = RULES.apply(state, action)
        won += RULES.returns(state)[seed % players]
    assert won >= 10
