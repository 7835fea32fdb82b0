"""The commands `astragal resume`, `replay` and `convert`: what can be done with the record of a match."""

from __future__ import annotations

import shlex
from pathlib import Path

import click
import msgspec

from astragal.bots import own
from astragal.console import usage
from astragal.console.screen import Screen
from astragal.core import line, recordfile
from astragal.core.language import say
from astragal.core.types import AstragalError, BadOptions
from astragal.play import clock as clocks
from astragal.play.match import Match
from astragal.terminal import kept, menu, playing
from astragal.terminal.replay import Replay
from astragal.terminal.session import Session


def resume(lang: str) -> click.Command:
    """The command that goes on with a match that was left."""

    def run(
        file: Path | None,
        clock: str,
        own_bots: tuple[str, ...],
        as_json: bool,
        lang: str,
        plain: bool,
        colour: bool | None,
    ) -> None:
        screen = Screen(lang, plain=plain, colour=colour)
        for bot in own_bots:
            own.admit(bot)
        time = clocks.parse(clock)
        if file is None:
            file = _unfinished(screen, as_json)
        if file is None:
            return
        match = Match.resume(recordfile.read(file))
        if match.over:
            raise AstragalError(say("{file}: this match is over; see it with astragal replay", file=str(file)))
        Session(match, screen, delay=0.4 if screen.interactive else 0.0, file=file, clock=time).play()

    return usage.Command(
        "resume",
        lang=lang,
        text=say("Go on with a match that was left. Without a file: the matches that can go on."),
        example="astragal resume my-game.json",
        callback=run,
        params=[
            usage.file_argument(lang, say("The record of the match"), required=False),
            usage.flag(lang, "--json", "as_json", help=say("Without a file: the list as JSON")),
            playing.clock_option(lang, say("How long each player may think from now on: a file keeps no clocks")),
            usage.own_bots(lang, say("A bot of your own that plays in this match, MODULE:CLASS; any number")),
            *usage.screen_options(lang),
        ],
    )


def _unfinished(screen: Screen, as_json: bool) -> Path | None:
    """Lists the matches that can go on; at a terminal the user chooses one."""
    matches = list(kept.unfinished())
    if as_json:
        click.echo(
            msgspec.json.encode(
                [
                    {"file": str(each.file), "game": each.record.header.game, "match": each.record.header.match}
                    for each in matches
                ]
            )
        )
    elif not matches:
        screen.write(kept.nothing())
    elif screen.interactive:
        chosen = menu.choose(screen, say("Which match goes on?"), [each.about() for each in matches])
        return None if chosen is None else matches[chosen].file
    else:
        for each in matches:
            screen.write(each.about())
            screen.write(f"  astragal resume {shlex.quote(str(each.file))}")
    return None


def replay(lang: str) -> click.Command:
    """The command that walks through a record."""

    def run(
        file: Path,
        ply: int | None,
        seat: int | None,
        every: bool,
        line_only: bool,
        svg: Path | None,
        lang: str,
        plain: bool,
        colour: bool | None,
    ) -> None:
        kept = recordfile.read(file)
        if seat is not None and seat > len(kept.header.seats):
            raise BadOptions("side", say("there is no seat {seat}", seat=seat))
        screen = Screen(lang, plain=plain, colour=colour)
        shown = Replay(kept, line.replay(kept), screen, None if not seat else seat - 1)
        if ply is not None:
            shown.jump(ply)
        if svg is not None:
            recordfile.check_free(svg)
            recordfile.put(svg, shown.svg())
        elif line_only:
            click.echo(shown.position())
        elif every:
            shown.list()
        elif ply is not None:
            shown.show()
        else:
            shown.run()

    return usage.Command(
        "replay",
        lang=lang,
        text=say("Walk through a record: step, jump, change sides."),
        example="astragal replay my-game.json --ply 40 --side 2",
        callback=run,
        params=[
            usage.file_argument(lang, say("The record of a match")),
            usage.option(
                lang, "--ply", "ply", help=say("Show this ply and leave"), type=click.IntRange(0), metavar="0-..."
            ),
            usage.option(
                lang,
                "--side",
                "seat",
                help=say("Through the eyes of this seat"),
                type=click.IntRange(0),
                metavar="0-...",
            ),
            usage.flag(lang, "--list", "every", help=say("Only list the moves")),
            usage.flag(lang, "--position", "line_only", help=say("Only write the position as one line")),
            usage.option(lang, "--svg", "svg", help=say("Write the position as a picture to this file"), type=Path),
            *usage.screen_options(lang),
        ],
    )


def convert(lang: str) -> click.Command:
    """The command that turns a record from one form into the other."""

    def run(file: Path, target: Path, lang: str) -> None:
        kept = recordfile.read(file)
        recordfile.check_target(target)
        recordfile.write(kept, target)
        click.echo(say("{file} is written", file=str(target)).to(lang))

    return usage.Command(
        "convert",
        lang=lang,
        text=say("Turn a record from JSON into text or back."),
        example="astragal convert my-game.json my-game.txt",
        callback=run,
        params=[
            usage.file_argument(lang, say("The record of a match")),
            usage.file_argument(lang, say("The file to write, .json or .txt"), "target"),
            usage.lang_option(lang),
        ],
    )
