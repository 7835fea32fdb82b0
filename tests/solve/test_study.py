"""Figures about play by a table, held against what can be worked out without playing."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from msgspec.structs import replace

import astragal
from astragal.games.ur.options import Options
from astragal.solve import table
from astragal.solve.job import Job
from astragal.solve.kernels_sweep import ONE
from astragal.solve.positions import Positions
from astragal.solve.study import Study
from astragal.solve.table import TableHeader
from tests.games.ur.test_truth import whole

UR = astragal.game("ur")
ROOT = Path(__file__).parents[2]


def near(figure: Any, value: float) -> bool:
    """Within five standard errors."""
    return bool(abs(figure[0] - value) <= 5 * figure[1] + 1e-9)


@pytest.fixture(scope="module")
def figures(tmp_path_factory: pytest.TempPathFactory) -> dict[int, dict[str, Any]]:
    folder = tmp_path_factory.mktemp("tables")
    return {
        pieces: Study(Job(UR, Options(pieces=pieces), folder).run(), UR, cores=2).measure(20_000) for pieces in (1, 2)
    }


def test_a_game_without_choices_is_as_long_as_linear_algebra_says(figures: dict[int, dict[str, Any]]) -> None:
    graph, won, start = whole(1)
    number = {state: k for k, state in enumerate(graph)}
    matrix = np.eye(len(graph))
    for state, throws in graph.items():
        total = sum(weight for weight, _ in throws)
        for weight, (change,) in throws:
            if change.to not in won:
                matrix[number[state], number[change.to]] -= weight / total
    exact = np.linalg.solve(matrix, np.ones(len(graph)))[number[start]]
    found = figures[1]
    assert near(found["throws"], exact)
    assert found["decisions"] == (0.0, 0.0)
    assert found["openings"] == []


@pytest.mark.parametrize("pieces", [1, 2])
def test_perfect_play_wins_as_often_as_the_table_says(pieces: int, figures: dict[int, dict[str, Any]]) -> None:
    found = figures[pieces]
    assert near(found["first_player"], found["value"])
    assert found["unfinished"] == 0
    assert abs(sum(found["gaps"]) - (pieces > 1)) < 1e-3


def test_a_rule_of_thumb_wins_half_less_what_its_decisions_cost(figures: dict[int, dict[str, Any]]) -> None:
    thumbs = figures[2]["thumbs"]
    assert list(thumbs) == ["capture", "rosette", "bring in", "leader"]
    for rule in thumbs.values():
        assert near(rule["won"], rule["wins"][0])  # by counting, and by the table
        assert rule["errs"][0] <= rule["applies"][0]
    assert thumbs["leader"]["applies"] == (1.0, 0.0)
    assert thumbs["capture"]["points"][0] < thumbs["leader"]["points"][0]
    assert figures[1]["thumbs"]["leader"]["wins"][0] == 0.5  # nothing to decide


def test_the_first_decisions_are_listed_with_their_values(figures: dict[int, dict[str, Any]]) -> None:
    openings = {tuple(one["throws"]): one["moves"] for one in figures[2]["openings"]}
    (best, worth), (other, less) = openings["throw-4", "throw-2"]
    assert {best, other} == {"a1-b2", "in-a3"}
    assert worth >= less
    assert all(moves == sorted(moves, key=lambda move: -move[1]) for moves in openings.values())


def test_the_modern_game_is_studied_too(tmp_path: Path) -> None:
    """By a table of nonsense: a right one takes minutes to make."""
    modern = astragal.game("ur-modern")
    options = modern.rules.options_type(pieces=4, layout="royal")
    positions = Positions(modern, options)
    values = np.random.default_rng(1).integers(0, ONE, positions.index.size).astype(np.uint32)
    nonsense = TableHeader(
        game=modern.id, version=modern.rules.spec.version, options=table.solved_options(options),
        positions=positions.index.size, bits=8, precision=4e-5, convention="half", value=0.5, checksum="",
    )  # fmt: skip
    table.write(tmp_path / "x.table", lambda checksum: replace(nonsense, checksum=checksum), iter([values]), 8)
    found = Study(table.Table(tmp_path / "x.table"), modern, cores=2).measure(4)
    assert list(found["thumbs"]) == ["capture", "fortress", "bring in", "hold fortresses"]
    silver = next(one for one in found["openings"] if one["throws"] == ["throw-silver"])
    assert {move for move, _ in silver["moves"]} == {"+b1", "+b7"}  # the Entrance, and the Field of Ishtar (UM-8)
    assert found["throws"][0] > 10


def test_the_tool_makes_and_measures_a_table_where_nothing_is_installed(tmp_path: Path) -> None:
    """Without entry points and from another folder, as on a machine that is lent for an hour."""

    def tool(*words: str) -> str:
        code = "import importlib.metadata as m, runpy, sys\nm.entry_points = lambda **_: m.EntryPoints(())\n" + (
            "sys.argv = sys.argv[1:]\nrunpy.run_path(sys.argv[0], run_name='__main__')"
        )
        done = subprocess.run(
            [sys.executable, "-c", code, str(ROOT / "tools" / "solutions.py"), *words],
            cwd=tmp_path, capture_output=True, text=True, check=True, env={**os.environ, "PYTHONPATH": ""},
        )  # fmt: skip
        return done.stdout

    tool("solve", "--game", "ur", "--preset", "blitz", "--pieces", "2", "--folder", str(tmp_path), "--machine", "mine")
    (file,) = tmp_path.glob("*.table")
    told = json.loads(tool("measure", "--table", str(file), "--games", "200", "--json"))
    assert (told["game"], told["preset"], told["pieces"], told["machine"]) == ("ur", "blitz", 2, "mine")
    assert told["seconds"] > 0
    assert told["sweeps"] > 1
    assert told["positions"] == 20_314


def test_the_page_is_what_the_figures_say() -> None:
    done = subprocess.run(
        [sys.executable, "tools/solutions.py", "write", "--check"],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stdout


def test_the_figures_of_the_classic_game_are_those_of_others() -> None:
    known = {1: 0.53004983952, 2: 0.51857290750, 3: 0.51620110224, 4: 0.51615923356, 5: 0.51602611557,
             6: 0.51573168403, 7: 0.51540473251}  # fmt: skip
    presets = {("blitz", 5): 0.504052555, ("masters", 7): 0.504809002}
    records = json.loads((ROOT / "docs" / "solutions.json").read_text("utf-8"))
    compared = 0
    for one in records:
        if one["game"] == "ur":
            value = known[one["pieces"]] if one["preset"] == "finkel" else presets.get((one["preset"], one["pieces"]))
            if value is not None:
                assert one["bounds"][0] <= value <= one["bounds"][1]
                assert abs(one["value"] - value) <= one["precision"]
                compared += 1
    assert compared >= 4


def test_a_series_makes_and_measures_what_is_missing(tmp_path: Path) -> None:
    out = tmp_path / "figures.json"
    words = [sys.executable, "tools/solutions.py", "series", "ur:finkel:1", "ur:blitz:1", "--folder", str(tmp_path)]
    first = subprocess.run([*words, "--out", str(out)], capture_output=True, text=True, check=False, cwd=ROOT)
    assert first.returncode == 0, first.stderr
    figures = [json.loads(line) for line in out.read_text("utf-8").splitlines()]
    assert [one["preset"] for one in figures] == ["finkel", "blitz"]
    assert figures[0]["value"] == pytest.approx(0.53004983952, abs=1e-6)
    more = [*words[:5], "ur:finkel:2", *words[5:], "--out", str(out), "--seconds", "0"]
    again = subprocess.run(more, capture_output=True, text=True, check=False, cwd=ROOT)
    assert "ur:finkel:2: no time left" in again.stdout
    assert again.stdout.count("is measured") == 2
