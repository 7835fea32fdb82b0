"""Attacks: who takes part, the dice and their odds, and what they cost."""

from __future__ import annotations

from fractions import Fraction

import pytest

from astragal.core.types import CHANCE, BadNotation, IllegalAction
from astragal.games.egar.combat import odds, wins
from astragal.games.egar.state import State
from tests.games.egar.table import RULES, attack, legal, outcomes, play, position, soldiers

AROUND = ("E4", "D5", "F5", "E6")
ODDS = {1: Fraction(1, 2), 2: Fraction(25, 36), 3: Fraction(19, 24), 4: Fraction(5501, 6480)}


def surrounded(attackers: int, extra: str = "A1", enemy: str = "L10") -> State:
    """So many soldiers round an enemy on E5, and one more of each side far away."""
    return position(" ".join([*AROUND[:attackers], extra]), f"E5 {enemy}", phase="attack")


@pytest.mark.rule("EG-9")
@pytest.mark.parametrize("attackers", [1, 2, 3, 4])
def test_all_adjacent_soldiers_attack_and_one_is_named(attackers: int) -> None:
    s = surrounded(attackers)
    assert legal(s) == {f"attack E5 with {square}" for square in AROUND[:attackers]} | {"done"}
    fight = play(s, "attack E5 with E4").fight
    assert fight is not None
    assert (fight.dice, s.ground.names[fight.risk]) == (attackers, "E4")


@pytest.mark.rule("EG-9")
def test_whether_they_moved_or_not() -> None:
    s = play(position("E3 D5 A1", "E5 L10", points=1), "E3-E4")
    assert "attack E5 with E4" in legal(s)
    assert "attack E5 with D5" in legal(s)


@pytest.mark.rule("EG-9")
@pytest.mark.parametrize(
    "text",
    [
        "attack E5 with D4",
        "attack L10 with A1",
        "attack F6 with A1",
        "attack E4 with A1",
        "attack E5 with H8",
        "attack F6",
    ],
)
def test_what_is_no_attack(text: str) -> None:
    """Diagonal, too far away, an empty square, an own soldier, nobody there."""
    s = position("E4 D4 A1", "E5 L10", phase="attack")
    with pytest.raises(IllegalAction) as error:
        play(s, text)
    assert error.value.rule == "EG-9"


@pytest.mark.rule("EG-9")
def test_the_soldier_at_risk_may_go_unnamed_if_it_is_the_only_one() -> None:
    assert RULES.encode(RULES.decode(surrounded(1), "attack e5")) == "attack E5 with E4"
    with pytest.raises(IllegalAction, match="at risk"):
        play(surrounded(2), "attack E5")
    with pytest.raises(BadNotation):
        play(surrounded(2), "attack")


def chances(s: State, top: bool = True) -> tuple[Fraction, Fraction]:
    """The chances that the attack in this state is won and lost in one round of dice, by walking the chance nodes."""
    if s.fight is None:
        won = Fraction(len(s.armies[1]) == 1)
        return won, 1 - won
    if not top and s.fight.thrown == 0:  # a tie: the round is over
        return Fraction(0), Fraction(0)
    assert RULES.turn(s) == CHANCE
    falls = RULES.chance(s)
    total = sum(weight for _, weight in falls)
    assert total == 6  # one die
    won = lost = Fraction(0)
    for fall, weight in falls:
        after = chances(RULES.apply(s, fall), top=False)
        won, lost = won + after[0] * Fraction(weight, total), lost + after[1] * Fraction(weight, total)
    return won, lost


@pytest.mark.rule("EG-10")
@pytest.mark.parametrize("attackers", ODDS)
def test_odds_from_the_chance_nodes(attackers: int) -> None:
    won, lost = chances(play(surrounded(attackers), "attack E5 with E4"))
    assert 0 < won + lost < 1  # ties are rolled again
    assert won / (won + lost) == ODDS[attackers]
    assert odds(attackers) == ODDS[attackers]
    assert wins(attackers, 0, 0) == ODDS[attackers]


@pytest.mark.rule("EG-10")
def test_odds_in_the_middle_of_a_fight() -> None:
    assert wins(1, 1, 6) == Fraction(5, 6) + Fraction(1, 6) * Fraction(1, 2)
    assert wins(2, 2, 1) == Fraction(1, 6) * ODDS[2]


@pytest.mark.rule("EG-10")
def test_each_die_is_one_draw_and_what_plays_alike_is_merged() -> None:
    s = play(surrounded(2), "attack E5 with E4")
    assert outcomes(s) == {f"roll-{pips}": 1 for pips in range(1, 7)}
    s = play(s, "roll-4")
    assert outcomes(s) == {"roll-1-4": 4, "roll-5": 1, "roll-6": 1}
    assert outcomes(play(s, "roll-1-4")) == {"roll-1-3": 3, "roll-4": 1, "roll-5-6": 2}
    assert outcomes(play(s, "roll-6")) == {"roll-1-5": 5, "roll-6": 1}
    low = play(surrounded(1), "attack E5", "roll-1")
    assert outcomes(low) == {"roll-1": 1, "roll-2-6": 5}
    with pytest.raises(IllegalAction) as error:
        play(s, "roll-3")
    assert error.value.rule == "EG-10"


@pytest.mark.rule("EG-10")
def test_equal_dice_are_all_rolled_again() -> None:
    s = play(surrounded(2), *attack("E5", "E4", "3", "5", "5"))
    assert s.fight is not None
    assert (s.fight.thrown, s.fight.best) == (0, 0)
    assert outcomes(s) == {f"roll-{pips}": 1 for pips in range(1, 7)}


@pytest.mark.rule("EG-11")
def test_a_beaten_defender_leaves_and_nobody_advances() -> None:
    s = play(surrounded(2), *attack("E5", "E4", "3", "5", "1-4"))
    assert soldiers(s, 0) == {"E4", "D5", "A1"}
    assert soldiers(s, 1) == {"L10"}


@pytest.mark.rule("EG-11")
def test_a_beaten_attack_costs_the_soldier_at_risk() -> None:
    s = play(surrounded(2), *attack("E5", "D5", "3", "1-3", "4-6"))
    assert soldiers(s, 0) == {"E4", "A1"}
    assert soldiers(s, 1) == {"E5", "L10"}


@pytest.mark.rule("EG-12")
def test_attacks_may_be_repeated() -> None:
    s = play(surrounded(2), *attack("E5", "D5", "3", "1-3", "4-6"))
    assert legal(s) == {"attack E5 with E4", "done"}
    s = play(s, *attack("E5", "E4", "6", "1-5"))
    assert s.phase == "card"  # nobody is left to attack


@pytest.mark.rule("EG-12")
def test_the_same_soldier_may_attack_several_enemies() -> None:
    s = position("E5 A1", "E6", "E4", "L5", phase="attack")
    s = play(s, *attack("E6", "E5", "6", "1-5"))
    assert "attack E4 with E5" in legal(s)
    assert legal(play(s, "done")) == set()


@pytest.mark.rule("EG-12")
def test_attacking_is_optional() -> None:
    assert play(surrounded(4), "done").phase == "card"
