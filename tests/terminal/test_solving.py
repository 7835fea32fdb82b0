"""`astragal solve` and `astragal tables`, as a person types them."""

from __future__ import annotations

import json
import subprocess
from pathlib import Path

import pytest

from tests.terminal import command


def astragal(*words: str, code: int = 0) -> subprocess.CompletedProcess[str]:
    done = command.astragal(*words)
    assert done.returncode == code, done.stderr
    return done


@pytest.fixture(autouse=True)
def _tables(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("ASTRAGAL_TABLES", str(tmp_path))


def test_a_game_is_solved_once_listed_checked_played_and_removed(tmp_path: Path) -> None:
    done = astragal("solve", "ur", "--pieces", "1", "--bits", "8", "--json")
    made = json.loads(done.stdout)
    assert made["positions"] == 217
    assert made["bits"] == 8
    assert made["bounds"][0] <= 0.53004983952 <= made["bounds"][1]
    assert "217 positions" in done.stderr
    again = astragal("solve", "ur", "--pieces", "1")
    assert "is there: 217 positions" in again.stdout
    assert "positions: this takes" not in again.stderr
    listed = json.loads(astragal("tables", "--check", "--json").stdout)
    assert [(row["game"], row["intact"]) for row in listed] == [("ur", True)]
    seats = ("--seat", "bot:perfect", "--seat", "bot:greedy")
    watched = astragal("watch", "ur", "--pieces", "1", "--seed", "1", "--json", *seats)
    assert sum(json.loads(watched.stdout)["result"]) == 1
    assert "perfect" not in watched.stderr  # it did not fail
    (file,) = tmp_path.glob("*.table")
    content = bytearray(file.read_bytes())
    content[-1] ^= 1
    file.write_bytes(content)
    checked = astragal("tables", "--check", code=1)
    assert "DAMAGED" in checked.stdout
    astragal("tables", "--remove", file.name)
    assert "There are no tables" in astragal("tables").stdout


def test_what_goes_wrong_is_said_in_a_sentence() -> None:
    assert "nile cannot be solved" in astragal("solve", "nile", code=2).stderr
    assert "no NVIDIA graphics card" in astragal("solve", "ur", "--pieces", "1", "--device", "cuda", code=2).stderr
    assert "there is no table 'x'" in astragal("tables", "--remove", "x", code=2).stderr
    assert "keine Tabellen" in astragal("tables", "--lang", "de").stdout


def test_without_its_table_the_perfect_bot_says_so_and_another_plays() -> None:
    seats = ("--seat", "bot:perfect", "--seat", "bot:greedy")
    watched = astragal("watch", "ur", "--pieces", "1", "--seed", "1", "--delay", "0", "--plain", *seats)
    assert "there is no table for this game" in watched.stdout + watched.stderr
