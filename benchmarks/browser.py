"""How quick the pages are, by traces of Chromium: `make bench-browser`.

A real server and a real browser with the built client, at a table of every game with a bot, everything moving:

- *script a frame*: the longest that our script (with styles and layout) kept the main thread busy at a stretch while
  moves were animated. A frame has 16.7 ms; more than 8 ms of script would make the movement stutter.
- *reaction*: from a touch of the mouse to the first frame that shows something of it. Under 100 ms feels immediate.

    python -m benchmarks.browser --moves 20 --json
"""

from __future__ import annotations

import argparse
import json
import statistics
import tempfile
from pathlib import Path
from typing import Any

from playwright.sync_api import Browser, Page

from tests.e2e.hall import TITLES, Visit
from tests.server.running import Server
from tools.screenshots import chromium

WORK = ("FunctionCall", "EvaluateScript", "TimerFire", "FireAnimationFrame", "RunMicrotasks", "EventDispatch", "V8.GC")
LAYOUT = ("UpdateLayoutTree", "Layout", "PrePaint")
MOVING = """localStorage.setItem("astragal.settings", JSON.stringify({ patience: 0.3, name: "Ada", sound: false }));"""

# Measures, in the page itself, from the event's own time to the frame after it.
LISTEN = """
window.reactions = [];
addEventListener("click", (event) => {
  if (!event.isTrusted) return;
  requestAnimationFrame(() => setTimeout(() => reactions.push(performance.now() - event.timeStamp)));
}, true);
"""


def busy(trace: list[dict[str, Any]]) -> list[float]:
    """Milliseconds of script, styles and layout in each task of the page's main thread, the longest last."""
    main = {
        (event["pid"], event["tid"])
        for event in trace
        if event.get("name") == "thread_name" and event["args"].get("name") == "CrRendererMain"
    }
    spans = [event for event in trace if event.get("ph") == "X" and (event["pid"], event["tid"]) in main]
    tasks = sorted(
        (
            (event["ts"], event["ts"] + event["dur"], event["pid"], event["tid"])
            for event in spans
            if event["name"] == "RunTask"
        ),
    )
    found = []
    for begin, end, pid, tid in tasks:
        inside = [
            event
            for event in spans
            if (event["pid"], event["tid"]) == (pid, tid)
            and begin <= event["ts"] < end
            and event["name"] in (*WORK, *LAYOUT)
        ]
        found.append(covered([(event["ts"], event["ts"] + event["dur"]) for event in inside]) / 1000)
    return sorted(found)


def covered(spans: list[tuple[float, float]]) -> float:
    """How much time these spans cover together."""
    total, until = 0.0, float("-inf")
    for begin, end in sorted(spans):
        total += max(0.0, end - max(begin, until))
        until = max(until, end)
    return total


def measured(browser: Browser, server: Server, game: str, moves: int) -> dict[str, float]:
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
    tasks = [ms for ms in busy(trace) if ms > 0]
    return {
        "script a frame, longest": round(tasks[-1], 1),
        "script a frame, 99 %": round(tasks[int(len(tasks) * 0.99)], 1),
        "reaction, median": round(statistics.median(reactions), 1),
        "reaction, longest": round(max(reactions), 1),
        "touches": len(reactions),
    }


def traced(browser: Browser, page: Page, player: Visit, moves: int) -> list[dict[str, Any]]:
    """What Chromium did while some moves were made."""
    browser.start_tracing(
        page=page, categories=["toplevel", "devtools.timeline", "v8", "disabled-by-default-devtools.timeline"]
    )
    for _ in range(moves):
        if not player.my_turn():
            break
        player.do_one()
        page.wait_for_timeout(300)
    found: list[dict[str, Any]] = json.loads(browser.stop_tracing())["traceEvents"]
    return found


def main() -> None:
    """Measures every game and prints a table, or JSON."""
    parser = argparse.ArgumentParser(description="How quick the pages are, by traces of Chromium.")
    parser.add_argument("--moves", type=int, default=25, help="touches at each table")
    parser.add_argument("--json", action="store_true", help="as JSON")
    given = parser.parse_args()
    found = {}
    with tempfile.TemporaryDirectory() as folder, Server(Path(folder) / "matches.db") as server, chromium() as browser:
        for game in TITLES:
            found[game] = measured(browser, server, game, given.moves)
            if not given.json:
                figures = "  ".join(f"{name} {value} ms" for name, value in found[game].items() if name != "touches")
                print(f"{game:10} {figures}  ({found[game]['touches']} touches)", flush=True)
    if given.json:
        print(json.dumps(found))


if __name__ == "__main__":
    main()
