"""Who does what when: drawing, turns, scores, passing, and the end (NI-2, NI-8 to NI-11, NI-17, NI-18)."""

from __future__ import annotations

import pytest
from msgspec.structs import replace

from astragal.core.types import CHANCE, OVER, BadOptions, IllegalAction
from astragal.games.nile.actions import PASSES, STOPS, Action, Draw, Lay, Resign
from astragal.games.nile.board import Board, grid
from astragal.games.nile.diagrams import example_turn
from astragal.games.nile.options import Options
from astragal.games.nile.score_sheet import Laid, ScoreLine, scores, turn_line
from astragal.games.nile.state import State, ending
from astragal.games.nile.tiles import Kind, Tile, TileSet, stock
from astragal.games.nile.view import Drew, Led, Passed, Stopped, Waited
from tests.games.nile.positions import RULES, at, do, filled, legal, rack, random_game, seen, tiles_in_play

SMALL = Options(board="small", begins=0)


def refused(state: State, action: Action, rule: str) -> None:
    assert action not in RULES.legal(state)
    with pytest.raises(IllegalAction) as error:
        RULES.apply(state, action)
    assert error.value.rule == rule, str(error.value)


def draws(state: State, text: str) -> State:
    """Draws `straight bow ...`, each of which must be possible."""
    for kind in rack_in_order(text):
        state = RULES.apply(state, Draw(kind))
    return state


def rack_in_order(text: str) -> list[Kind]:
    return [rack(word)[0] for word in text.split()]


# Beginning ----------------------------------------------------------------------------------------------------


@pytest.mark.rule("NI-2")
def test_the_highest_three_tiles_begin_and_racks_are_dealt_to_the_left() -> None:
    state = RULES.initial(Options(board="first", tiles="first"), 3)
    assert RULES.turn(state) == CHANCE
    assert {action.kind: weight for action, weight in RULES.chance(state) if isinstance(action, Draw)} == {
        "straight": 15, "curve": 15, "far-left": 15, "far-right": 15, "diagonal": 10, "near-left": 10,
        "near-right": 10, "bow": 10, "universal": 4,
    }  # fmt: skip
    state = draws(state, "straight curve straight bow straight bow bow curve curve")  # 4, 13, 10
    assert state.phase == "deal"
    assert (state.first, state.seat) == (1, 1)
    assert state.bag == stock("first").counts, "all tiles went back"
    order = []
    while RULES.turn(state) == CHANCE:
        order.append(state.seat)
        state = RULES.apply(state, RULES.chance(state)[0][0])
    assert order == [1] * 5 + [2] * 5 + [0] * 5
    assert state.seat == 1
    assert [len(held) for held in state.racks] == [5, 5, 5]


@pytest.mark.rule("NI-2")
def test_only_those_who_tie_draw_again() -> None:
    state = draws(RULES.initial(Options(), 3), "bow bow straight straight straight straight bow straight bow")
    assert state.phase == "lots"
    assert state.rivals == (0, 2)
    assert sum(state.bag) == 104 - 3, "the tiles of the third player stay out"
    state = draws(state, "curve curve curve bow bow bow")
    assert (state.phase, state.first) == ("deal", 2)
    assert seen(state, None).lots[0] == (("straight", "bow", "bow"), ("curve", "curve", "curve"))


@pytest.mark.rule("NI-2")
def test_lots_are_open_and_racks_are_not() -> None:
    state = RULES.initial(Options(), 2)
    event = RULES.event(state, Draw("bow"), 1)
    assert event == Drew(0, "bow", lots=True)
    state = draws(state, "bow bow bow curve curve")
    assert RULES.event(state, Draw("curve"), None) == Drew(1, "curve", lots=True, begins=0)
    assert RULES.event(state, Draw("bow"), None) == Drew(1, "bow", lots=True, begins=0)
    tie = draws(RULES.initial(Options(), 2), "bow bow bow bow bow")
    assert RULES.event(tie, Draw("bow"), 0) == Drew(1, "bow", lots=True, tied=(0, 1))
    dealing = draws(state, "curve")
    assert RULES.event(dealing, Draw("bow"), 0) == Drew(0, "bow")
    assert RULES.event(dealing, Draw("bow"), 1) == Drew(0, None)
    assert RULES.event(dealing, Draw("bow"), None) == Drew(0, None)


@pytest.mark.rule("NI-2")
def test_nothing_is_drawn_that_is_not_in_the_bag() -> None:
    state = RULES.initial(Options(), 2)
    for _ in range(4):
        state = RULES.apply(state, Draw("universal"))
    assert Draw("universal") not in {outcome for outcome, _ in RULES.chance(state)}
    refused(state, Draw("universal"), "NI-2")
    refused(at("", "straight", ""), Draw("bow"), "NI-2")


def test_options_that_cannot_be_played_are_refused() -> None:
    tiles = TileSet("few", 5, 20, (Tile("straight", 9, 1), Tile("curve", 10, 1)))
    with pytest.raises(BadOptions, match="option tiles: 4 players need 20 tiles"):
        RULES.initial(Options(tiles=tiles, begins=0), 4)
    with pytest.raises(BadOptions, match="option begins: lots could tie for ever"):
        RULES.initial(Options(tiles=tiles), 3)
    alike = TileSet("alike", 3, 5, (Tile("straight", 8, 1), Tile("curve", 1, 0)))
    assert RULES.initial(Options(tiles=alike), 2)
    with pytest.raises(BadOptions, match="option begins: lots could tie for ever"):  # once the third has the curve
        RULES.initial(Options(tiles=alike), 3)
    corner = Board("corner", ("4 10 20 30", "3 . . .", "2 . . .", "1 * . ."))
    lefts = TileSet("lefts", 3, 20, (Tile("far-left", 20, 3), Tile("bow", 20, 2)))
    assert RULES.initial(Options(tiles=lefts), 2)
    with pytest.raises(BadOptions, match="option tiles: no tile of this set can begin a river on this board"):
        RULES.initial(Options(tiles=lefts, board=corner), 2)
    with pytest.raises(BadOptions, match="no seat 4 at a table of 3"):
        RULES.initial(Options(begins=3), 3)
    with pytest.raises(BadOptions, match="2, 3, 4 players, not 5"):
        RULES.initial(Options(), 5)
    assert RULES.initial(Options(tiles=tiles, begins=0), 3).phase == "deal"


@pytest.mark.rule("NI-11")
def test_who_cannot_open_keeps_the_rack_and_the_next_player_opens() -> None:
    state = at("", "bow bow diagonal near-left near-right", "straight curve bow bow bow")
    assert legal(state) == {"pass"}
    assert RULES.event(state, PASSES, None) == Waited(0)
    after = do(state, "pass")
    assert (after.seat, after.racks, after.idle) == (1, state.racks, 0)
    assert scores(after.sheet, 2) == (0, 0)
    opened = filled(do(after, "D1:straight-N", "stop"))
    assert opened.seat == 0, "play goes on to the left of whoever opened"


@pytest.mark.rule("NI-11")
def test_who_can_open_must() -> None:
    refused(at("", "bow bow universal", ""), PASSES, "NI-8")


@pytest.mark.rule("NI-11")
def test_if_nobody_can_open_all_racks_are_drawn_again() -> None:
    state = do(at("", "bow bow bow bow bow", "diagonal diagonal diagonal diagonal diagonal"), "pass")
    assert RULES.event(state, PASSES, None) == Waited(1, again=True)
    state = do(state, "pass")
    assert (state.phase, state.seat, state.racks, state.sheet) == ("deal", 0, ((), ()), ())
    assert state.bag == stock("nile").counts
    again = filled(state)
    assert (again.seat, again.idle) == (0, 0)


# Turns --------------------------------------------------------------------------------------------------------


@pytest.mark.rule("NI-8")
def test_a_turn_lays_one_or_more_tiles_and_refills_to_five() -> None:
    state = at("", "straight straight straight curve curve", "straight straight straight straight straight")
    refused(state, STOPS, "NI-8")
    state = do(state, "N")
    assert "stop" in legal(state)
    state = do(state, "N", "stop")
    assert (state.phase, state.seat, RULES.turn(state)) == ("refill", 0, CHANCE)
    state = do(state, "draw-bow")
    assert RULES.turn(state) == CHANCE
    state = do(state, "draw-bow")
    assert state.racks[0] == rack("straight curve curve bow bow")
    assert (RULES.turn(state), state.laid) == (1, 0)


@pytest.mark.rule("NI-8")
def test_the_rack_is_refilled_from_what_the_bag_holds() -> None:
    state = replace(at("", "straight straight", "straight"), bag=(0,) * 8 + (1,))
    state = do(state, "N", "N", "stop", "draw-universal")
    assert (state.racks[0], RULES.turn(state)) == (("universal",), 1)


@pytest.mark.rule("NI-8", "NI-10")
def test_only_the_first_play_of_a_turn_is_compulsory() -> None:
    state = at("N", "straight straight", "straight")
    refused(state, PASSES, "NI-8")
    state = do(state, "N")
    assert legal(state) == {"D3:straight-N", "stop"}
    refused(state, PASSES, "NI-10")


@pytest.mark.rule("NI-8")
def test_only_tiles_of_ones_own_rack_are_laid() -> None:
    refused(at("N", "straight", "bow"), Lay("D2", "curve", 2), "NI-8")
    refused(filled(do(at("N", "straight", "bow"), "N", "stop"), "bow"), Lay("D3", "straight", 0), "NI-8")
    drawing = do(at("N", "straight", "bow"), "N", "stop")
    refused(drawing, STOPS, "NI-8")
    refused(drawing, Lay("D3", "straight", 0), "NI-8")


# Scores -------------------------------------------------------------------------------------------------------


@pytest.mark.rule("NI-9")
def test_the_example_turn_of_the_rules_page() -> None:
    river, line = example_turn()
    assert [one.field for one in river[1:]] == ["F2", "G3", "H3", "I3", "I4"]
    assert line == ScoreLine(
        0, "laid", ("far-right", "far-left", "straight", "curve", "straight"),
        (("G3", 10), ("H3", -20), ("I4", 20)), 20, 0, 40,
    )  # fmt: skip


@pytest.mark.rule("NI-9")
def test_a_group_is_charged_once_a_turn_but_again_in_the_next() -> None:
    acts = "N NE"  # F1, F2, and the head of the small board is G3 (+10)
    state = at(acts, "far-left straight straight curve bow", "straight curve", options=SMALL)
    state = do(state, "E", "E", "stop")  # G3 and H3, the first field of the group
    assert state.sheet[0].fields == (("G3", 10), ("H3", -20))
    state = do(filled(state), "I3:straight-E", "J3:curve-N")
    line = seen(state, None).pending
    assert line is not None
    assert line.fields == (("I3", -20),), "another player pays again, and once"
    assert line.total == 1 + 2 - 20


@pytest.mark.rule("NI-9")
def test_two_groups_of_one_letter_are_charged_apart() -> None:
    laid = [Laid(field, "straight", 6, 2) for field in ("C3", "D3", "H3", "I3")]
    line = turn_line(0, laid, grid("small"), stock("nile"))
    assert line.fields == (("C3", -20), ("H3", -20))


@pytest.mark.rule("NI-9")
def test_red_and_green_single_fields() -> None:
    # On the small board F4 costs 10 and F6 earns 20.
    state = at("N N N", "straight straight straight", "straight", options=SMALL)
    assert seen(state, None).head == ("F4", 4)
    line = seen(do(state, "N", "N", "N"), None).pending
    assert line == ScoreLine(0, "laid", ("straight",) * 3, (("F4", -10), ("F6", 20)), 0, 0, 13)


@pytest.mark.rule("NI-9")
def test_five_tiles_in_one_turn_earn_twenty() -> None:
    state = at("", "straight straight straight straight straight", "bow")
    four = do(state, "N", "N", "N", "N")
    assert (seen(four, None).pending or ScoreLine(0, "laid")).total == 4
    five = do(four, "N", "stop")
    assert (five.sheet[0].bonus, five.sheet[0].total) == (20, 25)


@pytest.mark.rule("NI-9")
def test_four_tiles_of_a_short_rack_earn_nothing_extra() -> None:
    state = replace(at("", "straight straight straight straight", "bow"), bag=(0,) * 9)
    assert do(state, "N", "N", "N", "N", "stop").sheet[0].bonus == 0


@pytest.mark.rule("NI-9", "NI-12", "NI-17")
def test_the_blue_field_counts_for_who_ends_the_river_there() -> None:
    state = do(at("N N N N N", "straight straight bow", "curve"), "N")
    event = RULES.event(state, Lay("D7", "straight", 0), None)
    state = do(state, "D7:straight-N")
    assert state.phase == "over"
    assert state.sheet == (
        ScoreLine(0, "laid", ("straight", "straight"), goal=40, total=42),
        ScoreLine(0, "left", ("bow",), total=-6),
        ScoreLine(1, "left", ("curve",), total=-2),
    )
    assert RULES.returns(state) == (1.0, 0.0)
    assert isinstance(event, Led)
    assert event.line == state.sheet[0]
    assert event.ended is not None
    assert (event.ended.why, event.ended.scores, event.ended.winners) == ("goal", (36, -2), (0,))


@pytest.mark.rule("NI-17", "NI-9")
def test_the_last_turn_earns_the_bonus_for_five_too_and_nobody_refills() -> None:
    state = at("N N", "straight straight straight straight straight", "curve")
    state = do(state, "N", "N", "N", "N", "N")
    assert state.phase == "over"
    assert (state.sheet[0].bonus, state.sheet[0].goal, state.sheet[0].total) == (20, 40, 65)
    assert state.racks == ((), ("curve",))
    assert ending(state) == "goal"


# Passing ------------------------------------------------------------------------------------------------------


@pytest.mark.rule("NI-10")
def test_a_rack_that_does_not_fit_is_shown_lost_and_exchanged() -> None:
    state = at("N", "bow bow diagonal bow bow", "straight")  # neither fits a head that is entered at a side
    assert legal(state) == {"pass"}
    before = tiles_in_play(state)
    event = RULES.event(state, PASSES, 1)
    assert event == Passed(0, ScoreLine(0, "passed", rack("bow bow diagonal bow bow"), total=-28))
    state = do(state, "pass")
    assert (state.racks[0], state.idle) == ((), 1)
    assert tiles_in_play(state) == before
    state = draws(state, "bow straight straight straight straight")  # also one that was just put back
    assert RULES.turn(state) == 1
    assert seen(state, 1).sheet[-1].tiles == rack("bow bow diagonal bow bow"), "everybody saw them"
    assert scores(state.sheet, 2) == (-28, 0)


@pytest.mark.rule("NI-10")
def test_an_exchange_draws_no_more_than_the_bag_holds() -> None:
    state = do(replace(at("N", "bow bow", "straight"), bag=(0,) * 9), "pass")
    assert sum(state.bag) == 2
    state = do(state, "draw-bow", "draw-bow")
    assert (RULES.turn(state), state.racks[0]) == (1, ("bow", "bow"))


@pytest.mark.rule("NI-10")
def test_a_tile_laid_ends_the_count_of_idle_turns() -> None:
    state = filled(do(at("N", "bow bow", "straight"), "pass"))
    assert state.idle == 1
    assert filled(do(state, "N", "stop")).idle == 0


# Endings ------------------------------------------------------------------------------------------------------


@pytest.mark.rule("NI-17")
def test_the_game_ends_when_all_tiles_are_laid() -> None:
    state = replace(at("N", "straight", "straight"), bag=(0,) * 9)
    state = do(state, "N", "stop")
    assert RULES.turn(state) == 1
    event = RULES.event(do(state, "N"), STOPS, None)
    state = do(state, "N", "stop")
    assert (state.phase, ending(state)) == ("over", "tiles")
    assert isinstance(event, Stopped)
    assert event.ended is not None
    assert event.ended.why == "tiles"
    assert RULES.returns(state) == (0.5, 0.5), "equal totals share the win"


@pytest.mark.rule("NI-17", "NI-18")
def test_the_game_ends_after_two_rounds_without_a_tile() -> None:
    state = replace(at("N", "bow bow", "diagonal"), bag=(0,) * 9)
    for n in range(4):
        assert (RULES.turn(state), state.idle) == (n % 2, n)
        state = filled(do(state, "pass"))
    assert (state.phase, ending(state)) == ("over", "idle")
    assert scores(state.sheet, 2) == (-12 * 3, -4 * 3), "twice for passing, and once for what is left"
    assert RULES.returns(state) == (0.0, 1.0)


@pytest.mark.rule("NI-17")
def test_three_players_need_six_idle_turns() -> None:
    state = replace(at("N", "bow", "diagonal", "bow"), bag=(0,) * 9)
    turns = 0
    while RULES.turn(state) != OVER:
        state = filled(do(state, "pass"))
        turns += 1
    assert turns == 6


@pytest.mark.rule("NI-17")
def test_a_player_without_tiles_is_skipped_and_that_counts() -> None:
    state = replace(at("N", "straight", "bow"), bag=(0,) * 9)
    state = do(state, "N", "stop")
    assert (RULES.turn(state), state.idle) == (1, 0)
    state = filled(do(state, "pass"))
    assert (RULES.turn(state), state.idle) == (1, 2), "seat 0 has nothing left"
    state = filled(do(state, "pass"))
    assert (state.phase, ending(state)) == ("over", "idle")


@pytest.mark.rule("NI-18")
def test_totals_may_be_negative_and_the_highest_wins() -> None:
    state = replace(at("N", "bow bow", "diagonal"), bag=(0,) * 9)
    while RULES.turn(state) != OVER:
        state = filled(do(state, "pass"))
    assert max(scores(state.sheet, 2)) < 0
    assert sum(RULES.returns(state)) == 1
    left = [line for line in state.sheet if line.how == "left"]
    assert left == [ScoreLine(0, "left", ("bow", "bow"), total=-12), ScoreLine(1, "left", ("diagonal",), total=-4)]


# Giving up ----------------------------------------------------------------------------------------------------


@pytest.mark.rule("NI-18")
def test_two_players_have_no_claim_and_three_have() -> None:
    assert RULES.claims(at("N", "straight", "bow")) == ()
    refused(at("N", "straight", "bow"), Resign(0), "NI-18")
    three = at("N", "straight", "bow", "curve")
    assert RULES.claims(three) == tuple((seat, Resign(seat)) for seat in range(3))
    assert RULES.claims(do(three, "N", "stop")) == ()


@pytest.mark.rule("NI-18")
def test_who_gives_up_is_skipped_and_comes_last() -> None:
    state = at("N", "straight straight", "bow universal", "curve")
    before = tiles_in_play(state)
    state = do(state, "resign-2")
    assert tiles_in_play(state) == before
    assert (state.racks[1], state.gone, RULES.turn(state)) == ((), (1,), 0)
    refused(state, Resign(1), "NI-18")
    state = filled(do(state, "N", "stop"))
    assert RULES.turn(state) == 2
    state = do(state, "resign-1")
    assert (state.phase, ending(state)) == ("over", "alone")
    assert RULES.returns(state) == (0.0, 0.0, 1.0)


@pytest.mark.rule("NI-18")
def test_giving_up_in_ones_own_turn_scores_it_and_passes_it_on() -> None:
    state = do(at("N", "straight straight", "bow", "curve"), "N", "resign-1")
    assert RULES.turn(state) == 1
    assert [(line.seat, line.how, line.total) for line in state.sheet] == [(0, "laid", 1), (0, "resigned", 0)]


@pytest.mark.rule("NI-11", "NI-18")
def test_giving_up_before_the_river_is_opened() -> None:
    state = do(at("", "bow", "straight", "diagonal"), "resign-1")
    assert (state.first, RULES.turn(state)) == (1, 1)
    state = do(at("", "bow", "diagonal", "bow"), "pass", "pass")
    assert RULES.turn(state) == 2
    state = do(state, "resign-3")
    assert (state.phase, state.seat) == ("deal", 0), "the two others have waited, so all is drawn again"


def test_nothing_happens_after_the_end() -> None:
    *_, (state, _) = random_game(1, Options(board="small"), 3)
    assert RULES.turn(state) == OVER
    assert (RULES.legal(state), RULES.chance(state), RULES.claims(state)) == ((), (), ())
    for action in (STOPS, PASSES, Draw("bow"), Resign(0), Lay("D1", "straight", 0)):
        with pytest.raises(IllegalAction):
            RULES.apply(state, action)


def test_laid_tiles_say_what_they_are() -> None:
    state = do(at("N", "universal", ""), "u E")
    assert state.river[-1] == Laid("D2", "universal", 4, 2, "curve")
