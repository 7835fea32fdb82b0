"""The command `astragal arena`: contests between bots."""

from __future__ import annotations

import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click
import msgspec

from astragal.bots import own
from astragal.console import usage
from astragal.console.screen import Screen
from astragal.core import preparing
from astragal.core.language import Text, say
from astragal.core.rules import Game

if TYPE_CHECKING:  # it brings NumPy, which no other command needs
    from astragal.arena.contest import Contest

OFTEN = 0.5  # seconds between two looks at the running result
EVERY = 10.0  # seconds between two sentences about how it goes, where no bar can be drawn
INTERRUPTED = 130


def options(lang: str, game: Game) -> list[click.Option]:
    """The options of the command besides the game's own."""
    tables = "|".join(map(str, game.rules.spec.players))
    whole = click.IntRange(1)
    return [
        usage.option(
            lang,
            "--bots",
            "bots",
            help=say("Who plays, with commas; every two of them make a pairing"),
            multiple=True,
            metavar="greedy,random,...",
        ),
        usage.option(
            lang, "--games", "games", help=say("Games of every pairing"), type=whole, default=1000, metavar="1000"
        ),
        usage.option(
            lang, "--players", "players", help=say("Seats at the table, shared by two bots"), type=int, metavar=tables
        ),
        usage.option(lang, "--seed", "seed", help=say("Dice and bots that can be repeated"), default="1", metavar="1"),
        usage.option(
            lang,
            "--sprt",
            "sprt",
            help=say("Stop when it is clear whether the first bot is so many Elo points better, or so many"),
            type=float,
            nargs=2,
            metavar="0 20",
        ),
        usage.option(
            lang, "--plies", "plies", help=say("Break off longer games"), type=whole, default=10_000, metavar="10000"
        ),
        usage.option(
            lang,
            "--cores",
            "cores",
            help=say("Processes to play in; 0 for all cores"),
            type=click.IntRange(0, 1024),
            default=1,
            metavar="0-1024",
        ),
        usage.option(
            lang,
            "--ray",
            "ray",
            help=say("Play on a Ray cluster, or on one of this machine alone"),
            is_flag=False,
            flag_value="",
            metavar="[HOST:PORT]",
        ),
        usage.flag(
            lang,
            "--without-luck",
            "without_luck",
            help=say("Say also what is left without the luck of the dice: fewer games tell as much"),
        ),
        usage.option(lang, "--out", "file", help=say("Keep every round here, and go on from what is there"), type=Path),
        usage.option(
            lang,
            "--records",
            "records",
            help=say("Write the record of every game into this folder"),
            type=Path,
            metavar=say("FOLDER").to(lang),
        ),
        usage.flag(lang, "--json", "as_json", help=say("As JSON")),
    ]


def run(
    game: Game,
    chosen: Any,
    *,
    bots: tuple[str, ...],
    games: int,
    players: int | None,
    seed: str,
    sprt: tuple[float, float] | None,
    plies: int,
    cores: int,
    ray: str | None,
    file: Path | None,
    records: Path | None,
    without_luck: bool,
    as_json: bool,
    screen: Screen,
) -> int:
    """Holds the contest and prints what it found; the exit code."""
    from astragal.arena import contest, job, report, stats

    seats = players if players is not None else min(game.rules.spec.players)
    for bot in named(bots):
        own.admit(bot)
    wanted = job.make_job(
        game, named(bots), players=seats, options=chosen, seed=seed, most_plies=plies, without_luck=without_luck
    )
    with contest.arranged(
        wanted,
        job.rounds_for(games, seats),
        file=file,
        sprt=None if sprt is None else stats.Sprt(*sprt),
        where=contest.Where(cores, ray),
        records=records,
    ) as held:
        stopped = _hold(held, screen)
        results = report.report(held)
    if as_json:
        click.echo(msgspec.json.encode(results))
    elif not results.duels:
        screen.write(say("No round was played."))
    elif screen.plain:
        for sentence in report.sentences(results):
            screen.write(sentence)
    else:
        for line in report.table(results, screen.lang):
            screen.write(line)
    if records is not None and results.duels and not as_json:
        screen.write(say("The records are in {folder}.", folder=str(records)))
    return INTERRUPTED if stopped else 0


def named(typed: tuple[str, ...]) -> tuple[str, ...]:
    """The bots in lists with commas; what follows a comma and is a limit belongs to the bot before it.

    >>> named(("greedy,ismcts:nodes=200,time=0.5", "random"))
    ('greedy', 'ismcts:nodes=200,time=0.5', 'random')
    """
    names: list[str] = []
    for part in ",".join(typed).split(","):
        if names and "=" in part and ":" not in part:
            names[-1] += f",{part.strip()}"
        elif part.strip():
            names.append(part.strip())
    return tuple(names)


def _hold(held: Contest, screen: Screen) -> bool:
    """Plays, shows how it goes, and says whether somebody stopped it with Ctrl-C."""
    with _progress(held, screen) as tell:
        try:
            compiling = say("Getting the bots ready; this takes a while, but only the first time ...")
            with preparing.watch(lambda: tell(compiling), lambda: tell(None)):
                held.first()
            tell(None)
            held.rest(lambda: tell(None))
        except KeyboardInterrupt:
            return True
    return False


Tell = Callable[[Text | None], None]


@contextmanager
def _progress(held: Contest, screen: Screen) -> Iterator[Tell]:
    """Gives a function to call after every round, or with something to say meanwhile."""
    if screen.plain or not sys.stderr.isatty():
        yield _Sentences(held, screen)
        return
    from rich.console import Console
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

    columns = (BarColumn(20), MofNCompleteColumn(), TimeRemainingColumn(), TextColumn("{task.description}"))
    with Progress(*columns, console=Console(stderr=True), transient=True) as bar:
        task = bar.add_task("", total=held.total, completed=len(held.rounds))

        shown_at = 0.0

        def tell(news: Text | None) -> None:
            nonlocal shown_at
            if news is not None or time.monotonic() > shown_at + OFTEN:
                shown_at = time.monotonic()
                text = (news or _standing(held)).to(screen.lang)
                bar.update(task, completed=len(held.rounds), description=text)

        yield tell


class _Sentences:
    """Progress for a log or a screen reader: a sentence on stderr now and then."""

    def __init__(self, held: Contest, screen: Screen) -> None:
        self._held, self._screen = held, screen
        self._next = time.monotonic() + EVERY

    def __call__(self, news: Text | None) -> None:
        if news is None and time.monotonic() < self._next:
            return
        self._next = time.monotonic() + EVERY
        held = self._held
        text = news or say(
            "{n} of {total} rounds: {standing}", n=len(held.rounds), total=held.total, standing=_standing(held)
        )
        click.echo(text.to(self._screen.lang), err=True)


def _standing(held: Contest) -> Text:
    """The running result in a few words: the one score of a match, or who leads."""
    from astragal.arena import report

    results = report.report(held)
    if not results.duels:
        return Text("")
    if len(results.job.bots) > 2:
        best = results.standings[0]
        return say("{bot} leads with {elo} Elo", bot=best.bot, elo=report.points(best.elo.value))
    share = results.duels[0].share
    return say(
        "{one} has {share} of the wins ({low} to {high})",
        one=results.duels[0].one,
        share=report.percent(share.value),
        low=report.percent(share.low),
        high=report.percent(share.high),
    )
