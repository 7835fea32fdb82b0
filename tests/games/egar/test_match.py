"""EGAR at the table: bots, records, claims."""

from __future__ import annotations

import pytest
from msgspec.structs import replace

from astragal.core import recordfile
from astragal.core.line import Line
from astragal.core.record import Acted, Drew, Record, Seat
from astragal.core.types import OVER, BadOptions
from astragal.games.egar import GAME, quiz
from astragal.games.egar.actions import SILENCE, Resign
from astragal.games.egar.answers import Judgement
from astragal.games.egar.options import BOT_SKILL, Options
from astragal.play.match import Match, NotPossible
from tests.games.egar.table import RULES

HUMANS = (Seat(), Seat(), Seat())


def test_greedy_beats_random() -> None:
    """93 of 100 when it was measured; eight games are a smoke test of that."""
    won = 0.0
    for seed in range(8):
        seats = [Seat("bot:greedy"), Seat("bot:random")]
        match = Match.start(GAME, Options(skill=(BOT_SKILL, BOT_SKILL), begins=seed % 2), seats, seed=seed)
        while match.step() is not None:
            pass
        assert match.result is not None
        won += match.result[0]
    assert won >= 5


def test_bots_with_a_skill_are_answered_for() -> None:
    seats = [Seat("bot:random"), Seat("bot:random"), Seat("bot:random")]
    match = Match.start(GAME, Options(skill=(BOT_SKILL,) * 3, turn_limit=12), seats, seed=1)
    while match.step() is not None:
        pass
    drawn = [entry for entry in match.record().entries if isinstance(entry, Drew) and "answers" in entry.action]
    assert drawn
    assert {entry.weights for entry in drawn} == {(60, 40)}


def test_a_record_of_typed_answers_reads_back() -> None:
    match = Match.start(GAME, Options(answering="open", begins=0, turn_limit=2), [Seat(), Seat()], seed=5)
    while match.turn != OVER:
        if match.step() is None:
            text = (
                "answer ¿Napoleón, no?"
                if match.view(match.turn).phase == "answer"
                else RULES.encode(match.view(match.turn).legal[-1])
            )
            match.act(match.turn, match.read(text))
    record = match.record()
    assert any(isinstance(entry, Acted) and "¿Napoleón, no?" in entry.action for entry in record.entries)
    assert recordfile.parse(recordfile.to_json(record)) == record
    assert recordfile.parse(recordfile.to_text(record)) == record


def _played(answer: str) -> Record:
    """A short match in which every question is answered so."""
    match = Match.start(GAME, Options(answering="open", begins=0, turn_limit=4), [Seat(), Seat()], seed=5)
    while match.turn != OVER:
        if match.step() is None:
            view = match.view(match.turn)
            match.act(match.turn, match.read(answer if view.phase == "answer" else RULES.encode(view.legal[-1])))
    return match.record()


def _replayed(record: Record) -> Line:
    line = Line(record.header)
    for entry in record.entries:
        line.add(entry)
    return line


@pytest.mark.rule("EG-20")
def test_a_record_keeps_how_an_answer_was_judged(monkeypatch: pytest.MonkeyPatch) -> None:
    """The judge learns; what was played stays. No seat can judge its own answer."""
    record = _played("answer-right complete nonsense")
    typed = [entry.action for entry in record.entries if isinstance(entry, Acted) and "nonsense" in entry.action]
    assert set(typed) == {"answer-wrong complete nonsense"}
    then = _replayed(record).state
    monkeypatch.setattr(quiz, "judge", lambda card, text: Judgement(True, "exact", text))
    assert _replayed(record).state == then


@pytest.mark.rule("EG-20")
def test_an_old_record_without_verdicts_is_judged_when_it_is_read() -> None:
    record = _played("answer complete nonsense")
    old = [
        replace(entry, action=entry.action.replace("answer-wrong ", "answer ")) if isinstance(entry, Acted) else entry
        for entry in record.entries
    ]
    assert old != list(record.entries)
    assert _replayed(replace(record, entries=tuple(old))).state == _replayed(record).state


@pytest.mark.rule("EG-16")
def test_resigning_at_a_table_of_three() -> None:
    match = Match.start(GAME, Options(begins=0), HUMANS, seed=1)
    match.draw_chance()
    assert match.claims(2) == (Resign(2),)
    match.resign(2)  # the table itself cannot end a match of three: it is a claim under the rules
    assert match.view(0).armies[2] == ()
    assert match.turn == 0


@pytest.mark.rule("EG-16")
def test_nobody_resigns_for_another() -> None:
    match = Match.start(GAME, Options(begins=0), HUMANS, seed=1)
    match.draw_chance()
    with pytest.raises(NotPossible):
        match.claim(0, Resign(1))
    with pytest.raises(NotPossible):
        match.act(0, Resign(1))
    assert all(len(army) == 8 for army in match.view(0).armies)


@pytest.mark.rule("EG-20")
def test_the_clock_claims_silence() -> None:
    match = Match.start(GAME, Options(begins=0, answer_seconds=10), HUMANS, seed=1)
    match.draw_chance()
    match.act(0, match.read("done"))
    while match.turn < 0:
        match.draw_chance()
    assert match.turn == 1
    match.claim(1, SILENCE)
    assert match.view(0).phase == "pick"


def test_a_skill_for_a_seat_that_is_not_there_is_refused_also_with_bots() -> None:
    options = RULES.seated(Options(skill=("own", "own", "own")), [False, True])
    with pytest.raises(BadOptions, match="there are only 2 seats"):
        RULES.initial(options, 2)
