"""How good bots are by exact values: what they win against perfect play, what they give away, whether they know it.

    astragal solve ur --pieces 4
    python -m benchmarks.truth ur --set pieces=4 --bots casual,strong,master --games 200
    python -m benchmarks.truth ur-modern --table lanes7.table --bots master:ladder --processes 16 --json

Each bot plays against the table, and begins half of the games. Printed are its share of the wins (with the luck of the
dice taken out, so that it sways far less than results do, and with a 95 % interval), points of the chance to win that a
decision gives away, how many decisions give away more than two points, how far what it says of its chances is from the
truth (in points, on average, and by tenths of what it says), decisions a game, and milliseconds a decision. Decisions
without a choice do not count. What a decision gives away is by the table: where that errs by 0.004 points, figures as
small as this are the table's own. The share of the wins is right all the same (`astragal.research.exact`).

With `--seconds` a bot begins no game after so long, but plays those to their end that it has begun: to leave them out
would favour it, since long games are those in which most is given away.
"""

from __future__ import annotations

import argparse
import json
import time
from collections.abc import Iterable
from concurrent.futures import ProcessPoolExecutor
from functools import cache
from pathlib import Path
from random import Random
from statistics import mean, stdev
from typing import Any

from msgspec import Struct, structs

import astragal
from astragal import bots
from astragal.core import options as option_tools
from astragal.research.exact import Judge, contested
from astragal.research.table import Table as Board
from astragal.solve import shelf
from astragal.solve.table import Table

FEWEST = 2  # games are played, however little time there is: one alone says nothing of how far luck goes
ERROR = 0.02  # of the chance to win: what counts as an error
SHOWN = ("20-30", "40-50", "60-70", "80-90")  # which tenths of what a bot says stand in tables for people
FEWEST_SAID = 21  # decisions in a tenth, below which it does not stand there

Calibration = dict[str, tuple[int, float, float]]
"""By tenths of what a bot says of its chances: how often it does, what it says, and what is true or came of it."""


class Contest(Struct, frozen=True):
    """What is measured: a bot under the options of a table."""

    game: str
    options: dict[str, Any]
    table: str
    bot: str
    until: float | None = None  # by the clock of `time.time`, when the last game may begin


class Told(Struct, frozen=True):
    """What one game told of a bot."""

    gained: float  # see `research.exact.Contested`
    losses: tuple[float, ...]
    said: tuple[tuple[float, float], ...]  # what it said of its chances after its choice, and what they were
    seconds: float


@cache
def _open(game: str, file: str, bot: str) -> tuple[Table, bots.Bot]:
    """The table and the bot, once in a process. It claims nothing, since tables know no claims."""
    return Table(Path(file)), bots.make(bot, astragal.game(game), claims=False)


def played(contest: Contest, number: int) -> Told | None:
    """One game against the table; None if it is too late to begin it, which it never is for the first two."""
    if contest.until is not None and number >= FEWEST and time.time() >= contest.until:
        return None
    table, bot = _open(contest.game, contest.table, contest.bot)
    game = astragal.game(contest.game)
    options = option_tools.build(game.rules, None, {**contest.options, "begins": 0})
    judge, board, rng = Judge(game, options, table), Board(game, options), Random(f"truth|{number}")
    board.begin(rng)
    said: list[float | None] = []
    seconds = 0.0
    bot.prepare(board.view(board.seat))  # compiling is not counted

    def policy(board: Board) -> int:
        nonlocal seconds
        if len(board.legal()) == 1:
            return board.legal()[0]
        view, begin = board.view(board.seat), time.perf_counter()
        choice = bot.choose(view, rng)
        seconds += time.perf_counter() - begin
        if choice.fault is not None:
            raise SystemExit(f"{contest.bot}: {choice.fault}")
        said.append(choice.value)
        return board.number(choice.action)

    game_told = contested(board, judge, policy, number % 2)
    claims = tuple(
        (says, decision.worth[decision.action])
        for says, decision in zip(said, game_told.decisions, strict=True)
        if says is not None
    )
    return Told(game_told.gained, tuple(decision.loss for decision in game_told.decisions), claims, seconds)


class Report(Struct, frozen=True):
    """A bot, measured."""

    bot: str
    games: int
    decisions: int
    wins: float
    margin: float  # half of the 95 % interval of the wins
    lost_a_decision: float
    errors: float
    says_wrong: float  # by how much what it says of its chances is wrong, on average
    calibration: Calibration
    ms: float


def calibrated(said: Iterable[tuple[float, float]]) -> Calibration:
    """What a bot said of its chances beside what is true, by tenths."""
    tenths: dict[int, list[tuple[float, float]]] = {}
    for pair in said:
        tenths.setdefault(min(int(10 * pair[0]), 9), []).append(pair)
    return {
        f"{10 * tenth}-{10 * tenth + 10}": (len(here), mean(p[0] for p in here), mean(p[1] for p in here))
        for tenth, here in sorted(tenths.items())
    }


def says(calibration: Calibration, fewest: int) -> str:
    """The same in a cell of a table: some tenths, those in which it said something at least so often."""
    return " ".join(
        f"{100 * said:.0f}→{100 * true:.0f}"
        for name, (count, said, true) in calibration.items()
        if name in SHOWN and count >= fewest
    )


def reported(bot: str, games: Iterable[Told]) -> Report:
    """The figures of one bot."""
    told = list(games)
    gained = [one.gained for one in told]
    losses = [loss for one in told for loss in one.losses]
    said = [pair for one in told for pair in one.said]
    return Report(
        bot=bot,
        games=len(told),
        decisions=len(losses),
        wins=0.5 + mean(gained),
        margin=1.96 * stdev(gained) / len(gained) ** 0.5 if len(gained) > 1 else 0.5,
        lost_a_decision=mean(losses),
        errors=mean(loss > ERROR for loss in losses),
        says_wrong=mean(abs(first - second) for first, second in said) if said else float("nan"),
        calibration=calibrated(said),
        ms=1000 * sum(one.seconds for one in told) / max(1, len(losses)),
    )


def row(report: Report) -> str:
    """A line of a table in Markdown."""
    return (
        f"| {report.bot} | {report.games} | {100 * report.wins:.2f} ± {100 * report.margin:.2f} "
        f"| {100 * report.lost_a_decision:.3f} | {100 * report.errors:.2f} % | {100 * report.says_wrong:.1f} "
        f"| {says(report.calibration, FEWEST_SAID)} "
        f"| {report.decisions / report.games:.0f} | {report.ms:.1f} |"
    )


def main() -> None:
    """Reads the command line."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("game", choices=("ur", "ur-modern"))
    parser.add_argument("--set", action="append", default=[], metavar="OPTION=VALUE", help="of the game")
    parser.add_argument("--table", type=Path, help="a table file, instead of the user's own")
    parser.add_argument("--bots", default="novice,casual,strong,master", help="with commas between them, or semicolons")
    parser.add_argument("--games", type=int, default=100)
    parser.add_argument("--seconds", type=float, help="begin no more games after this time")
    parser.add_argument("--processes", type=int, default=2)
    parser.add_argument("--json", action="store_true")
    given = parser.parse_args()
    game = astragal.game(given.game)
    if given.table:
        table = Table(given.table)
    else:
        known = {field.name: field for field in option_tools.fields(game.rules)}
        asked = {name: known[name].read(value) for name, _, value in (item.partition("=") for item in given.set)}
        table = shelf.needed(game, option_tools.build(game.rules, None, asked))
    if not given.json:
        print("| bot | games | % of wins | lost a decision | errors | says wrong by | says → is | decisions | ms |")
        print("|---|---|---|---|---|---|---|---|---|", flush=True)
    with ProcessPoolExecutor(given.processes) as pool:
        for bot in given.bots.split(";" if ";" in given.bots else ","):
            until = None if given.seconds is None else time.time() + given.seconds
            contest = Contest(given.game, dict(table.header.options), str(table.file), bot, until)
            games = pool.map(played, [contest] * given.games, range(given.games))
            report = reported(bot, (told for told in games if told is not None))
            print(json.dumps(structs.asdict(report)) if given.json else row(report), flush=True)


if __name__ == "__main__":
    main()
