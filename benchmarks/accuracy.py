"""Fits the accuracy of reviews to the ladder: `python -m benchmarks.accuracy ur nile --decisions 300`.

Each level plays against `strong`, at the speed of the ladder. Some of its decisions are judged as in a full review, by
a network or a search (tables are left aside, since few people have them). `Game.accuracy_half`, the loss a decision
that halves the accuracy, is then chosen so that the levels come as near as they can to their PLACES. Printed is a row
of the table in docs/review.md: for each level the points that a decision loses, with the standard error, and its
accuracy.
"""

from __future__ import annotations

import argparse
import os
import tempfile
import time
from collections.abc import Iterator, Mapping
from statistics import fmean, stdev

import astragal
from astragal.analysis.judge import Judge
from astragal.analysis.review import accuracy
from astragal.core import line as lines
from astragal.core.levels import LEVELS
from astragal.core.record import Record, Seat
from astragal.core.rules import Game
from astragal.play.match import Match

PLACES: Mapping[str, float] = {
    "novice": 40,
    "casual": 60,
    "strong": 80,
    "master": 95,
}  # perfect is 100
HALVES = [tenths / 10_000 for tenths in range(1, 1_000)]  # what is tried: 0.01 to 9.99 points
EACH = 3  # every third decision is judged, so that more matches are seen in the same time


def fitted(losses: Mapping[str, float]) -> float:
    """The loss a decision that should halve the accuracy, given what a decision of each level loses."""
    return min(
        HALVES, key=lambda half: sum((accuracy(loss, half) - PLACES[level]) ** 2 for level, loss in losses.items())
    )


def played(game: Game, level: str, seed: int) -> Record:
    """A match of a level against the strong one, under the game's first preset; the level has every other seat."""
    options = game.rules.seated(next(iter(game.rules.presets.values())), [True, True])
    seats = [Seat(f"bot:{level}:ladder"), Seat("bot:strong:ladder")]
    match = Match.start(game, options, seats[::-1] if seed % 2 else seats, seed=seed)
    while match.step() is not None:
        pass
    return match.record()


def losses(game: Game, level: str) -> Iterator[float]:
    """What decisions of a level lose, match after match, without an end."""
    seed = 0
    while True:
        line = lines.replay(played(game, level, seed))
        judge = Judge(game, line.state.options, len(line.seats), seed=seed)
        decided = [ply for ply in line.steps if ply.seat == seed % 2 and len(game.rules.legal(ply.before)) > 1]
        chosen = [ply for ply in decided if ply.action in game.rules.legal(ply.before)]  # and no claim
        for ply in chosen[seed // 2 % EACH :: EACH]:
            judged = judge.decision(ply.before, ply.seat)
            yield judged.best - judged.of(ply.action)
        seed += 1


def row(game: Game, decisions: int) -> str:
    """A line of the table in Markdown."""
    means, errors = {}, {}
    for level in LEVELS:
        found = [loss for _, loss in zip(range(decisions), losses(game, level), strict=False)]
        means[level], errors[level] = fmean(found), stdev(found) / len(found) ** 0.5
    half = fitted({level: round(loss, 5) for level, loss in means.items()})
    cells = [
        f"{100 * means[level]:.3f} ± {100 * errors[level]:.3f} → {accuracy(means[level], half):.0f}" for level in LEVELS
    ]
    return f"| {game.id} | {' | '.join(cells)} | {100 * half:.2f} |"


def main() -> None:
    """Reads the command line."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("games", nargs="+", choices=list(astragal.games()), metavar="GAME")
    parser.add_argument("--decisions", type=int, default=300, help="of each level")
    asked = parser.parse_args()
    print(f"| game | {' | '.join(LEVELS)} | halves with every |\n|---|{'---|' * len(LEVELS)}---|", flush=True)
    with tempfile.TemporaryDirectory() as none:
        os.environ["ASTRAGAL_TABLES"] = none
        began = time.process_time()
        for id in asked.games:
            print(row(astragal.game(id), asked.decisions), flush=True)
    print(f"\n{time.process_time() - began:.0f} s of one core, load {os.getloadavg()[0]:.1f} on {os.cpu_count()} cores")


if __name__ == "__main__":
    main()
