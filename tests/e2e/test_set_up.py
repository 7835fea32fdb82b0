"""Setting up: steps that a beginner understands, what was chosen in a line, and tables of friends and bots."""

from __future__ import annotations

from playwright.sync_api import expect

from tests.e2e.conftest import Visitor


def test_the_form_asks_who_how_hard_and_how_long_and_hides_the_rest(visit: Visitor) -> None:
    page = visit("/game/egar").page
    expect(page.locator("form legend")).to_have_text(["Who plays?", "How hard?", "Which rules?"])
    expect(page.get_by_label("How hard the questions are")).to_be_visible()
    expect(page.get_by_label("Seconds for an answer")).to_be_hidden()
    expect(page.get_by_label("Clock")).to_have_count(0)  # against bots nobody is in a hurry
    page.get_by_text("House rules", exact=True).click()
    rule = page.locator(".option", has=page.get_by_label("Seconds for an answer"))
    expect(rule.locator("small")).to_have_text(
        "How long a player may think about a question, from 10 to 120; 0 means as long as they like."
    )
    page.get_by_role("radio", name="At one device").check()
    expect(page.get_by_label("Clock")).to_be_visible()


def test_what_was_chosen_is_always_readable(visit: Visitor) -> None:
    page = visit("/game/ur", viewport={"width": 390, "height": 844}).page
    chosen = page.locator(".chosen")
    expect(chosen).to_have_text("Ada – Puabi (casual) · British Museum")
    page.locator('input[name="bot"][value="master"]').check()
    page.get_by_role("radio", name="Blitz").check()
    expect(chosen).to_have_text("Ada – Itti-Marduk (master) · Blitz")
    page.get_by_role("radio", name="Friends far away").check()
    page.get_by_label("Clock").select_option(label="30 seconds a move")
    expect(chosen).to_have_text("Ada – a friend · Blitz · 30 seconds a move")
    page.evaluate("scrollTo(0, 0)")
    box = chosen.bounding_box()
    assert box is not None
    assert box["y"] + box["height"] <= 844


def test_a_table_of_friends_and_different_bots(visit: Visitor) -> None:
    host = visit("/game/egar").page
    host.get_by_role("radio", name="A mixed table").check()
    host.get_by_role("radio", name="4", exact=True).check()
    seats = host.get_by_role("list", name="Who sits where").get_by_role("combobox")
    expect(seats).to_have_count(4)
    seats.nth(2).select_option("bot:strong")
    seats.nth(3).select_option("bot:novice")
    expect(host.locator(".chosen")).to_contain_text("Ada – a friend – Kenji (strong) – Toma (novice)")
    host.get_by_role("button", name="Open the table").click()
    link = host.locator("#link").input_value()
    guest = visit().page
    guest.goto(link)
    guest.get_by_role("button", name="Sit down and play").click()
    players = host.get_by_role("list", name="Players")
    expect(players).to_contain_text("Kenji, strong bot")
    expect(players).to_contain_text("Toma, novice bot")


def test_several_bots_of_one_level_are_different_people(visit: Visitor) -> None:
    table = visit()
    page = table.page
    page.goto("/game/nile")
    page.get_by_role("radio", name="4", exact=True).check()
    page.get_by_role("button", name="Play", exact=True).click()
    names = page.get_by_role("list", name="Players").locator(".name")
    expect(names).to_have_count(4)
    assert [name.split(",")[0] for name in names.all_inner_texts()[1:]] == ["Meryt", "Iset", "Paneb"]


def test_each_bot_can_be_chosen_alone(visit: Visitor) -> None:
    page = visit("/game/nile").page
    page.get_by_role("radio", name="3", exact=True).check()
    page.get_by_role("button", name="Choose each bot").click()
    seats = page.get_by_role("list", name="Who sits where").get_by_role("combobox")
    expect(seats).to_have_count(3)
    expect(seats.nth(1)).to_have_value("bot:casual")
