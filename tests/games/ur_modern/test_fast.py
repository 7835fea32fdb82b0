"""The kernels of the modern game play by the same rules, under all options and on any layout."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import chain
from random import Random
from typing import Any

import numpy as np
import pytest

import astragal
from astragal.core.agreement import agree, compare
from astragal.core.types import CHANCE, OVER
from astragal.games.ur.board import mirror
from astragal.games.ur_modern.actions import Action, ClaimDraw, Move
from astragal.games.ur_modern.board import SQUARES, Layout
from astragal.games.ur_modern.fast import UrModernFast
from astragal.games.ur_modern.options import PRESETS, Options
from astragal.games.ur_modern.state import State
from tests.games.ur_modern.positions import RULES, at, play
from tests.games.ur_modern.test_agreement import LAYOUTS, random_start
from tests.numbers import number_of, same

GAME = astragal.game("ur-modern")

# A layout as a host might draw it: an order of squares that is not the board's, two entrances, and short cuts.
OWN = Layout(
    name="own",
    earth="a1 a2 a3 a4 b1 b2 b3 b4 c1 c2 c3 c4",
    bridge="b5 b6",
    heaven="a7 a8 b7 b8 c7 c8",
    earth_fortresses="c2 a2",
    heaven_fortresses="c8 a8",
    entrance="c4 a4",
    kingdom="c3 b3 a3",
    marduk="b5",
    ishtar="b8",
    route=("a4 a3 a2 a1 b1 c1 c2 c3 c4", "b1 b2 b3 b4 b5 b6 b7 b8", "b8 a8 a7 b4 c7 c8 b8", "a3 b3 c3", "a2 b8 c2"),
)
# Every square next to every other one, and to itself: as many ways to go as there can be.
CROWD = Layout(
    **{key: getattr(OWN, key) for key in OWN.__struct_fields__ if key not in ("name", "route")},
    name="crowd",
    route=tuple(f"{one} {other}" for one in SQUARES for other in SQUARES),
)


def must(law: int, holds: bool, what: str) -> None:
    assert holds, what


def test_a_thousand_random_games_agree(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("astragal.core.fast.MOST_PLIES", 100)  # how far each is then played on by the kernels alone
    report = agree(GAME, games=1000, plies=8, seed=21)
    assert report.ok, report
    assert report.plies == 8_000


def test_longer_random_games_agree() -> None:
    report = agree(GAME, games=18, plies=120, seed=2)
    assert report.ok, report


@pytest.mark.long
def test_thousands_of_random_games_agree() -> None:
    report = agree(GAME, games=4000, plies=250, seed=77)
    assert report.ok, report
    assert report.finished > 0, report


@pytest.mark.rule("UM-23")
@pytest.mark.parametrize(
    ("layout", "starts"),
    [*((name, 60) for name in LAYOUTS), (OWN, 60), (CROWD, 6)],
    ids=lambda value: getattr(value, "name", str(value)),
)
def test_crowded_positions_agree_with_every_throw(layout: Any, starts: int) -> None:
    """Games from the empty board rarely hold fortresses, Ishtar and whole realms; these begin there."""
    rng = Random(3)
    for _ in range(starts):
        state = random_start(layout, rng)
        fast = UrModernFast(state.options, 2)
        for _ in range(6):
            compare(GAME, fast, state, must)
            turn = RULES.turn(state)
            if turn == OVER:
                break
            outcomes = [outcome for outcome, _ in RULES.chance(state)] if turn == CHANCE else RULES.legal(state)
            state = RULES.apply(state, rng.choice(outcomes))


@pytest.mark.parametrize("tips", ["mixed", "silver", "gold"])
@pytest.mark.parametrize(
    ("light", "dark"),
    [
        pytest.param(
            "a8 b6", "b7 a7 c2", marks=pytest.mark.rule("UM-15"), id="the higher piece must take Ishtar first"
        ),
        pytest.param("c8 b6 a8", "b7 c7", marks=pytest.mark.rule("UM-15"), id="the lower piece must take Ishtar first"),
        pytest.param("a1 b2", "b1", marks=pytest.mark.rule("UM-14"), id="the only piece at its entrance"),
        pytest.param("a1 c1 a7 c8", "b8", marks=pytest.mark.rule("UM-2"), id="a way that leads through the win"),
        pytest.param("a1 c1 a7 c8 b2 b3", "b5", marks=pytest.mark.rule("UM-2"), id="one step of two wins"),
        pytest.param("a1 a8 c8 b2", "b7", marks=pytest.mark.rule("UM-2"), id="two steps of two pieces take two more"),
        pytest.param("a1 c1 b3", "b4 b5 a4 c4", marks=pytest.mark.rule("UM-17"), id="captures on the way"),
        pytest.param("a7 c7 b4", "b2 a3", marks=pytest.mark.rule("UM-18"), id="three squares"),
        pytest.param("a7 c7 a1 c2 b3", "b4 b5 c4", marks=pytest.mark.rule("UM-18"), id="three squares and captures"),
        pytest.param("b2 b3 b4", "", marks=pytest.mark.rule("UM-10"), id="many ways to the same result"),
        pytest.param("a1 a2 b1", "c2", marks=pytest.mark.rule("UM-16"), id="a fortress left and entered again"),
    ],
)
def test_positions_in_which_the_order_matters_agree(light: str, dark: str, tips: Any) -> None:
    for state in (at(light, dark, tips), at(dark, light, tips, seat=1)):
        compare(GAME, UrModernFast(state.options, 2), state, must)


def test_no_position_has_more_actions_than_there_is_room_for() -> None:
    """The worst we can think of: all on the board, ruling Earth and Heaven, two gold, everyone a neighbour."""
    light = ["a2", "c2", "a8", "b1", "b2", "b4", "b6"]
    dark = [square for square in SQUARES if square not in (*light, "c8", "b8")][:7]
    state = at(" ".join([*light[:2], *light[3:], "a8"]), " ".join(dark), "gold", layout=CROWD)
    fast = UrModernFast(state.options, 2)
    assert 1000 < len(fast.legal(fast.pack(state))) < fast.most
    compare(GAME, fast, state, must)


@pytest.mark.rule("UM-20")
def test_habits_are_history_and_a_claimed_draw_is_not() -> None:
    state = at("b1 b3", "b7", seat=0)
    fast = UrModernFast(state.options, 2)
    packed = fast.pack(state)
    for there, back in (("b3-b4", "b4-b3"),) * 5:
        for text in ("throw-one", there, "throw-one", "b7-b8", "throw-one", back, "throw-one", "b8-b7"):
            action = RULES.decode(state, text)
            packed = fast.step(packed, number_of(fast, packed, action))
            state = RULES.apply(state, action)
            assert same(packed, fast.pack(state))
    assert state.claimable
    compare(GAME, fast, state, must)
    assert fast.key(packed) == fast.key(fast.pack(at("b1 b3", "b7", seat=0)))
    drawn = RULES.apply(state, ClaimDraw())
    assert fast.turn(fast.pack(drawn)) == OVER
    assert fast.returns(fast.pack(drawn)) == (0.5, 0.5)
    compare(GAME, fast, drawn, must)


def test_every_action_has_a_number_of_its_own_that_leads_back() -> None:
    rng = Random(8)
    numbers: dict[tuple[bool, int], Action] = {}
    for name in LAYOUTS:
        for _ in range(60):
            state = random_start(name, rng)
            fast = UrModernFast(state.options, 2)
            packed = fast.pack(state)
            for number, _ in fast.chance(packed):
                outcome = fast.action(packed, number)
                assert numbers.setdefault((True, number), outcome) == outcome
                thrown = fast.step(packed, number)
                for decision in fast.legal(thrown):
                    action = fast.action(thrown, decision)
                    assert numbers.setdefault((False, decision), action) == action
    assert len(set(map(repr, numbers.values()))) == len(numbers)
    assert any(isinstance(action, Move) and len(action.hops) == 2 for action in numbers.values())
    assert any(isinstance(action, Move) and action.hops[0].takes for action in numbers.values())


def length_and_share(state: State, plies: int, rng: Random) -> tuple[int, float]:
    """How long a random game by the readable rules lasts, and light's share of it; broken off as `playouts` does."""
    for ply in range(plies):
        turn = RULES.turn(state)
        if turn == OVER:
            return ply, RULES.returns(state)[0]
        if turn == CHANCE:
            outcomes, weights = zip(*RULES.chance(state), strict=True)
            state = RULES.apply(state, rng.choices(outcomes, weights)[0])
        else:
            state = RULES.apply(state, rng.choice(RULES.legal(state)))
    return plies, 0.5


@pytest.mark.parametrize(
    "state",
    [
        at("a1 c1 a7 c8", "b7 c2 a4 b5", pieces=4, layout="lanes"),
        at("b3 b5", "a1 c1 c7 b7", pieces=4, seat=1),
        at("a7 c7 a1 b1", "b3 c4 b5", pieces=5, layout="lesser-earth"),
    ],
)
def test_random_games_last_as_long_and_are_won_as_often(state: State, monkeypatch: pytest.MonkeyPatch) -> None:
    """Their first plies from a position near its end: whole random games take the readable rules too long."""
    cap = 16
    monkeypatch.setattr("astragal.core.fast.MOST_PLIES", cap)
    rng = Random(4)
    read = np.array([length_and_share(state, cap, rng) for _ in range(600)], dtype=float)
    fast = UrModernFast(state.options, 2)
    shares, plies = fast.playouts(fast.pack(state), np.arange(50_000))
    played = np.stack([plies, shares[:, 0]], axis=1)
    assert 0.1 < (plies < cap).mean() < 0.9
    error = played.std(axis=0) * (1 / len(read) + 1 / len(played)) ** 0.5
    assert (abs(read.mean(axis=0) - played.mean(axis=0)) < 3 * error).all(), (read.mean(axis=0), played.mean(axis=0))


# The heuristic ---------------------------------------------------------------------------------------------------


def positions(count: int) -> Iterator[State]:
    rng = Random(6)
    for name in [name for name in LAYOUTS for _ in range(count)]:
        state = random_start(name, rng)
        yield state
        yield RULES.apply(state, rng.choice(RULES.chance(state))[0])


def features(state: State, seat: int) -> dict[str, float]:
    return dict(GAME.heuristic.features(RULES.observe(state, seat), seat))


def test_what_speaks_for_one_side_speaks_against_the_other() -> None:
    for state in positions(40):
        mine, theirs = features(state, 0), features(state, 1)
        assert mine == pytest.approx({name: -value for name, value in theirs.items()})


def turned(state: State) -> State:
    """The same position with the sides exchanged, on the mirrored board."""
    light, dark = (tuple(sorted(mirror(square) for square in squares)) for squares in state.squares)
    assert state.seat is not None
    return State(state.options, 1 - state.seat, state.tips, state.pools[::-1], (dark, light))


def test_the_sides_are_treated_alike() -> None:
    for state in positions(40):
        assert features(state, 0) == pytest.approx(features(turned(state), 1))


def test_every_feature_is_seen_somewhere_and_nothing_but_the_result_at_the_end() -> None:
    seen = set(chain.from_iterable({name for name, value in features(s, 0).items() if value} for s in positions(40)))
    won = play(at("a1 c1 a7 b7", "b3", "one"), "b7-c7")
    assert features(won, 0) == {**dict.fromkeys(GAME.heuristic.names, 0.0), "result": 1.0}
    assert features(won, 1)["result"] == -1.0
    compare(GAME, UrModernFast(won.options, 2), won, must)
    assert seen | {"result"} == set(GAME.heuristic.names)


@pytest.mark.parametrize("options", PRESETS.values(), ids=list(PRESETS))
def test_the_empty_board_favours_nobody_but_who_throws(options: Options) -> None:
    state = RULES.apply(RULES.initial(options, 2), RULES.chance(RULES.initial(options, 2))[0][0])
    assert features(state, 0) == pytest.approx({**dict.fromkeys(GAME.heuristic.names, 0.0), "turn": 1.0})


def test_the_game_is_imported_without_numba() -> None:
    import subprocess
    import sys

    code = "import sys, astragal.games.ur_modern; sys.exit('numba' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0
