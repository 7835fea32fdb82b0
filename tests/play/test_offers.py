"""Offers: whose consent they need, how they end, what may be taken back, and that the record knows them."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

import astragal
from astragal.core import recordfile
from astragal.core.record import Answered, DrawAgreed, Offer, Offered, Paused, Resumed, Seat, TookBack, What
from astragal.core.types import CHANCE
from astragal.games.egar.options import BOT_SKILL
from astragal.games.egar.options import Options as EgarOptions
from astragal.games.egar.rules import EgarRules
from astragal.games.egar.state import State
from astragal.play.match import Match, NotPossible
from tests.games.egar.table import position

UR, EGAR, NILE = astragal.game("ur"), astragal.game("egar"), astragal.game("nile")
GREEDY = Seat("bot:greedy")
OFFERS: tuple[What, ...] = ("draw", "takeback", "takeback-seen", "pause", "resume", "count")


def until_human(match: Match) -> None:
    while match.step() is not None:
        pass


def table(game: Any = UR, players: int = 2, *, bots: int = 0, seed: int = 5, **options: Any) -> Match:
    """A match in which a human is to act for the first time; bots sit at the end."""
    seats = [Seat()] * (players - bots) + [GREEDY] * bots
    match = Match.start(game, game.rules.options_type(begins=0, **options), seats, seed=seed)
    until_human(match)
    return match


def move(match: Match, *, index: int = 0, settle: bool = True) -> int:
    """Whoever is to act does something, and then chance what is due. Returns who it was."""
    seat = match.turn
    match.act(seat, match.view(seat).legal[index])
    if settle:
        until_human(match)
    return seat


def same_again(match: Match) -> Match:
    """The match after a restart: nothing may be different."""
    record = match.record(keep_seed=True)
    again = Match.resume(recordfile.parse(recordfile.to_text(record), game=match.game), match.game)
    assert again.record(keep_seed=True) == record
    assert (again.offered, again.waiting, again.paused) == (match.offered, match.waiting, match.paused)
    return again


def test_a_draw_is_agreed_by_offer_and_answer() -> None:
    match = table()
    assert match.offer(1, "draw").entry == Offered(1, "draw")
    assert (match.offered, match.waiting) == (Offer(1, "draw"), (0,))
    match = same_again(match)
    assert match.answer(0, yes=True).entry == DrawAgreed()
    assert match.result == (0.5, 0.5)
    assert match.offered is None
    same_again(match)


def test_a_no_closes_an_offer_and_so_does_withdrawing_it() -> None:
    match = table()
    match.offer(0, "draw")
    assert match.answer(1, yes=False).entry == Answered(1, yes=False)
    assert match.offered is None
    match.offer(0, "draw")
    with pytest.raises(NotPossible, match="seat 2 has no offer open"):
        match.withdraw(1)
    assert match.withdraw(0).entry == Answered(0, yes=False)
    assert match.offered is None
    with pytest.raises(NotPossible, match="no offer"):
        match.answer(1, yes=True)
    with pytest.raises(NotPossible, match="no offer"):
        match.withdraw(0)
    assert not same_again(match).over


def test_only_those_who_are_asked_answer_and_only_once() -> None:
    match = table(NILE, 4)
    match.offer(0, "draw")
    for seat in (0, 4, -1):
        with pytest.raises(NotPossible, match="is not asked"):
            match.answer(seat, yes=True)
    match.answer(2, yes=True)
    assert match.waiting == (1, 3)
    with pytest.raises(NotPossible, match="is not asked"):
        match.answer(2, yes=False)
    with pytest.raises(NotPossible, match="another offer is open"):
        match.offer(1, "pause")
    match = same_again(match)
    match.answer(3, yes=True)
    match.answer(1, yes=True)
    assert match.result == (0.25,) * 4


@pytest.mark.parametrize("game", [EGAR, NILE], ids=lambda game: game.id)
def test_who_resigned_neither_answers_nor_shares(game: Any) -> None:
    match = table(game, 4)
    match.resign(2)
    assert match.playing == (0, 1, 3)
    with pytest.raises(NotPossible, match="seat 3 does not play any more"):
        match.offer(2, "draw")
    match.offer(0, "draw")
    assert match.waiting == (1, 3)
    match.answer(1, yes=True)
    match.answer(3, yes=True)
    assert match.result == (1 / 3, 1 / 3, 0.0, 1 / 3)
    same_again(match)


def test_everybody_plays_before_the_first_tile_is_drawn() -> None:
    assert Match.start(NILE, seats=[Seat()] * 3, seed=1).playing == (0, 1, 2)


def test_an_offer_lapses_when_a_human_acts() -> None:
    for offerer in (0, 1):
        match = table()
        match.offer(offerer, "draw")
        move(match, settle=False)
        assert match.offered is None
        with pytest.raises(NotPossible, match="no offer"):
            match.answer(1 - offerer, yes=True)


def test_bots_and_chance_go_on_without_closing_a_draw_or_a_pause() -> None:
    match = table(EGAR, 4, bots=1, skill=("own", "own", "own", "own"))
    while match.turn != 3:  # until the bot is to act
        if match.step() is None:
            move(match, index=-1, settle=False)
        elif match.turn == 3:
            break
    match.offer(0, "pause")
    count = match.count
    match.step()
    assert match.count == count + 1
    assert match.offered == Offer(0, "pause")
    match.answer(1, yes=True)
    match.answer(2, yes=True)
    assert match.paused


def test_a_plain_takeback_lapses_with_whatever_happens_next() -> None:
    match = table()
    move(match, settle=False)
    match.offer(0, "takeback")
    assert match.offered is not None
    match.step()  # the dice fall, and they are seen
    assert match.offered is None


def test_a_hand_over_closes_an_offer() -> None:
    match = table()
    match.offer(0, "draw")
    match.hand_over(1, GREEDY)
    assert match.offered is None
    with pytest.raises(NotPossible, match="bots do not agree to a draw"):
        match.offer(0, "draw")


def test_a_takeback_goes_to_the_offerers_last_decision() -> None:
    match = table()
    first = match.ply
    while (seat := move(match, settle=False)) == match.turn:
        first = match.ply - 1
    assert seat == 0
    assert match.turn < 0  # the dice of the other are not thrown yet
    assert match.offer(0, "takeback").entry == Offered(0, "takeback")
    match = same_again(match)
    assert match.answer(1, yes=True).entry == TookBack(first)
    assert (match.turn, match.ply, match.offered) == (0, first, None)
    same_again(match)


def test_once_a_die_was_seen_all_must_agree_to_just_that() -> None:
    match = table()
    with pytest.raises(NotPossible, match="nothing to take back"):
        match.offer(0, "takeback")
    with pytest.raises(NotPossible, match="nothing to take back"):
        match.offer(0, "takeback-seen")
    ply = match.ply
    move(match)
    count = match.count
    with pytest.raises(NotPossible, match="a die or a secret was seen since"):
        match.offer(0, "takeback")
    assert match.count == count
    match.offer(0, "takeback-seen")
    assert match.waiting == (1,)
    match.answer(1, yes=True)
    assert match.ply == ply


def test_bots_agree_to_take_anything_back() -> None:
    match = table(bots=1)
    ply = match.ply
    move(match)
    assert match.offer(0, "takeback").entry == TookBack(ply)  # all humans agree: there is only this one


def test_ones_own_tiles_are_no_secret_but_those_of_others_are() -> None:
    match = table(NILE, 2, seed=3)
    lay = next(n for n, a in enumerate(match.view(0).legal) if type(a).__name__ == "Lay")
    before = match.view(0)
    move(match, index=lay, settle=False)
    match.offer(0, "takeback")
    match.answer(1, yes=True)
    assert match.view(0) == before


def test_a_secret_shown_by_an_action_counts_as_seen() -> None:
    """A wrong answer in EGAR tells which was right, before anything is drawn."""
    match = table(EGAR, 2)
    match.act(0, match.read("done"))
    until_human(match)
    assert match.turn == 1
    view = match.view(1)
    right = match._line.state.asked.right  # only a test may look
    assert right is not None
    match.act(1, view.legal[(right + 1) % 4])
    assert match.view(0).phase == "pick"  # nobody threw anything since
    with pytest.raises(NotPossible, match="a secret was seen"):
        match.offer(1, "takeback")
    match.offer(1, "takeback-seen")
    match.answer(0, yes=True)
    assert match.view(1).phase == "answer"


def test_steps_in_the_open_show_nothing() -> None:
    match = table(EGAR, 2)
    ply = match.ply
    step = next(n for n, a in enumerate(match.view(0).legal) if type(a).__name__ == "Step")
    move(match, index=step, settle=False)
    match.offer(0, "takeback")
    match.answer(1, yes=True)
    assert match.ply == ply


def test_those_who_are_out_must_agree_once_something_was_seen() -> None:
    match = table(EGAR, 3)
    match.resign(2)
    until_human(match)
    move(match, index=-1)
    assert match.turn == 1
    asked = []
    both: tuple[What, ...] = ("takeback-seen", "pause")
    for what in both:
        match.offer(0, what)
        asked.append(match.waiting)
        match.withdraw(0)
    assert asked == [(1, 2), (1,)]


def test_the_silence_of_a_clock_is_no_decision_to_go_back_to() -> None:
    match = table(EGAR, 2, answer_seconds=10)
    match.act(0, match.read("done"))
    until_human(match)
    match.run_out(1)
    with pytest.raises(NotPossible, match="nothing to take back"):
        match.offer(1, "takeback-seen")


def test_pause_and_resume_by_agreement() -> None:
    match = table()
    match.offer(0, "pause")
    assert match.answer(1, yes=True).entry == Paused()
    match = same_again(match)
    assert match.paused
    assert match.step() is None
    assert match.needs_human
    count = match.count
    for refused in (
        lambda: move(match),
        lambda: match.time_out(0),
        lambda: match.pause(),
        lambda: match.offer(1, "pause"),
    ):
        with pytest.raises(NotPossible, match="the match is paused"):
            refused()
    assert match.count == count
    match.offer(1, "resume")
    assert match.answer(0, yes=True).entry == Resumed()
    assert not match.paused
    with pytest.raises(NotPossible, match="not paused"):
        match.offer(1, "resume")
    with pytest.raises(NotPossible, match="not paused"):
        match.go_on()
    move(match)


def test_nothing_is_drawn_in_a_pause_and_no_claim_made_but_to_resign() -> None:
    match = table(EGAR, 3, answer_seconds=10)
    move(match, index=-1)
    match.pause()
    with pytest.raises(NotPossible, match="the match is paused"):
        match.run_out(match.turn)
    match.resign(0)
    assert match.paused
    assert match.step() is None
    with pytest.raises(NotPossible, match="the match is paused"):
        match.draw_chance()
    match.go_on()
    until_human(match)
    assert match.playing == (1, 2)
    same_again(match)


def test_in_a_pause_a_match_of_two_can_be_given_up_drawn_and_taken_back() -> None:
    match = table()
    move(match)
    match.pause()
    match.offer(0, "takeback-seen")
    match.answer(1, yes=True)
    assert match.paused
    match.offer(0, "draw")
    match.answer(1, yes=True)
    assert match.result == (0.5, 0.5)
    match = table()
    match.pause()
    match.resign(1)
    assert match.result == (1.0, 0.0)


@pytest.mark.parametrize("what", OFFERS)
def test_nothing_is_offered_after_the_end(what: What) -> None:
    match = table()
    move(match)
    match.offer(0, "draw")
    match.resign(0)
    assert match.offered is None
    with pytest.raises(NotPossible, match="over"):
        match.offer(1, what)
    with pytest.raises(NotPossible, match="over"):
        match.answer(1, yes=True)


@pytest.mark.rule("EG-21")
def test_a_bot_that_takes_over_answers_by_its_own_guess_and_a_human_by_the_skill_of_the_bot() -> None:
    match = Match.start(EGAR, EgarOptions(begins=0, turn_limit=30), [Seat(), Seat("bot:random")], seed=4)
    assert match.options.skill == ("own", BOT_SKILL)
    until_human(match)
    match.hand_over(0, Seat("bot:random"))
    match.hand_over(1, Seat("human", "Ida"))
    guesses, known = 0, 0
    while not match.over:
        happening = match.step()
        if happening is None:
            assert match.view(1).phase != "answer"  # chance answers for seat 2, as agreed at the start
            match.act(1, match.view(1).legal[-1])
        elif "answers-" in str(happening.entry):
            known += 1
        elif happening.seat == 0 and type(happening.event(0)).__name__ == "Answered":
            guesses += 1
    assert (guesses > 3, known > 3) == (True, True)
    same_again(match)


def test_a_bot_that_takes_over_gives_up_where_answers_are_typed() -> None:
    match = table(EGAR, 2, answering="open", turn_limit=12)
    for seat in (0, 1):
        match.hand_over(seat, GREEDY)
    until_human(match)
    assert match.over
    assert any("give-up" in str(entry) for entry in match.record().entries)


def test_an_offer_lapses_when_somebody_it_waits_for_drops_out() -> None:
    """A bot beats the last soldier of a seat that was asked; were the offer still open, nobody could ever accept it."""
    ends = set()
    for seed in range(20):
        match = table(EGAR, 3, bots=1, seed=seed)
        match._line.state = position("B4 B5", "G7", "G8 G9", mover=2, skill=("own", "own", "own"))
        match.offer(0, "pause")
        match.act(2, match.read("attack G7 with G8"))
        while match.view(None).phase == "fight":
            match.draw_chance()
        alive = 1 in match.playing
        assert (match.offered is not None) == alive
        ends.add(alive)
    assert ends == {True, False}


def test_who_resigned_is_out_also_where_nobody_can_resign_just_now() -> None:
    class Quiet(EgarRules):
        """Between two turns nobody may claim anything."""

        def claims(self, s: State) -> tuple[tuple[int, Any], ...]:
            return () if self.turn(s) == CHANCE else super().claims(s)

    match = table(replace(EGAR, rules=Quiet()), 3)
    match.resign(0)
    assert match.turn == CHANCE
    assert match.playing == (1, 2)
