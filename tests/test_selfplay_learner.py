"""How networks learn from the games that they play against themselves (`tools/selfplay_learner.py`)."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from tools.selfplay_games import CAME, COUNT, EXPECTED, FIRST, LIKELY, NUMBERS, OTHER, TAKEN, TOLD
from tools.selfplay_learner import Batch, Learning, PolicyLearner


def some_decisions(inputs: int) -> Batch:
    """Three decisions with inputs by chance, which were taken with other odds than the learner would take them."""
    rng = np.random.default_rng(5)
    counts = (3, 2, 4)
    rows = sum(counts) + len(counts)
    kept, told = np.zeros((3, NUMBERS), dtype=np.int64), np.zeros((3, TOLD), dtype=np.float32)
    kept[:, COUNT], kept[:, TAKEN] = counts, (1, 0, 2)
    kept[1:, FIRST] = np.cumsum([count + 1 for count in counts])[:-1]
    told[:, LIKELY], told[:, EXPECTED], told[:, CAME] = (-1.0, -0.7, -1.3), (0.5, 0.6, 0.3), (0.7, 0.4, 0.35)
    told[:, OTHER] = (0.3, -1, 0.6)
    sure = np.full(rows, np.nan, dtype=np.float32)
    sure[4 + 1] = 0.3  # an action that ends the game, with no more to be said of it
    at = np.tile(np.arange(inputs, dtype=np.uint16), (rows, 1))
    return Batch(at, rng.normal(0, 1, (rows, inputs)).astype(np.float32), sure, kept, told)


def loss(learner: PolicyLearner, batch: Batch, given: Learning, scale: float, before: Any) -> float:
    """What a step makes smaller, written out plainly; nothing is clipped here. `before` are the log-odds as they were,
    since what is learned about choosing goes to what is liked alone.
    """
    odds, likes = (array.astype(float) for array in learner.outputs(batch.rows_at, batch.rows_of, batch.sure))
    total = 0.0
    for number, told in zip(batch.kept, batch.told.astype(float), strict=True):
        mine = slice(number[FIRST], number[FIRST] + number[COUNT])
        liked = before[mine] + likes[mine]
        likely = np.exp((liked - liked.max()) / given.temperature)
        likely /= likely.sum()
        gain = (told[CAME] - told[EXPECTED]) / scale
        total -= gain * likely[number[TAKEN]] / np.exp(told[LIKELY])
        total += given.entropy * (likely * np.log(np.maximum(likely, 1e-30))).sum()
        for place, target in ((number[TAKEN], told[CAME]), (number[COUNT], told[OTHER])):
            if target >= 0:
                one = odds[number[FIRST] + place]
                total += given.worth * (np.log1p(np.exp(one)) - target * one)
    return total / len(batch.kept)


def test_open_choices_count_less_and_less() -> None:
    """What it is worth to keep several actions open fades together with the rate, so that play ends up decided."""
    given = Learning(temperature=0.5, entropy=0.5, worth=0.0, rate=1e-3)
    found = []
    for part in (1.0, 0.25):
        learner = PolicyLearner((5, 4, 3, 2), 2, np)
        batch = some_decisions(5)
        batch.told[:, CAME] = batch.told[:, EXPECTED]  # nothing else is to be learned
        learner._learn_some(batch, np.arange(3), given, 0.2, part)
        found.append(learner._slopes.copy())
    assert np.abs(found[0]).max() > 1e-4
    assert found[1] == pytest.approx(0.25 * found[0], abs=1e-7)


def test_slopes_are_those_of_what_is_to_become_smaller() -> None:
    """Against differences: each weight a little up and down."""
    given = Learning(temperature=0.5, entropy=0.1, clip=100.0, rate=0.0)
    learner = PolicyLearner((5, 4, 3, 2), 2, np)
    learner._all = np.random.default_rng(3).normal(0, 0.7, len(learner._all))  # biases too, so that no sum is just 0
    learner._layers = learner._exact = learner._cut(learner._all)
    batch, scale = some_decisions(5), 0.2
    before = learner.outputs(batch.rows_at, batch.rows_of, batch.sure.astype(float))[0]
    learner._learn_some(batch, np.arange(3), given, scale, 1.0)
    slopes, small = learner._slopes.copy(), 1e-5
    batch = batch._replace(sure=batch.sure.astype(float))
    for place in range(len(slopes)):
        kept, found = learner._all[place], []
        for change in (small, -small):
            learner._all[place] = kept + change
            found.append(loss(learner, batch, given, scale, before))
        learner._all[place] = kept
        assert slopes[place] == pytest.approx((found[0] - found[1]) / (2 * small), abs=2e-5)


def test_an_action_that_did_better_than_expected_becomes_likelier_but_not_by_much() -> None:
    """The clip holds it back: what would become several times as likely changes by less than half."""
    changed = []
    for clip in (0.2, 1e9):
        given = Learning(temperature=0.5, entropy=0.0, worth=0.0, clip=clip, batch=3, uses=1000, rate=3e-4)
        learner = PolicyLearner((5, 16, 8, 2), 2, np)
        learner._exact[-1].weights[:, 0] = 0  # or log-odds would drift too, since nothing holds them here
        batch = some_decisions(5)
        batch.told[:, CAME] = batch.told[:, EXPECTED] + np.array([0.2, -0.2, 0.2], dtype=np.float32)
        batch.sure[:] = np.nan
        before = likely(learner, batch, given)
        batch.told[:, LIKELY] = np.log(before)
        learner.learn_round(batch, given, 1.0, np.random.default_rng(1))
        changed.append(likely(learner, batch, given) / before)
    gains = batch.told[:, CAME] - batch.told[:, EXPECTED]
    assert (np.sign(changed[0] - 1) == np.sign(gains)).all()
    assert (np.abs(changed[0] - 1) < 0.5).all()  # a step may go a little over the clip
    assert changed[1].max() > 2


def likely(learner: PolicyLearner, batch: Batch, given: Learning) -> Any:
    """How likely the actions that were taken are now."""
    odds, likes = learner.outputs(batch.rows_at, batch.rows_of, batch.sure)
    found = []
    for number in batch.kept:
        mine = slice(number[FIRST], number[FIRST] + number[COUNT])
        each = np.exp((odds[mine] + likes[mine]) / given.temperature)
        found.append(each[number[TAKEN]] / each.sum())
    return np.array(found)
