"""The hall: the first move in sight, matches that go on, finished ones, and open tables that come and go."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from tests.e2e.conftest import Visitor
from tests.e2e.test_pages import wide
from tests.server.running import Server

SIZES = [(1920, 1080), (1280, 800), (820, 1180), (390, 844), (320, 640)]


@pytest.fixture(scope="module")
def server(client: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """One of its own: tables that other tests left open would wait in this hall too."""
    with Server(tmp_path_factory.mktemp("hall") / "matches.db", "--one-address") as running:
        yield running


def kept(matches: list[dict[str, Any]]) -> str:
    """A device that remembers these matches."""
    settings = '{"patience":0.02,"name":"Ada","sound":false}'
    text = json.dumps(json.dumps(matches))
    return (
        f"if (!localStorage.getItem('astragal.matches')) localStorage.setItem('astragal.matches', {text});"
        f"localStorage.setItem('astragal.settings', '{settings}');"
    )


@pytest.mark.parametrize(("width", "height"), SIZES)
def test_the_first_move_is_above_the_fold(visit: Visitor, width: int, height: int) -> None:
    page = visit("/", viewport={"width": width, "height": height}).page
    play = page.get_by_role("button", name="Play now").first
    expect(play).to_be_visible()
    box = play.bounding_box()
    assert box is not None
    assert box["y"] + box["height"] <= height
    assert wide(page) == []


def test_matches_that_go_on_say_whose_turn_it_is_and_finished_ones_how_they_ended(visit: Visitor) -> None:
    table = visit()
    table.set_up("ur", chosen={"Who begins": "Light"})
    assert table.my_turn()
    page = table.page
    page.goto("/")
    going = page.get_by_role("region", name="Go on playing").get_by_role("listitem")
    expect(going).to_contain_text("your turn")
    expect(going.locator(".picture svg")).to_be_visible()
    going.get_by_role("link").click()
    page.get_by_role("button", name="Give up").click()
    page.get_by_role("alertdialog").get_by_role("button", name="Give up").click()
    expect(table.over).to_be_visible()
    page.goto("/")
    expect(page.get_by_role("region", name="Finished here").get_by_role("listitem")).to_contain_text("Lost")


def test_what_others_did_meanwhile_is_seen_in_the_hall(visit: Visitor, server: Server) -> None:
    first, second = server.table("ur", options={"begins": 0})
    with first, second:
        mine = first.until_table(lambda table: table["turn"] in (0, 1))["turn"]  # not light's, if it throws nothing
        known = {"match": first.match, "game": "ur", "seats": [mine], "names": [], "at": 1, "over": False}
        known["turn"] = 1 - mine
        page = visit("/", settings=kept([{**known, "status": "running"}])).page
        expect(page.get_by_role("region", name="Go on playing")).to_contain_text("your turn")


def test_many_matches_do_not_fill_the_hall(visit: Visitor, server: Server) -> None:
    matches = [
        {
            "match": server.create("ur", ["open", "open"])["match"],
            "game": "ur",
            "seats": [0],
            "names": [],
            "at": n,
            "over": False,
        }
        for n in range(6)
    ]
    page = visit("/", settings=kept(matches)).page
    going = page.get_by_role("region", name="Go on playing")
    expect(going.get_by_role("listitem")).to_have_count(4)
    going.get_by_role("button", name="Show 2 more").click()
    expect(going.get_by_role("listitem")).to_have_count(6)


def test_a_first_game_of_nile_is_played_on_the_short_river(visit: Visitor) -> None:
    hall = visit("/")
    card = hall.page.locator("li.exhibit", has_text="Nile")
    expect(card).to_contain_text("A short river")
    hall.page.goto("/game/nile")
    expect(hall.page.get_by_role("radio", name="A short river")).to_be_checked()
    hall.page.goto("/")
    card.get_by_role("button", name="Play now").click()
    assert hall.my_turn()
    hall.page.goto("/game/nile")
    expect(hall.page.get_by_role("radio", name="The whole river")).to_be_checked()


def open_table(page: Page, game: str = "ur") -> None:
    page.goto(f"/game/{game}")
    page.get_by_role("radio", name="Friends far away").check()
    page.get_by_label("Everybody in this hall sees the table").check()
    page.get_by_label("Clock").select_option(label="5 minutes + 3 seconds a move")
    page.get_by_role("button", name="Open the table").click()
    expect(page.get_by_role("heading", name="Waiting for players")).to_be_visible()


def test_an_open_table_appears_in_anothers_hall_and_is_joined_in_one_click(visit: Visitor) -> None:
    guest = visit("/")
    tables = guest.page.get_by_role("region", name="Open tables")
    expect(tables).to_contain_text("Nobody is waiting for a player just now.")
    host = visit()
    open_table(host.page)
    waiting = tables.get_by_role("listitem").filter(has_text="5 minutes + 3 seconds")
    expect(waiting).to_contain_text("British Museum")  # nothing was loaded again
    expect(host.page.get_by_role("region", name="Open tables")).to_have_count(0)
    waiting.get_by_role("button", name="Sit down").click()
    guest.page.wait_for_url("**/table/**")
    expect(guest.page.get_by_role("list", name="Players")).to_be_visible()
    expect(host.page.get_by_role("list", name="Players")).to_be_visible()


def test_whoever_waits_may_play_a_bot_and_is_called(visit: Visitor) -> None:
    host, guest = visit(), visit("/")
    open_table(host.page)
    address = host.page.url
    host.page.get_by_role("button", name="Play a bot meanwhile").click()
    host.page.wait_for_url(lambda url: "/table/" in url and url != address)
    assert host.my_turn()
    waiting = guest.page.get_by_role("region", name="Open tables").get_by_role("listitem").filter(has_text="5 minutes")
    waiting.get_by_role("button", name="Sit down").first.click()
    call = host.page.get_by_text("everybody is there, the others wait for you")
    expect(call).to_be_visible()
    host.page.get_by_role("link", name="To the table").click()
    expect(host.page).to_have_url(address)
    expect(guest.page.get_by_role("list", name="Players")).to_be_visible()
