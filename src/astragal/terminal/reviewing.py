"""The command `review`: what was luck and what was skill in a finished match."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import click
import msgspec

from astragal.analysis.report import Review
from astragal.analysis.telling import Judged, Told, tell
from astragal.console import usage
from astragal.console.screen import Screen
from astragal.core import preparing, recordfile
from astragal.core.language import Text, decimal, say
from astragal.core.types import AstragalError
from astragal.play import sentences

LEVELS = "▁▂▃▄▅▆▇█"
WIDTH = 60  # of the sparkline


def command(lang: str) -> click.Command:
    """`astragal review`."""

    def run(
        file: Path, quick: bool, as_json: bool, html: Path | None, lang: str, plain: bool, colour: bool | None
    ) -> int:
        from astragal.analysis.review import Reviewer, made_by  # brings NumPy and Numba

        record = recordfile.read(file)
        screen = Screen(lang, plain=plain, colour=colour)
        with _progress(screen) as tell_share:
            reviewer = Reviewer(record, quick=quick)
            made = made_by(reviewer, tell_share)
        if html is not None:
            _write_page(html, made, reviewer, lang)
        if as_json:
            click.echo(msgspec.json.encode(made))
            return 0
        if html is not None:
            screen.write(say("The review is written to {file}", file=str(html)))
            return 0
        Page(made, told_of(reviewer, made, lang), screen).show()
        return 0

    return usage.Command(
        "review",
        lang=lang,
        text=say(
            "What decided a finished match: each side's luck and mistakes, and the moments that mattered. "
            "Exit code 2 if the match is not over or the file cannot be read."
        ),
        example="astragal review my-game.json",
        callback=run,
        params=[
            usage.file_argument(lang, say("The record of a match")),
            usage.flag(lang, "--quick", "quick", help=say("Look less deep, where a search judges")),
            usage.flag(lang, "--json", "as_json", help=say("As JSON")),
            click.Option(
                ["--html"],
                type=click.Path(path_type=Path),
                metavar="OUT",
                help=say("Write one page with graph, boards and all figures to this file").to(lang),
            ),
            *usage.screen_options(lang),
        ],
    )


class NotWritten(AstragalError):
    """The page could not be written."""


def told_of(reviewed: Judged, made: Review, lang: str) -> Told:
    """The review in words, with the players by their names."""
    players = [sentences.player(seat, reviewed.line.game) for seat in reviewed.line.seats]
    return tell(reviewed, made, [one.to(lang) if isinstance(one, Text) else one for one in players], lang)


def _write_page(file: Path, made: Review, reviewed: Judged, lang: str) -> None:
    from astragal.analysis.page import page

    try:
        file.write_text(page(reviewed.line, made, told_of(reviewed, made, lang), lang), "utf-8")
    except OSError as error:
        raise NotWritten(say("{file} cannot be written: {reason}", file=str(file), reason=error.strerror)) from error


@contextmanager
def _progress(screen: Screen) -> Iterator[Callable[[int, int], None]]:
    """A bar on stderr that goes away, if stderr is a terminal."""
    from rich.console import Console
    from rich.progress import BarColumn, Progress, TaskProgressColumn, TimeRemainingColumn

    compiling = say("Getting ready; this takes a while, but only the first time ...").to(screen.lang)
    console = Console(stderr=True)
    with preparing.watch(lambda: click.echo(compiling, err=True), lambda: None):
        columns = (BarColumn(20), TaskProgressColumn(), TimeRemainingColumn())
        with Progress(
            *columns, console=console, transient=True, disable=screen.plain or not console.is_terminal
        ) as bar:
            task = bar.add_task("", total=1.0)
            yield lambda done, total: bar.update(task, completed=done, total=total)


class Page:
    """A review on a terminal."""

    def __init__(self, made: Review, told: Told, screen: Screen) -> None:
        self.review, self.told, self.screen = made, told, screen

    def show(self) -> None:
        """All of it."""
        made, told, screen = self.review, self.told, self.screen
        screen.strong(told.verdict)
        screen.write(told.evaluator)
        if not screen.plain:
            self._table()
        for seat, (one, words) in enumerate(zip(made.seats, told.seats, strict=True)):
            screen.write("")
            result = f"{decimal(100 * one.result, 1, screen.lang)} %"
            screen.strong(say("{name}: {result}", name=words.name, result=result))
            if not screen.plain:
                screen.write(self._sparkline(seat))
            for sentence in (*words.figures, *words.dice):
                screen.tell(sentence)
        screen.write("")
        screen.strong(say("The moments that mattered"))
        for ply in made.moments:
            step = told.steps[ply - 1]
            text = f"{step.happened} {step.judged}".strip()
            screen.tell(say("Ply {ply}: {text}", ply=ply, text=text).to(screen.lang))
        if told.taken_back:
            screen.write("")
            screen.strong(say("Taken back"))
            for sentence in told.taken_back:
                screen.tell(sentence)

    def _table(self) -> None:
        """All figures at a glance; screen readers get the same as sentences."""
        told, screen = self.told, self.screen
        first = max(len(row.label) for row in (*told.sums, *told.table))
        most = max(8, (screen.columns - first) // len(told.seats) - 2)  # of a name, so that four seats fit
        names = tuple(_short(one.name, most) for one in told.seats)
        rows = [("", names), *((row.label, row.cells) for row in (*told.sums, *told.table))]
        summed = len(told.sums)  # the line in which the result stands
        widths = [max(len(cells[seat]) for _, cells in rows) for seat in range(len(told.seats))]
        screen.write("")
        for place, (label, cells) in enumerate(rows):
            if place == summed:
                screen.write("─" * (first + sum(width + 2 for width in widths)))
            columns = "".join(f"  {cell:>{width}}" for cell, width in zip(cells, widths, strict=True))
            screen.write(f"{label:<{first}}{columns}")

    def _sparkline(self, seat: int) -> str:
        chances = [step.after[seat] for step in self.review.steps]
        if len(chances) > WIDTH:
            chances = [chances[place * (len(chances) - 1) // (WIDTH - 1)] for place in range(WIDTH)]
        return "".join(LEVELS[min(len(LEVELS) - 1, int(chance * len(LEVELS)))] for chance in chances)


def _short(name: str, most: int) -> str:
    return name if len(name) <= most else f"{name[: most - 1]}…"
