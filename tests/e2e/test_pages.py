"""Every page: accessible, in three languages, light and dark, wide and narrow; and what is said when it fails."""

from __future__ import annotations

import gzip
import json
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from tests.e2e.conftest import ROOT, Visitor
from tests.e2e.hall import Visit

AXE = ROOT / "web" / "node_modules" / "axe-core" / "axe.min.js"
PHONE = {"viewport": {"width": 390, "height": 844}, "has_touch": True, "is_mobile": True}
DARK = {"color_scheme": "dark"}
PATHS = ["/", "/game/ur", "/game/egar", "/rules/ur", "/learn/ur", "/settings", "/nowhere"]

# What a browser itself says about a request that a test lets fail.
FAILED = ("Failed to load resource", "WebSocket connection")


def violations(page: Page) -> list[str]:
    """What axe has against a page."""
    page.evaluate(AXE.read_text("utf-8"))
    found: Any = page.evaluate("axe.run()")
    return [f"{one['id']}: {one['nodes'][0]['html'][:200]}" for one in found["violations"]]


def settled(visit: Visit) -> Page:
    expect(visit.page.locator("main h1").first).to_be_attached()
    return visit.page


@pytest.mark.parametrize("how", [{}, {**PHONE, **DARK}], ids=["wide", "dark phone"])
def test_axe_has_nothing_against_any_page_and_none_is_too_wide(visit: Visitor, how: dict[str, Any]) -> None:
    visitor = visit(**how)
    found = {}
    for path in PATHS:
        visitor.page.goto(path)
        page = settled(visitor)
        found[path] = violations(page)
        if page.evaluate("document.documentElement.scrollWidth > document.documentElement.clientWidth"):
            found[path].append("wider than the screen")
    visitor.set_up("ur")
    assert visitor.my_turn()
    for pane in ("Moves", "Chat", "In words"):
        visitor.page.get_by_role("tab", name=pane).click()
        found[pane] = violations(visitor.page)
    assert {path: faults for path, faults in found.items() if faults} == {}


@pytest.mark.parametrize(
    ("lang", "words"),
    [("de", ("Jetzt spielen", "Du bist dran", "Züge")), ("es", ("Jugar ahora", "Te toca", "Jugadas"))],
)
def test_the_browsers_language_is_spoken_and_can_be_changed(visit: Visitor, lang: str, words: tuple[str, ...]) -> None:
    hall = visit("/", locale=lang)
    hall.page.get_by_role("button", name=words[0]).first.click()
    for word in words[1:]:
        expect(hall.page.get_by_text(word, exact=True).first).to_be_visible()
    assert hall.page.evaluate("document.documentElement.lang") == lang
    hall.page.get_by_role("combobox").first.select_option("en")
    expect(hall.page.get_by_role("tab", name="Moves")).to_be_visible()


def test_a_table_that_does_not_exist_has_a_sentence_and_a_way_on(visit: Visitor) -> None:
    table = visit("/table/nothing123", allowed=FAILED)
    expect(table.page.get_by_role("alert")).to_contain_text("there is no match")
    table.page.get_by_role("link", name="To the hall").click()
    expect(table.page.locator("li.exhibit")).to_have_count(4)


def test_without_storage_one_can_still_play_and_is_told(visit: Visitor) -> None:
    blocked = "Object.defineProperty(window, 'localStorage', { get() { throw new Error('blocked'); } });"
    hall = visit("/", settings=blocked)
    expect(hall.page.get_by_text("Your browser keeps nothing for this site")).to_be_visible()
    hall.page.locator("li.exhibit", has_text="The Royal Game of Ur").get_by_role("button", name="Play now").click()
    assert hall.my_turn()


def test_the_back_button_leads_back(visit: Visitor) -> None:
    hall = visit("/")
    hall.page.get_by_role("link", name="More ways to play").first.click()
    expect(hall.page.get_by_role("button", name="Play", exact=True)).to_be_visible()
    hall.page.go_back()
    expect(hall.page.locator("li.exhibit")).to_have_count(4)


def test_the_hall_loads_at_most_120_kilobytes_of_script(client: Path) -> None:
    manifest = json.loads((client / ".vite" / "manifest.json").read_text("utf-8"))
    needed, waiting = set[str](), ["index.html"]
    while waiting:
        name = waiting.pop()
        if name not in needed:
            needed.add(name)
            waiting += manifest[name].get("imports", [])
    scripts = [client / manifest[name]["file"] for name in needed]
    assert sum(len(gzip.compress(script.read_bytes())) for script in scripts) <= 120_000
