"""Counting a refused answer by agreement (EG-20): the offer, what it does to the game, and that the record knows it."""

from __future__ import annotations

import pytest

from astragal.core import recordfile
from astragal.core.line import replay
from astragal.core.record import BadRecord, Claimed, Counted, Offered, Record, Seat
from astragal.core.types import COUNT
from astragal.core.verify import verify
from astragal.games.egar import GAME
from astragal.games.egar.deck import Deck
from astragal.games.egar.narration import sentence
from astragal.games.egar.options import Options
from astragal.play.match import Match, NotPossible
from tests.games.egar.table import card

DECK = Deck("own", (card(),))


def asked(*seats: Seat, answer_seconds: int = 0) -> Match:
    """A match in which seat 2 has just been asked for the Rubicon and is to type."""
    options = Options(begins=0, answering="open", deck=DECK, answer_seconds=answer_seconds)
    match = Match.start(GAME, options, seats or (Seat(), Seat()), seed=3)
    go_on(match)
    match.act(0, match.read("done"))
    go_on(match)
    assert (match.turn, match.view(1).phase) == (1, "answer")
    return match


def go_on(match: Match) -> None:
    while match.step() is not None:
        pass


def type_in(match: Match, text: str) -> None:
    match.act(1, match.read(text))
    go_on(match)


def army(match: Match) -> tuple[str, ...]:
    soldiers: tuple[str, ...] = match.view(None).armies[1]
    return soldiers


def settled(match: Match) -> None:
    """If the asker has to pick which soldier leaves, it does."""
    if match.view(0).phase == "pick":
        match.act(0, match.view(0).legal[0])
        go_on(match)


@pytest.mark.rule("EG-20")
def test_a_refused_answer_counts_when_the_others_agree() -> None:
    match = asked()
    before = army(match)
    type_in(match, "the river of Caesar's die")
    settled(match)
    assert len(army(match)) == len(before) - 1
    assert match.can_count
    assert match.offer(1, "count").entry == Offered(1, "count")
    assert match.waiting == (0,)
    happening = match.answer(0, yes=True)
    assert isinstance(happening.entry, Counted)
    assert "agree that the answer" in sentence(happening.event(0), "en")
    assert army(match) == before
    assert not match.can_count
    go_on(match)
    assert match.turn == 1  # whoever was asked has the next turn, as after a right answer


@pytest.mark.rule("RC-13")
@pytest.mark.rule("EG-20")
def test_the_record_of_it_reads_back_replays_and_verifies() -> None:
    match = asked()
    type_in(match, "no idea, Tiberius?")
    match.offer(0, "count")
    match.answer(1, yes=True)
    go_on(match)
    record = match.record(keep_seed=True)
    assert any(isinstance(entry, Counted) for entry in record.entries)
    text = recordfile.to_text(record)
    assert "counted: " in text
    for written in (text, recordfile.to_json(record)):
        assert recordfile.parse(written) == record
    assert replay(record).state == replay(recordfile.parse(text)).state
    again = Match.resume(record)
    assert (again.turn, again.ply, again.view(None)) == (match.turn, match.ply, match.view(None))
    match.resign(0)
    verify(match.record())


def test_a_no_leaves_it_refused() -> None:
    match = asked()
    type_in(match, "Rhône")
    settled(match)
    lost = army(match)
    match.offer(1, "count")
    match.answer(0, yes=False)
    assert army(match) == lost


def test_against_bots_only_the_humans_decide() -> None:
    match = asked(Seat(), Seat(), Seat("bot:random"))
    type_in(match, "Rhône")
    assert isinstance(match.offer(0, "count").entry, Offered)
    match.withdraw(0)
    alone = Match.start(GAME, Options(begins=1, answering="open", deck=DECK), (Seat(), Seat("bot:random")), seed=5)
    go_on(alone)
    while alone.view(0).phase != "answer":
        alone.act(0, alone.view(0).legal[-1])
        go_on(alone)
    alone.act(0, alone.read("Rhône"))
    assert isinstance(alone.offer(0, "count").entry, Counted)


@pytest.mark.parametrize("text", ["Rubicon", "give-up"])
def test_a_right_answer_and_none_cannot_be_counted(text: str) -> None:
    match = asked()
    type_in(match, text)
    assert not match.can_count
    with pytest.raises(NotPossible, match="no refused answer"):
        match.offer(1, "count")


def test_not_while_the_next_question_is_open() -> None:
    match = asked()
    type_in(match, "Rhône")
    settled(match)
    assert match.can_count
    match.act(1, match.read("done"))
    go_on(match)
    assert match.view(0).phase == "answer"
    assert not match.can_count
    with pytest.raises(NotPossible, match="no refused answer"):
        match.count_answer()


def test_silence_cannot_be_counted() -> None:
    match = asked(answer_seconds=20)
    match.run_out(1)
    go_on(match)
    assert not match.can_count


@pytest.mark.rule("RC-13")
def test_no_seat_can_claim_it_for_itself() -> None:
    match = asked()
    action = match.read(COUNT)
    with pytest.raises(NotPossible, match="not an action but a claim"):
        match.act(1, action)
    with pytest.raises(NotPossible, match="nothing to claim"):
        match.claim(1, action)
    record = match.record(keep_seed=True)
    forged = Record(header=record.header, entries=(*record.entries, Claimed(1, COUNT)))
    with pytest.raises(BadRecord) as caught:
        replay(forged)
    assert caught.value.rule == "RC-13"


@pytest.mark.rule("RC-13")
@pytest.mark.parametrize("ply", [0, 1, 99, -1])
def test_only_the_last_refused_answer(ply: int) -> None:
    match = asked()
    type_in(match, "Rhône")
    with pytest.raises(BadRecord) as caught:
        match.add(Counted(ply))
    assert caught.value.rule == "RC-13"


def test_it_can_be_taken_back_like_anything_else() -> None:
    match = asked()
    type_in(match, "Rhône")
    match.count_answer()
    match.undo()
    assert match.view(1).phase == "answer"
    assert not match.can_count
