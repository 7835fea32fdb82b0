"""Hand-made positions for the naive rules in brute.py; every expectation is worked out by hand."""

from __future__ import annotations

from itertools import pairwise
from typing import Any

import pytest

from tests.games.ur_modern.brute import Outcome, Position, outcomes

SQUARES = [f"{row}{col}" for row in "abc" for col in range(1, 9) if row == "b" or col not in (5, 6)]


def _touch(one: str, two: str) -> bool:
    return abs(ord(one[0]) - ord(two[0])) + abs(int(one[1]) - int(two[1])) == 1


ROYAL: dict[str, Any] = {
    "earth_fortresses": ["a1", "c1"],
    "heaven_fortresses": ["a7", "c7"],
    "entrance": ["b1", "b1"],
    "kingdom": ["a4", "b4", "c4"],
    "marduk": "b6",
    "ishtar": "b7",
    "route": {s: [t for t in SQUARES if _touch(s, t)] for s in SQUARES},
}

MIDDLE = ["b1", "b2", "b3", "b4", "b5", "b6", "b7", "b8"]
LANES_PATHS = [
    ["a4", "a3", "a2", "a1", *MIDDLE, "a8", "a7"],
    ["c4", "c3", "c2", "c1", *MIDDLE, "c8", "c7"],
]
LANES_EDGES = {edge for path in LANES_PATHS for edge in pairwise(path)}
LANES: dict[str, Any] = {
    **ROYAL,
    "entrance": ["a4", "c4"],
    "kingdom": ["b2", "b3", "b4"],
    "route": {s: [t for t in SQUARES if (s, t) in LANES_EDGES or (t, s) in LANES_EDGES] for s in SQUARES},
}


def pos(mine: str, theirs: str, my_pool: int, their_pool: int = 0) -> Position:
    return Position(frozenset(mine.split()), frozenset(theirs.split()), my_pool, their_pool)


def quiet(*positions: Position) -> set[Outcome]:
    return {Outcome(position, False, False) for position in positions}


def again(*positions: Position) -> set[Outcome]:
    return {Outcome(position, True, False) for position in positions}


def won(*positions: Position) -> set[Outcome]:
    return {Outcome(position, False, True) for position in positions}


def play(position: Position, throw: str, captures: bool = True) -> frozenset[Outcome]:
    return outcomes(ROYAL, position, 0, throw, captures)


@pytest.mark.parametrize(
    ("throw", "squares"),
    [
        ("blank", "b1"),
        ("one", "b1"),
        ("mixed", "b1 a4 b4 c4"),
        ("silver", "b1 b7"),
        ("gold", "b1 b6"),
    ],
)
def test_first_placing(throw: str, squares: str) -> None:
    """UM-5, UM-8: what an empty board offers."""
    expected = quiet(*(pos(square, "", 6, 7) for square in squares.split()))
    assert play(pos("", "", 7, 7), throw) == expected


def test_only_piece_on_entrance_is_safe_from_placing() -> None:
    """UM-14, UM-19: nothing to do but pass; a second enemy piece ends the protection."""
    start = pos("", "b1", 7, 6)
    assert play(start, "one") == quiet(start)
    assert play(start, "mixed") == quiet(*(pos(s, "b1", 6, 6) for s in ("a4", "b4", "c4")))
    assert play(pos("", "b1 a8", 7, 5), "one") == quiet(pos("b1", "a8", 6, 6))


def test_two_blanks() -> None:
    """UM-9, UM-16, UM-21: next to an own piece, empty only, no extra turn, no moving."""
    # Neighbours of c2 are c1 (a fortress), b2 (enemy) and c3; b1 is the entrance (UM-5).
    assert play(pos("c2", "b2", 6, 6), "blank") == quiet(
        pos("c2 c1", "b2", 5, 6), pos("c2 c3", "b2", 5, 6), pos("c2 b1", "b2", 5, 6)
    )
    empty = pos("c2", "b2", 0, 6)
    assert play(empty, "blank") == quiet(empty)


def test_placing_can_win() -> None:
    """UM-2: the fourth fortress may be reached by placing."""
    outcomes = play(pos("a1 a7 c7 c2", "", 1), "blank")
    assert {o for o in outcomes if o.won} == won(pos("a1 a7 c7 c2 c1", "", 0))


def test_one_coloured() -> None:
    """UM-6, UM-16, UM-11: one square; a fortress gives another turn; own squares are closed."""
    assert play(pos("a2", "", 0), "one") == quiet(pos("a3", "", 0), pos("b2", "", 0)) | again(pos("a1", "", 0))
    # a1 may go to b1 only, a2 to a3 and b2 only; neither onto the other.
    assert play(pos("a1 a2", "", 0), "one") == quiet(pos("b1 a2", "", 0), pos("a1 a3", "", 0), pos("a1 b2", "", 0))


def test_two_coloured_jumps_and_trains() -> None:
    """UM-7, UM-10, UM-11, UM-16: the complete list for two neighbouring pieces.

    a1 b1 comes about twice: a2 jumps over a1 to b1 (no extra turn), or a1 goes to b1 and a2
    follows to the fortress a1 (extra turn).
    """
    without = ["a1 a3", "a1 b2", "a1 b1", "a1 a4", "a1 b3", "a1 c2"]
    without += ["a2 b1", "a2 a3", "a2 b2", "a3 b1", "b1 b2"]
    assert play(pos("a1 a2", "", 0), "mixed") == quiet(*(pos(m, "", 0) for m in without)) | again(
        pos("a2 c1", "", 0), pos("a1 b1", "", 0)
    )


def test_extra_turn_whichever_piece_moved_last() -> None:
    """UM-16: one of two pieces reaching a fortress is enough, in either order; passing is not."""
    outcomes = play(pos("a2 b5", "", 0), "mixed")
    assert {o for o in outcomes if o.after.mine == {"a1", "b6"}} == again(pos("a1 b6", "", 0))
    assert {o for o in outcomes if o.after.mine == {"b1", "b5"}} == quiet(pos("b1 b5", "", 0))
    # A fortress piece that stays put gives nothing, whatever else moves.
    assert not any(o.again for o in play(pos("a7 b3", "", 0), "mixed") if "a7" in o.after.mine)


def test_capture_ends_the_movement() -> None:
    """UM-11, UM-12: b6 is captured, b7 behind it is out of reach."""
    assert play(pos("b5", "b6 c8", 0), "gold") == quiet(
        pos("b4", "b6 c8", 0),
        pos("b3", "b6 c8", 0),
        pos("a4", "b6 c8", 0),
        pos("c4", "b6 c8", 0),
        pos("b6", "c8", 0, 1),
    )


def test_ishtar_protects_until_taken() -> None:
    """UM-7, UM-15: a7 falls only after b7, then also within the same action."""
    start = pos("b6 a8", "b7 a7", 0)
    assert play(start, "one") == quiet(pos("b5 a8", "b7 a7", 0), pos("b6 b8", "b7 a7", 0), pos("b7 a8", "a7", 0, 1))
    outcomes = play(start, "mixed")
    # b6xb7, then a8xa7 with the other piece: the only way to a fortress here.
    assert {o for o in outcomes if o.again} == again(pos("b7 a7", "", 0, 2))
    # One piece alone may not go on from b7 (UM-12), so a8 never stays behind with a7 taken.
    assert not any("a8" in o.after.mine and "a7" not in o.after.theirs for o in outcomes)


def test_ruling_the_earth_goes_on_after_a_capture() -> None:
    """UM-17, UM-7: b6xb7 may stop, go on to b8 or c7, or take a7, which is now exposed."""
    outcomes = play(pos("a1 c1 b6", "b7 a7", 0), "mixed")
    assert {o for o in outcomes if {"a1", "c1"} <= o.after.mine} == quiet(
        pos("a1 c1 b5", "b7 a7", 0),
        pos("a1 c1 b4", "b7 a7", 0),
        pos("a1 c1 b7", "a7", 0, 1),
        pos("a1 c1 b8", "a7", 0, 1),
    ) | again(pos("a1 c1 c7", "a7", 0, 1), pos("a1 c1 a7", "", 0, 2))


def test_capture_may_create_protection() -> None:
    """UM-14 judged at each capture (UM-7): after b2 falls, b1 is an only piece on its entrance."""
    outcomes = play(pos("a1 c1 b3", "b1 b2", 0), "mixed")
    double = {o.after.mine for o in outcomes if not o.after.theirs}
    # b1 must fall first, to a1 or to c1; then b2 falls to the same piece going on (UM-17) or to
    # b3 as the second piece.  Never b3xb2xb1, and never b3xb2 followed by a1xb1.
    assert double == {
        frozenset({"b2", "c1", "b3"}),
        frozenset({"a1", "b2", "b3"}),
        frozenset({"b1", "c1", "b2"}),
        frozenset({"a1", "b1", "b2"}),
    }


def test_win_cuts_the_action_short() -> None:
    """UM-2: c8 cannot pass through c7 to b7, entering c7 wins; no extra turn."""
    outcomes = play(pos("a1 c1 a7 c8", "b8", 0), "mixed")
    assert {o for o in outcomes if o.won} == won(pos("a1 c1 a7 c7", "b8", 0))
    # b7 with b8 still there would have to come through c7; taking b8 on the way is fine (UM-17).
    assert not any(o.after == pos("a1 c1 a7 b7", "b8", 0) for o in outcomes)
    assert quiet(pos("a1 c1 a7 b7", "", 0, 1)) <= outcomes
    # The other order is no win: a1 leaves first, then c8 reaches c7 and earns a turn (UM-16).
    assert again(pos("a2 c1 a7 c7", "b8", 0)) <= outcomes
    # With b1 as a second piece: c8-c7 wins at once, or b1-b2 comes first.
    outcomes = play(pos("a1 c1 a7 c8 b1", "", 0), "mixed")
    assert {o for o in outcomes if o.won} == won(pos("a1 c1 a7 c7 b1", "", 0), pos("a1 c1 a7 c7 b2", "", 0))


def test_win_by_jumping() -> None:
    """UM-2, UM-11: b8 passes the own c8 and wins on c7; c8 and b8 may also go one after another."""
    outcomes = play(pos("a1 c1 a7 c8 b8", "", 0), "mixed")
    assert {o for o in outcomes if o.won} == won(
        pos("a1 c1 a7 c7 b8", "", 0),  # c8-c7
        pos("a1 c1 a7 c7 c8", "", 0),  # b8-c8-c7 or b8-b7-c7
        pos("a1 c1 a7 c7 a8", "", 0),  # b8-a8, then c8-c7
        pos("a1 c1 a7 c7 b7", "", 0),  # b8-b7, then c8-c7
    )


def test_ruling_heaven() -> None:
    """UM-18: three squares for one piece alone, two of a kind only, judged at the beginning."""
    start = pos("a7 c7 b4", "", 0)
    three = quiet(pos("a7 c7 b7", "", 0), pos("c8 c7 b4", "", 0))  # c8: a7-a8-b8-c8
    assert three <= play(start, "silver")
    assert three <= play(start, "gold")
    assert not three & play(start, "mixed")
    assert not three & play(pos("a7 b4", "", 0), "silver")
    # A capture after two squares ends it, and the third square is lost for everybody.
    outcomes = play(pos("a7 c7 b4", "b6 a1", 0), "silver")
    taken = {o for o in outcomes if "b6" not in o.after.theirs}
    assert taken >= quiet(pos("a7 c7 b6", "a1", 0, 1))
    assert all("b4" in o.after.mine or o.after.mine == {"a7", "c7", "b6"} for o in taken)


def test_placing_captures_option() -> None:
    """UM-13: the option closes enemy-held Kingdom, Ishtar and Marduk, never the Entrance."""
    start = pos("", "a4 b6 b7 b1", 7)
    entrance = quiet(pos("b1", "a4 b6 b7", 6, 1))
    kingdom = quiet(pos("b4", "a4 b6 b7 b1", 6), pos("c4", "a4 b6 b7 b1", 6))
    assert play(start, "mixed", captures=False) == entrance | kingdom
    assert play(start, "silver", captures=False) == entrance
    assert play(start, "gold", captures=False) == entrance
    assert play(start, "mixed") == entrance | kingdom | quiet(pos("a4", "b6 b7 b1", 6, 1))
    assert play(start, "silver") == entrance | quiet(pos("b7", "a4 b6 b1", 6, 1))
    assert play(start, "gold") == entrance | quiet(pos("b6", "a4 b7 b1", 6, 1))


def test_entrance_by_seat() -> None:
    """UM-14, UM-23: only the owner's entrance protects, and the route is the layout's."""
    # Light's only piece stands on dark's entrance c4: dark places there and captures.
    assert outcomes(LANES, pos("", "c4", 7, 6), 1, "one", True) == quiet(pos("c4", "", 6, 7))
    # On its own entrance a4 it is safe from dark's a3, which can only go back to a2.
    assert outcomes(LANES, pos("a3", "a4", 0, 6), 1, "one", True) == quiet(pos("a2", "a4", 0, 6))
    # Were it dark's piece on a4 and light to move, it would be taken (a2-b2 is no lane).
    assert outcomes(LANES, pos("a3", "a4", 0, 6), 0, "one", True) == quiet(pos("a2", "a4", 0, 6), pos("a4", "", 0, 7))


@pytest.mark.parametrize("squares", [("a1 c1 a7 c7", "b1"), ("b1", "a1 c1 a7 c7"), ("b1", "b1")])
def test_refuses_what_is_no_position_to_act_in(squares: tuple[str, str]) -> None:
    """UM-2: after the end there are no actions."""
    with pytest.raises(ValueError):
        play(pos(*squares, 2), "one")
