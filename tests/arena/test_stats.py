"""What the statistics say, against values known from elsewhere and against simulation."""

from __future__ import annotations

import math
from collections import Counter
from random import Random

import numpy as np
import pytest

from astragal.arena import stats
from astragal.arena.stats import Sprt


def test_elo_and_share_are_each_others_inverse() -> None:
    assert stats.elo(0.5) == 0
    assert stats.elo(10 / 11) == pytest.approx(400)
    assert stats.expected(400) == pytest.approx(10 / 11)
    assert stats.expected(stats.elo(0.64) or 0) == pytest.approx(0.64)
    assert stats.elo(0.0) is None
    assert stats.elo(1.0) is None


def test_everything_won_is_the_rule_of_three() -> None:
    estimate = stats.share([1.0] * 1000)
    assert estimate.value == estimate.high == 1.0
    assert estimate.low == pytest.approx(1 - 3 / 1000, abs=2e-4)
    assert stats.difference([1.0] * 1000).high is None


def test_single_games_give_the_interval_of_agresti_and_coull() -> None:
    estimate = stats.share([1.0] * 60 + [0.0] * 40)
    assert estimate.value == 0.6
    assert estimate.low == pytest.approx(0.502, abs=0.003)  # Wilson: 0.502 to 0.691
    assert estimate.high == pytest.approx(0.691, abs=0.003)


def test_intervals_without_luck_hold_what_they_say_with_few_rounds_too() -> None:
    """Scores as wide as any; below ten rounds nothing is said."""
    rng = np.random.default_rng(1)
    assert stats.settled(rng.normal(0.5, 0.2, 9).tolist()) is None
    for rounds in (10, 30):
        held = 0
        for _ in range(4000):
            estimate = stats.settled(rng.normal(0.5, 0.2, rounds).tolist())
            assert estimate is not None
            held += (estimate.low or 0) < 0.5 < (estimate.high or 0)
        assert held / 4000 == pytest.approx(0.95, abs=0.012)


@pytest.mark.parametrize("players", [2, 3, 4])
def test_intervals_of_an_even_match_favour_nobody(players: int) -> None:
    """One who sits alone wins one game of three or four then; all rounds were alike, but that could be luck."""
    even = 1 / players
    estimate = stats.share([even] * 6, even)
    assert estimate.value == pytest.approx(even)
    assert estimate.low is not None
    assert estimate.high is not None
    assert (estimate.low + estimate.high) / 2 == pytest.approx(even)
    assert estimate.low < even < estimate.high


def test_mirrored_games_narrow_the_interval() -> None:
    single = stats.share([1.0, 0.0] * 100)
    mirrored = stats.share([0.5] * 98 + [0.0, 1.0])
    assert (mirrored.high or 0) - (mirrored.low or 0) < 0.5 * ((single.high or 0) - (single.low or 0))


@pytest.mark.parametrize(("win", "alike"), [(0.5, 0.0), (0.6, 0.7), (0.9, 0.3), (0.97, 0.0)])
@pytest.mark.parametrize("rounds", [10, 200])
def test_95_percent_intervals_hold_the_truth_95_times_in_100(win: float, alike: float, rounds: int) -> None:
    """Rounds of two games; with probability `alike` the mirrored game goes to the same seat."""
    rng = Random(f"{win}{alike}{rounds}")
    truth = alike * 0.5 + (1 - alike) * win
    inside = 0
    for _ in range(1000):
        scores = [
            0.5 if rng.random() < alike else ((rng.random() < win) + (rng.random() < win)) / 2 for _ in range(rounds)
        ]
        estimate = stats.share(scores)
        inside += (estimate.low or 0) <= truth <= (estimate.high or 0)
    assert inside >= 930


def test_ratings_of_two_are_their_difference() -> None:
    scores = [1.0, 0.5, 0.5, 1.0, 0.0] * 40
    one, other = stats.ratings({(0, 1): scores}, 2)
    wanted = stats.difference(scores)
    assert one.value - other.value == pytest.approx(wanted.value)
    assert one.value + other.value == pytest.approx(0)
    assert (one.high or 0) - (one.low or 0) == pytest.approx(((wanted.high or 0) - (wanted.low or 0)) / 2, rel=0.05)


def test_ratings_find_the_strengths_that_made_the_scores() -> None:
    truth = [150.0, 50.0, -50.0, -150.0]
    rng = np.random.default_rng(3)
    scores = {
        (a, b): (rng.binomial(2, stats.expected(truth[a] - truth[b]), 1500) / 2).tolist()
        for a in range(4)
        for b in range(a + 1, 4)
    }
    for rating, wanted in zip(stats.ratings(scores, 4), truth, strict=True):
        assert rating.low is not None
        assert rating.high is not None
        assert rating.low < wanted < rating.high
        assert rating.high - rating.low < 30


def test_ratings_stay_finite_where_one_wins_all() -> None:
    best, middle, last = stats.ratings({(0, 1): [1.0] * 50, (0, 2): [1.0] * 50, (1, 2): [1.0] * 50}, 3)
    assert 300 < best.value < 2000
    assert best.value > middle.value > last.value


def test_the_likelihood_ratio_of_lone_games_is_that_of_coins() -> None:
    """With scores 0 and 1 only, a claim about the mean is a claim about the whole distribution."""
    test = Sprt(0, 100)
    p0, p1 = 0.5, stats.expected(100)
    wanted = 70 * math.log(p1 / p0) + 30 * math.log((1 - p1) / (1 - p0))
    assert test.ratio({1.0: 70, 0.0: 30}) == pytest.approx(wanted, abs=0.01)


def test_the_likelihood_ratio_of_many_rounds_is_the_normal_one() -> None:
    """For close claims: n (s1 - s0) (2 mean - s0 - s1) / (2 variance)."""
    counts = {0.0: 600, 0.25: 900, 0.5: 4000, 0.75: 1000, 1.0: 700}
    n = sum(counts.values())
    mean = sum(score * times for score, times in counts.items()) / n
    variance = sum((score - mean) ** 2 * times for score, times in counts.items()) / n
    s0, s1 = stats.expected(0), stats.expected(10)
    wanted = n * (s1 - s0) * (2 * mean - s0 - s1) / (2 * variance)
    assert Sprt(0, 10).ratio(counts) == pytest.approx(wanted, rel=0.02)


@pytest.mark.parametrize(("truth", "believed"), [(0.0, False), (100.0, True)])
def test_a_sequential_test_errs_as_seldom_as_it_promises(truth: float, believed: bool) -> None:
    """Rounds of two correlated games between bots whose difference is exactly one of the claims."""
    test = Sprt(0, 100)
    share, even = stats.expected(truth), 0.4
    win = (share - 0.5 * even) / (1 - even)
    rng = Random(f"sprt {truth}")
    wrong, runs = 0, 200
    for _ in range(runs):
        counts: Counter[float] = Counter()
        verdict = None
        while verdict is None:
            one = 0.5 if rng.random() < even else ((rng.random() < win) + (rng.random() < win)) / 2
            counts[one] += 1
            verdict = test.verdict(counts)
        wrong += verdict is not believed
    assert wrong <= 0.05 * runs + 6  # two standard deviations above what is promised
    assert test.bound == pytest.approx(math.log(19))
