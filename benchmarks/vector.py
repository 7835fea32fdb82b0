"""Steps of batches of games on a CPU, beside those of the environments that researchers have: `make bench-vector`.

A step is one decision of one game with everything a learning program needs after it: the legal actions, who is to act,
rewards, ends, and with "observed" the tensor. Chance happens inside it. All players choose at random. All play in one
process, in turns of half a second; compiling and first calls are not counted.

    python -m benchmarks.vector --seconds 10 --json
"""

from __future__ import annotations

import argparse
import json
import os
import random
import sys
from collections.abc import Callable
from importlib.util import find_spec
from typing import Any

import astragal
from astragal import research
from benchmarks import peers
from benchmarks.games import measure
from benchmarks.peers import Play

GAMES = 4096  # at once


def batch(id: str, cores: int, observations: bool) -> Play:
    """Random games of ours."""
    games = research.vector(id, GAMES, cores=cores, observations=observations, autoreset="SAME_STEP")

    def play() -> tuple[int, int]:
        ended = 0
        for _ in range(10):
            ended += int(games.step(games.sample()).terminated.sum())
        return ended, 10 * GAMES

    return play


def open_spiel(rng: random.Random) -> Play:
    """OpenSpiel's backgammon, decisions counted; with its tensor, which is what `observed` means here too."""
    import pyspiel

    game = pyspiel.load_game("backgammon")

    def play() -> tuple[int, int]:
        state, steps = game.new_initial_state(), 0
        while not state.is_terminal():
            if state.is_chance_node():
                outcomes = state.chance_outcomes()
                state.apply_action(rng.choices([a for a, _ in outcomes], [p for _, p in outcomes])[0])
                continue
            state.observation_tensor(state.current_player())
            actions = state.legal_actions()
            state.apply_action(actions[int(rng.random() * len(actions))])
            steps += 1
        return 1, steps

    return play


def petting_zoo(rng: random.Random) -> Play:
    """PettingZoo has no backgammon any more; of its classic games Connect Four is among the quickest."""
    from pettingzoo.classic import connect_four_v3

    env = connect_four_v3.raw_env()

    def play() -> tuple[int, int]:
        env.reset(seed=rng.getrandbits(31))
        steps = 0
        while not any(env.terminations.values()):
            legal = env.last()[0]["action_mask"].nonzero()[0]
            env.step(int(legal[int(rng.random() * len(legal))]))
            steps += 1
        return 1, steps

    return play


PEERS: dict[str, tuple[tuple[str, ...], Callable[[random.Random], Play]]] = {
    "PettingZoo Connect Four": (("pettingzoo", "pygame"), petting_zoo),
    "OpenSpiel backgammon": (("pyspiel",), open_spiel),
    "pgx backgammon": (("pgx",), peers.pgx),
}


def main() -> None:
    """Prints a table, or JSON for a script."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--seconds", type=float, default=5.0, help="for each contestant (default 5)")
    parser.add_argument("--json", action="store_true", help="figures for a script")
    wanted = parser.parse_args()
    rng = random.Random(1)
    print("compiling ...", file=sys.stderr, flush=True)
    contest: dict[str, Play] = {}
    for name, (modules, make) in PEERS.items():
        if all(map(find_spec, modules)):
            contest[name] = make(rng)
        else:
            print(f"{name} is not installed and left out; sh tools/peers.sh .venv brings it", file=sys.stderr)
    others = list(contest)
    for id, game in astragal.games().items():
        if game.fast is not None:
            contest |= {
                f"{id}{', observed' if seen else ''}, {cores} cores": batch(id, cores, seen)
                for seen in (False, True)
                for cores in dict.fromkeys((1, os.cpu_count() or 1))
            }
    figures = measure(contest, wanted.seconds)
    rates = {name: row["plies_per_s"] for name, row in figures.items()}
    ratios: dict[str, Any] = {
        f"{name} : {peer}": rates[name] / rates[peer] for name in rates if name not in others for peer in others
    }
    if wanted.json:
        print(json.dumps({"steps_per_s": rates, "ratios": ratios}, indent=1))
        return
    print(f"{'':<32}{'steps/s':>14}")
    for name, rate in rates.items():
        print(f"{name:<32}{rate:>14.0f}")
    for name, ratio in ratios.items():
        print(f"{name}: {ratio:.1f}")


if __name__ == "__main__":
    main()
