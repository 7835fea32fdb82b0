"""Bots of today against those of an older state of the project, by the rules of today.

The sources of a commit are unpacked beside this checkout, and a process of their own plays the older bot: it gets what
a seat sees, as JSON, and answers with an action. Rounds are those of the arena: mirrored dice, every seating.

    python -m benchmarks.older egar --commit 8ec3136 --bots strong,master:ladder --players 2 --games 400
    python -m benchmarks.older egar --commit 8ec3136 --bots strong --players 4 --games 400 --json
"""

from __future__ import annotations

import argparse
import io
import json
import os
import subprocess
import sys
import tarfile
import tempfile
from collections.abc import Iterator, Sequence
from contextlib import closing, contextmanager
from pathlib import Path
from random import Random
from typing import Any

import msgspec
from msgspec import Struct

import astragal
from astragal import bots
from astragal.arena import stats
from astragal.arena.job import MOST_PLIES, rounds_for, seatings
from astragal.arena.rounds import play_round
from astragal.bots.choice import Bot, Choice
from astragal.core.rules import AnyView, Game

HERE = Path(__file__).parent.parent


@contextmanager
def sources(commit: str) -> Iterator[Path]:
    """The folder `src` of this commit, as long as it is needed."""
    packed = subprocess.run(["git", "archive", commit, "src"], cwd=HERE, capture_output=True, check=False)  # noqa: S607
    if packed.returncode:
        raise SystemExit(f"{commit} cannot be unpacked: {packed.stderr.decode().strip()}")
    with tempfile.TemporaryDirectory() as folder:
        with tarfile.open(fileobj=io.BytesIO(packed.stdout)) as archive:
            archive.extractall(folder, filter="data")
        yield Path(folder) / "src"


class OlderBot(Bot):
    """A bot that thinks in another process, with the sources in `folder`."""

    def __init__(self, game: Game, spec: str, folder: Path) -> None:
        self.rules, self.name = game.rules, f"{spec} of {folder}"
        self._process = subprocess.Popen(
            [sys.executable, "-m", "benchmarks.older", "--serve", game.id, spec],
            cwd=HERE,
            env={**os.environ, "PYTHONPATH": str(folder)},
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
        )
        self._asks: Any = self._process.stdin
        self._answers: Any = self._process.stdout

    def choose(self, view: AnyView, rng: Random) -> Choice:
        asked = {"view": msgspec.to_builtins(view), "luck": rng.getrandbits(64)}
        print(json.dumps(asked), file=self._asks, flush=True)
        answer = self._answers.readline().strip()
        for action in view.legal:
            if self.rules.encode(action) == answer:
                return Choice(action)
        raise SystemExit(f"{self.name} answered {answer!r}")

    def close(self) -> None:
        """Ends the process."""
        self._asks.close()
        self._process.wait()
        self._answers.close()


def serve(game: Game, spec: str) -> None:
    """Chooses for whoever writes views to standard input, a line each."""
    bot = bots.make(spec, game)
    for line in sys.stdin:
        asked = json.loads(line)
        view = msgspec.convert(asked["view"], game.rules.view_type)
        choice = bot.choose(view, Random(asked["luck"]))
        print(game.rules.encode(choice.action) if choice.fault is None else choice.fault, flush=True)


class Found(Struct, frozen=True):
    """How a bot of today fared against the one of the same name in an older commit."""

    game: str
    bot: str
    players: int
    games: int
    share: stats.Estimate
    elo: stats.Estimate


def compare(game: Game, spec: str, folder: Path, *, players: int, games: int, seed: str = "older") -> Found:
    """Plays so many games between both."""
    options = game.rules.seated(game.rules.options_type(), [True] * players)
    today, scores = bots.make(spec, game), []
    with closing(OlderBot(game, spec, folder)) as older:
        for number in range(rounds_for(games, players)):
            round_seed = f"{seed}|{number}"
            played = play_round(
                game.rules, options, (today, older), players=players, seed=round_seed, most_plies=MOST_PLIES
            )
            if played.faults:
                raise SystemExit(f"{spec}: {played.faults[0].first}")
            scores.append(played.score)
    count = len(scores) * len(seatings(players))
    return Found(game.id, spec, players, count, stats.share(scores), stats.difference(scores))


HEAD = "| game | bot | players | games | share of the wins | 95 % | Elo |\n|---|---|---|---|---|---|---|"


def row(found: Found) -> str:
    """A line of the table in docs/results.md."""
    low, high = found.share.low or 0.0, 1.0 if found.share.high is None else found.share.high
    between = f"{100 * low:.1f} % to {100 * high:.1f} %"
    return (
        f"| {found.game} | {found.bot} | {found.players} | {found.games} | {100 * found.share.value:.1f} % | "
        f"{between} | {found.elo.value:+.0f} |"
    )


def main(argv: Sequence[str] | None = None) -> None:
    """Prints a table, or JSON."""
    given: Any = sys.argv[1:] if argv is None else argv
    if given[:1] == ["--serve"]:
        serve(astragal.game(given[1]), given[2])
        return
    parser = argparse.ArgumentParser(
        prog="python -m benchmarks.older", description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("game", choices=list(astragal.games()))
    parser.add_argument("--commit", required=True, help="whose bots are the older ones")
    parser.add_argument("--bots", default="strong,master:ladder", help="bots, with commas between them")
    parser.add_argument("--players", type=int, default=2)
    parser.add_argument("--games", type=int, default=200, help="about so many of each bot")
    parser.add_argument("--json", action="store_true")
    given = parser.parse_args(argv)
    reports = []
    if not given.json:
        print(HEAD)
    with sources(given.commit) as folder:
        for spec in given.bots.split(","):
            found = compare(astragal.game(given.game), spec, folder, players=given.players, games=given.games)
            reports.append(found)
            if not given.json:
                print(row(found), flush=True)
    if given.json:
        print(json.dumps(msgspec.to_builtins(reports), indent=1))


if __name__ == "__main__":
    main()
