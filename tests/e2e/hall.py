"""What a visitor of the hall does: the same for every game, since the pages have no line about a particular one."""

from __future__ import annotations

from playwright.sync_api import Locator, Page, expect

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


class Visit:
    """Somebody in front of the hall."""

    def __init__(self, page: Page) -> None:
        self.page = page
        page.set_default_timeout(PATIENCE)

    def set_up(self, game: str, mode: str = "Against a bot", **numbers: str) -> None:
        """Opens a table from the page of a game; house rules are filled in by their labels' beginnings."""
        self.page.goto(f"/game/{game}")
        self.page.get_by_role("radio", name=mode).check()
        if numbers:
            self.page.get_by_text("Names, seats, clock and house rules").click()
        for label, value in numbers.items():
            self.page.get_by_label(label.replace("_", " ")).fill(value)
        go = {"Friends far away": "Open the table", "Watch bots": "Watch"}.get(mode, "Play")
        self.page.get_by_role("button", name=go, exact=True).click()
        self.page.wait_for_url("**/table/**")

    @property
    def status(self) -> Locator:
        return self.page.locator(".status h1")

    @property
    def over(self) -> Locator:
        return self.page.locator("#ending")

    @property
    def live(self) -> Locator:
        """Places of the board that a touch would do something with."""
        return self.page.locator('[data-place][data-live="true"]')

    def my_turn(self) -> bool:
        """Waits until this visitor can act; false if the match is over before."""
        expect(self.live.or_(self.over).first).to_be_visible()
        return not self.over.is_visible()

    def until_over(self, act: str, most: int = 3000) -> None:
        """Plays to the end with the mouse, by touch or with the keyboard alone."""
        for _ in range(most):
            if not self.my_turn():
                return
            {"click": self.click_one, "tap": self.tap_one, "keys": self.press_one}[act]()
        raise AssertionError("the match does not end")

    def click_one(self) -> None:
        place = self.live.first
        if place.is_visible():
            place.click(timeout=5000, force=True)

    def choose_one(self) -> None:
        """Does the first thing of the list of all actions, which every game has."""
        tab = self.page.get_by_role("tab", name="In words")
        if tab.get_attribute("aria-selected") != "true":
            tab.click()
        self.page.locator(".actions button").first.click()

    def tap_one(self) -> None:
        place = self.live.first
        if place.is_visible():
            place.tap(timeout=5000, force=True)

    def press_one(self) -> None:
        """Tab to the board, N to a place that can be touched, Enter."""
        page = self.page
        for _ in range(40):
            if page.evaluate("document.activeElement?.hasAttribute('data-place') ?? false"):
                break
            page.keyboard.press("Tab")
        if not page.evaluate("document.activeElement?.dataset.live === 'true'"):
            page.keyboard.press("n")
        page.keyboard.press("Enter")
