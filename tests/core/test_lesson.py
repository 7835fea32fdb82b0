"""Lessons: what they tell is possible, and they are told in every language."""

from __future__ import annotations

import pytest

import astragal
from astragal.core.language import LANGUAGES
from astragal.core.lesson import Page, pages

TAUGHT = [id for id, game in astragal.games().items() if game.lesson is not None]


def test_ur_is_taught() -> None:
    assert "ur" in TAUGHT


@pytest.mark.parametrize("id", TAUGHT)
def test_every_wanted_action_is_one_the_learner_may_do(id: str) -> None:
    found = pages(astragal.game(id), "en")
    assert any(page.want for page in found)
    for page in found:
        if page.want:
            assert page.want in [text for text, _ in page.actions]
            assert page.why
            assert page.after is not None
            assert page.after.event is not None


@pytest.mark.parametrize("id", TAUGHT)
def test_a_lesson_is_the_same_in_every_language_but_its_words(id: str) -> None:
    def bare(page: Page) -> object:
        return page.want, [shown.view for shown in page.before], [text for text, _ in page.actions]

    told = {lang: pages(astragal.game(id), lang) for lang in LANGUAGES}
    for lang in LANGUAGES[1:]:
        assert [bare(page) for page in told[lang]] == [bare(page) for page in told["en"]]
        assert all(page.text != english.text for page, english in zip(told[lang], told["en"], strict=True))


def test_a_game_without_a_lesson_has_no_pages() -> None:
    game = astragal.game("ur")
    assert pages(type(game)(game.rules, game.presentation, game.heuristic), "en") == ()
