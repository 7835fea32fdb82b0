"""The command `astragal tables`: the tables that `astragal solve` has made, to list, check, remove and exchange."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import click
import msgspec

from astragal.console import usage
from astragal.core import registry
from astragal.core.language import Text, say
from astragal.core.types import AstragalError

if TYPE_CHECKING:  # it brings NumPy, which no other command needs
    from astragal.solve.table import Table

MB = 1_000_000


def group(lang: str) -> click.Group:
    """`astragal tables ...`; alone it lists them."""
    made = usage.Group(
        "tables",
        lang=lang,
        text=say("The tables that astragal solve has made. Without a command: list them."),
        example="astragal tables check",
        invoke_without_command=True,
        callback=click.pass_context(lambda context, **given: _without_command(context, **given)),
        params=[_json(lang), usage.lang_option(lang)],
    )
    name = usage.argument(lang, "name", say("The name of a table, as `astragal tables list` shows it"))
    kind = usage.option(
        lang,
        "--format",
        "format",
        help=say("The format of the file; otherwise its ending says it"),
        metavar="table|rgu",
    )
    for command in (
        usage.Command(
            "check",
            lang=lang,
            text=say("Check tables, all or one: the checksum of all values, and whether a sample of them follows from"
                     " the others by the rules. Exit code 1 if one is damaged."),
            example="astragal tables check --json",
            callback=_check,
            params=[
                usage.argument(lang, "name", say("The name of a table; without one: all"), required=False),
                usage.option(lang, "--sample", "sample", help=say("How many positions are worked out again"),
                             type=click.IntRange(1, 10_000_000), default=1000, metavar="1-10000000"),
                _json(lang),
                usage.lang_option(lang),
            ],
        ),
        usage.Command(
            "remove",
            lang=lang,
            text=say("Remove a table."),
            example="astragal tables remove NAME",
            callback=_remove,
            params=[name, usage.lang_option(lang)],
        ),
        usage.Command(
            "export",
            lang=lang,
            text=say("Write a table to a file, also in the format of another program."),
            example="astragal tables export NAME classic.rgu",
            callback=_export,
            params=[name, usage.file_argument(lang, say("The file to write")), kind, usage.lang_option(lang)],
        ),
        usage.Command(
            "import",
            lang=lang,
            text=say("Take a table from a file, also from one of another program."),
            example="astragal tables import finkel.rgu",
            callback=_import,
            params=[usage.file_argument(lang, say("The file to read")), kind, _json(lang), usage.lang_option(lang)],
        ),
    ):  # fmt: skip
        made.add_command(command)
    return made


def _json(lang: str) -> click.Option:
    return usage.flag(lang, "--json", "as_json", help=say("As JSON"))


def _without_command(context: click.Context, as_json: bool, lang: str) -> int:
    if context.invoked_subcommand is not None:
        return 0
    from astragal.solve import shelf

    return _tell([_row(file, lang) for file in shelf.files()], as_json, lang)


def _check(name: str | None, sample: int, as_json: bool, lang: str) -> int:
    from astragal.solve import shelf

    files = [_file(name)] if name else shelf.files()
    return _tell([_row(file, lang) | _checked(file, sample, lang) for file in files], as_json, lang)


def _remove(name: str, lang: str) -> None:
    file = _file(name)
    file.unlink()
    click.echo(say("{file} is removed", file=str(file)).to(lang))


def _export(name: str, file: Path, format: str | None, lang: str) -> None:
    from astragal.solve import foreign
    from astragal.solve.table import Table

    foreign.export(Table(_file(name)), file, format)
    click.echo(say("{file} is written", file=str(file)).to(lang))


def _import(file: Path, format: str | None, as_json: bool, lang: str) -> int:
    from astragal.solve import foreign

    return _tell([_row(foreign.bring_in(file, format).file, lang)], as_json, lang)


def _file(name: str) -> Path:
    """The table of this name, as the list shows it. Raises AstragalError."""
    from astragal.solve import shelf

    for file in shelf.files():
        if Path(name).name in (file.name, file.stem):
            return file
    raise AstragalError(say("there is no table {name!r} in {folder}", name=name, folder=str(shelf.folder())))


def _row(file: Path, lang: str) -> dict[str, Any]:
    """What a table says of itself, or what is wrong with it."""
    from astragal.solve.table import BadTable, Table

    row: dict[str, Any] = {"file": str(file), "bytes": file.stat().st_size}
    try:
        made = Table(file)
        row |= msgspec.to_builtins(made.header)
        if wrong := _other_version(made):
            row["error"] = wrong.to(lang)
    except BadTable as error:
        row["error"] = error.to(lang)
    return row


def _other_version(made: Table) -> Text | None:
    games, header = registry.games(), made.header
    if header.game not in games:
        return say("there is no game {game!r} here", game=header.game)
    ours = games[header.game].rules.spec.version
    if ours != header.version:
        return say("it is for version {theirs} of {game}; this program has version {ours}", theirs=header.version,
                   game=header.game, ours=ours)  # fmt: skip
    return None


def _checked(file: Path, sample: int, lang: str) -> dict[str, Any]:
    """What a check of a table finds."""
    from astragal.solve import audit
    from astragal.solve.table import BadTable, Table

    try:
        made = Table(file)
        if _other_version(made) is not None:
            return {}
        if not made.intact():
            return {"intact": False}
        bellman = audit.bellman(made, registry.game(made.header.game), sample=sample)
        return {"intact": bellman.wrong == 0, "bellman": msgspec.to_builtins(bellman)}
    except BadTable as error:
        return {"error": error.to(lang)}


def _tell(rows: list[dict[str, Any]], as_json: bool, lang: str) -> int:
    if as_json:
        click.echo(msgspec.json.encode(rows))
    elif not rows:
        from astragal.solve import shelf

        click.echo(
            say("There are no tables in {folder}; astragal solve makes one.", folder=str(shelf.folder())).to(lang)
        )
    for row in () if as_json else rows:
        click.echo(_line(row, lang))
    return 0 if all("error" not in row and row.get("intact", True) for row in rows) else 1


def _line(row: dict[str, Any], lang: str) -> str:
    name = Path(row["file"]).name
    if "error" in row:
        return f"{name}: {row['error']}"
    chosen = ", ".join(f"{key} {value}" for key, value in row["options"].items() if isinstance(value, str | int))
    parts: list[Text | str] = [
        f"{row['game']}, {chosen}",
        say("{size} MB, {bits} bits a value", size=f"{row['bytes'] / MB:.1f}", bits=row["bits"]),
        say("first player {value}", value=f"{row['value']:.7f}"),
    ]
    if row["loss"] is not None:
        parts.append(say("rounding costs {loss} points a decision", loss=f"{row['loss']:.5f}"))
    if row["source"]:
        parts.append(say("from {source}", source=row["source"]))
    if "bellman" in row:
        found = row["bellman"]
        parts.append(
            say("{n} positions worked out again, the furthest is off by {worst}", n=found["positions"],
                worst=f"{found['worst']:.6f}")
        )  # fmt: skip
    parts.append({True: say("intact"), False: say("DAMAGED"), None: say("not checked")}[row.get("intact")])
    return f"{name}: " + "; ".join(part.to(lang) if isinstance(part, Text) else part for part in parts)
