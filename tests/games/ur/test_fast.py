"""Ur over arrays is Ur by the rules: move by move, and in what its random games come to."""

from __future__ import annotations

import subprocess
import sys
from dataclasses import replace
from math import sqrt
from random import Random
from typing import Any

import msgspec
import numpy as np
import pytest
from hypothesis import given

import astragal
from astragal.core.agreement import agree
from astragal.core.compiled import cpu
from astragal.core.fast import MOST_PLIES, Array, random_games
from astragal.core.types import OVER, BadOptions
from astragal.games.ur.board import Board
from astragal.games.ur.fast import UrFast
from astragal.games.ur.options import PRESETS, Options
from astragal.games.ur.rules import State
from tests.games.ur.positions import ALL_OPTIONS, RULES, at, positions, random_game

UR = astragal.game("ur")

# Boards of hosts: nothing in common, everything in common, and the longest way there is, which the sides walk
# in opposite directions half the time.
LONG = [f"a{n}" for n in range(1, 13)] + [f"b{n}" for n in range(12, 0, -1)] + [f"c{n}" for n in range(1, 13)]
BOARDS = (
    Board("apart", ("a2", "c2"), "a1 a2 a3 a4", "c1 c2 c3 c4"),
    Board("together", ("b3",), "b1 b2 b3 b4 b5 b6", "b1 b2 b3 b4 b5 b6"),
    Board("long", ("a5", "c5", "b12", "b1"), " ".join(LONG), " ".join(LONG).translate(str.maketrans("ac", "ca"))),
)
HOSTED = tuple(
    Options(pieces=pieces, path=board, safe_rosettes=safe, capture_throws=not safe)
    for board in BOARDS
    for pieces, safe in ((2, True), (7, False))
)
EVERY = (*ALL_OPTIONS, *HOSTED)


def fast(options: Options) -> UrFast:
    return UrFast(options, 2)


def start(options: Options) -> Array:
    return fast(options).pack(RULES.initial(options, 2))


# Law 7 ----------------------------------------------------------------------------------------------------------


def test_they_agree_in_a_thousand_games() -> None:
    report = agree(UR, games=1000, plies=32, seed=1, option_sets=EVERY)
    assert report.ok, str(report)
    assert report.finished > 50  # of those with few pieces


def test_they_agree_to_the_end_of_long_games() -> None:
    report = agree(UR, games=16, seed=2, option_sets=(*PRESETS.values(), *HOSTED[1::2]))
    assert report.ok, str(report)
    assert report.finished == report.games


@pytest.mark.long
def test_they_agree_in_thousands_of_whole_games() -> None:
    report = agree(UR, games=2000, plies=10_000, seed=3, option_sets=EVERY)
    assert report.ok, str(report)
    assert report.finished == report.games


def test_disagreement_would_be_noticed() -> None:
    """A version for other house rules is not the same game."""
    for change in ({"safe_rosettes": False}, {"rosette_throws": False}, {"capture_throws": True}, {"dice": "three"}):

        def other(options: Options, players: int, change: Any = change) -> UrFast:
            made = UrFast(msgspec.structs.replace(options, **change), players)
            made.options = options
            return made

        report = agree(replace(UR, fast=other), games=6, seed=4, option_sets=[Options(begins=0)])
        assert not report.ok, change


@given(positions())
def test_numbers_are_counted_from_nought_and_lead_to_actions(state: State) -> None:
    quick, packed = fast(state.options), fast(state.options).pack(state)
    actions = [quick.action(packed, number) for number in quick.legal(packed)]
    outcomes = [quick.action(packed, number) for number, _ in quick.chance(packed)]
    assert tuple(actions) == RULES.legal(state)
    assert outcomes == [outcome for outcome, _ in RULES.chance(state)]
    assert all(0 <= number < quick.actions for number in quick.legal(packed))
    assert all(0 <= number < quick.outcomes for number, _ in quick.chance(packed))


def test_a_key_tells_positions_apart_and_nothing_of_their_past() -> None:
    state = at("b1 b7", "b3", mover=1)
    quick = fast(state.options)
    key = quick.key(quick.pack(state))
    assert {key: 1}[quick.key(quick.pack(msgspec.structs.replace(state, opening=(1, 3))))] == 1
    for other in (at("b1 b7", "b3"), at("b1 b6", "b3", mover=1), at("b1 b7", "b3", mover=1, throw=2)):
        assert quick.key(quick.pack(other)) != key


@given(positions())
def test_what_a_view_tells_can_be_packed(state: State) -> None:
    quick = fast(state.options)
    for seat in (0, 1):
        guess = RULES.resample(RULES.observe(state, seat), Random(1))
        assert quick.pack(guess).tolist() == quick.pack(state).tolist()


def test_only_two_can_play() -> None:
    with pytest.raises(BadOptions):
        UrFast(Options(), 3)


def test_the_game_comes_without_numba_until_it_is_wanted() -> None:
    code = "import sys, astragal; astragal.game('ur'); assert 'numba' not in sys.modules"
    subprocess.run([sys.executable, "-c", code], check=True)


# Random games ---------------------------------------------------------------------------------------------------


def results(quick: UrFast, packed: Array, games: int, *, by_template: bool) -> tuple[Array, Array]:
    """What light wins and how long it takes: by the kernel of Ur, or by the one that every game has."""
    if not by_template:
        shares, plies = quick.playouts(packed, range(games))
        return shares[:, 0], plies
    shares, plies = np.zeros((games, 2)), np.zeros(games, dtype=np.int64)
    play, seeds = cpu(random_games, quick.source), np.arange(games, dtype=np.uint64)
    play(packed, quick.tables, seeds, MOST_PLIES, quick.work(packed), shares, plies)
    return shares[:, 0], plies


def far(a: Any, b: Any) -> float:
    """How many standard errors the means of two samples are apart."""
    error = sqrt(np.var(a) / len(a) + np.var(b) / len(b))
    return abs(float(np.mean(a) - np.mean(b))) / error if error else float(np.mean(a) != np.mean(b))


@pytest.mark.parametrize("options", [*PRESETS.values(), *HOSTED, Options(rosette_throws=False, dice="three")])
def test_the_quick_random_game_has_the_same_law(options: Options) -> None:
    quick, packed = fast(options), start(options)
    mine, theirs = (results(quick, packed, 10_000, by_template=flag) for flag in (False, True))
    assert far(mine[0], theirs[0]) < 4
    assert far(mine[1], theirs[1]) < 4
    assert far(mine[1] ** 2, theirs[1] ** 2) < 4  # so that the spread is the same too


@pytest.mark.parametrize(
    "state",
    [
        at("b1 b7 a8", "b3 b4", throw=2, pools=(1, 0), pieces=5),
        at("b1 b7 a8", "b3 b4", mover=1, pools=(0, 1), pieces=5),
        at("b1 c7 a7", "c4 a8 b8", mover=1, throw=4, pools=(0, 0), path="masters", safe_rosettes=False, pieces=3),
        msgspec.structs.replace(at(pieces=1), opening=(3,), seat=1),
    ],
)
def test_random_games_go_on_from_the_middle_of_one(state: State) -> None:
    quick, packed = fast(state.options), fast(state.options).pack(state)
    mine, theirs = (results(quick, packed, 10_000, by_template=flag) for flag in (False, True))
    assert 0.02 < mine[0].mean() < 0.98
    assert far(mine[0], theirs[0]) < 4
    assert far(mine[1], theirs[1]) < 4


@pytest.mark.parametrize("options", [Options(pieces=3), PRESETS["masters"]])
def test_random_games_by_the_rules_have_the_same_law(options: Options) -> None:
    won, lengths = [], []
    for seed in range(150):
        played = list(random_game(seed, options, 10_000))
        won.append(RULES.returns(played[-1][0])[0])
        lengths.append(len(played) - 1)
    shares, plies = fast(options).playouts(start(options), range(20_000))
    assert far(won, shares[:, 0]) < 4
    assert far(lengths, plies) < 4


def test_random_games_last_156_throws_on_average() -> None:
    """The figure of docs/rules; a game has two plies for each throw. The error is about 0.1 throws."""
    _, plies = fast(Options(begins=0)).playouts(start(Options(begins=0)), range(100_000))
    assert abs(plies.mean() / 2 - 156.5) < 0.4


def test_a_random_game_on_two_cores_is_the_same() -> None:
    quick, packed = fast(Options()), start(Options())
    one, two = quick.playouts(packed, range(101)), quick.playouts(packed, range(101), cores=2)
    assert (one[0] == two[0]).all()
    assert (one[1] == two[1]).all()
    assert len(set(one[1].tolist())) > 50


def test_a_random_game_that_does_not_end_is_shared() -> None:
    quick, packed = fast(Options(begins=0)), start(Options(begins=0))
    shares, plies = np.zeros((3, 2)), np.zeros(3, dtype=np.int64)
    seeds = np.arange(3, dtype=np.uint64)
    cpu(quick.playing, quick.source)(packed, quick.tables, seeds, 11, quick.work(packed), shares, plies)
    assert shares.tolist() == [[0.5, 0.5]] * 3
    assert plies.tolist() == [11] * 3


# What the heuristic sees ----------------------------------------------------------------------------------------


def seen(state: State, seat: int = 0) -> dict[str, float]:
    return dict(UR.heuristic.features(RULES.observe(state, seat), seat))


@given(positions())
def test_what_one_side_gains_the_other_loses(state: State) -> None:
    light, dark = seen(state), seen(state, 1)
    assert {name: -value for name, value in light.items()} == dark
    if state.opening is None:
        winner = None if state.winner is None else 1 - state.winner
        swapped = msgspec.structs.replace(
            state, seat=1 - state.seat, pools=state.pools[::-1], on=state.on[::-1], winner=winner
        )
        assert seen(swapped, 1) == light
    if RULES.turn(state) == OVER:
        assert light == dict.fromkeys(light, 0.0) | {"result": RULES.returns(state)[0] * 2 - 1}
    else:
        assert light["result"] == 0


def test_before_anybody_has_thrown_all_is_even() -> None:
    assert set(seen(RULES.initial(Options(), 2)).values()) == {0.0}


def test_features_of_a_position_by_hand() -> None:
    """Light on steps 6, 8 and 14, dark on 9 and 13: light takes with a 3 or a 1."""
    state = at("b2 b4 a7", "b5 c8", pools=(3, 4))
    features = seen(state)
    assert features["home"] == 1 - 1
    assert features["progress"] == pytest.approx((28 - 22) / 15)
    assert features["entered"] == 1
    assert (features["past"], features["rosette"]) == (0, 1)
    assert features["lead"] == pytest.approx(((6 * 15 - 22) - (6 * 15 - 28)) / (12 * 15 - 50))
    assert features["capture"] == pytest.approx((4 + 4) / 16 * 9 / 15)  # 4 falls of 16 are a 1, and 4 a 3
    assert features["capture_later"] == 0  # dark's pieces are past b2, and b4 is safe
    assert features["again"] == pytest.approx(1 / 16)  # only a 4 from the pool to a1; b2 to b4 is taken
    assert features["again_later"] == pytest.approx(-(1 + 4) / 16)  # 4 from the pool, 1 from c8; b5 goes nowhere
    assert features["free"] == pytest.approx(15 / 16)
    assert features["turn"] == pytest.approx(1 / sqrt(130 / 15 + 0.3))
    assert seen(msgspec.structs.replace(state, throw=3))["capture"] == pytest.approx(9 / 15)
    assert seen(msgspec.structs.replace(state, throw=2))["capture"] == 0
