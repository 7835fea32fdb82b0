"""The commands of a host: `hall`, `serve`, `admin`, `backup`, `restore`. The server is loaded only when one runs."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click
from click.core import ParameterSource

from astragal.console import usage
from astragal.console.screen import Screen
from astragal.core.language import Text, say
from astragal.terminal import menu


def _database(lang: str) -> click.Option:
    return usage.option(
        lang,
        "--database",
        "database",
        help=say("Where matches are kept: sqlite:///FILE or postgresql://USER@HOST/NAME"),
        default="",
        metavar="URL",
        envvar="ASTRAGAL_DATABASE",
    )


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


LIMITS: tuple[tuple[str, str, Text, int, int], ...] = (
    ("--matches-per-hour", "hourly_matches", say("Matches an hour that one address may create; 0: any"), 60, 600),
    ("--open-matches", "open_matches", say("Matches that one address may have open at once; 0: any"), 40, 400),
    ("--tournaments", "tournaments", say("Tournaments that one address may have open at once; 0: any"), 10, 100),
    ("--bots-only", "bots_only", say("Matches of bots alone that one address may have at once; 0: any"), 3, 10),
    ("--all-bots-only", "all_bots_only", say("Matches of bots alone that may be played at once; 0: any"), 20, 20),
    (
        "--stored-megabytes",
        "stored_megabytes",
        say("Megabytes that one address may fill in 30 days, own decks included; 0: any"),
        20,
        200,
    ),
    ("--uploads", "uploads", say("Large requests a minute from one address, such as decks; 0: any"), 20, 60),
    (
        "--new-players",
        "daily_players",
        say("Players a day that one address may sign in with for the first time; 0: any"),
        100,
        0,
    ),
    ("--check-queue", "check_queue", say("Own boards and decks that may wait to be checked"), 8, 8),
    (
        "--abandoned-hours",
        "abandoned_hours",
        say("Hours after which lobbies nobody joined and matches of bots alone are removed; 0: never"),
        24,
        0,
    ),
)
"""Limits of a server: the flag, the setting, what it means, and its default on the network and at home."""


HOME = {"rate": 0, "seat_rate": 0} | {name: home for _, name, _, _, home in LIMITS if name != "abandoned_hours"}
"""The limits of a server that nobody outside this computer can reach, as in the hall."""


def _for_this_computer(
    host: str, proxies: str, origins: tuple[str, ...], password: str, workers: int, **_rest: Any
) -> bool:
    """Whether a server is for whoever sits here: no network, no proxy and nothing else that speaks of strangers."""
    return host in ("127.0.0.1", "::1", "localhost") and not (proxies or origins or password or workers > 1)


def _limits(lang: str, *, at_home: bool) -> list[click.Parameter]:
    return [
        usage.option(
            lang,
            flag,
            name,
            help=text,
            default=home if at_home else network,
            type=click.IntRange(1 if name == "check_queue" else 0),
        )
        for flag, name, text, network, home in LIMITS
    ]


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
            _database(lang),
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

    whole = click.IntRange(0)
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
            _database(lang),
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
            usage.option(
                lang,
                "--rate",
                "rate",
                help=say("Requests a minute from one address; 0: any, as on this computer alone"),
                default=600,
                type=whole,
            ),
            usage.option(
                lang,
                "--seat-rate",
                "seat_rate",
                help=say("Messages a minute from one seat; 0: any, as on this computer alone"),
                default=240,
                type=whole,
            ),
            usage.option(
                lang,
                "--sockets",
                "sockets",
                help=say("Open connections from one address; 0: any"),
                default=200,
                type=whole,
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
        params=[usage.file_argument(lang, say("The file to write")), _database(lang), usage.lang_option(lang)],
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
        params=[usage.file_argument(lang, say("The backup")), _database(lang), usage.lang_option(lang)],
    )


def admin(lang: str) -> click.Group:
    """`astragal admin ...`: what only the host may do, on the machine of the server."""
    group = usage.Group(
        "admin",
        lang=lang,
        text=say("For the host: matches, seats, bans and how long things are kept."),
        example="astragal admin list --json",
        params=[usage.lang_option(lang, shared=True)],
    )
    words: list[tuple[str, Text, str, list[click.Parameter]]] = [
        ("list", say("List all matches."), "astragal admin list --json", [_json(lang)]),
        ("close", say("Close a match; it will not go on."), "astragal admin close hk3m9x2c7p", [_match(lang)]),
        (
            "kick",
            say("Take a seat from its player; in a running match a bot plays on."),
            "astragal admin kick hk3m9x2c7p 2",
            [_match(lang), _seat(lang)],
        ),
        (
            "reissue",
            say("Give a seat a new secret link; the old one is worth nothing then."),
            "astragal admin reissue hk3m9x2c7p 1",
            [_match(lang), _seat(lang)],
        ),
        (
            "delete",
            say("Delete a match and all that belongs to it."),
            "astragal admin delete hk3m9x2c7p",
            [_match(lang)],
        ),
        ("hush", say("Delete everything that was said in a match."), "astragal admin hush hk3m9x2c7p", [_match(lang)]),
        (
            "ban",
            say("Keep an address or a network out; of an IPv6 address its whole /64."),
            "astragal admin ban 192.0.2.7",
            [_address(lang)],
        ),
        ("unban", say("Let an address in again."), "astragal admin unban 192.0.2.7", [_address(lang)]),
        ("bans", say("List who is kept out."), "astragal admin bans --json", [_json(lang)]),
        (
            "key",
            say("Show the public key that records are signed with, and former ones."),
            "astragal admin key --json",
            [usage.flag(lang, "--new", "new", help=say("Sign with a new key from now on")), _json(lang)],
        ),
        ("players", say("List the players who have signed in."), "astragal admin players --json", [_json(lang)]),
        (
            "player-rename",
            say("Give a player another name, which stays."),
            "astragal admin player-rename 5b8c3e Ida",
            [_player(lang), usage.argument(lang, "called", say("The new name"))],
        ),
        (
            "player-ban",
            say("Keep a player out, wherever it comes from."),
            "astragal admin player-ban 5b8c3e",
            [_player(lang)],
        ),
        ("player-unban", say("Let a player in again."), "astragal admin player-unban 5b8c3e", [_player(lang)]),
        (
            "player-forget",
            say("Delete a player, its names and all it said; bots take over its seats."),
            "astragal admin player-forget 5b8c3e",
            [_player(lang)],
        ),
        (
            "player-export",
            say("Write all that is stored about a player, as JSON."),
            "astragal admin player-export 5b8c3e > player.json",
            [_player(lang)],
        ),
        (
            "recount",
            say("Compute all ratings anew from the stored matches. A server may run meanwhile."),
            "astragal admin recount --json",
            [
                usage.flag(lang, "--reviews", "reviews", help=say("Judge all decisions anew too, while a server runs")),
                _json(lang),
            ],
        ),
        (
            "retention",
            say("Delete matches so many days after they ended; 0: never. Without days: say what will be deleted."),
            "astragal admin retention 90",
            [
                usage.argument(lang, "days", say("How many days"), type=click.IntRange(0, 36500), required=False),
                _json(lang),
            ],
        ),
    ]
    for name, text, example, params in words:
        group.add_command(_order(lang, name, text, example, params))
    return group


def _order(lang: str, name: str, text: Text, example: str, params: list[click.Parameter]) -> click.Command:
    def run(database: str, lang: str, **given: Any) -> None:
        from astragal.server import admin
        from astragal.server.settings import Settings

        report = admin.carry_out(Settings(database=database).url, name, lang, **given)
        click.echo(report)

    return usage.Command(
        name,
        lang=lang,
        text=text,
        example=example,
        callback=run,
        params=[*params, _database(lang), usage.lang_option(lang)],
    )


def _json(lang: str) -> click.Option:
    return usage.flag(lang, "--json", "as_json", help=say("As JSON"))


def _match(lang: str) -> click.Argument:
    return usage.argument(lang, "match", say("The match, as `astragal admin list` shows it"))


def _seat(lang: str) -> click.Argument:
    return usage.argument(lang, "seat", say("The number of the seat, from 1"), type=click.IntRange(1, 8))


def _player(lang: str) -> click.Argument:
    return usage.argument(lang, "key", say("The player's key, or its beginning, as `astragal admin players` shows it"))


def _address(lang: str) -> click.Argument:
    return usage.argument(lang, "address", say("An address, or a network such as 192.0.2.0/24"))
