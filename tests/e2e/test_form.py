"""The form of a new match starts what it shows, and says plainly what has to be put right."""

from __future__ import annotations

from pathlib import Path

from playwright.sync_api import Page, expect

from tests.e2e.conftest import Visitor
from tests.e2e.files import FIELD
from tests.e2e.hall import Visit


def opened(visit: Visitor, game: str) -> Page:
    page: Page = visit(f"/game/{game}", allowed=("Failed to load resource",)).page
    page.get_by_text("House rules", exact=True).click()
    return page


def play(page: Page) -> None:
    page.get_by_role("button", name="Play", exact=True).click()


def test_a_file_of_ones_own_is_needed_before_the_match_begins(visit: Visitor, tmp_path: Path) -> None:
    broken, field = tmp_path / "broken.toml", tmp_path / "yard.toml"
    broken.write_text('name = "broken"\ncolumns = 1\n', "utf-8")
    field.write_text(FIELD, "utf-8")
    page = opened(visit, "egar")
    board, fault = page.get_by_label("Board"), page.locator(".go").get_by_role("alert")
    board.select_option(label="a file of your own …")
    play(page)
    expect(fault).to_contain_text("choose a file, or one of the others.")
    page.get_by_label("Your file").set_input_files(field)
    expect(board.locator("option:checked")).to_contain_text("your own: yard")
    expect(page.locator(".changed")).to_contain_text(": yard")
    page.get_by_label("Your file").set_input_files(broken)  # what was read before is not meant any more
    expect(page.get_by_text("broken.toml")).to_be_visible()
    play(page)
    expect(fault).to_contain_text("choose a file, or one of the others.")
    assert "/game/egar" in page.url
    page.get_by_label("Your file").set_input_files(field)
    expect(page.locator(".changed")).to_contain_text(": yard")
    play(page)
    page.wait_for_url("**/table/**")


def test_changed_rules_do_not_go_by_an_unchanged_name(visit: Visitor) -> None:
    page = opened(visit, "ur")
    rules = page.get_by_role("radio", name="British Museum")
    expect(page.locator(".changed")).to_have_count(0)
    page.get_by_label("Pieces of each player").fill("3")
    expect(page.get_by_role("radio", name="British Museum changed")).to_be_checked()
    expect(page.locator(".changed")).to_contain_text("British Museum, changed: Pieces of each player: 3")
    page.get_by_role("button", name="Undo the changes").click()
    expect(page.locator(".changed")).to_have_count(0)
    expect(page.get_by_label("Pieces of each player")).to_have_value("7")
    expect(rules).to_be_checked()
    page.get_by_label("Pieces of each player").fill("2")
    play(page)
    table = Visit(page)
    assert table.my_turn()
    expect(page.get_by_role("list", name="Players")).to_contain_text("waiting")


def test_a_number_that_is_missing_or_out_of_bounds_is_asked_for_plainly(visit: Visitor) -> None:
    page = opened(visit, "ur")
    for wrong in ("", "99", "2.5"):
        page.get_by_label("Pieces of each player").fill(wrong)
        play(page)
        expect(page.locator(".go").get_by_role("alert")).to_have_text(
            "Pieces of each player: a whole number from 1 to 7, please."
        )
    assert "/game/ur" in page.url
    assert "Expected" not in page.inner_text("main")


def test_bots_that_do_not_know_the_rules_say_so(visit: Visitor) -> None:
    page = opened(visit, "ur")
    note = page.get_by_text("have not practised these rules")
    expect(note).to_have_count(0)
    page.get_by_label("A rosette gives another throw").uncheck()
    expect(note).to_contain_text("rules of thumb")
    page.get_by_text("At one device").click()
    expect(note).to_have_count(0)
    page.get_by_text("Against a bot").click()
    expect(note).to_be_visible()
    page.get_by_role("button", name="Undo the changes").click()
    expect(note).to_have_count(0)
