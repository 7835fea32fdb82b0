"""What every level gives away, and whether it knows: `python -m benchmarks.accuracy nile egar --games 200`.

Each level plays against `strong`, at the speed of the ladder, under the game's first preset. Of the first matches some
decisions are judged as in a full review, by a network or a search (tables are left aside, since few people have them).

Two tables are printed. The first has for each level its share of the wins, the points that a decision loses with the
standard error, how many decisions lose more than two points, what it said of its chances and what came of that (by
tenths of what it said, over the decisions of all its matches), and milliseconds a decision. The second is a row of the
table in docs/review.md: `Game.accuracy_half`, the loss a decision that halves the accuracy, is chosen so that the
levels come as near as they can to their PLACES.
"""

from __future__ import annotations

import argparse
import os
import tempfile
import time
from collections.abc import Mapping, Sequence
from concurrent.futures import ProcessPoolExecutor
from random import Random
from statistics import fmean, stdev
from typing import Any

from msgspec import Struct

import astragal
from astragal import bots
from astragal.analysis.judge import Judge
from astragal.analysis.review import accuracy
from astragal.core.levels import LEVELS
from astragal.core.rules import Game
from astragal.core.types import CHANCE, OVER
from benchmarks.truth import ERROR, calibrated, says

PLACES: Mapping[str, float] = {
    "novice": 40,
    "casual": 60,
    "strong": 80,
    "master": 95,
}  # perfect is 100
HALVES = [tenths / 10_000 for tenths in range(1, 1_000)]  # what is tried: 0.01 to 9.99 points
EACH = 3  # every third decision is judged, so that more matches are seen in the same time
FEWEST_SAID = 100  # decisions in a tenth, below which it is not shown what came of them


class Told(Struct):
    """What the matches of one level have told so far."""

    shares: list[float] = []  # of the wins, a match each
    losses: list[float] = []  # of the decisions that were judged
    said: list[tuple[float, float]] = []  # what it said of its chances, and its share of the win in the end
    seconds: float = 0.0  # for all its decisions with a choice
    decisions: int = 0


def fitted(losses: Mapping[str, float]) -> float:
    """The loss a decision that should halve the accuracy, given what a decision of each level loses."""
    return min(
        HALVES, key=lambda half: sum((accuracy(loss, half) - PLACES[level]) ** 2 for level, loss in losses.items())
    )


def measured(id: str, level: str, games: int, decisions: int) -> Told:
    """Matches of a level against the strong one, who begins half of them; some decisions of the first are judged."""
    game, told = astragal.game(id), Told()
    options = game.rules.seated(next(iter(game.rules.presets.values())), [True, True])
    own, other = (bots.make(f"{name}:ladder", game) for name in (level, "strong"))
    judge = Judge(game, options, 2)
    for seed in range(games):
        pair = (own, other) if seed % 2 == 0 else (other, own)
        _play(game, options, pair, seed, told, judge if len(told.losses) < decisions else None)
    del told.losses[decisions:]
    return told


def _play(game: Game, options: Any, pair: Sequence[bots.Bot], seed: int, told: Told, judge: Judge | None) -> None:
    """One more match. The level that is measured has the first seat if the seed is even."""
    rules, rng, mine, values = game.rules, Random(f"accuracy|{seed}"), seed % 2, []
    state = rules.initial(options, 2)
    while (seat := rules.turn(state)) != OVER:
        if seat == CHANCE:
            actions, weights = zip(*rules.chance(state), strict=True)
            state = rules.apply(state, rng.choices(actions, weights)[0])
            continue
        view = rules.observe(state, seat)
        if seat == mine and not told.decisions:
            pair[seat].prepare(view)  # compiling is not counted
        begin = time.perf_counter()
        choice = pair[seat].choose(view, rng)
        spent = time.perf_counter() - begin
        if choice.fault is not None:
            raise SystemExit(f"{pair[seat].name}: {choice.fault}")
        if seat == mine and len(view.legal) > 1:
            told.decisions += 1
            told.seconds += spent
            values += [] if choice.value is None else [choice.value]
            if judge is not None and not choice.claim and told.decisions % EACH == seed // 2 % EACH:
                worth = judge.decision(state, seat)
                told.losses.append(worth.best - worth.of(choice.action))
        state = rules.apply(state, choice.action)
    told.shares.append(rules.returns(state)[mine])
    told.said += [(value, told.shares[-1]) for value in values]


def row(game: str, level: str, told: Told) -> str:
    """A line of the first table in Markdown."""
    share, loss = told.shares, told.losses
    return (
        f"| {game} | {level} | {len(share)} | {100 * fmean(share):.1f} ± {196 * stdev(share) / len(share) ** 0.5:.1f} "
        f"| {100 * fmean(loss):.3f} ± {100 * stdev(loss) / len(loss) ** 0.5:.3f} "
        f"| {100 * fmean(one > ERROR for one in loss):.0f} % | {says(calibrated(told.said), FEWEST_SAID)} "
        f"| {1000 * told.seconds / told.decisions:.1f} |"
    )


def fit(game: str, told: Mapping[str, Told]) -> str:
    """A line of the table in docs/review.md."""
    means = {level: fmean(one.losses) for level, one in told.items()}
    errors = {level: stdev(one.losses) / len(one.losses) ** 0.5 for level, one in told.items()}
    half = fitted({level: round(loss, 5) for level, loss in means.items()})
    cells = [
        f"{100 * means[level]:.3f} ± {100 * errors[level]:.3f} → {accuracy(means[level], half):.0f}" for level in told
    ]
    return f"| {game} | {' | '.join(cells)} | {100 * half:.2f} |"


def main() -> None:
    """Reads the command line."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("games", nargs="+", choices=list(astragal.games()), metavar="GAME")
    parser.add_argument("--games", type=int, default=100, dest="matches", help="of each level")
    parser.add_argument("--decisions", type=int, default=300, help="of each level that are judged")
    parser.add_argument("--processes", type=int, default=os.cpu_count())
    asked = parser.parse_args()
    print("| game | bot | games | % of wins | lost a decision | errors | says → came | ms |")
    print("|---|---|---|---|---|---|---|---|", flush=True)
    fits = []
    with tempfile.TemporaryDirectory() as none:
        os.environ["ASTRAGAL_TABLES"] = none
        with ProcessPoolExecutor(asked.processes) as pool:
            for id in asked.games:
                jobs = {
                    level: pool.submit(measured, id, level, asked.matches, asked.decisions)
                    for level in reversed(LEVELS)
                }
                told = {level: jobs[level].result() for level in LEVELS}
                for level, one in told.items():
                    print(row(id, level, one), flush=True)
                fits.append(fit(id, told))
    print(f"\n| game | {' | '.join(LEVELS)} | halves with every |\n|---|{'---|' * len(LEVELS)}---|", *fits, sep="\n")
    print(f"\nload {os.getloadavg()[0]:.1f} on {os.cpu_count()} cores")


if __name__ == "__main__":
    main()
