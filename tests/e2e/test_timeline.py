"""One timeline: what the page tells in words is never ahead of what its board shows."""

from __future__ import annotations

import re
import time
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import expect

from tests.e2e.conftest import Visitor
from tests.e2e.files import FRONT, RIVER
from tests.server.running import Server

MOVING: dict[str, Any] = {
    "reduced_motion": "no-preference",
    "settings": 'localStorage.setItem("astragal.settings", JSON.stringify({ patience: 1, sound: false }));',
}

# Notes whatever words appear on the page while something on the board has just begun to move.
WATCH = """() => {
  window.early = []; window.told = 0;
  // Where frames are late movements begin late too, which says nothing about the page.
  let frame = performance.now(), late = 0;
  requestAnimationFrame(function tick() {
    const now = performance.now();
    if (now - frame > 100) late = now;
    frame = now;
    requestAnimationFrame(tick);
  });
  const smooth = () => performance.now() - frame < 100 && performance.now() - late > 1000;
  const moving = () => document.getAnimations().filter((one) => {
    const target = one.effect?.target, timing = one.effect?.getTiming();
    return target?.closest?.(".board svg") && timing.iterations === 1 && timing.delay === 0
      && one.playState === "running" && Number(one.currentTime ?? 0) < 200;
  });
  const words = () => [".status h1", ".status p", ".fight p", ".pane ol", "#ending", "p.unseen[aria-live]"]
    .map((where) => document.querySelector(where)?.textContent ?? "");
  let before = words();
  new MutationObserver(() => {
    const now = words(), changed = now.filter((text, n) => text && text !== before[n]);
    before = now;
    if (!changed.length) return;
    window.told += 1;
    if (moving().length && smooth()) window.early.push(changed.join(" | ").slice(-200));
  }).observe(document.querySelector("main"), { subtree: true, childList: true, characterData: true });
}"""


# Keeps what the time of an answer says when the question appears: a busy machine looks later.
FIRST = f"""{MOVING["settings"]}
new MutationObserver(() => {{
  if (document.querySelector("button.option")) window.first ??= document.querySelector("[role=timer]")?.textContent;
}}).observe(document, {{ subtree: true, childList: true }});
"""


@pytest.fixture
def short(tmp_path: Path) -> dict[str, dict[str, Any]]:
    front, river = tmp_path / "front.toml", tmp_path / "brook.toml"
    front.write_text(FRONT, "utf-8")
    river.write_text(RIVER, "utf-8")
    return {
        "ur": {"Pieces_of_each_player": "1"},
        "ur-modern": {"Pieces_of_each_player": "4"},
        "nile": {"files": {"The board": river}, "chosen": {"Who begins": "Papyrus"}},
        "egar": {"files": {"Board": front}, "chosen": {"Who begins": "Military"}},
    }


@pytest.mark.parametrize("game", ["ur", "ur-modern", "nile", "egar"])
def test_nothing_is_told_while_it_still_moves(visit: Visitor, short: dict[str, dict[str, Any]], game: str) -> None:
    table = visit(**MOVING)
    table.set_up(game, **short[game])
    assert table.my_turn()
    table.page.evaluate(WATCH)
    told = 0
    for _ in range(60):  # some things that are done tell nothing, as when a tile of Nile is planned
        if told >= 6 or not table.my_turn():
            break
        table.do_one()
        told = table.page.evaluate("window.told")
    table.page.wait_for_timeout(600)
    assert table.page.evaluate("window.told") >= 4
    assert table.page.evaluate("window.early") == []


def test_skip_brings_everything_to_now(visit: Visitor, server: Server) -> None:
    """Four bots that do not wait: the page has something to show for a long time, and the host hears of it all."""
    made = server.create("egar", ["bot:novice"] * 4, sit=None, pace=40)
    page = visit(made["links"]["watch"], **MOVING).page
    skip = page.get_by_role("button", name="Skip to now")
    expect(skip).to_be_visible()
    lines = page.get_by_label("What happened").get_by_role("listitem")

    def happened() -> int:
        events = server.get(f"/api/matches/{made['match']}/table").json()["events"]
        return sum(one["kind"] not in ("sat", "promised", "opened") for one in events)

    def told() -> int:
        """Events in the log, also those that stand in one line."""
        return lines.count() + sum(int(text[1:]) - 1 for text in lines.locator("b").all_inner_texts())

    until = time.monotonic() + 60
    while (before := told()) + 40 > (by_now := happened()):
        assert time.monotonic() < until
        page.wait_for_timeout(100)
    page.wait_for_timeout(1000)  # until the page has heard what the server said; meanwhile it tells a few of them
    skip.click()
    assert by_now - told() < (by_now - before) / 2  # what happened since does not count


def test_the_time_of_an_answer_begins_when_its_question_is_on_the_screen(visit: Visitor, server: Server) -> None:
    """At a table of four with three bots, whose turns take long to show."""
    # Ada begins, so that her page is there, and has said that it shows one thing after the other, before she is asked.
    options = {"answer_seconds": 20, "begins": 0}
    made = server.create("egar", ["open"] + ["bot:novice"] * 3, options=options, pace=0, name="Ada")
    table = visit(f"/seat/{made['match']}#{made['secret']}", **MOVING | {"settings": FIRST})
    page, option = table.page, table.page.locator("button.option").first
    timer, done = page.get_by_role("timer"), page.locator(".side button").filter(has_text="end the movement")
    for _ in range(40):
        expect(table.live.first).to_be_visible()
        if option.is_visible():
            break
        # At the latest: the bots answer at once, and their turns are shown until the option is.
        asked = time.monotonic()
        (done if done.count() else table.live).first.click()
        page.wait_for_timeout(100)
    assert option.is_visible()
    shown = time.monotonic() - asked
    first = int(re.sub(r"\D", "", page.evaluate("window.first")))
    assert shown > 4, "too little was shown before the question to tell"
    assert first > 20 - shown / 2
    until = time.monotonic() + 15
    while int(re.sub(r"\D", "", timer.inner_text())) >= first:  # and it runs
        assert time.monotonic() < until
        page.wait_for_timeout(100)
