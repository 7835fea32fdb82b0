"""Learns the weights of a game's heuristic from games against itself: `make tune GAME=ID`.

    python tools/tune.py ID --rounds 6 --games 40000
    python tools/tune.py ID --dry                  # only look, write nothing

It prints how each round of learning fares against the weights there are, goes on from the best by small steps
towards what wins, and writes what it found into the game's `data/weights.toml` if it beats the old weights in games of
its own. Then two greedy bots play in the arena, one with each, at every size of the table.
"""

from __future__ import annotations

import argparse
import sys
import time
from pathlib import Path

import numpy as np

import astragal
from astragal.arena import learn, report, stats
from astragal.arena.job import seatings
from astragal.arena.learn import Ground
from astragal.arena.rounds import play_round
from astragal.bots.simple import GreedyBot
from astragal.core.fast import Array
from astragal.core.rules import Game


def main() -> None:
    """Tunes one game."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("game", choices=list(astragal.games()))
    parser.add_argument("--rounds", type=int, default=6, help="of learning (default 6)")
    parser.add_argument("--games", type=int, default=40_000, help="of self-play a round (default 40000)")
    parser.add_argument("--trial", type=int, default=4000, help="compiled games a table to try weights (default 4000)")
    parser.add_argument("--steps", type=int, default=60, help="uphill after it (default 60)")
    parser.add_argument("--arena", type=int, default=400, help="games of greedy bots a table at the end (default 400)")
    parser.add_argument("--temperature", type=float, default=0.1, help="of self-play, in log-odds (default 0.1)")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--dry", action="store_true", help="write nothing")
    wanted = parser.parse_args()
    game = astragal.game(wanted.game)
    tables = learn.grounds(game)
    best = walked(game, tables, tuned(game, tables, wanted), wanted)
    weights = dict(zip(game.heuristic.names, (round(w, 4) for w in best.tolist()), strict=True))
    print(weights, flush=True)
    better = proved(game, tables, best, wanted)
    for players in game.rules.spec.players if wanted.arena else ():
        print(f"arena, greedy bots, {players} players: {against(game, weights, players, wanted.arena)}", flush=True)
    if not better:
        raise SystemExit("that is not surely better; the weights stay as they are")
    if not wanted.dry:
        line = (
            f"{wanted.rounds} rounds of {wanted.games} games against itself, {wanted.steps} steps of {wanted.trial} "
            f"games a table: tools/tune.py --seed {wanted.seed}"
        )
        folder = Path(sys.modules[type(game.rules).__module__].__file__ or "").parent
        write(folder / "data" / "weights.toml", line, weights)


def proved(game: Game, tables: list[Ground], best: Array, wanted: argparse.Namespace) -> bool:
    """Whether the new weights win at all tables together, in games that they were not chosen by."""
    scores = [learn.duel(table, best, learn.vector(game), 4 * wanted.trial, 900_000 + wanted.seed) for table in tables]
    for table, sample in zip(tables, scores, strict=True):
        print(f"compiled, {table.name}: {told(sample, table.players)}", flush=True)
    low, _ = learn.spread(scores)
    return low > 0.5


def told(rounds: list[float], players: int) -> str:
    """A result in a few words."""
    share, elo = stats.share(rounds), stats.difference(rounds)
    return (
        f"{report.percent(share.value)} ({report.percent(share.low)} to {report.percent(share.high)}), "
        f"{report.points(elo.value)} Elo ({report.points(elo.low)} to {report.points(elo.high)}), "
        f"{len(rounds) * len(seatings(players))} games"
    )


def tuned(game: Game, tables: list[Ground], wanted: argparse.Namespace) -> Array:
    """The best weights of all rounds, or those there are if none beats them."""
    weights = learn.vector(game)
    best: learn.Candidate | None = None
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
        for candidate in tried:
            shares = " ".join(f"{share.value:.3f}" for share in candidate.shares)
            print(f"round {number}: {candidate.mean:.3f} of the wins ({shares})", flush=True)
            if best is None or candidate.mean > best.mean:
                best = candidate
        weights = max(tried, key=lambda candidate: candidate.mean).weights
        print(f"round {number} took {time.monotonic() - begin:.0f} s", flush=True)
    return learn.vector(game) if best is None or best.mean <= 0.5 else best.weights


def walked(game: Game, tables: list[Ground], weights: Array, wanted: argparse.Namespace) -> Array:
    """Where small steps lead from these weights: the mean of the second half of the way, which sways less."""
    way = [weights]
    begin = time.monotonic()
    for number in range(wanted.steps):
        way.append(learn.climb(game, tables, way[-1], trial=wanted.trial, seed=wanted.seed * 100_000 + 10 * number))
        if number % 10 == 9:
            print(f"{number + 1} of {wanted.steps} steps, {time.monotonic() - begin:.0f} s", flush=True)
    mean: Array = np.mean(way[len(way) // 2 :], axis=0)
    return mean


def against(game: Game, weights: dict[str, float], players: int, games: int) -> str:
    """How a greedy bot with these weights fares against one with those there are, by the readable rules."""
    new, old = GreedyBot(learn.with_weights(game, weights)), GreedyBot(game)
    options = game.rules.seated(next(iter(game.rules.presets.values())), [True] * players)
    rounds: list[float] = []
    while len(rounds) * len(seatings(players)) < games:
        round = play_round(
            game.rules, options, (new, old), players=players, seed=f"tune|{len(rounds)}", most_plies=learn.MOST_PLIES
        )
        rounds.append(round.score)
    return told(rounds, players)


def write(file: Path, tuned: str, weights: dict[str, float]) -> None:
    """The file of weights, as `astragal.core.weights` reads it."""
    lines = [f'tuned = "{tuned}"', "", "[weights]", *(f"{name} = {value}" for name, value in weights.items())]
    file.write_text("\n".join(lines) + "\n", "utf-8")


if __name__ == "__main__":
    main()
