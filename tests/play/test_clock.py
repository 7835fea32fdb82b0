"""Clocks: what players write, whose time runs, when it is over, and that a restart loses nothing."""

from __future__ import annotations

from typing import Any

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

import astragal
from astragal.core.record import Seat
from astragal.core.types import BadOptions
from astragal.games.egar.options import Options as EgarOptions
from astragal.games.ur.options import Options
from astragal.play.clock import Clock, Days, Fall, Fischer, PerMove, Untimed, Watch, face, parse, rebuild
from astragal.play.match import Happening, Match

UR, EGAR, NILE = astragal.game("ur"), astragal.game("egar"), astragal.game("nile")
GREEDY = Seat("bot:greedy")
CLOCKS: list[Clock] = [Untimed(), PerMove(30), Fischer(300, 3), Days(3)]


class Sitting:
    """A match with its clocks, and the time at which everything happened."""

    def __init__(self, match: Match, clock: Clock, now: int = 1_000_000) -> None:
        self.match, self.clock, self.began, self.now = match, clock, now, now
        self.watch = Watch.start(clock, match, now)
        self.times: list[int] = []

    def did(self, happening: Happening, took: int = 0) -> None:
        """This happened, so many milliseconds after the last thing."""
        self.now += took
        self.times.append(self.now)
        self.watch = self.watch.after(happening.entry, self.match, self.now)

    def until_human(self, took: int = 0) -> None:
        while (happening := self.match.step()) is not None:
            self.did(happening, took)

    def move(self, took: int = 0, index: int = 0) -> int:
        """Whoever is to act does something after so long."""
        seat = self.match.turn
        self.did(self.match.act(seat, self.match.view(seat).legal[index]), took)
        return seat

    def left(self) -> list[int | None]:
        return [self.watch.left_to(seat, self.now) for seat in range(len(self.match.seats))]

    def check_rebuilt(self) -> None:
        """What a server finds in its store leads to the same match and the same clocks."""
        record = self.match.record(keep_seed=True)
        match, watch = rebuild(record, self.times, self.clock, self.began, self.match.game)
        assert watch == self.watch
        assert match.record(keep_seed=True) == record


def ur(clock: Clock, *seats: Seat, seed: int = 5) -> Sitting:
    sitting = Sitting(Match.start(UR, Options(begins=0), seats or (Seat(), Seat()), seed=seed), clock)
    sitting.until_human()
    return sitting


@pytest.mark.parametrize(
    ("text", "clock"),
    [
        ("none", Untimed()),
        ("30/move", PerMove(30)),
        ("30s/move", PerMove(30)),
        ("2m/move", PerMove(120)),
        ("24h/move", PerMove(86400)),
        ("5m+3s", Fischer(300, 3)),
        ("5+3", Fischer(300, 3)),
        ("90s+0", Fischer(90, 0)),
        ("1h+1m", Fischer(3600, 60)),
        ("3d/move", Days(3)),
        (" 3D/Move ", Days(3)),
    ],
)
def test_clocks_as_players_write_them(text: str, clock: Clock) -> None:
    assert parse(text) == clock
    assert parse(str(clock)) == clock


@given(st.builds(PerMove, st.integers(1, 86400)) | st.builds(Fischer, st.integers(1, 86400), st.integers(0, 3600)))
def test_every_clock_is_read_back_as_it_is_written(clock: Clock) -> None:
    assert parse(str(clock)) == clock
    assert msgspec.json.decode(msgspec.json.encode(clock), type=Clock) == clock


@pytest.mark.parametrize(
    "text", ["", "5", "5m", "five", "3s+", "-3/move", "3 d/move", "1d+3s", "5m+3s/move", "1e3/move"]
)
def test_what_is_no_clock_is_refused_with_examples(text: str) -> None:
    with pytest.raises(BadOptions, match="is not one of none, 30s/move, 5m\\+3s, 3d/move") as caught:
        parse(text)
    assert caught.value.field == "clock"


@pytest.mark.parametrize("text", ["0/move", "25h/move", "0+5", "25h+0", "5m+61m", "0d/move", "61d/move"])
def test_clocks_out_of_bounds_say_the_bounds(text: str) -> None:
    with pytest.raises(BadOptions, match="a move 1s to 24h or 1d to 60d"):
        parse(text)


def test_a_clock_shows_never_less_than_there_is() -> None:
    shown = {
        0: "0:00",
        1: "0:01",
        9000: "0:09",
        299_999: "5:00",
        3_600_000: "1:00:00",
        270_000_000: "3d 3:00:00",
        -5: "0:00",
    }
    assert {ms: face(ms) for ms in shown} == shown


def test_only_the_clock_of_the_seat_to_act_runs_and_fischer_adds_after_the_move() -> None:
    sitting = ur(Fischer(300, 3))
    assert sitting.watch.falls_at() == Fall(0, sitting.now + 300_000, "match")
    assert sitting.move(took=10_000) == 0
    sitting.until_human()
    assert sitting.match.turn == 1
    assert sitting.left() == [293_000, 300_000]
    assert sitting.watch.left_to(1, sitting.now + 4_000) == 296_000
    assert sitting.watch.left_to(0, sitting.now + 4_000) == 293_000
    assert sitting.watch.falls_at() == Fall(1, sitting.now + 300_000, "match")
    sitting.check_rebuilt()


def test_time_a_move_is_full_again_for_every_move_and_what_is_left_is_lost() -> None:
    for clock, full in ((PerMove(30), 30_000), (Days(2), 2 * 86_400_000)):
        sitting = ur(clock)
        for _ in range(6):
            seat = sitting.match.turn
            assert sitting.watch.left_to(seat, sitting.now) == full
            while sitting.match.turn == seat:
                sitting.move(took=100)
                sitting.until_human()
        sitting.check_rebuilt()


def test_an_extra_throw_belongs_to_the_same_move() -> None:
    for seed in range(40):  # until a rosette is reached
        sitting = ur(Fischer(300, 3), seed=seed)
        for _ in range(30):
            seat = sitting.match.turn
            before = sitting.watch.left[seat]
            sitting.move(took=1_000)
            sitting.until_human()
            gained = 0 if sitting.match.turn == seat else 3_000
            assert sitting.watch.left[seat] == before - 1_000 + gained
            if not gained:
                return
    raise AssertionError("no rosette")


def test_the_time_of_bots_and_of_chance_is_nobodys() -> None:
    sitting = Sitting(Match.start(UR, Options(begins=0), [Seat(), GREEDY], seed=5), Fischer(60, 0))
    assert sitting.watch.falls_at() is None  # the dice come first
    for _ in range(5):
        sitting.until_human(took=50_000)
        assert sitting.match.turn == 0
        sitting.move()
    assert sitting.left() == [60_000, 60_000]
    sitting.check_rebuilt()


def test_a_fall_costs_the_match_of_two() -> None:
    sitting = ur(PerMove(30))
    assert sitting.watch.fallen(sitting.now + 29_999) is None
    fall = sitting.watch.fallen(sitting.now + 30_000)
    assert fall is not None
    sitting.did(fall.strike(sitting.match), took=30_000)
    assert sitting.match.result == (0.0, 1.0)
    assert sitting.watch.falls_at() is None
    sitting.check_rebuilt()


@pytest.mark.parametrize("game", [EGAR, NILE], ids=lambda game: game.id)
def test_a_fall_among_three_puts_one_seat_out_and_the_others_play_on(game: Any) -> None:
    sitting = Sitting(Match.start(game, game.rules.options_type(begins=1), [Seat()] * 3, seed=2), PerMove(30))
    sitting.until_human()
    fall = sitting.watch.fallen(sitting.now + 30_000)
    assert fall == Fall(1, sitting.now + 30_000, "match")
    happening = fall.strike(sitting.match)
    assert happening.event(0) is not None  # everybody sees what follows from it in the game
    sitting.did(happening, took=30_000)
    sitting.until_human()
    assert not sitting.match.over
    assert sitting.match.playing == (0, 2)
    assert sitting.match.turn == 2
    assert sitting.watch.left_to(2, sitting.now) == 30_000
    sitting.check_rebuilt()
    sitting.did(sitting.match.time_out(2), took=1)
    assert sitting.match.result == (1.0, 0.0, 0.0)
    sitting.check_rebuilt()


def question(clock: Clock, players: int = 2, shows: int | None = None) -> Sitting:
    """EGAR with ten seconds for an answer, which seat 1 owes."""
    options = EgarOptions(begins=0, answer_seconds=10)
    sitting = Sitting(Match.start(EGAR, options, [Seat()] * players, seed=1), clock)
    sitting.until_human()
    if shows is not None:
        sitting.watch = sitting.watch.shown(shows, sitting.now)
    sitting.did(sitting.match.act(0, sitting.match.read("done")))
    sitting.until_human()
    assert sitting.match.seconds == 10
    return sitting


@pytest.mark.rule("EG-20")
@pytest.mark.parametrize("clock", CLOCKS, ids=str)
def test_the_time_of_an_answer_runs_beside_any_clock_and_costs_only_the_answer(clock: Clock) -> None:
    sitting = question(clock)
    fall = sitting.watch.falls_at()
    assert fall == Fall(1, sitting.now + 10_000, "answer")
    sitting.did(fall.strike(sitting.match), took=10_000)
    assert not sitting.match.over
    assert sitting.watch.answer is None
    if isinstance(clock, Fischer):
        assert sitting.left() == [303_000, 293_000]
    sitting.check_rebuilt()


def test_the_earlier_of_two_falls_comes_first() -> None:
    assert question(PerMove(5)).watch.falls_at() == Fall(1, 1_005_000, "match")
    assert question(PerMove(10)).watch.falls_at() == Fall(1, 1_010_000, "answer")


def test_the_time_of_an_answer_begins_when_the_question_is_on_the_screen() -> None:
    before = question(Untimed())
    shows = before.watch.shown(1, before.now)
    assert shows.falls_at() == Fall(1, before.now + 10_000, "answer")  # too late for this question, which ran already

    asked = question(Untimed(), shows=1)
    put = asked.now
    assert asked.watch.falls_at() == Fall(1, put + 20_000, "answer")  # ten seconds at most until it is on the screen
    assert asked.watch.shown(0, put + 2_000).falls_at() == Fall(1, put + 20_000, "answer")  # another's screen
    shown = asked.watch.shown(1, put + 4_000)
    assert shown.falls_at() == Fall(1, put + 14_000, "answer")
    assert shown.shown(1, put + 9_000).falls_at() == Fall(1, put + 14_000, "answer")  # said again it gives nothing
    assert asked.watch.shown(1, put + 13_000).falls_at() == Fall(1, put + 20_000, "answer")  # nor does it said late
    assert asked.watch.stop(put + 3_000).run(asked.match, put + 50_000).falls_at() == Fall(1, put + 67_000, "answer")
    assert asked.watch.lengthened(1, asked.match, put + 1_000).falls_at() == Fall(1, put + 30_000, "answer")


def test_an_offer_gives_no_more_time_for_an_answer_and_neither_does_a_resignation() -> None:
    sitting = question(Untimed(), players=4)
    sitting.did(sitting.match.offer(2, "draw"), took=3_000)
    assert sitting.watch.falls_at() == Fall(1, sitting.now + 7_000, "answer")
    sitting.did(sitting.match.resign(3), took=2_000)
    assert sitting.match.turn == 1
    assert sitting.watch.falls_at() == Fall(1, sitting.now + 5_000, "answer")
    sitting.check_rebuilt()


def test_a_pause_stops_both_clocks() -> None:
    sitting = question(Fischer(60, 0))
    sitting.did(sitting.match.offer(1, "pause"), took=2_000)
    sitting.did(sitting.match.answer(0, yes=True), took=1_000)
    assert sitting.match.paused
    assert sitting.watch.falls_at() is None
    assert sitting.watch.left_to(1, sitting.now + 10**9) == 57_000
    sitting.did(sitting.match.go_on(), took=10**9)
    assert sitting.watch.falls_at() == Fall(1, sitting.now + 7_000, "answer")
    assert sitting.left()[1] == 57_000
    sitting.check_rebuilt()


@pytest.mark.parametrize(("clock", "left"), [(Fischer(60, 0), 117_000), (PerMove(30), 57_000), (Untimed(), None)])
def test_whoever_takes_more_time_gets_what_it_began_with_once_more(clock: Clock, left: int | None) -> None:
    sitting = question(clock)
    longer = sitting.watch.lengthened(1, sitting.match, sitting.now + 3_000)
    assert longer.falls_at() == Fall(1, sitting.now + 20_000, "answer")
    assert longer.left_to(1, sitting.now + 3_000) == left
    other = sitting.watch.lengthened(0, sitting.match, sitting.now + 3_000)
    assert other.falls_at() == Fall(1, sitting.now + 10_000, "answer")  # the answer is not theirs


@pytest.mark.parametrize("clock", [Fischer(60, 0), PerMove(60)])
def test_nobody_is_charged_for_a_time_in_which_nobody_could_act(clock: Clock) -> None:
    sitting = question(clock)
    began = sitting.now
    excused = sitting.watch.excused(began + 2_000, began + 10**9, sitting.match)
    assert excused.left_to(1, began + 10**9 + 1_000) == 57_000
    assert excused.falls_at() == Fall(1, began + 10**9 + 8_000, "answer")
    assert sitting.watch.excused(began - 10**9, began - 1, sitting.match) == sitting.watch  # it was over by then
    early = sitting.watch.excused(began - 10**9, began + 5_000, sitting.match)
    assert early.left_to(1, began + 6_000) == 59_000


def test_time_used_for_what_is_taken_back_stays_used() -> None:
    sitting = ur(Fischer(300, 3))
    sitting.move(took=10_000)
    sitting.until_human()
    assert sitting.match.turn == 1
    sitting.did(sitting.match.offer(0, "takeback-seen"), took=5_000)
    sitting.did(sitting.match.answer(1, yes=True), took=5_000)
    assert sitting.match.turn == 0
    assert sitting.left() == [293_000, 290_000]  # nobody gains by it
    sitting.check_rebuilt()


def test_whoever_takes_a_seat_over_takes_its_clock_over() -> None:
    sitting = ur(Fischer(300, 3))
    sitting.did(sitting.match.hand_over(0, GREEDY), took=100_000)
    assert sitting.watch.falls_at() is None
    assert sitting.watch.left_to(0, sitting.now + 10**6) == 200_000
    sitting.did(sitting.match.hand_over(0, Seat("human", "Ida")), took=50_000)
    assert sitting.watch.falls_at() == Fall(0, sitting.now + 200_000, "match")
    sitting.check_rebuilt()


def test_a_watch_can_be_held_and_time_never_runs_backwards() -> None:
    sitting = ur(PerMove(30))
    held = sitting.watch.stop(sitting.now + 1_000)
    assert held.falls_at() is None
    assert held.left_to(0, sitting.now + 99_000) == 29_000
    going = held.run(sitting.match, sitting.now + 99_000)
    assert going.falls_at() == Fall(0, sitting.now + 128_000, "match")
    assert going.left_to(0, sitting.now) == 29_000
    assert going.left_to(0, 10**9) == 0


def test_a_watch_is_written_and_read_as_it_is() -> None:
    sitting = question(Fischer(60, 1))
    written = msgspec.json.encode(sitting.watch)
    assert msgspec.json.decode(written, type=Watch) == sitting.watch
