"""A typed answer that the judge refuses, and the players count by agreement (EG-20, RC-13), in two browsers."""

from __future__ import annotations

from pathlib import Path

import pytest
from playwright.sync_api import expect

from astragal.core import recordfile
from astragal.core.record import Acted, Counted
from astragal.core.verify import verify
from tests.e2e.conftest import Visitor
from tests.e2e.files import PLAIN
from tests.e2e.hall import Visit
from tests.e2e.test_tables import to_act
from tests.server.running import Server

NONSENSE = "complete nonsense"


def sit_down(host: Visit, guest: Visit, field: Path) -> None:
    chosen = {"How answers are given": "typed"}
    host.set_up("egar", "Friends far away", files={"Board": field}, chosen=chosen, Turns_at_most="6")
    guest.page.goto(host.page.locator("#link").input_value())
    guest.page.get_by_label("Your name").fill("Ben")
    guest.page.get_by_role("button", name="Sit down and play").click()


@pytest.mark.rule("EG-20")
def test_a_refused_answer_is_counted_by_agreement(visit: Visitor, server: Server, tmp_path: Path) -> None:
    field = tmp_path / "plain.toml"
    field.write_text(PLAIN, "utf-8")
    ada, ben = visit(), visit()
    sit_down(ada, ben, field)
    for _ in range(200):
        acting = to_act(ada, ben)
        assert acting is not None, "the match was over before a question"
        if acting.page.get_by_label("Your answer").count():
            break
        acting.do_one()
    asked, other = (ada, ben) if acting is ada else (ben, ada)
    asked.page.get_by_label("Your answer").fill(NONSENSE)
    asked.page.get_by_role("button", name="Answer", exact=True).click()
    for who in (ada, ben):
        verdict = who.page.locator(".verdict").first
        expect(verdict).to_contain_text("Wrong")
        expect(verdict.locator("q")).to_have_text(NONSENSE)
        expect(verdict.locator(".answer")).not_to_be_empty()
    asked.page.get_by_role("button", name="Ask to count the answer").click()
    other.page.get_by_role("button", name="Agree", exact=True).click()
    for who in (ada, ben):
        expect(who.page.get_by_label("What happened")).to_contain_text("counts")
    asked.page.get_by_role("button", name="Give up").first.click()
    asked.page.get_by_role("alertdialog").get_by_role("button", name="Give up").click()
    expect(ada.over).to_be_visible()
    match = ada.page.url.partition("/table/")[2].partition("?")[0].partition("#")[0]
    record = recordfile.parse(server.get(f"/api/matches/{match}/record").text)
    typed = [entry for entry in record.entries if isinstance(entry, Acted) and NONSENSE in entry.action]
    assert [entry.action for entry in typed] == [f"answer-wrong {NONSENSE}"]
    assert sum(isinstance(entry, Counted) for entry in record.entries) == 1
    assert {verdict.good for verdict in verify(record)} == {True}
