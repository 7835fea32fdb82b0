"""Random games on the readable rules, side by side with the PyPI package `royalur`: `make bench`.

Both play in the same process, in turns of half a second, so that whatever else the machine does hits both alike.
A ply is a throw or a move; royalur passes by itself where we have an action for it, so that its plies are counted
as throws and moves too.

    python benchmarks/games.py --seconds 10 --json
"""

from __future__ import annotations

import argparse
import json
import random
import time
from bisect import bisect
from collections.abc import Callable
from functools import cache, partial
from itertools import accumulate
from typing import Any

import royalur

import astragal
from astragal.core.rules import AnyRules
from astragal.core.types import CHANCE, OVER

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


def play_rules(rules: AnyRules, options: Any, players: int, rng: random.Random) -> int:
    """One random game on the readable rules; the number of its plies."""
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
    return plies


def play_royalur(rng: random.Random) -> int:
    """One random game of the peer, with the same rules as our default."""
    game = royalur.Game.create_finkel()
    plies = 0
    while not game.is_finished():
        if game.is_waiting_for_roll():
            game.roll_dice()
        else:
            moves = game.find_available_moves()
            game.make_move(moves[int(rng.random() * len(moves))])
        plies += 1
    return plies


def measure(players: dict[str, Callable[[], int]], seconds: float) -> dict[str, dict[str, float]]:
    """Games and plies per second of each, taken in turns."""
    spent = dict.fromkeys(players, 0.0)
    games, plies = dict.fromkeys(players, 0), dict.fromkeys(players, 0)
    for play in players.values():
        play()  # warm caches
    while min(spent.values()) < seconds:
        for name, play in players.items():
            begin = time.perf_counter()
            while (now := time.perf_counter()) - begin < TURN:
                plies[name] += play()
                games[name] += 1
            spent[name] += now - begin
    return {
        name: {
            "games": games[name],
            "games_per_s": games[name] / spent[name],
            "plies_per_s": plies[name] / spent[name],
            "plies_per_game": plies[name] / games[name],
        }
        for name in players
    }


def main() -> None:
    """Prints a table, or JSON for a script."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--seconds", type=float, default=5.0, help="for each contestant (default 5)")
    parser.add_argument("--json", action="store_true", help="figures for a script")
    wanted = parser.parse_args()
    rng = random.Random(1)
    contest: dict[str, Callable[[], int]] = {"royalur": lambda: play_royalur(rng)}
    for id, game in astragal.games().items():
        rules, options, tables = game.rules, next(iter(game.rules.presets.values())), game.rules.spec.players
        for players in dict.fromkeys((min(tables), max(tables))):
            name = id if len(tables) == 1 else f"{id}, {players} players"
            contest[name] = partial(play_rules, rules, options, players, rng)
    figures = measure(contest, wanted.seconds)
    ratio = figures["ur"]["games_per_s"] / figures["royalur"]["games_per_s"]
    if wanted.json:
        print(json.dumps({"figures": figures, "ur_to_royalur_games_per_s": ratio}, indent=1))
        return
    print(f"{'':<18}{'games/s':>12}{'plies/s':>12}{'ms/game':>10}{'plies/game':>12}")
    for name, row in figures.items():
        speed = row["games_per_s"]
        print(f"{name:<18}{speed:>12.1f}{row['plies_per_s']:>12.0f}{1000 / speed:>10.2f}{row['plies_per_game']:>12.1f}")
    print(f"ur plays {ratio:.1f} times the games/s of royalur")


if __name__ == "__main__":
    main()
