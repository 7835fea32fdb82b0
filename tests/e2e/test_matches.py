"""Whole matches in the browser, in every game: by mouse, with the keyboard alone, and by touch."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import expect

from tests.e2e.conftest import Visitor
from tests.e2e.files import FIELD, FRONT, RIVER
from tests.e2e.hall import PHONE

GAMES = ("ur", "ur-modern", "nile", "egar")
ROYAL = "Royal: Earth is the large block"


@pytest.fixture
def short(tmp_path: Path) -> dict[str, dict[str, Any]]:
    """What makes a match of each game short."""
    field, river = tmp_path / "yard.toml", tmp_path / "brook.toml"
    field.write_text(FIELD, "utf-8")
    river.write_text(RIVER, "utf-8")
    return {
        "ur": {"Pieces_of_each_player": "2"},
        # So a match against somebody who plays anything is over soonest, after about 120 plies.
        "ur-modern": {"Pieces_of_each_player": "5", "bot": "strong", "chosen": {"Layout": ROYAL}},
        "nile": {"files": {"The board": river}},
        "egar": {"files": {"Board": field}, "Turns_at_most": "60"},
    }


def test_two_clicks_lead_from_the_hall_to_the_first_move(visit: Visitor) -> None:
    hall = visit("/")
    exhibit = hall.page.locator("li.exhibit", has_text="The Royal Game of Ur")
    exhibit.get_by_role("button", name="Play now").click()  # the first click
    assert hall.my_turn()
    hall.live.first.click(force=True)  # the second one
    expect(hall.page.get_by_role("listitem").filter(has_text="Light: ").first).to_be_visible()


@pytest.mark.parametrize("act", ["click", "keys"])
@pytest.mark.parametrize("game", GAMES)
def test_a_whole_match_against_a_bot(visit: Visitor, short: dict[str, dict[str, Any]], game: str, act: str) -> None:
    table = visit()
    for _ in range(20):  # one match of Heaven and Earth in eight takes so long that another one is begun
        table.set_up(game, **short[game])
        table.play(act, 250)
        if not table.my_turn():
            break
    expect(table.over).to_contain_text(re.compile("win|won|draw|share", re.IGNORECASE))
    table.page.get_by_role("link", name="What decided it?").click()
    table.page.get_by_role("button", name="Check them here").click()
    expect(table.page.get_by_text("Nobody chose the dice of this match.")).to_be_visible()
    expect(table.page.get_by_text("This server has signed the record")).to_be_visible()
    table.page.get_by_role("button", name="To the beginning").click()
    table.page.keyboard.press("ArrowRight")
    expect(table.page.get_by_role("slider")).to_have_attribute("aria-valuetext", re.compile("^2 of"))


def test_an_attack_shows_its_odds_before_it_is_made(visit: Visitor, tmp_path: Path) -> None:
    field = tmp_path / "front.toml"
    field.write_text(FRONT, "utf-8")
    table = visit()
    table.set_up("egar", files={"Board": field}, chosen={"Who begins": "Military"})
    attacks = table.page.get_by_role("region", name="Attacks")
    expect(attacks.get_by_text("50%").first).to_be_visible()
    expect(table.page.locator("text.odds").first).to_have_text("50%")
    attacks.get_by_role("button").first.click()
    expect(table.page.get_by_label("What happened")).to_contain_text("Military attack Samurai on ")


def test_another_match_against_the_same_bot(visit: Visitor) -> None:
    table = visit()
    table.set_up("ur", Pieces_of_each_player="1")
    table.until_over("click")
    table.page.get_by_role("button", name=re.compile("Play again")).first.click()
    expect(table.over).to_be_hidden()
    assert table.my_turn()


@pytest.mark.parametrize("game", GAMES)
def test_a_match_by_touch_on_a_phone(visit: Visitor, short: dict[str, dict[str, Any]], game: str) -> None:
    table = visit(**PHONE)
    table.set_up(game, **({"Pieces_of_each_player": "1"} if game == "ur" else short[game]))
    table.play("tap", 500 if game == "ur" else 12)
    assert table.small_targets() == []
    assert not table.page.evaluate("document.documentElement.scrollWidth > document.documentElement.clientWidth")


def test_arrow_keys_reach_every_place_of_the_board(visit: Visitor) -> None:
    table = visit()
    table.set_up("ur", Pieces_of_each_player="7")
    assert table.my_turn()
    places = {place.get_attribute("data-place") for place in table.page.locator("[data-place]").all()}
    reached, waiting = {"b4"}, ["b4"]
    while waiting:
        here = waiting.pop()
        for key in ("ArrowRight", "ArrowUp", "ArrowLeft", "ArrowDown"):
            table.page.locator(f'[data-place="{here}"]').focus()
            table.page.keyboard.press(key)
            there = table.page.evaluate("document.activeElement.dataset.place")
            if there not in reached:
                reached.add(there)
                waiting.append(there)
    assert reached == places
