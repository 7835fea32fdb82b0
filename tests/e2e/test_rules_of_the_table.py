"""More time and hints: rules of the table, and what a hint is in a game of knowledge."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from playwright.sync_api import expect

from tests.e2e.conftest import Visitor
from tests.e2e.files import PLAIN
from tests.e2e.test_tables import sit_down, to_act

MORE, HINTS = re.compile("^Where time runs"), re.compile("^Players may ask for hints")


@pytest.mark.parametrize(
    ("mode", "clock", "more", "hints"),
    [
        ("Friends far away", "No clock", False, True),
        ("Friends far away", "5 minutes + 3 seconds a move", False, False),
        ("At one device", "No clock", True, True),
        ("At one device", "30 seconds a move", False, False),
    ],
)
def test_what_a_new_table_allows(visit: Visitor, mode: str, clock: str, more: bool, hints: bool) -> None:
    page = visit("/game/ur").page
    page.get_by_role("radio", name=mode).check()
    page.get_by_text("House rules", exact=True).click()
    page.get_by_label("Clock").select_option(label=clock)
    assert (page.get_by_label(MORE).is_checked(), page.get_by_label(HINTS).is_checked()) == (more, hints)


def test_a_hint_between_humans_is_told_and_there_is_none_where_it_was_not_agreed(visit: Visitor) -> None:
    ada, ben = visit(), visit()
    sit_down(ada, ben, "ur")
    mover = to_act(ada, ben)
    assert mover is not None
    other = ben if mover is ada else ada
    mover.page.get_by_role("button", name="Hint").click()
    expect(mover.page.locator(".advice")).to_be_visible()
    expect(other.page.get_by_label("What happened")).to_contain_text("A hint for ")
    sit_down(ada, ben, "ur", chosen={"Clock": "5 minutes + 3 seconds a move"})
    assert to_act(ada, ben) is not None
    for visitor in (ada, ben):
        expect(visitor.page.get_by_role("button", name="Give up")).to_be_visible()
        expect(visitor.page.get_by_role("button", name="Hint")).to_have_count(0)


def test_a_hint_to_a_question_takes_two_wrong_answers_away(visit: Visitor, tmp_path: Path) -> None:
    field = tmp_path / "plain.toml"
    field.write_text(PLAIN, "utf-8")
    table = visit()
    table.set_up("egar", files={"Board": field})
    options = table.page.locator("button.option")
    for _ in range(80):
        assert table.my_turn()
        if options.count():
            break
        table.do_one()
    assert options.count() == 4
    table.page.get_by_role("button", name="Hint").click()
    expect(table.page.locator(".advice")).to_contain_text("Two wrong answers are taken away.")
    expect(options).to_have_count(2)
    expect(table.page.locator(".option.away")).to_have_count(2)
    table.page.reload()
    expect(options).to_have_count(2)
    expect(table.page.locator(".hinted")).to_have_count(0)
