"""Random games by the readable rules, by the compiled ones and by named peers, side by side: `make bench`.

All play in one process, in turns of half a second, so that whatever else the machine does hits all alike. Compiling and
first calls are not counted. A ply is a throw, a draw or a move.

    python -m benchmarks.games --seconds 10 --only ur --json
"""

from __future__ import annotations

import argparse
import json
import os
import random
import sys
import time
from bisect import bisect
from collections.abc import Mapping
from functools import cache, partial
from itertools import accumulate
from typing import Any

import numpy as np

import astragal
from astragal.core.compiled import cpu
from astragal.core.fast import Fast, random_games
from astragal.core.rules import AnyRules
from astragal.core.types import CHANCE, OVER
from benchmarks import peers
from benchmarks.peers import Play

TURN = 0.5  # seconds
MOST_PLIES = 20_000


@cache
def ladder(outcomes: tuple[tuple[Any, int], ...]) -> tuple[list[Any], list[int]]:
    """Outcomes and their running sums."""
    return [action for action, _ in outcomes], list(accumulate(weight for _, weight in outcomes))


def draw(outcomes: tuple[tuple[Any, int], ...], rng: random.Random) -> Any:
    """One outcome by its weight."""
    actions, sums = ladder(outcomes)
    return actions[bisect(sums, rng.random() * sums[-1])]


def play_rules(rules: AnyRules, options: Any, players: int, rng: random.Random) -> tuple[int, int]:
    """One random game on the readable rules, and its plies."""
    state = rules.initial(options, players)
    turn, legal, chance, apply = rules.turn, rules.legal, rules.chance, rules.apply
    plies = 0
    while plies < MOST_PLIES and (seat := turn(state)) != OVER:
        if seat == CHANCE:
            outcomes = chance(state)
            action = draw(outcomes, rng)
        else:
            actions = legal(state)
            action = actions[int(rng.random() * len(actions))]
        state = apply(state, action)
        plies += 1
    return 1, plies


def play_fast(fast: Fast[Any, Any], start: Any, rng: random.Random, games: int, cores: int) -> tuple[int, int]:
    """So many random games on the compiled rules, and their plies."""
    seeds = np.array([rng.getrandbits(63) for _ in range(games)], dtype=np.uint64)
    _, plies = fast.playouts(start, seeds, cores=cores)
    return games, int(plies.sum())


def play_template(fast: Fast[Any, Any], start: Any, rng: random.Random, games: int) -> tuple[int, int]:
    """The same by the template that every game has, where a game brings a quicker kernel of its own."""
    seeds = np.array([rng.getrandbits(63) for _ in range(games)], dtype=np.uint64)
    shares, plies = np.zeros((games, fast.players)), np.zeros(games, dtype=np.int64)
    cpu(random_games, fast.source)(start, fast.tables, seeds, MOST_PLIES, fast.work(start), shares, plies)
    return games, int(plies.sum())


def measure(contest: Mapping[str, Play], seconds: float) -> dict[str, dict[str, float]]:
    """Games and plies per second of each, taken in turns."""
    spent = dict.fromkeys(contest, 0.0)
    games, plies = dict.fromkeys(contest, 0), dict.fromkeys(contest, 0)
    for play in contest.values():
        play()  # compile, and warm caches
    while min(spent.values()) < seconds:
        for name, play in contest.items():
            begin = time.perf_counter()
            while (now := time.perf_counter()) - begin < TURN:
                played, took = play()
                games[name] += played
                plies[name] += took
            spent[name] += now - begin
    return {
        name: {
            "games": games[name],
            "games_per_s": games[name] / spent[name],
            "plies_per_s": plies[name] / spent[name],
            "plies_per_game": plies[name] / max(1, games[name]),
        }
        for name in contest
    }


def ours(only: list[str], rng: random.Random) -> dict[str, Play]:
    """Every game at its smallest and its largest table: readable, compiled on one core, and on all."""
    plays: dict[str, Play] = {}
    for id, game in astragal.games().items():
        if only and id not in only:
            continue
        rules, tables = game.rules, game.rules.spec.players
        for players in dict.fromkeys((min(tables), max(tables))):
            name = id if len(tables) == 1 else f"{id}, {players} players"
            options = rules.seated(next(iter(rules.presets.values())), [True] * players)
            plays[name] = partial(play_rules, rules, options, players, rng)
            if game.fast is None:
                continue
            fast = game.fast(options, players)
            start = fast.pack(rules.initial(options, players))
            games = 20_000 if id == "ur" else 500  # long enough that starting threads is nothing
            plays[f"{name}, fast"] = partial(play_fast, fast, start, rng, games, 1)
            if fast.playing is not random_games:
                plays[f"{name}, fast, by the template"] = partial(play_template, fast, start, rng, games)
            plays[f"{name}, fast, {os.cpu_count()} cores"] = partial(play_fast, fast, start, rng, games, 0)
    return plays


def ratios(figures: Mapping[str, Mapping[str, float]]) -> dict[str, float]:
    """The compiled games to the readable ones, and both to the peers."""
    compared = {}
    for name, row in figures.items():
        readable = name.partition(", fast")[0]
        if readable != name:
            compared[f"{name} : {readable}, plies/s"] = row["plies_per_s"] / figures[readable]["plies_per_s"]
        if name.startswith("ur") and not name.startswith("ur-modern"):
            for peer in (peer for peer in peers.PEERS if peer in figures):
                unit = "games_per_s" if peer == "royalur" else "plies_per_s"
                compared[f"{name} : {peer}, {unit.replace('_per_', '/')}"] = row[unit] / figures[peer][unit]
    return compared


def main() -> None:
    """Prints a table, or JSON for a script."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--seconds", type=float, default=5.0, help="for each contestant (default 5)")
    parser.add_argument(
        "--only", action="append", default=[], metavar="GAME", help="this game (more than once for more)"
    )
    parser.add_argument("--json", action="store_true", help="figures for a script")
    wanted = parser.parse_args()
    rng = random.Random(1)
    there, missing = peers.installed(rng)
    for name in missing:
        print(f"{name} is not installed and left out; pip install -e '.[bench]' brings it", file=sys.stderr)
    print("compiling ...", file=sys.stderr, flush=True)
    contest = {name: start() for name, start in there.items()} | ours(wanted.only, rng)
    figures = measure(contest, wanted.seconds)
    compared = ratios(figures)
    if wanted.json:
        print(json.dumps({"figures": figures, "ratios": compared}, indent=1))
        return
    print(f"{'':<32}{'games/s':>12}{'plies/s':>13}{'plies/game':>12}")
    for name, row in figures.items():
        print(f"{name:<32}{row['games_per_s']:>12.1f}{row['plies_per_s']:>13.0f}{row['plies_per_game']:>12.1f}")
    for name, ratio in compared.items():
        print(f"{name}: {ratio:.1f}")


if __name__ == "__main__":
    main()
