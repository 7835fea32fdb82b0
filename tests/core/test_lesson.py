"""Lessons: what they tell is possible, and they are told in every language."""

from __future__ import annotations

import pytest

import astragal
from astragal.core.language import LANGUAGES
from astragal.core.lesson import Page, foresee, pages
from astragal.core.types import OVER, BadNotation, IllegalAction

GAMES = list(astragal.games())


def test_every_game_is_taught() -> None:
    assert {id for id, game in astragal.games().items() if game.lesson is not None} == set(GAMES)


@pytest.mark.parametrize("id", GAMES)
def test_every_wanted_action_is_one_the_learner_may_do(id: str) -> None:
    lesson = pages(astragal.game(id), "en")
    assert sum(bool(page.steps) for page in lesson) >= 5
    assert not lesson[0].steps, "first of all it says what the game is about"
    for page in lesson:
        assert bool(page.steps) == bool(page.why) == bool(page.otherwise), page.text
        views = [page.before[-1].view, *(step.after[-1].view for step in page.steps)]
        for step, view in zip(page.steps, views, strict=False):
            assert step.want in [text for text, _ in step.actions]
            assert all(label for _, label in step.actions)
            assert len(step.actions) == len(view.legal)
            assert step.after[0].event is not None
            assert all(shown.text for shown in step.after)


@pytest.mark.parametrize("id", GAMES)
def test_a_lesson_is_the_same_in_every_language_but_its_words(id: str) -> None:
    def bare(page: Page) -> object:
        return [shown.view for shown in page.before], [
            (step.want, [text for text, _ in step.actions], [shown.view for shown in step.after]) for step in page.steps
        ]

    told = {lang: pages(astragal.game(id), lang) for lang in LANGUAGES}
    for lang in LANGUAGES[1:]:
        assert [bare(page) for page in told[lang]] == [bare(page) for page in told["en"]]
        for page, english in zip(told[lang], told["en"], strict=True):
            assert page.text != english.text
            if page.steps:
                assert page.why != english.why
                assert page.otherwise != english.otherwise


@pytest.mark.parametrize("id", ["ur-modern", "nile", "egar"])
def test_whoever_follows_the_lesson_wins_the_game(id: str) -> None:
    game = astragal.game(id)
    assert game.lesson is not None
    state = game.rules.initial(game.lesson.options, game.lesson.players)
    for task in game.lesson.tasks:
        for text in (*task.before, *task.want, *task.then):
            state = game.rules.apply(state, game.rules.decode(state, text))
    assert game.rules.turn(state) == OVER
    assert game.rules.returns(state) == (1.0, 0.0)


@pytest.mark.parametrize("id", GAMES)
def test_a_learner_can_foresee_what_any_action_of_a_page_does(id: str) -> None:
    game = astragal.game(id)
    for number, page in enumerate(pages(game, "en")):
        for at, step in enumerate(page.steps):
            assert foresee(game, number, at, (step.want,)) == step.after[0].view
            for text, _ in step.actions[:3]:
                assert foresee(game, number, at, (text,)).seat == 0


def test_several_actions_are_foreseen_in_a_row() -> None:
    game = astragal.game("nile")
    number, page = next((n, page) for n, page in enumerate(pages(game, "en")) if len(page.steps) == 5)
    assert foresee(game, number, 0, [step.want for step in page.steps]) == page.steps[-1].after[-1].view
    assert foresee(game, number, 2, [page.steps[2].want]) == page.steps[2].after[0].view


def test_what_cannot_be_done_cannot_be_foreseen() -> None:
    game = astragal.game("ur-modern")
    with pytest.raises(IllegalAction):
        foresee(game, 1, 0, ["b1-b2"])
    with pytest.raises(BadNotation):
        foresee(game, 1, 0, ["north"])
    for page, step in ((0, 0), (1, 1), (99, 0)):
        with pytest.raises(IndexError):
            foresee(game, page, step, ["+b1"])


def test_a_game_without_a_lesson_has_no_pages() -> None:
    game = astragal.game("ur")
    bare = type(game)(game.rules, game.presentation, game.heuristic)
    assert pages(bare, "en") == ()
    with pytest.raises(IndexError):
        foresee(bare, 0, 0, ())
