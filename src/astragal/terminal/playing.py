"""The commands `astragal play` and `astragal watch`: a match at this terminal."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import click
import msgspec

from astragal.bots import roster
from astragal.console import usage
from astragal.console.screen import Screen
from astragal.core import recordfile
from astragal.core.language import Text, say
from astragal.core.record import is_bot
from astragal.core.rules import Game
from astragal.core.types import BadOptions, check_players
from astragal.play import clock as clocks
from astragal.play.match import Match
from astragal.terminal import words
from astragal.terminal.session import Session


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


def clock_option(lang: str, help: Text) -> click.Option:
    """The option for how long each player may think."""
    return usage.option(lang, "--clock", "clock", help=help, default="none", metavar="none|30s/move|5m+3s|3d/move")


def play_options(lang: str, game: Game) -> list[click.Option]:
    """The options of `astragal play` besides the game's own."""
    return [*_table_options(lang, game), clock_option(lang, say("How long each player may think"))]


def watch_options(lang: str, game: Game) -> list[click.Option]:
    """The options of `astragal watch` besides the game's own."""
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


def play(
    game: Game,
    file: Path | None,
    delay: float | None,
    clock: str,
    lang: str,
    plain: bool,
    colour: bool | None,
    **given: Any,
) -> None:
    """A match at this terminal."""
    screen = Screen(lang, plain=plain, colour=colour)
    time = clocks.parse(clock)
    match = _match(game, "human", **given)
    pause = delay if delay is not None else 0.4 if screen.interactive else 0.0
    table = Session(match, screen, delay=pause, clock=time)
    if file is not None:
        table.save(file)
    table.play()


def watch(
    game: Game,
    file: Path | None,
    delay: float | None,
    as_json: bool,
    lang: str,
    plain: bool,
    colour: bool | None,
    **given: Any,
) -> None:
    """A match between bots, shown or only told."""
    screen = Screen(lang, plain=plain, colour=colour)
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
