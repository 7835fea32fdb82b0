"""The review of a match in the browser: from its end to the worst move and the better one."""

from __future__ import annotations

import json
import re
from decimal import ROUND_HALF_UP, Decimal
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, Page, Route, expect

from astragal.analysis.report import MISTAKE, SLIP
from astragal.core import recordfile
from tests.analysis.matches import with_take_backs
from tests.e2e.conftest import Visitor
from tests.e2e.hall import DARK, PATIENCE, PHONE, Visit
from tests.e2e.test_pages import FAILED, violations, wide
from tests.server.running import Player, Server
from tests.terminal.command import astragal as command

TINY = {"viewport": {"width": 320, "height": 640}, "has_touch": True, "is_mobile": True}
MAKING = 3 * PATIENCE  # milliseconds until a review is there
GAMES: dict[str, tuple[list[str], dict[str, Any]]] = {
    "ur": (["bot:greedy", "bot:random"], {"pieces": 3}),
    "ur-modern": (["bot:greedy", "bot:random"], {"pieces": 5, "layout": "royal"}),
    "nile": (["bot:greedy", "bot:random", "bot:random"], {"board": "small"}),
    "egar": (["bot:greedy", "bot:random"], {}),
}


@pytest.fixture(scope="module")
def matches(server: Server) -> dict[str, str]:
    """A finished match of every game."""
    played = {}
    for game, (seats, options) in GAMES.items():
        made = server.create(game, seats, listed=True, options=options)
        with Player(server, made["match"], None) as watcher:
            watcher.until_table(lambda table: table["status"] == "over")
        played[game] = made["match"]
    return played


def graph(page: Page) -> Any:
    """The graph of the chances, which is a slider."""
    return page.get_by_role("slider", name=re.compile("Chances over|Die Chancen im|Las probabilidades"))


def in_percent(share: float) -> str:
    """As browsers write it: always with one decimal, and halves upwards."""
    return f"{Decimal(100 * share).quantize(Decimal('0.1'), ROUND_HALF_UP)} %"


def reviewed(visit: Visitor, match: str, **how: Any) -> Visit:
    visitor = visit(f"/replay/{match}", **how)
    expect(graph(visitor.page)).to_be_visible(timeout=MAKING)
    return visitor


def test_from_the_end_of_a_match_to_its_worst_move_and_the_better_one(visit: Visitor, server: Server) -> None:
    table = visit()
    table.set_up("ur", Pieces_of_each_player="3")
    table.until_over("click")
    table.page.get_by_role("link", name="What decided it?").click()
    page = table.page
    expect(graph(page)).to_be_visible(timeout=MAKING)
    match = page.url.rpartition("/")[2].partition("?")[0]
    made = server.get(f"/api/matches/{match}/review").json()["review"]
    losses = {step["ply"]: step["before"][step["seat"]] - step["after"][step["seat"]] for step in made["steps"]
              if step["seat"] >= 0}  # fmt: skip
    worst = max(losses, key=lambda ply: losses[ply])
    assert losses[worst] >= MISTAKE, "who clicks at random makes a mistake"
    step = made["steps"][worst - 1]
    page.get_by_role("list").and_(page.locator("ol.costly")).get_by_role("button").first.click()
    expect(page.locator(".judgement")).to_contain_text("Better: ")
    expect(page.locator(".judgement tr.better")).to_contain_text("best")
    expect(page.locator(".judgement tr.played")).to_contain_text("played")
    best, played = (in_percent(step[when][step["seat"]]) for when in ("before", "after"))
    expect(page.locator(".judgement tr.better td")).to_have_text(best)
    expect(page.locator(".judgement tr.played td")).to_have_text(played)
    arrows = page.locator(".board svg g.played, .board svg g.better")
    expect(arrows).to_have_count(2)  # both are drawn on the board as it was before
    page.get_by_role("button", name="Show the board after the move").click()
    expect(arrows).to_have_count(0)
    page.get_by_role("button", name="Show both moves on the board").click()
    expect(arrows).to_have_count(2)


def test_the_graph_is_walked_by_mouse_by_keys_and_from_moment_to_moment(
    visit: Visitor, matches: dict[str, str], server: Server
) -> None:
    page = reviewed(visit, matches["ur"]).page
    made = server.get(f"/api/matches/{matches['ur']}/review").json()["review"]
    slider = graph(page)
    box = slider.bounding_box()
    page.mouse.click(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)
    plies = len(made["steps"])
    shown = int(str(slider.get_attribute("aria-valuetext")).split()[0])
    assert abs(shown - plies / 2) <= 2
    page.keyboard.press("ArrowRight")
    expect(slider).to_have_attribute("aria-valuetext", re.compile(f"^{shown + 1} of {plies}"))
    page.locator("h1").click()  # the keys work wherever the focus is
    page.keyboard.press("Home")
    expect(slider).to_have_attribute("aria-valuetext", re.compile("^1 of"))
    for moment in made["moments"]:
        page.get_by_role("button", name="Next moment").click()
        expect(slider).to_have_attribute("aria-valuetext", re.compile(f"^{moment} of"))
        current = page.locator("aside ol button[aria-current=step]").first
        expect(current).to_be_visible()
    page.get_by_role("button", name="Previous moment").click()
    expect(slider).to_have_attribute("aria-valuetext", re.compile(f"^{made['moments'][-2]} of"))


def test_the_figures_are_there_in_words(visit: Visitor, matches: dict[str, str], server: Server) -> None:
    page = reviewed(visit, matches["nile"], locale="de").page
    told = server.get(f"/api/matches/{matches['nile']}/review", lang="de").json()["told"]
    expect(page.get_by_role("heading", level=1)).to_have_text(told["verdict"])
    figures = page.get_by_role("region", name="Die Zahlen")
    for seat in told["seats"]:
        for sentence in (*seat["figures"], *seat["dice"]):
            expect(figures).to_contain_text(sentence)
    page.get_by_role("combobox").first.select_option("es")
    expect(page.get_by_role("region", name="Las cifras")).to_be_visible()
    spanish = server.get(f"/api/matches/{matches['nile']}/review", lang="es").json()["told"]
    expect(page.get_by_role("heading", level=1)).to_have_text(spanish["verdict"])


def test_luck_against_skill_is_kept_as_png_and_as_svg(visit: Visitor, matches: dict[str, str]) -> None:
    page = reviewed(visit, matches["egar"]).page
    picture = page.get_by_role("region", name="Luck against skill")
    expect(picture.get_by_role("img")).not_to_have_js_property("naturalWidth", 0)
    with page.expect_download() as kept:
        picture.get_by_role("button", name="Keep it as PNG").click()
    png = Path(kept.value.path()).read_bytes()
    assert kept.value.suggested_filename.endswith(".png")
    assert png.startswith(b"\x89PNG")
    assert (int.from_bytes(png[16:20]), int.from_bytes(png[20:24])) == (2400, 1260)
    assert len(png) > 40_000  # it is not an empty canvas
    with page.expect_download() as kept:
        picture.get_by_role("link", name="Keep it as SVG").click()
    svg = Path(kept.value.path()).read_text("utf-8")
    assert svg.startswith("<svg")
    assert page.get_by_role("heading", level=1).inner_text() in svg.replace("&#x27;", "'")


def test_progress_is_shown_while_a_review_is_made(visit: Visitor, matches: dict[str, str]) -> None:
    visitor, half_done = visit(), [True]
    half = json.dumps({"share": 0.5, "review": None, "told": None, "reason": ""})

    def answer(route: Route) -> None:
        """Half of the work is done, until the test lets the server answer."""
        if half_done:
            route.fulfill(body=half, content_type="application/json")
        else:
            route.continue_()

    visitor.page.route("**/review?*", answer)
    visitor.page.goto(f"/replay/{matches['ur']}")
    expect(visitor.page.get_by_role("progressbar")).to_have_attribute("value", "0.5")
    expect(visitor.page.get_by_text("50 %")).to_be_visible()
    expect(visitor.page.get_by_role("slider", name="Move")).to_be_visible()  # the match can be watched meanwhile
    assert violations(visitor.page) == []
    half_done.clear()
    expect(graph(visitor.page)).to_be_visible(timeout=MAKING)
    expect(visitor.page.get_by_role("progressbar")).to_have_count(0)


def test_where_there_is_no_review_that_is_said_and_the_match_is_still_shown(
    visit: Visitor, matches: dict[str, str]
) -> None:
    visitor = visit(allowed=FAILED)
    refused = json.dumps({"code": "busy", "detail": "too many reviews are being made; ask again in a moment"})
    visitor.page.route("**/review?*", lambda route: route.fulfill(status=503, body=refused))
    visitor.page.goto(f"/replay/{matches['ur']}")
    expect(visitor.page.get_by_text("There is no review: Too many reviews are being made")).to_be_visible()
    expect(visitor.page.get_by_role("slider", name="Move")).to_be_visible()
    assert violations(visitor.page) == []
    visitor.page.unroute("**/review?*")
    visitor.page.get_by_role("button", name="Try again").click()
    expect(graph(visitor.page)).to_be_visible(timeout=MAKING)


@pytest.mark.parametrize("game", GAMES)
def test_the_review_is_clean_on_every_screen(visit: Visitor, matches: dict[str, str], game: str) -> None:
    for how in ({}, {**PHONE, **DARK, "locale": "es"}, {**TINY, "locale": "de"}):
        visitor = reviewed(visit, matches[game], **how)
        page = visitor.page
        costly = page.locator("ol.costly button")
        if costly.count():  # with a mistake on the board
            costly.first.click()
            expect(page.locator(".judgement.costly")).to_be_visible()
        assert violations(page) == []
        assert wide(page) == []
        if how.get("locale") == "es":  # at 320 pixels the signs of the header are a little smaller
            assert visitor.small_targets() == []
        page.context.close()


def test_the_page_of_the_command_stands_alone(tmp_path: Path, browser: Browser) -> None:
    file, out = tmp_path / "match.json", tmp_path / "review.html"
    recordfile.write(with_take_backs().record(), file)
    done = command("review", str(file), "--quick", "--html", str(out))
    assert done.returncode == 0, done.stderr
    asked: list[str] = []
    for how in ({}, {**PHONE, **DARK}, TINY):
        context = browser.new_context(**how)  # type: ignore[arg-type]
        page = context.new_page()
        page.on("request", lambda request: asked.append(request.url))
        page.goto(out.as_uri())
        expect(page.get_by_role("heading", name="The moments that mattered")).to_be_visible()
        images = page.locator("img")
        assert images.count() >= 5
        assert all(images.nth(n).evaluate("image => image.naturalWidth") > 0 for n in range(images.count()))
        assert violations(page) == []
        assert wide(page) == []
        context.close()
    assert all(url.startswith(("file:", "data:")) for url in asked)


def test_thresholds_are_those_of_the_review() -> None:
    """The page names losses as the review does."""
    source = (Path(__file__).parents[2] / "web" / "src" / "lib" / "review.svelte.ts").read_text("utf-8")
    assert re.search(rf"SLIP = {SLIP};", source)
    assert re.search(rf"MISTAKE = {MISTAKE};", source)
