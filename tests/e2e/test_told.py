"""Being told, being installed, help and rules pages."""

from __future__ import annotations

from pathlib import Path

import pytest
from playwright.sync_api import expect

from tests.e2e.conftest import Visitor
from tests.e2e.hall import DARK
from tests.e2e.test_pages import FAILED
from tests.server.running import Player, Server

WHOLE_BROWSER = True

# A page that is not in sight, and what the browser was asked to tell.
HIDDEN = """
window.told = [];
window.Notification = class { static permission = "granted"; static requestPermission = async () => "granted";
  constructor(title, options) { told.push([title, options.body]); } };
Object.defineProperty(document, "hidden", { get: () => window.away === true });
localStorage.setItem("astragal.settings", JSON.stringify({ name: "Ada", sound: false, notify: true }));
"""


def test_whoever_looks_elsewhere_is_told_that_it_is_their_turn(visit: Visitor, server: Server) -> None:
    options = {"begins": 1, "dice": "three"}  # four may throw nothing, and it would be Ada's turn at once
    made = server.create("ur", ["open", "open"], name="Ada", options=options)
    joined = server.join(made, name="Ben")
    page = visit(f"/seat/{made['match']}#{made['secret']}", settings=HIDDEN).page
    expect(page.locator(".status h1")).to_have_text("To act: Dark")
    assert "●" not in page.title()
    page.evaluate("window.away = true")
    with Player(server, made["match"], joined["secret"]) as ben:
        while ben.until_table(lambda table: table["turn"] == 0 or bool(table["actions"]))["turn"] == 1:
            ben.act(ben.table["actions"][0]["text"])
    expect(page.locator('link[rel="icon"]')).to_have_attribute("href", "/icon-turn.svg")
    assert page.evaluate("told") == [["Your turn", "The Royal Game of Ur"]]
    assert page.title().startswith("●")


def test_the_settings_ask_before_the_browser_tells_anything(visit: Visitor) -> None:
    page = visit("/settings", permissions=["notifications"]).page
    told = page.get_by_label("The browser tells me when it is my turn")
    expect(told).not_to_be_checked()
    told.check()
    page.wait_for_function("JSON.parse(localStorage['astragal.settings']).notify === true")  # it is asked first


def test_the_volume_is_kept(visit: Visitor) -> None:
    page = visit("/settings").page
    page.get_by_label("Sound", exact=True).last.check()
    page.get_by_label("Volume").fill("0.25")
    page.reload()
    expect(page.get_by_label("Volume")).to_have_value("0.25")


READY = """Promise.race([
  navigator.serviceWorker.ready.then(() => true), new Promise((done) => setTimeout(() => done(false), 30000))
])"""


def test_it_can_be_installed_opens_without_its_host_and_goes_on_when_the_host_is_back(
    visit: Visitor, tmp_path: Path, client: Path
) -> None:
    with Server(tmp_path / "matches.db") as host:
        manifest = host.get("/manifest.webmanifest")
        assert manifest.headers["content-type"].startswith("application/manifest+json")
        for icon in manifest.json()["icons"]:
            assert host.get(icon["src"]).headers["content-type"].startswith(icon["type"])
        page = visit("/", at=host, allowed=FAILED, service_workers="allow", locale="de").page
        assert page.evaluate(READY)
        host.stop()
        page.goto("/rules/ur")
        expect(page.get_by_role("alert")).to_be_visible()
        page.goto("/")
        expect(page.get_by_role("heading", name="Die Halle ist geschlossen")).to_be_visible()
        expect(page.get_by_role("alert")).to_contain_text("macht von selbst weiter")
        host.start()
        expect(page.locator("li.exhibit")).to_have_count(4)  # nobody has touched anything


def test_what_installing_needs_is_there_without_the_password(tmp_path: Path, client: Path) -> None:
    with Server(tmp_path / "matches.db", "--password", "lapis") as guarded:
        for path in ("/sw.js", "/manifest.webmanifest", "/icon-192.png", "/icon-turn.svg", "/help", "/about", "/mine"):
            assert guarded.get(path).status_code == 200, path
        assert guarded.get("/api/matches").status_code == 401


@pytest.mark.parametrize("path", ["/help", "/about", "/mine"])
def test_help_about_and_my_games_are_one_click_from_the_hall(visit: Visitor, path: str) -> None:
    page = visit("/").page
    page.locator(f'footer a[href="{path}"]').click()
    expect(page.locator("main h1")).to_be_visible()
    assert page.url.endswith(path)


@pytest.mark.parametrize("lang", ["en", "de", "es"])
def test_rules_pages_have_contents_and_no_words_of_a_command_line(visit: Visitor, lang: str) -> None:
    page = visit(locale=lang).page
    for game in ("ur", "ur-modern", "nile", "egar"):
        page.goto(f"/rules/{game}")
        expect(page.locator("article p > svg").first).to_be_visible()
        expect(page.locator("article p > img")).to_have_count(0)
        expect(page.locator("article code.words").first).to_be_visible()
        assert "--" not in page.locator("article").inner_text()
        assert page.locator("nav ol a").count() == page.locator("article h2").count() > 5
    page.locator("nav ol a").nth(3).click()
    expect(page.locator("article h2").nth(3)).to_be_in_viewport()


def test_diagrams_have_the_font_and_the_colours_of_the_page(visit: Visitor) -> None:
    page = visit("/rules/ur", **DARK).page
    picture = page.locator("article p > svg").first
    expect(picture).to_be_visible()
    look = picture.evaluate(
        """svg => [getComputedStyle(svg.querySelector('text')).fontFamily,
                   getComputedStyle(svg.querySelector('rect')).fill]"""
    )
    assert "Alegreya" in look[0]
    red, green, blue = (int(part) for part in look[1].removeprefix("rgb(").removesuffix(")").split(","))
    assert max(red, green, blue) < 80  # a dark card


def test_the_same_side_is_below_in_the_rules_as_at_the_table(visit: Visitor) -> None:
    page = visit("/rules/ur").page
    names = page.locator("article p > svg").first.locator("text")
    light, dark = (names.filter(has_text=side).first.bounding_box() for side in ("Light", "Dark"))
    assert light is not None
    assert dark is not None
    assert light["y"] > dark["y"]
