"""How fast bots search, and how well they keep their time: `make bench`.

Each bot gets a limit of time and thinks about positions of random games, by turns with the others. Printed are the
nodes it searches in a second (for ismcts: simulations), and by how much it oversteps its limit in the worst of a
hundred moves (the 99th percentile).

    python -m benchmarks.bots --moves 200 --limit 0.1 --json
"""

from __future__ import annotations

import argparse
import json
import random
import sys
import time
from collections.abc import Iterator
from typing import Any

import astragal
from astragal import bots
from astragal.core.rules import Game
from astragal.core.types import CHANCE, OVER, AstragalError


def positions(game: Game, players: int, rng: random.Random) -> Iterator[Any]:
    """What the seats to act see in random games, where they have a choice."""
    rules = game.rules
    options = rules.seated(next(iter(rules.presets.values())), [True] * players)
    while True:
        state = rules.initial(options, players)
        while (turn := rules.turn(state)) != OVER:
            if turn == CHANCE:
                outcomes, weights = zip(*rules.chance(state), strict=True)
                state = rules.apply(state, rng.choices(outcomes, weights)[0])
                continue
            view = rules.observe(state, turn)
            if len(view.legal) > 1 and rng.random() < 0.1:
                yield view
            state = rules.apply(state, rng.choice(view.legal))


def thinkers(game: Game, limit: float) -> dict[str, bots.Bot]:
    """The searching bots that can play this game."""
    made: dict[str, bots.Bot] = {}
    for kind in ("expectimax", "ismcts"):
        try:
            made[kind] = bots.make(f"{kind}:time={limit}", game)
        except AstragalError:
            continue  # expectimax is for two players who hide nothing
    return made


def timed(game: Game, players: int, moves: int, limit: float) -> dict[str, dict[str, float]]:
    """Nodes a second and overrun of every bot at this table."""
    rng = random.Random(1)
    thinking = thinkers(game, limit)
    spent: dict[str, list[float]] = {name: [] for name in thinking}
    nodes = dict.fromkeys(thinking, 0)
    views = positions(game, players, rng)
    for bot in thinking.values():
        bot.choose(next(views), rng)  # compile
    for _ in range(moves):
        view = next(views)
        for name, bot in thinking.items():
            begin = time.perf_counter()
            choice = bot.choose(view, rng)
            spent[name].append(time.perf_counter() - begin)
            nodes[name] += choice.nodes
    return {
        name: {
            "nodes_per_s": nodes[name] / sum(times),
            "overrun_p99_ms": 1000 * max(0.0, sorted(times)[int(0.99 * (len(times) - 1))] - limit),
            "overrun_worst_ms": 1000 * max(0.0, max(times) - limit),
        }
        for name, times in spent.items()
    }


def main() -> None:
    """Prints a line a game, table and bot, or JSON for a script."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--moves", type=int, default=200, help="of each bot at each table (default 200)")
    parser.add_argument("--limit", type=float, default=0.05, help="seconds a move (default 0.05)")
    parser.add_argument("--json", action="store_true", help="figures for a script")
    wanted = parser.parse_args()
    figures = {}
    if not wanted.json:
        print(f"{'':<32}{'nodes/s':>12}{'overrun of 99 %':>18}{'worst':>12}")
    for id, game in astragal.games().items():
        print(f"{id} ...", file=sys.stderr, flush=True)
        for players in dict.fromkeys((min(game.rules.spec.players), max(game.rules.spec.players))):
            for bot, row in timed(game, players, wanted.moves, wanted.limit).items():
                name = f"{id}, {players} players, {bot}"
                figures[name] = row
                if not wanted.json:
                    late = f"{row['overrun_p99_ms']:.1f} ms"
                    worst = f"{row['overrun_worst_ms']:.1f} ms"
                    print(f"{name:<32}{row['nodes_per_s']:>12.0f}{late:>18}{worst:>12}", flush=True)
    if wanted.json:
        print(json.dumps(figures, indent=1))


if __name__ == "__main__":
    main()
