"""The command `astragal solve`: exact values of games that can be solved; `tables` is about what it has made."""

from __future__ import annotations

import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click
import msgspec

from astragal.console import usage
from astragal.console.screen import Screen
from astragal.core import preparing
from astragal.core.language import Text, say
from astragal.core.rules import Game
from astragal.core.types import AstragalError

if TYPE_CHECKING:  # they bring NumPy, which no other command needs
    from astragal.solve.estimate import Meter
    from astragal.solve.iterate import Progress
    from astragal.solve.job import Job

EVERY = 10.0  # seconds between two sentences about how it goes, where no bar can be drawn
INTERRUPTED = 130


def options(lang: str, game: Game) -> list[click.Option]:  # noqa: ARG001
    """The options of `solve` besides the game's own."""
    return [
        usage.option(
            lang,
            "--precision",
            "precision",
            help=say(
                "How far apart the bounds of a value may be; in games that need not end, what a sweep may still change"
            ),
            type=usage.Seconds(1e-8, 0.5),
            metavar="1e-6",
        ),
        usage.option(
            lang,
            "--bits",
            "bits",
            help=say("Bits of a value in the table"),
            type=click.Choice(["8", "16"]),
            default="16",
            metavar="8|16",
        ),
        usage.option(
            lang,
            "--device",
            "device",
            help=say("Where to work it out: on this computer's cores, or on an NVIDIA graphics card"),
            type=click.Choice(["cpu", "cuda"]),
            default="cpu",
            metavar="cpu|cuda",
        ),
        usage.flag(
            lang,
            "--bounds",
            "bounds",
            help=say("Bounds too, in games that need not end (about four times as long)"),
        ),
        usage.flag(lang, "--json", "as_json", help=say("As JSON")),
    ]


def solve(
    game: Game, chosen: Any, *, precision: float | None, bits: str, device: str, bounds: bool, as_json: bool,
    screen: Screen,
) -> int:  # fmt: skip
    """Makes the table for these options, unless it is there; the exit code."""
    from astragal.solve import shelf
    from astragal.solve.job import Job
    from astragal.solve.machine import machine_for

    found = shelf.find(game, chosen)
    if found is None:
        folder = shelf.folder()
        folder.mkdir(parents=True, exist_ok=True)
        job = Job(game, chosen, folder, precision=precision, bits=8 if bits == "8" else 16, bounds=bounds)
        _check_room(job, screen, folder)
        machine = machine_for(job.index, device)
        try:
            with _progress(job, screen) as tell:
                found = job.run(tell, machine)
        except KeyboardInterrupt:
            click.echo(say("Stopped. The same command goes on from here.").to(screen.lang), err=True)
            return INTERRUPTED
    if as_json:
        click.echo(msgspec.json.encode({"file": str(found.file), **msgspec.to_builtins(found.header)}))
        return 0
    screen.write(say("{file} is there: {positions} positions.", file=str(found.file), positions=found.header.positions))
    if found.header.bounds is None:
        screen.write(
            say("Whoever begins wins with a chance of {value}, unfinished games counted as half.",
                value=f"{found.header.value:.4f}")
        )  # fmt: skip
        return 0
    low, high = found.header.bounds
    screen.write(
        say("Whoever begins wins with a chance between {low} and {high}.", low=f"{low:.7f}", high=f"{high:.7f}")
    )
    return 0


def _check_room(job: Job, screen: Screen, folder: Path) -> None:
    """Says what the solution takes, and refuses to begin what cannot end well."""
    from astragal.solve.estimate import MB, estimate, refusal

    wanted = estimate(job.index, job.bits, bounds=job.bounds)
    click.echo(
        say(
            "{positions} positions: this takes about {memory} MB of memory and {disk} MB on disk.",
            positions=wanted.positions,
            memory=-(-wanted.memory // MB),
            disk=-(-wanted.disk // MB),
        ).to(screen.lang),
        err=True,
    )
    why = refusal(wanted, folder)
    if why is not None:
        raise AstragalError(why)


@contextmanager
def _progress(job: Job, screen: Screen) -> Iterator[Callable[[Progress], None]]:
    """Gives a function to call after every sweep."""
    from astragal.solve.estimate import Meter

    begun = job.begun()
    if begun:
        click.echo(say("Goes on after {n} finished blocks.", n=begun).to(screen.lang), err=True)
    compiling = say("Getting ready; this takes a while, but only the first time ...").to(screen.lang)
    meter = Meter(job.index, job.precision, begun, bounds=job.bounds)
    with preparing.watch(lambda: click.echo(compiling, err=True), lambda: None):
        if screen.plain or not sys.stderr.isatty():
            yield _Sentences(screen, meter)
            return
        from rich.console import Console
        from rich.progress import BarColumn, TaskProgressColumn, TextColumn
        from rich.progress import Progress as Bar

        columns = (BarColumn(20), TaskProgressColumn(), TextColumn("{task.description}"))
        with Bar(*columns, console=Console(stderr=True), transient=True) as bar:
            task = bar.add_task("", total=1.0)

            def tell(progress: Progress) -> None:
                meter.update(progress)
                bar.update(task, completed=meter.share, description=_told(progress, meter).to(screen.lang))

            yield tell


class _Sentences:
    """Progress for a log or a screen reader: a sentence on stderr now and then."""

    def __init__(self, screen: Screen, meter: Meter) -> None:
        self._screen, self._meter, self._next = screen, meter, time.monotonic() + EVERY

    def __call__(self, progress: Progress) -> None:
        self._meter.update(progress)
        if time.monotonic() > self._next:
            self._next = time.monotonic() + EVERY
            share = say("{percent} % done", percent=round(100 * self._meter.share))
            click.echo(f"{share.to(self._screen.lang)}; {_told(progress, self._meter).to(self._screen.lang)}", err=True)


def _told(progress: Progress, meter: Meter) -> Text:
    """Where it is, and how long the rest will take."""
    where = say(
        "block {n} of {total}, sweep {sweep}, largest change {change}",
        n=progress.number,
        total=progress.blocks,
        sweep=progress.sweeps,
        change=f"{progress.change:.1e}",
    )
    left = meter.seconds_left()
    if left is None:
        return where
    minutes, seconds = divmod(round(left), 60)
    return say("{where}; about {time} left", where=where, time=f"{minutes}:{seconds:02}")
