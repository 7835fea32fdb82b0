"""A game that another package brings, in the browser: it has no board of its own there, and is played all the same."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import expect

from tests.e2e.conftest import Visitor
from tests.e2e.hall import PHONE
from tests.example import Environment, ExampleServer
from tests.server.running import Server


@pytest.fixture(scope="module")
def example(client: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """A server with the game of `examples/` installed."""
    folder = tmp_path_factory.mktemp("example")
    with ExampleServer(Environment(folder / "venv"), folder / "matches.db") as running:
        yield running


def test_it_stands_in_the_hall_with_a_picture(visit: Visitor, example: Server) -> None:
    page = visit(at=example).page
    exhibits = page.locator("li.exhibit")
    expect(exhibits.last).to_contain_text("Goat Path")
    expect(exhibits.first).to_contain_text("The Royal Game of Ur")
    expect(exhibits.last.locator(".picture svg")).to_be_visible()


@pytest.mark.parametrize("act", ["click", "keys"])
def test_a_whole_match_on_the_plain_board(visit: Visitor, example: Server, act: str) -> None:
    table = visit(at=example)
    table.set_up("goats", Steps_to_the_meadow="16")
    board = table.page.locator(".board .plain")
    assert table.my_turn()
    expect(board.locator("figcaption")).to_contain_text("White: step 0 of 16")
    expect(board.get_by_role("button", name="Throw again")).to_be_visible()
    table.until_over(act)
    expect(table.over).to_contain_text(re.compile("win|won", re.IGNORECASE))
    expect(board.locator("figcaption")).to_contain_text("step 16 of 16")
    expect(board.locator("img")).not_to_have_js_property("naturalWidth", 0)
    expect(table.page.get_by_role("listitem").filter(has_text="walks to").first).to_be_visible()
    table.page.get_by_role("link", name="What decided it?").click()
    expect(table.page.get_by_text("There is no review: This game has no compiled rules")).to_be_visible()
    table.page.get_by_role("button", name="Check them here").click()
    expect(table.page.get_by_text("Nobody chose the dice of this match.")).to_be_visible()
    table.page.get_by_role("button", name="To the beginning").click()
    expect(board.locator("figcaption")).to_contain_text("White: step 0 of 16")


def test_who_plays_with_the_keyboard_need_not_look_for_the_buttons_again(visit: Visitor, example: Server) -> None:
    table = visit(at=example)
    table.set_up("goats", Steps_to_the_meadow="32")
    focused = table.page.locator(".plain li button:focus")
    for _ in range(3):
        assert table.my_turn()
        if not focused.count():
            table.page.locator(".plain li button").last.focus()
            table.page.keyboard.press("Shift+Tab")
            table.page.keyboard.press("Tab")  # as whoever came there by the keyboard
        happened = table.page.locator("#pane ol li").count()
        table.page.keyboard.press("Enter")
        expect(table.page.locator("#pane ol li").nth(happened)).to_be_visible()
        assert table.my_turn()
        expect(focused).to_be_visible(timeout=10_000)


def test_by_touch_on_a_phone_in_german(visit: Visitor, example: Server) -> None:
    table = visit("/game/goats", at=example, **PHONE | {"locale": "de"})
    table.page.get_by_role("button", name="Spielen", exact=True).click()
    assert table.my_turn()
    assert table.small_targets() == []
    expect(table.page.get_by_role("button", name="noch einmal werfen")).to_be_visible()
    table.play("tap", 3)
    wide = table.page.evaluate("document.documentElement.scrollWidth - innerWidth")
    assert wide <= 0
