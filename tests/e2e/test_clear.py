"""What a player stops at: names, headlines, things that jump or vanish."""

from __future__ import annotations

import time
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import expect

from tests.e2e.conftest import Visitor
from tests.e2e.files import TILES
from tests.e2e.test_pages import wide
from tests.server.running import Server

NARROW: dict[str, Any] = {"viewport": {"width": 320, "height": 640}}


@pytest.mark.parametrize("path", ["/", "/game/nile", "/settings", "/learn/ur"])
def test_nothing_is_wider_than_a_very_small_phone(visit: Visitor, path: str) -> None:
    page = visit(path, **NARROW).page
    expect(page.locator("main h1").first).to_be_visible()
    assert wide(page) == []
    header = page.locator("header").bounding_box()
    last = page.locator("header nav a").last.bounding_box()
    assert header is not None
    assert last is not None
    assert last["x"] + last["width"] <= 320


def test_the_board_stays_where_it_is_whatever_the_headline_says(visit: Visitor, server: Server) -> None:
    made = server.create("egar", ["bot:novice"] * 4, sit=None, pace=200, options={"begins": 0})
    page = visit(made["links"]["watch"], viewport={"width": 390, "height": 844}).page
    expect(page.locator(".status h1")).to_be_visible()
    heights = set()
    said: set[str] = set()
    until = time.monotonic() + 60
    while len(said) <= 5 or time.monotonic() < until - 54:  # six seconds, and longer where bots take longer
        assert time.monotonic() < until
        box = page.locator(".status").bounding_box()
        assert box is not None
        heights.add(round(box["height"]))
        said.add(page.locator(".status p").inner_text())
        page.wait_for_timeout(100)
    assert len(heights) == 1


def test_a_small_phone_shows_the_whole_headline_and_a_soldier_that_can_move(visit: Visitor, server: Server) -> None:
    made = server.create("egar", ["open", "bot:novice"], options={"begins": 0, "board": "quick"}, name="Ada")
    page = visit(f"/seat/{made['match']}#{made['secret']}", locale="de", **NARROW).page
    headline = page.locator(".status h1")
    expect(headline).to_have_text("Du bist dran")
    assert headline.evaluate("(it) => it.scrollWidth <= it.clientWidth")
    expect(page.locator('.board [data-place][data-live="true"]').first).to_be_in_viewport()


def test_four_armies_have_four_names_and_a_headline_without_a_wrong_verb(visit: Visitor, server: Server) -> None:
    made = server.create("egar", ["open"] + ["bot:novice"] * 3, options={"begins": 1}, name="Ada", pace=10_000)
    page = visit(f"/seat/{made['match']}#{made['secret']}").page
    names = page.get_by_role("list", name="Players").locator(".name")
    expect(names).to_have_count(4)
    assert len(set(names.all_inner_texts())) == 4
    expect(page.locator(".status h1")).to_have_text("To act: Samurai")


def test_a_match_is_not_forgotten_by_one_click(visit: Visitor) -> None:
    table = visit()
    table.set_up("ur")
    page = table.page
    page.goto("/")
    running = page.locator(".running li")
    expect(running).to_have_count(1)
    running.get_by_role("button").click()
    expect(running).to_have_count(1)
    running.get_by_role("button", name="Keep it").click()
    running.get_by_role("button").click()
    running.get_by_role("button", name="Forget it").click()
    expect(running).to_have_count(0)


def test_a_match_in_the_hall_is_named_in_the_language_of_the_page(visit: Visitor) -> None:
    table = visit()
    table.set_up("ur")
    page = table.page
    expect(table.status).to_be_visible()
    page.goto("/")
    expect(page.locator(".running li")).to_contain_text("Against Kubaba")
    page.get_by_label("Language").select_option("de")
    expect(page.locator(".running li")).to_contain_text("Gegen Kubaba")
    page.locator(".running li").get_by_role("link").click()
    page.get_by_role("button", name="Aufgeben").click()
    page.get_by_role("alertdialog").get_by_role("button", name="Aufgeben").click()
    expect(table.over).to_be_visible()
    page.goto("/")
    expect(page.locator(".finished li")).to_contain_text("Ada – Kubaba, Bot (unerfahren) ·")


def test_a_paused_match_says_so_once(visit: Visitor) -> None:
    table = visit()
    table.set_up("ur", "At one device", chosen={"Clock": "30 seconds a move"})
    assert table.my_turn()
    pause, page = table.page.get_by_role("button", name="Pause"), table.page
    page.evaluate("document.fonts.ready.then(() => 0)")  # letters of another width would move what follows
    before = page.get_by_role("button", name="Give up").bounding_box()
    pause.click()
    expect(page.locator(".status h1")).to_have_text("Paused")
    expect(page.locator(".status").get_by_text("The match is paused.")).to_have_count(1)
    assert page.get_by_role("button", name="Give up").bounding_box() == before


def test_the_end_names_the_winner_and_the_log_gathers_what_repeats(visit: Visitor, tmp_path: Path) -> None:
    tiles = tmp_path / "straights.toml"
    tiles.write_text(TILES, "utf-8")
    table = visit()
    # Papyrus acts first: or Lotus might draw five tiles a second time.
    table.set_up("nile", files={"Tiles": tiles}, chosen={"Who begins": "Papyrus"})
    page = table.page
    assert table.my_turn()
    log = page.get_by_label("What happened")
    drawn = log.get_by_role("listitem").filter(has_text="Lotus draws a tile.")
    expect(drawn.locator("b").filter(has_text="×5")).to_have_count(1)
    page.get_by_role("button", name="Give up").click()
    page.get_by_role("alertdialog").get_by_role("button", name="Give up").click()
    expect(table.over).to_have_text("Ipi won.")


def test_the_opponents_last_move_stays_marked_through_ones_own_turn(visit: Visitor) -> None:
    table = visit()
    table.set_up("ur")
    marked = table.page.locator(".board .place.last")
    for _ in range(20):
        assert table.my_turn()
        table.do_one()
        assert table.my_turn()
        if table.page.get_by_label("What happened").get_by_text("Dark: ").count():
            break
    expect(marked.first).to_be_visible()
