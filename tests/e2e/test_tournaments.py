"""Tournaments in the browser: a small one runs to its end on the wall, and a class plays with its teacher's deck."""

from __future__ import annotations

import csv
import re
from pathlib import Path

from playwright.sync_api import Page, expect

from tests.cradle import run
from tests.e2e.conftest import ROOT, Visitor
from tests.e2e.files import PLAIN
from tests.e2e.hall import DARK, PHONE, Visit
from tests.e2e.test_pages import violations, wide
from tests.e2e.test_tables import to_act

CARDS = ROOT / "examples" / "class-deck.csv"
with CARDS.open(encoding="utf-8") as _rows:
    QUESTION = re.compile("|".join(re.escape(row["question"]) for row in csv.DictReader(_rows)))


def deck(file: Path) -> Path:
    """A teacher's deck, made from a spreadsheet as the page for teachers tells."""
    words = ["cards", "import", str(CARDS), "--out", str(file), "--name", "Vienna"]
    assert run(words).returncode == 0
    return file


def take_part(visit: Visitor, address: str, name: str, **how: object) -> Visit:
    guest = visit(address, **how)
    guest.page.get_by_label("Your name").fill(name)
    guest.page.get_by_role("button", name="Take part").click()
    expect(guest.page.get_by_role("heading", name=name)).to_be_visible()
    return guest


def asked(pupils: list[Visit]) -> Visit:
    """They play until one of them is asked."""
    for _ in range(200):
        acting = to_act(*pupils)
        assert acting is not None, "the match was over before a question"
        if acting.page.get_by_text(QUESTION).first.is_visible():
            return acting
        acting.do_one()
    raise AssertionError("nobody was asked")


def give_up(visit: Visit) -> None:
    visit.page.get_by_role("button", name="Give up").first.click()
    visit.page.get_by_role("alertdialog").get_by_role("button", name="Give up").click()
    visit.page.get_by_role("link", name="To the tournament").first.click()


def check(page: Page) -> None:
    assert violations(page) == []
    assert wide(page) == []


def test_a_small_swiss_tournament_runs_to_its_end_on_the_wall(visit: Visitor) -> None:
    host = visit("/tournaments/new")
    page = host.page
    page.get_by_label("What is it called?").fill("Club evening")
    page.get_by_role("combobox", name="Rounds").select_option("2")
    page.get_by_text("House rules", exact=True).click()
    page.get_by_label("Pieces of each player").fill("1")
    page.get_by_role("button", name="Make it").click()
    page.wait_for_url("**/tournament/**")
    for _ in range(2):
        page.get_by_role("button", name="Add the bot").click()
        expect(page.get_by_role("button", name="Add the bot")).to_be_enabled()
    address = page.url.removeprefix(page.url.partition("/tournament/")[0])
    wall = visit(address.replace("/tournament/", "/wall/"))
    expect(wall.page.get_by_role("img", name="The link as a QR code")).to_be_visible()
    assert wall.page.locator("button, input, select, a").count() <= 1  # nothing to press but the way past the header
    guest = take_part(visit, address, "Ada", **PHONE, **DARK)
    expect(page.get_by_text("3 take part")).to_be_visible()
    other = take_part(visit, address, "Ben")
    for who in (host, guest, wall):
        check(who.page)
    page.get_by_role("button", name="Begin").click()
    expect(wall.page.get_by_text("Round 1 of 2")).to_be_visible()
    for _ in range(2):
        for player in (guest, other):
            player.page.get_by_role("button", name="To your match", exact=True).click()
            player.page.wait_for_url("**/table/**")
        together = guest.page.url == other.page.url
        give_up(guest)
        if together:
            other.page.get_by_role("link", name="To the tournament").first.click()
        else:
            give_up(other)
    expect(wall.page.get_by_text("It is over.")).to_be_visible()
    expect(wall.page.get_by_role("heading", name="The winners")).to_be_visible()
    check(wall.page)
    expect(guest.page.get_by_text("You have come in at place")).to_be_visible()
    check(guest.page)


def test_a_class_plays_with_its_teachers_deck(visit: Visitor, tmp_path: Path) -> None:
    field = tmp_path / "plain.toml"
    field.write_text(PLAIN, "utf-8")
    teacher = visit("/tournaments/class")
    page = teacher.page
    page.get_by_label("What is it called?").fill("Class 7b")
    page.get_by_label("Cards").select_option(label="a file of your own …")
    page.get_by_label("Your file").first.set_input_files(deck(tmp_path / "rivers.toml"))
    expect(page.get_by_label("Cards").locator("option:checked")).to_contain_text("your own: Vienna")
    page.get_by_role("radio", name="Everybody against everybody").check()
    page.get_by_text("House rules", exact=True).click()
    page.locator("details").get_by_label("Board").select_option(label="a file of your own …")
    page.get_by_label("Your file").last.set_input_files(field)
    expect(page.locator("details").get_by_label("Board").locator("option:checked")).to_contain_text("your own: ")
    page.get_by_role("button", name="Open the class").click()
    page.wait_for_url("**/tournament/**")
    address = page.locator("#link").input_value().replace(page.url.partition("/tournament/")[0], "")
    pupils = [take_part(visit, address, name) for name in ("Mia", "Tom")]
    page.get_by_role("button", name="Begin").click()
    for pupil in pupils:
        pupil.page.get_by_role("button", name="To your match", exact=True).click()
        pupil.page.wait_for_url("**/table/**")
    acting = asked(pupils)
    acting.page.locator("button.option").first.click()  # and nothing more: a second question would come too
    expect(acting.page.locator(".verdict").first).to_be_visible()
    page.get_by_text("Which questions were hard").click()
    expect(page.get_by_text("1 is still played")).to_be_visible()
    expect(page.get_by_role("cell", name=QUESTION)).to_have_count(0)
    give_up(acting)
    expect(page.get_by_text("It is over.", exact=True)).to_be_visible()  # the report may not know it yet
    page.get_by_text("Which questions were hard").click()
    page.get_by_text("Which questions were hard").click()
    expect(page.get_by_role("cell", name=QUESTION)).to_be_visible()
    check(page)
    page.get_by_text("Lead it on another device, or delete it").click()
    page.get_by_role("button", name="Delete the class").click()
    page.get_by_role("button", name="Delete everything").click()
    page.wait_for_url("**/tournaments")
    expect(page.get_by_text("Class 7b")).to_have_count(0)
