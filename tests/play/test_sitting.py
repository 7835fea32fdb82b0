"""Whatever happens at a table, in whatever order: saved at any point and taken up again, nothing is different."""

from __future__ import annotations

from random import Random
from typing import Any, get_args

import msgspec
import pytest
from hypothesis import HealthCheck, settings
from hypothesis import strategies as st
from hypothesis.stateful import (
    RuleBasedStateMachine,
    initialize,
    invariant,
    precondition,
    rule,
    run_state_machine_as_test,
)

import astragal
from astragal.core import recordfile
from astragal.core.record import Seat, What, is_bot
from astragal.core.types import OVER
from astragal.play.clock import Clock, Days, Fischer, PerMove, Untimed, Watch, rebuild
from astragal.play.match import Happening, Match, NotPossible
from tests.core import toy

GAMES = {**astragal.games(), "toy": toy.GAME}
CLOCKS: list[Clock] = [Untimed(), PerMove(30), Fischer(60, 2), Days(1)]
PLAYERS = st.sampled_from([Seat(), Seat("human", "Ida"), Seat("human", "Ben"), Seat("bot:random")])
OFFERS: tuple[What, ...] = get_args(What)
SEAT = st.integers(0, 3)
QUICK = {"egar": {"answer_seconds": 10}, "nile": {}}


class Table(RuleBasedStateMachine):
    """A match, its clocks, and what a server would have stored of both."""

    match: Match
    watch: Watch

    @initialize(
        game=st.sampled_from(sorted(GAMES)),
        clock=st.sampled_from(CLOCKS),
        players=st.integers(2, 4),
        who=st.lists(PLAYERS, min_size=4, max_size=4),
        seed=st.integers(0, 99),
    )
    def sit_down(self, game: str, clock: Clock, players: int, who: list[Seat], seed: int) -> None:
        rules = GAMES[game].rules
        count = min(players, max(rules.spec.players))
        options = rules.options_type(begins=seed % count, **QUICK.get(game, {}))
        self.match = Match.start(GAMES[game], options, who[:count], seed=seed)
        self.clock, self.began, self.now = clock, 5_000, 5_000
        self.times: list[int] = []
        self.watch = Watch.start(clock, self.match, self.now)
        self.rng = Random(seed)

    def did(self, happening: Happening) -> None:
        self.times.append(self.now)
        self.watch = self.watch.after(happening.entry, self.match, self.now)

    def attempt(self, what: Any, *given: Any) -> None:
        """What is refused changes nothing."""
        before = self.match.record(keep_seed=True)
        try:
            happening = what(*given)
        except NotPossible:
            assert self.match.record(keep_seed=True) == before
            assert not self.match.over or before.result is not None
        else:
            self.did(happening)

    @rule(plies=st.integers(1, 12), took=st.sampled_from([0, 700, 4_000, 9_000, 31_000]))
    def play_on(self, plies: int, took: int) -> None:
        for _ in range(plies):
            if self.match.over or self.match.paused:
                return
            self.now += took
            if (fall := self.watch.fallen(self.now)) is not None:
                self.did(fall.strike(self.match))
            elif (happening := self.match.step()) is not None:
                self.did(happening)
            else:
                seat = self.match.turn
                self.did(self.match.act(seat, self.rng.choice(self.match.view(seat).legal)))

    @rule(seat=SEAT, what=st.sampled_from(OFFERS))
    def offer(self, seat: int, what: What) -> None:
        self.attempt(self.match.offer, seat % len(self.match.seats), what)

    @rule()
    def regret_at_once(self) -> None:
        """Whoever just acted would like to have it back, before anything was seen."""
        if not self.match.over and self.match.needs_human and not self.match.paused:
            seat = self.match.turn
            self.did(self.match.act(seat, self.rng.choice(self.match.view(seat).legal)))
            self.attempt(self.match.offer, seat, "takeback")

    @precondition(lambda self: self.match.offered is not None)
    @rule(seat=SEAT, yes=st.sampled_from([True, True, True, False]))
    def answer(self, seat: int, yes: bool) -> None:
        asked = self.match.waiting
        self.did(self.match.answer(asked[seat % len(asked)], yes))

    @rule(seat=SEAT, yes=st.booleans())
    def answer_unasked(self, seat: int, yes: bool) -> None:
        if seat not in self.match.waiting:
            with pytest.raises(NotPossible):
                self.match.answer(seat, yes)

    @rule(seat=SEAT)
    def withdraw(self, seat: int) -> None:
        self.attempt(self.match.withdraw, seat)

    @precondition(lambda self: self.match.offered is not None)
    @rule()
    def everybody_agrees(self) -> None:
        offer = self.match.offered
        assert offer is not None
        for seat in self.match.waiting:
            self.did(self.match.answer(seat, yes=True))
        assert self.match.offered is None
        assert self.match.paused or offer.what != "pause"
        assert self.match.over or offer.what != "draw"

    @rule()
    def go_on(self) -> None:
        self.attempt(self.match.go_on)

    @rule()
    def undo(self) -> None:
        self.attempt(self.match.undo)

    @rule(seat=SEAT, to=PLAYERS)
    def hand_over(self, seat: int, to: Seat) -> None:
        self.attempt(self.match.hand_over, seat, to)

    @rule(seat=SEAT, really=st.integers(0, 4))
    def resign(self, seat: int, really: int) -> None:
        if really == 0:
            self.attempt(self.match.resign, seat)

    @rule(kind=st.sampled_from([recordfile.to_json, recordfile.to_text]))
    def save_and_go_on_elsewhere(self, kind: Any) -> None:
        """The file, and the entries with their times, each lead to the same match and the same clocks."""
        game, record = self.match.game, self.match.record(keep_seed=True)
        kept = recordfile.parse(kind(record), game=game)
        assert kept == record
        match, watch = rebuild(kept, self.times, self.clock, self.began, game)
        assert msgspec.json.decode(msgspec.json.encode(watch), type=Watch) == self.watch
        for other in (match, Match.resume(kept, game)):
            assert other.record(keep_seed=True) == record
            assert (other.turn, other.ply, other.count) == (self.match.turn, self.match.ply, self.match.count)
            assert (other.offered, other.waiting) == (self.match.offered, self.match.waiting)
            assert (other.paused, other.seats, other.result) == (self.match.paused, self.match.seats, self.match.result)
            for seat in (None, *range(len(self.match.seats))):
                assert other.view(seat) == self.match.view(seat)
        self.match, self.watch = match, watch

    @invariant()
    def an_open_offer_waits_for_somebody(self) -> None:
        assert (self.match.offered is None) == (self.match.waiting == ())
        assert self.match.offered is None or not self.match.over

    @invariant()
    def a_clock_runs_only_for_a_human_who_is_to_act(self) -> None:
        turn, fall = self.match.turn, self.watch.falls_at()
        runs = turn >= 0 and not self.match.paused and not is_bot(self.match.seats[turn])
        assert self.watch.runs == runs
        if fall is not None:
            assert fall.seat == turn
        elif runs:
            assert self.clock == Untimed()
            assert self.match.seconds is None

    @invariant()
    def nobody_has_less_than_no_time(self) -> None:
        assert all(left >= 0 for left in self.watch.left)
        assert len(self.watch.left) == (0 if self.clock == Untimed() else len(self.match.seats))

    @invariant()
    def only_a_result_ends_a_match(self) -> None:
        assert (self.match.turn == OVER) == (self.match.result is not None)
        if self.match.result is not None:
            assert abs(sum(self.match.result) - 1) < 1e-9


def run(examples: int, steps: int) -> None:
    quiet = list(HealthCheck)
    run_state_machine_as_test(
        Table, settings=settings(max_examples=examples, stateful_step_count=steps, suppress_health_check=quiet)
    )


def test_saved_at_any_point_and_taken_up_again_a_match_is_the_same() -> None:
    run(examples=40, steps=25)


@pytest.mark.long
def test_saved_at_any_point_many_times() -> None:
    run(examples=1500, steps=50)
