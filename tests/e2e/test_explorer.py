"""The explorer in the browser: positions set up by hand, written down or from a match, and played on."""

from __future__ import annotations

from typing import Any

import pytest
from playwright.sync_api import Page, expect

from astragal.analysis.report import SLIP
from astragal.core import line, recordfile
from tests.e2e.conftest import Visitor
from tests.e2e.hall import DARK, PHONE
from tests.e2e.test_pages import FAILED, violations, wide
from tests.server.running import Server
from tests.server.test_reviews import over, reviewed

POSITION = "4:a1,b4:1 5:c2:1 light throw"


def notation(page: Page, text: str) -> None:
    expect(page.locator("#notation")).to_have_value(text)


def test_a_position_is_typed_weighed_and_walked_along(visit: Visitor) -> None:
    page = visit("/explore/ur", allowed=FAILED).page
    notation(page, "7:-:0 7:-:0 light throw")
    page.locator("#notation").fill("4:a1 nonsense")
    page.get_by_role("button", name="Show it").click()
    expect(page.locator("#notation-fault")).to_contain_text("column")
    page.locator("#notation").fill(POSITION)
    page.keyboard.press("Enter")
    expect(page.get_by_role("heading", level=1)).to_contain_text("Light to throw or move")
    expect(page.locator("#notation-fault")).to_be_empty()
    expect(page.locator(".throws label")).to_have_count(5)
    page.get_by_text("Light throws 2.").first.click()
    expect(page.locator("table tbody tr")).to_have_count(3)
    page.get_by_role("button", name="a new piece to a3", exact=True).click()
    notation(page, "3:a3,a1,b4:1 5:c2:1 dark throw")
    assert "position=" in page.url
    page.get_by_role("button", name="One back").click()
    notation(page, POSITION)
    page.reload()
    notation(page, POSITION)  # the address holds all of it
    assert violations(page) == []


def test_a_move_is_made_on_the_board(visit: Visitor) -> None:
    page = visit(f"/explore/ur?position={POSITION.replace(' ', '+')}").page
    page.get_by_text("Light throws 1.").first.click()
    page.locator('.board [data-place="b4"]').click()
    if page.locator('.board [data-place="b5"][data-live="true"]').count():
        page.locator('.board [data-place="b5"]').click()
    notation(page, "4:a1,b5:1 5:c2:1 dark throw")


def test_pieces_are_set_by_touch_and_by_dragging(visit: Visitor) -> None:
    page = visit("/explore/ur").page
    page.get_by_role("button", name="Set up the pieces").click()
    page.get_by_role("button", name="b4, rosette: empty").click()
    notation(page, "6:b4:0 7:-:0 light throw")
    page.locator('[data-spot="b4"]').drag_to(page.locator('[data-spot="b6"]'))
    notation(page, "6:b6:0 7:-:0 light throw")
    page.locator('[data-spot="stock-1"] svg').first.drag_to(page.locator('[data-spot="c2"]'))
    notation(page, "6:b6:0 6:c2:0 light throw")
    page.locator('[data-spot="b6"]').drag_to(page.locator('[data-spot="c2"]'))  # it is no square of Light's way
    page.get_by_role("button", name="Dark: one home more").click()
    notation(page, "6:b6:0 5:c2:1 light throw")
    page.get_by_role("radio", name="Dark").check()
    notation(page, "6:b6:0 5:c2:1 dark throw")
    expect(page.get_by_role("heading", level=1)).to_contain_text("Dark to throw or move")
    assert violations(page) == []
    page.get_by_role("button", name="Done setting up").click()
    expect(page.locator('.board [data-place="b6"]')).to_be_visible()


def test_a_position_is_played_on_against_a_bot(visit: Visitor, server: Server) -> None:
    table = visit("/explore/ur?position=0:b8:6+0:c4,b1:5+light+throw")
    page = table.page
    page.get_by_label("Against").select_option("novice")
    page.get_by_role("button", name="Play on from here").click()
    page.wait_for_url("**/table/**")
    match = page.url.split("/table/")[1].split("?")[0]
    assert table.my_turn() or table.over.is_visible()
    table.until_over("click")
    record = recordfile.parse(server.get(f"/api/matches/{match}/record").text)
    assert record.header.position == "0:b8:6 0:c4,b1:5 light throw"


@pytest.mark.parametrize("game", ["nile", "egar"])
def test_what_if_a_finished_match_went_on_differently(visit: Visitor, server: Server, game: str) -> None:
    match = over(server, game, ["bot:greedy", "bot:greedy"], board={"nile": "small", "egar": "quick"}[game])
    played = line.replay(recordfile.parse(server.get(f"/api/matches/{match}/record").text))
    table = visit(f"/continue/{match}?ply={played.ply // 2}")
    page = table.page
    expect(page.get_by_role("heading", level=1)).to_be_visible()
    assert violations(page) == []
    page.get_by_role("button", name="Play on from here").click()
    page.wait_for_url("**/table/**")
    assert table.my_turn() or table.over.is_visible()


def test_a_position_of_a_finished_match_is_explored(visit: Visitor, server: Server) -> None:
    match = over(server, "ur", ["bot:greedy", "bot:random"], pieces=2)
    stood = server.get(f"/api/matches/{match}/position", ply=20).json()["position"]
    page = visit(f"/explore/ur?match={match}&ply=20").page
    notation(page, stood)


def test_a_replay_leads_to_the_position_before_a_choice(visit: Visitor, server: Server) -> None:
    match, costly = "", 0.0
    while costly < SLIP:  # in one match of 150 nobody does anything worse than another
        match = over(server, "ur", ["bot:greedy", "bot:random"], pieces=2)
        made, _ = reviewed(server, match)
        costly = max(step.loss for step in made.steps)
    page = visit(f"/replay/{match}").page
    page.locator("ol.costly").get_by_role("button").first.click()
    expect(page.locator(".judgement")).to_contain_text("Better: ")
    going_on = page.get_by_role("link", name="Play on from here").get_attribute("href") or ""
    page.get_by_role("link", name="Explore this position").click()
    page.wait_for_url("**/explore/ur?match=*")
    ply = int(page.url.rpartition("ply=")[2])
    assert going_on == f"/continue/{match}?ply={ply}"
    notation(page, server.get(f"/api/matches/{match}/position", ply=ply).json()["position"])


@pytest.mark.parametrize(("game", "lang"), [("ur", "de"), ("ur-modern", "es")])
def test_on_a_dark_phone_in_other_languages(visit: Visitor, game: str, lang: str) -> None:
    how: dict[str, Any] = {**PHONE, **DARK, "locale": lang}
    phone = visit(f"/explore/{game}", **how)
    page = phone.page
    expect(page.locator("#notation")).to_be_visible()
    assert violations(page) + wide(page) + phone.small_targets() == []
    page.locator(".ways button").first.click()
    expect(page.locator("[data-spot='b4']")).to_be_visible()
    assert violations(page) + wide(page) + phone.small_targets() == []
    page.set_viewport_size({"width": 320, "height": 640})
    assert wide(page) == []
    page.locator("[data-spot='b4']").tap()
    expect(page.locator("#notation")).to_have_value(
        "6:b4:0 7:-:0 light throw" if game == "ur" else "6:b4 7:- light throw"
    )
