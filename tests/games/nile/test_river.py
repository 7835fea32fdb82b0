"""Where the river may go: joins, corners, dead ends, borders, the goal and crossings (NI-3 to NI-7, NI-12 to NI-16)."""

from __future__ import annotations

from collections import Counter

import pytest
from msgspec.structs import replace

from astragal.core.types import IllegalAction
from astragal.games.nile.actions import Lay
from astragal.games.nile.state import State
from astragal.games.nile.tiles import POINTS, kind_between, stock
from tests.games.nile.positions import OPTIONS, RULES, at, do, filled, legal, seen, tiles_in_play

FREE = replace(OPTIONS, encircle="free")
ANYONE = replace(OPTIONS, blue_finish="anyone")
SAME_TURN = OPTIONS  # the default (NI-12)

POCKET = "N N N E E S S W"  # then E2 is the head, and leaving it northwards shuts the river in at E3
LOOP = "N N N E S S"  # then E2 is the head, entered from the north, with D2 beside it
ASCENT = "N N N N N N"  # then the blue D7 is the head


def refused(state: State, action: str | Lay, rule: str) -> str:
    """The sentence with which an action is refused under this rule."""
    with pytest.raises(IllegalAction) as error:
        do(state, action) if isinstance(action, str) else RULES.apply(state, action)
    assert error.value.rule == rule, str(error.value)
    assert action not in RULES.legal(state)
    assert rule in str(error.value)
    return str(error.value)


def holding(acts: str, exit: str, *others: str, options: object = OPTIONS) -> tuple[State, Lay]:
    """A player who holds just the tile that leads from the head to this exit (and others), and that play."""
    assert isinstance(options, type(OPTIONS))
    name, entry = seen(at(acts, options=options), None).head or ("", 0)
    kind = kind_between(entry, POINTS.index(exit))
    state = at(acts, " ".join((kind, *others)), "straight", options=options)
    return state, Lay(name, kind, POINTS.index(exit))


@pytest.mark.rule("NI-3")
def test_a_tile_goes_onto_the_head_and_nowhere_else() -> None:
    state = at("N", "straight curve", "")
    assert seen(state, None).head == ("D2", 4)
    assert "D2" in refused(state, "D3:straight-N", "NI-3")
    refused(state, "D1:straight-N", "NI-3")
    refused(state, "S", "NI-3")
    assert legal(state) == {"D2:straight-N", "D2:curve-E", "D2:curve-W"}


@pytest.mark.rule("NI-4")
def test_a_corner_leads_to_the_diagonally_opposite_field_only() -> None:
    state = at("NE", "straight curve near-left near-right diagonal bow", "")
    assert seen(state, None).head == ("E2", 5)
    for sharp in ("E1", "D2"):  # the two other fields at that corner
        for text in (f"{sharp}:curve-E", f"{sharp}:near-left-S"):
            action = Lay(sharp, "curve", 2) if "curve" in text else Lay(sharp, "near-left", 4)
            refused(state, action, "NI-4")
    assert do(state, "E2:diagonal-NE").river[-1].field == "E2"


@pytest.mark.rule("NI-5")
def test_a_corner_is_used_once() -> None:
    state, play = holding("NE E S W", "NW")  # from E1 back through the corner between D1 and E2
    assert play.field == "E1"
    assert "corner" in refused(state, play, "NI-5")


@pytest.mark.rule("NI-5")
def test_squeezing_between_two_occupied_fields_is_allowed() -> None:
    acts = "E N N E N N W W S W S E"  # the head is D3; D4 and E3 are covered, E4 is empty
    state, play = holding(acts, "NE", options=FREE)
    covered = {one.field for one in state.river}
    assert {"D4", "E3"} <= covered
    assert "E4" not in covered
    assert seen(RULES.apply(state, play), None).head == ("E4", 5)


@pytest.mark.rule("NI-6")
def test_a_dead_end_is_refused() -> None:
    state, play = holding("N N E S", "W")  # from E2 into D2
    assert "taken" in refused(state, play, "NI-6")


@pytest.mark.rule("NI-6")
def test_only_who_keeps_a_universal_may_shut_the_river_in() -> None:
    state, play = holding(POCKET, "N", "bow")
    assert (play.field, seen(state, None).river[-1].shut) == ("E2", False)
    assert "shut in" in refused(state, play, "NI-6")
    keeper, play = holding(POCKET, "N", "universal")
    after = RULES.apply(keeper, play)
    assert after.river[-1].shut
    free, play = holding(POCKET, "N", "bow", options=FREE)
    assert RULES.apply(free, play).river[-1].shut


@pytest.mark.rule("NI-6")
def test_a_universal_that_is_laid_is_not_kept() -> None:
    state = at(POCKET, "universal bow", "")
    refused(state, Lay("E2", "universal", 0, "curve"), "NI-6")
    two = at(POCKET, "universal universal", "")
    assert RULES.apply(two, Lay("E2", "universal", 0, "curve")).river[-1].shut


@pytest.mark.rule("NI-6")
def test_the_river_need_not_be_playable_with_the_tiles_in_hand() -> None:
    state = do(at("N", "straight bow", ""), "D2:straight-N")
    assert legal(state) == {"stop"}  # a bow does not fit a side, and that is no reason to refuse the straight


@pytest.mark.rule("NI-6")
def test_a_used_corner_bars_the_way_out() -> None:
    # Round E3 only F4 is empty, and the river has used the corner between the two.
    state, play = holding("N N N E SE S W", "N")
    assert play.field == "E2"
    assert "F4" not in {one.field for one in state.river}
    assert "shut in" in refused(state, play, "NI-6")


@pytest.mark.rule("NI-7")
@pytest.mark.parametrize("exit", ["W", "NW", "SW"])
def test_the_left_border_is_not_touched(exit: str) -> None:
    state, play = holding("W W NW", exit)  # the head is A2, entered at its corner SE
    assert play.field == "A2"
    assert "border" in refused(state, play, "NI-7")


@pytest.mark.rule("NI-7")
@pytest.mark.parametrize("exit", ["S", "SE", "SW"])
def test_the_lower_border_is_touched_at_the_start_only(exit: str) -> None:
    state, play = holding("E", exit)
    assert play.field == "E1"
    refused(state, play, "NI-7")


@pytest.mark.rule("NI-7", "NI-11")
def test_five_kinds_can_begin() -> None:
    kinds: dict[str, bool] = {}
    for kind in stock("nile").value:
        kinds[kind] = legal(at("", kind, "")) != {"pass"}
    assert [kind for kind, opens in kinds.items() if opens] == [
        "straight",
        "curve",
        "far-left",
        "far-right",
        "universal",
    ]


@pytest.mark.rule("NI-7", "NI-12")
def test_the_corners_of_the_board_are_never_touched() -> None:
    for way, exit, other in (("W W W", "NW", "NE"), ("E E E", "NE", "NW")):
        acts = f"{way} N N N N N N"
        state, play = holding(acts, exit)
        assert play.field in ("A7", "G7")
        assert "corner of the board" in refused(state, play, "NI-7")
        fine, play = holding(acts, other)
        assert RULES.apply(fine, play).phase == "over"


# Blue -----------------------------------------------------------------------------------------------------------


@pytest.mark.rule("NI-12")
def test_the_river_ends_at_the_far_edge_or_runs_along_blue() -> None:
    everything = "straight curve far-left far-right near-left near-right"
    state = at(ASCENT, everything, "")
    assert legal(state) == {"D7:straight-N", "D7:far-left-NW", "D7:far-right-NE", "D7:curve-E", "D7:curve-W"}
    assert "leave" in refused(state, "D7:near-left-SW", "NI-12")
    refused(state, "D7:near-right-SE", "NI-12")
    for end in ("N", "NW", "NE"):
        assert do(state, end).phase == "over"


@pytest.mark.rule("NI-12")
def test_a_player_may_stop_on_blue_and_another_ends_there_and_scores() -> None:
    begun = at(ASCENT, "curve bow bow bow bow", "curve straight", options=ANYONE)
    state = filled(do(begun, "D7:curve-E", "stop"))
    assert [line.total for line in state.sheet] == [2]  # no blue number yet
    assert state.seat == 1
    assert "leave" in refused(state, Lay("E7", "curve", 4), "NI-12")
    over = do(state, "E7:curve-N")
    assert over.phase == "over"
    assert [(line.seat, line.goal) for line in over.sheet if line.how == "laid"] == [(0, 0), (1, 50)]


@pytest.mark.rule("NI-12")
def test_along_blue_the_river_stays_on_the_board() -> None:
    state, play = holding(f"{ASCENT} E E E", "E")
    assert play.field == "G7"
    refused(state, play, "NI-7")


@pytest.mark.rule("NI-12")
def test_same_turn_must_end_what_it_begins() -> None:
    assert SAME_TURN.blue_finish == "same_turn"
    cannot = at(ASCENT, "curve bow diagonal", "", options=SAME_TURN)
    assert legal(cannot) == {"pass"}
    assert "ends the river" in refused(cannot, "D7:curve-E", "NI-12")
    can = at(ASCENT, "curve curve bow", "", options=SAME_TURN)
    assert legal(can) == {"D7:curve-E", "D7:curve-W"}
    entered = do(can, "E")
    assert legal(entered) == {"E7:curve-N"}
    assert "must end it" in refused(entered, "stop", "NI-12")
    assert do(entered, "N").phase == "over"
    assert legal(at(ASCENT, "straight", "", options=SAME_TURN)) == {"D7:straight-N"}


@pytest.mark.rule("NI-12")
def test_same_turn_looks_ahead_through_several_tiles() -> None:
    state = at(ASCENT, "curve straight straight far-left", "", options=SAME_TURN)
    # To the west a far left would turn down to SW, so there nothing could end the river.
    assert legal(state) == {"D7:straight-N", "D7:far-left-NW", "D7:curve-E"}
    state = do(state, "E")
    assert legal(state) == {"E7:straight-E", "E7:far-left-NE"}
    state = do(state, "E7:straight-E")
    assert legal(state) == {"F7:far-left-NE"}  # one field further, NE is a corner of the board


# Crossings ------------------------------------------------------------------------------------------------------


@pytest.mark.rule("NI-15", "NI-16")
def test_a_crossing_is_one_act_of_two_tiles() -> None:
    state = at(LOOP, "curve universal bow", "straight")
    assert [one.field for one in state.river] == ["D1", "D2", "D3", "D4", "E4", "E3"]
    assert "E2:curve-W+universal" in legal(state)
    after = do(state, "E2:curve-W+universal")
    lead, crossing = after.river[-2:]
    assert (lead.field, lead.tile, lead.exit) == ("E2", "curve", 6)
    assert (crossing.field, crossing.tile, crossing.entry, crossing.exit) == ("D2", "universal", 2, 6)
    assert crossing.replaced == "straight"
    assert seen(after, None).head == ("C2", 2)
    assert after.racks[0] == ("bow",)
    assert after.laid == 2


@pytest.mark.rule("NI-15")
def test_the_crossed_tile_goes_back_into_the_bag_at_once() -> None:
    state = at(LOOP, "curve universal bow", "straight")
    after = do(state, "E2:curve-W+universal")
    assert after.bag[0] == state.bag[0] + 1
    assert tiles_in_play(after) == tiles_in_play(state)
    assert sum(tiles_in_play(after).values()) == 104


@pytest.mark.rule("NI-15", "NI-9")
def test_the_crossed_tile_keeps_its_score() -> None:
    state = at("", "straight straight straight curve curve", "straight universal curve")
    state = filled(do(state, "N", "N", "N", "E", "S", "stop"))
    scored = state.sheet[0].total
    state = do(state, "E3:straight-S", "E2:curve-W+universal", "stop")
    assert state.sheet[0].total == scored
    assert state.sheet[1].tiles == ("straight", "curve", "universal")
    assert state.sheet[1].total == 1 + 2 + 10


@pytest.mark.rule("NI-15")
def test_a_crossing_needs_a_universal_besides_the_lead() -> None:
    refused(at(LOOP, "curve bow", ""), Lay("E2", "curve", 6, crossing=True), "NI-15")
    refused(at(LOOP, "universal bow", ""), Lay("E2", "universal", 6, "curve", crossing=True), "NI-15")
    both = at(LOOP, "universal universal", "")
    after = RULES.apply(both, Lay("E2", "universal", 6, "curve", crossing=True))
    assert [one.stands for one in after.river[-2:]] == ["curve", None]


@pytest.mark.rule("NI-15")
def test_a_crossing_needs_something_to_cross() -> None:
    state = at(LOOP, "curve universal straight", "")
    assert "no tile to cross" in refused(state, Lay("E2", "curve", 2, crossing=True), "NI-15")  # F2 is empty


@pytest.mark.rule("NI-15")
def test_the_field_behind_a_crossing_must_be_free() -> None:
    # D2 to D4 go north, E4 to E2 come back, F2 and F3 follow; west of F3 lies E3, and behind it D3 is covered.
    state = at("N N N E S S E N", "curve universal", "")
    assert seen(state, None).head == ("F3", 4)
    assert "beyond" in refused(state, Lay("F3", "curve", 6, crossing=True), "NI-15")


@pytest.mark.rule("NI-15")
def test_a_crossing_keeps_off_the_old_line() -> None:
    # E4 is a curve from W to S; entered from the east it would leave at W, where its old line is.
    state = at("N N N E S S E N N", "straight curve universal", "")
    assert seen(state, None).head == ("F4", 4)
    assert "along its own line" in refused(state, Lay("F4", "curve", 6, crossing=True), "NI-15")


@pytest.mark.rule("NI-5", "NI-15")
def test_a_crossing_keeps_off_used_corners() -> None:
    # Both rivers come down to the south-east of a curve that leaves its corners SE and NW alone. In the second one
    # the corner NW of that curve is where the river went from C3 to D4.
    for acts, lead_field, crossed, allowed in (
        ("N NE N E S S", "F2", "E3", True),
        ("N N W NE E S S", "E2", "D3", False),
    ):
        state, play = holding(acts, "NW", "universal")
        assert play.field == lead_field
        crossing = replace(play, crossing=True)
        if allowed:
            assert RULES.apply(state, crossing).river[-1].field == crossed
        else:
            assert crossed in {one.field for one in state.river}
            refused(state, crossing, "NI-5")


@pytest.mark.rule("NI-16")
def test_a_universal_on_the_board_cannot_be_replaced() -> None:
    state = at("N universal=straight-N N E S S", "curve universal", "")
    assert state.river[1].tile == "universal"
    assert "cannot be replaced" in refused(state, Lay("E2", "curve", 6, crossing=True), "NI-16")


@pytest.mark.rule("NI-16")
def test_the_start_tile_can_be_crossed() -> None:
    state = at("N N E S S", "curve universal", "")  # the head is E1, entered from the north, D1 beside it
    assert seen(state, None).head == ("E1", 0)
    after = do(state, "E1:curve-W+universal")
    assert after.river[-1].field == "D1"
    assert seen(after, None).head == ("C1", 2)


@pytest.mark.rule("NI-16")
def test_a_crossing_is_compulsory_if_it_is_the_only_play() -> None:
    shut = at(f"{POCKET} N", "curve universal", "straight")  # shut in at E3
    assert seen(shut, None).river[-1].shut
    plays = legal(shut)
    assert "pass" not in plays
    assert all(text.endswith("+universal") for text in plays)
    refused(shut, "pass", "NI-8")


@pytest.mark.rule("NI-6", "NI-10", "NI-15")
def test_an_encirclement_and_its_answer() -> None:
    """Who shut the river in breaks out again after the other has lost a rack."""
    state = at(POCKET, "curve curve universal", "straight straight curve")
    state = filled(do(state, "E2:curve-N", "stop"), "straight", "straight")
    assert legal(state) == {"pass"}  # seat 1 holds no universal, so every tile would leave the river shut in
    state = filled(do(state, "pass"))
    assert state.sheet[-1].total == -4
    assert state.seat == 0
    assert "E3:curve-W+universal" in legal(state)
    after = do(state, "E3:curve-W+universal")
    assert not after.river[-1].shut
    assert seen(after, None).head == ("C3", 2)


@pytest.mark.rule("NI-16", "NI-9")
def test_the_lead_takes_its_fields_colour_and_the_universal_does_not() -> None:
    options = replace(OPTIONS, board="small")
    # Round G3, which is green, and then down through it: N and S are free there.
    acts = "N NE E N W"  # F1 F2 G3 H3 H4, and the head is G4, entered at E
    river = at(acts, options=options)
    assert seen(river, None).head == ("G4", 2)
    state = at(acts, "curve universal", "", options=options)
    after = do(state, "G4:curve-S+universal")
    line = seen(after, None).pending
    assert line is not None
    assert after.river[-1].field == "G3"  # green, and covered before
    assert line.fields == ()
    assert line.total == 12
    assert Counter(line.tiles) == Counter({"curve": 1, "universal": 1})
