"""The commands `astragal rules` and `astragal games`: what there is to read before a match."""

from __future__ import annotations

import textwrap

import click
import msgspec

from astragal.console import usage
from astragal.console.screen import Screen
from astragal.core import pages, registry
from astragal.core.language import say


def rules(lang: str) -> click.Command:
    """The command that shows the rules of a game."""

    def run(game: str, lang: str, plain: bool, colour: bool | None) -> None:
        Screen(lang, plain=plain, colour=colour).page(pages.page(registry.game(game), lang))

    return usage.Command(
        "rules",
        lang=lang,
        text=say("The rules of a game."),
        example="astragal rules {game} --lang de",
        callback=run,
        params=[usage.game_argument(lang), *usage.screen_options(lang)],
    )


def games(lang: str) -> click.Command:
    """The command that lists the games."""

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
