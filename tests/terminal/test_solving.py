"""`astragal solve` and `astragal tables`, as a person types them."""

from __future__ import annotations

import hashlib
import json
import signal
import subprocess
import time
from pathlib import Path

import msgspec
import pytest
from msgspec.structs import replace

import astragal as package
from astragal.solve.job import Job
from astragal.solve.table import HEADER, name_of, solved_options
from tests.terminal import command

UR = package.game("ur")
astragal_games = package.games


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
    listed = json.loads(astragal("tables", "check", "--json").stdout)
    assert [(row["game"], row["intact"], row["bellman"]["positions"]) for row in listed] == [("ur", True, 217)]
    told = astragal("tables").stdout
    assert "not checked" in told
    assert "rounding costs 0.00000 points a decision" in told
    seats = ("--seat", "bot:perfect", "--seat", "bot:greedy")
    watched = astragal("watch", "ur", "--pieces", "1", "--seed", "1", "--json", *seats)
    assert sum(json.loads(watched.stdout)["result"]) == 1
    assert "perfect" not in watched.stderr  # it did not fail
    (file,) = tmp_path.glob("*.table")
    content = bytearray(file.read_bytes())
    content[-1] ^= 1
    file.write_bytes(content)
    checked = astragal("tables", "check", code=1)
    assert "DAMAGED" in checked.stdout
    astragal("tables", "remove", file.stem)
    assert "There are no tables" in astragal("tables").stdout


def test_what_goes_wrong_is_said_in_a_sentence() -> None:
    assert "nile cannot be solved" in astragal("solve", "nile", code=2).stderr
    assert "no NVIDIA graphics card" in astragal("solve", "ur", "--pieces", "1", "--device", "cuda", code=2).stderr
    assert "there is no table 'x'" in astragal("tables", "remove", "x", code=2).stderr
    assert "keine Tabellen" in astragal("tables", "--lang", "de").stdout


def test_values_that_do_not_follow_from_each_other_are_found(tmp_path: Path) -> None:
    """With a checksum that fits: somebody made the file so."""
    astragal("solve", "ur", "--pieces", "1")
    (file,) = tmp_path.glob("*.table")
    content = file.read_bytes()
    values = bytearray(content[HEADER:])
    values[100:102] = b"\x12\x34"
    header = json.loads(content[:HEADER])
    header["checksum"] = hashlib.blake2b(values, digest_size=32).hexdigest()
    file.write_bytes(json.dumps(header).encode().ljust(HEADER) + values)
    checked = json.loads(astragal("tables", "check", file.stem, "--json", code=1).stdout)
    assert not checked[0]["intact"]
    assert checked[0]["bellman"]["wrong"] > 0
    copy = tmp_path / "elsewhere" / file.name
    copy.parent.mkdir()
    file.rename(copy)
    assert "not the values of this game" in astragal("tables", "import", str(copy), code=2).stderr
    assert not list(tmp_path.glob("*.table"))


def test_a_table_of_another_version_is_listed_with_a_sentence_and_not_taken(tmp_path: Path) -> None:
    astragal("solve", "ur", "--pieces", "1")
    (file,) = tmp_path.glob("*.table")
    content = file.read_bytes()
    header = json.loads(content[:HEADER]) | {"version": 99}
    file.write_bytes(json.dumps(header).encode().ljust(HEADER) + content[HEADER:])
    assert "it is for version 99 of ur; this program has version" in astragal("tables", code=1).stdout
    assert "it is for version 99 of ur" in astragal("tables", "check", code=1).stdout
    moved = file.rename(tmp_path / "moved.table.txt")
    assert "is for ur, version 99" in astragal("tables", "import", str(moved), "--format", "table", code=2).stderr


def test_tables_travel_as_copies_and_as_files_of_royalur(tmp_path: Path) -> None:
    made = json.loads(astragal("solve", "ur", "--pieces", "2", "--json").stdout)
    name = Path(made["file"]).stem
    original = Path(made["file"]).read_bytes()
    for file in (tmp_path / "copy" / "mine.table", tmp_path / "copy" / "mine.rgu"):
        file.parent.mkdir(exist_ok=True)
        assert "is written" in astragal("tables", "export", name, str(file)).stdout
        assert "is there already" in astragal("tables", "export", name, str(file), code=2).stderr
        assert "a table for these rules already" in astragal("tables", "import", str(file), code=2).stderr
        Path(made["file"]).unlink()
        brought = json.loads(astragal("tables", "import", str(file), "--json").stdout)
        assert brought[0]["positions"] == 12_869
        assert Path(made["file"]).read_bytes()[HEADER:] == original[HEADER:]
        astragal("tables", "check")
    assert brought[0]["source"] == "rgu: Astragal"
    assert brought[0]["bounds"] is None
    assert "there is no format 'x'" in astragal("tables", "export", name, "mine.x", code=2).stderr


def test_without_its_table_the_perfect_bot_says_so_and_another_plays() -> None:
    seats = ("--seat", "bot:perfect", "--seat", "bot:greedy")
    watched = astragal("watch", "ur", "--pieces", "1", "--seed", "1", "--delay", "0", "--plain", *seats)
    assert "there is no table for this game" in watched.stdout + watched.stderr


def test_a_solution_that_is_interrupted_goes_on_and_says_so(tmp_path: Path) -> None:
    """Ctrl-C leaves nothing broken: no table, and what was finished is kept."""
    words = [*command.ASTRAGAL, "solve", "ur", "--pieces", "5"]  # long enough not to be over by then
    process = subprocess.Popen(words, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    until = time.monotonic() + 120
    while not list(tmp_path.glob("*.solving/done.json")) and time.monotonic() < until:
        time.sleep(0.02)
    process.send_signal(signal.SIGINT)
    _, said = process.communicate(timeout=60)
    assert process.returncode == 130
    assert "The same command goes on from here" in said
    assert "MB of memory" in said
    assert not list(tmp_path.glob("*.table"))
    begun = Job(UR, UR.rules.options_type(pieces=5), tmp_path).begun()
    assert begun >= 1
    again = subprocess.Popen(words, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True)
    assert again.stderr is not None
    with again.stderr:
        told = [next(again.stderr), next(again.stderr)]
        again.kill()
        again.wait()
    assert f"Goes on after {begun} finished blocks." in "".join(told)


def test_the_perfect_bot_is_in_the_menu_and_gives_hints_where_its_table_is(tmp_path: Path) -> None:
    games = list(astragal_games())
    number = str(games.index("ur") + 1)
    without = command.astragal(typed=f"{number}\n1\n", home=tmp_path / "home")
    assert "Itti-Marduk (master)" in without.stdout
    assert "Nabu" not in without.stdout
    made = Job(UR, UR.rules.options_type(pieces=2), tmp_path, precision=1e-3).run()
    # the menu plays by the usual rules; whether the table is right is not looked at before it is played
    usual = UR.rules.options_type()
    there = tmp_path / name_of(UR, usual)
    size = UR.index(usual).size if UR.index is not None else 0
    with there.open("wb") as opened:
        header = replace(made.header, positions=size, bits=8, options=solved_options(usual))
        opened.write(msgspec.json.encode(header).ljust(HEADER))
        opened.truncate(HEADER + size)  # a sparse file: it takes no room
    offered = command.astragal(typed=f"{number}\n1\n", home=tmp_path / "home")
    assert "Nabu (perfect): Has every position on a tablet" in offered.stdout
    typed = "1\n" * 40
    played = command.astragal(
        "play", "ur", "--pieces", "2", "--seed", "1", "--plain", "--seat", "human", "--seat", "bot:perfect",
        typed="hint\n1\n" * 6 + typed,
    )  # fmt: skip
    assert "Its table says: " in played.stdout
    assert "Nabu (perfect)" in played.stdout
