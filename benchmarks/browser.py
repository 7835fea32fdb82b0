"""How quick the pages are, by traces of Chromium: `make bench-browser`.

A real server and a real browser with the built client, at a table of every game with a bot, everything moving:

- *script a frame*: how long our script, with styles and layout, kept the main thread busy in the 16.7 ms of a frame
  while moves were shown. More than 8 ms would make a movement stutter.
- *reaction*: from a touch of the mouse to the first frame that shows something of it. Under 100 ms feels immediate.
- *cold start*: with nothing in the cache, from asking for the hall until "Play now" is there, and from pressing it
  until the first move can be made.
- *reply*: from the moment that one's own turn is over on the screen until it is one's turn again, with the settings of
  a new player, with moves of others shown briefly, and with nothing moving.
- *hall script*: what the hall loads of script before it can be used, gzipped.

It also says how busy the machine was, which all of this depends on.

    python -m benchmarks.browser --moves 20 --json
"""

from __future__ import annotations

import argparse
import gzip
import json
import os
import statistics
import tempfile
import time
from bisect import bisect_left
from pathlib import Path
from typing import Any

from playwright.sync_api import Browser, Page

from astragal.server.api_server import WEB
from tests.e2e.hall import PLACES, TITLES, Visit
from tests.server.running import Server
from tools.screenshots import chromium

FRAME = 1_000_000 / 60  # microseconds
SCRIPT = ("FunctionCall", "EvaluateScript")
WORK = (*SCRIPT, "TimerFire", "FireAnimationFrame", "RunMicrotasks", "EventDispatch", "UpdateLayoutTree", "Layout")
SETTINGS: dict[str, dict[str, Any]] = {
    "as usual": {"patience": 1},
    "briefly": {"patience": 0.5},
    "nothing moves": {"patience": 1, "motion": "off"},
}
MOVING = """localStorage.setItem("astragal.settings", JSON.stringify({ patience: 0.3, name: "Ada", sound: false }));"""

# Measures, in the page itself, from the event's own time to the frame after it.
LISTEN = """
window.reactions = [];
addEventListener("click", (event) => {
  if (!event.isTrusted) return;
  requestAnimationFrame(() => setTimeout(() => reactions.push(performance.now() - event.timeStamp)));
}, true);
"""

# Notes how long it is others' turn, by what the headline says.
REPLIES = """
window.replies = [];
let left = null;
new MutationObserver(() => {
  const now = document.querySelector(".status h1")?.textContent ?? "";
  if (now === "Your turn") {
    if (left !== null) replies.push(performance.now() - left);
    left = null;
  } else if (left === null && now.startsWith("To act")) left = performance.now();
}).observe(document, { subtree: true, childList: true, characterData: true });
"""


def busy(trace: list[dict[str, Any]], address: str) -> list[float]:
    """Milliseconds of script, styles and layout in each frame's time, the longest last.

    What the driver of the test asks the page is left out, and a thread that waited for a processor did not work then.
    """
    main = {
        (event["pid"], event["tid"])
        for event in trace
        if event.get("name") == "thread_name" and event["args"].get("name") == "CrRendererMain"
    }
    spans = sorted(
        (event for event in trace if event.get("ph") == "X" and (event["pid"], event["tid"]) in main),
        key=lambda event: float(event["ts"]),
    )
    starts = [event["ts"] for event in spans]
    frames: dict[int, float] = {}
    for task in spans:
        if task["name"] != "RunTask" or not task["dur"]:
            continue
        inside = spans[bisect_left(starts, task["ts"]) : bisect_left(starts, task["ts"] + task["dur"])]
        calls = [event["args"].get("data", {}).get("url", "") for event in inside if event["name"] in SCRIPT]
        if calls and not any(url.startswith(address) for url in calls):
            continue
        work = covered([(event["ts"], event["ts"] + event["dur"]) for event in inside if event["name"] in WORK])
        ran = task.get("tdur", task["dur"]) / task["dur"]
        frame = int(task["ts"] // FRAME)
        frames[frame] = frames.get(frame, 0.0) + work * ran / 1000
    return sorted(frames.values())


def covered(spans: list[tuple[float, float]]) -> float:
    """How much time these spans cover together."""
    total, until = 0.0, float("-inf")
    for begin, end in sorted(spans):
        total += max(0.0, end - max(begin, until))
        until = max(until, end)
    return total


def measured(browser: Browser, server: Server, game: str, moves: int) -> dict[str, Any]:
    """Plays some moves at a table of this game and reads the trace."""
    context = browser.new_context(base_url=server.address, viewport={"width": 1280, "height": 800}, locale="en")
    context.add_init_script(MOVING)
    context.add_init_script(LISTEN)
    page = context.new_page()
    try:
        player = Visit(page)
        player.set_up(game)
        player.play("click", 6)  # until everything is loaded and compiled
        page.evaluate("reactions.length = 0")
        trace = traced(browser, page, player, moves)
        reactions: list[float] = page.evaluate("reactions")
    finally:
        context.close()
    frames = busy(trace, server.address)
    return {
        "script a frame, longest": round(frames[-1], 1),
        "script a frame, 99 %": round(frames[int(len(frames) * 0.99)], 1),
        "script a frame, 99.9 %": round(frames[int(len(frames) * 0.999)], 1),
        "frames over 8": sum(ms > 8 for ms in frames),
        "frames": len(frames),
        "reaction, median": round(statistics.median(reactions), 1),
        "reaction, longest": round(max(reactions), 1),
        "touches": len(reactions),
    }


def cold_start(browser: Browser, server: Server, times: int) -> dict[str, float]:
    """Somebody new comes to the hall and begins the first game; the best of several, in milliseconds."""
    there, moves = [], []
    for _ in range(times):
        context = browser.new_context(base_url=server.address, viewport={"width": 1280, "height": 800}, locale="en")
        page = context.new_page()
        try:
            began = time.perf_counter()
            page.goto("/", wait_until="commit")
            play = page.get_by_role("button", name="Play now").first
            play.wait_for()
            there.append(time.perf_counter() - began)
            began = time.perf_counter()
            play.click()
            page.locator(PLACES).first.wait_for()
            moves.append(time.perf_counter() - began)
        finally:
            context.close()
    return {"hall": round(1000 * min(there)), "first move": round(1000 * min(moves))}


def replies(browser: Browser, server: Server, game: str, setting: str, turns: int) -> dict[str, float]:
    """How long it is the bot's turn on the screen, in milliseconds."""
    context = browser.new_context(base_url=server.address, viewport={"width": 1280, "height": 800}, locale="en")
    kept = json.dumps({"name": "Ada", "sound": False, **SETTINGS[setting]})
    context.add_init_script(f'localStorage.setItem("astragal.settings", JSON.stringify({kept}));')
    context.add_init_script(REPLIES)
    page = context.new_page()
    try:
        player = Visit(page)
        player.set_up(game)
        for _ in range(20 * turns):
            if not player.my_turn() or page.evaluate("replies.length") >= turns:
                break
            player.do_one()
        waited: list[float] = page.evaluate("replies")
    finally:
        context.close()
    return {"median": round(statistics.median(waited)), "longest": round(max(waited)), "replies": len(waited)}


def hall_script(built: Path = WEB) -> int:
    """Bytes of script that the hall needs, each file gzipped, of a client that was built into this folder."""
    manifest = json.loads((built / ".vite" / "manifest.json").read_text("utf-8"))
    needed, waiting = set[str](), ["index.html"]
    while waiting:
        name = waiting.pop()
        if name not in needed:
            needed.add(name)
            waiting += manifest[name].get("imports", [])
    return sum(len(gzip.compress((built / manifest[name]["file"]).read_bytes())) for name in needed)


def traced(browser: Browser, page: Page, player: Visit, moves: int) -> list[dict[str, Any]]:
    """What Chromium did while some moves were made."""
    browser.start_tracing(page=page, categories=["devtools.timeline", "disabled-by-default-devtools.timeline"])
    for _ in range(moves):
        if not player.my_turn():
            break
        player.do_one()
        page.wait_for_timeout(300)
    events: list[dict[str, Any]] = json.loads(browser.stop_tracing())["traceEvents"]
    return events


def main() -> None:
    """Measures every game and prints a table, or JSON."""
    parser = argparse.ArgumentParser(description="How quick the pages are, by traces of Chromium.")
    parser.add_argument("--moves", type=int, default=25, help="touches at each table")
    parser.add_argument("--turns", type=int, default=8, help="replies of the bot at each table and setting")
    parser.add_argument("--starts", type=int, default=5, help="cold starts, of which the best counts")
    parser.add_argument("--json", action="store_true", help="as JSON")
    given = parser.parse_args()
    figures: dict[str, Any] = {"load before": round(os.getloadavg()[0], 1), "cores": os.cpu_count()}
    figures["hall script"] = hall_script()
    with tempfile.TemporaryDirectory() as folder, Server(Path(folder) / "matches.db") as server, chromium() as browser:
        figures["cold start"] = cold_start(browser, server, given.starts)
        if not given.json:
            print(
                f"load {figures['load before']} on {figures['cores']} cores; hall script {figures['hall script']} "
                f"bytes gzipped; cold start: hall {figures['cold start']['hall']} ms, first move "
                f"{figures['cold start']['first move']} ms after the click",
                flush=True,
            )
        for game in TITLES:
            figures[game] = told = measured(browser, server, game, given.moves)
            told["replies"] = {setting: replies(browser, server, game, setting, given.turns) for setting in SETTINGS}
            if not given.json:
                print(
                    f"{game:10} script a frame: longest {told['script a frame, longest']} ms, "
                    f"99.9 % up to {told['script a frame, 99.9 %']} ms, "
                    f"{told['frames over 8']} of {told['frames']} over 8 ms; "
                    f"reaction: median {told['reaction, median']} ms, longest {told['reaction, longest']} ms; "
                    + "; ".join(
                        f"reply {setting}: median {reply['median']} ms, longest {reply['longest']} ms"
                        for setting, reply in told["replies"].items()
                    ),
                    flush=True,
                )
    if given.json:
        print(json.dumps(figures))


if __name__ == "__main__":
    main()
