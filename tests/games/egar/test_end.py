"""Leaving the game, dead players' flags, the last army and the turn limit."""

from __future__ import annotations

import pytest

from astragal.core.types import OVER, IllegalAction
from astragal.games.egar.actions import Resign
from astragal.games.egar.options import Options
from astragal.games.egar.state import State
from tests.games.egar.table import KNOWS, RULES, attack, legal, play, position, soldiers


@pytest.mark.rule("EG-16")
def test_out_by_a_question() -> None:
    s = play(position("B4", "L10", "A9"), "done", "card-1", "order-1234", "B")
    assert not s.armies[1]
    assert (s.phase, s.mover) == ("roll", 2)


@pytest.mark.rule("EG-16")
def test_out_by_an_attack() -> None:
    s = play(position("E5 A1", "E6", "A9 E4", phase="attack"), *attack("E6", "E5", "6", "1-5"))
    assert not s.armies[1]
    assert "attack E4 with E5" in legal(s)
    assert play(s, "done").asked.seat == 2


@pytest.mark.rule("EG-16")
def test_out_in_the_own_turn_no_question_is_asked() -> None:
    s = play(position("E5", "E6", "A9", phase="attack"), *attack("E6", "E5", "1", "2-6"))
    assert not s.armies[0]
    assert (s.phase, s.mover, s.question, s.turns) == ("roll", 1, None, 1)


def resigned(s: State, seat: int) -> State:
    assert (seat, Resign(seat)) in RULES.claims(s)
    return RULES.apply(s, Resign(seat))


@pytest.mark.rule("EG-16")
def test_resigning_removes_all_own_soldiers() -> None:
    s = position("B4 B5", "L10 L9", "A9 A8")
    after = resigned(s, 0)  # the mover: the turn passes, without a question
    assert (soldiers(after, 0), after.mover, after.phase, after.turns) == (set(), 1, "roll", 1)
    after = resigned(s, 2)  # somebody else: the turn goes on
    assert (after.mover, after.phase, after.points) == (0, "move", 3)
    assert resigned(after, 1).won == (0,)


@pytest.mark.rule("EG-16")
def test_resigning_in_a_fight() -> None:
    s = play(position("E5 A1", "E6 L5", "A9", phase="attack"), "attack E6", "roll-3")
    after = resigned(s, 1)  # the defender: nobody is left to attack
    assert (after.phase, after.fight, after.asked.seat) == ("card", None, 2)
    s = play(position("E5 A1", "E6 L5", "A9 E4", phase="attack"), "attack E6", "roll-3")
    after = resigned(s, 1)  # or somebody is
    assert (after.phase, after.fight, legal(after)) == ("attack", None, {"attack E4 with E5", "done"})
    assert resigned(s, 2).phase == "fight"
    assert resigned(s, 0).mover == 1


@pytest.mark.rule("EG-16")
def test_resigning_while_a_question_is_open() -> None:
    s = play(position("B4", "L10", "A9"), "done", "card-1", "order-1234")
    assert (resigned(s, 1).phase, resigned(s, 1).mover) == ("roll", 2)
    assert (resigned(s, 0).phase, resigned(s, 0).mover) == ("roll", 1)
    assert resigned(s, 2).phase == "answer"


@pytest.mark.rule("EG-16")
def test_resigning_before_the_lots() -> None:
    s = resigned(RULES.initial(Options(), 3), 0)
    assert [a for a, _ in RULES.chance(s)] == [RULES.decode(s, "begins-2"), RULES.decode(s, "begins-3")]


@pytest.mark.rule("EG-16")
def test_with_two_the_table_ends_the_match() -> None:
    s = position("B4", "L10")
    assert RULES.claims(s) == ()
    for state, seat in ((s, 0), (position("B4", "", "A9"), 1), (position("B4", "L10", "A9"), 7)):
        with pytest.raises(IllegalAction) as error:
            RULES.apply(state, Resign(seat))
        assert error.value.rule == "EG-16"


@pytest.mark.rule("EG-17")
@pytest.mark.parametrize(("armies", "step"), [(("L7", "", "A5"), "L7-L8"), (("K2 A1", "", "A5", ""), "K2-L2")])
def test_a_dead_players_flag_still_wins(armies: tuple[str, ...], step: str) -> None:
    s = position(*armies)
    assert RULES.observe(s, 0).flags[1] != ""
    assert play(s, step).won == (0,)


@pytest.mark.rule("EG-17")
def test_or_it_is_removed() -> None:
    s = position("L7", "", "A5", dead_flags="removed")
    assert RULES.observe(s, 0).flags[1] == ""
    s = play(s, "L7-L8", "L8-L9")
    assert (s.won, soldiers(s, 0)) == ((), {"L9"})
    alive = position("L7", "A1", "A5", dead_flags="removed")
    assert play(alive, "L7-L8").won == (0,)


@pytest.mark.rule("EG-17")
def test_two_armies_play_on() -> None:
    s = play(position("B4", "L10", "A9"), "done", "card-1", "order-1234", "B")
    assert RULES.turn(s) != OVER


@pytest.mark.rule("EG-18")
def test_the_last_army_wins_by_attack() -> None:
    s = play(position("E5", "E6", phase="attack"), *attack("E6", "E5", "6", "1-5"))
    assert (RULES.turn(s), RULES.returns(s)) == (OVER, (1.0, 0.0))
    s = play(position("E5", "E6", phase="attack"), *attack("E6", "E5", "1", "2-6"))
    assert RULES.returns(s) == (0.0, 1.0)


@pytest.mark.rule("EG-18")
def test_the_last_army_wins_by_a_question() -> None:
    s = play(position("B4", "L10", ""), "done", "card-1", "order-1234", "B")
    assert RULES.returns(s) == (1.0, 0.0, 0.0)


@pytest.mark.rule("EG-22")
def test_the_largest_army_wins_at_the_limit() -> None:
    s = position("B4 B5", "L10", "A9 A8", turn_limit=2, skill=(KNOWS, KNOWS, KNOWS))
    s = play(s, "done", "card-1", "answers-right", "roll-1")
    assert s.turns == 1
    s = play(s, "done", "card-2", "answers-right")
    assert (RULES.turn(s), RULES.returns(s)) == (OVER, (0.5, 0.0, 0.5))


@pytest.mark.rule("EG-22")
def test_the_limit_can_be_off() -> None:
    assert Options().turn_limit == 300
    s = position("B4 B5", "L10", turn_limit=0, skill=(KNOWS, KNOWS))
    for _ in range(5):
        s = play(s, "done", f"card-{1 + s.turns % 2}", "answers-right", "roll-1")
    assert (s.turns, s.won) == (5, ())
