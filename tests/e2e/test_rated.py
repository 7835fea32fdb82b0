"""Two keys meet, play a rated match and see their ratings change."""

from __future__ import annotations

import re

from playwright.sync_api import expect

from tests.e2e.conftest import Visitor
from tests.e2e.hall import DARK, PHONE
from tests.e2e.test_pages import violations, wide
from tests.e2e.test_tables import to_act


def test_two_keys_meet_play_rated_and_see_their_ratings_change(visit: Visitor) -> None:
    ada, ben = visit(), visit(**PHONE, **DARK)
    ada.page.goto("/game/ur")
    ada.page.get_by_role("radio", name="Friends far away").check()
    ada.page.get_by_label("Rated:").check()
    ada.page.get_by_text("House rules", exact=True).click()
    ada.page.get_by_label("Pieces of each player").fill("2")
    expect(ada.page.get_by_label("Players may ask for hints")).to_have_count(0)  # a rated match has none
    assert violations(ada.page) == []
    ada.page.get_by_role("button", name="Open the table", exact=True).click()
    ben.page.goto(ada.page.locator("#link").input_value())
    expect(ben.page.get_by_text("This match is rated")).to_be_visible()
    ben.page.get_by_label("Your name").fill("Ben")
    ben.page.get_by_role("button", name="Sit down and play").click()
    for each in (ada, ben):
        expect(each.page.get_by_text("1500? ± 700")).to_have_count(2)

    while (mover := to_act(ada, ben)) is not None:
        mover.do_one("tap" if mover is ben else "click")
    for each in (ada, ben):
        changes = each.page.get_by_role("list", name="Ratings after this match").get_by_role("listitem")
        expect(changes.filter(has_text=re.compile(r"\+1\d\d"))).to_have_count(1)
        expect(changes.filter(has_text=re.compile(r"−1\d\d"))).to_have_count(1)
        assert violations(each.page) + wide(each.page) == []
    assert ben.small_targets() == []

    ben.page.get_by_role("list", name="Ratings after this match").get_by_role("link", name="Ben").click()
    expect(ben.page.get_by_role("heading", name="Ben")).to_be_visible()
    expect(ben.page.get_by_text("1 rated match · provisional, 9 more matches to go")).to_be_visible()
    assert violations(ben.page) + wide(ben.page) + ben.small_targets() == []
    ben.page.get_by_role("link", name="All ratings, and what they mean").click()
    ben.page.get_by_role("link", name="The Royal Game of Ur", exact=True).click()
    expect(
        ben.page.get_by_role("row", name=re.compile("Itti-Marduk .* fixed"))
    ).to_be_visible()  # a bot to compare with
    assert violations(ben.page) + wide(ben.page) + ben.small_targets() == []
