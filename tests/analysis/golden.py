"""Golden reviews: `make golden` writes them anew, test_golden_reviews.py compares.

A changed file means that a value, a threshold or a formula changed: read the difference before you commit it.
"""

from __future__ import annotations

import json
import os
import tempfile
from collections.abc import Iterator
from pathlib import Path

import msgspec

import astragal
from astragal.analysis.report import Review
from astragal.analysis.review import review
from astragal.core.record import Record
from astragal.solve.job import Job
from tests.analysis.matches import TWO, UR, match_of, with_take_backs

FOLDER = Path(__file__).parent / "golden"


def records() -> Iterator[tuple[str, Record]]:
    """Every file's name, and the record that is reviewed."""
    yield "ur-by-table", with_take_backs().record()
    yield "ur-by-table-bots", match_of("greedy", "random", seed=9)
    for id, players, changes in (("nile", 3, {"board": "small"}), ("egar", 2, {})):
        game = astragal.game(id)
        options = msgspec.structs.replace(next(iter(game.rules.presets.values())), **changes)
        seated = game.rules.seated(options, [True] * players)
        yield f"{id}-by-search", match_of(*["greedy"] * players, game=game, options=seated, seed=8)


def written(made: Review) -> str:
    """A review as it is kept: four digits are enough to see a change."""
    plain = json.loads(msgspec.json.encode(made), parse_float=lambda text: round(float(text), 4))
    return msgspec.json.format(msgspec.json.encode(plain), indent=1).decode() + "\n"


def main() -> None:
    """Writes all files."""
    FOLDER.mkdir(exist_ok=True)
    with tempfile.TemporaryDirectory() as tables:
        os.environ["ASTRAGAL_TABLES"] = tables
        Job(UR, TWO, Path(tables)).run()
        for name, record in records():
            (FOLDER / f"{name}.json").write_text(written(review(record, quick=True)), "utf-8")
            print(f"{FOLDER / name}.json")


if __name__ == "__main__":
    main()
