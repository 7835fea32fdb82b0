"""Tables with more than one player: far away, at one device, and with a server that dies."""

from __future__ import annotations

import signal
import time
from pathlib import Path

from playwright.sync_api import WebSocketRoute, expect

from tests.e2e.conftest import Visitor
from tests.e2e.hall import Visit
from tests.server.running import Server

# What a browser itself says about a connection that a test cuts.
CUT = ("WebSocket connection", "Failed to load resource")


def moves(visit: Visit) -> int:
    return visit.page.get_by_label("What happened").get_by_role("listitem").count()


def to_act(*visits: Visit) -> Visit | None:
    """Who can do something now; nobody once the match is over."""
    until = time.monotonic() + 60
    while time.monotonic() < until:
        for visit in visits:
            if visit.over.is_visible():
                return None
            if visit.live.count():
                return visit
        visits[0].page.wait_for_timeout(50)
    raise TimeoutError("nobody is to act")


def test_two_browsers_play_and_one_loses_its_connection(visit: Visitor) -> None:
    ada, ben = visit(), visit(allowed=CUT)
    sockets: list[WebSocketRoute] = []

    def keep(route: WebSocketRoute) -> None:
        route.connect_to_server()
        sockets.append(route)

    ben.page.route_web_socket("**/socket?*", keep)
    ada.set_up("ur", "Friends far away", Pieces_of_each_player="2")
    ben.page.goto(ada.page.locator("#link").input_value())
    ben.page.get_by_label("Your name").fill("Ben")
    ben.page.get_by_role("button", name="Sit down and play").click()
    for who in (ada, ben):
        expect(who.page.get_by_role("list", name="Players").get_by_text("Ben")).to_be_visible()
    for turn in range(12):
        mover = to_act(ada, ben)
        if mover is None:
            break
        mover.click_one()
        if turn == 5:
            sockets[-1].close(code=1011, reason="cut by the test")
            expect(ben.page.get_by_text("The connection is lost.")).to_be_visible()
            expect(ben.page.get_by_text("The connection is lost.")).to_be_hidden()
    ada.page.wait_for_timeout(1000)
    expect(ben.page.get_by_label("What happened").get_by_role("listitem")).to_have_count(moves(ada))


def test_a_server_that_dies_and_comes_back_loses_nothing(visit: Visitor, tmp_path: Path, client: Path) -> None:
    database = tmp_path / "matches.db"
    with Server(database) as first:
        table = visit("/", at=first, allowed=(*CUT, "net::ERR"))
        table.set_up("ur")
        assert table.my_turn()
        table.click_one()
        assert table.my_turn()
        before = moves(table)
        first.stop(signal.SIGKILL)
        expect(table.page.get_by_text("The connection is lost.")).to_be_visible()
    with Server(database, port=first.port):
        expect(table.page.get_by_text("The connection is lost.")).to_be_hidden()
        assert moves(table) == before
        assert table.my_turn()
        table.click_one()
        expect(table.page.get_by_label("What happened").get_by_role("listitem").nth(before)).to_be_visible()
        table.page.close()


def test_at_one_device_racks_stay_private(visit: Visitor) -> None:
    table = visit()
    table.set_up("nile", "At one device")
    page = table.page
    for _ in range(2):
        here = page.get_by_role("button", name="I am here")
        expect(here.or_(page.locator(".status h1")).first).to_be_visible()
        page.wait_for_timeout(300)
        if here.is_visible():
            assert page.locator("[data-place]").count() == 0  # nothing is seen before the next player is there
            here.click()
        page.get_by_role("tab", name="In words").click()
        actions = page.locator(".actions button")
        while not here.is_visible():
            stop = actions.filter(has_text="stop")
            (stop if stop.count() else actions).first.click()
            expect(here.or_(actions.first).first).to_be_visible()
            page.wait_for_timeout(200)
    expect(page.get_by_role("dialog")).to_contain_text("is next")
