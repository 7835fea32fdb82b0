"""`astragal admin`: what only the host of a server may do, on the server's own machine."""

from __future__ import annotations

from typing import Any

import click

from astragal.console import usage
from astragal.core.language import Text, say
from astragal.server.limits import MOST


def database_option(lang: str) -> click.Option:
    """`--database`, for every command that uses a store."""
    return usage.option(
        lang,
        "--database",
        "database",
        help=say("Where matches are kept: sqlite:///FILE or postgresql://USER@HOST/NAME"),
        default="",
        metavar="URL",
        envvar="ASTRAGAL_DATABASE",
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
            "tournaments",
            say("List all tournaments and classes."),
            "astragal admin tournaments --json",
            [_json(lang)],
        ),
        (
            "tournament-stop",
            say("End a tournament; matches that are still played are closed."),
            "astragal admin tournament-stop hk3m9x2c7p",
            [_tournament(lang)],
        ),
        (
            "tournament-delete",
            say("Delete a tournament with its matches and all names."),
            "astragal admin tournament-delete hk3m9x2c7p",
            [_tournament(lang)],
        ),
        (
            "limits",
            say("List the limits that were changed while servers run."),
            "astragal admin limits --json",
            [_json(lang)],
        ),
        (
            "limit",
            say("Change a limit of all servers of this store, from now on and after a restart."),
            "astragal admin limit rate 300",
            [_limit(lang), usage.argument(lang, "value", say("The new value"), type=click.IntRange(0, MOST))],
        ),
        (
            "limit-reset",
            say("Set a limit back to what each server was started with."),
            "astragal admin limit-reset rate",
            [_limit(lang)],
        ),
        (
            "host-link",
            say("Make a new link to the host's page; the old one is worth nothing then."),
            "astragal admin host-link --address https://games.example.org",
            [
                usage.option(
                    lang,
                    "--address",
                    "address",
                    help=say("Where the server is found"),
                    default="http://localhost:8484",
                    metavar="URL",
                )
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
    group.add_command(_move(lang))
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
        params=[*params, database_option(lang), usage.lang_option(lang)],
    )


def _move(lang: str) -> click.Command:
    def run(database: str, to: str, as_json: bool, lang: str) -> None:
        import msgspec

        from astragal.server import moving
        from astragal.server.settings import Settings

        moved = moving.move(Settings(database=database).url, Settings(database=to).url)
        click.echo(msgspec.json.encode(moved).decode() if as_json else moved.told().to(lang))

    return usage.Command(
        "move",
        lang=lang,
        text=say("Copy everything to another database, while no server runs; the old one is left as it is."),
        example="astragal admin move --database server.db --to postgresql:///astragal",
        callback=run,
        params=[
            usage.option(
                lang,
                "--to",
                "to",
                help=say("The new database, which must be empty: postgresql://USER@HOST/NAME or sqlite:///FILE"),
                required=True,
                metavar="URL",
            ),
            _json(lang),
            database_option(lang),
            usage.lang_option(lang),
        ],
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


def _tournament(lang: str) -> click.Argument:
    return usage.argument(lang, "tournament", say("The tournament, as `astragal admin tournaments` shows it"))


def _limit(lang: str) -> click.Argument:
    return usage.argument(lang, "name", say("The limit, as its option is called: rate, open-matches ..."))
