"""Every rule of classic Ur, by its id in docs/rules/*/ur.md."""

from __future__ import annotations

from itertools import product
from pathlib import Path
from typing import Any

import msgspec
import pytest

from astragal.core import options as option_tools
from astragal.core.types import CHANCE, OVER, BadFile, BadNotation, BadOptions, IllegalAction
from astragal.games.ur.actions import Action, Move, Pass, Throw
from astragal.games.ur.board import Board
from astragal.games.ur.options import Options
from astragal.games.ur.rules import State
from tests.games.ur.positions import DARK, LIGHT, PATHS, ROSETTES, RULES, WAYS, at, moves, play, random_game, squares

BELL_SQUARES = {f"{row}{column}" for row in "abc" for column in range(1, 9)} - {"a5", "a6", "c5", "c6"}


def refusal(s: State, action: Action) -> str:
    """The id of the rule that forbids an action."""
    with pytest.raises(IllegalAction) as caught:
        RULES.apply(s, action)
    assert caught.value.rule in str(caught.value)
    return caught.value.rule


def weights(s: State) -> dict[int, int]:
    return {outcome.pips: weight for outcome, weight in RULES.chance(s) if isinstance(outcome, Throw)}


def walk(seat: int, path: str) -> list[str]:
    """Where a lone piece goes by throws of 1, as the board shows it."""
    state = at(path=path, pieces=1, mover=seat)
    seen = []
    while RULES.turn(state) != OVER:
        state = msgspec.structs.replace(state, seat=seat, throw=1)
        (action,) = RULES.legal(state)
        assert isinstance(action, Move)
        seen.append(action.end)
        state = RULES.apply(state, action)
        assert squares(state, seat) == ({action.end} - {"off"})
    return seen


# The board and the dice ---------------------------------------------------------------------------------------


@pytest.mark.rule("UC-1")
def test_random_games_use_just_the_twenty_squares() -> None:
    seen = {
        square
        for seed in range(10)
        for state, _ in random_game(seed, Options())
        for seat in (LIGHT, DARK)
        for square in squares(state, seat)
    }
    assert seen == BELL_SQUARES
    assert len(seen) == 20


@pytest.mark.rule("UC-1", "UC-9", "UC-14", "UC-15")
@pytest.mark.parametrize("path", PATHS)
@pytest.mark.parametrize("seat", [LIGHT, DARK])
def test_just_the_rosettes_give_another_throw(path: str, seat: int) -> None:
    """Both sides, every square: the turn stays only where the rulebook has a rosette."""
    way = WAYS[path][seat]
    starts = ["in", *way[:-1]]
    stays = set()
    for start, end in zip(starts, way, strict=True):
        here = "" if start == "in" else start
        before = at(here, path=path, throw=1) if seat == LIGHT else at("", here, path=path, throw=1, mover=DARK)
        after = play(before, f"{start}-{end}")
        if after.seat == seat:
            stays.add(end)
    assert stays == ROSETTES[path] & set(way)


@pytest.mark.rule("UC-2")
def test_seven_pieces_wait_in_each_pool() -> None:
    start = RULES.initial(Options(), 2)
    assert start.pools == (7, 7)
    assert start.on == ((), ())


@pytest.mark.rule("UC-2")
def test_four_dice_fall_as_four_coins() -> None:
    falls = [sum(tips) for tips in product((0, 1), repeat=4)]
    assert weights(at()) == {pips: falls.count(pips) for pips in range(5)} == {0: 1, 1: 4, 2: 6, 3: 4, 4: 1}


@pytest.mark.rule("UC-2")
@pytest.mark.parametrize("pips", [-1, 5])
def test_four_dice_show_nothing_else(pips: int) -> None:
    assert refusal(at(), Throw(pips)) == "UC-2"


@pytest.mark.rule("UC-2")
def test_dice_are_not_thrown_twice_in_a_row() -> None:
    assert refusal(at(throw=2), Throw(2)) == "UC-2"


@pytest.mark.rule("UC-2")
def test_nothing_enters_from_an_empty_pool() -> None:
    state = at("a4 b8", pieces=2, throw=2)
    assert moves(state) == {"a4-a2", "b8-a7"}
    assert refusal(state, Move("in", "a3")) == "UC-2"


@pytest.mark.rule("UC-3")
@pytest.mark.parametrize(("light", "dark"), list(product(range(5), repeat=2)))
def test_higher_opening_throw_begins_and_ties_are_thrown_again(light: int, dark: int) -> None:
    start = RULES.initial(Options(begins="lots"), 2)
    assert weights(start) == weights(at())
    second = RULES.apply(start, Throw(light))
    assert RULES.turn(second) == CHANCE
    assert second.seat == DARK
    opened = RULES.apply(second, Throw(dark))
    assert RULES.turn(opened) == CHANCE
    if light == dark:
        assert opened == start
    else:
        assert opened.seat == (LIGHT if light > dark else DARK)
        thrown = RULES.apply(opened, Throw(3))  # the opening throw itself moves nothing
        assert (thrown.seat, thrown.throw, thrown.on) == (opened.seat, 3, ((), ()))
        assert RULES.turn(thrown) == opened.seat


@pytest.mark.rule("UC-3", "UC-13")
def test_opening_throws_use_the_games_own_dice() -> None:
    start = RULES.initial(Options(dice="three"), 2)
    assert weights(start) == {1: 3, 2: 3, 3: 1, 4: 1}
    assert weights(RULES.apply(start, Throw(4))) == {1: 3, 2: 3, 3: 1, 4: 1}


@pytest.mark.rule("UC-3", "UC-13")
@pytest.mark.parametrize("seat", [LIGHT, DARK])
def test_a_named_seat_begins_without_opening_throws(seat: int) -> None:
    start = RULES.initial(Options(begins=seat), 2)
    assert RULES.turn(RULES.apply(start, Throw(2))) == seat


# The ways -----------------------------------------------------------------------------------------------------


@pytest.mark.rule("UC-4", "UC-14", "UC-15")
@pytest.mark.parametrize("path", PATHS)
@pytest.mark.parametrize("seat", [LIGHT, DARK])
def test_a_piece_walks_the_way_of_the_rulebook(path: str, seat: int) -> None:
    assert walk(seat, path) == [*WAYS[path][seat], "off"]


@pytest.mark.rule("UC-4", "UC-14", "UC-15")
@pytest.mark.parametrize(("path", "length"), [("bell", 14), ("masters", 16), ("aseb", 16)])
def test_length_of_the_ways(path: str, length: int) -> None:
    assert len(walk(LIGHT, path)) == len(walk(DARK, path)) == length + 1


@pytest.mark.rule("UC-4", "UC-8", "UC-14", "UC-15")
@pytest.mark.parametrize("path", PATHS)
@pytest.mark.parametrize("seat", [LIGHT, DARK])
def test_pieces_meet_on_shared_squares_only(path: str, seat: int) -> None:
    """For every two places of two pieces: there is a capture exactly when they are one square."""
    mine, theirs = WAYS[path][seat], WAYS[path][1 - seat]
    for (start, end), enemy in product(zip(["in", *mine], mine, strict=False), theirs):
        sides = ["" if start == "in" else start, enemy]
        light, dark = sides if seat == LIGHT else reversed(sides)
        if start == enemy:
            continue  # two pieces never share a square
        before = at(light, dark, mover=seat, throw=1, path=path, safe_rosettes=False)
        after = play(before, f"{start}-{end}")
        assert squares(after, seat) == {end}
        assert squares(after, 1 - seat) == ({enemy} - {end})
        assert after.pools[1 - seat] == before.pools[1 - seat] + (end == enemy)


@pytest.mark.rule("UC-4")
def test_steps_five_to_twelve_are_shared() -> None:
    light, dark = WAYS["bell"]
    both = set(light) & set(dark)
    assert {light.index(square) + 1 for square in both} == set(range(5, 13))
    assert walk(LIGHT, "bell")[4:12] == walk(DARK, "bell")[4:12]


# Moving -------------------------------------------------------------------------------------------------------


@pytest.mark.rule("UC-5")
@pytest.mark.parametrize("throw", [1, 2, 3, 4])
@pytest.mark.parametrize("seat", [LIGHT, DARK])
def test_a_new_piece_lands_as_far_as_the_throw(seat: int, throw: int) -> None:
    start = at(mover=seat, throw=throw)
    assert moves(start) == {f"in-{WAYS['bell'][seat][throw - 1]}"}
    after = RULES.apply(start, RULES.legal(start)[0])
    assert squares(after, seat) == {WAYS["bell"][seat][throw - 1]}
    assert after.pools == ((6, 7) if seat == LIGHT else (7, 6))


@pytest.mark.rule("UC-5")
def test_exactly_one_piece_moves_by_exactly_the_throw() -> None:
    before = at("a3 b2 b6", "c3", throw=3)
    assert moves(before) == {"in-a2", "a3-b1", "b2-b5", "b6-a8"}
    after = play(before, "b2-b5")
    assert squares(after, LIGHT) == {"a3", "b5", "b6"}
    assert squares(after, DARK) == {"c3"}
    assert after.pools == before.pools
    assert after.seat == DARK
    assert after.throw is None


@pytest.mark.rule("UC-5")
@pytest.mark.parametrize(
    "action",
    [Move("b2", "b4"), Move("b2", "b6"), Move("b2", "b1"), Move("in", "a4"), Move("b2", "in"), Move("b2", "zz")],
)
def test_any_other_distance_is_refused(action: Move) -> None:
    assert refusal(at("b2", throw=3), action) == "UC-5"


@pytest.mark.rule("UC-5")
@pytest.mark.parametrize("start", ["b3", "b6", "c4", "off", "x9", ""])
def test_only_own_pieces_move(start: str) -> None:
    """Neither the enemy's pieces, nor pieces that are not there, nor those already home."""
    assert refusal(at("b2", "b6 c4", throw=1), Move(start, "b7")) == "UC-5"


@pytest.mark.rule("UC-5")
@pytest.mark.parametrize("action", [Move("b2", "b3"), Move("in", "a4"), Pass()])
def test_nothing_moves_before_the_throw(action: Action) -> None:
    before = at("b2")
    assert RULES.turn(before) == CHANCE
    assert RULES.legal(before) == ()
    assert refusal(before, action) == "UC-5"


@pytest.mark.rule("UC-6")
@pytest.mark.parametrize(
    ("light", "throw", "action"),
    [("b2 b5", 3, Move("b2", "b5")), ("a2", 3, Move("in", "a2")), ("a8 a7", 1, Move("a8", "a7"))],
)
def test_an_own_piece_blocks(light: str, throw: int, action: Move) -> None:
    before = at(light, throw=throw)
    assert str(action) not in moves(before)
    assert refusal(before, action) == "UC-6"


@pytest.mark.rule("UC-6")
def test_any_pieces_may_be_jumped() -> None:
    """Own, enemy, and enemy on a safe rosette; the jumped pieces stay where they are."""
    after = play(at("b2 b3", "b4 b5", throw=4), "b2-b6")
    assert squares(after, LIGHT) == {"b3", "b6"}
    assert squares(after, DARK) == {"b4", "b5"}


@pytest.mark.rule("UC-6")
def test_no_two_pieces_ever_share_a_square() -> None:
    for seed, path in enumerate(PATHS):
        for state, _ in random_game(seed, Options(path=path, safe_rosettes=False)):  # type: ignore[arg-type]
            view = RULES.observe(state, None)
            standing = [*view.squares[0], *view.squares[1]]
            assert len(standing) == len(set(standing))


@pytest.mark.rule("UC-7")
def test_a_throw_of_nought_passes_the_turn() -> None:
    before = at("b2", throw=0)
    assert RULES.legal(before) == (Pass(),)
    after = RULES.apply(before, Pass())
    assert (after.seat, after.throw, after.on, after.pools) == (DARK, None, before.on, before.pools)
    assert RULES.turn(after) == CHANCE


@pytest.mark.rule("UC-7")
@pytest.mark.parametrize("action", [Move("b2", "b2"), Move("in", "a4"), Move("b2", "b3")])
def test_with_a_throw_of_nought_nothing_moves(action: Move) -> None:
    assert refusal(at("b2", throw=0), action) == "UC-7"


@pytest.mark.rule("UC-7", "UC-6", "UC-10", "UC-11")
def test_the_turn_passes_when_every_piece_is_stuck() -> None:
    """Blocked by its own piece, by a safe enemy, and by the exact throw off the board."""
    before = at("b2 a8 a7", "b4", throw=2, pieces=4, pools=(0, 3))
    assert "b2-b4" not in moves(before)
    assert moves(before) == {"a8-off"}
    stuck = at("b2 b8 a7", "b4", throw=2, pieces=4, pools=(0, 3))
    assert moves(stuck) == {"pass"}
    after = RULES.apply(stuck, Pass())
    assert (after.seat, after.on, after.pools) == (DARK, stuck.on, stuck.pools)


@pytest.mark.rule("UC-7")
def test_passing_is_refused_while_a_piece_can_move() -> None:
    before = at("b2", throw=1)
    assert "pass" not in moves(before)
    assert refusal(before, Pass()) == "UC-7"


@pytest.mark.rule("UC-8")
@pytest.mark.parametrize("seat", [LIGHT, DARK])
def test_a_captured_piece_returns_to_its_owners_pool(seat: int) -> None:
    before = at("b2" if seat == LIGHT else "b3", "b3" if seat == LIGHT else "b2", mover=seat, throw=1)
    after = play(before, "b2-b3")
    assert squares(after, seat) == {"b3"}
    assert squares(after, 1 - seat) == set()
    assert after.pools == ((6, 7) if seat == LIGHT else (7, 6))
    assert after.seat == 1 - seat
    again = msgspec.structs.replace(after, throw=4)
    assert f"in-{WAYS['bell'][1 - seat][3]}" in moves(again)


# Rosettes -----------------------------------------------------------------------------------------------------


@pytest.mark.rule("UC-9")
def test_a_rosette_gives_another_throw_with_any_piece_and_may_chain() -> None:
    state = play(at("b2", throw=4), "in-a1")
    assert (state.seat, state.throw) == (LIGHT, None)
    assert RULES.legal(state) == ()  # the throw is compulsory: there is nothing else to do
    assert weights(state) == {0: 1, 1: 4, 2: 6, 3: 4, 4: 1}
    thrown = RULES.apply(state, Throw(2))
    assert moves(thrown) == {"in-a3", "b2-b4"}  # a1-b2 is blocked by an own piece
    chained = play(thrown, "b2-b4")
    assert (chained.seat, chained.throw) == (LIGHT, None)
    done = play(RULES.apply(chained, Throw(1)), "b4-b5")
    assert done.seat == DARK


@pytest.mark.rule("UC-9", "UC-7")
def test_the_extra_throw_can_be_nought() -> None:
    state = RULES.apply(play(at(throw=4), "in-a1"), Throw(0))
    assert moves(state) == {"pass"}
    assert RULES.apply(state, Pass()).seat == DARK


@pytest.mark.rule("UC-9", "UC-13")
def test_capture_on_a_rosette_gives_one_throw_not_two() -> None:
    before = at("b2", "b4", throw=2, safe_rosettes=False, capture_throws=True)
    after = play(before, "b2-b4")
    assert after.pools[DARK] == 7
    assert after.seat == LIGHT
    spent = play(RULES.apply(after, Throw(1)), "b4-b5")
    assert spent.seat == DARK


@pytest.mark.rule("UC-9")
def test_a_capture_alone_gives_no_throw() -> None:
    assert play(at("b2", "b3", throw=1), "b2-b3").seat == DARK


@pytest.mark.rule("UC-13")
def test_option_another_throw_on_captures() -> None:
    assert play(at("b2", "b3", throw=1, capture_throws=True), "b2-b3").seat == LIGHT
    assert play(at("b2", "b3", throw=2, capture_throws=True), "b2-b4").seat == LIGHT  # still a rosette
    assert play(at("b2", "b4", throw=1, capture_throws=True), "b2-b3").seat == DARK


@pytest.mark.rule("UC-13")
def test_option_no_throw_on_rosettes() -> None:
    assert play(at(throw=4, rosette_throws=False), "in-a1").seat == DARK
    both: dict[str, Any] = {"rosette_throws": False, "capture_throws": True, "safe_rosettes": False}
    assert play(at("b2", "b4", throw=2, **both), "b2-b4").seat == LIGHT  # for the capture


@pytest.mark.rule("UC-10")
@pytest.mark.parametrize("seat", [LIGHT, DARK])
def test_a_piece_on_b4_cannot_be_captured(seat: int) -> None:
    before = at("b2" if seat == LIGHT else "b4", "b4" if seat == LIGHT else "b2", mover=seat, throw=2)
    assert "b2-b4" not in moves(before)
    assert refusal(before, Move("b2", "b4")) == "UC-10"


@pytest.mark.rule("UC-10", "UC-13")
def test_option_rosettes_not_safe() -> None:
    after = play(at("b2", "b4", throw=2, safe_rosettes=False), "b2-b4")
    assert squares(after, DARK) == set()
    assert after.pools[DARK] == 7


@pytest.mark.rule("UC-10", "UC-14", "UC-15")
@pytest.mark.parametrize(
    ("path", "mine", "rosette", "throw"),
    [
        ("masters", "b2", "b4", 2),
        ("masters", "b7", "c7", 1),
        ("masters", "a8", "a7", 1),
        ("aseb", "b3", "b4", 1),
        ("aseb", "b6", "b8", 2),
        ("aseb", "b9", "b12", 3),
    ],
)
def test_every_shared_rosette_is_safe(path: str, mine: str, rosette: str, throw: int) -> None:
    before = at(mine, rosette, throw=throw, path=path)
    assert refusal(before, Move(mine, rosette)) == "UC-10"
    assert f"{mine}-{rosette}" not in moves(before)
    off = at(mine, rosette, throw=throw, path=path, safe_rosettes=False)
    assert squares(play(off, f"{mine}-{rosette}"), DARK) == set()


@pytest.mark.rule("UC-10")
def test_an_enemy_on_a_private_rosette_bars_nothing() -> None:
    """c1 and c7 are step 4 and 14 of dark, as a1 and a7 are of light: they are other squares."""
    before = at("a8", "c1 c7", throw=1)
    assert {"in-a4", "a8-a7"} <= moves(before)
    assert "in-a1" in moves(at("", "c1", throw=4))


# The end ------------------------------------------------------------------------------------------------------


@pytest.mark.rule("UC-11", "UC-14", "UC-15")
@pytest.mark.parametrize("path", PATHS)
@pytest.mark.parametrize("seat", [LIGHT, DARK])
def test_bearing_off_takes_the_squares_left_plus_one(path: str, seat: int) -> None:
    way = WAYS[path][seat]
    for left, throw in product(range(4), range(1, 5)):
        square = way[-1 - left]
        sides = (square, "") if seat == LIGHT else ("", square)
        before = at(*sides, mover=seat, throw=throw, path=path, pieces=2, pools=(0, 0))
        if throw == left + 1:
            assert moves(before) == {f"{square}-off"}
            after = play(before, f"{square}-off")
            assert squares(after, seat) == set()
            assert after.pools == (0, 0)
        else:
            assert f"{square}-off" not in moves(before)
            assert refusal(before, Move(square, "off")) == "UC-11"


@pytest.mark.rule("UC-11")
def test_a_throw_beyond_the_end_is_no_move_at_all() -> None:
    before = at("a7", throw=2, pieces=1)
    assert moves(before) == {"pass"}
    assert refusal(before, Move("a7", "a8")) == "UC-11"
    with pytest.raises(IllegalAction, match="takes a throw of 1"):
        RULES.apply(before, Move("a7", "off"))


@pytest.mark.rule("UC-12")
@pytest.mark.parametrize("seat", [LIGHT, DARK])
def test_the_last_piece_off_wins_at_once(seat: int) -> None:
    sides = ("a7", "b5") if seat == LIGHT else ("b5", "c7")
    before = at(*sides, mover=seat, throw=1, pieces=3, pools=(0, 0))
    assert RULES.returns(before) == (0.0, 0.0)
    after = play(before, f"{sides[seat]}-off")
    assert RULES.turn(after) == OVER
    assert RULES.returns(after) == ((1.0, 0.0) if seat == LIGHT else (0.0, 1.0))
    assert RULES.legal(after) == ()
    assert RULES.chance(after) == ()
    assert refusal(after, Throw(1)) == "UC-2"


@pytest.mark.rule("UC-12")
@pytest.mark.parametrize(("light", "pool"), [("a7 b2", 0), ("a7", 1)])
def test_with_a_piece_left_the_game_goes_on(light: str, pool: int) -> None:
    after = play(at(light, "b5", throw=1, pieces=3, pools=(pool, 2)), "a7-off")
    assert RULES.turn(after) == CHANCE
    assert after.seat == DARK
    assert RULES.returns(after) == (0.0, 0.0)


# Options ------------------------------------------------------------------------------------------------------


@pytest.mark.rule("UC-13")
def test_defaults_are_the_printed_rules() -> None:
    expected = {
        "pieces": 7,
        "path": "bell",
        "dice": "four",
        "safe_rosettes": True,
        "rosette_throws": True,
        "capture_throws": False,
        "begins": "lots",
    }
    assert msgspec.to_builtins(Options()) == expected


@pytest.mark.rule("UC-13")
@pytest.mark.parametrize("pieces", range(1, 8))
def test_one_to_seven_pieces(pieces: int) -> None:
    chosen = option_tools.build(RULES, given={"pieces": pieces})
    assert RULES.initial(chosen, 2).pools == (pieces, pieces)


@pytest.mark.rule("UC-13")
@pytest.mark.parametrize(
    ("field", "value"),
    [
        ("pieces", 0),
        ("pieces", 8),
        ("pieces", "7"),
        ("path", "lanes"),
        ("dice", "five"),
        ("safe_rosettes", "maybe"),
        ("rosette_throws", 1),
        ("capture_throws", None),
        ("begins", "light"),
    ],
)
def test_options_out_of_bounds_are_refused(field: str, value: object) -> None:
    with pytest.raises(BadOptions) as caught:
        option_tools.build(RULES, given={field: value})
    assert caught.value.field == field
    assert field in str(caught.value)


@pytest.mark.rule("UC-13")
@pytest.mark.parametrize("begins", [-1, 2, 99])
def test_only_a_seat_at_the_table_begins(begins: int) -> None:
    with pytest.raises(BadOptions) as caught:
        RULES.initial(Options(begins=begins), 2)
    assert caught.value.field == "begins"


@pytest.mark.rule("UC-13")
@pytest.mark.parametrize("players", [0, 1, 3])
def test_two_players_and_no_other_number(players: int) -> None:
    with pytest.raises(BadOptions) as caught:
        RULES.initial(Options(), players)
    assert caught.value.field == "players"


@pytest.mark.rule("UC-13")
def test_three_dice_count_nought_as_four() -> None:
    falls = [sum(tips) or 4 for tips in product((0, 1), repeat=3)]
    counted = weights(at(dice="three"))
    assert counted == {pips: falls.count(pips) for pips in range(1, 5)} == {1: 3, 2: 3, 3: 1, 4: 1}
    assert refusal(at(dice="three"), Throw(0)) == "UC-2"


@pytest.mark.rule("UC-14")
@pytest.mark.parametrize("seat", [LIGHT, DARK])
@pytest.mark.parametrize("square", ["c7", "c8", "b8", "a8", "a7"])
def test_masters_sides_meet_in_the_far_block_at_different_steps(square: str, seat: int) -> None:
    mine, theirs = WAYS["masters"][seat], WAYS["masters"][1 - seat]
    assert (mine.index(square) == theirs.index(square)) == (square == "b8")
    start = mine[mine.index(square) - 1]
    sides = (start, square) if seat == LIGHT else (square, start)
    before = at(*sides, mover=seat, throw=1, path="masters", safe_rosettes=False)
    after = play(before, f"{start}-{square}")
    assert squares(after, 1 - seat) == set()
    assert after.pools[1 - seat] == 7


@pytest.mark.rule("UC-14")
@pytest.mark.parametrize(("square", "enemy"), [("c8", "a8"), ("a8", "c8"), ("c7", "a7"), ("a7", "c7")])
def test_masters_equal_steps_on_different_squares_do_not_meet(square: str, enemy: str) -> None:
    """Light on c8 and dark on a8 have both walked 13 steps, and yet stand apart."""
    start = WAYS["masters"][LIGHT][WAYS["masters"][LIGHT].index(square) - 1]
    after = play(at(start, enemy, throw=1, path="masters"), f"{start}-{square}")
    assert squares(after, DARK) == {enemy}


@pytest.mark.rule("UC-15")
@pytest.mark.parametrize(
    ("preset", "changed"),
    [
        ("finkel", {}),
        ("blitz", {"path": "masters", "pieces": 5, "safe_rosettes": False, "capture_throws": True}),
        ("masters", {"path": "masters", "dice": "three", "safe_rosettes": False}),
        ("aseb", {"path": "aseb", "pieces": 5}),
    ],
)
def test_presets(preset: str, changed: dict[str, Any]) -> None:
    printed = msgspec.to_builtins(Options())
    assert msgspec.to_builtins(option_tools.build(RULES, preset)) == printed | changed


@pytest.mark.rule("UC-13", "UC-15")
def test_there_are_four_presets_and_finkel_is_the_default() -> None:
    assert list(RULES.presets) == ["finkel", "blitz", "masters", "aseb"]
    assert option_tools.build(RULES) == RULES.presets["finkel"] == Options()


@pytest.mark.rule("UC-13", "UC-15")
def test_explicit_options_override_a_preset() -> None:
    chosen = option_tools.build(RULES, "blitz", {"pieces": 3, "dice": "three"})
    assert chosen == Options(path="masters", pieces=3, dice="three", safe_rosettes=False, capture_throws=True)


@pytest.mark.rule("UC-15")
def test_aseb_board_has_twenty_squares_and_a_tail_of_twelve() -> None:
    used = {*walk(LIGHT, "aseb"), *walk(DARK, "aseb")} - {"off"}
    expected = {f"{row}{column}" for row in "ac" for column in range(1, 5)} | {f"b{n}" for n in range(1, 13)}
    assert used == expected


# A host's own board -------------------------------------------------------------------------------------------

SMALL = """\
# a short lane
name = "lane"
rosettes = ["b2"]
light = "a1 b1 b2 b3"
dark = "c1 b1 b2 b3"
"""


def board_file(folder: Path, content: str) -> Path:
    file = folder / "board.toml"
    file.write_text(content, encoding="utf-8")
    return file


@pytest.mark.rule("UC-13")
def test_a_hosts_own_board_is_played(tmp_path: Path) -> None:
    board = Board.load(board_file(tmp_path, SMALL))
    start = RULES.initial(Options(path=board, pieces=1, begins=0), 2)
    thrown = RULES.apply(start, Throw(3))
    on_rosette = RULES.apply(thrown, RULES.decode(thrown, "in-b2"))
    assert on_rosette.seat == LIGHT
    thrown = RULES.apply(on_rosette, Throw(2))
    won = RULES.apply(thrown, RULES.decode(thrown, "b2-off"))
    assert RULES.returns(won) == (1.0, 0.0)


@pytest.mark.rule("UC-13")
def test_a_board_file_can_be_given_as_an_option(tmp_path: Path) -> None:
    file = board_file(tmp_path, SMALL)
    (path,) = (field for field in option_tools.fields(RULES) if field.name == "path")
    assert path.read(str(file)) == Board.load(file)


def edited(old: str, new: str) -> str:
    assert old in SMALL
    return SMALL.replace(old, new)


@pytest.mark.rule("UC-13")
@pytest.mark.parametrize(
    ("content", "line", "says"),
    [
        (edited('name = "lane"', 'name = "lane'), 2, "TOML"),
        (edited('name = "lane"', "name = 7"), 2, "name"),
        (edited('["b2"]', '"b2"'), 3, "rosettes"),
        (edited('["b2"]', "[7]"), 3, "rosettes"),
        (edited('["b2"]', '["b4"]'), 3, "b4"),
        (edited('["b2"]', '["nonsense"]'), 3, "nonsense"),
        (edited('["b2"]', '["a1"]'), 3, "c1"),
        (edited('"a1 b1 b2 b3"', '"a1 b1 b2"'), 4, "4 to 40"),
        (edited('"a1 b1 b2 b3"', f'"{"a1 " * 41}"'), 4, "4 to 40"),
        (edited('"a1 b1 b2 b3"', '"a1 b1 b2 b13"'), 4, "b13"),
        (edited('"a1 b1 b2 b3"', '"a1 b1 b2 d3"'), 4, "d3"),
        (edited('"a1 b1 b2 b3"', '"a1 b1 b2 b0"'), 4, "b0"),
        (edited('"a1 b1 b2 b3"', '"a1 b1 b2 b1"'), 4, "b1"),
        (edited('"c1 b1 b2 b3"', '"c1 b1 b2 b4"'), 5, "c1 b1 b2 b3"),
        (edited('"c1 b1 b2 b3"', '"c1 b1 b2"'), 5, "4 to 40"),
        (SMALL + "colour = 3\n", 6, "colour"),
        (SMALL + "light = 'a1 b1 b2 b3'\n", 6, "TOML"),
        (edited('name = "lane"\n', ""), None, "name"),
        ("", None, "name"),
    ],
)
def test_a_faulty_board_file_names_line_and_fault(tmp_path: Path, content: str, line: int | None, says: str) -> None:
    file = board_file(tmp_path, content)
    with pytest.raises(BadFile) as caught:
        Board.load(file)
    assert caught.value.line == line
    assert says in str(caught.value)
    assert str(file) in str(caught.value)


@pytest.mark.rule("UC-13")
@pytest.mark.parametrize("kind", ["missing", "folder", "bytes", "huge"])
def test_what_is_no_board_file_is_refused(tmp_path: Path, kind: str) -> None:
    file = tmp_path / "board.toml"
    if kind == "folder":
        file.mkdir()
    elif kind == "bytes":
        file.write_bytes(b"\x89PNG\r\n\x1a\n\xff\xff")
    elif kind == "huge":
        file.write_bytes(b"#" * 5_000_000)
    with pytest.raises(BadFile):
        Board.load(file)


@pytest.mark.rule("UC-13")
def test_a_faulty_board_among_options_is_refused_as_an_option() -> None:
    """A record or a request may carry a whole board; a bad one is a bad option, nothing worse."""
    raw = msgspec.to_builtins(Options()) | {
        "path": {"name": "x", "rosettes": [], "light": "a1 a1 a1 a1", "dark": "c1 c1 c1 c1"}
    }
    with pytest.raises(BadOptions) as caught:
        option_tools.convert(RULES, raw)
    assert caught.value.field == "path"


@pytest.mark.rule("UC-2", "UC-5", "UC-6", "UC-7", "UC-10", "UC-11")
@pytest.mark.parametrize(
    ("before", "text", "rule"),
    [
        (at(), "throw-5", "UC-2"),
        (at(throw=1), "throw-1", "UC-2"),
        (at("a7", pieces=1, throw=1), "in", "UC-2"),
        (at(), "in", "UC-5"),
        (at(throw=1), "b1", "UC-5"),
        (at("b1", throw=1), "b1-b3", "UC-5"),
        (at("b1 b2", throw=1), "b1", "UC-6"),
        (at("b1", throw=0), "b1", "UC-7"),
        (at("b1", throw=1), "pass", "UC-7"),
        (at("b3", "b4", throw=1), "b3", "UC-10"),
        (at("a7", throw=2), "a7", "UC-11"),
    ],
)
def test_a_typed_illegal_move_names_its_rule(before: State, text: str, rule: str) -> None:
    with pytest.raises(IllegalAction) as caught:
        RULES.decode(before, text)
    assert caught.value.rule == rule
    assert f"({rule})" in str(caught.value)
    with pytest.raises(BadNotation):
        RULES.decode(before, "what?")
