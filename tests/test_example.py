"""A game that another package brings works everywhere. It is installed and played; our code has no line about it."""

from __future__ import annotations

import json
from pathlib import Path
from random import Random

import pytest

from tests.example import EXAMPLE, ROOT, Environment, ExampleServer
from tests.server.running import Player, closing


@pytest.fixture(scope="module")
def environment(tmp_path_factory: pytest.TempPathFactory) -> Environment:
    return Environment(tmp_path_factory.mktemp("fresh") / "venv")


def test_it_is_found_beside_our_own(environment: Environment) -> None:
    games = {spec["id"]: spec for spec in environment.json("games")}
    assert games["goats"]["title"] == "Goat Path"
    assert "ur" in games
    assert "Ziegenpfad" in environment.astragal("games", "--lang", "de")


def test_its_own_tests_pass_among_them_the_laws(environment: Environment) -> None:
    said = environment.run("-m", "pytest", "-q", "-p", "no:cacheprovider", str(EXAMPLE / "tests"))
    assert " passed" in said


def test_it_is_small() -> None:
    lines = [len(file.read_text("utf-8").splitlines()) for file in (EXAMPLE / "src").rglob("*.py")]
    assert sum(lines) < 320


def test_a_game_of_it_in_the_terminal(environment: Environment, tmp_path: Path) -> None:
    record = tmp_path / "game.json"
    words = ["play", "goats", "--steps", "16", "--seed", "3", "--seat", "human:Ann", "--seat", "bot:strong"]
    said = environment.astragal(*words, "--save", str(record), typed="hint\nwalk\n" + "walk\n" * 60)
    assert "drive the other goat back to" in said
    assert "The bone shows" in said
    assert "wins" in said
    assert environment.json("verify", str(record))["good"] is True
    replayed = environment.astragal("replay", str(record), "--list", "--lang", "es")
    assert "La taba muestra un" in replayed


def test_its_rules_and_its_flags_are_shown(environment: Environment) -> None:
    assert "knucklebone" in environment.astragal("rules", "goats")
    said = environment.astragal("play", "goats", "--help", "--lang", "de")
    assert "Steine jedes Hirten" in said
    assert "--steps 16-32" in said


def test_its_bots_play_in_the_arena(environment: Environment) -> None:
    words = ["arena", "goats", "--bots", "greedy,random", "--games", "60", "--cores", "1", "--seed", "1"]
    (duel,) = environment.json(*words)["duels"]
    assert duel["games"] == 60
    assert duel["share"]["value"] > 0.6


def test_two_sockets_and_two_bots_play_it_on_the_server(environment: Environment, tmp_path: Path) -> None:
    rng = Random(4)
    with ExampleServer(environment, tmp_path / "matches.db") as server:
        assert "goats" in {game["id"] for game in server.get("/api/games").json()}
        assert "<h1>Goat Path</h1>" in server.get("/api/games/goats/rules").text
        watched = server.create("goats", ["bot:casual", "bot:master"], options={"steps": 16})
        with closing(server.table("goats", fair=True)) as players:
            for player in players:
                player.open_seed()
            while any(player.table["status"] != "over" for player in players):
                actor = next((player for player in players if player.table["actions"]), None)
                if actor is None:
                    min(players, key=lambda player: int(player.table["n"])).hear()
                    continue
                done = actor.act(rng.choice(actor.table["actions"])["text"])
                assert done["type"] == "done", done
                for player in players:
                    player.until_table(lambda table, n=done["n"]: table["n"] >= n)  # type: ignore[misc]
            match = players[0].match
            assert sum(players[0].table["result"]) == 1
            said = " ".join(event["text"] for event in players[0].events)
        assert "walks to" in said
        assert server.get(f"/api/matches/{match}/verification").json()["good"] is True
        early = server.get(f"/api/matches/{match}/plain", n=8).text
        assert early != server.get(f"/api/matches/{match}/plain").text
        assert server.get(f"/api/matches/{match}/picture.svg", n=8).text.startswith("<svg")
        with Player(server, watched["match"], None) as watcher:
            watcher.until_table(lambda table: table["status"] == "over")
            assert json.dumps(watcher.table["result"]) in ("[1.0, 0.0]", "[0.0, 1.0]")


def test_the_guide_names_files_that_are_there() -> None:
    guide = (ROOT / "CONTRIBUTING.md").read_text("utf-8")
    for file in ("rules.py", "look.py", "heuristic.py", "rules.md"):
        assert f"src/goats/{file}" in guide
        assert (EXAMPLE / "src" / "goats" / file).is_file()
