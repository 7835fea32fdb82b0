"""Dice statistics: what was seen, what was to be expected, and how unusual that is."""

from __future__ import annotations

from collections import Counter
from math import comb
from typing import Any

import msgspec
import pytest

import astragal
from astragal.analysis.dice import statistics
from astragal.analysis.report import Dice
from astragal.analysis.review import Reviewer, made_by
from astragal.analysis.telling import tell
from astragal.core import line as lines
from astragal.core.line import Ply
from astragal.core.types import CHANCE
from tests.analysis.matches import UR, match_of


def told(**changes: Any) -> Dice:
    (one,) = statistics(UR.rules, thrown(**changes))
    return one


def thrown(*, pips: list[int]) -> list[Ply]:
    """These throws of the side that begins, without anything between them."""
    state = UR.rules.initial(UR.rules.options_type(begins=0), 2)
    falls = {action.pips: action for action, _ in UR.rules.chance(state)}
    return [Ply(state, falls[one], CHANCE, UR.rules.apply(state, falls[one])) for one in pips]


def test_faces_are_counted_and_expected_by_the_weights_of_the_rules() -> None:
    one = told(pips=[0, 2, 2, 4])
    assert (one.seat, one.count, one.mean) == (0, 4, 2.0)
    assert one.expected == pytest.approx(2.0)
    assert [(face.face, face.seen) for face in one.faces] == [("0", 1), ("1", 0), ("2", 2), ("3", 0), ("4", 1)]
    assert [face.expected for face in one.faces] == pytest.approx([4 * w / 16 for w in (1, 4, 6, 4, 1)])
    assert one.unusual == pytest.approx(1)


@pytest.mark.parametrize("throws", [1, 3, 8])
def test_how_unusual_four_after_four_is_follows_from_the_binomial_distribution(throws: int) -> None:
    """All tips up, or none: both are as far from the mean."""
    assert told(pips=[4] * throws).unusual == pytest.approx(2 / 2 ** (4 * throws))


def test_a_tail_is_that_of_all_sums_at_least_as_far_off() -> None:
    tips = 4 * 3
    far = sum(comb(tips, k) for k in range(tips + 1) if abs(k - 6) >= 3) / 2**tips
    assert told(pips=[4, 3, 2]).unusual == pytest.approx(far)


@pytest.mark.parametrize("id", ["ur", "ur-modern", "nile", "egar"])
def test_every_game_counts_its_throws_and_all_of_them_were_expected(id: str) -> None:
    game = astragal.game(id)
    options = game.rules.seated(next(iter(game.rules.presets.values())), [True, True])
    line = lines.replay(match_of("random", "greedy", game=game, options=options, seed=3))
    counted = statistics(game.rules, line.steps)
    assert {one.seat for one in counted} == {0, 1}
    for one in counted:
        assert 0 < one.unusual <= 1
        if one.faces:
            assert sum(face.seen for face in one.faces) == one.count
            assert sum(face.expected for face in one.faces) == pytest.approx(one.count)
    for ply in line.steps:
        if ply.seat == CHANCE and game.rules.thrown(ply.before, ply.action) is not None:
            outcomes = game.rules.chance(ply.before)
            falls = [game.rules.thrown(ply.before, action) for action, _ in outcomes]
            assert len({(fall.seat, fall.what) for fall in falls if fall is not None}) == 1
            assert None not in falls
            if id == "egar":  # numbers that play alike are one outcome, and keep the mean of a die
                mean = sum(fall.value * weight for fall, (_, weight) in zip(falls, outcomes, strict=True) if fall)
                assert mean / sum(weight for _, weight in outcomes) == pytest.approx(3.5)


def test_the_tiles_of_nile_are_those_that_came_onto_the_rack() -> None:
    game = astragal.game("nile")
    options = msgspec.structs.replace(next(iter(game.rules.presets.values())), begins=0, board="small")
    line = lines.replay(match_of("greedy", "greedy", game=game, options=options, seed=3))
    for one in statistics(game.rules, line.steps):
        drawn = [ply for ply in line.steps if ply.seat == CHANCE and ply.before.seat == one.seat]
        assert one.count == len(drawn)
        values = Counter(str(game.rules.thrown(ply.before, ply.action).value) for ply in drawn)  # type: ignore[union-attr]
        assert {face.face: face.seen for face in one.faces if face.seen} == values


def test_rare_dice_are_called_rare_and_usual_ones_usual() -> None:
    reviewer = Reviewer(match_of("greedy", "random", seed=2))
    made = made_by(reviewer)
    for unusual, mean, word in (
        (0.7, 2.1, "usual"),
        (0.3, 2.2, "nothing unusual"),
        (0.2, 2.4, "high"),
        (0.2, 1.6, "low"),
        (0.001, 3.0, "rare"),
    ):
        changed = msgspec.structs.replace(made.dice[0], unusual=unusual, mean=mean)
        sentence = tell(reviewer, msgspec.structs.replace(made, dice=(changed,)), ["", ""], "en").seats[0].dice[0]
        assert f"That is {word}" in sentence
        if unusual < 0.5:
            assert f"one match in {round(1 / unusual)} " in sentence
