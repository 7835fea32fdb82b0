"""The two models: the published example, and laws that any rating must keep."""

from __future__ import annotations

import math
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from astragal.ratings import glicko, plackett, skill
from astragal.ratings.glicko import Result
from astragal.ratings.skill import Losses
from astragal.ratings.standing import PERIOD_MS, Standing, anchored, waited

few = settings(max_examples=50, deadline=None)
ratings = st.floats(800, 2400)
deviations = st.floats(30, 350)
standings = st.builds(Standing, ratings, deviations)


def test_the_worked_example_of_glickmans_paper() -> None:
    player = Standing(1500, 200, 0.06)
    results = [
        Result(Standing(1400, 30), 1.0),
        Result(Standing(1550, 100), 0.0),
        Result(Standing(1700, 300), 0.0),
    ]
    after = glicko.update(player, results, periods=1.0)
    assert after.rating == pytest.approx(1464.06, abs=0.01)
    assert after.deviation == pytest.approx(151.52, abs=0.01)
    assert after.volatility == pytest.approx(0.05999, abs=0.00001)


@few
@given(ratings, ratings, deviations, st.sampled_from([0.0, 0.5, 1.0]))
def test_two_are_treated_alike(mine: float, theirs: float, deviation: float, score: float) -> None:
    """Known equally well, one gains what the other loses, and their hopes add up to one."""
    one, other = Standing(mine, deviation), Standing(theirs, deviation)
    assert glicko.expected(one, other) + glicko.expected(other, one) == pytest.approx(1)
    won, lost = glicko.update(one, [Result(other, score)]), glicko.update(other, [Result(one, 1 - score)])
    assert won.rating - one.rating == pytest.approx(other.rating - lost.rating, abs=1e-3)


@few
@given(standings, standings)
def test_a_win_never_costs_and_a_loss_never_pays(one: Standing, other: Standing) -> None:
    won, drawn, lost = (glicko.update(one, [Result(other, score)]).rating for score in (1.0, 0.5, 0.0))
    assert lost < drawn < won
    assert lost < one.rating < won


@few
@given(standings, standings)
def test_a_match_makes_a_rating_more_certain(one: Standing, other: Standing) -> None:
    assert glicko.update(one, [Result(other, 1.0)]).deviation <= max(30.0, one.deviation)


def test_a_draw_between_equals_changes_no_rating() -> None:
    even = Standing(1620, 80)
    assert glicko.update(even, [Result(even, 0.5)]).rating == pytest.approx(1620)


@few
@given(standings, st.floats(1, 200))
def test_beginning_is_worth_its_points(one: Standing, points: float) -> None:
    """Who begins gains less by winning, just as if its rating were higher by the advantage."""
    even = Standing(one.rating, 50)
    assert glicko.expected(one, even, points) > 0.5 > glicko.expected(one, even, -points)
    assert (
        glicko.update(one, [Result(even, 1.0, points)]).rating < glicko.update(one, [Result(even, 1.0, -points)]).rating
    )
    weaker = Standing(even.rating - points, 50)
    as_if = glicko.update(one, [Result(weaker, 1.0)]).rating
    assert glicko.update(one, [Result(even, 1.0, points)]).rating == pytest.approx(as_if)


def test_a_rating_grows_uncertain_with_time() -> None:
    known = Standing(1700, 60, games=30, ended_ms=1000)
    assert waited(known, 1000) == known
    later = waited(known, 1000 + 10 * PERIOD_MS)
    assert 60 < later.deviation < waited(known, 1000 + 100 * PERIOD_MS).deviation <= 350
    assert later.rating == 1700


def test_a_certain_win_for_very_different_ratings_is_no_error() -> None:
    after = glicko.update(Standing(3000, 30), [Result(anchored(0), 0.0)])
    assert math.isfinite(after.rating)
    assert math.isfinite(after.volatility)


# Three and four --------------------------------------------------------------------------------------------------


@few
@given(st.lists(standings, min_size=3, max_size=4), st.randoms(use_true_random=False))
def test_seats_can_change_places(own: list[Standing], rng: Random) -> None:
    """With several the order of the seats says nothing: only who came in before whom."""
    places = list(range(len(own)))
    rng.shuffle(places)
    result = [float(n == 0) for n in range(len(own))]
    straight = plackett.update(own, result)
    turned = plackett.update([own[n] for n in places], [result[n] for n in places])
    for seat, n in enumerate(places):
        assert turned[seat].rating == pytest.approx(straight[n].rating, abs=1e-6)
        assert turned[seat].deviation == pytest.approx(straight[n].deviation, abs=1e-6)


@few
@given(st.lists(standings, min_size=3, max_size=4))
def test_the_winner_of_several_gains_and_the_last_loses(own: list[Standing]) -> None:
    result = [float(len(own) - n) for n in range(len(own))]
    after = plackett.update(own, result)
    assert after[0].rating > own[0].rating
    assert after[-1].rating < own[-1].rating


def test_equals_who_share_the_win_change_alike() -> None:
    after = plackett.update([Standing()] * 4, [0.5, 0.5, 0.0, 0.0])
    assert after[0].rating == pytest.approx(after[1].rating)
    assert after[2].rating == pytest.approx(after[3].rating)
    assert after[0].rating > 1500 > after[2].rating


# Skill -----------------------------------------------------------------------------------------------------------


def test_skill_is_the_mean_of_all_decisions() -> None:
    made = skill.skill(skill.losses([0.0, 0.02, 0.04, 0.06]), 2)
    assert made is not None
    assert (made.matches, made.decisions) == (2, 4)
    assert made.loss == pytest.approx(0.03)
    deviation = math.sqrt(sum((loss - 0.03) ** 2 for loss in (0.0, 0.02, 0.04, 0.06)) / 3)
    assert made.margin == pytest.approx(1.96 * deviation / 2)


def test_more_decisions_make_skill_more_certain() -> None:
    few, many = (skill.skill(skill.losses([0.0, 0.05, 0.1] * matches), matches) for matches in (2, 20))
    assert few is not None
    assert many is not None
    assert few.margin is not None
    assert many.margin is not None
    assert many.margin < few.margin
    assert skill.skill(Losses(), 0) is None
    single = skill.skill(skill.losses([0.1]), 1)
    assert single is not None
    assert single.margin is None
