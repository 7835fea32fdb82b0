"""At the table: the board takes the room there is, the way, names of squares, own throws, looks, dice and the end."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from tests.e2e.conftest import Visitor
from tests.e2e.hall import PHONE, QUICK, Visit
from tests.server.running import Player, Server


def settings(**kept: Any) -> str:
    text = json.dumps({"patience": 0.02, "name": "Ada", "sound": False, **kept})
    return f"if (!localStorage.getItem('astragal.settings')) localStorage.setItem('astragal.settings', '{text}');"


@pytest.mark.parametrize("game", ["ur", "ur-modern", "nile", "egar"])
@pytest.mark.parametrize(("width", "height"), [(1280, 800), (1920, 1080)])
def test_the_board_takes_the_room_there_is(visit: Visitor, game: str, width: int, height: int) -> None:
    table = visit(viewport={"width": width, "height": height})
    table.set_up(game)
    assert table.my_turn()
    box = table.page.locator(".board svg[role=group]").first.bounding_box()
    assert box is not None
    assert box["y"] + box["height"] >= 0.84 * height  # less than a sixth of the height is empty below it
    assert box["y"] + box["height"] <= height


@pytest.mark.parametrize("how", [{}, PHONE])
@pytest.mark.parametrize("game", ["nile", "egar"])
def test_players_are_listed_once(visit: Visitor, game: str, how: dict[str, Any]) -> None:
    table = visit(**how)
    table.set_up(game, chosen={"Who begins": "Papyrus" if game == "nile" else "Military"})
    assert table.my_turn()
    second = "Lotus" if game == "nile" else "Samurai"
    expect(table.page.locator("main li").filter(has=table.page.get_by_text(second, exact=True))).to_have_count(1)


def drawn(page: Page) -> int:
    return page.locator(".way .arrow").count()


def test_the_way_is_drawn_in_the_first_games_and_on_request(visit: Visitor) -> None:
    table = visit()
    table.set_up("ur")
    assert table.my_turn()
    page = table.page
    assert drawn(page) == 13
    page.get_by_role("button", name="Hide the way").click()
    assert drawn(page) == 0
    finished = "{match: '%d', game: 'ur', at: %d, seats: [0], players: [], result: [1, 0]}"
    played = ", ".join(finished % (n, n) for n in range(3))
    page.evaluate(f"localStorage.setItem('astragal.history', JSON.stringify([{played}]))")
    page.reload()
    assert table.my_turn()
    assert drawn(page) == 0
    page.get_by_role("button", name="Show the way").click()
    assert drawn(page) == 13


def test_names_of_squares_are_a_setting(visit: Visitor) -> None:
    table = visit()
    table.set_up("ur")
    assert table.my_turn()
    expect(table.page.locator("text.name").filter(has_text="b4")).to_have_count(1)
    table.page.goto("/settings")
    table.page.get_by_label("Squares show their names").uncheck()
    table.page.go_back()
    assert table.my_turn()
    expect(table.page.locator("text.name")).to_have_count(0)


def test_a_capture_is_marked_before_it_happens(visit: Visitor) -> None:
    table = visit()
    table.set_up("ur", bot="novice")
    page = table.page
    for _ in range(300):
        if not table.my_turn():  # a match in which nothing could be taken
            table.set_up("ur", bot="novice")
            continue
        takes = page.locator('.board [data-place][aria-label*="takes a piece"]').count()
        assert (page.locator(".prey").count() > 0) == (takes > 0)
        if takes:
            return
        table.do_one()
    raise AssertionError("nothing could be taken in three hundred moves")


def throws(table: Visit, throw: Callable[[], None]) -> int:
    """Throws one's own dice; again if that was nothing, which passes the turn on: other dice are soon on the board."""
    button = table.page.get_by_role("button", name="Throw the dice")
    thrown, number = table.page.get_by_label("What happened").get_by_text("Light throws"), 0
    while number == 0:
        expect(button).to_be_visible()
        before = thrown.count()
        expect(table.live).to_have_count(0)  # nothing can be done before
        throw()
        expect(thrown).to_have_count(before + 1)
        number = int(thrown.last.inner_text().removesuffix(".").split()[-1])
    expect(button).to_have_count(0)
    return number


def test_dice_wait_until_they_are_thrown_and_show_what_was_drawn(visit: Visitor) -> None:
    table = visit(settings=settings(throwing="self"))
    table.set_up("ur", chosen={"Who begins": "Dark"})  # or throws might decide that
    number = throws(table, lambda: table.page.keyboard.press("t"))
    expect(table.page.locator(".board .tip")).to_have_count(number)


def test_the_first_throw_of_a_match_waits_too(visit: Visitor) -> None:
    table = visit(settings=settings(throwing="self"))
    table.set_up("ur", chosen={"Who begins": "Light"})
    expect(table.page.get_by_role("button", name="Throw the dice")).to_be_visible()
    expect(table.page.locator(".board svg[role=group]")).to_be_visible()
    expect(table.page.get_by_label("What happened").get_by_text("throws")).to_have_count(0)
    throws(table, lambda: table.page.keyboard.press("t"))


def test_a_tap_on_the_board_throws_too_and_by_themselves_stays_the_default(visit: Visitor) -> None:
    phone = visit(settings=settings(throwing="self"), **PHONE)
    phone.set_up("ur", chosen={"Who begins": "Dark"})
    throws(phone, phone.page.locator(".board svg[role=group]").tap)
    usual = visit()
    usual.set_up("ur")
    assert usual.my_turn()
    expect(usual.page.get_by_role("button", name="Throw the dice")).to_have_count(0)


def test_the_dice_are_counted(visit: Visitor) -> None:
    table = visit()
    table.set_up("ur", chosen={"Who begins": "Light"})  # or throws for the first turn would come before
    page = table.page
    table.play("click", 4)
    assert table.my_turn()
    page.get_by_role("tab", name="Dice").click()
    counted = [int(text) for text in page.locator(".dice table").first.locator(".bar b").all_inner_texts()]
    page.get_by_role("tab", name="Moves").click()
    thrown = page.get_by_label("What happened").get_by_text("Light throws").all_inner_texts()
    assert sum(counted) == len(thrown) > 0


@pytest.mark.parametrize("look", ["stone", "night"])
def test_boards_and_pieces_have_looks(visit: Visitor, look: str) -> None:
    plate = "getComputedStyle(document.querySelector('.board .plate')).fill"
    table = visit()
    table.set_up("ur")
    assert table.my_turn()
    usual = table.page.evaluate(plate)
    table.page.goto("/settings")
    table.page.locator(f'.look[data-look="{look}"] input').check()
    table.page.go_back()
    assert table.my_turn()
    assert table.page.evaluate(plate) != usual


def ended(visit: Visitor, server: Server, how: dict[str, Any]) -> Any:
    """Ada has just seen Ben give up."""
    made = server.create("ur", ["open", "open"], name="Ada", options={"begins": 0})
    joined = server.join(made, name="Ben")
    table = visit(f"/seat/{made['match']}#{made['secret']}", **how)
    expect(table.page.locator(".board")).to_be_visible()  # a throw of nothing would have ended Ada's turn
    with Player(server, made["match"], joined["secret"]) as ben:
        ben.until_table(lambda seen: seen["status"] == "running")
        assert ben.do(type="resign")["type"] == "done"
    expect(table.over).to_have_text("You won!")
    return table


def test_the_end_says_who_won_and_how_and_is_kept_with_my_games(visit: Visitor, server: Server) -> None:
    table = ended(visit, server, {"permissions": ["clipboard-read", "clipboard-write"]})
    page = table.page
    expect(page.locator(".how")).to_contain_text("Dark resigns.")
    expect(page.locator(".joy")).to_have_count(0)  # nothing moves where that was asked for
    page.get_by_role("button", name="Share").click()
    expect(page.get_by_text("are on the clipboard")).to_be_visible()
    shared = page.evaluate("navigator.clipboard.readText()")
    assert "Ada won." in shared
    assert "/replay/" in shared
    page.goto("/mine")
    expect(page.get_by_role("region", name="By game")).to_contain_text("1 won, 0 lost")
    expect(page.get_by_role("region", name="Whom you play most")).to_contain_text("Ben")
    with page.expect_download() as download:
        page.get_by_role("button", name="Export all, with records").click()
    exported = json.loads(download.value.path().read_text("utf-8"))
    assert exported["matches"][0]["result"] == [1, 0]
    assert exported["matches"][0]["record"]["header"]["match"] in page.content()


# It is gone after three seconds, which a busy machine may not look at.
WATCHED = f"""{QUICK}
new MutationObserver(() => {{
  if (document.querySelector(".joy svg")) document.documentElement.dataset.joy = "seen";
}}).observe(document, {{ childList: true, subtree: true }});
"""


def test_a_win_is_a_moment_of_joy_where_things_may_move(visit: Visitor, server: Server) -> None:
    table = ended(visit, server, {"reduced_motion": "no-preference", "settings": WATCHED})
    expect(table.page.locator("html[data-joy=seen]")).to_be_attached()
    table.page.reload()  # who comes back later has seen it
    expect(table.over).to_be_visible()
    expect(table.page.locator("html[data-joy=seen]")).to_have_count(0)


def test_a_level_that_was_beaten_is_marked(visit: Visitor) -> None:
    players = [{"seat": 0, "player": "human", "name": "Ada"}, {"seat": 1, "player": "bot:casual", "name": ""}]
    won = {"match": "a", "game": "ur", "at": 1, "seats": [0], "players": players, "result": [1, 0]}
    page = visit("/", settings=f"localStorage.setItem('astragal.history', '{json.dumps([won])}');").page
    page.goto("/mine")
    expect(page.locator(".levels .beaten")).to_have_count(1)
    expect(page.locator(".levels .beaten")).to_contain_text("casual")
