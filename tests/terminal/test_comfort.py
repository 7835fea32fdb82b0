"""What people expect of a program in a terminal: help, completion, suggestions, and pictures that fit."""

from __future__ import annotations

import io
import json
import logging
import re
from pathlib import Path

import pexpect
import pytest

from astragal.core import registry
from astragal.core.language import LANGUAGES
from astragal.server import metrics
from tests.terminal.command import ASTRAGAL, astragal

WORDS = [["play", "ur"], ["arena", "nile"], ["serve"], ["convert"], ["admin", "kick"], ["tables", "check"], ["bot"]]
ANSI = re.compile(r"\x1b\[[0-9;?]*[A-Za-z]")


def completed(*words: str) -> list[str]:
    """What a shell is offered for the last word."""
    line = " ".join(["astragal", *words])
    done = astragal(_ASTRAGAL_COMPLETE="bash_complete", COMP_WORDS=line, COMP_CWORD=str(len(words)))
    return [row.partition(",")[2] for row in done.stdout.split()]


@pytest.mark.parametrize("words", WORDS, ids="-".join)
def test_h_is_help(words: list[str]) -> None:
    short = astragal(*words, "-h")
    assert short.returncode == 0
    assert short.stdout == astragal(*words, "--help").stdout
    assert "-h, --help" in short.stdout


@pytest.mark.parametrize("game", registry.games())
def test_the_defaults_of_a_games_options_are_in_its_help(game: str) -> None:
    page = " ".join(astragal("play", game, "--help", COLUMNS="200").stdout.split())
    assert "UNSET" not in page
    assert "Who begins: a seat, or lots [default: lots]" in page
    german = " ".join(astragal("play", game, "--help", "--lang", "de", COLUMNS="200").stdout.split())
    assert "[Vorgabe: lots]" in german


def test_defaults_and_arguments_of_other_commands_are_in_their_help() -> None:
    arena = " ".join(astragal("arena", "ur", "--help").stdout.split())
    assert "Games of every pairing [default: 1000]" in arena
    converting = astragal("convert", "--help", "--lang", "es").stdout
    assert re.search(r"Argumentos:\n +FILE +El registro de una partida", converting)
    assert "Positional" not in converting


@pytest.mark.parametrize(
    ("words", "near"), [(["plya", "ur"], "play"), (["admin", "lsit"], "list"), (["arean", "ur"], "arena")]
)
def test_a_mistyped_command_is_answered_with_the_one_that_was_meant(words: list[str], near: str) -> None:
    done = astragal(*words)
    assert done.returncode == 2
    assert f"did you mean {near}?" in done.stderr


def test_a_shell_completes_commands_games_options_values_bots_and_files() -> None:
    assert {"play", "plan"} & set(completed("pla")) == {"play"}
    assert set(completed("play", "ur")) == {"ur", "ur-modern"}
    assert completed("play", "ur", "--safe") == ["--safe-rosettes"]
    assert completed("play", "ur", "--path", "ma") == ["masters"]
    assert completed("play", "ur", "--seat", "bot:ma") == ["bot:master"]
    assert completed("play", "ur", "--preset", "bl") == ["blitz"]
    assert completed("rules", "ni") == ["nile"]
    replay = astragal(_ASTRAGAL_COMPLETE="bash_complete", COMP_WORDS="astragal replay x", COMP_CWORD="2")
    assert replay.stdout.startswith("file,")
    for shell in ("bash", "zsh", "fish"):
        assert "_ASTRAGAL_COMPLETE" in astragal("completion", shell).stdout


def test_help_is_announced_at_the_first_question_and_after_what_was_not_understood() -> None:
    for lang in LANGUAGES:
        word = {"en": "help", "de": "hilfe", "es": "ayuda"}[lang]
        said = astragal("play", "ur", "--seed", "2", "--lang", lang, typed="castle\n").stdout.lower()
        assert said.count(f": {word}\n") == 2, said


def test_players_are_called_by_their_names() -> None:
    seats = ["--seat", "human:Ida", "--seat", "human:Ben"]
    done = astragal("play", "ur", "--seed", "2", "--begins", "1", *seats, typed="resign\ny\n")
    assert "Ida (Light) to act:" in done.stdout
    assert "Ben (Dark) wins." in done.stdout


def test_the_answers_of_a_question_are_listed_once() -> None:
    done = astragal("play", "egar", "--preset", "quick", "--level", "easy", "--seed", "5", typed="A\n")
    question = done.stdout.partition("Military are to answer.")
    assert "Question for Military (easy)" in question[0]
    option = re.search(r"1  A  (.+)", question[2])
    assert option is not None
    assert question[0].count(option[1]) == 0


@pytest.mark.parametrize("columns", [40, 60, 80])
@pytest.mark.parametrize("game", ["egar", "nile", "ur", "ur-modern"])
def test_nothing_is_wider_than_a_narrow_terminal(game: str, columns: int, tmp_path: Path) -> None:
    env = {"HOME": str(tmp_path), "XDG_DATA_HOME": str(tmp_path), "TERM": "xterm-256color", "LANG": "C.UTF-8"}
    words = ["watch", game, "--seed", "3", "--seat", "bot:random", "--seat", "bot:random", "--delay", "0.02"]
    command = [*ASTRAGAL[1:], *words]
    child = pexpect.spawn(ASTRAGAL[0], command, encoding="utf-8", timeout=60, dimensions=(60, columns), env=env)
    seen = ""
    while len(seen) < 20_000:
        try:
            seen += child.read_nonblocking(4096, timeout=60)
        except pexpect.EOF:
            break
    child.close(force=True)
    lines = ANSI.sub("", seen).replace("\r", "").split("\n")[:-1]
    assert max(map(len, lines)) <= columns
    assert "\x1b[H" in seen, "the table is drawn in place"


def test_the_log_of_a_server_is_for_people_at_a_terminal_and_json_elsewhere(monkeypatch: pytest.MonkeyPatch) -> None:
    class Terminal(io.StringIO):
        def isatty(self) -> bool:
            return True

    for stream in (Terminal(), io.StringIO()):
        monkeypatch.setattr("sys.stderr", stream)
        handlers = {name: logging.getLogger(name).handlers for name in ("astragal.server", "uvicorn")}
        try:
            metrics.start_log()
            metrics.logger.warning("somebody knocks", extra={"match": "abc"})
        finally:
            for name, before in handlers.items():
                logging.getLogger(name).handlers = before
        line = stream.getvalue()
        if stream.isatty():
            assert re.fullmatch(r"\d\d:\d\d:\d\d warning: somebody knocks match=abc\n", line)
        else:
            assert json.loads(line)["match"] == "abc"


def test_after_a_move_bots_turns_and_the_table_stand_where_the_last_table_stood(tmp_path: Path) -> None:
    env = {"HOME": str(tmp_path), "XDG_DATA_HOME": str(tmp_path), "TERM": "xterm-256color", "LANG": "C.UTF-8"}
    words = [*ASTRAGAL[1:], "play", "ur", "--seed", "7", "--delay", "0"]
    child = pexpect.spawn(ASTRAGAL[0], words, encoding="utf-8", timeout=60, dimensions=(40, 80), env=env)
    child.expect("Light to act:")
    child.send("1\r")
    child.expect_exact("\x1b[H\x1b[J")
    child.expect("a new piece")
    child.expect("Light to act:")
    child.close(force=True)
