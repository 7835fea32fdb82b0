"""Tables with more than one player: far away, at one device, in two tabs, with clocks, and with a server that dies."""

from __future__ import annotations

import re
import signal
import time
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import WebSocketRoute, expect

from tests.e2e.conftest import Visitor
from tests.e2e.files import PLAIN, TILES
from tests.e2e.hall import Visit
from tests.server.running import Player, Server
from tests.server.test_manners import seeds

# What a browser itself says about a connection that a test cuts.
CUT = ("WebSocket connection", "Failed to load resource")


def moves(visit: Visit) -> int:
    return visit.page.get_by_label("What happened").get_by_role("listitem").count()


def tell_the_same(*visits: Visit) -> None:
    """Waits until all have told as much as whoever is to act, who has told everything."""
    to_act(*visits)
    until = time.monotonic() + 60
    while len({moves(visit) for visit in visits}) > 1:
        assert time.monotonic() < until, [moves(visit) for visit in visits]
        visits[0].page.wait_for_timeout(50)


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


def sit_down(host: Visit, guest: Visit, game: str, **numbers: Any) -> None:
    """One opens a table, the other comes by the link."""
    host.set_up(game, "Friends far away", **numbers)
    guest.page.goto(host.page.locator("#link").input_value())
    guest.page.get_by_label("Your name").fill("Ben")
    guest.page.get_by_role("button", name="Sit down and play").click()
    for who in (host, guest):
        expect(who.page.get_by_role("list", name="Players").get_by_text("Ben")).to_be_visible()


def test_two_browsers_play_and_one_loses_its_connection(visit: Visitor) -> None:
    ada, ben = visit(), visit(allowed=CUT)
    sockets: list[WebSocketRoute] = []

    def keep(route: WebSocketRoute) -> None:
        route.connect_to_server()
        sockets.append(route)

    ben.page.route_web_socket("**/socket?*", keep)
    ben.note("The connection is lost.")  # which is soon over
    sit_down(ada, ben, "ur", Pieces_of_each_player="2")
    for turn in range(12):
        mover = to_act(ada, ben)
        if mover is None:
            break
        mover.do_one()
        if turn == 5:
            sockets[-1].close(code=1011, reason="cut by the test")
            expect(ben.noted).to_be_attached()
            expect(ben.page.get_by_text("The connection is lost.")).to_be_hidden()
    tell_the_same(ada, ben)


def test_friends_chat_draw_and_play_again_while_somebody_watches(visit: Visitor) -> None:
    ada, ben, cleo = visit(), visit(), visit()
    sit_down(ada, ben, "ur")
    cleo.page.goto(ada.page.url)
    expect(cleo.page.get_by_text("You are watching.")).to_be_visible()
    expect(ada.page.get_by_text("1 person is watching.")).to_be_visible()
    ada.page.get_by_role("tab", name="Chat").click()
    ada.page.get_by_label("Say something").fill("Nice board")
    ada.page.keyboard.press("Enter")
    ben.page.get_by_role("tab", name="Chat 1 new message").click()
    expect(ben.page.get_by_role("list", name="Chat")).to_contain_text("Ada: Nice board")
    assert cleo.live.count() == 0
    ben.page.get_by_role("button", name="Offer a draw").click()
    ada.page.get_by_role("alertdialog").get_by_role("button", name="Agree").click()
    for who in (ada, ben, cleo):
        expect(who.over).to_be_visible()
    again = re.compile("Play again")
    for who in (ada, ben):
        expect(who.page.get_by_role("button", name=again).first).to_be_visible()
        who.page.get_by_role("button", name=again).first.click()
    for who in (ada, ben):
        expect(who.over).to_be_hidden()
        expect(who.status).to_be_visible()


@pytest.mark.parametrize(("width", "height"), [(1280, 800), (390, 844), (320, 640)])
def test_a_chat_can_be_read_and_counts_what_is_new(visit: Visitor, width: int, height: int) -> None:
    ada, ben = visit(viewport={"width": width, "height": height}), visit()
    sit_down(ada, ben, "ur")
    ben.page.get_by_role("tab", name="Chat").click()
    for words in ("One", "Two", "Three"):
        ben.page.get_by_label("Say something").fill(words)
        ben.page.keyboard.press("Enter")
        expect(ben.page.get_by_role("list", name="Chat")).to_contain_text(f"Ben: {words}")
    expect(ben.page.get_by_role("tab", name="Chat", exact=True)).to_be_visible()  # one's own words are not new
    tab, lines = ada.page.locator("#tab-chat"), ada.page.get_by_role("list", name="Chat")
    expect(tab.locator(".unseen")).to_have_text("3 new messages")
    tab.click()
    box = lines.bounding_box()
    assert box is not None
    assert box["height"] >= 120
    expect(lines.get_by_text("Ben: Three")).to_be_in_viewport()
    ada.page.get_by_role("tab", name="Moves").click()
    expect(tab).to_have_text("Chat")  # all is read
    ben.page.get_by_label("Say something").fill("Four")
    ben.page.keyboard.press("Enter")
    expect(tab.locator(".unseen")).to_have_text("1 new message")
    ada.page.reload()
    expect(tab).to_be_visible()
    expect(tab).to_have_text("Chat")  # what was said before one came is not new


def test_two_tabs_on_one_seat_show_the_same_and_both_can_move(visit: Visitor) -> None:
    one = visit()
    one.set_up("ur")
    assert one.my_turn()
    other = Visit(one.page.context.new_page())
    other.page.goto(one.page.url)
    for tab in (one, other, one):
        assert tab.my_turn()
        before = moves(tab)
        tab.do_one()
        expect(tab.page.get_by_label("What happened").get_by_role("listitem").nth(before)).to_be_visible()
        for each in (tab, other if tab is one else one):  # or one of them would act where the match has moved on
            assert each.my_turn()
            expect(each.page.get_by_label("What happened").get_by_role("listitem")).to_have_count(moves(tab))
    expect(one.page.get_by_role("alert")).to_have_count(0)


def test_a_server_that_is_slow_has_a_sentence_and_a_way_on(visit: Visitor) -> None:
    table = visit()
    swallowed: list[str | bytes] = []

    def lose_the_first_move(route: WebSocketRoute) -> None:
        server = route.connect_to_server()

        def pass_on(message: str | bytes) -> None:
            if '"act"' in str(message) and not swallowed:
                swallowed.append(message)
            else:
                server.send(message)

        route.on_message(pass_on)

    table.page.route_web_socket("**/socket?*", lose_the_first_move)
    table.set_up("ur")
    assert table.my_turn()
    before = moves(table)
    table.do_one()
    expect(table.page.get_by_text("The server takes long to answer.")).to_be_visible()
    table.page.get_by_role("button", name="Connect again").click()
    expect(table.page.get_by_label("What happened").get_by_role("listitem").nth(before)).to_be_visible()
    assert table.my_turn()
    expect(table.page.get_by_text("The server takes long to answer.")).to_be_hidden()


def test_a_server_that_dies_and_comes_back_loses_nothing(visit: Visitor, tmp_path: Path, client: Path) -> None:
    database = tmp_path / "matches.db"
    with Server(database) as first:
        table = visit("/", at=first, allowed=(*CUT, "net::ERR"))
        table.set_up("ur")
        assert table.my_turn()
        table.do_one()
        assert table.my_turn()
        before = moves(table)
        hall = table.page.context.new_page()
        hall.goto("/")
        play = hall.get_by_role("button", name="Play now").first
        expect(play).to_be_visible()
        first.stop(signal.SIGKILL)
        expect(table.page.get_by_text("The connection is lost.")).to_be_visible()
        play.click()
        expect(hall.get_by_text("The server cannot be reached.")).to_be_visible()
    with Server(database, port=first.port):
        expect(table.page.get_by_text("The connection is lost.")).to_be_hidden()
        assert moves(table) == before
        assert table.my_turn()
        table.do_one()
        expect(table.page.get_by_label("What happened").get_by_role("listitem").nth(before)).to_be_visible()
        play.click()
        hall.wait_for_url("**/table/**")
        table.page.context.close()


def test_at_one_device_racks_stay_private(visit: Visitor, tmp_path: Path) -> None:
    tiles = tmp_path / "straights.toml"
    tiles.write_text(TILES, "utf-8")
    table = visit()
    page, here, seen = table.page, table.hand_over, ["Papyrus"]
    table.set_up("nile", "At one device", files={"Tiles": tiles}, chosen={"Who begins": "Papyrus"})
    expect(table.live.first).to_be_visible()
    actions, happened = page.locator(".actions button"), page.get_by_label("What happened")
    for _ in range(3):
        expect(happened.get_by_text(f"{seen[-1]} draws").first).to_be_visible()
        for drawn in happened.get_by_text(" draws ").all_inner_texts():  # others' tiles are not named
            assert drawn.endswith("draws a tile.") != drawn.startswith(f"{seen[-1]} ")
        page.get_by_role("tab", name="In words").click()
        expect(actions.first).to_be_visible()
        while not here.is_visible():
            stop = actions.filter(has_text="stop")
            (stop if stop.count() else actions).first.click()
            expect(here.or_(actions.first).first).to_be_visible()
            page.wait_for_timeout(200)
        page.get_by_role("tab", name="Moves").click()
        for covered in ("[data-place]", ".status p", ".pane li", ".actions"):
            assert page.locator(covered).count() == 0  # nothing is seen before the next player is there
        seen.append(page.get_by_role("dialog").get_by_role("heading").inner_text().removeprefix("Next: "))
        here.click()
    assert seen == ["Papyrus", "Lotus", "Papyrus", "Lotus"]


def test_at_one_device_only_whoever_is_asked_answers_and_nobody_sees_the_answer_before(
    visit: Visitor, tmp_path: Path
) -> None:
    field = tmp_path / "plain.toml"
    field.write_text(PLAIN, "utf-8")
    table = visit()
    table.set_up("egar", "At one device", files={"Board": field}, Seconds_for_an_answer="120")
    page, options = table.page, table.page.locator("button.option")
    here = table.hand_over
    for _ in range(60):
        expect(here.or_(table.live.first).or_(table.over).first).to_be_visible()
        if here.is_visible():
            assert page.locator("[data-place], .question").count() == 0
            asked = page.get_by_role("dialog").get_by_role("heading").inner_text()
            here.click()
            expect(table.live.first).to_be_visible()
            if options.count():
                break
        table.do_one()
    assert options.count() == 4
    question = page.locator(".question .label").first.inner_text().splitlines()[0]
    assert f"question for {asked.removeprefix('Next: ')}".casefold() == question.casefold()
    assert page.locator(".verdict, .question .note, .right").count() == 0
    expect(page.get_by_role("timer")).to_be_visible()
    options.first.click()
    expect(page.locator(".verdict .note")).to_be_visible()


@pytest.mark.parametrize("mode", ["Against a bot", "At one device"])
def test_an_answer_has_its_time_and_more_of_it_can_be_taken(visit: Visitor, tmp_path: Path, mode: str) -> None:
    field = tmp_path / "plain.toml"
    field.write_text(PLAIN, "utf-8")
    table = visit()
    table.set_up("egar", mode, files={"Board": field}, Seconds_for_an_answer="60")
    timer, more = table.page.get_by_role("timer"), table.page.get_by_role("button", name="More time")
    for _ in range(80):
        expect(table.hand_over.or_(table.live.first).first).to_be_visible()
        if table.hand_over.is_visible():
            table.hand_over.click()
            expect(table.live.first).to_be_visible()
        if table.page.locator("button.option").count():
            break
        table.do_one()
    before = int(re.sub(r"\D", "", timer.inner_text()))
    more.click()
    expect(table.page.get_by_label("What happened")).to_contain_text("More time for ")
    until = time.monotonic() + 60
    while int(re.sub(r"\D", "", timer.inner_text())) <= before:  # a question before may have got more time too
        assert time.monotonic() < until
        table.page.wait_for_timeout(50)


def test_who_leaves_while_seeds_are_opened_is_named_and_the_browser_goes_on(visit: Visitor, server: Server) -> None:
    """A guest opens its seed at once; the other one waited for that, and leaves."""
    _, commitment = seeds()
    made = server.create("ur", ["open", "open"], name="Mallory", commitment=commitment)
    path = f"/api/matches/{made['match']}"
    guest = visit(made["links"]["join"]).page
    guest.get_by_role("button", name="Sit down and play").click()
    with Player(server, made["match"], made["secret"]) as other:
        other.until_table(lambda table: bool(table["seats"][1]["ready"]))
    assert server.post(f"{path}/commands", {"type": "leave"}, made["secret"]).status_code == 200
    expect(guest.get_by_text("Light (Mallory) leaves after a seed was opened.")).to_be_visible()
    expect(guest.get_by_text("The record keeps this.")).to_be_visible()
    seed, commitment = seeds()
    joined = server.join(made, seat=0, name="Mallory", commitment=commitment)
    with Player(server, made["match"], joined["secret"], seed=seed) as other:
        other.until_table(lambda table: bool(table["seats"][0]["opens"]))
        other.open_seed()  # this seat first; then the browser opens its new one by itself
        other.until_table(lambda table: bool(table["status"] == "running"))
        assert None not in other.table["fair"]["seat_seeds"]
        assert other.do(type="resign")["type"] == "done"
    guest.goto(f"/replay/{made['match']}")
    guest.get_by_role("button", name="Check them here").click()
    expect(guest.get_by_text("Seat 1 (Mallory) was given up 1 time after a seed was opened")).to_be_visible()
