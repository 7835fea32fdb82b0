"""What entries do to a match, and which rule a wrong one breaks (RC-1 ... in docs/records.md)."""

from __future__ import annotations

from random import Random
from typing import Any

import msgspec
import pytest
from hypothesis import given, settings

from astragal.core import recordfile
from astragal.core.fair import Dice
from astragal.core.line import Line, replay
from astragal.core.record import (
    FORMAT,
    Acted,
    Answered,
    BadRecord,
    Claimed,
    DrawAgreed,
    Drew,
    Entry,
    HandedOver,
    Header,
    Offer,
    Offered,
    Paused,
    Record,
    Resigned,
    Resumed,
    Seat,
    TimedOut,
    TookBack,
    find_game,
    result_text,
)
from astragal.core.types import CHANCE, OVER
from astragal.core.verify import verify
from astragal.games.ur.options import Options
from astragal.play.match import Match
from tests.core import toy
from tests.core.matches import PEOPLE, UR, advance, begun, finished, records, resigned, with_entry, with_header

WEIGHTS = (1, 4, 6, 4, 1)


def line_after(*entries: Entry) -> Line:
    """Classic Ur, three pieces, light begins."""
    line = Line(begun().header)
    for entry in entries:
        line.add(entry)
    return line


def breaks(line: Line, entry: Entry) -> str:
    """The rule an entry breaks; the line must be as it was."""
    before = (line.state, list(line.steps), line.drawn, line.result, list(line.seats))
    with pytest.raises(BadRecord) as caught:
        line.add(entry)
    assert (line.state, line.steps, line.drawn, line.result, line.seats) == before
    assert f"({caught.value.rule})" in str(caught.value)
    return caught.value.rule


def test_a_line_follows_draws_and_actions() -> None:
    line = line_after(Drew(0, "throw-2", WEIGHTS))
    assert (line.turn, line.ply, line.drawn) == (0, 1, 1)
    line.add(Acted(0, "in-a3"))
    assert (line.turn, line.ply, line.drawn, line.result) == (CHANCE, 2, 1, None)
    assert [step.seat for step in line.steps] == [CHANCE, 0]
    assert line.steps[1].before.throw == 2


def test_taking_back_keeps_counting_draws() -> None:
    line = line_after(Drew(0, "throw-2", WEIGHTS), Acted(0, "in-a3"), Drew(1, "throw-1", WEIGHTS), TookBack(1))
    assert (line.turn, line.ply, line.drawn) == (0, 1, 2)
    line.add(Acted(0, "in-a3"))
    assert breaks(line, Drew(1, "throw-3", WEIGHTS)) == "RC-7"
    line.add(Drew(2, "throw-3", WEIGHTS))


@pytest.mark.parametrize("end", [Resigned(0), TimedOut(0)])
def test_who_gives_up_loses(end: Entry) -> None:
    line = line_after(end)
    assert line.result == (0.0, 1.0)
    assert line.turn == OVER


def test_an_agreed_draw_shares_the_win() -> None:
    assert line_after(DrawAgreed()).result == (0.5, 0.5)


def test_the_end_can_be_taken_back() -> None:
    line = line_after(Drew(0, "throw-2", WEIGHTS), Resigned(0), TookBack(0))
    assert (line.result, line.turn, line.ply) == (None, CHANCE, 0)


def test_a_seat_handed_over_is_played_by_another() -> None:
    line = line_after(HandedOver(1, Seat("bot:greedy", "Deep")))
    assert line.seats[1] == Seat("bot:greedy", "Deep")
    assert line.ply == 0


# Each rule of records -----------------------------------------------------------------------------------------


@pytest.mark.rule("RC-1")
def test_an_unknown_format_is_refused() -> None:
    with pytest.raises(BadRecord, match="astragal-record-1") as caught:
        replay(with_header(begun(), format="astragal-record-9"))
    assert caught.value.rule == "RC-1"
    assert FORMAT == "astragal-record-1"


@pytest.mark.rule("RC-2")
@pytest.mark.parametrize(
    ("changes", "says"),
    [
        ({"game": "urr"}, "did you mean ur"),
        ({"version": 99}, "version 99"),
        ({"seats": (Seat(),)}, "1 players"),
        ({"seats": (Seat(),) * 3}, "3 players"),
        ({"seats": ()}, "0 players"),
    ],
)
def test_a_game_that_cannot_be_replayed_is_refused(changes: dict[str, Any], says: str) -> None:
    with pytest.raises(BadRecord, match=says) as caught:
        replay(with_header(begun(), **changes))
    assert caught.value.rule == "RC-2"
    assert caught.value.entry is None


@pytest.mark.rule("RC-3")
@pytest.mark.parametrize(
    ("field", "value"),
    [
        ("pieces", 9),
        ("pieces", "many"),
        ("colour", "red"),
        ("begins", 7),
        ("path", "lanes"),
        ("path", {"name": "x", "rosettes": [], "light": "a1 a1 a1 a1", "dark": "c1 c1 c1 c1"}),
    ],
)
def test_options_that_cannot_be_played_are_refused_by_name(field: str, value: Any) -> None:
    good = begun()
    with pytest.raises(BadRecord, match=field) as caught:
        replay(with_header(good, options=good.header.options | {field: value}))
    assert caught.value.rule == "RC-3"
    assert caught.value.entry is None


@pytest.mark.rule("RC-3")
def test_a_position_that_cannot_be_read_is_refused() -> None:
    with pytest.raises(BadRecord, match=r"position, column 14 \(whose turn it is\)") as caught:
        replay(with_header(begun(), position="3:-:0 2:c4:0 white throw", options={"pieces": 3}))
    assert caught.value.rule == "RC-3"
    for spaced in (" 3:-:0 3:-:0 light throw", "3:-:0 3:-:0 light throw\n", ""):  # the text form could not hold it
        with pytest.raises(BadRecord) as caught:
            replay(with_header(begun(), position=spaced))
        assert caught.value.rule == "RC-3"


def test_a_match_from_a_position_is_replayed_verified_and_resumed_from_there() -> None:
    start = "1:a1,b4:1 2:c2:1 light throw"
    match = Match.start(UR, Options(pieces=4), PEOPLE, seed=5, position=f"  {start} ")
    for ply in range(9):
        advance(match, Random(ply))
    record = match.record(keep_seed=True)
    assert record.header.position == start
    for form in (recordfile.to_json, recordfile.to_text):
        assert recordfile.parse(form(record)) == record
    line = replay(record)
    assert UR.rules.position(line.steps[0].before) == start
    again = Match.resume(record)
    while not match.over:
        for one in (match, again):
            advance(one, Random(one.ply))
    assert match.record() == again.record()
    assert all(verdict.good for verdict in verify(match.record()))
    assert match.record().header.options["begins"] == "lots"  # and no lots were thrown
    assert recordfile.parse(recordfile.to_text(match.record())) == match.record()


def test_records_of_matches_from_the_beginning_do_not_mention_a_position() -> None:
    record = begun()
    assert "position" not in recordfile.to_text(record) + recordfile.to_json(record)
    moved = with_header(record, position="3:-:0 3:-:0 light throw")
    assert moved.digest() != record.digest()


def test_a_match_from_a_position_that_is_over_is_over() -> None:
    match = Match.start(UR, Options(pieces=1), PEOPLE, position="0:-:1 1:-:0 over")
    assert match.over
    assert match.result == (1.0, 0.0)
    assert replay(match.record()).result == (1.0, 0.0)


@pytest.mark.rule("RC-6")
@pytest.mark.parametrize(
    "entry",
    [
        Acted(0, "in-a3"),  # before the draw
        Acted(1, "in-c3"),
        Acted(CHANCE, "throw-2"),  # a draw that claims to be nobody's action: not counted, not weighed, not verified
        Claimed(0, "throw-2"),
        Claimed(CHANCE, "throw-2"),
        Resigned(2),
        Resigned(-1),
        TimedOut(2),
        HandedOver(2, Seat()),
        HandedOver(-1, Seat()),
        Drew(0, "what", WEIGHTS),
    ],
)
def test_what_cannot_happen_before_the_first_draw(entry: Entry) -> None:
    assert breaks(line_after(), entry) == "RC-6"


@pytest.mark.rule("RC-6")
@pytest.mark.parametrize(
    "entry", [Acted(1, "in-c3"), Drew(1, "throw-1", WEIGHTS), Acted(0, "what"), Acted(0, ""), Acted(OVER, "in-a3")]
)
def test_what_cannot_happen_in_the_turn_of_seat_one(entry: Entry) -> None:
    assert breaks(line_after(Drew(0, "throw-2", WEIGHTS)), entry) == "RC-6"


@pytest.mark.rule("RC-6", "UC-5", "UC-7")
@pytest.mark.parametrize(("text", "rule"), [("in-a4", "UC-5"), ("b1", "UC-5"), ("pass", "UC-7"), ("throw-2", "UC-2")])
def test_an_illegal_action_breaks_the_games_own_rule(text: str, rule: str) -> None:
    assert breaks(line_after(Drew(0, "throw-2", WEIGHTS)), Acted(0, text)) == rule


@pytest.mark.rule("RC-7")
@pytest.mark.parametrize(
    "entry",
    [
        Drew(1, "throw-2", WEIGHTS),
        Drew(-1, "throw-2", WEIGHTS),
        Drew(0, "throw-2", (1, 4, 6, 4, 2)),
        Drew(0, "throw-2", (1, 4, 6, 4)),
        Drew(0, "throw-2", ()),
        Drew(0, "throw-2", (1, 6, 4, 4, 1)),
    ],
)
def test_draws_are_numbered_and_weighed_by_the_rules(entry: Entry) -> None:
    assert breaks(line_after(), entry) == "RC-7"


@pytest.mark.rule("RC-7")
def test_an_outcome_without_weight_cannot_be_drawn() -> None:
    class NeverLight(toy.ToyRules):
        def chance(self, s: toy.State) -> tuple[tuple[toy.Action, int], ...]:
            return ((toy.First(0), 0), (toy.First(1), 1)) if s.first is None else super().chance(s)

    line = Line(toy_header(), toy.toy(NeverLight()))
    assert breaks(line, Drew(0, "first-1", (0, 1))) == "RC-7"
    line.add(Drew(0, "first-2", (0, 1)))


@pytest.mark.rule("RC-8")
@pytest.mark.parametrize("ply", [-1, 2, 3, 10**9])
def test_only_what_was_played_is_taken_back(ply: int) -> None:
    assert breaks(line_after(Drew(0, "throw-2", WEIGHTS), Acted(0, "in-a3")), TookBack(ply)) == "RC-8"


@pytest.mark.rule("RC-8")
def test_nothing_is_taken_back_at_the_start() -> None:
    assert breaks(line_after(), TookBack(0)) == "RC-8"


@pytest.mark.rule("RC-9")
@pytest.mark.parametrize("end", [Resigned(0), TimedOut(1), DrawAgreed()])
@pytest.mark.parametrize(
    "entry", [Drew(0, "throw-2", WEIGHTS), Acted(0, "in-a3"), Resigned(0), DrawAgreed(), HandedOver(0, Seat())]
)
def test_nothing_happens_after_the_end(end: Entry, entry: Entry) -> None:
    assert breaks(line_after(end), entry) == "RC-9"


@pytest.mark.rule("RC-9")
def test_nothing_happens_after_a_natural_end() -> None:
    line = replay(finished())
    assert breaks(line, Resigned(0)) == "RC-9"
    assert breaks(line, Drew(line.drawn, "throw-2", WEIGHTS)) == "RC-9"


OFFER = Offered(0, "draw")


@pytest.mark.rule("RC-11")
@pytest.mark.parametrize(
    ("before", "entry"),
    [
        ([], Answered(1, yes=True)),
        ([], Answered(1, yes=False)),
        ([OFFER], Offered(1, "pause")),
        ([OFFER], OFFER),
        ([OFFER], Answered(0, yes=True)),
        ([OFFER, Answered(1, yes=True)], Answered(1, yes=True)),
        ([OFFER, Answered(1, yes=True)], Answered(1, yes=False)),
        ([OFFER, Answered(1, yes=False)], Answered(1, yes=True)),
        ([OFFER, Answered(0, yes=False)], Answered(1, yes=True)),
        ([OFFER, HandedOver(1, Seat())], Answered(1, yes=True)),
        ([OFFER, Paused()], Answered(1, yes=True)),
        ([Drew(0, "throw-2", WEIGHTS), OFFER, Acted(0, "in-a3")], Answered(1, yes=True)),
        ([Drew(0, "throw-2", WEIGHTS), OFFER, TookBack(0)], Answered(1, yes=True)),
        ([Offered(0, "takeback"), Drew(0, "throw-2", WEIGHTS)], Answered(1, yes=True)),
    ],
)
def test_one_offer_at_a_time_is_answered_by_each_seat_once_while_it_is_open(before: list[Entry], entry: Entry) -> None:
    assert breaks(line_after(*before), entry) == "RC-11"


@pytest.mark.rule("RC-11")
def test_an_offer_stays_open_until_it_is_closed() -> None:
    line = line_after(OFFER, Drew(0, "throw-2", WEIGHTS))
    assert line.offer == Offer(0, "draw")
    line.add(Answered(1, yes=True))
    assert line.offer == Offer(0, "draw", (1,))
    line.add(DrawAgreed())
    assert line.offer is None


@pytest.mark.rule("RC-6")
@pytest.mark.parametrize("entry", [Offered(2, "draw"), Offered(-1, "pause"), Answered(2, yes=True)])
def test_a_seat_that_is_not_there_offers_and_answers_nothing(entry: Entry) -> None:
    assert breaks(line_after(), entry) == "RC-6"
    assert breaks(line_after(OFFER), entry) == "RC-6"


@pytest.mark.rule("RC-12")
@pytest.mark.parametrize(
    "entry",
    [Drew(0, "throw-2", WEIGHTS), Acted(0, "in-a3"), Claimed(0, "draw"), TimedOut(0), Paused(), Offered(0, "pause")],
)
def test_nobody_acts_and_nothing_is_drawn_in_a_pause(entry: Entry) -> None:
    assert breaks(line_after(Paused()), entry) == "RC-12"


@pytest.mark.rule("RC-12")
@pytest.mark.parametrize("entry", [Resumed(), Offered(0, "resume")])
def test_only_what_is_paused_is_resumed(entry: Entry) -> None:
    assert breaks(line_after(), entry) == "RC-12"
    assert breaks(line_after(Paused(), Resumed()), entry) == "RC-12"


@pytest.mark.rule("RC-12")
def test_a_pause_ends_and_the_match_goes_on() -> None:
    line = line_after(Paused(), Offered(1, "resume"), Resumed(), Drew(0, "throw-2", WEIGHTS), Acted(0, "in-a3"))
    assert (line.paused, line.ply) == (False, 2)


@pytest.mark.rule("RC-10")
@pytest.mark.parametrize("result", [None, (1.0, 0.0), (0.5, 0.5), (0.0, 1.0, 0.0), ()])
def test_the_result_is_that_of_the_entries(result: Any) -> None:
    good = resigned()
    assert good.result == (0.0, 1.0)
    with pytest.raises(BadRecord, match="should be 0 1") as caught:
        replay(msgspec.structs.replace(good, result=result))
    assert caught.value.rule == "RC-10"


@pytest.mark.rule("RC-10")
def test_a_match_that_goes_on_has_no_result() -> None:
    with pytest.raises(BadRecord, match="should be none") as caught:
        replay(msgspec.structs.replace(begun(), result=(1.0, 0.0)))
    assert caught.value.rule == "RC-10"


def test_replay_names_the_entry_that_is_wrong() -> None:
    good = begun()
    for position in (0, 5, len(good.entries)):
        with pytest.raises(BadRecord) as caught:
            replay(with_entry(good, TookBack(999), at=position))
        assert (caught.value.rule, caught.value.entry) == ("RC-8", position)


# Claims, by the toy, for Ur has none ---------------------------------------------------------------------------


def toy_header(**options: Any) -> Header:
    return Header(
        game="toy",
        version=1,
        match="m",
        seats=(Seat(), Seat()),
        options=msgspec.to_builtins(toy.Options(**options)),
        fair=Dice(b"seed", (None, None), "m").fairness(opened=False),
    )


BID_MADE: tuple[Entry, ...] = (Drew(0, "deal-2", (1, 1, 1)), Drew(1, "deal-3", (1, 1)), Acted(0, "bid"))


def test_a_claim_is_made_out_of_turn() -> None:
    line = Line(toy_header(begins=0), toy.GAME)
    for entry in (*BID_MADE, Claimed(0, "peace")):
        line.add(entry)
    assert line.result == (0.5, 0.5)
    assert line.steps[-1].seat == 0


@pytest.mark.rule("RC-6")
@pytest.mark.parametrize("entry", [Claimed(1, "peace"), Claimed(0, "call"), Claimed(0, "bid"), Acted(1, "what")])
def test_a_claim_needs_a_right_to_it(entry: Entry) -> None:
    line = Line(toy_header(begins=0), toy.GAME)
    for earlier in BID_MADE:
        line.add(earlier)
    assert breaks(line, entry) in ("RC-6", "TOY-1")


def test_a_claim_is_not_an_action_of_the_seat_to_move() -> None:
    """Seat 2 is to act; the claim of seat 1 must not slip in as its action."""
    line = Line(toy_header(begins=0), toy.GAME)
    for earlier in BID_MADE:
        line.add(earlier)
    breaks(line, Acted(1, "peace"))


def test_a_game_that_is_not_installed_can_be_given() -> None:
    with pytest.raises(BadRecord) as caught:
        find_game(toy_header())
    assert caught.value.rule == "RC-2"
    assert find_game(toy_header(), toy.GAME) is toy.GAME


# Whole records ------------------------------------------------------------------------------------------------


@given(record=records())
@settings(deadline=None, max_examples=60)
def test_any_match_replays_to_its_result(record: Record) -> None:
    line = replay(record)
    assert line.result == record.result
    assert line.drawn == sum(isinstance(entry, Drew) for entry in record.entries)
    if record.result is not None:
        assert sum(record.result) == 1


@given(record=records())
@settings(deadline=None, max_examples=40)
def test_a_fingerprint_covers_every_part(record: Record) -> None:
    others = [
        with_header(record, match=record.header.match + "x"),
        with_header(record, version=record.header.version + 1),
        with_header(record, seats=(*record.header.seats[::-1], Seat("human", "one more"))),
        with_header(record, options=record.header.options | {"pieces": 99}),
        with_header(record, fair=msgspec.structs.replace(record.header.fair, server_commitment="0" * 64)),
        with_entry(record, DrawAgreed()),
        msgspec.structs.replace(record, result=(0.25, 0.75)),
    ]
    assert record.digest() not in {other.digest() for other in others}
    assert record.digest() == msgspec.json.decode(msgspec.json.encode(record), type=Record).digest()


@pytest.mark.parametrize(
    ("result", "text"),
    [(None, "none"), ((1.0, 0.0), "1 0"), ((0.5, 0.5), "0.5 0.5"), ((1 / 3,) * 3, " ".join([repr(1 / 3)] * 3))],
)
def test_results_as_text(result: tuple[float, ...] | None, text: str) -> None:
    assert result_text(result) == text
