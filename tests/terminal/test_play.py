"""Playing in a terminal: piped, in a real terminal, plainly, in three languages."""

from __future__ import annotations

import re
import time
from collections.abc import Sequence
from functools import cache
from pathlib import Path

import pexpect
import pytest

import astragal as library
from astragal.console.screen import Screen
from astragal.core import recordfile
from astragal.core.language import LANGUAGES
from astragal.core.verify import verify
from astragal.play.match import Match
from astragal.terminal import words
from astragal.terminal.session import Session
from tests.terminal.command import ASTRAGAL, astragal

GAMES = list(library.games())
BOXES = re.compile(r"[│┌┐└┘─├┤┬┴┼\x1b]")


@pytest.mark.parametrize("game", GAMES)
def test_a_whole_game_against_a_bot_by_numbers(game: str, tmp_path: Path) -> None:
    done = astragal("play", game, "--seed", "3", "--save", str(tmp_path / "game.json"), typed="1\n" * 3000)
    assert done.returncode == 0, done.stderr
    record = recordfile.read(tmp_path / "game.json")
    assert record.result is not None
    assert re.search(r" wins?\.", done.stdout)
    assert all(verdict.good for verdict in verify(record))
    assert max(map(len, done.stdout.split("\n"))) <= 80 + len(str(tmp_path))
    assert "\x1b" not in done.stdout  # no colours in a pipe


@pytest.mark.parametrize("game", GAMES)
@pytest.mark.parametrize("lang", LANGUAGES)
def test_plain_play_is_sentences_only_in_every_language(game: str, lang: str) -> None:
    assert not BOXES.search(plain(game, lang))
    assert "{" not in plain(game, lang)
    assert (plain(game, lang) == plain(game)) == (lang == "en")


@cache
def plain(game: str, *lang: str) -> str:
    """What the first turns of a match print, but for the line that names a file: every run has its own."""
    words = [word for each in lang for word in ("--lang", each)]
    done = astragal("play", game, "--seed", "4", "--plain", *words, typed="1\n" * 25)
    assert done.returncode == 0, done.stderr
    return re.sub(r".*\.json\n", "", done.stdout)


def test_the_language_comes_from_the_locale() -> None:
    german = astragal("games", LANG="de_DE.UTF-8").stdout
    assert german == astragal("games", "--lang", "de").stdout
    assert german != astragal("games").stdout
    assert astragal("games", LC_ALL="C", LANG="de_DE.UTF-8").stdout == astragal("games").stdout


def test_every_command_does_what_it_says(tmp_path: Path) -> None:
    kept = tmp_path / "kept.json"
    typed = """help moves board hint where+b4 mine theirs threats rules in undo in-c4 99 castle b4-b5 draw resign n
        save+KEPT save+KEPT resign y"""
    lines = [line.replace("+", " ").replace("KEPT", str(kept)) for line in typed.split()]
    seats = ["--seat", "bot:greedy", "--seat", "human:Ida"]
    done = astragal("play", "ur", "--seed", "2", "--begins", "2", *seats, typed="\n".join(lines) + "\n")
    assert done.returncode == 0, done.stderr
    for expected in (
        "Dark: Ida",
        "take back to your last decision",  # help
        "Hint: ",
        "b4 is an empty rosette.",
        "Dark has no piece on the board.",
        "No piece is threatened.",
        "**UC-1**",  # rules
        "Taken back to ply",
        "there is no move 99",
        "'castle' is not a move",
        "bots do not agree",
        "Saved.",
        "Dark resigns.",
        "Light wins.",
    ):
        assert expected in done.stdout, expected
    assert recordfile.read(kept).result == (1.0, 0.0)  # saved on at the end


def test_commands_work_in_the_players_own_language(tmp_path: Path) -> None:
    for lang in LANGUAGES:
        own = words.own_words(lang)
        assert len(set(own)) == len(own), lang
        for name in words.COMMANDS:
            assert words.command(name, lang) == (name, "")
    german = dict(zip(words.COMMANDS, words.own_words("de"), strict=True))
    done = astragal("play", "ur", "--seed", "2", "--lang", "de", typed=f"{german['hint']}\n{german['resign']}\nj\n")
    assert done.returncode == 0
    assert "1." in done.stdout or "UC" not in done.stdout
    assert "Traceback" not in done.stderr


def test_leaving_asks_to_save_and_the_match_goes_on(tmp_path: Path) -> None:
    done = astragal("play", "ur", "--seed", "9", typed="1\n1\nquit\ny\n", home=tmp_path)
    [file] = tmp_path.rglob("*.json")
    assert f"astragal resume {file}" in done.stdout
    plies = len(recordfile.read(file).entries)
    more = astragal("resume", str(file), typed="1\nquit\ny\n", home=tmp_path)
    assert more.returncode == 0, more.stderr
    assert len(recordfile.read(file).entries) > plies
    assert astragal("play", "ur", "--seed", "9", typed="1\nquit\nn\n", home=tmp_path).returncode == 0
    assert len(list(tmp_path.rglob("*.json"))) == 1


def test_the_end_of_the_input_loses_nothing(tmp_path: Path) -> None:
    for wanted in (1, 2):  # the second match of the same seed does not overwrite the first
        done = astragal("play", "ur", "--seed", "9", typed="1\n1\n", home=tmp_path)
        assert done.returncode == 0
        assert len(list(tmp_path.rglob("*.json"))) == wanted


def test_friends_at_one_table_agree_on_a_draw() -> None:
    seats = ["--seat", "human:Ida", "--seat", "human:Ben"]
    done = astragal("play", "ur", "--seed", "2", *seats, typed="draw\nn\n1\ndraw\ny\n")
    assert "The players agree on a draw." in done.stdout
    assert "The match is drawn." in done.stdout


def test_a_terminal_without_unicode_gets_plain_signs() -> None:
    done = astragal("play", "ur", "--seed", "2", typed="", PYTHONUTF8="0", PYTHONIOENCODING="ascii")
    assert done.returncode == 0, done.stderr
    assert "+---+" in done.stdout
    assert "?" not in done.stdout


def terminal(*arguments: str, home: Path, python: Sequence[str] = ASTRAGAL[1:]) -> pexpect.spawn[str]:
    """The command in a real terminal of 80 by 40; `python` may run it in another way."""
    env = {"HOME": str(home), "XDG_DATA_HOME": str(home), "TERM": "xterm-256color", "LANG": "C.UTF-8"}
    command = [*python, *arguments]
    return pexpect.spawn(ASTRAGAL[0], command, encoding="utf-8", timeout=60, dimensions=(40, 80), env=env)


def test_a_real_terminal_has_colours_and_completes_moves(tmp_path: Path) -> None:
    child = terminal("play", "ur", "--seed", "7", "--delay", "0", home=tmp_path)
    child.expect("48;5;230m")  # a square in colour
    child.expect("Light to act:")
    child.send("in-\t")  # the only move that begins so
    child.expect("in-a4")
    child.send("\r")
    child.expect("a new piece to a4")
    child.expect("Light to act:")
    child.send("quit\r")
    child.expect("Save the match")
    child.send("n\r")
    child.expect(pexpect.EOF)
    child.close()
    assert child.exitstatus == 0


def test_no_color_is_respected(tmp_path: Path) -> None:
    child = terminal("play", "ur", "--seed", "7", "--no-colour", "--delay", "0", home=tmp_path)
    child.expect("Light to act:")
    assert "48;5;230m" not in (child.before or "")
    child.sendcontrol("c")
    child.expect(pexpect.EOF)
    child.close()
    assert child.exitstatus == 130


def test_the_menu_leads_to_a_game_and_out_again(tmp_path: Path) -> None:
    ur = GAMES.index("ur") + 1
    done = astragal(typed=f"99\n{ur}\n1\n1\nquit\ny\n", home=tmp_path)
    assert done.returncode == 0, done.stderr
    assert "What would you like to play?" in done.stdout
    assert "Please type a number" in done.stdout
    assert "Light to act:" in done.stdout
    again = astragal(typed="1\n1\nquit\ny\n", home=tmp_path)
    assert "1  go on with ur-" in again.stdout
    assert "Light to act:" in again.stdout
    german = astragal(typed=f"{len(GAMES) + 2}\n1\n", home=tmp_path)
    assert "Deutsch" in german.stdout
    assert "Das Königliche Spiel von Ur" in german.stdout


def slow_table(monkeypatch: pytest.MonkeyPatch, answers: list[tuple[float, str]]) -> tuple[Session, list[str]]:
    """A table of EGAR with ten seconds a question, at which each answer takes so many seconds."""
    clock = [0.0]
    told: list[str] = []
    monkeypatch.setattr(time, "monotonic", lambda: clock[0])

    class SlowScreen(Screen):
        def ask(self, question: object, words: object = (), *, seconds: float | None = None) -> str | None:
            if not answers:
                return None
            took, answer = answers.pop(0)
            clock[0] += took
            return answer

        def write(self, text: object = "") -> None:
            told.append(str(text))

    egar = library.game("egar")
    options = egar.rules.options_type(begins=0, answer_seconds=10)
    return Session(Match.start(egar, options, seed=3), SlowScreen("en", plain=True)), told


@pytest.mark.rule("EG-20")
@pytest.mark.parametrize(("took", "late"), [(9.0, False), (11.0, True)])
def test_an_answer_after_its_time_is_silence(monkeypatch: pytest.MonkeyPatch, took: float, late: bool) -> None:
    table, told = slow_table(monkeypatch, [(500.0, "done"), (took, "A")])
    table.play()
    text = "\n".join(told)
    assert "You have 10 seconds." in text
    assert ("The time is over." in text) is late
    assert any("silence" in str(entry) for entry in table.match.record().entries) is late


def test_an_empty_line_is_no_answer_to_an_open_question(tmp_path: Path) -> None:
    flags = ("--answering", "open", "--begins", "1", "--seat", "bot:greedy", "--seat", "human", "--seed", "3")
    done = astragal("play", "egar", *flags, typed="\n\nquit\nn\n", home=tmp_path)
    assert "Question for Samurai" in done.stdout
    assert "do not know the answer" not in done.stdout
