"""The host's page in a real browser: opened by its link, and what is changed there holds."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from tests.e2e.conftest import Visitor
from tests.e2e.hall import DARK, PHONE
from tests.e2e.test_pages import FAILED, violations, wide
from tests.server.cup import Cup
from tests.server.running import Server
from tests.server.test_host import Desk
from tests.server.test_players import Key, eventually

SECTIONS = ("Load and storage", "Matches", "Players and bans", "Tournaments", "Limits", "Backups", "Log")


@pytest.fixture
def server(client: Path, tmp_path: Path) -> Iterator[Server]:
    """One of its own: what the host changes would be felt by other tests."""
    with Server(tmp_path / "matches.db", "--one-address") as running:
        yield running


def said(page: Page, words: str) -> None:
    expect(page.get_by_role("status").filter(has_text=words)).to_be_visible()


def test_the_host_changes_a_limit_bans_a_player_and_makes_a_backup(visit: Visitor, server: Server) -> None:
    desk, key = Desk(server), Key()
    key.sign_in(server, name="Mallory")
    server.create("ur", ["open", "open"])
    page = visit("/host", allowed=FAILED).page
    expect(page.get_by_text("astragal admin host-link")).to_be_visible()  # a door, and nothing behind it
    assert violations(page) == []
    page.get_by_label("The link, or").fill("wrong")
    page.get_by_role("button", name="Open", exact=True).click()
    page.get_by_label("The link, or").fill(desk.link)
    page.keyboard.press("Enter")
    expect(page.get_by_role("heading", name="Storage")).to_be_visible()
    assert violations(page) == []
    page.goto(f"/host/limits?x{desk.link[desk.link.index('#') :]}")
    row = page.locator("form", has_text="Matches that one address may have open at once")
    expect(row).to_be_visible()
    assert desk.secret not in page.url  # nobody copies the secret with the address
    row.get_by_role("spinbutton").fill("1")
    row.get_by_role("button", name="Change").click()
    said(page, "--open-matches is 1")
    expect(row.get_by_role("button", name=re.compile("Set back to 0"))).to_be_visible()
    wish = {"game": "ur", "seats": ["open", "open"], "sit": 0}
    eventually(lambda: server.post("/api/matches", wish).status_code == 429)
    row.get_by_role("button", name=re.compile("Set back to 0")).click()
    said(page, "again what each server was started with")
    page.get_by_role("link", name="Players and bans").click()
    page.get_by_label("A part of the name").fill("mall")
    page.keyboard.press("Enter")
    page.get_by_role("button", name="Ban …: Mallory").click()
    expect(page.get_by_role("button", name="Ban", exact=True)).to_be_focused()
    page.get_by_role("button", name="Leave it").click()
    expect(page.get_by_role("button", name="Ban …: Mallory")).to_be_focused()
    page.keyboard.press("Enter")
    page.keyboard.press("Enter")
    said(page, "is kept out")
    expect(page.get_by_role("button", name="Let in again: Mallory")).to_be_visible()
    page.get_by_role("link", name="Backups").click()
    page.get_by_role("button", name="Make a backup now").click()
    said(page, "is written")
    expect(page.get_by_role("listitem").filter(has_text=".db")).to_be_visible()
    assert len(desk.get("/backups")["backups"]) == 1


def test_every_part_of_it_is_accessible_on_a_dark_phone_in_three_languages(visit: Visitor, server: Server) -> None:
    desk = Desk(server)
    server.create("ur", ["open", "open"])
    Key().sign_in(server, name="Ida")
    Cup(server, "swiss")
    desk.order("backup")
    visitor = visit(f"/host#{desk.secret}", **PHONE, **DARK)
    page = visitor.page
    expect(page.get_by_role("heading", name="Storage")).to_be_visible()
    parts = page.get_by_role("navigation", name="For the host")
    for section in SECTIONS:
        parts.get_by_role("link", name=section, exact=True).click()
        expect(parts.get_by_role("link", name=section, exact=True)).to_have_attribute("aria-current", "page")
        expect(page.locator(".section :is(dl, ul, ol)").first).to_be_visible()
        assert violations(page) + wide(page) + visitor.small_targets() == [], section
    parts.get_by_role("link", name=SECTIONS[0], exact=True).click()
    for lang, words in (("de", "Frei auf der Platte"), ("es", "Libre en el disco")):
        page.get_by_role("combobox").first.select_option(lang)
        expect(page.get_by_text(words)).to_be_visible()
