"""Two people find each other in the hall, become friends, and say how they want to be told of their turns."""

from __future__ import annotations

import json
import time
from pathlib import Path

from playwright.sync_api import Page, expect

from astragal.server import sessions
from tests.e2e.conftest import Visitor
from tests.e2e.hall import DARK, PHONE, QUICK
from tests.e2e.test_pages import FAILED, violations, wide
from tests.server.receivers import MailServer, link
from tests.server.running import Server
from tests.server.test_players import Key

WHOLE_BROWSER = True


def sign_in(page: Page, server: Server, name: str) -> None:
    """This browser has the session of a player."""
    session = Key().sign_in(server, name=name)["astragal-player"]
    page.context.add_cookies([{"name": sessions.COOKIE, "value": session, "url": f"{server.address}/api/"}])
    page.reload()


def test_two_who_look_for_somebody_meet_and_become_friends(visit: Visitor) -> None:
    """Each browser makes its key when it first looks for somebody."""
    ada, bob = visit("/").page, visit("/", settings=QUICK.replace("Ada", "Bob"), **PHONE, **DARK).page
    wished = ada.get_by_role("region", name="Quick match")
    wished.get_by_label("Game").select_option(label="Nile")
    wished.get_by_label("Clock").select_option(label="1 day a move")
    ada.get_by_role("button", name="Find somebody").click()
    expect(ada.get_by_role("region", name="Quick match")).to_contain_text("Looking for somebody")
    waits = bob.get_by_role("region", name="Quick match").get_by_role("listitem")
    expect(waits).to_contain_text("1 person waits")
    ada.get_by_role("link", name="Settings").click()  # it goes on on every page
    expect(ada.get_by_role("status").filter(has_text="Looking for somebody: Nile")).to_be_visible()
    waits.get_by_role("button", name="Play with them").click()
    bob.wait_for_url("**/table/**")
    ada.get_by_role("link", name="To the table").click()
    for page in (ada, bob):
        expect(page.get_by_role("list", name="Players")).to_contain_text("Bob" if page is ada else "Ada")
        page.goto("/")
        expect(page.get_by_role("region", name="Go on playing").get_by_role("listitem")).to_have_count(1)
    hers, his = (page.get_by_role("region", name="People") for page in (ada, bob))
    hers.get_by_role("button", name="Ask Bob to be friends").click()
    his.get_by_role("button", name="Accept").click()
    expect(hers).to_contain_text("is here now")
    expect(his).to_contain_text("is here now")
    assert violations(bob) == []
    assert wide(bob) == []
    ada.get_by_role("region", name="Go on playing").get_by_role("link").click()
    ada.get_by_role("button", name="Give up").click()
    ada.get_by_role("alertdialog").get_by_role("button", name="Give up").click()
    ada.get_by_role("button", name="Same again with others").click()
    expect(ada.get_by_role("heading", name="Waiting for players")).to_be_visible()
    ada.get_by_role("button", name="Invite Bob").click()
    invited = bob.get_by_role("region", name="Invitations").get_by_role("listitem")
    expect(invited).to_contain_text("Ada invites you Nile · The whole river · 1 day a move")
    invited.get_by_role("button", name="No, thank you").click()
    expect(invited).to_have_count(0)
    ada.goto("/")
    expect(hers).to_contain_text("is here now")
    bob.close()
    expect(hers).to_contain_text("is away")


def test_an_address_is_given_confirmed_and_forgotten(visit: Visitor, client: Path, tmp_path: Path) -> None:
    with (
        MailServer() as mail,
        Server(tmp_path / "s.db", "--smtp", mail.url, "--mail-from", "hall@example.org") as server,
    ):
        page = visit("/settings", at=server, allowed=FAILED, **PHONE).page
        expect(page.get_by_text("once this device plays with a key")).to_be_visible()
        sign_in(page, server, "Ada")
        page.get_by_label("Tell me by e-mail at").fill("ada@example.org")
        page.get_by_role("button", name="Send a link to confirm it").click()
        expect(page.get_by_text("A mail is on its way to ada@example.org")).to_be_visible()
        page.get_by_label("Quiet hours, in which nothing is sent").check()
        expect(page.get_by_label("from", exact=True)).to_have_value("22:00")
        assert violations(page) == []
        assert wide(page) == []
        letter = mail.next()
        page.goto(f"/mail/confirm#{link(letter, 'confirm')}")
        page.get_by_role("button", name="Yes, tell me").click()
        expect(page.get_by_role("status")).to_contain_text("confirmed")
        page.goto("/settings")
        expect(page.get_by_label("Tell me by e-mail that it is my turn")).to_be_checked()
        expect(page.get_by_label("from", exact=True)).to_have_value("22:00")
        page.goto(f"/mail/remove#{link(letter, 'remove')}")
        page.get_by_role("button", name="Yes, forget it").click()
        expect(page.get_by_role("status")).to_contain_text("forgotten")


SHOWN = """() => navigator.serviceWorker.ready.then((worker) => worker.getNotifications())
    .then((all) => all.map(({ title, body, tag, data }) => [title, body, tag, data]))"""


def test_a_push_message_is_shown_while_nothing_else_is(visit: Visitor, server: Server) -> None:
    """The browser's own tools deliver it, as its push service would."""
    page = visit("/", service_workers="allow", permissions=["notifications"]).page
    page.evaluate("navigator.serviceWorker.register('/sw.js').then(() => navigator.serviceWorker.ready).then(() => 0)")
    tools = page.context.new_cdp_session(page)
    known: list[str] = []
    tools.on(
        "ServiceWorker.workerRegistrationUpdated",
        lambda told: known.extend(one["registrationId"] for one in told["registrations"]),
    )
    tools.send("ServiceWorker.enable")
    until = time.monotonic() + 60
    while not known and time.monotonic() < until:
        page.wait_for_timeout(100)
    message = {"title": "Nile", "body": "It is your turn.", "url": "/table/x1", "tag": "/table/x1"}
    to = {"origin": server.address, "registrationId": known[0], "data": json.dumps(message)}
    shown: list[list[str]] = []
    while not shown and time.monotonic() < until:  # a worker that is just starting may miss one; all have one tag
        tools.send("ServiceWorker.deliverPushMessage", to)
        page.wait_for_timeout(300)
        shown = page.evaluate(SHOWN)
    assert shown == [["Nile", "It is your turn.", "/table/x1", f"{server.address}/table/x1"]]
