"""Games as Parquet files: what the rows say, and that an export can be stopped and goes on."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pyarrow.parquet as pq
import pytest

import astragal
from astragal.core import options
from astragal.core.types import AstragalError
from astragal.research import export
from astragal.research.export import PART, plan_of


def run(*words: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "astragal", "research", "export", *words]
    return subprocess.run(command, capture_output=True, text=True, check=False, timeout=300)


def test_every_row_is_a_decision_that_can_be_replayed(tmp_path: Path) -> None:
    file = tmp_path / "games.parquet"
    flags = ("--games", "4", "--bots", "greedy,random", "--players", "3", "--tensors", "--json")
    told = json.loads(run("egar", *flags, "--out", str(file)).stdout)
    read = pq.read_table(file)
    rows = read.to_pylist()
    assert told == {"file": str(file), "card": str(file.with_suffix(".md")), "games": 4, "rows": len(rows)}
    plan = json.loads(read.schema.metadata[b"astragal"])
    rules = astragal.rules("egar")
    chosen = options.convert(rules, plan["options"])
    game = astragal.game("egar")
    assert game.fast is not None
    fast = game.fast(chosen, 3)
    for row in rows[::7]:
        state = rules.from_position(row["position"], chosen, 3)
        assert rules.turn(state) == row["seat"]
        assert len(rules.legal(state)) == row["legal"]
        number = int(fast.decisions[row["number"]])
        assert rules.encode(fast.action(fast.pack(state), number)) == row["action"]
        assert row["tensor"] == pytest.approx(fast.observe(fast.pack(state), row["seat"]).tolist())
    for number in range(4):
        results = {row["seat"]: row["result"] for row in rows if row["game"] == number}
        assert sum(results.values()) == pytest.approx(1) or len(results) < 3
    card = file.with_suffix(".md").read_text("utf-8")
    assert "4 games of `egar`" in card
    assert all(f"| `{name}` |" in card for name in read.column_names)


def test_an_export_that_was_stopped_goes_on_and_gives_the_same(tmp_path: Path) -> None:
    game = astragal.game("ur")
    plan = plan_of(game, {"pieces": 1}, ["random"], PART + 20, players=None, seed="x", tensors=False)
    whole, stopped = tmp_path / "whole.parquet", tmp_path / "stopped.parquet"
    export.export(plan, whole)

    def stop(done: int) -> None:
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        export.export(plan, stopped, stop)
    (part,) = (tmp_path / "stopped.parquet.parts").glob("*.parquet")
    before = part.stat().st_mtime_ns
    other = plan_of(game, {"pieces": 2}, ["random"], 10, players=None, seed="x", tensors=False)
    with pytest.raises(AstragalError, match="holds the parts of another export"):
        export.export(other, stopped)
    kept: list[Any] = []
    export.export(plan, stopped, lambda done: kept.append(part.stat().st_mtime_ns if done == PART else done))
    assert kept == [before, PART + 20], "the part that was there was not played again"
    assert pq.read_table(whole).equals(pq.read_table(stopped))
    assert not (tmp_path / "stopped.parquet.parts").exists()


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["--bots", "a-bot"], "there is no bot 'a-bot'"),
        (["--bots", "random,random,random"], "ur is for 2 players, not 3"),
        (["--bots", ""], "option bots: 0 bots for 2 seats"),
        (["--games", "0"], "option games: must be 1 or more, not 0"),
        (["--out", "/proc/none/x.parquet"], "cannot be written"),
    ],
)
def test_bad_input_is_one_line(words: list[str], said: str, tmp_path: Path) -> None:
    out = [] if "--out" in words else ["--out", str(tmp_path / "x.parquet")]
    done = run("ur", *words, *out)
    assert done.returncode == 2
    assert said in done.stderr
    assert done.stderr.count("\n") == 1
