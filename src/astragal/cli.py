"""The command `astragal`: reads the command line and calls the layers below."""

from __future__ import annotations

import os
import shlex
import sys
import textwrap
import warnings
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import click
import msgspec

import astragal
from astragal import hosting
from astragal.bots import own, roster
from astragal.console import usage
from astragal.console.screen import Screen
from astragal.core import line, options, pages, recordfile, registry
from astragal.core.language import Text, choose_language, say
from astragal.core.record import is_bot
from astragal.core.rules import Game
from astragal.core.types import AstragalError, BadOptions, check_players
from astragal.play import clock as clocks
from astragal.play.match import Match
from astragal.terminal import (
    arena,
    completion,
    exporting,
    kept,
    menu,
    remote_command,
    reviewing,
    solving,
    tables,
    verifying,
    words,
)
from astragal.terminal.replay import Replay
from astragal.terminal.session import Session

BAD_INPUT = 2
INTERRUPTED = 130


def main(argv: Sequence[str] | None = None) -> None:
    """Runs the command; every fault of the input is one line on stderr and exit code 2."""
    lang = choose_language()
    _open_streams()
    warnings.formatwarning = lambda message, *_rest, **_more: f"astragal: {message}\n"  # such as a broken plugin's
    try:
        lang, words = usage.take_language(sys.argv[1:] if argv is None else argv)
        sys.exit(commands(lang).main(words, prog_name="astragal", standalone_mode=False) or 0)
    except click.exceptions.Exit as leave:
        sys.exit(leave.exit_code)
    except (click.Abort, KeyboardInterrupt):
        sys.exit(INTERRUPTED)
    except click.ClickException as error:
        click.echo(f"astragal: {usage.explain(error).to(lang)}", err=True)
    except AstragalError as error:
        click.echo(f"astragal: {error.to(lang)}", err=True)
    sys.exit(BAD_INPUT)


def _open_streams() -> None:
    """Makes the three streams fit for anything: closed ones, and text that their encoding cannot hold."""
    for name in ("stdin", "stdout", "stderr"):
        if getattr(sys, name) is None:  # closed by whoever started us
            setattr(sys, name, Path(os.devnull).open("r" if name == "stdin" else "w"))  # noqa: SIM115
        getattr(sys, name).reconfigure(errors="replace")


def commands(lang: str) -> click.Group:
    """All commands, with their help in this language."""
    group = usage.MainGroup(
        "astragal",
        lang=lang,
        text=say("Old and new board games to play, to watch and to study. Without a command: the menu."),
        example="astragal play {game} --seat human --seat bot:strong",
        invoke_without_command=True,
        context_settings={"help_option_names": ["-h", "--help"]},  # for the commands below it too
        callback=click.pass_context(lambda context, **shown: _menu(context, **shown)),
        params=[*usage.screen_options(lang), usage.version_option(lang, astragal.__version__)],
    )
    for command in (
        usage.of_games(
            "play",
            lang,
            say("Play a game."),
            "astragal play {game} --seat human --seat bot:strong --seed 7",
            _play,
            _play_options,
        ),
        usage.of_games(
            "watch",
            lang,
            say("Watch bots play a game."),
            "astragal watch {game} --seat bot:novice --seat bot:master",
            _watch,
            _watch_options,
        ),
        usage.of_games(
            "arena",
            lang,
            say("Let bots play many games, and see who is better, by how much and how surely."),
            "astragal arena {game} --bots greedy,random --games 1000 --cores 0",
            _arena,
            arena.options,
            " --bots greedy,random",
        ),
        usage.of_games(
            "solve",
            lang,
            say("Work out what every position of a game is worth, for the bot perfect and for study."),
            "astragal solve {game} --bits 8",
            _solve,
            solving.options,
        ),
    ):
        group.add_command(command)
    ours = (
        completion.command,
        _research,
        _resume,
        _replay,
        reviewing.command,
        verifying.command,
        tables.group,
        remote_command.command,
        _convert,
        _rules,
        _games,
    )
    for make in (*ours, hosting.hall, hosting.serve, hosting.admin, hosting.backup, hosting.restore):
        group.add_command(make(lang))
    return group


def _menu(context: click.Context, **shown: Any) -> None:
    if context.invoked_subcommand is None:
        menu.run(_screen(**shown))


def _screen(lang: str, plain: bool, colour: bool | None) -> Screen:
    return Screen(lang, plain=plain, colour=colour)


# play, watch and arena ------------------------------------------------------------------------------------------


def _table_options(lang: str, game: Game) -> list[click.Option]:
    who = say("Who sits there: human, human:NAME or bot:NAME; once for every seat")
    return [
        usage.option(
            lang,
            "--seat",
            "seats",
            help=who,
            multiple=True,
            metavar="human|bot:casual",
            shell_complete=usage.completing(lambda: ["human", *(f"bot:{bot}" for bot in roster.known())]),
        ),
        usage.option(
            lang,
            "--players",
            "players",
            help=say("How many play"),
            type=int,
            metavar="|".join(map(str, game.rules.spec.players)),
        ),
        usage.option(lang, "--seed", "seed", help=say("Dice and bots that can be repeated")),
        usage.option(
            lang,
            "--position",
            "position",
            help=say("Where to begin, as the game's rules page writes positions"),
            metavar=say("LINE").to(lang),
        ),
        usage.option(lang, "--save", "file", help=say("Where to keep the record (.json or .txt)"), type=Path),
        usage.option(
            lang,
            "--delay",
            "delay",
            help=say("Seconds between what happens"),
            type=usage.Seconds(0, 60),
            metavar="0-60",
        ),
    ]


def _clock_option(lang: str, help: Text) -> click.Option:
    return usage.option(lang, "--clock", "clock", help=help, default="none", metavar="none|30s/move|5m+3s|3d/move")


def _play_options(lang: str, game: Game) -> list[click.Option]:
    return [*_table_options(lang, game), _clock_option(lang, say("How long each player may think"))]


def _watch_options(lang: str, game: Game) -> list[click.Option]:
    only = usage.flag(lang, "--json", "as_json", help=say("Only the result, as JSON"))
    return [*_table_options(lang, game), only]


def _match(
    game: Game,
    default: str,
    preset: str | None,
    seats: Sequence[str],
    players: int | None,
    seed: str | None,
    position: str | None,
    **given: Any,
) -> Match:
    chosen = usage.chosen(game, preset, given)
    count = players if players is not None else max(len(seats), min(game.rules.spec.players))
    check_players(game.rules.spec, count)
    if seats and len(seats) > count:
        raise BadOptions("seat", say("{n} seats for {players} players", n=len(seats), players=count))
    sitting = [words.seat(text) for text in seats]
    sitting += [
        words.seat("human" if default == "human" and not sitting and not k else "bot:casual")
        for k in range(count - len(sitting))
    ]
    return Match.start(game, chosen, sitting, seed=seed, position=position)


def _play(
    game: Game,
    file: Path | None,
    delay: float | None,
    clock: str,
    lang: str,
    plain: bool,
    colour: bool | None,
    **given: Any,
) -> None:
    screen = _screen(lang, plain, colour)
    time = clocks.parse(clock)
    match = _match(game, "human", **given)
    pause = delay if delay is not None else 0.4 if screen.interactive else 0.0
    table = Session(match, screen, delay=pause, clock=time)
    if file is not None:
        table.save(file)
    table.play()


def _watch(
    game: Game,
    file: Path | None,
    delay: float | None,
    as_json: bool,
    lang: str,
    plain: bool,
    colour: bool | None,
    **given: Any,
) -> None:
    screen = _screen(lang, plain, colour)
    if file is not None:
        recordfile.check_target(file)
    match = _match(game, "bot", **given)
    if not all(map(is_bot, match.seats)):
        raise BadOptions("seat", say("to watch, every seat needs a bot; use play for humans"))
    if as_json:
        while match.step() is not None:
            pass
        click.echo(
            msgspec.json.encode({"game": game.id, "match": match.id, "plies": match.ply, "result": match.result})
        )
    else:
        Session(match, screen, delay=delay if delay is not None else 0.5 if screen.interactive else 0.0).watch()
    if file is not None:
        recordfile.write(match.record(), file)


def _arena(game: Game, preset: str | None, lang: str, plain: bool, colour: bool | None, **given: Any) -> int:
    own = {field.name: given.pop(field.name) for field in options.fields(game.rules)}
    return arena.run(game, usage.chosen(game, preset, own), screen=_screen(lang, plain, colour), **given)


def _solve(game: Game, preset: str | None, lang: str, plain: bool, colour: bool | None, **given: Any) -> int:
    own = {field.name: given.pop(field.name) for field in options.fields(game.rules)}
    return solving.solve(game, usage.chosen(game, preset, own), screen=_screen(lang, plain, colour), **given)


def _research(lang: str) -> click.Command:
    export = usage.of_games(
        "research export",
        lang,
        say("Write games between bots into a Parquet file, a row for every decision."),
        "astragal research export {game} --games 1000 --bots strong,casual --out games.parquet",
        _export,
        exporting.options,
        " --out games.parquet",
    )
    export.name = "export"
    text = say("Data and exact figures for those who study games.")
    group = usage.Group("research", lang=lang, text=text, example="astragal research export {game} --out games.parquet")
    group.add_command(export)
    return group


def _export(game: Game, preset: str | None, lang: str, plain: bool, colour: bool | None, **given: Any) -> int:
    own = {field.name: given.pop(field.name) for field in options.fields(game.rules)}
    return exporting.run(game, usage.chosen(game, preset, own), screen=_screen(lang, plain, colour), **given)


# Records --------------------------------------------------------------------------------------------------------


def _resume(lang: str) -> click.Command:
    def run(
        file: Path | None,
        clock: str,
        own_bots: tuple[str, ...],
        as_json: bool,
        lang: str,
        plain: bool,
        colour: bool | None,
    ) -> None:
        screen = _screen(lang, plain, colour)
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
            _clock_option(lang, say("How long each player may think from now on: a file keeps no clocks")),
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


def _replay(lang: str) -> click.Command:
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
        screen = _screen(lang, plain, colour)
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


def _convert(lang: str) -> click.Command:
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


# Reading --------------------------------------------------------------------------------------------------------


def _rules(lang: str) -> click.Command:
    def run(game: str, lang: str, plain: bool, colour: bool | None) -> None:
        _screen(lang, plain, colour).page(pages.page(registry.game(game), lang))

    return usage.Command(
        "rules",
        lang=lang,
        text=say("The rules of a game."),
        example="astragal rules {game} --lang de",
        callback=run,
        params=[usage.game_argument(lang), *usage.screen_options(lang)],
    )


def _games(lang: str) -> click.Command:
    def run(as_json: bool, lang: str) -> None:
        specs = [game.rules.spec for game in registry.games().values()]
        if as_json:
            click.echo(msgspec.json.encode(specs))
            return
        for spec in specs:
            players = "-".join(dict.fromkeys((str(min(spec.players)), str(max(spec.players)))))
            about = say("{title}. {summary}", title=say(spec.title), summary=say(spec.summary)).to(lang)
            click.echo(
                textwrap.fill(about, 78, initial_indent=f"{spec.id:<10} {players:<4} ", subsequent_indent=" " * 16)
            )

    return usage.Command(
        "games",
        lang=lang,
        text=say("The games there are."),
        example="astragal games --json",
        callback=run,
        params=[usage.flag(lang, "--json", "as_json", help=say("As JSON")), usage.lang_option(lang)],
    )
