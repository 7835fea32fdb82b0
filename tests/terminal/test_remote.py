"""`astragal bot`: a bot of this computer on a server, which comes back whatever happens and waits when it must."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
import time
from pathlib import Path

import httpx
import pytest

from astragal.core.player_key import load_or_make
from tests.server.running import Server, threaded
from tests.server.test_gate import until_it_has_waited
from tests.terminal.command import ASTRAGAL, astragal


def begun(*words: str) -> subprocess.Popen[str]:
    return subprocess.Popen(
        [*ASTRAGAL, "bot", *words],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        env={**os.environ, "PYTHONUTF8": "1", "PYTHONUNBUFFERED": "1"},
    )


@pytest.mark.parametrize("game", ["ur", "nile", "egar"])
def test_it_opens_a_match_and_plays_it_to_the_end(tmp_path: Path, game: str) -> None:
    option = {"ur": ["--option", "pieces=2"], "nile": ["--preset", "quick"], "egar": ["--preset", "quick"]}[game]
    with threaded(tmp_path / "matches.db") as server:
        words = ["--server", server.address, "--bot", "random", "--game", game, "--against", "random", "--seed", "1"]
        done = astragal("bot", *words, *option, "--json", seconds=240)
        assert done.returncode == 0, done.stderr
        played = json.loads(done.stdout)
        assert sum(played["result"]) == pytest.approx(1.0)
        table = server.get(f"/api/matches/{played['match']}/table").json()["table"]
        assert table["result"] == played["result"]
        assert table["seats"][played["seat"]]["name"] == "bot random"


def test_two_of_them_meet_by_a_link(tmp_path: Path) -> None:
    with threaded(tmp_path / "matches.db", password="sesame") as server:
        words = ["--bot", "greedy", "--password", "sesame"]
        host = begun("--server", server.address, "--game", "ur", "--option", "pieces=1", "--against", "open", *words)
        assert host.stdout is not None
        invited = re.search(r"http\S+/join/\S+#\S+", host.stdout.readline())
        assert invited is not None
        guest = astragal("bot", "--join", invited[0], *words, seconds=120)
        assert guest.returncode == 0, guest.stderr
        said, _ = host.communicate(timeout=60)
        assert said.partition(": ")[2] == guest.stdout.partition(": ")[2]
        wrong = astragal("bot", "--server", server.address, "--game", "ur", "--password", "wrong")
        assert wrong.returncode == 2
        assert "the server refuses" in wrong.stderr


def test_a_bot_with_a_key_owns_its_matches(tmp_path: Path) -> None:
    file = tmp_path / "bot.key"
    with threaded(tmp_path / "matches.db") as server:
        words = ["--server", server.address.replace("http", "HTTP"), "--bot", "random", "--game", "ur", "--json"]
        short = ["--option", "pieces=1", "--against", "random", "--key", str(file), "--name", "Marduk"]
        results = [astragal("bot", *words, *short, seconds=120) for _ in range(2)]
        assert [done.returncode for done in results] == [0, 0], results[-1].stderr
        if os.name == "posix":
            assert file.stat().st_mode & 0o777 == 0o600
        kept = load_or_make(file)
        nonce = server.post("/api/players/challenge", {}).json()["nonce"]
        signed = {"key": kept.key, "nonce": nonce, "signature": kept.sign(server.address, nonce)}
        session = server.post("/api/players/session", signed).json()
        assert session["player"]["name"] == "Marduk"
        seats = httpx.get(
            f"{server.address}/api/players/me/seats", headers={"astragal-player": session["session"]}
        ).json()
        assert {seat["match"] for seat in seats} == {json.loads(done.stdout)["match"] for done in results}
        file.write_text("{}")
        broken = astragal("bot", *words, *short)
        assert broken.returncode == 2
        assert "holds no key of a player" in broken.stderr


def test_it_comes_back_to_a_server_that_was_killed(tmp_path: Path) -> None:
    with Server(tmp_path / "matches.db") as server:
        words = ["--server", server.address, "--bot", "greedy", "--game", "ur", "--against", "greedy", "--json"]
        bot = begun(*words, "--seed", "1")  # with all pieces, so that it is not over before the server is killed
        try:
            assert bot.stderr is not None
            match = bot.stderr.readline().strip().rpartition("/")[2]
            while server.get(f"/api/matches/{match}/table").json()["table"]["ply"] < 6:
                time.sleep(0.02)
            server.stop(9)
            time.sleep(2.5)
            assert bot.poll() is None
            server.start()
            said, complaints = bot.communicate(timeout=240)
        finally:
            bot.kill()
        assert bot.returncode == 0, complaints
        assert json.loads(said)["match"] == match
        assert "trying again in 1 s" in complaints


def test_it_waits_as_long_as_the_server_asks(tmp_path: Path) -> None:
    """Fifteen actions at once and then one in two seconds."""
    with threaded(tmp_path / "slow.db", seat_rate=30) as server:
        words = ["--server", server.address, "--bot", "random", "--game", "ur", "--against", "novice", "--seed", "1"]
        with begun(*words, "--json") as bot:
            said, _ = until_it_has_waited(bot, server, "The server asks to wait 2 s.")
        assert sum(json.loads(said)["result"]) == 1


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        ([], "name a match to join with --join, or a game to open one of with --game"),
        (["--game", "ur", "--join", "x"], "name a match to join"),
        (["--game", "ur", "--option", "piece=3"], "there is no such option; there are: "),
        (["--game", "ur", "--option", "pieces=9"], "'9' is not one of 1-7"),
        (["--game", "ur", "--server", "ftp://x"], "ftp://x is no address of a server"),
        (["--game", "ur", "--bot", "nowhere:Bot"], "the bot nowhere:Bot cannot be loaded"),
        (["--game", "urr"], "did you mean ur?"),
    ],
)
def test_what_is_wrong_with_the_command_is_said_in_one_line(words: list[str], sentence: str) -> None:
    done = subprocess.run(
        [sys.executable, "-m", "astragal", "bot", *words], capture_output=True, text=True, check=False
    )
    assert done.returncode == 2
    assert sentence in done.stderr
    assert done.stderr.count("\n") == 1
