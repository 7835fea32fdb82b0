"""What a visitor of the hall does: the same for every game, since the pages have no line about a particular one."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from random import Random

from playwright.sync_api import Error, Locator, Page, expect
from playwright.sync_api import TimeoutError as TooLate

PATIENCE = 60_000  # milliseconds that anything may take on a busy machine
expect.set_options(timeout=PATIENCE)

# Moves of others are shown for a moment only, so that a whole match takes seconds.
QUICK = """
if (!localStorage.getItem("astragal.settings"))
  localStorage.setItem("astragal.settings", JSON.stringify({ patience: 0.02, name: "Ada", sound: false }));
"""

TITLES = {
    "ur": "The Royal Game of Ur",
    "ur-modern": "Ur: Heaven and Earth",
    "nile": "Nile",
    "egar": "EGAR",
}

PHONE = {"viewport": {"width": 390, "height": 844}, "has_touch": True, "is_mobile": True}
DARK = {"color_scheme": "dark"}

NOTE = """
new MutationObserver(() => {
  if (document.body?.innerText.includes(WORDS)) document.documentElement.dataset.noted = "";
}).observe(document, { childList: true, subtree: true, characterData: true });
"""

# What a finger must hit, and is smaller than 44 pixels. Links inside a sentence are as tall as their line.
SMALL = """() => [...document.querySelectorAll('button, a, select, input, summary, [data-place][data-live="true"]')]
    .filter((one) => one.checkVisibility() && (one.tagName !== "A" || getComputedStyle(one).display !== "inline"))
    .map((one) => (one.matches("[type=checkbox], [type=radio]") ? one.closest("label") : one))
    .map((one) => [one.outerHTML.slice(0, 120), one.getBoundingClientRect()])
    .filter(([, box]) => box.right > 0 && (box.width < 43.5 || box.height < 43.5))
    .map(([what, box]) => `${Math.round(box.width)} x ${Math.round(box.height)}: ${what}`)"""

# Everything in the middle of a table that does something now. In Nile a tile that is planned could be turned for ever.
PLACES = '.board [data-place][data-live="true"]:not([data-place^="turn"]):not([data-place="planned"])'
BUTTONS = ".board .plain li button, .board .side button:enabled:not(.quiet)"


class Visit:
    """Somebody in front of the hall, who plays at random, but the same every time."""

    def __init__(self, page: Page) -> None:
        self.page = page
        self.rng = Random(7)
        page.set_default_timeout(PATIENCE)

    def set_up(
        self,
        game: str,
        mode: str = "Against a bot",
        *,
        bot: str = "novice",
        files: Mapping[str, Path] | None = None,
        chosen: Mapping[str, str] | None = None,
        **numbers: str,
    ) -> None:
        """Opens a table from the page of a game; house rules are filled in by their labels' beginnings."""
        page = self.page
        page.goto(f"/game/{game}")
        page.get_by_role("radio", name=mode).check()
        if mode in ("Against a bot", "Watch bots"):
            page.locator(f'input[name="bot"][value="{bot}"]').check()
        if numbers or files or chosen:
            page.get_by_text("House rules", exact=True).click()
        for label, value in numbers.items():
            page.get_by_label(label.replace("_", " ")).fill(value)
        for label, value in (chosen or {}).items():
            page.get_by_label(label).select_option(label=value)
        for label, file in (files or {}).items():
            own = page.get_by_label(label).and_(page.locator("select"))
            own.select_option(label="a file of your own …")
            page.get_by_label("Your file").last.set_input_files(file)
            expect(own.locator("option:checked")).to_contain_text("your own: ")
        go = {"Friends far away": "Open the table", "Watch bots": "Watch"}.get(mode, "Play")
        page.get_by_role("button", name=go, exact=True).click()
        page.wait_for_url("**/table/**")

    @property
    def status(self) -> Locator:
        return self.page.locator(".status h1")

    @property
    def over(self) -> Locator:
        return self.page.locator("#ending")

    @property
    def hand_over(self) -> Locator:
        """The button of whoever was handed the device."""
        return self.page.get_by_role("button", name="I am here")

    @property
    def live(self) -> Locator:
        """What can be done at the table now."""
        return self.page.locator(f"{PLACES}, {BUTTONS}")

    def note(self, words: str) -> None:
        """From the next page on, whether these words ever stood there: a busy machine may not look in that moment."""
        self.page.add_init_script(NOTE.replace("WORDS", json.dumps(words)))

    @property
    def noted(self) -> Locator:
        """It is there once the words were."""
        return self.page.locator("html[data-noted]")

    def my_turn(self) -> bool:
        """Waits until this visitor can act; false if the match is over before."""
        expect(self.live.or_(self.over).first).to_be_visible()
        return not self.over.is_visible()

    def until_over(self, act: str, most: int = 3000) -> None:
        """Plays to the end with the mouse, by touch or with the keyboard alone."""
        for _ in range(most):
            if not self.my_turn():
                return
            self.do_one(act)
        raise AssertionError("the match does not end")

    def play(self, act: str, times: int) -> None:
        """Does so many things, or fewer if the match ends."""
        for _ in range(times):
            if not self.my_turn():
                return
            self.do_one(act)

    def small_targets(self) -> list[str]:
        small: list[str] = self.page.evaluate(SMALL)
        return small

    def do_one(self, act: str = "click") -> None:
        """Does one of the things that can be done: goes on with what was begun, or else anything."""
        chosen = self.choose()
        if chosen is None:
            return
        try:
            if act == "keys":
                self.press(chosen)
            elif act == "tap":
                chosen.tap(timeout=5000, force=True)
            else:
                chosen.click(timeout=5000, force=True)
        except TooLate:
            return  # it was gone before it could be touched
        except Error as error:
            if "not visible" not in error.message:  # which is the same in other words
                raise

    def choose(self) -> Locator | None:
        """A place or a button. What ends a turn is taken more rarely than what else there is."""
        page = self.page
        commit = page.locator('.board [data-do="commit"]:enabled')
        if commit.count():
            return commit.first
        begun = page.locator(".board .place.chosen").count() > 0
        ways = page.locator(".board .place.ahead[data-live=true]" if begun else f"{PLACES}, {BUTTONS}")
        last = page.locator('.board .side button.main:enabled, .board [data-do="done"]:enabled')
        if not begun and last.count() and ways.count() > last.count() and self.rng.random() < 0.8:
            more = BUTTONS.replace(":not(.quiet)", ":not(.quiet, .main, [data-do=done])")
            ways = page.locator(f"{PLACES}, {more}")
        count = ways.count()
        return ways.nth(self.rng.randrange(count)) if count else None

    def choose_one(self) -> None:
        """Does the first thing of the list of all actions, which every game has."""
        tab = self.page.get_by_role("tab", name="In words")
        if tab.get_attribute("aria-selected") != "true":
            tab.click()
        self.page.locator(".actions button").first.click()

    def press(self, wanted: Locator) -> None:
        """Goes there with Tab, inside a board with N to the next place that can be touched, and presses Enter."""
        mine = wanted.element_handle(timeout=5000)
        for _ in range(200):
            where = mine.evaluate(
                """wanted => {
                    const here = document.activeElement;
                    if (here === wanted) return "here";
                    if (!wanted.isConnected) return "gone";
                    const board = wanted.ownerSVGElement;
                    return board && here?.ownerSVGElement === board ? "board" : "away";
                }"""
            )
            if where == "gone":
                return
            if where == "here":
                self.page.keyboard.press("Enter")
                return
            self.page.keyboard.press("n" if where == "board" else "Tab")
        raise AssertionError(f"the keyboard does not reach {wanted}")
