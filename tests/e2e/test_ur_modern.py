"""The board of Heaven and Earth under a hand, a finger and the arrow keys; its lesson is the table."""

from __future__ import annotations

import pytest
from playwright.sync_api import Page, expect

from tests.e2e.conftest import Visitor
from tests.e2e.hall import Visit

PHONE = {"viewport": {"width": 390, "height": 844}, "has_touch": True, "is_mobile": True}


def at_the_third_page(table: Visit) -> Page:
    """One piece on the Entrance, and one coloured tip."""
    page = table.page
    page.get_by_role("button", name="Go on").click()
    page.get_by_role("button", name="Show me").click()
    page.get_by_role("button", name="Go on").click()
    expect(page.get_by_role("button", name="Show me")).to_be_enabled()
    return page


def drag(page: Page, start: str, end: str) -> None:
    boxes = [page.locator(f'[data-place="{name}"]').bounding_box() for name in (start, end)]
    points = [(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2) for box in boxes if box]
    page.mouse.move(*points[0])
    page.mouse.down()
    page.mouse.move(points[0][0] + 12, points[0][1] + 2)
    page.mouse.move(*points[1], steps=4)
    expect(page.locator('[data-place="a1"].ahead')).to_have_count(1)
    page.mouse.up()


def test_a_piece_is_dragged_to_its_square(visit: Visitor) -> None:
    page = at_the_third_page(visit("/learn/ur-modern"))
    drag(page, "b1", "a1")
    expect(page.locator(".said")).to_have_text("Light: b1 to a1 and has another turn.")


@pytest.mark.parametrize("how", [{}, PHONE], ids=["desktop", "phone"])
def test_arrow_keys_reach_every_place_and_every_place_is_large_enough(visit: Visitor, how: dict[str, object]) -> None:
    page = at_the_third_page(visit("/learn/ur-modern", **how))
    places = {place.get_attribute("data-place") for place in page.locator("[data-place]").all()}
    assert len(places) == 22
    reached, waiting = {"b4"}, ["b4"]
    while waiting:
        here = waiting.pop()
        for key in ("ArrowRight", "ArrowUp", "ArrowLeft", "ArrowDown"):
            page.locator(f'[data-place="{here}"]').focus()
            page.keyboard.press(key)
            there = page.evaluate("document.activeElement.dataset.place")
            if there not in reached:
                reached.add(there)
                waiting.append(there)
    assert reached == places
    boxes = [box for place in page.locator("[data-place]").all() if (box := place.bounding_box())]
    assert min(min(box["width"], box["height"]) for box in boxes) >= 44
