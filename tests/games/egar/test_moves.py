"""Moving: the die, steps, what blocks them, and flags."""

from __future__ import annotations

from itertools import permutations

import pytest

from astragal.core.types import OVER, IllegalAction
from astragal.games.egar.diagrams import SPLITS
from astragal.games.egar.options import Options
from tests.games.egar.table import RULES, legal, outcomes, play, position, soldiers


def refused(rule: str, *texts: str, armies: tuple[str, ...] = ("E5", "L10"), **more: object) -> None:
    s = position(*armies, **more)  # type: ignore[arg-type]
    with pytest.raises(IllegalAction) as error:
        play(s, *texts)
    assert error.value.rule == rule


@pytest.mark.rule("EG-4")
def test_three_phases_in_order() -> None:
    s = RULES.initial(Options(begins=0), 2)
    assert s.phase == "roll"
    s = play(s, "roll-2")
    assert s.phase == "move"
    s = play(s, "A3-A4", "A4-A5")
    assert s.phase == "card"  # nobody is near enough to attack, so the question follows at once
    assert s.asked.seat == 1


@pytest.mark.rule("EG-4")
def test_no_moving_after_the_first_attack() -> None:
    s = position("E5 A1", "E6 L10", points=3)
    assert "A1-A2" in legal(s)
    assert play(s, "attack E6").points == 0
    s = play(s, "attack E6", "roll-2", "roll-2")  # a tie, so the fight goes on
    s = play(s, "roll-6", "roll-1-5")
    assert s.phase == "card"
    s = play(position("E5 A1", "E6 E4 L10", points=3), "attack E6", "roll-6", "roll-1-5")
    assert legal(s) == {"attack E4 with E5", "done"}
    with pytest.raises(IllegalAction) as error:
        play(s, "A1-A2")
    assert error.value.rule == "EG-4"


@pytest.mark.rule("EG-4")
def test_no_attack_while_a_question_is_open() -> None:
    refused("EG-4", "done", "attack E6 with E5", armies=("E5", "E6"))
    refused("EG-4", "done", "done")


@pytest.mark.rule("EG-5")
def test_one_die_of_six() -> None:
    s = RULES.initial(Options(begins=0), 2)
    assert outcomes(s) == {f"roll-{pips}": 1 for pips in range(1, 7)}
    assert [play(s, f"roll-{pips}").points for pips in range(1, 7)] == [1, 2, 3, 4, 5, 6]
    with pytest.raises(IllegalAction) as error:
        play(s, "roll-1-2")
    assert error.value.rule == "EG-5"


def steps_of(walk: str) -> list[str]:
    """B1-B5 as four steps, three rows further up, where no flag is in the way."""
    start, end = walk.split("-")
    rows = range(int(start[1:]) + 3, int(end[1:]) + 3)
    return [f"{start[0]}{row}-{start[0]}{row + 1}" for row in rows]


@pytest.mark.rule("EG-5")
@pytest.mark.parametrize("walks", SPLITS)
def test_five_ways_to_split_a_four(walks: tuple[str, ...]) -> None:
    """In any order, also changing between soldiers in the middle of their way."""
    steps = [step for walk in walks for step in steps_of(walk)]
    assert len(steps) == 4
    orders = {order for order in permutations(steps) if all(in_order(order, steps_of(walk)) for walk in walks)}
    for order in orders:
        s = play(position("A4 B4 C4 D4", "L10", points=4), *order)
        assert s.phase == "card"
        assert {steps_of(walk)[-1].split("-")[1] for walk in walks} <= soldiers(s, 0)


def in_order(order: tuple[str, ...], steps: list[str]) -> bool:
    places = [order.index(step) for step in steps]
    return places == sorted(places)


@pytest.mark.rule("EG-5")
def test_points_may_be_left_over_and_are_lost() -> None:
    s = play(position("E5", "L10", points=6), "E5-E6", "done")
    assert (s.phase, s.points) == ("card", 0)
    assert play(position("E5", "L10", points=6), "done").phase == "card"
    refused("EG-4", "E5-E6", "E6-E7", points=1)


@pytest.mark.rule("EG-5")
def test_only_own_soldiers_move() -> None:
    refused("EG-5", "L10-L11")
    refused("EG-5", "A1-A2")


@pytest.mark.rule("EG-6")
def test_steps_are_orthogonal_and_onto_free_squares() -> None:
    s = position("E5 E6", "F5 L10")
    assert {text for text in legal(s) if text.startswith("E5-")} == {"E5-D5", "E5-E4"}
    refused("EG-6", "E5-F6")
    refused("EG-6", "E5-E7")
    refused("EG-6", "E5-E6", armies=("E5 E6", "L10"))
    refused("EG-6", "E5-F5", armies=("E5", "F5"))
    refused("EG-2", "K5-L5", armies=("K5", "B10"), board="quick")


@pytest.mark.rule("EG-6")
@pytest.mark.parametrize("blocker", ["A2 own", "A2 enemy"])
def test_a_soldier_cannot_pass_another(blocker: str) -> None:
    """In a corner behind one soldier, only the other side is open, however many points there are."""
    own = "A1 A2 B2" if "own" in blocker else "A1 B2"
    enemy = "L10" if "own" in blocker else "A2 L10"
    s = position(own, enemy, points=6, own_flag_open=True)
    assert {text for text in legal(s) if text.startswith("A1-")} == {"A1-B1"}
    refused("EG-6", "A1-A3", armies=(own, enemy), points=6, own_flag_open=True)


@pytest.mark.rule("EG-7")
@pytest.mark.parametrize(
    ("armies", "step"),
    [
        (("L11 B4", "A1"), "L11-L12"),
        (("L7 B4", "A5", "M1"), "L7-L8"),
        (("K12 B4", "A5", "M1", "B11"), "K12-L12"),
    ],
)
def test_entering_an_enemy_flag_wins_at_once(armies: tuple[str, ...], step: str) -> None:
    s = play(position(*armies, points=5), step)
    assert RULES.turn(s) == OVER
    assert RULES.returns(s) == (1.0, *[0.0] * (len(armies) - 1))
    assert (s.points, s.question, RULES.claims(s)) == (0, None, ())


@pytest.mark.rule("EG-7")
@pytest.mark.parametrize("points", [1, 2, 6])
def test_no_exact_roll_is_needed(points: int) -> None:
    assert play(position("L11", "A5", points=points), "L11-L12").won == (0,)


@pytest.mark.rule("EG-8")
def test_the_own_flag_is_closed() -> None:
    assert "B1-B2" not in legal(position("B1", "L10"))
    refused("EG-8", "B1-B2", armies=("B1", "L10"))


@pytest.mark.rule("EG-8")
def test_the_own_flag_may_be_opened() -> None:
    s = play(position("B1", "L10", points=3, own_flag_open=True), "B1-B2")
    assert (s.phase, soldiers(s, 0)) == ("move", {"B2"})
    guarded = position("A1", "B3", mover=1, own_flag_open=True)
    assert "B3-B2" in legal(guarded)
    guarded = position("B2", "B3", mover=1, own_flag_open=True)
    assert "B3-B2" not in legal(guarded)
    assert "attack B2 with B3" in legal(guarded)


def test_with_a_point_left_there_is_always_more_to_do_than_to_stop() -> None:
    """A soldier locked in by enemies can still attack."""
    s = position("A1", "A2 B1", points=6)
    assert legal(s) == {"attack A2 with A1", "attack B1 with A1", "done"}
