"""The commands of a host: `hall`, `serve`, `admin`, `backup`, `restore`. The server is loaded only when one runs."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click
from click.core import ParameterSource

from astragal.console import usage
from astragal.console.screen import Screen
from astragal.core.language import Text, say
from astragal.hosting.orders import admin as admin
from astragal.hosting.orders import database_option
from astragal.server.limits import LIMITS, Limits
from astragal.terminal import menu


def _origin(lang: str) -> click.Option:
    return usage.option(
        lang,
        "--origin",
        "origins",
        help=say("The address browsers show, if it is another than this computer's (a name, a proxy); any number"),
        multiple=True,
        metavar="https://HOST",
    )


def _own_bots(lang: str) -> click.Option:
    return usage.own_bots(lang, say("A bot of your own that guests may play against, MODULE:CLASS; any number"))


HOME = {name: limit.home for name, limit in LIMITS.items() if name not in ("sockets", "abandoned_hours")}
"""The limits of a server that nobody outside this computer can reach, as in the hall."""

APART = ("rate", "seat_rate", "sockets")  # limits whose options stand before the others
NETWORK = Limits()


def _for_this_computer(
    host: str, proxies: str, origins: tuple[str, ...], password: str, workers: int, **_rest: Any
) -> bool:
    """Whether a server is for whoever sits here: no network, no proxy and nothing else that speaks of strangers."""
    return host in ("127.0.0.1", "::1", "localhost") and not (proxies or origins or password or workers > 1)


def _limit(lang: str, name: str, text: Text | None = None, *, at_home: bool = False) -> click.Option:
    """The option of a limit; `text` says it in other words."""
    limit = LIMITS[name]
    return usage.option(
        lang,
        limit.flag,
        name,
        help=text or limit.text,
        default=limit.home if at_home else getattr(NETWORK, name),
        type=click.IntRange(limit.least),
    )


def _limits(lang: str, *, at_home: bool) -> list[click.Parameter]:
    return [_limit(lang, name, at_home=at_home) for name in LIMITS if name not in APART]


def _reminders(lang: str) -> list[click.Parameter]:
    """How players who are away are told that it is their turn."""
    return [
        usage.option(
            lang,
            "--smtp",
            "smtp",
            help=say("The mail server, so that players can be told by e-mail: smtp://USER:PASSWORD@HOST:587"),
            default="",
            metavar="URL",
            envvar="ASTRAGAL_SMTP",
        ),
        usage.option(
            lang,
            "--mail-from",
            "mail_from",
            help=say("The address that mail comes from; push services are told it too"),
            default="",
            metavar="ADDRESS",
            envvar="ASTRAGAL_MAIL_FROM",
        ),
        usage.flag(
            lang,
            "--push-inside",
            "push_inside",
            help=say("Let push messages go to addresses of your own network too, and without TLS"),
        ),
        usage.option(
            lang,
            "--reminder-seconds",
            "reminder_seconds",
            help=say("Seconds without a move after which whoever is away is told that it is their turn"),
            default=60,
            type=click.IntRange(1),
        ),
    ]


def _admit(own_bots: tuple[str, ...]) -> None:
    from astragal.bots import own

    for bot in own_bots:
        own.admit(bot)


def hall(lang: str) -> click.Command:
    """`astragal hall`."""

    def run(
        terminal: bool,
        browser: bool,
        port: int,
        database: str,
        origins: tuple[str, ...],
        own_bots: tuple[str, ...],
        lang: str,
        **limits: Any,
    ) -> None:
        _admit(own_bots)
        if terminal:
            menu.run(Screen(lang))
            return
        from astragal.server import hall as server_hall
        from astragal.server.settings import Settings

        settings = Settings(
            port=port, database=database, origins=tuple(origins), lang=lang, rate=0, seat_rate=0, **limits
        )
        server_hall.run(settings, browser=browser)

    return usage.Command(
        "hall",
        lang=lang,
        text=say("Open the game hall in a browser, for this computer."),
        example="astragal hall",
        callback=run,
        params=[
            usage.flag(lang, "--terminal", "terminal", help=say("Play in the terminal instead")),
            click.Option(
                ["--browser/--no-browser", "browser"],
                default=True,
                help=say("Open a browser, or only say where the hall is").to(lang),
            ),
            usage.option(
                lang, "--port", "port", help=say("The port to listen on"), default=8484, type=click.IntRange(0, 65535)
            ),
            database_option(lang),
            _origin(lang),
            _own_bots(lang),
            *_limits(lang, at_home=True),
            usage.lang_option(lang),
        ],
    )


def serve(lang: str) -> click.Command:
    """`astragal serve`."""

    def run(open_browser: bool, own_bots: tuple[str, ...], lang: str, **given: Any) -> None:
        _admit(own_bots)
        from astragal.server import serving
        from astragal.server.settings import Settings

        given["origins"] = tuple(given["origins"])
        if _for_this_computer(**given):
            context = click.get_current_context()
            unset = [name for name in HOME if context.get_parameter_source(name) is ParameterSource.DEFAULT]
            given |= {name: HOME[name] for name in unset}
        serving.run(Settings(lang=lang, **given), open_browser=open_browser)

    return usage.Command(
        "serve",
        lang=lang,
        text=say("Let others play over the network, or yourself in a browser."),
        example="astragal serve --host 0.0.0.0 --port 8484 --password open-sesame",
        callback=run,
        params=[
            usage.option(lang, "--host", "host", help=say("The address to listen on"), default="127.0.0.1"),
            usage.option(
                lang, "--port", "port", help=say("The port to listen on"), default=8484, type=click.IntRange(0, 65535)
            ),
            database_option(lang),
            usage.option(
                lang,
                "--workers",
                "workers",
                help=say("Server processes; more than one needs PostgreSQL"),
                default=1,
                type=click.IntRange(1, 64),
            ),
            usage.option(
                lang,
                "--password",
                "password",
                help=say("Only who knows this word comes in"),
                default="",
                envvar="ASTRAGAL_PASSWORD",
            ),
            _origin(lang),
            usage.option(
                lang,
                "--proxies",
                "proxies",
                help=say("Reverse proxies whose word about the caller's address is taken"),
                default="",
                metavar="ADDRESS,...",
            ),
            _limit(lang, "rate", say("Requests a minute from one address; 0: any, as on this computer alone")),
            _limit(lang, "seat_rate", say("Messages a minute from one seat; 0: any, as on this computer alone")),
            _limit(lang, "sockets"),
            usage.option(
                lang,
                "--host-page-from",
                "host_page_from",
                help=say("Where the host's page opens besides this computer: addresses and networks, or `anywhere`"),
                default="",
                metavar="ADDRESS,...",
            ),
            usage.option(
                lang,
                "--bot-processes",
                "bot_processes",
                help=say("Processes for thinking bots, in each worker"),
                default=1,
                type=click.IntRange(1, 64),
            ),
            _own_bots(lang),
            *_limits(lang, at_home=False),
            *_reminders(lang),
            usage.flag(
                lang,
                "--one-address",
                "one_address",
                help=say("Count rated matches of people who share an address, as in a club or a school"),
            ),
            usage.flag(lang, "--open", "open_browser", help=say("Open a browser at it")),
            usage.lang_option(lang),
        ],
    )


def backup(lang: str) -> click.Command:
    """`astragal backup`."""

    def run(file: Path, database: str, lang: str) -> None:
        from astragal.server import backups
        from astragal.server.settings import Settings

        backups.write(Settings(database=database).url, file)
        click.echo(say("{file} is written", file=str(file)).to(lang))

    return usage.Command(
        "backup",
        lang=lang,
        text=say("Copy the embedded store to a file, also while a server uses it."),
        example="astragal backup matches.db",
        callback=run,
        params=[usage.file_argument(lang, say("The file to write")), database_option(lang), usage.lang_option(lang)],
    )


def restore(lang: str) -> click.Command:
    """`astragal restore`."""

    def run(file: Path, database: str, lang: str) -> None:
        from astragal.server import backups
        from astragal.server.settings import Settings

        kept = backups.restore(file, Settings(database=database).url)
        click.echo(say("{file} is restored.", file=str(file)).to(lang))
        if kept is not None:
            click.echo(say("The store that was there is kept as {file}.", file=str(kept)).to(lang))

    return usage.Command(
        "restore",
        lang=lang,
        text=say("Put a backup in the place of the embedded store, while no server runs; the old store is kept aside."),
        example="astragal restore matches.db",
        callback=run,
        params=[usage.file_argument(lang, say("The backup")), database_option(lang), usage.lang_option(lang)],
    )
