"""Learns the weights of a game's heuristic from games against itself: `make tune GAME=ur`.

    python tools/tune.py ur --rounds 6 --games 40000
    python tools/tune.py ur --dry                  # only look, write nothing

It prints how each round of learning fares against the weights there are, writes the best into the game's
`data/weights.toml` if they win more, and then lets two greedy bots play in the arena, one with the new weights and one
with the old ones.
"""

from __future__ import annotations

import argparse
import time
from pathlib import Path

import astragal
from astragal.arena import learn, report, stats
from astragal.arena.learn import Found, Ground
from astragal.arena.table import play_round
from astragal.bots.simple import GreedyBot
from astragal.core.rules import Game

GAMES = Path(__file__).parent.parent / "src" / "astragal" / "games"


def main() -> None:
    """Tunes one game."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("game", choices=list(astragal.games()))
    parser.add_argument("--rounds", type=int, default=6, help="of learning (default 6)")
    parser.add_argument("--games", type=int, default=40_000, help="of self-play a round (default 40000)")
    parser.add_argument("--trial", type=int, default=4000, help="compiled games a table to try weights (default 4000)")
    parser.add_argument("--arena", type=int, default=400, help="games of greedy bots a table at the end (default 400)")
    parser.add_argument("--temperature", type=float, default=0.1, help="of self-play, in log-odds (default 0.1)")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--dry", action="store_true", help="write nothing")
    wanted = parser.parse_args()
    game = astragal.game(wanted.game)
    tables = learn.grounds(game)
    best = tuned(game, tables, wanted)
    if best is None:
        raise SystemExit("nothing better was found; the weights stay as they are")
    weights = dict(zip(game.heuristic.names, (round(w, 4) for w in best.weights.tolist()), strict=True))
    if not wanted.dry:
        line = f"{wanted.rounds} rounds of {wanted.games} games of self-play, by tools/tune.py --seed {wanted.seed}"
        write(GAMES / wanted.game.replace("-", "_") / "data" / "weights.toml", line, weights)
    for players in game.rules.spec.players:
        print(f"arena, greedy, {players} players: {against(game, weights, players, wanted.arena)}", flush=True)


def tuned(game: Game, tables: list[Ground], wanted: argparse.Namespace) -> Found | None:
    """The best weights of all rounds, if they beat those there are."""
    weights, best = learn.vector(game), None
    for number in range(1, wanted.rounds + 1):
        begin = time.monotonic()
        tried = learn.learn(
            game,
            tables,
            weights,
            games=wanted.games,
            trial=wanted.trial,
            temperature=wanted.temperature,
            seed=wanted.seed * 10_000 + 100 * number,
        )
        for found in tried:
            shares = " ".join(f"{share.value:.3f}" for share in found.shares)
            print(f"round {number}: {found.mean:.3f} of the wins ({shares})", flush=True)
            if best is None or found.mean > best.mean:
                best = found
        weights = max(tried, key=lambda found: found.mean).weights
        print(f"round {number} took {time.monotonic() - begin:.0f} s", flush=True)
    return best if best is not None and best.mean > 0.5 else None


def against(game: Game, weights: dict[str, float], players: int, games: int) -> str:
    """How a greedy bot with these weights fares against one with those there are, by the readable rules."""
    new, old = GreedyBot(learn.with_weights(game, weights)), GreedyBot(game)
    options = game.rules.seated(next(iter(game.rules.presets.values())), [True] * players)
    scores = []
    while sum(scores_games := [len(found) for found in scores]) < games:
        round = play_round(
            game.rules, options, (new, old), players=players, seed=f"tune|{len(scores)}", most_plies=learn.MOST_PLIES
        )
        scores.append(round.shares)
    rounds = [sum(found) / len(found) for found in scores]
    share, elo = stats.share(rounds), stats.difference(rounds)
    return (
        f"{report.percent(share.value)} ({report.percent(share.low)} to {report.percent(share.high)}), "
        f"{report.points(elo.value)} Elo ({report.points(elo.low)} to {report.points(elo.high)}), "
        f"{sum(scores_games)} games"
    )


def write(file: Path, tuned: str, weights: dict[str, float]) -> None:
    """The file of weights, as `astragal.core.weights` reads it."""
    lines = [f'tuned = "{tuned}"', "", "[weights]", *(f"{name} = {value}" for name, value in weights.items())]
    file.write_text("\n".join(lines) + "\n", "utf-8")


if __name__ == "__main__":
    main()
