"""UM-1 to UM-23, each by hand-made positions. test_agreement.py adds an independent generator of actions."""

from __future__ import annotations

from fractions import Fraction
from itertools import product

import pytest
from msgspec.structs import replace

from astragal.core.rules import Rematch
from astragal.core.types import CHANCE, OVER, BadOptions, IllegalAction
from astragal.games.ur_modern.actions import LOTS, THROWS, ClaimDraw, Pass
from astragal.games.ur_modern.board import SQUARES, LayoutName, ground
from astragal.games.ur_modern.options import Options
from astragal.games.ur_modern.state import State
from tests.games.ur_modern.positions import RULES, at, moves, play


def refused(state: State, text: str) -> str:
    """The id of the rule that forbids an action."""
    with pytest.raises(IllegalAction) as caught:
        RULES.decode(state, text)
    return caught.value.rule


@pytest.mark.rule("UM-1")
def test_seven_pieces_each_and_the_odds_of_two_dice() -> None:
    start = RULES.initial(Options(begins=0), 2)
    assert start.pools == (7, 7)
    faces = ("", "", "gold", "silver")  # blank 1/2, gold 1/4, silver 1/4
    names = {frozenset(): "blank", frozenset({"gold", "silver"}): "mixed"}
    odds: dict[str, Fraction] = {}
    for one, other in product(faces, repeat=2):
        coloured = [face for face in (one, other) if face]
        name = "one" if len(coloured) == 1 else names.get(frozenset(coloured), coloured[0] if coloured else "")
        odds[name] = odds.get(name, Fraction()) + Fraction(1, 16)
    assert RULES.chance(start) == THROWS
    assert {throw.tips: Fraction(weight, 16) for throw, weight in THROWS} == odds


@pytest.mark.rule("UM-2")
def test_the_moment_all_four_fortresses_are_held_the_game_is_won() -> None:
    before = at("a1 c1 a7 c8", "b5", "one")
    after = play(before, "c8-c7")
    assert RULES.turn(after) == OVER
    assert RULES.returns(after) == (1.0, 0.0)
    placed = play(at("a1 c1 c7 a8", "b5", "blank"), "+a7")  # however they got there
    assert RULES.turn(placed) == OVER
    assert RULES.returns(play(at("b5", "a1 c1 a7 c8", "one", seat=1), "c8-c7")) == (0.0, 1.0)


@pytest.mark.rule("UM-2")
def test_after_the_winning_step_the_rest_lapses() -> None:
    state = at("a1 c1 a7 c8", "", "mixed")
    assert "c8-c7" in moves(state)
    assert not any(text.startswith("c8-c7+") for text in moves(state))  # no second move after the win
    # a win on the second square of a way counts too
    lanes = at("a1 c1 a7 b8", "", "mixed", layout="lanes")
    assert RULES.turn(play(lanes, "b8-c7")) == OVER
    # c8-c7-b7 would pass over the winning square, so with b8 barred by an enemy b7 is out of reach
    assert "c8-b7" not in moves(at("a1 c1 a7 c8", "b8 b2", "mixed"))
    assert "c8-b7" in moves(at("a1 c1 a8 c8", "b8 b2", "mixed"))  # c7 does not win here


@pytest.mark.rule("UM-3")
def test_who_begins_the_first_game_and_the_rematch() -> None:
    lots = RULES.initial(Options(), 2)
    assert RULES.turn(lots) == CHANCE
    assert RULES.chance(lots) == LOTS
    assert RULES.apply(lots, LOTS[1][0]).seat == 1
    assert RULES.initial(Options(begins=1), 2).seat == 1
    assert RULES.rematch(0, (1.0, 0.0)) == Rematch(chooser=1)  # the loser chooses
    assert RULES.rematch(0, (0.0, 1.0)) == Rematch(chooser=0)
    assert RULES.rematch(0, (0.5, 0.5)) == Rematch(chooser=1)  # after a draw whoever did not begin
    assert RULES.rematch(1, (0.5, 0.5)) == Rematch(chooser=0)


@pytest.mark.rule("UM-4")
def test_a_turn_is_one_throw_and_one_action() -> None:
    start = RULES.initial(Options(begins=0, layout="royal"), 2)
    assert RULES.turn(start) == CHANCE
    assert refused(start, "+b1") == "UM-4"
    thrown = play(start, "throw-one")
    assert RULES.turn(thrown) == 0
    assert refused(thrown, "throw-one") == "UM-4"
    done = play(thrown, "+b1")
    assert (RULES.turn(done), done.seat, done.tips) == (CHANCE, 1, None)


@pytest.mark.rule("UM-5")
@pytest.mark.parametrize("tips", [throw.tips for throw, _ in THROWS])
def test_with_any_throw_a_piece_may_be_placed_on_the_entrance(tips: str) -> None:
    state = replace(at("a2", "b1 c3"), tips=tips)
    assert "+b1" in moves(state)
    after = play(state, "+b1")
    assert after.squares == (("a2", "b1"), ("c3",))  # the enemy there is captured
    assert after.pools == (5, 6)
    held = replace(at("b1", "c3"), tips=tips)
    assert "+b1" not in moves(held)
    assert refused(held, "+b1") == "UM-5"


@pytest.mark.rule("UM-6")
def test_one_coloured_tip_moves_one_piece_one_square() -> None:
    state = at("b5 a2", "", "one", pieces=4)
    assert moves(state) == {"+b1", "b5-b4", "b5-b6", "a2-a1", "a2-a3", "a2-b2"}
    assert refused(state, "b5-b3") == "UM-6"
    assert refused(state, "b5-b6+a2-a1") == "UM-6"
    assert refused(state, "c3-c2") == "UM-6"


@pytest.mark.rule("UM-7")
def test_two_coloured_tips_move_one_piece_up_to_two_squares_or_two_pieces_one_each() -> None:
    state = at("b5 a8", "", "mixed", pieces=4)
    written = moves(state)
    assert {"b5-b4", "b5-b3", "b5-a4", "b5-b7", "a8-a7", "a8-b7"} <= written
    assert "a8-a7+b5-b4" in written
    assert "b5-b2" not in written
    assert refused(state, "b5-b2") == "UM-7"
    assert refused(state, "b5-b4+b4-b3") in ("UM-6", "UM-7")  # the second must be another piece
    assert play(state, "b5-b4+a8-a7") == play(state, "a8-a7+b5-b4")  # either order may be typed


@pytest.mark.rule("UM-7")
def test_protection_is_judged_at_each_of_the_two_captures() -> None:
    state = at("b6 a8", "b7 a7 c4", "mixed")
    after = play(state, "b6-b7+a8-a7")  # Ishtar first, which exposes the fortress
    assert after.squares[1] == ("c4",)
    alone = at("a8", "b7 a7 c4", "mixed")
    assert "a8-a7" not in moves(alone)


@pytest.mark.rule("UM-7", "UM-17")
def test_ruling_is_judged_when_the_action_begins() -> None:
    # c2-c1 completes the Earth, but only after the action began: the second piece still stops at its capture
    state = at("a1 c2 b3", "b4 b5", "mixed")
    assert not any("xb4" in text for text in moves(state))
    ruling = at("a1 c1 b3", "b4 b5", "mixed")
    assert "b3xb4-b5" in moves(ruling)


@pytest.mark.rule("UM-8")
def test_special_throws_place_on_kingdom_ishtar_and_marduk() -> None:
    assert {t for t in moves(at("", "", "mixed")) if t[0] == "+"} == {"+b1", "+a4", "+b4", "+c4"}
    assert {t for t in moves(at("", "", "silver")) if t[0] == "+"} == {"+b1", "+b7"}
    assert {t for t in moves(at("", "", "gold")) if t[0] == "+"} == {"+b1", "+b6"}
    assert moves(at("", "", "one")) == {"+b1"}
    assert refused(at("b4", "", "mixed"), "+b4") == "UM-8"
    assert refused(at("", "", "one"), "+b7") == "UM-8"


@pytest.mark.rule("UM-9")
def test_two_blanks_place_beside_an_own_piece_and_move_nothing() -> None:
    state = at("a2 b7", "b2", "blank")
    assert moves(state) == {"+b1", "+a1", "+a3", "+b6", "+b8", "+a7", "+c7"}  # fortresses included
    assert refused(state, "a2-a3") == "UM-9"
    assert refused(state, "+b2") == "UM-9"  # held by an enemy
    assert refused(state, "+c3") == "UM-9"
    lanes = at("a2", "", "blank", layout="lanes")
    assert moves(lanes) == {"+a4", "+a1", "+a3"}  # b2 touches a2 but is no neighbour on the route


@pytest.mark.rule("UM-10")
def test_pieces_walk_the_route_both_ways_and_never_return_within_an_action() -> None:
    lanes = at("b1", "", "mixed", layout="lanes")
    walked = {t for t in moves(lanes) if t[0] != "+"}
    assert walked == {"b1-a1", "b1-c1", "b1-b2", "b1-a2", "b1-c2", "b1-b3"}
    state = at("b5", "", "mixed")
    assert "b5-b5" not in moves(state)
    assert refused(state, "b5-b5") == "UM-19"


@pytest.mark.rule("UM-10")
def test_the_same_result_is_one_action_whatever_the_way() -> None:
    state = at("a2 a3", "", "mixed", pieces=4)
    # a2 over a3 to a4, or a3 to a4 and a2 to a3: the same pieces stand on a3 and a4
    assert "a2-a4" in moves(state)
    assert not any(text in moves(state) for text in ("a2-a3+a3-a4", "a3-a4+a2-a3"))
    assert RULES.encode(RULES.decode(state, "a3-a4+a2-a3")) == "a2-a4"
    corner = at("b2", "", "mixed")  # two ways round to a3, no capture: one action
    assert sum(text.startswith("b2") and text.endswith("a3") for text in moves(corner)) == 1


@pytest.mark.rule("UM-10", "UM-17")
def test_the_way_is_named_where_the_captures_differ() -> None:
    ruling = at("a1 c1 b2", "a2 b3 c8", "mixed")
    assert {"b2xa2-a3", "b2xb3-a3"} <= moves(ruling)
    assert play(ruling, "b2xa2-a3").squares[1] == ("b3", "c8")
    assert play(ruling, "b2xb3-a3").squares[1] == ("a2", "c8")


@pytest.mark.rule("UM-11")
def test_enemies_cannot_be_passed_own_pieces_can() -> None:
    state = at("b5 b4", "b6 a8", "mixed")
    assert "b5-b7" not in moves(state)
    assert refused(state, "b5-b7") == "UM-11"
    assert "b5-b3" in moves(state)  # over the own piece on b4
    assert refused(state, "b5-b4") == "UM-11"  # but not onto it
    assert "b4-b6" in moves(state)  # a jump may end in a capture
    assert play(state, "b4-b6").squares == (("b5", "b6"), ("a8",))


@pytest.mark.rule("UM-11", "UM-15")
def test_a_protected_enemy_can_be_neither_entered_nor_passed() -> None:
    state = at("a8 b8", "a7 b7", "mixed")
    assert refused(state, "a8-a7") == "UM-15"
    assert not any("a7" in text for text in moves(state) if not text.startswith("b8-b7"))


@pytest.mark.rule("UM-12")
def test_a_capture_returns_the_piece_and_ends_the_movement() -> None:
    state = at("b4", "b5 a8", "mixed")
    assert "b4-b5" in moves(state)
    assert not any("xb5" in text for text in moves(state))
    assert refused(state, "b4xb5-b6") in ("UM-11", "UM-12")
    after = play(state, "b4-b5")
    assert (after.squares, after.pools) == ((("b5",), ("a8",)), (6, 6))
    other = at("b4 a2", "b5 a8", "mixed")
    assert play(other, "b4-b5+a2-a1").squares == (("a1", "b5"), ("a8",))  # another piece uses the rest


@pytest.mark.rule("UM-13")
def test_placing_captures_unless_the_option_is_off() -> None:
    state = at("", "b4 c8", "mixed")
    assert play(state, "+b4").squares[1] == ("c8",)
    off = at("", "b4 b1", "mixed", placing_captures=False)
    assert refused(off, "+b4") == "UM-13"
    assert play(off, "+b1").squares[1] == ("b4",)  # the Entrance is unaffected
    for tips, square in (("silver", "b7"), ("gold", "b6")):
        assert f"+{square}" in moves(replace(at("", f"{square} c8"), tips=tips))
        assert f"+{square}" not in moves(replace(at("", f"{square} c8", placing_captures=False), tips=tips))


@pytest.mark.rule("UM-14")
def test_an_only_piece_on_its_own_entrance_is_safe() -> None:
    assert refused(at("", "b1", "one"), "+b1") == "UM-14"
    assert refused(at("b2", "b1", "one"), "b2-b1") == "UM-14"
    assert "+b1" in moves(at("", "b1 c3", "one"))  # not the only one
    assert "b2-c2" in moves(at("b2", "c2", "one"))  # not on the Entrance
    lanes = at("a3", "a4", "one", layout="lanes")  # on the enemy's Entrance, not its own
    assert {"+a4", "a3-a4"} <= moves(lanes)
    assert refused(at("c3", "c4", "one", layout="lanes"), "c3-c4") == "UM-14"


@pytest.mark.rule("UM-14")
def test_the_last_piece_becomes_safe_within_an_action() -> None:
    state = at("a2 c2", "b1 b2", "mixed")
    pairs = {text for text in moves(state) if "+" in text[1:]}
    assert not any(text.endswith("-b1") and "-b2" in text.split("+")[0] for text in pairs)


@pytest.mark.rule("UM-15")
def test_ishtar_protects_fortresses_but_not_itself() -> None:
    guarded = at("a2 b6", "a1 b7", "one")
    assert refused(guarded, "a2-a1") == "UM-15"
    assert "b6-b7" in moves(guarded)
    assert "a2-a1" in moves(at("a2 b6", "a1 b8", "one"))
    assert "a2-a3" in moves(at("a2", "a3 b7", "one"))  # only fortresses are protected


@pytest.mark.rule("UM-16")
def test_moving_onto_a_fortress_gives_one_more_turn_placing_does_not() -> None:
    assert play(at("a2", "", "one"), "a2-a1").seat == 0
    assert play(at("a2", "", "blank"), "+a1").seat == 1
    two = play(at("a2 c2", "", "mixed"), "a2-a1+c2-c1")
    assert (two.seat, two.tips) == (0, None)  # one more turn for two fortresses
    again = play(two, "throw-one", "a1-a2")
    assert again.seat == 1
    assert play(at("a2 c2", "", "one"), "a2-a1", "throw-one", "c2-c1").seat == 0  # it may chain
    passing = play(at("a2", "", "mixed"), "a2-b1")  # over a1 or over b2: it does not end on a fortress
    assert passing.seat == 1


@pytest.mark.rule("UM-16", "UM-10")
def test_the_same_squares_with_and_without_another_turn_are_two_actions() -> None:
    state = at("a1 a2", "", "mixed", pieces=4)
    jump, follow = play(state, "a2-b1"), play(state, "a1-b1+a2-a1")
    assert jump.squares == follow.squares
    assert (jump.seat, follow.seat) == (1, 0)


@pytest.mark.rule("UM-17")
def test_ruling_the_earth_a_piece_goes_on_after_a_capture() -> None:
    state = at("a1 c1 b3", "b4 b5 c8", "mixed")
    both = play(state, "b3xb4-b5")
    assert both.squares == (("a1", "b5", "c1"), ("c8",))
    assert "b3xb4-c4" in moves(state)
    leaving = at("a1 c1", "a2 a3 c8", "mixed")
    assert "a1xa2-a3" in moves(leaving)  # even if it left an Earth fortress to do so
    assert "b3xb4-b5" not in moves(at("a1 c2 b3", "b4 b5 c8", "mixed"))


@pytest.mark.rule("UM-18")
def test_ruling_heaven_a_double_moves_one_piece_three_squares() -> None:
    state = at("a7 c7 b5", "", "silver")
    assert "b5-b2" in moves(state)
    assert "b5-b2" in moves(replace(state, tips="gold"))
    assert "b5-b2" not in moves(replace(state, tips="mixed"))
    assert "b5-b2" not in moves(at("a7 c8 b5", "", "silver"))
    assert not any("b5-b2+" in text or "+b5-b2" in text for text in moves(state))  # alone
    cut = at("a7 c7 b5", "b4 c1", "silver")
    assert not any("xb4" in text for text in moves(cut))
    assert "b5-b4" in moves(cut)


@pytest.mark.rule("UM-19")
def test_passing_only_when_nothing_else_is_possible() -> None:
    stuck = at("", "b1", "one")
    assert RULES.legal(stuck) == (Pass(),)
    passed = play(stuck, "pass")
    assert (passed.seat, passed.tips, passed.squares) == (1, None, stuck.squares)
    assert refused(at("b2", "", "one"), "pass") == "UM-19"


def repeat(rounds: int) -> State:
    """Light moves a2-a3 and back, Dark wanders, for so many actions of Light."""
    state, dark = at("a2 a4", "c8"), ["c8-b8", "b8-b7", "b7-b8", "b8-c8", "c8-c7", "c7-c8"]
    steps = iter(dark * 4)
    for n in range(rounds):
        state = play(state, "throw-one", "a2-a3" if n % 2 == 0 else "a3-a2", "throw-one")
        if n < rounds - 1:
            state = play(state, next(steps))
            while state.seat == 1:
                state = play(state, "throw-one", next(steps))
    return state


@pytest.mark.rule("UM-20")
def test_five_times_the_same_action_lets_either_side_claim_a_draw() -> None:
    four, five = repeat(4), repeat(5)
    assert RULES.claims(four) == ()
    assert RULES.claims(five) == ((0, ClaimDraw()), (1, ClaimDraw()))
    drawn = RULES.apply(five, ClaimDraw())
    assert (RULES.turn(drawn), RULES.returns(drawn)) == (OVER, (0.5, 0.5))
    assert refused(four, "claim-draw") == "UM-20"


@pytest.mark.rule("UM-20")
def test_the_claim_lasts_until_the_next_placing_or_move_and_another_action_starts_again() -> None:
    five = repeat(5)
    assert RULES.claims(play(five, "+b1")) == ()
    placing = at("", "c3", "one")
    for n in range(5):
        assert RULES.claims(placing) == ()
        placing = play(placing, "+b1")
        if n < 4:  # the piece is taken again and again, so the same placing is made five times
            placing = replace(placing, squares=((), placing.squares[1]), pools=(7, 6), seat=0, tips="one")
    assert RULES.claims(placing)
    stuck = replace(placing, squares=(("b1",), ()), pools=(6, 7), seat=1, tips="one")
    assert RULES.claims(play(stuck, "pass"))  # a pass does not end the claim


@pytest.mark.rule("UM-20")
def test_a_pass_or_another_action_breaks_the_habit() -> None:
    state = at("a2 a4", "c8", "one")
    once = play(state, "a2-a3")
    assert once.habits[0].times == 1
    back = play(replace(once, seat=0, tips="one"), "a3-a2")
    assert back.habits[0].times == 2  # there and back is the same
    other = play(replace(back, seat=0, tips="one"), "a4-b4")
    assert other.habits[0].times == 1
    passed = play(replace(at("", "b1", "one"), habits=back.habits), "pass")
    assert passed.habits[0].times == 0


@pytest.mark.rule("UM-21")
def test_with_an_empty_pool_nothing_can_be_placed() -> None:
    full = at("a2 a3 b2 b3", "c8", "blank", pieces=4)
    assert full.pools[0] == 0
    assert moves(full) == {"pass"}
    assert refused(full, "+b1") == "UM-21"


@pytest.mark.rule("UM-22")
def test_options_and_their_bounds() -> None:
    assert Options() == Options(pieces=7, layout="lanes", placing_captures=True, begins="lots")
    assert RULES.initial(Options(pieces=4, begins=1), 2).pools == (4, 4)
    with pytest.raises(BadOptions, match="no seat 3"):
        RULES.initial(Options(begins=2), 2)
    with pytest.raises(BadOptions, match="not 3"):
        RULES.initial(Options(), 3)


@pytest.mark.rule("UM-23")
def test_an_enemy_on_your_entrance_in_the_lanes_is_taken_by_placing() -> None:
    state = at("", "a4 c3", "one", layout="lanes")
    assert play(state, "+a4").squares == (("a4",), ("c3",))


@pytest.mark.rule("UM-23")
@pytest.mark.parametrize("name", ["royal", "lesser-earth", "lanes"])
def test_the_shipped_layouts_have_the_roles_of_the_rules_page(name: LayoutName) -> None:
    land = ground(name)
    expected = {
        "royal": ("a1 c1", "a7 c7", "b1 b1", "a4 b4 c4", "b6", "b7"),
        "lesser-earth": ("a7 c7", "a1 c1", "b8 b8", "a3 b3 c3", "b5", "b4"),
        "lanes": ("a1 c1", "a7 c7", "a4 c4", "b2 b3 b4", "b6", "b7"),
    }[name]
    assert (land.earth, land.heaven) == (frozenset(expected[0].split()), frozenset(expected[1].split()))
    assert (land.entrance, land.kingdom) == (tuple(expected[2].split()), tuple(expected[3].split()))
    assert (land.marduk, land.ishtar) == expected[4:]
    degree = {square: len(land.neighbours[square]) for square in SQUARES}
    assert degree["b2"] == (2 if name == "lanes" else 4)
    assert degree["b5"] == 2
    assert "a5" not in SQUARES
    assert len(SQUARES) == 20
