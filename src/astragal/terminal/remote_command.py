"""The command `astragal bot`: lets a bot of this computer play on a server."""

from __future__ import annotations

import urllib.parse
from pathlib import Path
from random import Random
from typing import Any

import click
import msgspec

from astragal.bots import own
from astragal.console import usage
from astragal.core import options as option_tools
from astragal.core import player_key, registry
from astragal.core.language import Text, say
from astragal.core.types import AstragalError, BadOptions


def command(lang: str) -> click.Command:
    """`astragal bot`."""
    return usage.Command(
        "bot",
        lang=lang,
        text=say("Let a bot play on a server: one of your own, or any other."),
        example="astragal bot --server https://games.example.org --bot my_bots:Patient --game {game}",
        callback=_run,
        params=[
            usage.option(
                lang, "--server", "server", help=say("The address of the server"), default="http://localhost:8484",
                metavar="URL",
            ),
            usage.option(
                lang, "--bot", "bot", help=say("Who plays: NAME, or MODULE:CLASS for code of your own"),
                default="strong", metavar="NAME",
            ),
            usage.option(
                lang, "--join", "link", help=say("Take a seat in the match of this link"), default="",
                metavar="https://HOST/join/...",
            ),
            usage.option(lang, "--game", "game", help=say("Or open a match of this game"), default="", metavar="ID"),
            usage.option(
                lang, "--against", "against", multiple=True, metavar="casual|open",
                help=say("The others in a match that is opened: bots of the server, or open for whoever joins"),
            ),
            usage.option(lang, "--preset", "preset", help=say("A named set of options of the game"), default=""),
            usage.option(
                lang, "--option", "given", help=say("An option of the game; any number"), multiple=True,
                metavar="NAME=VALUE",
            ),
            usage.option(
                lang, "--matches", "matches", help=say("How many matches to open, one after the other"), default=1,
                type=click.IntRange(1, 1_000_000),
            ),
            usage.option(lang, "--name", "name", help=say("What the bot is called at the table"), default=""),
            usage.option(
                lang, "--key", "key", default="", metavar="FILE",
                help=say("The bot's own key, by which its matches belong to it; made if there is no such file"),
            ),
            usage.option(
                lang, "--password", "password", help=say("The password of the server"), default="",
                envvar="ASTRAGAL_PASSWORD",
            ),
            usage.option(lang, "--seed", "seed", help=say("A bot that can be repeated")),
            usage.flag(lang, "--json", "as_json", help=say("Every result as a line of JSON")),
            usage.lang_option(lang),
        ],
    )  # fmt: skip


def _run(
    server: str,
    bot: str,
    link: str,
    game: str,
    against: tuple[str, ...],
    preset: str,
    given: tuple[str, ...],
    matches: int,
    name: str,
    key: str,
    password: str,
    seed: str | None,
    as_json: bool,
    lang: str,
) -> None:
    from astragal.terminal import remote  # brings urllib

    if bool(link) == bool(game):
        raise AstragalError(say("name a match to join with --join, or a game to open one of with --game"))
    own.admit(bot)
    rng = Random(seed)
    if link and urllib.parse.urlsplit(link).scheme:
        server = link
    host = remote.Server(server, password, lang, lambda text: click.echo(text.to(lang), err=True))
    called = name or f"bot {bot.partition(':')[2] or bot}"[:40]
    identity = player_key.load_or_make(Path(key)) if key else None
    for _ in range(1 if link else matches):
        if identity is not None:
            host.sign_in(identity, called)
        if link:
            seat = remote.join(host, link, called)
        else:
            seat = remote.create(host, game, _others(game, against), called, preset, _options(game, given))
        if seat.join:
            click.echo(say("Whoever wants to play joins here: {link}", link=seat.join).to(lang), err=as_json)
        watched = f"{host.address}/table/{seat.match}"
        click.echo(say("Watch it here: {link}", link=watched).to(lang), err=True)
        played = remote.Player(host, seat, bot, rng).play()
        click.echo(msgspec.json.encode(played) if as_json else _told(played.match, played.outcome).to(lang))


def _told(match: str, outcome: str) -> Text:
    return say("Match {match}: {outcome}", match=match, outcome=outcome)


def _others(game: str, against: tuple[str, ...]) -> tuple[str, ...]:
    """The other seats: as many as were named, or as the game needs."""
    return against or ("casual",) * (min(registry.game(game).rules.spec.players) - 1)


def _options(game: str, given: tuple[str, ...]) -> dict[str, Any]:
    """The options of the game as the server takes them. Raises BadOptions."""
    fields = {field.name: field for field in option_tools.fields(registry.game(game).rules)}
    values: dict[str, Any] = {}
    for word in given:
        name, _, value = word.partition("=")
        field = fields.get(name.replace("-", "_"))
        if field is None:
            raise BadOptions(name, say("there is no such option; there are: {names}", names=", ".join(fields)))
        values[field.name] = msgspec.to_builtins(field.read(value))
    return values
