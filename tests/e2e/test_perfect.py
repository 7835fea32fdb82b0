"""The perfect bot in the hall on one's own computer: its table is made there, and it plays."""

from __future__ import annotations

import re
from pathlib import Path

from playwright.sync_api import expect

from tests.e2e.conftest import Visitor
from tests.e2e.test_pages import ticket_exchanged
from tests.server.test_hall import hall

COMPILED = 180_000  # milliseconds in which kernels are compiled where they never were before


def test_the_host_makes_a_table_and_plays_against_the_perfect_bot(visit: Visitor, tmp_path: Path) -> None:
    with hall(tmp_path) as opened:
        host = visit(f"/#hall={opened.ticket}", at=opened)
        page = host.page
        ticket_exchanged(page)
        page.goto("/game/ur")
        perfect = page.locator('input[name="bot"][value="perfect"]')
        offer = page.get_by_role("group", name="Nabu, perfect")
        expect(offer).to_contain_text("137\u202f870\u202f097 positions")  # the usual rules
        page.get_by_text("House rules", exact=True).click()
        page.get_by_label("Pieces of each player").fill("4")
        page.keyboard.press("Tab")
        expect(offer).to_contain_text("2\u202f602\u202f822 positions")
        expect(perfect).to_have_count(0)
        make = offer.get_by_role("button", name="Make the table")
        make.focus()
        page.keyboard.press("Enter")
        expect(offer.get_by_role("progressbar")).to_be_visible(timeout=COMPILED)
        page.reload()  # it goes on, and a new page shows it
        page.get_by_text("House rules", exact=True).click()
        page.get_by_label("Pieces of each player").fill("4")
        page.keyboard.press("Tab")
        expect(offer.get_by_role("progressbar")).to_be_visible(timeout=COMPILED)
        offer.get_by_role("button", name="Give the table up").click()
        expect(make).to_be_visible()
        page.get_by_label("Pieces of each player").fill("1")
        page.keyboard.press("Tab")
        expect(offer).to_contain_text("217 positions")
        make.click()
        expect(perfect).to_be_visible(timeout=COMPILED)
        expect(offer).to_have_count(0)
        expect(page.get_by_role("status").filter(has_text="Nabu can play now")).to_have_count(1)
        perfect.check()
        assert not host.small_targets()
        page.get_by_role("button", name="Play", exact=True).click()
        page.wait_for_url("**/table/**")
        expect(page.get_by_role("list", name="Players")).to_contain_text("Nabu")
        host.until_over("click")
        page.close()  # before the hall does


def test_where_there_is_no_table_and_no_host_the_perfect_bot_is_not_mentioned(visit: Visitor) -> None:
    guest = visit("/game/ur")
    expect(guest.page.locator('input[name="bot"]')).to_have_count(4)
    expect(guest.page.get_by_text(re.compile("Nabu"))).to_have_count(0)
