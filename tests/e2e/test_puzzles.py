"""Puzzles in the browser: the one of the day, the trainer, and that no answer is on the page before the try."""

from __future__ import annotations

import re
from typing import Any

import pytest
from playwright.sync_api import Page, Response, Route, expect

import astragal
from astragal.analysis import puzzles
from astragal.core.puzzle import Puzzle
from tests.e2e.conftest import Visitor
from tests.e2e.hall import DARK, PHONE
from tests.e2e.test_pages import violations, wide
from tests.server.running import Server

GAMES = ("ur", "ur-modern", "nile", "egar")


def shown(page: Page, game: str, server: Server) -> Puzzle:
    """The puzzle that the page of the day shows."""
    day = page.evaluate("new Intl.DateTimeFormat('en-CA').format(new Date())")
    id = server.get(f"/api/games/{game}/puzzles", day=day).json()["today"]
    return puzzles.named(astragal.game(game), id)


def action(page: Page, server: Server, puzzle: Puzzle, game: str, text: str) -> None:
    """Chooses an action from the list in words."""
    put = server.get(f"/api/games/{game}/puzzles/{puzzle.id}").json()
    place = [one["text"] for one in put["actions"]].index(text)
    page.get_by_text("In words").click()
    page.locator(".actions button").nth(place).click()


@pytest.mark.parametrize("game", GAMES)
def test_the_puzzle_of_the_day_is_tried_and_explained(visit: Visitor, server: Server, game: str) -> None:
    page = visit().page
    heard: list[Response] = []
    page.on("response", lambda one: heard.append(one))
    page.goto(f"/puzzles/{game}")
    expect(page.locator(".board svg").first).to_be_visible()
    puzzle = shown(page, game, server)
    before = [one.text() for one in heard if "/api/games/" in one.url and "puzzles" in one.url]
    assert before
    assert not [text for text in before if '"values"' in text or '"fails"' in text or '"tempting"' in text]
    action(page, server, puzzle, game, puzzle.tempting)
    expect(page.locator(".grade")).not_to_have_text("Solved")
    expect(page.get_by_text("Best is “")).to_be_visible()
    expect(page.locator("table tbody tr")).to_have_count(len(puzzle.values))
    expect(page.locator(".tally")).to_contain_text("0 of")
    assert violations(page) == []
    page.reload()
    expect(page.locator(".tally")).to_contain_text("points lost per puzzle")  # the device remembers the try


def test_a_puzzle_is_solved_on_its_board_and_the_trainer_goes_on(visit: Visitor, server: Server) -> None:
    page = visit("/puzzles/ur").page
    expect(page.locator(".board svg").first).to_be_visible()
    puzzle = shown(page, "ur", server)
    start, end = puzzle.best.split("-")
    page.locator(f'.board [data-place="{start}"]').click()
    if page.locator(".grade").count() == 0 and end != "off":
        target = page.locator(f'.board [data-place="{end}"][data-live="true"]')
        if target.count():
            target.click()
    expect(page.locator(".grade")).to_have_text("Solved")
    expect(page.locator(".board .place.hinted").first).to_be_visible()
    page.get_by_role("button", name="More puzzles").click()
    expect(page.get_by_role("heading", name="Trainer")).to_be_visible()
    seen = set()
    for _ in range(3):
        expect(page.locator(".ask")).to_be_visible()
        address = re.search(r"puzzle=(\w+)", page.url)
        assert address is not None
        seen.add(address[1])
        page.get_by_text("In words").click()
        page.locator(".actions button").first.click()
        expect(page.locator(".grade")).to_be_visible()
        if len(seen) < 3:
            page.get_by_role("button", name="Next puzzle").click()
    assert len(seen) == 3
    held: list[Route] = []
    page.route("**/api/games/ur/puzzles/*", lambda route: held.append(route), times=1)
    with page.expect_request("**/api/games/ur/puzzles/*"):
        page.get_by_role("button", name="Next puzzle").click()
    page.get_by_role("button", name="Hard").click()
    expect(page.locator(".ask")).to_contain_text("hard")
    hard = page.url
    with page.expect_response("**/api/games/ur/puzzles/*"):
        held[0].continue_()  # what was asked for before comes last, and is not wanted any more
    page.wait_for_timeout(300)
    assert page.url == hard
    expect(page.locator(".ask")).to_contain_text("hard")


def test_a_puzzle_leads_to_the_explorer(visit: Visitor, server: Server) -> None:
    page = visit("/puzzles/ur-modern").page
    expect(page.locator(".board svg").first).to_be_visible()
    puzzle = shown(page, "ur-modern", server)
    action(page, server, puzzle, "ur-modern", puzzle.best)
    expect(page.locator(".grade")).to_have_text("Solved")
    page.get_by_role("link", name="Explore this position").click()
    expect(page.locator("#notation")).to_have_value(puzzle.position)


@pytest.mark.parametrize(("lang", "words"), [("de", "Aufgabe vom"), ("es", "El problema del")])
def test_on_a_dark_phone_in_other_languages(visit: Visitor, lang: str, words: str) -> None:
    how: dict[str, Any] = {**PHONE, **DARK, "locale": lang}
    for game in GAMES:
        phone = visit(f"/puzzles/{game}", **how)
        page = phone.page
        expect(page.get_by_role("heading", level=1)).to_contain_text(words)
        expect(page.locator(".board svg").first).to_be_visible()
        assert violations(page) + wide(page) == [], game
        if game in ("ur", "ur-modern"):
            assert phone.small_targets() == [], game
        page.close()


def test_with_the_keyboard_alone(visit: Visitor) -> None:
    page = visit("/puzzles/ur").page
    expect(page.locator(".board svg").first).to_be_visible()
    page.locator('.board [data-place][tabindex="0"]').focus()
    for _ in range(6):
        page.keyboard.press("Enter")
        if page.locator(".grade").count():
            break
        page.keyboard.press("n")
    expect(page.locator(".grade")).to_be_visible()


def test_the_list_of_all_games_with_puzzles(visit: Visitor) -> None:
    page = visit("/puzzles").page
    expect(page.locator("main li a")).to_have_count(len(GAMES))
    assert violations(page) == []
    page.locator("main li a").first.click()
    expect(page.locator(".ask")).to_be_visible()
