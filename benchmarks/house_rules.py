"""Whether networks know rules that they have not learned: `python -m benchmarks.house_rules nile egar --games 4000`.

The networks of games that nobody can solve learned from presets. For every preset at every table, each house rule is
changed by itself, and the network plays without a search against the heuristic on all other seats, which copes with any
rules. Printed is what it wins, with a 95 % interval, beside what would be even; rules under which no network is used
are left out.
"""

from __future__ import annotations

import argparse
import os
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import numpy as np
from msgspec import structs

import astragal
from astragal.bots import network
from astragal.core import options as option_tools
from astragal.core.rules import Game
from tools.selfplay_tables import Table
from tools.selfplay_trial import Trial

NOT_FOR_BOTS = {"begins", "answering", "answer_seconds", "deck"}  # options that change nothing for them


def changed(game: Game, preset: Any) -> Iterator[tuple[str, Any]]:
    """A preset as it is, and with each house rule changed; how that is written, and the options."""
    yield "", preset
    for field in option_tools.fields(game.rules):
        if field.each is not None or field.name in NOT_FOR_BOTS:
            continue
        for value in field.samples():
            if value != getattr(preset, field.name):
                yield f"{field.flag} {field.written(value)}", structs.replace(preset, **{field.name: value})


def won(game: Game, options: Any, players: int, games: int) -> np.ndarray[Any, Any] | None:
    """What the network that is used under these options wins, a game each; None if there is none."""
    seated = game.rules.seated(options, [True] * players)
    found = network.find(game, seated, players)
    if found is None:
        return None
    cores = os.cpu_count() or 1
    trials = [Trial(game, Table(seated, players), found.layers, seed) for seed in range(cores)]
    with ThreadPoolExecutor(cores) as pool:
        return np.concatenate(list(pool.map(lambda trial: trial.contest(-(-games // cores)), trials)))


def main() -> None:
    """Reads the command line."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("games", nargs="+", choices=("nile", "egar"), metavar="GAME")
    parser.add_argument("--games", type=int, default=4000, dest="matches", help="under each of the rules")
    given = parser.parse_args()
    print("| game | preset | house rule | players | % of wins | even |\n|---|---|---|---|---|---|", flush=True)
    began = time.time()
    for id in given.games:
        game = astragal.game(id)
        for name, preset in game.rules.presets.items():
            for rule, options in changed(game, preset):
                for players in game.rules.spec.players:
                    shares = won(game, options, players, given.matches)
                    if shares is not None:
                        margin = 196 * shares.std(ddof=1) / len(shares) ** 0.5
                        print(
                            f"| {id} | `{name}` | {f'`{rule}`' if rule else ''} | {players} "
                            f"| {100 * shares.mean():.1f} ± {margin:.1f} | {100 / players:.1f} |",
                            flush=True,
                        )
    print(f"\n{time.time() - began:.0f} s")


if __name__ == "__main__":
    main()
