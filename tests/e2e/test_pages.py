"""Every page: accessible, in three languages, light and dark, wide, narrow and enlarged; what is said when it fails."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Page, ViewportSize, expect

from benchmarks.browser import hall_script
from tests.e2e.conftest import ROOT, Visitor
from tests.e2e.hall import DARK, PATIENCE, PHONE, TITLES, Visit
from tests.server.running import Server
from tests.server.test_hall import hall

AXE = ROOT / "web" / "node_modules" / "axe-core" / "axe.min.js"
# A window of 1280 pixels at 200 % has room for 640.
ENLARGED: ViewportSize = {"width": 640, "height": 400}
GAME_PATHS = [f"/{page}/{game}" for game in TITLES for page in ("game", "rules", "learn")]
TOURNAMENT_PATHS = ["/tournaments", "/tournaments/new", "/tournaments/class"]
PATHS = ["/", "/settings", "/key", "/nowhere", "/ratings", *TOURNAMENT_PATHS, *GAME_PATHS]  # `/host`: test_host_page

# What a browser itself says about a request that a test lets fail.
FAILED = ("Failed to load resource", "WebSocket connection")


def violations(page: Page) -> list[str]:
    """What axe has against a page."""
    page.evaluate(AXE.read_text("utf-8"))
    report: Any = page.evaluate("axe.run()")
    return [f"{one['id']}: {one['nodes'][0]['html'][:200]}" for one in report["violations"]]


def wide(page: Page) -> list[str]:
    """Whether it is wider than the screen."""
    too_wide = page.evaluate("document.documentElement.scrollWidth > document.documentElement.clientWidth")
    return ["wider than the screen"] if too_wide else []


def settled(visit: Visit) -> Page:
    expect(visit.page.locator("main h1").first).to_be_attached()
    return visit.page


def tables(visitor: Visit) -> Iterator[str]:
    """Every game's table, one after the other, each with all its panes; then a lobby and an invitation."""
    page = visitor.page
    for game in TITLES:
        visitor.set_up(game)
        assert visitor.my_turn()
        yield f"table of {game}"
        if game == "ur":
            for pane in ("Chat", "In words"):
                page.get_by_role("tab", name=pane).click()
                yield pane
        page.get_by_role("button", name="Give up").click()
        page.get_by_role("alertdialog").get_by_role("button", name="Give up").click()
        expect(visitor.over).to_be_visible()
        yield f"{game} is over"
        page.get_by_role("link", name="What decided it?").click()
        expect(page.get_by_role("slider", name="Chances over the match")).to_be_visible(timeout=3 * PATIENCE)
        yield f"review of {game}"
    visitor.set_up("nile", "Friends far away")
    link = page.locator("#link").input_value()
    yield "lobby"
    page.context.clear_cookies()  # the session
    page.evaluate("localStorage.clear()")
    page.goto(link.replace("#", "?again#"))  # a page of its own, as a friend would open it
    expect(page.get_by_role("button", name="Sit down and play")).to_be_visible()
    yield "invitation"
    visitor.set_up("nile", "At one device")
    expect(visitor.hand_over.or_(visitor.live.first).first).to_be_visible()
    yield "one device"


def ticket_exchanged(page: Page) -> None:
    """The ticket is good for one exchange: a page that is left before the answer came has lost it."""
    page.wait_for_function("Object.values(sessionStorage).some((kept) => kept.includes('key'))")


def faults(visitor: Visit, look: Callable[[Visit], list[str]]) -> dict[str, list[str]]:
    """What there is to say against any page, by its name."""
    by_page: dict[str, list[str]] = {}
    for path in PATHS:
        visitor.page.goto(path)
        settled(visitor)
        by_page[path] = look(visitor)
    for name in tables(visitor):
        by_page[name] = look(visitor)
    return {path: said for path, said in by_page.items() if said}


def test_axe_has_nothing_against_any_page_and_at_200_percent_none_is_wider_than_the_screen(visit: Visitor) -> None:
    def look(visitor: Visit) -> list[str]:
        page, usual = visitor.page, visitor.page.viewport_size
        assert usual is not None
        said = violations(page)
        page.set_viewport_size(ENLARGED)
        said += wide(page)
        page.set_viewport_size(usual)
        return said

    assert faults(visit(), look) == {}


def test_axe_has_nothing_against_any_page_on_a_dark_phone_where_fingers_hit_everything(visit: Visitor) -> None:
    phone = visit(**PHONE, **DARK)
    look = lambda visitor: violations(visitor.page) + wide(visitor.page) + visitor.small_targets()  # noqa: E731
    assert faults(phone, look) == {}


def test_the_door_of_a_hall_with_a_password(visit: Visitor, tmp_path: Path, client: Path) -> None:
    with Server(tmp_path / "matches.db", "--password", "lapis") as server:
        for how in ({}, {**PHONE, **DARK}):
            guest = visit("/game/nile", at=server, allowed=FAILED, **how)
            expect(guest.page.get_by_label("Password")).to_be_visible()
            assert violations(guest.page) == []
            guest.page.get_by_label("Password").fill("jade")
            guest.page.keyboard.press("Enter")
            expect(guest.page.get_by_role("alert")).to_contain_text("password")
            guest.page.get_by_label("Password").fill("lapis")
            guest.page.keyboard.press("Enter")
            expect(guest.page.get_by_role("heading", name="Nile")).to_be_visible()
            guest.page.close()


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


DEAD = {
    "/table/nothing123": "There is no match",
    "/replay/nothing123": "There is no match",
    "/join/nothing123#secret": "There is no match",
    "/seat/nothing123#secret": "There is no match",
    "/game/chess": "no game called chess",
    "/rules/chess": "chess",
    "/learn/chess": "chess",
    "/nowhere": "no page at this address",
}


def test_a_link_to_nothing_has_a_sentence_and_a_way_on(visit: Visitor) -> None:
    page = visit(allowed=FAILED).page
    for path, says in DEAD.items():
        page.goto(path)
        expect(page.get_by_role("alert")).to_contain_text(says)
        page.get_by_role("link", name="To the hall").click()
        expect(page.locator("li.exhibit")).to_have_count(4)


def test_without_storage_one_can_still_play_and_is_told(visit: Visitor) -> None:
    blocked = "Object.defineProperty(window, 'localStorage', { get() { throw new Error('blocked'); } });"
    hall = visit("/", settings=blocked)
    expect(hall.page.get_by_text("Your browser keeps nothing for this site")).to_be_visible()
    hall.page.locator("li.exhibit", has_text="The Royal Game of Ur").get_by_role("button", name="Play now").click()
    assert hall.my_turn()
    hall.page.reload()  # the address alone leads back to the seat
    assert hall.my_turn()


def test_the_back_button_leads_back(visit: Visitor) -> None:
    hall = visit("/")
    hall.page.get_by_role("link", name="More ways to play").first.click()
    expect(hall.page.get_by_role("button", name="Play", exact=True)).to_be_visible()
    hall.page.get_by_role("button", name="Play", exact=True).click()
    assert hall.my_turn()
    hall.page.go_back()
    expect(hall.page.get_by_role("button", name="Play", exact=True)).to_be_visible()
    hall.page.go_back()
    expect(hall.page.locator("li.exhibit")).to_have_count(4)
    hall.page.get_by_role("region", name="Go on playing").get_by_role("link").first.click()  # and nothing is lost
    assert hall.my_turn()


def test_house_rules_can_be_said_seat_by_seat_and_a_faulty_file_is_named(visit: Visitor, tmp_path: Path) -> None:
    page = visit("/game/egar", allowed=FAILED).page
    page.get_by_role("radio", name="At one device").check()
    page.get_by_text("House rules", exact=True).click()
    page.get_by_label("Choose the army of each seat").check()
    page.get_by_label("Seat 1").first.select_option(label="Egyptians")
    bad = tmp_path / "deck.toml"
    bad.write_text('name = "ours"\n[[card]]\nid = "a"\n', "utf-8")
    page.get_by_label("Cards").select_option(label="a file of your own …")
    page.get_by_label("Your file").set_input_files(bad)
    expect(page.get_by_role("alert").filter(has_text="deck.toml, line 3")).to_be_visible()
    page.get_by_label("Cards").select_option(label="the cards of the house")
    page.get_by_role("button", name="Play", exact=True).click()
    expect(page.get_by_role("list", name="Players").get_by_text("Egyptians")).to_be_visible()


def test_the_hall_loads_at_most_120_kilobytes_of_script(client: Path) -> None:
    assert hall_script(client) <= 120_000


def test_an_invitation_opens_the_hall_first_and_then_names_an_address_that_friends_can_reach(
    visit: Visitor, tmp_path: Path, client: Path
) -> None:
    with hall(tmp_path) as opened:
        at = Server("", port=opened.port)
        at.address = f"http://localhost:{opened.port}"
        host = visit(f"/#hall={opened.ticket}", at=at).page
        expect(host.locator("li.exhibit")).to_have_count(4)
        ticket_exchanged(host)
        host.goto("/game/ur")
        host.get_by_role("radio", name="Friends far away").check()
        host.get_by_role("button", name="Open the table").click()
        expect(host.get_by_role("heading", name="Waiting for players")).to_be_visible()
        expect(host.get_by_text("So far only this computer can see the hall.")).to_be_visible()
        expect(host.locator("#link")).to_have_count(0)  # nobody sends an address that leads to their own computer
        host.get_by_label("Password").fill("lapis")
        host.get_by_role("button", name="Open it to the local network").click()
        expect(host.locator("#link")).to_be_visible()
        link = host.locator("#link").input_value()
        assert link.startswith("http://")
        assert "localhost" not in link
        assert "127.0.0.1" not in link
        assert "/join/" in link
        host.context.close()


def test_only_the_page_that_the_program_opened_can_open_the_hall(visit: Visitor, tmp_path: Path, client: Path) -> None:
    with hall(tmp_path) as opened:
        at = Server("", port=opened.port)
        at.address = f"http://localhost:{opened.port}"
        stranger = visit("/game/ur", at=at).page
        stranger.get_by_role("radio", name="Friends far away").check()
        host = visit(f"/#hall={opened.ticket}", at=at).page
        expect(host.locator("li.exhibit")).to_have_count(4)
        ticket_exchanged(host)
        assert host.url == f"{at.address}/"  # nobody copies the ticket with the address
        host.goto("/settings")
        host.get_by_role("link", name="Load, matches, backups and limits").click()
        expect(host.get_by_role("heading", name="Storage")).to_be_visible()  # the host's page needs no link here
        host.goto("/game/ur")
        host.get_by_role("radio", name="Friends far away").check()
        expect(host.get_by_text("So far only this computer can see the hall.")).to_be_visible()
        host.reload()
        host.get_by_role("radio", name="Friends far away").check()
        host.get_by_label("Password").fill("lapis")
        expect(stranger.get_by_role("button", name="Open the table")).to_be_visible()
        expect(stranger.get_by_text("So far only this computer can see the hall.")).to_have_count(0)
        host.get_by_role("button", name="Open it to the local network").click()
        expect(host.get_by_text("The hall is open to the local network.")).to_be_visible()
