"""Goat Path keeps the contract, and plays by its rules."""

from __future__ import annotations

import pytest

from astragal.core.conform import check
from astragal.core.types import BadNotation, IllegalAction
from goats import GAME
from goats.rules import RULES, Options, State


def after(*texts: str, options: Options | None = None) -> State:
    """The position after these actions, from the beginning."""
    state = RULES.initial(options or Options(begins=0), 2)
    for text in texts:
        state = RULES.apply(state, RULES.decode(state, text))
    return state


def legal(state: State) -> list[str]:
    return [RULES.encode(action) for action in RULES.legal(state)]


def test_it_keeps_every_law_of_the_contract() -> None:
    report = check(GAME, games=40)
    assert report.ok, report


def test_a_run_is_walked_as_a_whole() -> None:
    state = after("fall-4", "throw", "fall-3", "walk")
    assert (state.goats, state.seat, state.run) == ((7, 0), 1, ())


def test_a_side_that_comes_again_slips_and_loses_the_run() -> None:
    state = after("fall-4", "throw", "fall-4")
    assert (state.goats, state.seat, state.slipped) == ((0, 0), 1, 4)


def test_a_stone_drives_the_other_back_to_its_last_fence() -> None:
    far = ("fall-6", "throw", "fall-4", "throw", "fall-3", "walk")  # 13 steps, 5 beyond the fence
    state = after(*far, "fall-1", "stone")
    assert (state.goats, state.stones) == ((8, 0), (3, 2))
    assert legal(after(*far, "fall-1", "stone", "fall-3", "walk", "fall-3")) == ["throw", "walk", "stone"]


def test_a_goat_at_a_fence_is_safe() -> None:
    assert legal(after("fall-1", "throw", "fall-3", "throw", "fall-4", "walk", "fall-3")) == ["throw", "walk"]


def test_four_sides_cannot_be_thrown_further() -> None:
    assert legal(after("fall-1", "throw", "fall-3", "throw", "fall-4", "throw", "fall-6")) == ["walk"]


def test_who_comes_to_the_meadow_first_wins() -> None:
    run = ("fall-1", "throw", "fall-3", "throw", "fall-4", "throw", "fall-6", "walk")
    state = after(*run, "fall-3", "walk", *run, options=Options(begins=0, steps=24))
    assert (state.goats[0], RULES.returns(state)) == (24, (1.0, 0.0))


@pytest.mark.parametrize("text", ["stone", "fall-3", "fly"])
def test_what_is_not_possible_is_refused_with_what_is(text: str) -> None:
    with pytest.raises(BadNotation, match="possible is: throw, walk"):
        after("fall-3", text)


def test_an_action_of_another_moment_is_illegal() -> None:
    with pytest.raises(IllegalAction):
        RULES.apply(after(), RULES.legal(after("fall-3"))[0])


@pytest.mark.parametrize("lang", ["en", "de", "es"])
def test_it_speaks_three_languages(lang: str) -> None:
    state = after("fall-6", "walk", "fall-3")
    view = RULES.observe(state, 1)
    said = GAME.presentation.plain(view, lang)
    assert said.startswith({"en": "White: step 6", "de": "Weiß: Schritt 6", "es": "Blanca: paso 6"}[lang])
    assert {"en": "stone", "de": "Stein", "es": "piedra"}[lang] in said
    assert all(GAME.presentation.label(view, action, lang) for action in view.legal)
    assert GAME.presentation.svg(view, lang).startswith("<svg")
