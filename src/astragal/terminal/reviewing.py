"""The command `review`: what was luck and what was skill in a finished match."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import click
import msgspec

from astragal.analysis.report import Review, SeatReview, Step
from astragal.console import usage
from astragal.console.screen import Screen
from astragal.core import preparing, recordfile
from astragal.core.language import Text, noted, say
from astragal.core.record import find_game
from astragal.core.types import CHANCE

LEVELS = "▁▂▃▄▅▆▇█"
WIDTH = 60  # of the sparkline
EVALUATORS = {
    "table": noted("a table of exact values"),
    "network": noted("a network, whose values are estimates"),
    "heuristic": noted("a rule of thumb and a search, whose values are estimates"),
}


def command(lang: str) -> click.Command:
    """`astragal review`."""

    def run(file: Path, quick: bool, as_json: bool, lang: str, plain: bool, colour: bool | None) -> int:
        from astragal.analysis.review import review  # brings NumPy and Numba

        record = recordfile.read(file)
        screen = Screen(lang, plain=plain, colour=colour)
        with _progress(screen) as tell:
            made = review(record, quick=quick, tell=tell)
        if as_json:
            click.echo(msgspec.json.encode(made))
            return 0
        presentation = find_game(record.header).presentation
        names = [presentation.seat_name(seat, lang) for seat in range(len(record.header.seats))]
        Page(made, names, screen).show()
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
            *usage.screen_options(lang),
        ],
    )


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

    def __init__(self, made: Review, names: list[str], screen: Screen) -> None:
        self.review, self.names, self.screen = made, names, screen

    def show(self) -> None:
        """All of it."""
        made, screen = self.review, self.screen
        screen.strong(say("Judged by: {evaluator}", evaluator=say(EVALUATORS[made.evaluator])))
        for seat, (name, one) in enumerate(zip(self.names, made.seats, strict=True)):
            screen.write("")
            screen.strong(say("{name}: {result}", name=name, result=_percent(one.result)))
            if not screen.plain:
                screen.write(self._sparkline(seat))
            for sentence in self._sentences(one):
                screen.write(sentence)
        screen.write("")
        screen.strong(say("The moments that mattered"))
        for ply in made.moments:
            screen.write(self._moment(made.steps[ply - 1]))

    def _sentences(self, one: SeatReview) -> Iterator[Text]:
        yield say("Chance at the start {start}, luck {luck}, own decisions {loss}, the others' decisions {gained}",
                  start=_percent(one.start), luck=_points(one.luck), loss=_points(-one.loss),
                  gained=_points(one.gained))  # fmt: skip
        if one.conceded:
            yield say("ended before the rules did: {points}", points=_points(one.conceded))
        if abs(one.remainder) >= 0.0005:
            yield say("remainder, since values are estimates: {points}", points=_points(one.remainder))
        yield say("Accuracy {accuracy} of 100: {loss} points a decision lost, in {decisions} decisions",
                  accuracy=f"{one.accuracy:.0f}", loss=f"{100 * one.loss_a_decision:.2f}",
                  decisions=one.decisions)  # fmt: skip
        yield say("Slips {slips}, mistakes {mistakes}, blunders {blunders}", slips=one.slips, mistakes=one.mistakes,
                  blunders=one.blunders)  # fmt: skip
        yield say("With even dice the result would have been {even}", even=_percent(one.even))

    def _moment(self, step: Step) -> Text:
        change = [after - before for after, before in zip(step.after, step.before, strict=True)]
        if step.seat == CHANCE:
            seat = max(range(len(change)), key=lambda one: change[one])
            return say("Ply {ply}: {action} was good for {name} ({points})", ply=step.ply, action=step.action,
                       name=self.names[seat], points=_points(change[seat]))  # fmt: skip
        return say("Ply {ply}, {name}: {action}; {best} was better ({points})", ply=step.ply,
                   name=self.names[step.seat], action=step.action, best=step.best,
                   points=_points(change[step.seat]))  # fmt: skip

    def _sparkline(self, seat: int) -> str:
        chances = [step.after[seat] for step in self.review.steps]
        if len(chances) > WIDTH:
            chances = [chances[place * (len(chances) - 1) // (WIDTH - 1)] for place in range(WIDTH)]
        return "".join(LEVELS[min(len(LEVELS) - 1, int(chance * len(LEVELS)))] for chance in chances)


def _percent(share: float) -> str:
    return f"{100 * share:.1f} %"


def _points(change: float) -> str:
    return f"{100 * change:+.1f}"
