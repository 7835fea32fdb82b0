"""Every lesson in the browser, from its first page to its last, with its moves really made."""

from __future__ import annotations

import re
from typing import Any

import pytest
from playwright.sync_api import Locator, expect

from astragal.core.language import say
from astragal.games.nile.tiles import NAMES
from tests.e2e.conftest import Visitor
from tests.e2e.hall import Visit
from tests.server.running import Server

GAMES = ("ur", "ur-modern", "nile", "egar")
PHONE = {"viewport": {"width": 390, "height": 844}, "has_touch": True, "is_mobile": True}


class Learner:
    """Somebody at a lesson who does what the page asks for, with the means of its board."""

    def __init__(self, table: Visit, game: str, server: Server, lang: str = "en") -> None:
        self.page, self.game, self.lang = table.page, game, lang
        self.pages: list[dict[str, Any]] = server.get(f"/api/games/{game}/lesson", lang=lang).json()

    @property
    def remark(self) -> Locator:
        return self.page.locator(".remark")

    def wait(self, number: int) -> None:
        """Until the page is there and what happens first has been shown."""
        expect(self.page.locator(".learn > section > .text")).to_have_text(self.pages[number]["text"])
        if self.pages[number]["steps"]:
            expect(self.page.locator(".learn > section > .ways button:last-child")).to_be_enabled()

    def do(self, number: int) -> None:
        """All actions of a page. In Nile they are planned first and then laid at once."""
        wanted = [step["want"] for step in self.pages[number]["steps"]]
        if self.game == "nile":
            self.lay(wanted)
            return
        marked = self.page.locator(".board .place.hinted, .board button.hinted")
        for text in wanted:
            if self.pages[number]["quiz"]:
                expect(marked).to_have_count(0)
            else:
                expect(marked.first).to_be_visible()
            self.touch(text)

    def touch(self, text: str) -> None:
        """Touches the places of an action one after the other, as long as they ask for it."""
        page = self.page
        if re.fullmatch("[A-D]", text):
            page.locator(".board .side li button").nth("ABCD".index(text)).click()
        elif text == "done":
            page.locator('.board [data-do="done"]').click()
        elif text.startswith("+"):
            self.places("pool", text[1:])
        else:
            self.places(*re.findall(r"in|[A-Ma-m]\d+", text))

    def places(self, *names: str) -> None:
        before = self.page.locator(".said").inner_text()
        for name in names:
            if self.page.locator(".said").inner_text() == before:
                self.page.locator(f'.board [data-place="{name}"]').click(force=True)

    def lay(self, wanted: list[str]) -> None:
        for text in wanted:
            if text == "stop":
                continue
            parts = re.fullmatch(r"(\w+):([\w-]+?)(?:=[\w-]+)?-([NESW]+)", text)
            assert parts is not None
            kind, exit = (
                say(NAMES[parts[2]]).to(self.lang),
                ["N", "NE", "E", "SE", "S", "SW", "W", "NW"].index(parts[3]),
            )
            tile = self.page.locator(f'.rack [data-place^="slot"][data-live="true"][aria-label^="{kind}"]')
            tile.filter(has_not=self.page.locator(".undo")).first.click(force=True)
            expect(self.page.locator('[data-do="commit"]')).to_be_enabled()
            other = self.page.locator(f'.board [data-place="turn-{exit}"]')
            if other.count():
                other.click(force=True)
                expect(self.page.locator('[data-do="commit"]')).to_be_enabled()
        self.page.locator('[data-do="commit"]').click()


@pytest.mark.parametrize(
    ("game", "how"),
    [
        ("ur", "desktop"),
        ("ur-modern", "phone"),
        ("nile", "desktop"),
        ("egar", "phone"),
        pytest.param("ur", "phone", marks=pytest.mark.long),
        pytest.param("ur-modern", "desktop", marks=pytest.mark.long),
        pytest.param("nile", "phone", marks=pytest.mark.long),
        pytest.param("egar", "desktop", marks=pytest.mark.long),
    ],
)
def test_a_lesson_to_its_end(visit: Visitor, server: Server, game: str, how: str) -> None:
    lang = "en" if how == "desktop" else "de"
    table = visit(f"/learn/{game}", locale=lang, **(PHONE if how == "phone" else {}))
    learner = Learner(table, game, server, lang)
    for number, page in enumerate(learner.pages):
        learner.wait(number)
        if page["steps"]:
            learner.do(number)
            expect(learner.remark).to_have_text(page["why"])
        if number + 1 < len(learner.pages):
            table.page.locator(".learn > section > .ways button.main").click()
    expect(table.page.locator(f'a.main[href="/game/{game}"]')).to_be_visible()


@pytest.mark.parametrize("game", GAMES)
def test_another_move_gets_a_helpful_sentence_and_the_board_waits(visit: Visitor, server: Server, game: str) -> None:
    table = visit(f"/learn/{game}")
    learner = Learner(table, game, server)
    other = {"ur": ("in-a4", ("b4", "b5")), "ur-modern": ("b1-a1", ("b1", "b2")), "egar": ("D3-D4", ("C3", "C4"))}
    want, places = other.get(game, ("D1:straight-N", ()))
    target = next(n for n, page in enumerate(learner.pages) if page["steps"] and page["steps"][0]["want"] == want)
    for number in range(target):
        learner.wait(number)
        for _ in learner.pages[number]["steps"]:
            table.page.get_by_role("button", name="Show me").click()
        table.page.get_by_role("button", name="Go on").click()
    learner.wait(target)
    if game == "nile":
        learner.lay(["D1:curve-E", "stop"])
    else:
        learner.places(*places)
    expect(learner.remark).to_have_text(learner.pages[target]["otherwise"])
    learner.do(target)
    expect(learner.remark).to_have_text(learner.pages[target]["why"])


def test_a_lesson_by_keyboard_keeps_the_place_after_another_move(visit: Visitor, server: Server) -> None:
    table = visit("/learn/ur-modern")
    learner = Learner(table, "ur-modern", server)
    table.page.get_by_role("button", name="Go on").press("Enter")
    learner.wait(1)
    table.page.locator('[data-place="pool"]').press("Enter")
    expect(learner.remark).to_have_text(learner.pages[1]["why"])
    table.page.get_by_role("button", name="Go on").press("Enter")
    learner.wait(2)
    table.page.locator('[data-place="b1"]').press("Enter")
    table.page.locator('[data-place="b2"]').press("Enter")
    expect(learner.remark).to_have_text(learner.pages[2]["otherwise"])
    expect(table.page.locator('[data-place="b2"]')).to_be_focused()
    table.page.keyboard.press("Escape")
    table.page.locator('[data-place="b1"]').press("Enter")
    table.page.locator('[data-place="a1"]').press("Enter")
    expect(learner.remark).to_have_text(learner.pages[2]["why"])
