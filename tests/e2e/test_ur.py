"""Ur in the browser, from the first click to the last piece."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import expect

from tests.e2e.conftest import Visitor


def test_two_clicks_lead_from_the_hall_to_the_first_move(visit: Visitor) -> None:
    hall = visit("/")
    exhibit = hall.page.locator("li.exhibit", has_text="The Royal Game of Ur")
    exhibit.get_by_role("button", name="Play now").click()  # the first click
    assert hall.my_turn()
    hall.live.first.click(force=True)  # the second one
    expect(hall.page.get_by_role("listitem").filter(has_text="Light: ").first).to_be_visible()


@pytest.mark.parametrize("act", ["click", "keys"])
def test_a_whole_match_against_a_bot(visit: Visitor, act: str) -> None:
    table = visit()
    table.set_up("ur", Pieces_of_each_player="2")
    table.until_over(act)
    expect(table.over).to_contain_text("wins")
    table.page.get_by_role("link", name="Replay and check the dice").click()
    table.page.get_by_role("button", name="Check them here").click()
    expect(table.page.get_by_text("Nobody chose the dice of this match.")).to_be_visible()
    table.page.get_by_role("button", name="To the beginning").click()
    table.page.keyboard.press("ArrowRight")
    expect(table.page.get_by_role("slider")).to_have_attribute("aria-valuetext", re.compile("^2 of"))


def test_a_whole_match_by_touch_on_a_phone(visit: Visitor) -> None:
    table = visit(viewport={"width": 390, "height": 844}, has_touch=True, is_mobile=True)
    table.set_up("ur", Pieces_of_each_player="1")
    table.until_over("tap")
    boxes = [box for place in table.page.locator("[data-place]").all() if (box := place.bounding_box())]
    assert min(min(box["width"], box["height"]) for box in boxes) >= 44


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
