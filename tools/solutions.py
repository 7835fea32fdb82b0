"""What solved games are like: figures from tables, and docs/solutions.md from the figures.

    .venv/bin/python tools/solutions.py solve --game GAME --preset NAME --pieces 4 --folder tables
    .venv/bin/python tools/solutions.py measure --table FILE --json > figures.json
    .venv/bin/python tools/solutions.py series ur:finkel:7 ur-modern:lanes:4 --folder tables --out figures.json
    .venv/bin/python tools/solutions.py merge figures.json ...      # into docs/solutions.json
    .venv/bin/python tools/solutions.py write                       # docs/solutions.md and its pictures

`series` makes and measures many, and begins no further one after --seconds. These three need only
the package's modules, NumPy and Numba, so that they run where it is not installed.
"""

from __future__ import annotations

import argparse
import importlib
import os
import platform
import subprocess
import sys
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import msgspec

ROOT = Path(__file__).parent.parent
sys.path.insert(0, str(ROOT / "src"))
sys.path.insert(0, str(ROOT))

from astragal.core import options as option_values  # noqa: E402
from astragal.core.rules import Game  # noqa: E402
from astragal.solve.table import name_of as table_name  # noqa: E402
from tools import solutions_page  # noqa: E402

DATA = ROOT / "docs" / "solutions.json"
GAMES = {"ends": 100_000, "half": 10_000}  # games a figure is the mean of; those that need not end are long


def game_of(id: str) -> Game:
    """A game by its id, also where the package is not installed and has no entry points."""
    found: Game = importlib.import_module(f"astragal.games.{id.replace('-', '_')}").GAME
    return found


def chosen(game: Game, given: argparse.Namespace) -> Any:
    """The options that the command line asks for."""
    known = {field.name: field for field in option_values.fields(game.rules)}
    asked = {}
    for item in given.set:
        name, _, value = item.partition("=")
        asked[name] = known[name].read(value)
    if given.pieces is not None:
        asked["pieces"] = given.pieces
    return option_values.build(game.rules, given.preset, asked)


def preset_of(game: Game, options: dict[str, Any]) -> str:
    """The preset that these options are, but for the number of pieces; empty if none."""
    for name, preset in game.rules.presets.items():
        plain = option_values.to_plain(preset)
        if all(options.get(key) == value for key, value in plain.items() if key not in ("begins", "pieces")):
            return name
    return ""


def solve(given: argparse.Namespace) -> None:
    """Makes a table, and notes beside it how long that took and where."""
    from astragal.solve.job import Job
    from astragal.solve.machine import machine_for

    game = game_of(given.game)
    given.folder.mkdir(parents=True, exist_ok=True)
    job = Job(game, chosen(game, given), given.folder, precision=given.precision, bits=given.bits, bounds=given.bounds)
    machine = machine_for(job.index, given.device)
    begun = time.perf_counter()
    made = job.run(machine=machine)
    note = {
        "seconds": round(time.perf_counter() - begun, 2),
        "sweeping": round(job.seconds, 2),
        "machine": given.machine or f"{os.cpu_count()} cores, {platform.machine()}",
        "sweeps": [proof.sweeps for proof in job.proofs],
        "widest": max(proof.gap for proof in job.proofs),
        "differ": sum(proof.differ for proof in job.proofs),
    }
    made.file.with_suffix(".note.json").write_bytes(msgspec.json.encode(note))
    print(f"{made.file}: {made.header.value:.7f} in {note['seconds']} s")


def measure(given: argparse.Namespace) -> None:
    """Figures of one table."""
    from astragal.solve.study import Study
    from astragal.solve.table import Table

    table = Table(given.table)
    header = table.header
    game = game_of(header.game)
    if given.game not in (None, header.game) or given.pieces not in (None, header.options["pieces"]):
        sys.exit(f"{given.table} is for {header.game} with {header.options['pieces']} pieces")
    note_file = given.table.with_suffix(".note.json")
    note = msgspec.json.decode(note_file.read_bytes()) if note_file.exists() else {}
    told = {
        "game": header.game,
        "preset": preset_of(game, header.options),
        "pieces": header.options["pieces"],
        "options": header.options,
        "precision": header.precision,
        "convention": header.convention,
        "bits": header.bits,
        "loss": header.loss,
        "sweeps": header.sweeps,
        "seconds": given.seconds if given.seconds is not None else note.get("seconds"),
        "sweeping": note.get("sweeping"),
        "machine": given.machine or note.get("machine"),
        "widest": note.get("widest"),
        "differ": note.get("differ"),
        **Study(table, game).measure(given.games or GAMES[header.convention]),
    }
    if given.json:
        print(msgspec.json.encode(told).decode())
    else:
        print(solutions_page.shown(told))


def series(given: argparse.Namespace) -> None:
    """Makes tables, and measures each while the next is made. What is there already is only measured."""
    begun = time.monotonic()
    with ThreadPoolExecutor(1) as pool:
        jobs = []
        for each in given.each:
            id, preset, pieces = each.split(":")
            game = game_of(id)
            wanted = argparse.Namespace(
                **{**vars(given), "game": id, "preset": preset, "pieces": int(pieces), "set": []}
            )
            file = given.folder / table_name(game, chosen(game, wanted))
            if not file.exists():
                if time.monotonic() - begun > given.seconds:
                    print(f"{each}: no time left", flush=True)
                    continue
                solve(wanted)
            jobs.append(pool.submit(_measured, file, given.out))
        for job in jobs:
            print(job.result(), flush=True)


def _measured(file: Path, out: Path) -> str:
    """Has a table measured by another process, so that the next can be made meanwhile."""
    words = [sys.executable, __file__, "measure", "--table", str(file), "--json"]
    told = subprocess.run(words, capture_output=True, text=True, check=False)
    if told.returncode:
        return f"{file}: {told.stderr}"
    with out.open("a", encoding="utf-8") as opened:
        opened.write(told.stdout)
    return f"{file} is measured"


def merge(given: argparse.Namespace) -> None:
    """Puts figures into docs/solutions.json; those of the same rules take the place of older ones."""
    kept = {_key(record): record for record in (msgspec.json.decode(DATA.read_bytes()) if DATA.exists() else [])}
    for file in given.files:
        for line in file.read_text("utf-8").splitlines():
            if line.startswith("{"):
                record = msgspec.json.decode(line)
                kept[_key(record)] = record
    lines = ",\n".join(msgspec.json.encode(kept[key]).decode() for key in sorted(kept))
    DATA.write_text(f"[\n{lines}\n]\n", "utf-8")
    print(f"{DATA}: {len(kept)} tables")


def _key(record: dict[str, Any]) -> tuple[str, str, int]:
    return record["game"], record["preset"], record["pieces"]


def write(given: argparse.Namespace) -> None:
    """Fills in the figures of docs/solutions.md, and draws its pictures."""
    made = solutions_page.files(ROOT / "docs", msgspec.json.decode(DATA.read_bytes()), game_of)
    stale = [file for file, text in made.items() if not file.exists() or file.read_text("utf-8") != text]
    for file in stale:
        if given.check:
            print(f"{file} is not what docs/solutions.json says: tools/solutions.py write")
        else:
            file.write_text(made[file], "utf-8")
            print(file)
    if given.check and stale:
        sys.exit(1)


def add_options(parser: argparse.ArgumentParser) -> None:
    """What says which game is solved, and where."""
    parser.add_argument("--game", required=True)
    parser.add_argument("--preset")
    parser.add_argument("--pieces", type=int)
    parser.add_argument("--set", action="append", default=[], metavar="OPTION=VALUE")
    parser.add_argument("--device", choices=("cpu", "cuda"), default="cpu")


def _add_ways(parser: argparse.ArgumentParser) -> None:
    """How tables are made."""
    parser.add_argument("--folder", type=Path, required=True)
    parser.add_argument("--precision", type=float)
    parser.add_argument("--bounds", action="store_true", help="bounds too, where games need not end")
    parser.add_argument("--bits", type=int, choices=(8, 16), default=16)
    parser.add_argument("--machine", default="", help="what it runs on, in words")


def main() -> None:
    """Reads the command line."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    commands = parser.add_subparsers(required=True)

    solving = commands.add_parser("solve", help="make a table and note how long it took")
    add_options(solving)
    _add_ways(solving)
    solving.set_defaults(run=solve)

    many = commands.add_parser("series", help="make and measure many tables")
    many.add_argument("each", nargs="+", metavar="GAME:PRESET:PIECES")
    many.add_argument("--out", type=Path, required=True, help="the file that figures are added to")
    many.add_argument("--seconds", type=float, default=1e9, help="begin no further table after this time")
    many.add_argument("--device", choices=("cpu", "cuda"), default="cpu")
    _add_ways(many)
    many.set_defaults(run=series)

    measuring = commands.add_parser("measure", help="figures of a table")
    measuring.add_argument("--table", type=Path, required=True)
    measuring.add_argument("--game")
    measuring.add_argument("--pieces", type=int)
    measuring.add_argument("--games", type=int, help="games a figure is the mean of")
    measuring.add_argument("--seconds", type=float, help="how long the solution took, if no note is beside the table")
    measuring.add_argument("--machine", default="", help="what it ran on, in words")
    measuring.add_argument("--json", action="store_true")
    measuring.set_defaults(run=measure)

    merging = commands.add_parser("merge", help="figures into docs/solutions.json")
    merging.add_argument("files", type=Path, nargs="+")
    merging.set_defaults(run=merge)

    writing = commands.add_parser("write", help="docs/solutions.md from docs/solutions.json")
    writing.add_argument("--check", action="store_true", help="only say whether they fit")
    writing.set_defaults(run=write)

    given = parser.parse_args()
    given.run(given)


if __name__ == "__main__":
    main()
