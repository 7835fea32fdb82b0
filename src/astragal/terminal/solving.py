"""The command `astragal solve`: exact values of games that can be solved; `tables` is about what it has made."""

from __future__ import annotations

import os
import shutil
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
    from astragal.solve.iterate import Progress
    from astragal.solve.job import Job
    from astragal.solve.machine import Machine

EVERY = 10.0  # seconds between two sentences about how it goes, where no bar can be drawn
INTERRUPTED = 130
MB = 1_000_000


def options(lang: str, game: Game) -> list[click.Option]:  # noqa: ARG001
    """The options of `solve` besides the game's own."""
    return [
        usage.option(
            lang,
            "--precision",
            "precision",
            help=say("How far apart the bounds of a value may be"),
            type=usage.Seconds(1e-8, 0.5),
            default=1e-6,
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
        usage.flag(lang, "--json", "as_json", help=say("As JSON")),
    ]


def solve(game: Game, chosen: Any, *, precision: float, bits: str, device: str, as_json: bool, screen: Screen) -> int:
    """Makes the table for these options, unless it is there; the exit code."""
    from astragal.solve import shelf
    from astragal.solve.job import Job

    found = shelf.find(game, chosen)
    if found is None:
        folder = shelf.folder()
        folder.mkdir(parents=True, exist_ok=True)
        job = Job(game, chosen, folder, precision=precision, bits=8 if bits == "8" else 16)
        _check_room(job, screen, folder)
        machine = _machine(job, device)
        try:
            with _progress(job, screen) as tell:
                found = job.run(tell, machine)
        except KeyboardInterrupt:
            click.echo(say("Stopped. The same command goes on from here.").to(screen.lang), err=True)
            return INTERRUPTED
    if as_json:
        click.echo(msgspec.json.encode({"file": str(found.file), **msgspec.to_builtins(found.header)}))
        return 0
    low, high = found.header.bounds or (0.0, 1.0)
    screen.write(say("{file} is there: {positions} positions.", file=str(found.file), positions=found.header.positions))
    screen.write(
        say("Whoever begins wins with a chance between {low} and {high}.", low=f"{low:.7f}", high=f"{high:.7f}")
    )
    return 0


def _check_room(job: Job, screen: Screen, folder: Path) -> None:
    """Says what the solution takes, and refuses to begin what cannot end well."""
    from astragal.solve.job import needs

    wanted = needs(job.index, job.bits)
    click.echo(
        say(
            "{positions} positions: this takes about {memory} MB of memory and {disk} MB on disk.",
            positions=job.index.size,
            memory=-(-wanted.memory // MB),
            disk=-(-wanted.disk // MB),
        ).to(screen.lang),
        err=True,
    )
    free = shutil.disk_usage(folder).free
    if free < wanted.disk:
        raise AstragalError(say("only {free} MB are free in {folder}", free=free // MB, folder=str(folder)))
    there = _memory()
    if there is not None and there < wanted.memory:
        raise AstragalError(say("this computer has only {free} MB of memory", free=there // MB))


def _memory() -> int | None:
    """How much memory this computer has, where it says so."""
    try:
        return os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES")
    except (AttributeError, ValueError, OSError):
        return None


def _machine(job: Job, device: str) -> Machine:
    if device == "cpu":
        from astragal.solve.machine import Cores

        return Cores(job.index)
    try:
        from astragal.solve.gpu import Gpu

        return Gpu(job.index)
    except Exception as error:  # Numba has many ways to say that there is no graphics card
        reason = str(error).strip().split("\n")[0]
        raise AstragalError(say("no NVIDIA graphics card can be used: {reason}", reason=reason)) from error


@contextmanager
def _progress(job: Job, screen: Screen) -> Iterator[Callable[[Progress], None]]:
    """Gives a function to call after every sweep."""
    begun = job.begun()
    if begun:
        click.echo(say("Goes on after {n} finished blocks.", n=begun).to(screen.lang), err=True)
    compiling = say("Getting ready; this takes a while, but only the first time ...").to(screen.lang)
    sizes = [sum(stop - start for start, stop in block.spans) for block in job.index.blocks]
    with preparing.watch(lambda: click.echo(compiling, err=True), lambda: None):
        if screen.plain or not sys.stderr.isatty():
            yield _Sentences(screen)
            return
        from rich.console import Console
        from rich.progress import BarColumn, Progress, TaskProgressColumn, TextColumn, TimeRemainingColumn

        columns = (BarColumn(20), TaskProgressColumn(), TimeRemainingColumn(), TextColumn("{task.description}"))
        with Progress(*columns, console=Console(stderr=True), transient=True) as bar:
            task = bar.add_task("", total=sum(sizes), completed=sum(sizes[:begun]))
            yield lambda progress: bar.update(
                task, completed=sum(sizes[: progress.number - 1]), description=_told(progress).to(screen.lang)
            )


class _Sentences:
    """Progress for a log or a screen reader: a sentence on stderr now and then."""

    def __init__(self, screen: Screen) -> None:
        self._screen, self._next = screen, time.monotonic() + EVERY

    def __call__(self, progress: Progress) -> None:
        if time.monotonic() > self._next:
            self._next = time.monotonic() + EVERY
            click.echo(_told(progress).to(self._screen.lang), err=True)


def _told(progress: Progress) -> Text:
    return say(
        "block {n} of {total}, sweep {sweep}, largest change {change}",
        n=progress.number,
        total=progress.blocks,
        sweep=progress.sweeps,
        change=f"{progress.change:.1e}",
    )
