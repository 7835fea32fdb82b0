"""How the greedy bot fares against random ones: `python benchmarks/bots.py --games 40`.

Every seat is taken in turn by the greedy bot; the others play at random. The score is its share of the wins, where an
even match at a table of n would give 1/n. Games that do not end within the cap count as half a win at a table of two.
"""

from __future__ import annotations

import argparse
import json

import astragal
from astragal.core.record import Seat
from astragal.core.rules import Game
from astragal.play.match import Match

MOST_PLIES = 4000


def share(game: Game, players: int, games: int) -> float:
    """The greedy bot's share of the wins at tables of this size."""
    won = 0.0
    for seed in range(games):
        mine = seed % players
        seats = [Seat("bot:greedy" if seat == mine else "bot:random") for seat in range(players)]
        match = Match.start(game, seats=seats, seed=seed)
        while match.ply < MOST_PLIES and match.step() is not None:
            pass
        won += match.result[mine] if match.result else 1 / players
    return won / games


def main() -> None:
    """Prints a line a game and table, or JSON for a script."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--games", type=int, default=40, help="at each table (default 40)")
    parser.add_argument("--json", action="store_true", help="figures for a script")
    wanted = parser.parse_args()
    figures = {}
    for id, game in astragal.games().items():
        for players in game.rules.spec.players:
            figures[f"{id}, {players} players"] = found = share(game, players, wanted.games)
            if not wanted.json:
                print(f"{id}, {players} players: {found:.2f} of the wins (even: {1 / players:.2f})", flush=True)
    if wanted.json:
        print(json.dumps(figures, indent=1))


if __name__ == "__main__":
    main()
