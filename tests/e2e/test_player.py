"""Who somebody is: a key that the browser makes, takes to another device by a link, and may take away again."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

from playwright.sync_api import Page, expect

from tests.e2e.conftest import Visitor
from tests.e2e.hall import DARK, PHONE, Visit
from tests.e2e.test_pages import violations, wide
from tests.e2e.test_tables import CUT, sit_down, to_act
from tests.server.running import Server


def key_of(page: Page) -> Any:
    return page.evaluate("JSON.parse(localStorage.getItem('astragal.key'))")


def show_link(visitor: Visit) -> str:
    """The link that carries the key."""
    visitor.page.goto("/key")
    visitor.page.get_by_role("button", name="Show link and code").click()
    return visitor.page.get_by_label("Open this link on your other device").input_value()


def test_a_match_follows_its_player_to_a_phone_by_the_link_of_the_key(visit: Visitor) -> None:
    ada, ben, phone = visit(), visit(), visit("/settings", **PHONE, **DARK)
    sit_down(ada, ben, "ur")
    table = ada.page.url
    mover = to_act(ada, ben)
    assert mover is not None
    mover.do_one()

    link = show_link(ada)
    assert re.fullmatch(r"http://[^/]+/key#[\w-]{43}", link)
    expect(ada.page.get_by_role("img", name="The link as a QR code")).to_be_visible()
    assert violations(ada.page) == []

    asked: list[str] = []
    phone.page.on("request", lambda request: asked.append(request.url + (request.post_data or "")))
    phone.page.goto(link)
    expect(phone.page.get_by_role("heading", name="Use this key on this device?")).to_be_visible()
    assert phone.page.evaluate("location.hash") == ""  # nobody copies it from the address
    assert violations(phone.page) + wide(phone.page) + phone.small_targets() == []
    phone.page.get_by_role("button", name="Yes, this is me").click()
    phone.page.wait_for_url("**/mine")
    expect(phone.page.get_by_role("heading", name="Go on playing")).to_be_visible()
    assert key_of(phone.page)["key"] == key_of(ada.page)["key"]
    secret = key_of(ada.page)["secret"]
    assert not any(secret in each or link.partition("#")[2] in each for each in asked)  # it never left the devices

    phone.page.get_by_role("link", name=re.compile("Royal Game of Ur")).click()
    phone.page.wait_for_url(table)
    ada.page.goto(table)
    phone.page.context.clear_cookies()  # the session is over: the page signs in again by itself
    phone.page.reload()
    for _ in range(4):  # the phone plays on; the first device sees it
        turn = to_act(phone, ben)
        assert turn is not None
        turn.do_one("tap" if turn is phone else "click")
    expect(phone.page.get_by_text("You are watching.")).to_be_hidden()
    phone.page.get_by_role("button", name="Give up").click()
    phone.page.get_by_role("alertdialog").get_by_role("button", name="Give up").click()
    for each in (phone, ada, ben):
        expect(each.over).to_be_visible()

    other = visit()  # a device with a key of its own finds the finished match, too
    other.set_up("ur")
    own = key_of(other.page)["key"]
    other.page.goto(link)
    expect(other.page.get_by_text("This device is somebody else now")).to_be_visible()
    assert violations(other.page) == []
    other.page.get_by_role("button", name="No, leave all as it is").click()
    assert key_of(other.page)["key"] == own
    other.page.goto(link.replace("#", "?again#"))
    with other.page.expect_download() as saved:
        other.page.get_by_role("button", name="Save the present key first").click()
    assert json.loads(Path(saved.value.path()).read_text())["key"] == own
    other.page.get_by_role("button", name="Replace the key").click()
    other.page.wait_for_url("**/mine")
    expect(other.page.get_by_role("link", name="The Royal Game of Ur", exact=True)).to_be_visible()
    expect(other.page.get_by_text("Lost", exact=True)).to_be_visible()


def test_name_face_and_data_of_a_player_and_the_way_back_to_a_guest(visit: Visitor, server: Server) -> None:
    ida = visit("/settings", allowed=CUT, locale="de", **PHONE)
    ida.page.get_by_label("Dein Name").fill("Ida")
    ida.page.get_by_text("Gesicht 3").locator("..").click()
    assert violations(ida.page) + wide(ida.page) + ida.small_targets() == []
    face = ida.page.evaluate("JSON.parse(localStorage.getItem('astragal.settings')).face")
    ida.page.goto("/game/ur")
    ida.page.get_by_role("button", name="Spielen", exact=True).click()
    ida.page.wait_for_url("**/table/**")
    match = ida.page.url.rpartition("/")[2]
    place = server.get(f"/api/matches/{match}").json()["players"][0]
    assert (place["name"], place["face"]) == ("Ida", face)

    ida.page.goto("/key")
    expect(ida.page.get_by_text("hier angemeldet")).to_be_visible()
    with ida.page.expect_download() as saved:
        ida.page.get_by_role("button", name="Alle meine Daten herunterladen").click()
    exported = json.loads(Path(saved.value.path()).read_text("utf-8"))
    assert exported["player"]["name"] == "Ida"
    assert exported["player"]["lang"] == "de"
    assert [each["match"] for each in exported["matches"]] == [match]

    ida.page.get_by_role("button", name="Alles über mich auf diesem Server löschen").click()
    assert violations(ida.page) + wide(ida.page) + ida.small_targets() == []
    ida.page.get_by_role("button", name="Alles löschen").click()
    expect(ida.page.get_by_text("Du spielst jetzt als Gast.")).to_be_visible()
    assert key_of(ida.page) is None
    ida.page.goto("/game/ur")
    ida.page.get_by_role("button", name="Spielen", exact=True).click()
    ida.page.wait_for_url("**/table/**")  # guests play as before
    assert ida.my_turn()
    assert key_of(ida.page) is None
