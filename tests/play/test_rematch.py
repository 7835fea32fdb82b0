"""The next match of the same players: who begins, under which options, and who sits where."""

from __future__ import annotations

import pytest

import astragal
from astragal.core.record import Seat
from astragal.core.rules import Rematch
from astragal.games.egar.options import BOT_SKILL
from astragal.games.egar.options import Options as EgarOptions
from astragal.games.ur.options import Options
from astragal.play.match import Match, NotPossible

UR, MODERN, EGAR = astragal.game("ur"), astragal.game("ur-modern"), astragal.game("egar")
HUMAN, GREEDY = Seat(), Seat("bot:greedy")


def test_the_same_options_with_lots_where_the_rules_say_nothing_else() -> None:
    match = Match.start(UR, Options(pieces=5, begins=1), [HUMAN, GREEDY], seed=1)
    with pytest.raises(NotPossible, match="not over yet"):
        match.rematch_options()
    match.resign(0)
    assert match.rematch() == Rematch()
    assert match.rematch_options() == Options(pieces=5, begins="lots")
    with pytest.raises(NotPossible, match="nobody chooses"):
        match.rematch_options(1)


@pytest.mark.rule("UM-3")
def test_the_loser_chooses_who_begins() -> None:
    options = MODERN.rules.options_type
    match = Match.start(MODERN, options(layout="lanes", begins=0), [HUMAN, HUMAN], seed=1)
    match.resign(1)
    assert match.rematch() == Rematch(chooser=1)
    with pytest.raises(NotPossible, match="seat 2 must choose who begins"):
        match.rematch_options()
    for bad in (-1, 2):
        with pytest.raises(NotPossible, match="no seat"):
            match.rematch_options(bad)
    for chosen in (0, 1):
        assert match.rematch_options(chosen) == options(layout="lanes", begins=chosen)


@pytest.mark.rule("UM-3")
def test_a_bot_that_may_choose_begins_itself() -> None:
    match = Match.start(MODERN, MODERN.rules.options_type(begins=0), [HUMAN, GREEDY], seed=1)
    match.resign(1)
    assert match.rematch_options().begins == 1


@pytest.mark.rule("EG-21")
def test_skills_follow_those_who_sit_there_for_the_next_match() -> None:
    match = Match.start(EGAR, EgarOptions(begins=0), [HUMAN, GREEDY], seed=1)
    assert match.options.skill == ("own", BOT_SKILL)
    match.hand_over(0, GREEDY)
    match.hand_over(1, HUMAN)
    match.resign(1)
    again = Match.start(EGAR, match.rematch_options(), match.seats, seed=2)
    assert again.options == EgarOptions(begins="lots", skill=(BOT_SKILL, "own"))
    assert again.seats == (GREEDY, HUMAN)


def test_skills_the_host_agreed_on_stay() -> None:
    mine = EgarOptions(begins=0, skill=((90, 80, 70), "own"))
    match = Match.start(EGAR, mine, [HUMAN, GREEDY], seed=1)
    match.resign(0)
    again = Match.start(EGAR, match.rematch_options(), match.seats, seed=2)
    assert again.options.skill == mine.skill


def test_a_rematch_of_a_rematch() -> None:
    match = Match.start(EGAR, EgarOptions(begins=0), [HUMAN, GREEDY], seed=1)
    for _ in range(3):
        match.resign(0)
        match = Match.start(EGAR, match.rematch_options(), match.seats, seed=1)
        assert match.options.skill == ("own", BOT_SKILL)
