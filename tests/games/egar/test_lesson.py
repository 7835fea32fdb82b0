"""The questions of EGAR's lesson are those that its pages speak of."""

from __future__ import annotations

import astragal
from astragal.core.lesson import pages


def test_the_learner_is_asked_what_the_page_helps_with() -> None:
    asked = [page for page in pages(astragal.game("egar"), "en") if page.steps and page.steps[0].want in "ABCD"]
    answers = [dict(page.steps[0].actions)[page.steps[0].want] for page in asked]
    assert answers == ["A horse", "Chess"]
    assert [word in page.otherwise for page, word in zip(asked, ("Troy", "pawns"), strict=True)] == [True, True]
    assert all(page.steps[0].after[0].event.right for page in asked)


def test_the_odds_a_page_tells_are_those_of_the_attack() -> None:
    found = {
        step.want: dict(step.actions)[step.want] for page in pages(astragal.game("egar"), "en") for step in page.steps
    }
    assert "69%" in found["attack D6 with D5"]
