"""Plays the ladder: in every game each level against the one below it. `make ladder`, or

    python tools/ladder.py --games 1000 --cores 0 --game ID --game ID

Levels play at ladder speed, about 5 ms a move (`strong:ladder`); `--full` gives them their whole thinking time. Every
round is kept in a file below `--folder`, so that a ladder that was stopped goes on where it was. The table it prints is
Markdown, for docs/results.md.
"""

from __future__ import annotations

import argparse
import sys
from itertools import pairwise
from pathlib import Path

import astragal
from astragal import bots
from astragal.arena import contest, job, report
from astragal.core.rules import Game


def rung(game: Game, players: int, one: str, other: str, wanted: argparse.Namespace) -> report.Duel:
    """One level against the next lower one."""
    suffix = "" if wanted.full else ":ladder"
    options = next(iter(game.rules.presets.values()))
    pair = (one + suffix, other + suffix)
    what = job.make_job(game, pair, players=players, options=options, seed="ladder")
    name = f"{game.id}-{players}-{one}-{other}{'-full' if wanted.full else ''}.jsonl"
    file = wanted.folder / name
    with contest.arranged(
        what, job.rounds_for(wanted.games, players), file=file, where=contest.Where(wanted.cores)
    ) as held:
        held.first()
        held.rest(lambda: print(f"\r{name} {len(held.rounds)}/{held.total} ", end="", file=sys.stderr, flush=True))
        print(file=sys.stderr)
        results = report.report(held)
    for wrong in results.faults:
        print(f"{wrong.bot} failed {wrong.times} times: {wrong.first}", file=sys.stderr)
    return results.duels[0]


def main() -> None:
    """Prints the table; exit code 1 if a level does not beat the one below it."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--game", action="append", default=[], choices=list(astragal.games()), help="only this one")
    parser.add_argument("--games", type=int, default=1000, help="of every pairing (default 1000)")
    parser.add_argument("--players", type=int, default=2, help="seats at the table (default 2)")
    parser.add_argument("--cores", type=int, default=0, help="processes (default 0: all cores)")
    parser.add_argument("--full", action="store_true", help="the whole thinking time")
    parser.add_argument("--folder", type=Path, default=Path("ladder"), help="where rounds are kept (default ladder/)")
    wanted = parser.parse_args()
    wanted.folder.mkdir(parents=True, exist_ok=True)
    print(
        "| game | level | against | games | share of the wins | 95 % | Elo | plies a game |",
        "|---|---|---|---|---|---|---|---|",
        sep="\n",
    )
    steps = []
    for id in wanted.game or astragal.games():
        game = astragal.game(id)
        if wanted.players not in game.rules.spec.players:
            continue
        for other, one in pairwise(bots.LEVELS):
            duel = rung(game, wanted.players, one, other, wanted)
            steps.append((duel.share.low or 0) > 0.5)
            between = f"{report.percent(duel.share.low)} to {report.percent(duel.share.high)}"
            print(
                f"| {id} | {one} | {other} | {duel.games} | {report.percent(duel.share.value)} | {between} "
                f"| {report.points(duel.elo.value)} | {duel.plies:.0f} |",
                flush=True,
            )
    if not all(steps):
        raise SystemExit(f"{steps.count(False)} of {len(steps)} levels are not surely better than the one below")


if __name__ == "__main__":
    main()
