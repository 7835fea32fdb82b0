"""At one table: clocks, pauses, take-backs, seats that change hands, and another match."""

from __future__ import annotations

import re
from pathlib import Path

import pexpect
import pytest

from astragal.core import recordfile
from astragal.core.record import Counted, HandedOver, Paused, Resumed, Seat, TimedOut, TookBack
from tests.terminal.command import astragal
from tests.terminal.test_play import terminal

TWO = ("--seat", "human:Ida", "--seat", "human:Ben")
FULL = r"(1:00:00|59:5\d)"  # an hour, of which a busy machine may need some seconds


def kept(home: Path) -> Path:
    [file] = home.rglob("*.json")
    return file


@pytest.mark.parametrize("plain", [False, True])
def test_a_clock_falls_while_nobody_types(tmp_path: Path, plain: bool) -> None:
    flags = ("--plain",) if plain else ()
    child = terminal("play", "ur", "--begins", "1", "--seed", "7", "--clock", "5s/move", *TWO, *flags, home=tmp_path)
    child.expect(r"Ida \(Light\) to act, 0:0[1-5] left:")  # a busy machine asks late
    if not plain:
        child.expect("\x1b\\[0m0?:?0?[0-4]")  # it ticks: only what changes is written
    child.expect("Light has run out of time.")
    child.expect(r"Ben \(Dark\) wins\.")
    child.expect("Play again")
    child.send("n\r")
    child.expect(pexpect.EOF)
    child.close()
    assert child.exitstatus == 0
    record = recordfile.read(kept(tmp_path))
    assert record.entries[-1] == TimedOut(0)
    assert record.result == (0.0, 1.0)


@pytest.mark.rule("EG-20")
@pytest.mark.long
def test_the_time_of_an_answer_is_over_while_nobody_types(tmp_path: Path) -> None:
    flags = ("--begins", "1", "--answer-seconds", "10", "--seed", "3", *TWO)
    child = terminal("play", "egar", *flags, "--delay", "0", home=tmp_path)
    child.expect("to act:")
    child.send("done\r")
    child.expect("You have 10 seconds")
    child.expect("The time is over.")
    child.expect("to act:")
    child.sendcontrol("c")
    child.expect(pexpect.EOF)
    child.close()
    assert any("silence" in str(entry) for entry in recordfile.read(kept(tmp_path)).entries)


SLOW_TO_LOAD = """
import sys
from astragal import cli
from astragal.terminal import session

on_time, late = session.now, []

class Slow:
    def find_spec(self, name, path=None, target=None):
        if name.partition(".")[0] in ("asyncio", "prompt_toolkit"):
            late.append(name)

sys.meta_path.insert(0, Slow())
session.now = lambda: on_time() + 60_000 * len(late)
cli.main()
"""  # each of these modules takes a minute by the clocks


def test_loading_what_asks_the_first_question_costs_nobody_time(tmp_path: Path) -> None:
    words = ("play", "ur", "--begins", "1", "--seed", "7", "--clock", "1h+0s", *TWO)
    child = terminal(*words, home=tmp_path, python=("-c", SLOW_TO_LOAD))
    child.expect(rf"Ida \(Light\) to act, {FULL} left:")
    child.close(force=True)


def test_a_move_in_time_is_made_and_the_clock_is_told(tmp_path: Path) -> None:
    child = terminal("play", "ur", "--begins", "1", "--seed", "7", "--clock", "1h+30s", *TWO, home=tmp_path)
    child.expect(rf"Ida \(Light\) to act, {FULL} left:")
    child.send("clock\r")
    child.expect("Light: [0-9:]+ left.")
    child.expect("Dark: 1:00:00 left.")
    child.send("1\r")
    child.expect(rf"Ben \(Dark\) to act, {FULL} left:")
    child.send("clock\r")
    child.expect("Light: 1:00:([1-3]|0[1-9])")  # what was added is more than what was used
    child.send("quit\r")
    child.expect("Save the match")
    child.send("n\r")
    child.expect(pexpect.EOF)
    child.close()
    assert child.exitstatus == 0


def test_without_a_clock_none_runs_and_a_wrong_one_is_refused(tmp_path: Path) -> None:
    assert "No clock runs in this match." in astragal("play", "ur", typed="clock\n", home=tmp_path).stdout
    wrong = astragal("play", "ur", "--clock", "soon", home=tmp_path)
    assert wrong.returncode == 2
    assert wrong.stderr == "astragal: option clock: 'soon' is not one of none, 30s/move, 5m+3s, 3d/move\n"
    assert astragal("resume", str(kept(tmp_path)), "--clock", "0/move").returncode == 2
    more = astragal("resume", str(kept(tmp_path)), "--clock", "3d/move", typed="clock\n", home=tmp_path)
    assert re.search(r"to act, (3d 0:00:00|2d 23:59:5\d) left:", more.stdout)


def test_taking_back_needs_all_who_sit_at_the_table(tmp_path: Path) -> None:
    done = astragal("play", "ur", "--begins", "1", "--seed", "2", *TWO, typed="1\nundo\nn\nundo\ny\n", home=tmp_path)
    assert done.stdout.count("Do all players agree to take this back?") == 2
    assert done.stdout.count("Taken back to ply") == 1
    assert any(isinstance(entry, TookBack) for entry in recordfile.read(kept(tmp_path)).entries)


@pytest.mark.rule("EG-20")
def test_a_refused_answer_counts_if_all_who_sit_at_the_table_agree(tmp_path: Path) -> None:
    flags = ("--begins", "1", "--answering", "open", "--seed", "3", *TWO)
    typed = "done\nsomething surely wrong\ncount\nn\ncount\ny\n"
    done = astragal("play", "egar", *flags, typed=typed, home=tmp_path)
    assert "something surely wrong: wrong." in done.stdout
    assert "The right answer is:" in done.stdout
    assert done.stdout.count("Do all players agree that the refused answer counts?") == 2
    assert done.stdout.count("The players agree that the answer of") == 1
    assert any(isinstance(entry, Counted) for entry in recordfile.read(kept(tmp_path)).entries)
    early = astragal("play", "egar", *flags, typed="count\ny\n", home=tmp_path)
    assert "there is no refused answer to count" in (early.stdout + early.stderr).lower()


def test_a_pause_lasts_until_somebody_goes_on_also_over_a_save(tmp_path: Path) -> None:
    done = astragal("play", "ur", "--seed", "2", *TWO, typed="pause\nn\npause\ny\n\n1\npause\ny\n", home=tmp_path)
    assert done.returncode == 0, done.stderr
    assert done.stdout.count("The match is paused.") == 2
    assert done.stdout.count("The match goes on.") == 1
    assert recordfile.read(kept(tmp_path)).entries[-1] == Paused()
    more = astragal("resume", str(kept(tmp_path)), typed="\n1\n", home=tmp_path)
    assert "Press Enter to go on." in more.stdout
    assert "The match goes on." in more.stdout
    entries = recordfile.read(kept(tmp_path)).entries
    assert entries.count(Resumed()) == 2
    assert entries[-1] not in (Paused(), Resumed())


def test_somebody_else_plays_on(tmp_path: Path) -> None:
    typed = "seat\nseat bot:genius\nseat human:Eva\nseat bot:random\n"
    done = astragal("play", "ur", "--pieces", "1", "--seed", "2", typed=typed, home=tmp_path)
    assert done.returncode == 0, done.stderr
    assert "'' is not one of human, human:NAME, bot:NAME" in done.stdout
    assert "there is no bot 'genius'" in done.stdout
    assert "Light is played by Eva from now on." in done.stdout
    assert "Light is played by random from now on." in done.stdout
    assert " wins." in done.stdout  # two bots need nobody, and nobody is asked for another match
    assert "Play again" not in done.stdout


def test_another_match_and_the_loser_chooses_who_begins(tmp_path: Path) -> None:
    typed = "resign\ny\ny\n7\n2\n1\n"
    done = astragal("play", "ur-modern", "--begins", "1", "--seed", "2", *TWO, typed=typed, home=tmp_path)
    assert done.returncode == 0, done.stderr
    assert done.stdout.count("chooses who begins (1 to 2):") == 2
    first, second = sorted((recordfile.read(file) for file in tmp_path.rglob("*.json")), key=lambda r: r.result is None)
    assert first.result == (0.0, 1.0)
    assert second.result is None
    assert second.header.seats == first.header.seats == (Seat("human", "Ida"), Seat("human", "Ben"))
    assert {**first.header.options, "begins": 1} == second.header.options
    assert first.header.match != second.header.match


def test_another_match_against_a_bot_begins_with_lots_and_full_clocks(tmp_path: Path) -> None:
    typed = "resign\ny\ny\nclock\nseat bot:random\n"
    done = astragal("play", "ur", "--pieces", "1", "--seed", "2", "--clock", "5+0", typed=typed, home=tmp_path)
    assert done.returncode == 0, done.stderr
    assert done.stdout.count("Light: human") == 2
    assert "Light: 5:00 left." in done.stdout
    first, second = sorted((recordfile.read(file) for file in tmp_path.rglob("*.json")), key=lambda r: len(r.entries))
    assert second.header.options == {**first.header.options, "begins": "lots"}
    assert HandedOver(0, Seat("bot:random")) in second.entries
