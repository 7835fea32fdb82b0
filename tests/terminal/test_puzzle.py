"""`astragal puzzle`, as a person types it."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

import astragal as package
from astragal.analysis import puzzles
from tests.terminal.command import astragal

UR = package.game("ur")
ONE = puzzles.set_of(UR).puzzles[0]


def test_a_puzzle_is_put_tried_and_explained(tmp_path: Path) -> None:
    done = astragal("puzzle", "ur", "--id", ONE.id, typed=f"moves\nnonsense\n{ONE.tempting}\n", home=tmp_path)
    assert done.returncode == 0
    assert f"puzzle {ONE.id}" in done.stdout
    assert "'nonsense' is not a move" in done.stdout
    assert "These values are exact" in done.stdout
    assert "0 of 260 solved at the first try" in done.stdout
    kept = json.loads((tmp_path / "astragal" / "puzzles.json").read_text())
    assert kept["ur"][ONE.id]["grade"] != "solved"


def test_only_the_first_try_counts(tmp_path: Path) -> None:
    assert astragal("puzzle", "ur", "--id", ONE.id, "--try", ONE.tempting, home=tmp_path).returncode == 1
    assert astragal("puzzle", "ur", "--id", ONE.id, "--try", ONE.best, home=tmp_path).returncode == 0
    kept = json.loads((tmp_path / "astragal" / "puzzles.json").read_text())
    assert kept["ur"][ONE.id]["grade"] != "solved"


def test_the_trainer_goes_on_until_somebody_leaves_and_gives_no_puzzle_twice(tmp_path: Path) -> None:
    typed = "answer\n" * 2 + "quit\n"
    done = astragal("puzzle", "ur", "--level", "hard", "--lang", "de", typed=typed.replace("answer", "lösung"),
                    home=tmp_path)  # fmt: skip
    assert done.stdout.count(", schwer") == 3
    assert "Am besten ist" in done.stdout


def test_programs_get_the_puzzle_without_its_answer(tmp_path: Path) -> None:
    put = json.loads(astragal("puzzle", "ur", "--json", home=tmp_path).stdout)
    assert put["game"] == "ur"
    assert put["actions"]
    assert "values" not in put
    given = astragal("puzzle", "ur", "--id", put["id"], "--try", put["actions"][0]["text"], "--json", home=tmp_path)
    told = json.loads(given.stdout)
    assert given.returncode == (0 if told["grade"] == "solved" else 1)
    assert len(told["values"]) == len(put["actions"])
    assert json.loads(astragal("puzzle", "--json", home=tmp_path).stdout)["game"] in package.games()


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("ur", "--id", "00"), "there is no puzzle '00'"),
        (("ur", "--try", "in-a9"), "a"),
        (("chess",), "chess"),
        (("ur", "--level", "silly"), "easy|medium|hard"),
    ],
)
def test_what_is_wrong_is_said(tmp_path: Path, words: tuple[str, ...], said: str) -> None:
    done = astragal("puzzle", *words, home=tmp_path)
    assert done.returncode == 2
    assert said in done.stderr


def test_a_damaged_file_of_progress_is_begun_anew(tmp_path: Path) -> None:
    file = tmp_path / "astragal" / "puzzles.json"
    file.parent.mkdir()
    file.write_text("{")
    assert astragal("puzzle", "ur", "--id", ONE.id, "--try", ONE.best, home=tmp_path).returncode == 0
    assert ONE.id in file.read_text()
