"""The command `astragal`: reads the command line and calls the layers below."""

from __future__ import annotations

import os
import sys
import warnings
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import click

import astragal
from astragal import hosting
from astragal.console import usage
from astragal.console.screen import Screen
from astragal.core import options
from astragal.core.language import choose_language, say
from astragal.core.rules import Game
from astragal.core.types import AstragalError
from astragal.terminal import (
    arena,
    completion,
    exporting,
    menu,
    playing,
    puzzling,
    reading,
    record_commands,
    remote_command,
    reviewing,
    solving,
    tables,
    verifying,
)

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
            playing.play,
            playing.play_options,
        ),
        usage.of_games(
            "watch",
            lang,
            say("Watch bots play a game."),
            "astragal watch {game} --seat bot:novice --seat bot:master",
            playing.watch,
            playing.watch_options,
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
        record_commands.resume,
        record_commands.replay,
        reviewing.command,
        puzzling.command,
        verifying.command,
        tables.group,
        remote_command.command,
        record_commands.convert,
        reading.rules,
        reading.games,
    )
    for make in (*ours, hosting.hall, hosting.serve, hosting.admin, hosting.backup, hosting.restore):
        group.add_command(make(lang))
    return group


def _menu(context: click.Context, **shown: Any) -> None:
    if context.invoked_subcommand is None:
        menu.run(_screen(**shown))


def _screen(lang: str, plain: bool, colour: bool | None) -> Screen:
    return Screen(lang, plain=plain, colour=colour)


# Commands that take a game's own options ----------------------------------------------------------------------


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
