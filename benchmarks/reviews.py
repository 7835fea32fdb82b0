"""How long reviews take: `python -m benchmarks.reviews`.

Each match is played by bots from a fixed seed and reviewed twice in one process; the second time is printed, since
the first one compiles. Seconds are those of one core (`time.process_time`), so that a busy machine changes them little;
how busy it was is printed too.

    python -m benchmarks.reviews --json
    python -m benchmarks.reviews --only Ur
"""

from __future__ import annotations

import argparse
import json
import os
import tempfile
import time
from collections.abc import Iterator
from itertools import count
from pathlib import Path
from typing import Any, NamedTuple

import msgspec

import astragal
from astragal.analysis.review import review
from astragal.core.record import Record, Seat
from astragal.play.match import Match
from astragal.solve.job import Job

SOLVED: tuple[str, dict[str, Any]] = (
    "masters",
    {"pieces": 3},
)  # of the match by table, which is made here


class Case(NamedTuple):
    """A match to be reviewed."""

    name: str
    game: str
    players: int
    preset: str
    changes: dict[str, Any]
    bots: str = "greedy"
    plies: int = 0  # matches are played until one is as long as this


LONG = 300  # plies of the matches of Ur that go by table and by network

CASES = (
    Case("Ur by table", "ur", 2, *SOLVED, "random", LONG),
    Case("Ur by network", "ur", 2, "finkel", {}, "random", LONG),
    Case("Ur (blitz) by network", "ur", 2, "blitz", {}, "random", LONG),
    Case("Ur by search", "ur", 2, "finkel", {"capture_throws": True}, "random"),
    Case("Heaven and Earth by network", "ur-modern", 2, "lanes", {}),
    Case("Heaven and Earth by search", "ur-modern", 2, "royal", {"placing_captures": False}),
    Case("Nile, 2 players", "nile", 2, "nile", {}),
    Case("Nile, 4 players", "nile", 4, "nile", {}),
    Case("EGAR, 2 players", "egar", 2, "standard", {}),
    Case("EGAR, 4 players", "egar", 4, "standard", {}),
)


def played(case: Case) -> Record:
    """The first of the case's matches that is long enough."""
    game = astragal.game(case.game)
    options = msgspec.structs.replace(game.rules.presets[case.preset], **case.changes)
    seated = game.rules.seated(options, [True] * case.players)
    for seed in count():
        match = Match.start(game, seated, [Seat(f"bot:{case.bots}")] * case.players, seed=seed)
        while match.step() is not None:
            pass
        if match.ply >= case.plies:
            return match.record()
    raise AssertionError("seeds never end")


def timed(record: Record, *, quick: bool) -> tuple[float, Any]:
    """Seconds of one core, and the review."""
    began = time.process_time()
    made = review(record, quick=quick)
    return time.process_time() - began, made


def rows(only: str) -> Iterator[dict[str, Any]]:
    """What each case takes whose name begins so."""
    for case in CASES:
        if not case.name.startswith(only):
            continue
        record = played(case)
        timed(record, quick=True)
        full, made = timed(record, quick=False)
        row = {"match": case.name, "judged by": made.evaluator, "plies": len(made.steps), "seconds": full}
        if made.evaluator == "heuristic":
            row["quick"] = timed(record, quick=True)[0]
        yield row


def main() -> None:
    """Prints a table, or JSON."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--json", action="store_true")
    parser.add_argument("--only", default="", help="cases whose name begins so")
    asked = parser.parse_args()
    with tempfile.TemporaryDirectory() as tables:
        os.environ["ASTRAGAL_TABLES"] = tables
        if "Ur by table".startswith(asked.only):
            game = astragal.game("ur")
            preset, changes = SOLVED
            Job(game, msgspec.structs.replace(game.rules.presets[preset], **changes), Path(tables)).run()
        if asked.json:
            print(json.dumps({"load": os.getloadavg(), "rows": list(rows(asked.only))}))
            return
        print(f"load {' '.join(f'{one:.1f}' for one in os.getloadavg())} on {os.cpu_count()} cores\n")
        print("| match | judged by | plies | in full | `--quick` |\n|---|---|---|---|---|")
        for row in rows(asked.only):
            quick = f"{row['quick']:.2f} s" if "quick" in row else ""
            print(
                f"| {row['match']} | {row['judged by']} | {row['plies']} | {row['seconds']:.2f} s | {quick} |",
                flush=True,
            )


if __name__ == "__main__":
    main()
