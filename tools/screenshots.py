"""Takes pictures of every page of the hall, for people to look at: `make screenshots`.

A real server, a real browser, real matches: on a desktop and a phone, by day and by night, in three languages. They
go into `screenshots/`, one folder a look. With --docs only the few that the documentation shows are taken, into
`docs/pictures/`.

    python -m tools.screenshots --only hall --looks phone,dark
"""

from __future__ import annotations

import argparse
import base64
import contextlib
import os
import shutil
import tempfile
from collections.abc import Callable, Iterator
from pathlib import Path
from random import Random
from typing import Any, NamedTuple

from playwright.sync_api import Browser, Page, sync_playwright

import astragal
from tests.server.running import Player, Server, play_on
from tools.web import scenes as about

ROOT = Path(__file__).parent.parent
OUT = ROOT / "screenshots"
DOCS = ROOT / "docs" / "pictures"
SETTINGS = """localStorage.setItem("astragal.settings", JSON.stringify({ patience: 1, name: "Ada", sound: true }));"""

DESKTOP: dict[str, Any] = {"viewport": {"width": 1280, "height": 800}}
LOOKS: dict[str, dict[str, Any]] = {
    "desktop": DESKTOP,
    "phone": {"viewport": {"width": 390, "height": 844}, "has_touch": True, "is_mobile": True},
    "dark": {**DESKTOP, "color_scheme": "dark"},
    "german": {**DESKTOP, "locale": "de"},
    "spanish": {**DESKTOP, "locale": "es"},
}


class Scene(NamedTuple):
    """A page, and what to do there before the picture is taken."""

    name: str
    path: str
    ready: str = "main h1"
    prepare: Callable[[Page], None] = lambda _: None
    whole: bool = True  # all of it, not only the first screen


def scenes(server: Server, guarded: Server) -> Iterator[Scene]:
    """Every page there is."""
    yield Scene("hall", "/", "li.exhibit")
    yield Scene("settings", "/settings")
    yield Scene("key", "/key")
    yield Scene("nothing", "/nowhere")
    yield Scene("dead-link", "/table/nothing")
    yield Scene("password", guarded.address, "#password")
    games = astragal.games()
    for game in games:
        yield Scene(f"{game}-game", f"/game/{game}", ".go button")
        yield Scene(f"{game}-options", f"/game/{game}", ".go button", spread)
        yield Scene(f"{game}-learn", f"/learn/{game}", "main .ways, main [role=alert]")
        yield Scene(f"{game}-rules", f"/rules/{game}", whole=False)
        yield from matches(server, game)
    private = next(id for id, game in games.items() if game.rules.spec.private)  # the device is handed over there
    made = server.create(private, ["open"] * max(games[private].rules.spec.players), name="Ada")
    yield Scene("lobby", f"/seat/{made['match']}#{made['secret']}", "main ul")
    yield Scene("invitation", f"/join/{made['match']}#{server.invite(made)}", "main form")
    yield Scene("one-device", f"/game/{private}", ".go button", hand_over)


def spread(page: Page) -> None:
    """The form of a game with everything open."""
    page.locator("input[name=mode][value=friends]").check()
    page.locator("summary").click()


def hand_over(page: Page) -> None:
    """A table at one device."""
    page.locator("input[name=mode][value=device]").check()
    page.locator(".go button").click()
    page.locator(".over button, .status h1").first.wait_for()


def matches(server: Server, game: str) -> Iterator[Scene]:
    """A table in the middle of a match, everything else that it can look like, its end and its review."""
    shown = about(game).screenshots
    for scene, wanted in moments(shown.moments).items():
        with seated(server, game, shown.options) as player:
            played(player, wanted)
            yield Scene(f"{game}-{scene}", link(player), ".board [data-place], .board .plain")
            if scene == "table":
                yield Scene(f"{game}-words", link(player), ".board [data-place], .board .plain", words)
    with seated(server, game, {**shown.options, **(shown.short or {})}) as player:
        if shown.short is not None:
            play_on([player], Random(2))
        else:
            play_on([player], Random(2), moves=20)
            player.do(type="resign")
            player.until_table(lambda table: table["status"] == "over")
        yield Scene(f"{game}-over", link(player), "#ending")
        yield Scene(f"{game}-replay", f"/replay/{player.match}", "input[type=range]", checked)


def words(page: Page) -> None:
    """The pane with the board in words."""
    page.locator("#tab-words").click()


def checked(page: Page) -> None:
    """A review with its costliest move on the board, and the dice checked."""
    page.locator("main .graph").wait_for(timeout=180_000)
    page.locator("main aside section").last.locator("button").first.click()
    page.locator("main [role=status] ul").wait_for()
    costly = page.locator("main ol.costly button")
    if costly.count():
        costly.first.click()
        page.locator("main .judgement").wait_for()


def moments(further: dict[str, dict[str, str]]) -> dict[str, Callable[[dict[str, Any]], bool]]:
    """What a match is played on to, and what the picture is then called."""

    def reached(view: dict[str, Any], wanted: dict[str, str]) -> bool:
        return all(
            any(action["type"] == value for action in view["legal"]) if key == "legal" else view[key] == value
            for key, value in wanted.items()
        )

    usual: dict[str, Callable[[dict[str, Any]], bool]] = {"table": lambda table: table["ply"] > 40}
    return usual | {
        name: lambda table, wanted=wanted: reached(table["view"], wanted) for name, wanted in further.items()
    }


@contextlib.contextmanager
def seated(server: Server, game: str, options: dict[str, Any]) -> Iterator[Player]:
    """Somebody at a table against a bot."""
    made = server.create(game, ["open", "bot:casual"], name="Ada", options={"begins": 0, **options})
    with Player(server, made["match"], made["secret"]) as player:
        yield player


def played(player: Player, wanted: Callable[[dict[str, Any]], bool], most: int = 400) -> None:
    """Plays on until it is this seat's turn and the table as it is wanted."""
    for _ in range(most):
        player.until_table(lambda table: bool(table["actions"]) or table["status"] != "running")
        if wanted(player.table) or player.table["status"] != "running":
            return
        play_on([player], Random(1), moves=1)


def link(player: Player) -> str:
    """The link of the player's own seat."""
    return f"/seat/{player.match}#{player.secret}"


# Taking them ---------------------------------------------------------------------------------------------------------


@contextlib.contextmanager
def chromium() -> Iterator[Browser]:
    """Debian's Chromium."""
    program = shutil.which("chromium")
    if program is None:
        raise SystemExit("Chromium is missing; on Debian and Ubuntu: apt install chromium")
    root = ["--no-sandbox"] if hasattr(os, "geteuid") and os.geteuid() == 0 else []
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=program, args=["--disable-gpu", *root])
        yield browser
        browser.close()


def take(browser: Browser, server: Server, scene: Scene, look: dict[str, Any]) -> bytes:
    """The picture of a scene, as PNG."""
    how = {"locale": "en", "reduced_motion": "reduce", "bypass_csp": True, **look}
    context = browser.new_context(base_url=server.address, **how)
    try:
        context.add_init_script(SETTINGS)
        page = context.new_page()
        page.goto(scene.path)
        page.locator(scene.ready).first.wait_for()
        scene.prepare(page)
        page.wait_for_load_state("networkidle")
        if scene.whole:  # what sticks to the window's edge would lie across the middle of a long picture
            page.add_style_tag(content=".go { position: static !important; }")
        page.evaluate("document.fonts.ready")
        page.wait_for_timeout(150)  # a picture of the board or the pages of a lesson may still settle
        return page.screenshot(full_page=scene.whole)
    finally:
        context.close()


def smaller(browser: Browser, png: bytes, width: int) -> bytes:
    """The picture as WebP of this width, made by the browser itself."""
    page = browser.new_page()
    try:
        encoded: str = page.evaluate(
            """async ([data, width]) => {
                const image = new Image();
                image.src = data;
                await image.decode();
                const canvas = document.createElement("canvas");
                [canvas.width, canvas.height] = [width, Math.round((image.height * width) / image.width)];
                const paper = canvas.getContext("2d");
                paper.imageSmoothingQuality = "high";
                paper.drawImage(image, 0, 0, canvas.width, canvas.height);
                return canvas.toDataURL("image/webp", 0.86);
            }""",
            [f"data:image/png;base64,{base64.b64encode(png).decode()}", width],
        )
    finally:
        page.close()
    return base64.b64decode(encoded.partition(",")[2])


def documented() -> dict[str, tuple[str, str, int]]:
    """What the documentation shows: the scene, its look, and how wide."""
    return {"hall": ("hall", "desktop", 800)} | {
        name: (f"{game}-{scene}", look, width)
        for game in astragal.games()
        for name, (scene, look, width) in about(game).screenshots.docs.items()
    }


def main() -> None:
    """Takes them all, with a line for each."""
    parser = argparse.ArgumentParser(description="Take pictures of every page of the hall.")
    parser.add_argument("--out", type=Path, default=OUT, help="the folder that they go to")
    parser.add_argument("--only", default="", help="only scenes whose names contain this")
    parser.add_argument("--looks", default=",".join(LOOKS), help="only these looks")
    parser.add_argument("--docs", action="store_true", help="only what the documentation shows, into docs/pictures")
    given = parser.parse_args()
    looks = [look for look in given.looks.split(",") if look in LOOKS]
    if not looks:
        raise SystemExit(f"--looks: some of {','.join(LOOKS)}")
    folder = Path(tempfile.mkdtemp(prefix="astragal-pictures-"))
    try:
        with (
            Server(folder / "matches.db") as server,
            Server(folder / "guarded.db", "--password", "lapis") as guarded,
            chromium() as browser,
        ):
            taken = 0
            for scene in scenes(server, guarded):
                if given.docs:
                    wanted = [
                        (name, look, width) for name, (of, look, width) in documented().items() if of == scene.name
                    ]
                    for name, look, width in wanted:
                        file = DOCS / f"{name}.webp"
                        first = scene._replace(whole=name == "hall")
                        write(file, smaller(browser, take(browser, server, first, LOOKS[look]), width))
                elif given.only in scene.name:
                    for look in looks:
                        write(given.out / look / f"{scene.name}.png", take(browser, server, scene, LOOKS[look]))
                        taken += 1
            print(f"{taken} pictures are in {given.out}" if not given.docs else f"The pictures are in {DOCS}")
    finally:
        shutil.rmtree(folder, ignore_errors=True)


def write(file: Path, picture: bytes) -> None:
    """Keeps a picture and says so."""
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_bytes(picture)
    print(f"{file}  {len(picture) / 1000:.0f} kB", flush=True)


if __name__ == "__main__":
    main()
