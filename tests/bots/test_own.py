"""Bots of one's own: found where they are named, and never loaded because a stranger named them."""

from __future__ import annotations

import json
import os
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

import astragal as library
from astragal.bots import UnknownBot, own, roster
from astragal.core import recordfile
from tests.server.running import Server, closing
from tests.terminal.command import astragal

CODE = """
import time
from pathlib import Path
from astragal.bots import BaseBot

Path({mark!r}).touch()

class Last(BaseBot):
    title = "The Last"
    about = "Takes the last move of the list."

    def start(self):
        self.place = int(self.settings.get("place", -1))

    def pick(self, view, rng):
        return view.legal[self.place]

class Slow(Last):
    title = "The Slow"

    def prepare(self, view):
        time.sleep(600)

class OnlyNile(Last):
    games = ("nile",)

class Broken(Last):
    def pick(self, view, rng):
        raise RuntimeError("ouch")

not_a_bot = 7
"""


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """The current folder, with a module `mine` of one's own that leaves a mark when it is loaded."""
    place = tmp_path / "work"
    place.mkdir()
    (place / "mine.py").write_text(CODE.format(mark=str(tmp_path / "loaded")), "utf-8")
    monkeypatch.chdir(place)
    monkeypatch.setenv(own.VARIABLE, "")  # and so gone after the test
    yield place
    assert os.environ[own.VARIABLE] == "", "these tests run the command in processes of its own"


def loaded(folder: Path) -> bool:
    return (folder.parent / "loaded").exists()


def test_a_bot_by_its_place_plays_in_terminal_and_arena(folder: Path) -> None:
    file = folder / "game.json"
    watched = astragal("watch", "ur", "--pieces", "1", "--seat", "bot:mine:Last", "--seat", "bot:mine:Last:place=0",
                       "--seed", "1", "--save", str(file))  # fmt: skip
    assert watched.returncode == 0, watched.stderr
    assert "The Last (guest)" in watched.stdout
    assert [seat.player for seat in recordfile.read(file).header.seats] == ["bot:mine:Last", "bot:mine:Last:place=0"]
    words = ["arena", "ur", "--pieces", "1", "--bots", "mine:Last,random", "--games", "8", "--cores", "2", "--json"]
    held = astragal(*words, seconds=240)
    assert held.returncode == 0, held.stderr
    assert json.loads(held.stdout)["duels"][0]["one"] == "mine:Last"


@pytest.mark.parametrize(
    ("bot", "sentence"),
    [
        ("mine:Missing", "the bot mine:Missing cannot be loaded: AttributeError"),
        ("nowhere:Bot", "the bot nowhere:Bot cannot be loaded: ModuleNotFoundError: No module named 'nowhere'"),
        ("mine:not_a_bot", "is not derived from astragal.bots.BaseBot"),
        ("mine:Last:place=x", "the bot mine:Last cannot be made: ValueError"),
        ("mine:OnlyNile", "the bot mine:OnlyNile does not play ur; it plays: nile"),
        ("mine:Last:x", "'x' is not a setting"),
    ],
)
def test_what_is_wrong_with_it_is_said_in_one_line(folder: Path, bot: str, sentence: str) -> None:
    done = astragal("watch", "ur", "--seat", f"bot:{bot}", "--seat", "bot:random")
    assert done.returncode == 2
    assert sentence in done.stderr
    assert done.stderr.count("\n") == 1


def test_one_that_crashes_is_stood_in_for(folder: Path) -> None:
    done = astragal("watch", "ur", "--pieces", "1", "--seat", "bot:mine:Broken", "--seat", "bot:random", "--seed", "1")
    assert done.returncode == 0, done.stderr
    assert "the bot mine:Broken crashed: RuntimeError: ouch; another bot moves for it." in done.stdout


def test_a_record_loads_no_code_unless_its_reader_allows_it(folder: Path, tmp_path: Path) -> None:
    left = astragal("play", "ur", "--seat", "human", "--seat", "bot:mine:Last", "--begins", "1", "--save", "game.json")
    assert left.returncode == 0, left.stderr
    (tmp_path / "loaded").unlink()
    refused = astragal("resume", "game.json")
    assert refused.returncode == 2
    assert "code that you have not named here; allow it with --bot mine:Last" in refused.stderr
    for words in (["replay", "game.json", "--list"], ["verify", "game.json"], ["resume"]):
        astragal(*words)
    assert not loaded(folder)
    assert astragal("resume", "game.json", "--bot", "mine:Last").returncode == 0
    assert loaded(folder)


def test_a_guest_of_a_server_cannot_have_code_loaded_but_its_host_can(folder: Path, tmp_path: Path) -> None:
    with Server(tmp_path / "closed.db", cwd=folder) as server:
        refused = server.post("/api/matches", {"game": "ur", "seats": ["open", "bot:mine:Last"], "sit": 0})
        assert refused.json()["code"] == "unknown_bot"
        assert "there is no bot 'mine:Last'" in refused.text
        assert not loaded(folder)
    with Server(tmp_path / "open.db", "--bot", "mine:Last", cwd=folder) as server:
        offered = {bot["id"]: bot for bot in server.get("/api/games/ur").json()["bots"]}
        assert offered["mine:Last"] == {
            "id": "mine:Last",
            "level": "guest",
            "name": "The Last",
            "character": "Takes the last move of the list.",
            "others": [],
            "rating": None,
        }
        wanted = {"game": "ur", "seats": ["bot:mine:Last", "bot:random"], "options": {"pieces": 1}}
        match = server.post("/api/matches", wanted).json()["match"]
        for _ in range(600):
            if server.get(f"/api/matches/{match}/table").json()["table"]["status"] == "over":
                break
            time.sleep(0.1)
        else:
            raise TimeoutError(server.said())
        spiced = server.post("/api/matches", {"game": "ur", "seats": ["open", "bot:mine:Last:place=0"], "sit": 0})
        assert "there is no bot" in spiced.text


def test_a_hint_says_who_gives_it_while_the_bot_that_was_asked_is_prepared(folder: Path, tmp_path: Path) -> None:
    bots = ("--bot", "mine:Slow", "--bot", "mine:Broken")
    with Server(tmp_path / "hints.db", *bots, cwd=folder) as server, closing(server.table("nile", 2)) as players:
        for player in players:
            player.until_table(lambda table: table["status"] == "running" and table["turn"] >= 0)
        mover = next(player for player in players if player.table["actions"])

        def hint(bot: str, lang: str) -> tuple[str, str]:
            path = f"/api/matches/{mover.match}/hint?bot={bot}&lang={lang}"
            answer = server.post(path, {}, mover.secret).json()
            return answer["by"], answer["sentence"]

        by, sentence = hint("mine:Slow", "en")
        assert by == "greedy"
        assert sentence.endswith("This hint is from the bot greedy: The Slow (guest) is still being prepared.")
        assert "vom Bot greedy: The Slow (Gast)" in hint("mine:Slow", "de")[1]
        assert "del bot greedy: The Slow (invitado)" in hint("mine:Slow", "es")[1]
        by, sentence = hint("mine:Broken", "en")
        assert by == "greedy"
        assert sentence.endswith("This hint is from the bot greedy: the bot mine:Broken crashed: RuntimeError: ouch.")
        by, sentence = hint("greedy", "en")
        assert by == "greedy"
        assert "This hint is from" not in sentence


def test_names_of_our_own_bots_are_never_taken_for_places() -> None:
    ur = library.game("ur")
    with pytest.raises(UnknownBot, match="is not a setting"):
        roster.make("greedy:mistakes", ur)
    with pytest.raises(UnknownBot, match="there is no bot 'gredy'"):
        roster.make("gredy", ur)
    own.admit("greedy:mistakes")
    own.admit("master")
    assert own.admitted() == []
