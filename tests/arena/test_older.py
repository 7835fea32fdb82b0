"""Bots of today against older ones: the short form, against the sources of this very checkout."""

from __future__ import annotations

import json
import subprocess
from contextlib import closing
from pathlib import Path
from random import Random

import pytest

import astragal
from astragal.bots import make
from benchmarks import older, raids
from tests.bots.positions import decisions

SOURCES = Path(older.HERE) / "src"


def test_a_bot_in_another_process_plays_as_it_does_here() -> None:
    game = astragal.game("egar")
    here = make("greedy", game)
    with closing(older.OlderBot(game, "greedy", SOURCES)) as there:
        for number, state in enumerate(decisions(game, 8, players=3, seed=4)):
            view = game.rules.observe(state, game.rules.turn(state))
            luck = Random(Random(number).getrandbits(64))  # what the other process is told
            assert there.choose(view, Random(number)).action == here.choose(view, luck).action


def test_equal_bots_share_the_wins(capsys: pytest.CaptureFixture[str]) -> None:
    found = older.compare(astragal.game("egar"), "quick", SOURCES, players=2, games=20)
    assert found.games == 20
    assert (found.share.low or 0) < 0.5 < (found.share.high or 1)
    assert f"| egar | quick | 2 | 20 | {100 * found.share.value:.1f} % |" in older.row(found)
    with pytest.raises(SystemExit, match="no-such-commit cannot be unpacked"):
        older.main(["ur", "--commit", "no-such-commit"])
    assert older.HEAD in capsys.readouterr().out


def test_sources_of_a_commit_are_unpacked() -> None:
    if subprocess.run(["git", "rev-parse", "HEAD"], cwd=older.HERE, capture_output=True, check=False).returncode:
        pytest.skip("this is no git checkout")
    with older.sources("HEAD") as folder:
        assert (folder / "astragal" / "core" / "rules.py").is_file()
    assert not folder.exists()


def test_bots_of_egar_fight_and_stop_raiders(capsys: pytest.CaptureFixture[str]) -> None:
    """The short form of `python -m benchmarks.raids`; the bots before this command made 0.8 attacks a game."""
    found = raids.measure("quick", 2, 30)
    assert found.attacks[0] - found.attacks[1] > 1
    assert found.declined.whole > 10
    assert found.declined.part == 0, "a favourable attack at hand was declined"
    assert found.missed.whole > 10
    assert found.missed.part / found.missed.whole < 0.5  # it was 0.88
    raids.main(["--bots", "quick", "--players", "2", "--games", "2", "--json"])
    printed = json.loads(capsys.readouterr().out)
    assert printed[0]["games"] == 2
    raids.main(["--bots", "quick", "--players", "4", "--games", "2"])
    assert "| quick | 4 | 2 |" in capsys.readouterr().out
