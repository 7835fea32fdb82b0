"""The command `astragal research export`: games between bots as a Parquet file."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import click
import msgspec

from astragal.bots import own
from astragal.console import usage
from astragal.console.screen import Screen
from astragal.core.language import say
from astragal.core.rules import Game
from astragal.core.types import AstragalError

INTERRUPTED = 130


def options(lang: str, game: Game) -> list[click.Option]:
    """The options of `export` besides the game's own."""
    return [
        usage.option(
            lang, "--games", "games", help=say("How many games"), type=int, default=1000, metavar="1000"
        ),
        usage.option(
            lang, "--bots", "bots", help=say("The bots, one for each seat or fewer, with commas between them"),
            default="strong", metavar="strong,casual",
        ),
        usage.option(
            lang, "--players", "players", help=say("How many play"), type=int,
            metavar="|".join(map(str, game.rules.spec.players)),
        ),
        usage.option(lang, "--seed", "seed", help=say("Dice and bots that can be repeated"), default="1"),
        usage.option(
            lang, "--out", "file", help=say("Where to write it"), type=Path, required=True, metavar="FILE.parquet"
        ),
        usage.flag(lang, "--tensors", "tensors", help=say("With what the seat may know, as numbers")),
        usage.flag(lang, "--json", "as_json", help=say("As JSON")),
    ]  # fmt: skip


def run(
    game: Game, chosen: Any, *, games: int, bots: str, players: int | None, seed: str, file: Path, tensors: bool,
    as_json: bool, screen: Screen,
) -> int:  # fmt: skip
    """Plays and writes, or goes on where it was stopped; the exit code."""
    try:
        from astragal.research import export
    except ImportError as error:
        raise AstragalError(say("this needs more packages: pip install 'astragal[research]'")) from error
    names = [name.strip() for name in bots.split(",") if name.strip()]
    for name in names:
        own.admit(name)
    plan = export.plan_of(game, chosen, names, games, players=players, seed=seed, tensors=tensors)
    try:
        with _progress(screen, games) as tell:
            done = export.export(plan, file, tell)
    except KeyboardInterrupt:
        click.echo(say("Stopped. The same command goes on from here.").to(screen.lang), err=True)
        return INTERRUPTED
    if as_json:
        click.echo(msgspec.json.encode(done))
    else:
        screen.write(
            say("{file} is there: {games} games, {rows} decisions; {card} says how it was made.", file=done.file,
                games=done.games, rows=done.rows, card=done.card)
        )  # fmt: skip
    return 0


@contextmanager
def _progress(screen: Screen, games: int) -> Iterator[Callable[[int], None]]:
    """Gives a function that is told how many games are done."""
    if screen.plain or not sys.stderr.isatty():
        yield lambda done: click.echo(say("{done} of {games} games", done=done, games=games).to(screen.lang), err=True)
        return
    from rich.console import Console
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TimeRemainingColumn

    with Progress(
        BarColumn(20), MofNCompleteColumn(), TimeRemainingColumn(), console=Console(stderr=True), transient=True
    ) as bar:
        task = bar.add_task("", total=games)
        yield lambda done: bar.update(task, completed=done)
