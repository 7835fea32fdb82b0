"""How long people wait for the opponents of a game: right after installing, and afterwards.

    python -m benchmarks.first_moves --moves 30

Each level answers in a process of its own that finds no compiled code on the disk, as right after installing, and as
the server asks it: the fallback, which is the greedy bot, moves until it is compiled. Printed are the seconds until the
first answer, counted from before anything of ours is imported, and from whom it came; after how many seconds the level
answers itself; and then the median and the longest of some moves at its full thinking time, of random games.
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from typing import Any


def measured(id: str, level: str, players: int, moves: int) -> dict[str, Any]:
    """The waits for one level, in this process."""
    begin = time.perf_counter()
    from random import Random
    from statistics import median

    import astragal
    from astragal import bots
    from benchmarks.bots import positions

    game, rng = astragal.game(id), Random(1)
    views = positions(game, players, rng)
    view = next(views)
    bot = bots.make(level, game, at_once=True)
    choice = bot.choose(view, rng)
    first, by = time.perf_counter() - begin, choice.by
    while choice.by:
        choice = bot.choose(view, rng)
    own, spent = time.perf_counter() - begin, []
    for _ in range(moves):
        view = next(views)
        start = time.perf_counter()
        choice = bot.choose(view, rng)
        spent.append(time.perf_counter() - start)
        if choice.fault is not None:
            raise SystemExit(f"{level} of {id}: {choice.fault}")
    return {
        "game": id, "players": players, "level": level, "first": first, "by": by or level, "own": own,
        "median": median(spent), "longest": max(spent),
    }  # fmt: skip


def in_a_new_process(id: str, level: str, players: int, moves: int) -> dict[str, Any]:
    """The same in a process that finds nothing compiled."""
    with tempfile.TemporaryDirectory() as empty:
        words = [sys.executable, "-m", "benchmarks.first_moves", "--one", id, level, str(players), str(moves)]
        done = subprocess.run(
            words, env={**os.environ, "ASTRAGAL_CACHE": empty}, stdout=subprocess.PIPE, text=True, check=True
        )
    told: dict[str, Any] = json.loads(done.stdout)
    return told


def tables() -> Iterator[tuple[str, int]]:
    """Every game at its smallest and its largest table."""
    import astragal

    for id, game in astragal.games().items():
        for players in sorted({min(game.rules.spec.players), max(game.rules.spec.players)}):
            yield id, players


def row(told: dict[str, Any]) -> str:
    """A line of the table in Markdown."""
    return (
        f"| {told['game']}, {told['players']} players | {told['level']} | {told['first']:.1f} s | {told['by']} "
        f"| {told['own']:.1f} s | {1000 * told['median']:.0f} ms | {1000 * told['longest']:.0f} ms |"
    )


def main() -> None:
    """Reads the command line."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--moves", type=int, default=30, help="of each level, once it is compiled")
    parser.add_argument("--levels", help="with commas between them; else all")
    parser.add_argument("--json", action="store_true", help="a line for each level instead of a table")
    parser.add_argument("--one", nargs=4, help=argparse.SUPPRESS)
    given = parser.parse_args()
    if given.one:
        id, level, players, moves = given.one
        print(json.dumps(measured(id, level, int(players), int(moves))))
        return
    from astragal.core.levels import LEVELS

    levels = given.levels.split(",") if given.levels else LEVELS
    if not given.json:
        print("| game | bot | first answer | by | itself after | a move, median | the longest |")
        print("|---|---|---|---|---|---|---|", flush=True)
    for id, players in tables():
        for level in levels:
            told = in_a_new_process(id, level, players, given.moves)
            print(json.dumps(told) if given.json else row(told), flush=True)


if __name__ == "__main__":
    main()
