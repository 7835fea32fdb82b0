"""Sitting at one screen: secrets, claims, interruptions and file names."""

from __future__ import annotations

import dataclasses
import io
from pathlib import Path
from threading import Event
from typing import Any

import pexpect
import pytest

from astragal.bots import fallback
from astragal.console.screen import Screen
from astragal.core.levels import LEVELS, Level
from astragal.core.record import Seat
from astragal.play.match import Match
from astragal.terminal.session import Session
from tests.core import toy
from tests.terminal.command import astragal
from tests.terminal.test_play import terminal


def test_an_interrupted_match_is_kept(tmp_path: Path) -> None:
    child = terminal("play", "ur", "--seed", "7", "--delay", "0", home=tmp_path)
    child.expect("Light to act:")
    child.sendcontrol("c")
    child.expect("Saved. Go on with")
    child.expect(pexpect.EOF)
    child.close()
    assert child.exitstatus == 130
    assert len(list(tmp_path.rglob("*.json"))) == 1


def sitting(typed: str, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> str:
    """Two humans at one screen play the card game with secrets."""
    match = Match.start(toy.GAME, toy.Options(begins=0), seed=3)
    monkeypatch.setattr("sys.stdin", io.StringIO(typed))
    Session(match, Screen("en")).play()
    return capsys.readouterr().out


def test_nobody_sees_the_next_hand_when_the_input_ends(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    shown = sitting("\nbid\nn\n", capsys, monkeypatch)
    assert "Next at the keyboard: South" in shown
    assert "call" not in shown
    assert "Saved." in shown


def test_a_hint_says_who_gives_it_while_the_bot_that_was_asked_is_prepared(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    asked = Event()

    def fast(options: Any, players: int) -> toy.ToyFast:
        asked.wait(60)
        raise RuntimeError("nobody waits any more")

    levels = dict.fromkeys(LEVELS, Level("Bel", "", "quick"))
    game = dataclasses.replace(toy.GAME, fast=fast, levels=levels)
    match = Match.start(game, toy.Options(begins=0), (Seat(), Seat("bot:random")), seed=3)
    monkeypatch.setattr(fallback, "SOON", 0.05)
    monkeypatch.setattr("sys.stdin", io.StringIO("hint\n"))
    Session(match, Screen("en")).play()
    asked.set()
    shown = capsys.readouterr().out.replace("\n  ", " ")
    assert "This hint is from the bot greedy: Bel (master) is still being prepared." in shown


def test_draw_claims_only_what_is_ones_own(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    shown = sitting("\nbid\nn\n\ndraw\nn\ncall\n", capsys, monkeypatch)
    assert "peace'" not in shown
    assert "Do all players agree on a draw?" in shown


def test_what_ones_own_action_lets_one_claim_is_offered_at_once(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    shown = sitting("\nbid\ny\n", capsys, monkeypatch)
    assert "North may now do this: peace." in shown
    assert "The match is drawn." in shown


def test_a_file_name_with_spaces_can_be_pasted_back(tmp_path: Path) -> None:
    done = astragal("play", "ur", "--seed", "2", typed=f"save {tmp_path / 'my game.json'}\nquit\nn\n")
    assert f"astragal resume '{tmp_path}/my game.json'" in done.stdout
