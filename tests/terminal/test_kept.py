"""A match that is played is on disk at every moment: whatever ends the program, it goes on where it was."""

from __future__ import annotations

import json
import os
import signal
import subprocess
from pathlib import Path

import pexpect
import pytest

import astragal as library
from astragal.console.screen import Screen
from astragal.core import recordfile
from astragal.core.record import Acted, Record, Seat
from astragal.play.match import Match
from astragal.terminal import kept
from astragal.terminal.session import Session
from tests.terminal.command import ASTRAGAL, astragal
from tests.terminal.test_play import terminal

SHORT = ["--pieces", "1", "--begins", "1", "--seat", "human", "--seat", "bot:random", "--delay", "0"]
PROMPT = "to act:"


def asked(child: subprocess.Popen[str]) -> bool:
    """Reads on until the player is asked; False if the match is over first."""
    assert child.stdout is not None
    for line in child.stdout:
        if PROMPT in line or "Play again?" in line:
            return PROMPT in line
    return False


def kill(words: list[str], home: Path, how: signal.Signals, *, answers: int) -> bool:
    """Plays, answers so many questions, and is killed at the next one; False if the match was over before."""
    environment = {**os.environ, "XDG_DATA_HOME": str(home), "PYTHONUTF8": "1"}
    with subprocess.Popen(
        [*ASTRAGAL, *words], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, env=environment
    ) as child:
        assert child.stdin is not None
        for _ in range(answers):
            assert asked(child)
            child.stdin.write("1\n")
            child.stdin.flush()
        if not asked(child):
            child.communicate("n\n", timeout=60)
            return False
        child.send_signal(how)
        child.wait(30)
        assert child.returncode == -how
    return True


def the_record(home: Path) -> Record:
    [file] = home.rglob("*.json")
    return recordfile.read(file)


def test_a_match_killed_at_every_step_goes_on_as_if_nothing_had_been(tmp_path: Path) -> None:
    whole = tmp_path / "whole"
    assert astragal("play", "ur", "--seed", "5", *SHORT, typed="1\n" * 200, home=whole).returncode == 0
    straight = the_record(whole)
    steps = sum(isinstance(entry, Acted) and entry.seat == 0 for entry in straight.entries)
    assert steps > 3

    home = tmp_path / "killed"
    signals = [signal.SIGKILL, signal.SIGHUP, signal.SIGTERM]
    words, killed = ["play", "ur", "--seed", "5", *SHORT], 0
    answers = 0
    while kill(words, home, signals[killed % 3], answers=answers):
        killed += 1
        so_far = the_record(home)
        assert so_far.result is None
        assert so_far.entries == straight.entries[: len(so_far.entries)]
        listed = json.loads(astragal("resume", "--json", home=home).stdout)
        words, answers = ["resume", listed[0]["file"]], 1
    assert killed >= 3
    assert the_record(home) == straight
    assert json.loads(astragal("resume", "--json", home=home).stdout) == []


@pytest.mark.parametrize("moment", ["write", "fsync", "replace"])
def test_a_kill_in_the_middle_of_writing_leaves_the_last_whole_record(moment: str, tmp_path: Path) -> None:
    script = f"""
import os, pathlib, signal, sys
from astragal.core import recordfile
from astragal.cli import main
writes = 0
def die(*_): os.kill(os.getpid(), signal.SIGKILL)
keep = recordfile._replace
def counted(file, content):
    global writes
    writes += 1
    if writes == 4:
        if {moment!r} == "write":
            content = content[:40]
            os.fsync = die
        elif {moment!r} == "fsync":
            os.fsync = die
        else:
            pathlib.Path.replace = die
    keep(file, content)
recordfile._replace = counted
main(["play", "ur", "--seed", "5"])
"""
    environment = {**os.environ, "XDG_DATA_HOME": str(tmp_path)}
    words = [ASTRAGAL[0], "-c", script]
    done = subprocess.run(words, input="1\n" * 20, env=environment, capture_output=True, text=True, check=False)
    assert done.returncode == -signal.SIGKILL, done.stderr
    assert len(the_record(tmp_path).entries) == 2  # the first write is of the match before anything happened


def test_resume_lists_what_can_go_on_wherever_it_is_kept(tmp_path: Path) -> None:
    nothing = astragal("resume", home=tmp_path)
    assert (nothing.returncode, "No match waits" in nothing.stdout) == (0, True)
    elsewhere = tmp_path / "my games" / "first.txt"
    kill(["play", "ur", "--seed", "5", "--save", str(elsewhere)], tmp_path, signal.SIGKILL, answers=1)
    kill(["play", "nile", "--seed", "6"], tmp_path, signal.SIGKILL, answers=1)
    astragal("play", "ur", "--seed", "7", typed="resign\ny\n", home=tmp_path)  # over
    done = astragal("resume", home=tmp_path)
    assert done.returncode == 0, done.stderr
    assert done.stdout.index("nile-seed-6") < done.stdout.index(f"astragal resume '{elsewhere}'")
    assert "seed-7" not in done.stdout
    assert any(isinstance(entry, Acted) for entry in recordfile.read(elsewhere).entries)
    for lang, sentence in (("de", "wartet"), ("es", "espera")):
        assert sentence in astragal("resume", "--lang", lang, home=tmp_path / "empty").stdout


def test_at_a_terminal_one_chooses_what_goes_on(tmp_path: Path) -> None:
    kill(["play", "ur", "--seed", "5"], tmp_path, signal.SIGHUP, answers=1)
    child = terminal("resume", home=tmp_path)
    child.expect("Which match goes on")
    child.expect("1  ur-seed-5")
    child.send("1\r")
    child.expect("Light to act:")
    child.sendcontrol("c")
    child.expect(pexpect.EOF)
    child.close()
    assert child.exitstatus == 130


def test_who_does_not_want_to_save_finds_everything_as_it_was(tmp_path: Path) -> None:
    astragal("play", "ur", "--seed", "5", typed="1\n1\nquit\nn\n", home=tmp_path)
    assert not list(tmp_path.rglob("*.json"))
    astragal("play", "ur", "--seed", "5", typed="1\nquit\ny\n", home=tmp_path)
    before = the_record(tmp_path)
    [file] = tmp_path.rglob("*.json")
    astragal("resume", str(file), typed="1\n1\nquit\nn\n", home=tmp_path)
    assert the_record(tmp_path) == before


def test_a_match_that_cannot_be_kept_is_played_and_the_player_is_told_once(tmp_path: Path) -> None:
    (tmp_path / "astragal").write_text("in the way", "utf-8")
    done = astragal("play", "ur", "--seed", "5", typed="1\n1\n1\nquit\nn\n", home=tmp_path)
    assert done.returncode == 0, done.stderr
    assert done.stdout.count("This match is not kept while you play") == 1


def test_what_a_killed_program_left_half_written_is_removed(tmp_path: Path, own_home: Path) -> None:
    folder = own_home / "astragal" / "matches"
    folder.mkdir(parents=True)
    old, young = folder / ".ur-a.json.x1", folder / ".ur-a.json.x2"
    for half in (old, young):
        half.write_text("{", "utf-8")
    os.utime(old, (0, 0))
    assert not list(kept.unfinished())
    assert [file.name for file in folder.iterdir()] == [young.name]


def test_matches_among_bots_are_not_kept(own_home: Path, capsys: pytest.CaptureFixture[str]) -> None:
    match = Match.start(library.game("ur"), seats=(Seat("bot:random"), Seat("bot:random")), seed=1)
    Session(match, Screen("en")).watch()
    assert not list(own_home.rglob("*.json"))


def test_only_records_are_saved_and_under_names_that_say_so(tmp_path: Path) -> None:
    target = tmp_path / "game.pdf"
    done = astragal("play", "ur", "--seed", "5", typed=f"save {target}\nquit\nn\n", home=tmp_path)
    assert "the name should end in .json or .txt" in " ".join(done.stdout.split())
    for command in (["play", "ur"], ["watch", "ur", "--json"]):
        refused = astragal(*command, "--save", str(target), home=tmp_path)
        assert (refused.returncode, refused.stderr.count("\n")) == (2, 1)
        assert "the name should end in .json or .txt" in refused.stderr
    assert not target.exists()


def test_a_match_is_played_in_one_window_at_a_time(tmp_path: Path) -> None:
    kill(["play", "ur", "--seed", "5"], tmp_path, signal.SIGKILL, answers=1)
    [file] = tmp_path.rglob("*.json")
    first = terminal("resume", str(file), home=tmp_path)
    first.expect("Light to act:")
    second = astragal("resume", str(file), typed="1\n1\n", home=tmp_path)
    assert second.returncode == 2
    assert f"{file} is being played in another window" in second.stderr
    first.sendcontrol("c")
    first.expect(pexpect.EOF)
    first.close()
    assert astragal("resume", str(file), typed="1\n", home=tmp_path).returncode == 0
